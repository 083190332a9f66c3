"""Ways to damage a file: a line, a cell or a column is removed, doubled, or swapped with another.

    from tests.graphs.formats.damages import damaged

A header is the first line. In JSON, an item of a list or an object is a cell, and one key in all
objects of a list is a column.
"""

import json

from hypothesis import strategies as st

WAYS = ("remove", "double", "swap")


@st.composite
def damaged(draw, text, format):
    """The text with one damage."""
    of_json = format in ("mrp", "jsonl")
    kinds = ["line", "json cell", "json column"] if of_json else ["line", "cell", "column"]
    kind = draw(st.sampled_from([*kinds, *([] if of_json else ["header"])]))
    way = draw(st.sampled_from(WAYS))
    lines = text.split("\n")[:-1]
    if kind == "header":
        damage(draw, way, lines, 0)
    elif kind == "line":
        damage(draw, way, lines, draw(indices(lines)))
    elif of_json:
        number = draw(indices(lines))
        value = json.loads(lines[number], object_pairs_hook=Object)
        (damage_cell if kind == "json cell" else damage_column)(draw, way, value)
        lines[number] = encode(value)
    else:
        lines = damage_table(draw, way, lines, kind)
    return "".join(f"{line}\n" for line in lines)


def indices(items):
    return st.integers(0, len(items) - 1)


def damage(draw, way, items, index):
    """Remove or double an item of a list, or swap it with another one."""
    if way == "remove":
        del items[index]
    elif way == "double":
        items.insert(index, items[index])
    else:
        other = draw(indices(items))
        items[index], items[other] = items[other], items[index]


def damage_table(draw, way, lines, kind):
    table = [line.split("\t") for line in lines]
    rows = [row for row in table if len(row) > 1]
    if kind == "cell":
        row = draw(st.sampled_from(rows))
        if way == "swap" and draw(st.booleans()):  # with a cell of another row
            other = draw(st.sampled_from(rows))
            here, there = draw(indices(row)), draw(indices(other))
            row[here], other[there] = other[there], row[here]
        else:
            damage(draw, way, row, draw(indices(row)))
    else:
        if draw(st.booleans()):  # of one sentence alone
            sentence = draw(st.sampled_from(sentences(table)))
            rows = [row for row in sentence if len(row) > 1]
        shortest = min(rows, key=len)
        one, two = draw(indices(shortest)), draw(indices(shortest))
        for row in rows:
            damage(lambda _, chosen=two: chosen, way, row, one)
    return ["\t".join(row) for row in table]


def sentences(table):
    found = [[]]
    for row in table:
        if row == [""]:
            found.append([])
        else:
            found[-1].append(row)
    return [sentence for sentence in found if any(len(row) > 1 for row in sentence)]


class Object(list):
    """The pairs of a JSON object, so that a key can be there twice."""


def encode(value):
    if isinstance(value, Object):
        pairs = (f"{json.dumps(key)}: {encode(item)}" for key, item in value)
        return f"{{{', '.join(pairs)}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(encode, value))}]"
    return json.dumps(value, ensure_ascii=False)


def containers(value):
    if isinstance(value, Object):
        yield value
        value = [item for _, item in value]
    elif isinstance(value, list):
        yield value
    else:
        return
    for item in value:
        yield from containers(item)


def damage_cell(draw, way, value):
    filled = [container for container in containers(value) if container]
    one = value if draw(st.booleans()) else draw(st.sampled_from(filled))
    here = draw(indices(one))
    if way != "swap":
        damage(draw, way, one, here)
        return
    two = one if draw(st.booleans()) else draw(st.sampled_from(filled))
    there = draw(indices(two))
    first, second = one[here], two[there]
    one[here] = (first[0], item(second, two)) if isinstance(one, Object) else item(second, two)
    two[there] = (second[0], item(first, one)) if isinstance(two, Object) else item(first, one)


def item(cell, container):
    return cell[1] if isinstance(container, Object) else cell


def damage_column(draw, way, value):
    tables = [
        container
        for container in containers(value)
        if not isinstance(container, Object)
        and container
        and all(isinstance(row, Object) for row in container)
    ]
    if not tables:
        return
    table = draw(st.sampled_from(tables))
    keys = sorted({key for row in table for key, _ in row})
    one, two = draw(st.sampled_from(keys)), draw(st.sampled_from(keys))
    for row in table:
        if way == "remove":
            row[:] = [(key, cell) for key, cell in row if key != one]
        elif way == "double":
            row += [(key, cell) for key, cell in row if key == one]
        else:
            swapped = {one: two, two: one}
            row[:] = [(swapped.get(key, key), cell) for key, cell in row]
