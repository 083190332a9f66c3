"""From dependencies between predicates to dependencies between words: EDS to DM."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Optional

from ..graphs import Graph, Token
from .frames import frame
from .rules import Relation, Rules
from .words import Word

if TYPE_CHECKING:
    from delphin.eds import EDS, Node

    Nodes = Mapping[str, Node]


class Anchors(NamedTuple):
    """Which words nodes stand for (positions by node), and which words are one expression.

    `parts` are pairs of positions: the last word of an expression, and another one.
    """

    words: dict[str, int]
    parts: list[tuple[int, int]]


def dependencies(eds: "EDS", words: Sequence[Word], rules: Rules, id: str = "") -> Graph:
    r"""The DM graph of a sentence, from the EDS that pydelphin makes of its MRS.

    An EDS has nodes for predicates; a node has a place in the text, and arguments in roles.

    >>> from delphin.codecs.eds import decode
    >>> eds = decode('''{e2:
    ...     e2:_of+course_a_1<0:9>{e}[ARG1 e3]
    ...     e3:neg<14:21>{e}[ARG1 e8]
    ...     x7:named<10:13>("Kim"){x}[]
    ...     e8:_like_v_1<22:26>{e}[ARG1 x7, ARG2 x9]
    ...     e5:compound<27:38>{e}[ARG1 x6, ARG2 x5]
    ...     x5:_apple_n_1<27:32>{x}[]
    ...     x6:_juice_n_1<33:38>{x}[]
    ...     x9:_and_c<39:42>{x}[ARG1 x6, ARG2 x4]
    ...     x4:_tea_n_1<43:46>{x}[]}''')
    >>> import re
    >>> text = "Of course Kim doesn't like apple juice and tea"
    >>> words = [Word(m[0], *m.span()) for m in re.finditer(r"n't|does|\w+", text)]

    Rules say what becomes of a predicate: a word, an arc, or nothing of its own.

    >>> from sdp_pointer.redwoods.rules import sections
    >>> rules = Rules(sections('''
    ... [lexical]
    ... /^_.*/
    ... named
    ... neg
    ... [transparent]
    ... /_c$/ ARG1
    ... [relational]
    ... /_c$/ ARG1 ARG2
    ... compound ARG2 ARG1
    ... neg ARG0 ARG1''', "example"))
    >>> for arc in dependencies(eds, words, rules).arcs:
    ...     print(words[arc.head - 1].form, arc.label, words[arc.dependent - 1].form)
    course mwe Of
    like ARG1 Kim
    course ARG1 n't
    n't neg like
    like ARG2 juice
    apple compound juice
    juice _and_c tea

    - A *lexical* node stands for the last word of its place that is no punctuation. The other words
      hang on that one by `mwe`, if the node is a name or its lemma has a `+` or `-`, as
      `_of+course_a_1` has. There is an arc for each of its arguments, labelled by the role.
    - A *relational* node, such as `compound`, is one arc between two of its arguments.
    - A *transparent* node, such as a conjunction, has no word even if it is lexical.
    - Where a node without a word is an argument, the word of one of its own arguments takes its
      place: `juice` that of "apple juice and tea". Likewise if it is the top.
    - The subject of an imperative is a pronoun, but no word: its place is the whole clause, or that
      of the negation in "Don't".
    - Between two words, the first arc counts.
    """
    nodes = {node.id: node for node in eds.nodes}
    anchored = _anchors(eds.nodes, words, rules)
    frames = _frames(anchored, nodes, words, rules)
    anchors = _borrowed(anchored.words, nodes, rules)
    arcs: dict[tuple[int, int], str] = {}
    for node in eds.nodes:
        for source, target, label in _arcs(node, anchors, rules):
            head = _word(source, nodes, anchors, rules)
            dependent = _word(target, nodes, anchors, rules)
            if head is not None and dependent is not None and head != dependent:
                arcs.setdefault((head, dependent), label)
    for pair in anchored.parts:
        arcs.setdefault(pair, "mwe")
    top = _word(eds.top or "", nodes, anchors, rules)
    return Graph(
        (
            Token(word.form, word.lemma, word.pos, frames.get(position, "_"))
            for position, word in enumerate(words, start=1)
        ),
        ((*pair, label) for pair, label in arcs.items()),
        () if top is None else (top,),
        id,
    )


def _anchors(nodes: "Iterable[Node]", words: Sequence[Word], rules: Rules) -> Anchors:
    anchors = Anchors({}, [])
    pronouns, negated = {}, set()
    for node in nodes:
        if not rules.is_lexical(node.predicate):
            continue
        if any(role in node.edges for role in rules.transparent(node.predicate)):
            continue
        covered = _covered(node, words)
        if len(covered) > 1:
            covered = [p for p in covered if not words[p - 1].is_punctuation] or covered
        if not covered or (node.predicate == "pron" and len(covered) > 1):
            continue
        *others, last = covered
        anchors.words[node.id] = last
        if _is_one_expression(node):
            anchors.parts.extend((last, other) for other in others)
        if node.predicate == "pron":
            pronouns[node.id] = last
        if node.predicate == "neg":
            negated.add(last)
    for node_id, word in pronouns.items():
        if word in negated:
            del anchors.words[node_id]
    return anchors


def _covered(node: "Node", words: Sequence[Word]) -> list[int]:
    """The words in the place of a node, or else those that it shares characters with."""
    start, end = node.cfrom, node.cto
    numbered = list(enumerate(words, start=1))
    inside = [position for position, word in numbered if start <= word.start and word.end <= end]
    return inside or [p for p, word in numbered if word.start < end and start < word.end]


def _is_one_expression(node: "Node") -> bool:
    lemma = node.predicate[1:].partition("_")[0]
    return node.carg is not None or "+" in lemma or "-" in lemma


def _borrowed(own: Mapping[str, int], nodes: "Nodes", rules: Rules) -> dict[str, int]:
    """The nodes' own words, and those that nodes without a place take from others."""
    anchors = dict(own)
    for node_id, word in own.items():
        lender = nodes[node_id]
        target = nodes.get(lender.edges.get("ARG1", ""))
        if target is not None and lender.predicate in rules.lenders(target.predicate):
            anchors.setdefault(target.id, word)
    return anchors


def _arcs(node: "Node", anchors: Mapping[str, int], rules: Rules) -> Iterator[tuple[str, str, str]]:
    """What a node says of its arguments and itself: head, dependent (both nodes) and label."""
    relation = _relation(node, rules)
    if relation is not None and relation.head != "ARG0":
        yield node.edges[relation.head], node.edges[relation.dependent], relation.label
    elif node.id in anchors:
        renamed = {relation.dependent: relation.label} if relation is not None else {}
        for role, target in node.edges.items():
            yield node.id, target, renamed.get(role, role)


def _relation(node: "Node", rules: Rules) -> Optional[Relation]:
    roles = {"ARG0", *node.edges}
    found = rules.relations(node.predicate)
    return next((each for each in found if roles.issuperset(each[:2])), None)


def _word(
    node_id: str,
    nodes: "Nodes",
    anchors: Mapping[str, int],
    rules: Rules,
    passed: tuple[str, ...] = (),
) -> Optional[int]:
    """The word of a node, its own or that of one of its arguments."""
    if node_id in anchors:
        return anchors[node_id]
    if node_id not in nodes or node_id in passed:
        return None
    node = nodes[node_id]
    targets = (node.edges[role] for role in rules.passes(node.predicate) if role in node.edges)
    found = (_word(target, nodes, anchors, rules, (*passed, node_id)) for target in targets)
    return next((word for word in found if word is not None), None)


def _frames(
    anchors: Anchors, nodes: "Nodes", words: Sequence[Word], rules: Rules
) -> dict[int, str]:
    """The frame of each word: that of its surface predicate, if it has one."""
    standing: dict[int, list[Node]] = {}
    for node_id, word in anchors.words.items():
        standing.setdefault(word, []).append(nodes[node_id])
    for node in nodes.values():
        covered = _covered(node, words) if rules.lends_frame(node.predicate) else []
        if len(covered) == 1 and covered[0] in standing:
            standing[covered[0]].append(node)
    best = {word: min(found, key=_rank) for word, found in standing.items()}
    for last, other in anchors.parts:
        best.setdefault(other, best[last])
    return {word: frame(node, nodes, rules.signatures) for word, node in best.items()}


def _rank(node: "Node") -> int:
    """Which predicate of a word counts: `_old_a_1`, `dofw`, `which_q`, `place_n`, or `_some_q`."""
    quantifier = node.predicate.endswith("_q")
    if node.predicate.startswith("_"):
        return 4 if quantifier else 0
    return 1 if node.carg is not None else 2 if quantifier else 3
