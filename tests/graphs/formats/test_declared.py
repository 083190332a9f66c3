"""What is declared, by a format, a name or a header, holds: the table in docs/formats.md."""

import io
import warnings
from pathlib import Path

import pytest

from sdp_pointer.graphs import FormatError, FormatWarning, Graph, Token, dumps, loads, read
from sdp_pointer.graphs.formats import FORMATS

HEADER = "#SDP 2015\n"
DOCS = Path(__file__).parents[3] / "docs" / "formats.md"


def with_predicates(number):
    """A graph in which so many words are predicates, each of the next word."""
    words = [Token(form, form, "NN") for form in "abcdefgh"]
    arcs = [(head, head + 1, "ARG1") for head in range(1, number + 1)]
    return Graph(words, arcs, tops=[1], id="1")


def files(format):
    """Files of a format, also those with ten columns, as CoNLL-U has them."""
    texts = [dumps([with_predicates(number)], format) for number in range(5)]
    return [text.removeprefix(HEADER) for text in texts]


def bare():
    return ["#1\n" + "".join(f"{n}\tGo\tgo\tVB\n" for n in (1, 2)) + "\n"]


def with_header(texts):
    return [HEADER + text for text in texts]


def with_other_columns():
    """Files with an argument column that is lost, or one that is doubled."""
    for format in ("sdp", "sdp2014", "allennlp"):
        for number in (2, 3, 4):
            text = dumps([with_predicates(number)], format)
            lost = [row.rpartition("\t")[0] or row for row in text.split("\n")]
            yield "\n".join(lost)
            if format != "sdp2014":  # where one more makes the columns of `sdp`
                yield "\n".join(f"{row}\tARG1" if "\t" in row else row for row in text.split("\n"))


FOUND = {
    "`#SDP 2015`, the columns of `sdp`": with_header(files("sdp")),
    "`#SDP 2015`, the columns of `sdp2014`": with_header(files("sdp2014")),
    "`#SDP 2015`, the columns of `allennlp`": with_header(files("allennlp")),
    "`#SDP 2015`, four columns": with_header(bare()),
    "`#SDP 2015`, the columns of `conllu`": with_header(files("conllu")),
    "no header, the columns of `sdp`": files("sdp"),
    "no header, the columns of `sdp2014`": files("sdp2014"),
    "no header, the columns of `allennlp`": files("allennlp"),
    "no header, four columns": bare(),
    "the columns of `conllu`": files("conllu"),
    "objects of `mrp`": files("mrp"),
    "objects of `jsonl`": files("jsonl"),
    "an argument column too few or too many": list(with_other_columns()),
}


def table():
    """The rows of the table in the docs, after its head."""
    lines = DOCS.read_text().splitlines()
    start = next(n for n, line in enumerate(lines) if line.startswith("| found in the file"))
    for line in lines[start:]:
        if not line.startswith("|"):
            return
        yield [cell.strip() for cell in line.strip("|").split("|")]


def outcome(text, format):
    """What a cell of the table says; refused files have a line for each reason."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", FormatWarning)
        problems = []
        graphs = list(read(io.StringIO(text), format, on_problem=problems.append))
        if problems:
            assert all(problem.line > 0 for problem in problems)
            return "lenient¹" if is_read(text, format, lenient=True) else "refused"
    assert is_read(text, format, lenient=False)
    if told:
        return "warning²"
    return "read" if graphs[0].tops else "read³"


def is_read(text, format, lenient):
    try:
        return len(loads(text, format, lenient=lenient)) == 1
    except FormatError:
        return False


def test_the_table_names_every_format_and_every_kind_of_file():
    head, _, *rows = table()
    assert head[1:] == ["nothing declared", *(f"`{name}`" for name in FORMATS)]
    assert [row[0] for row in rows] == [*FOUND]


@pytest.mark.parametrize("found", FOUND)
def test_what_is_declared_holds(found):
    [said] = [row[1:] for row in table() if row[0] == found]
    for text in FOUND[found]:
        assert [outcome(text, format) for format in (None, *FORMATS)] == said


@pytest.mark.parametrize("found", FOUND)
def test_a_name_declares_a_format_as_a_parameter_does(found, tmp_path):
    text = FOUND[found][-1]
    for format in FORMATS.values():
        path = tmp_path / f"graphs{format.suffix}"
        path.write_text(text)
        declared = [], []
        named = [], []
        declared[0].extend(read(io.StringIO(text), format.name, on_problem=declared[1].append))
        named[0].extend(read(path, on_problem=named[1].append))
        assert named[0] == declared[0]
        assert named[1] == [problem._replace(file=str(path)) for problem in declared[1]]


def test_a_later_graph_that_contradicts_the_first_is_refused():
    variants = ("sdp", "sdp2014", "allennlp")
    for first in variants:
        for later in variants:
            if first == later:
                continue
            text = dumps([with_predicates(2)], first)
            start = text.count("\n") + 1
            text += dumps([with_predicates(2)], later).removeprefix(HEADER)
            for lenient in (False, True):
                with pytest.raises(FormatError) as raised:
                    loads(text, lenient=lenient)
                assert {problem.line > start for problem in raised.value.problems} == {True}


def test_a_header_after_graphs_of_2014_is_refused():
    text = dumps([with_predicates(1)], "sdp2014") + dumps([with_predicates(1)], "sdp")
    for format in (None, "sdp", "sdp2014"):
        with pytest.raises(FormatError, match="11: '#SDP 2015' in a file of SemEval 2014, which"):
            loads(text, format, lenient=True)


def test_the_first_graph_may_be_broken():
    broken = dumps([with_predicates(2)], "sdp2014").replace("\t-\t-\t", "\t-\t", 1)
    problems = []
    text = broken + dumps([with_predicates(2)], "sdp2014")
    kept = list(read(io.StringIO(text), on_problem=problems.append))
    assert kept == [with_predicates(2)]
    assert problems


def test_a_row_with_labels_and_a_column_too_few_is_refused_though_lenient():
    text = dumps([with_predicates(2)], "sdp").replace("\tARG1\t_\n", "\tARG1\n")
    with pytest.raises(FormatError, match=r"^<stream>:4: 8 columns; expected 9: 7 and one for"):
        loads(text, "sdp", lenient=True)


@pytest.mark.parametrize(
    ("format", "header", "told"),
    [
        (
            "sdp2014",
            "",
            "no '#SDP 2015' in the first line: read as SemEval 2014, which has no frames; to say so"
            " yourself, name the file .sdp2014 or give the format sdp2014",
        ),
        (
            "allennlp",
            HEADER,
            "'#SDP 2015', but a syntax tree in columns 5 and 6: read as AllenNLP's variant; to say"
            " so yourself, name the file .allennlp or give the format allennlp",
        ),
    ],
)
def test_how_a_file_is_read_is_told_once_though_problems_are_handed_over(format, header, told):
    text = header + dumps([with_predicates(1), with_predicates(1)], format)
    problems = []
    with pytest.warns(FormatWarning) as warned:
        assert len(list(read(io.StringIO(text), on_problem=problems.append))) == 2
    assert [str(warning.message) for warning in warned] == [f"<stream>:1: {told}"]
    assert problems == []
