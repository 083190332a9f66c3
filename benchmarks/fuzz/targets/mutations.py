"""How inputs of JSON are changed: value by value, which changed bytes would seldom do."""

import json
import random
from collections.abc import Sequence
from typing import Any

import atheris

# What a reader may not have thought of.
ODD = [
    *(None, True, False, 0, -1, 1, 0.5, 1e308, 2**31, -(2**63), 10**30, 5000),
    *(
        "",
        " ",
        "_",
        "a",
        "\0",
        "\n",
        "\t",
        "\u2028",
        "\ud83d\ude00",
        "\ufeff",
        "a" * 3000,
        "$" * 800,
    ),
    *([], {}, [[]], [{}], {"": None}, [0] * 300, ["a"] * 300),
]
DEEP = 600


def bytes_or_json(data: bytes, most: int, seed: int) -> bytes:
    """Changes values of the first JSON object in the data if there is one; or just bytes."""
    rng = random.Random(seed)
    start = data.find(b"{")
    end = data.find(b"\n", start) % (len(data) + 1)
    try:
        value = json.loads(data[start:end]) if start >= 0 and rng.random() < 0.6 else None
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        return atheris.Mutate(data, most)
    for _ in range(rng.randint(1, 3)):
        change(value, rng)
    try:
        changed = json.dumps(value, ensure_ascii=rng.random() < 0.5).encode("utf-8", "replace")
    except (ValueError, RecursionError):
        return atheris.Mutate(data, most)
    return (data[:start] + changed + data[end:])[:most]


def change(value: Any, rng: random.Random, odd: Sequence[Any] = ODD) -> None:
    """Changes something somewhere in a JSON value, perhaps to something odd."""
    found = list(places(value))
    if not found:
        return
    holder, key = rng.choice(found)
    kind = rng.randrange(7)
    if kind == 0:
        del holder[key]
    elif kind == 1 and isinstance(holder, dict):
        holder[rng.choice([*holder, str(rng.choice(ODD))])] = holder.pop(key)
    elif kind == 2 and isinstance(holder, list):
        holder += holder[: rng.randint(1, 40)]
    elif kind == 3:
        other, name = rng.choice(found)
        holder[key] = json.loads(json.dumps(other[name]))
    elif kind == 4 and isinstance(holder[key], str):
        word, place = holder[key], rng.randint(0, len(holder[key]))
        holder[key] = word[:place] + str(rng.choice(odd)) + word[place:]
    elif kind == 5 and rng.random() < 0.1:
        for _ in range(rng.randint(1, DEEP)):
            holder[key] = [holder[key]]
    elif type(holder[key]) is int and rng.random() < 0.7:
        holder[key] += rng.choice([-2, -1, 1, 2, 100])
    else:
        holder[key] = json.loads(json.dumps(rng.choice(odd)))


def places(value: Any) -> Any:
    """Where a JSON value has others in it: each holder, with a key or an index."""
    waiting = [value]
    while waiting:
        holder = waiting.pop()
        inside = holder.items() if isinstance(holder, dict) else enumerate(holder)
        for key, item in inside:
            yield holder, key
            if isinstance(item, (dict, list)):
                waiting.append(item)
