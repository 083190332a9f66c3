"""Slow readers of every format to the letter, which share no code with those of the package.

    from tests.graphs.formats.reference import holds

`holds(text, "sdp", graphs)` tells whether a text is a valid file of a format, without any flaw, and
stands for these graphs. What each function asks for is what docs/formats.md and the official
description of its format say; what is merely understandable is not valid.
"""

import json
import re
from itertools import pairwise

from sdp_pointer.graphs import Graph, GraphError, Token
from tests.graphs.formats.schema import SCHEMA, conforms

HEADER = "#SDP 2015\n"
ESCAPES = {"s": " ", "p": "|", "t": "\t", "r": "\r", "n": "\n", "\\": "\\"}


class InvalidError(Exception):
    """The text is not to the letter of the format."""


def need(condition):
    if not condition:
        raise InvalidError


def holds(text, format, graphs):
    try:
        return READERS[format](text, graphs)
    except (InvalidError, GraphError):
        return False


def blocks(text):
    """The lines of each graph; an empty line ends it."""
    need(text == "" or text.endswith("\n\n"))
    for block in text.split("\n\n")[:-1]:
        lines = block.split("\n")
        need(all(lines))
        yield lines


def number(cell, last):
    """A number of a word, or 0."""
    need(re.fullmatch("0|[1-9][0-9]*", cell) and int(cell) <= last)
    return int(cell)


def tree(head, last):
    need(head == "_" or number(head, last) >= 0)


def sdp(header, columns):
    """The reader of an `.sdp` file with these fixed columns."""

    def graph(lines):
        name, *rows = lines
        need(name.startswith("#") and name[1:] and name + "\n" != HEADER and rows)
        rows = [row.split("\t") for row in rows]
        need(all(cell for row in rows for cell in row))
        fixed = [dict(zip(columns.split(), row)) for row in rows]
        need(all(len(row) == len(columns.split()) for row in fixed))
        predicates = [n for n, row in enumerate(fixed, start=1) if row["pred"] == "+"]
        tokens, arcs, tops = [], [], []
        for n, (row, word) in enumerate(zip(rows, fixed), start=1):
            need(word["id"] == str(n) and {word["top"], word["pred"]} <= {"+", "-"})
            tree(word.get("head", "_"), len(rows))
            labels = row[len(word) :]
            need(len(labels) == len(predicates))
            tokens.append(Token(word["form"], word["lemma"], word["pos"], word.get("frame", "_")))
            arcs += [(head, n, label) for head, label in zip(predicates, labels) if label != "_"]
            tops += [n] * (word["top"] == "+")
        need(set(predicates) == {head for head, _, _ in arcs})
        return Graph(tokens, arcs, tops, name[1:])

    def holds(text, graphs):
        need(not header or text.startswith(HEADER))
        body = text.removeprefix(HEADER) if header else text
        return [graph(lines) for lines in blocks(body)] == graphs

    return holds


def conllu(text, graphs):
    return [conllu_graph(lines) for lines in blocks(text)] == graphs


def conllu_graph(lines):
    need(lines[0] + "\n" != HEADER)
    comments = [line for line in lines if line.startswith("#")]
    rows = [line.split("\t") for line in lines[len(comments) :]]
    said = {}
    for comment in comments:
        key, equals, value = comment[1:].partition("=")
        if equals and key.strip() in ("sent_id", "formalism", "text", "bare_predicates"):
            need(key.strip() not in said)
            said[key.strip()] = value.removeprefix(" ")
    for row in rows:
        need(len(row) == 10 and all(row))
        need(not any(" " in row[column] for column in (0, 3, 4, 5, 6, 7, 8)))
    words = [row for row in rows if "-" not in row[0]]
    need(words)
    tokens, arcs, tops = [], [], []
    for n, (_, form, lemma, upos, xpos, feats, head, relation, deps, misc) in enumerate(words, 1):
        need(feats == "_" or all("=" in feature for feature in feats.split("|")))
        tree(head, len(words))
        need(head != "_" or relation == "_")
        frames = [item[6:] for item in misc.split("|") if item.startswith("Frame=")]
        need(len(frames) <= 1 and all(frames))
        tokens.append(Token(form, lemma, upos if xpos == "_" else xpos, *map(plain, frames)))
        for item in [] if deps == "_" else deps.split("|"):
            of, _, label = item.partition(":")
            need(label)
            if number(of, len(words)):
                arcs.append((int(of), n, label))
            else:
                tops.append(n)
    # A multi-word token stands before its first word.
    expected = iter(range(1, len(words) + 1))
    following = 1
    for row in rows:
        first, dash, last = row[0].partition("-")
        if dash:
            need(first == str(following) and number(last, len(words)) > following)
        else:
            need(first == str(next(expected)))
            following += 1
    bare = [number(word, len(words)) for word in said.get("bare_predicates", "").split()]
    graph_id, formalism = said.get("sent_id", ""), said.get("formalism")
    return Graph(tokens, arcs, tops, graph_id, bare, formalism=formalism)


def plain(frame):
    need(re.fullmatch(r"(?:[^\\]|\\[sptrn\\])*", frame, re.DOTALL))
    return re.sub(r"\\(.)", lambda match: ESCAPES[match[1]], frame)


def objects(text):
    def unique(pairs):
        need(len(dict(pairs)) == len(pairs))
        return dict(pairs)

    need(text == "" or text.endswith("\n"))
    for line in text.split("\n")[:-1]:
        try:
            value = json.loads(line, object_pairs_hook=unique)
        except ValueError:
            raise InvalidError from None
        need(isinstance(value, dict))
        yield value


def jsonl(text, graphs):
    return [jsonl_graph(value) for value in objects(text)] == graphs


def jsonl_graph(value):
    need(conforms(value, SCHEMA))
    need(not value.keys() & {"offsets", "probabilities", "conllu"})
    words = value["tokens"]
    need(len(value.get("syntax", words)) == len(words))
    need(len(value.get("top_probabilities", value["tops"])) == len(value["tops"]))
    spans = [(word["start"], word["end"]) for word in words if "start" in word]
    need(len(spans) in (0, len(words)) and spans == sorted(spans))
    for start, end in spans:
        need(start <= end <= len(value.get("text", "x" * end)))
    tokens = [
        Token(*(word.get(column, "_") for column in ("form", "lemma", "pos", "frame")))
        for word in words
    ]
    arcs = [(arc["head"], arc["dependent"], arc["label"]) for arc in value["arcs"]]
    bare = value.get("bare_predicates", [])
    graph_id, formalism = value.get("id", ""), value.get("formalism")
    return Graph(tokens, arcs, value["tops"], graph_id, bare, formalism=formalism)


def mrp(text, graphs):
    values = list(objects(text))
    return len(values) == len(graphs) and all(map(mrp_holds, values, graphs))


def mrp_holds(value, graph):
    """Nodes, edges and tops by the place of their words; other words are outside of the graph."""
    need({"id", "input"} <= value.keys())
    need(isinstance(value["id"], str) and isinstance(value["input"], str))
    need(re.fullmatch("[a-z_][a-z0-9_]*", str(value.get("framework"))))
    need(value["framework"] not in ("eds", "ptg", "ucca", "amr", "drg"))
    need(type(value.get("flavor", 0)) is int and value.get("flavor", 0) == 0)
    nodes, singletons, edges, tops, bare = (
        listed(value, key) for key in ("nodes", "singletons", "edges", "tops", "bare_predicates")
    )
    tokens = {}
    span_of = {}
    for node in nodes + singletons:
        need(isinstance(node, dict))
        need(node.keys() <= {"id", "label", "properties", "values", "anchors", "form"})
        need(type(node.get("id")) is int and node["id"] not in span_of)
        span = span_of[node["id"]] = anchor(node, len(value["input"]))
        names, values = listed(node, "properties"), listed(node, "values")
        need(all(isinstance(text, str) for text in names + values))
        need(len(names) == len(values) == len(set(names)) and set(names) <= {"pos", "frame"})
        form, label = node.get("form", value["input"][slice(*span)]), node.get("label")
        said = {"form": form, "lemma": "_" if label is None else label} | dict(zip(names, values))
        need(all(isinstance(text, str) and text for text in said.values()))
        tokens[span] = Token(**said)
    spans = sorted(tokens)
    need(len(spans) == len(nodes + singletons))
    need(all(one[1] <= other[0] for one, other in pairwise(spans)))

    def span(number):
        need(type(number) is int and number in span_of)
        return span_of[number]

    arcs = []
    for edge in edges:
        need(isinstance(edge, dict) and edge.keys() <= {"id", "source", "target", "label"})
        need(isinstance(edge.get("label"), str) and edge["label"])
        arcs.append((span(edge.get("source")), span(edge.get("target")), edge["label"]))
    tops, bare = [span(top) for top in tops], [span(word) for word in bare]
    for unique in (tops, bare, [arc[:2] for arc in arcs]):
        need(len(unique) == len(set(unique)))
    inside = {word for arc in arcs for word in arc[:2]}.union(tops)
    need({span(node["id"]) for node in nodes} <= inside.union(bare))
    need(not {span(node["id"]) for node in singletons} & inside)
    need(not {head for head, _, _ in arcs} & set(bare))
    place = (None, *graph.meta["offsets"])
    read = dict(zip(place[1:], graph.tokens))
    assert value["input"] == graph.meta["text"]
    return (
        graph.id == value["id"]
        and graph.formalism == value["framework"]
        and {(place[head], place[word], label) for head, word, label in graph.arcs} == set(arcs)
        and {place[top] for top in graph.tops} == set(tops)
        and {place[word] for word in graph.bare_predicates} == set(bare)
        and all(read.get(span) == token for span, token in tokens.items())
        and all(
            token == Token(value["input"][slice(*span)])
            for span, token in read.items()
            if span not in tokens
        )
        # No word is lost: what lies between two words is blank.
        and not re.sub(r"\s", "", outside(value["input"], place[1:]))
    )


def listed(holder, key):
    value = holder.get(key)
    need(value is None or isinstance(value, list))
    return value or []


def anchor(node, length):
    anchors = listed(node, "anchors")
    need(len(anchors) == 1 and isinstance(anchors[0], dict) and anchors[0].keys() == {"from", "to"})
    start, end = anchors[0]["from"], anchors[0]["to"]
    need(type(start) is int and type(end) is int and 0 <= start < end <= length)
    return start, end


def outside(text, spans):
    ends = [0, *(end for _, end in spans)]
    starts = [*(start for start, _ in spans), len(text)]
    return "".join(text[end:start] for end, start in zip(ends, starts))


READERS = {
    "sdp": sdp(True, "id form lemma pos top pred frame"),
    "sdp2014": sdp(False, "id form lemma pos top pred"),
    "allennlp": sdp(False, "id form lemma pos head deprel top pred frame"),
    "conllu": conllu,
    "mrp": mrp,
    "jsonl": jsonl,
}
