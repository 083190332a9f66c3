"""Which formalism a graph is in: said by its file, by the file's name, or by who reads it."""

import json
import warnings

import pytest

from sdp_pointer.graphs import FormatError, FormatWarning, Graph, Token, dumps, loads, read, write
from sdp_pointer.graphs.formalisms import FORMALISMS
from sdp_pointer.graphs.formats import FORMATS
from tests.graphs.formats.examples import CATS, GO, every_format

HOLD = ("conllu", "mrp", "jsonl")
CANNOT = [format for format in FORMATS if format not in HOLD]
NAMES = [*FORMALISMS, "my_scheme"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("format", HOLD)
def test_a_format_that_can_hold_a_formalism_does(format, name):
    graphs = [CATS.replace(formalism=name), GO.replace(formalism=name)]
    text = dumps(graphs, format)
    assert loads(text) == loads(text, format) == graphs
    assert dumps(loads(text), format) == text


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("en.psd{}", "psd"),
        ("dm.dev{}", "dm"),
        ("psd.train{}.gz", "psd"),
        ("PAS{}", "pas"),
        ("eud{}", "eud"),
        ("dm.dm{}", "dm"),
        ("psd_dev{}", None),
        ("psds.dev{}", None),
        ("dm.psd{}", None),
        ("my_scheme.dev{}", None),
        ("dev{}", None),
    ],
)
@pytest.mark.parametrize("format", CANNOT)
def test_where_a_format_cannot_hold_it_a_part_of_the_name_tells_it(
    tmp_path, format, name, expected
):
    (tmp_path / "dm.folder").mkdir()
    path = tmp_path / "dm.folder" / name.format(FORMATS[format].suffix)
    write([CATS.replace(formalism="pas")], path)
    assert [graph.formalism for graph in read(path)] == [expected]
    with path.open("rb") as file:
        assert [graph.formalism for graph in read(file)] == [expected]


@pytest.mark.parametrize("format", ["conllu", "jsonl"])
def test_where_a_format_can_hold_it_the_name_tells_nothing(tmp_path, format):
    path = tmp_path / f"en.psd{FORMATS[format].suffix}"
    write([CATS, GO.replace(formalism="dm")], path)
    assert list(read(path)) == [CATS, GO.replace(formalism="dm")]


@pytest.mark.parametrize("name", NAMES)
@every_format
def test_who_reads_a_file_may_say_what_it_is_whatever_the_file_says(tmp_path, format, name):
    path = tmp_path / f"en.pas{FORMATS[format].suffix}"
    write([CATS, GO.replace(formalism="ccd")], path)
    expected = [CATS.replace(formalism=name), GO.replace(formalism=name)]
    assert list(read(path, formalism=name)) == expected
    assert loads(path.read_text(), format, formalism=name) == expected


@pytest.mark.parametrize("name", ["", "DM", "my scheme", "2d", "dm\n"])
def test_what_is_no_name_is_refused_at_once(name):
    with pytest.raises(ValueError, match="is not a name of letters a to z, digits and _"):
        read("nowhere.sdp", formalism=name)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("# formalism = My scheme\n1\tGo\t_\t_\t_\t_\t_\t_\t_\t_\n\n", 1),
        ('{"formalism":"My scheme","tokens":[{"form":"Go"}],"tops":[],"arcs":[]}\n', 1),
    ],
)
def test_a_name_that_is_none_costs_the_graph(text, place):
    with pytest.raises(FormatError, match=f"<stream>:{place}: the formalism 'My scheme' is not a"):
        loads(text)


def test_a_formalism_that_is_given_twice_costs_the_graph():
    comments = "# formalism = dm\n# formalism = dm\n"
    with pytest.raises(FormatError, match="more than one comment '# formalism"):
        loads(comments + "1\tGo\t_\t_\t_\t_\t_\t_\t_\t_\n\n", "conllu")


def test_a_comment_stays_where_it_is_and_follows_the_graph():
    text = "# newdoc\n# formalism = dm\n# sent_id = 1\n1\tGo\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
    [graph] = loads(text, "conllu")
    assert graph.formalism == "dm"
    assert dumps([graph], "conllu") == text
    assert dumps([graph.replace(formalism="psd")], "conllu") == text.replace("dm", "psd")
    assert dumps([graph.replace(formalism=None)], "conllu") == text.replace(
        "# formalism = dm\n", ""
    )


def frameworks(graphs):
    return [json.loads(line)["framework"] for line in dumps(graphs, "mrp").splitlines()]


def test_an_mrp_file_calls_itself_what_its_graphs_are():
    psd = loads(dumps([CATS], "sdp"), formalism="psd")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert frameworks([*psd, GO.replace(formalism="my_scheme")]) == ["psd", "my_scheme"]


def test_without_a_formalism_an_mrp_file_is_dm_which_is_told_once():
    with pytest.warns(FormatWarning) as told:
        assert frameworks([CATS.replace(formalism="psd"), CATS, GO]) == ["psd", "dm", "dm"]
    assert [str(warning.message) for warning in told] == [
        "graph 1: its formalism is not known; it is written as MRP framework 'dm'; give another"
        " with convert --formalism, or read(..., formalism=...)"
    ]


def test_the_framework_may_have_another_name_than_the_formalism(monkeypatch):
    entry = FORMALISMS["eud"]._replace(name="mine", framework="theirs")
    monkeypatch.setitem(FORMALISMS, "mine", entry)
    graph = CATS.replace(formalism="mine")
    assert frameworks([graph]) == ["theirs"]
    assert loads(dumps([graph], "mrp")) == [graph]


@pytest.mark.parametrize("name", ["amr", "eds", "ptg", "ucca", "drg"])
def test_a_formalism_whose_nodes_are_no_words_is_not_for_mrp(name):
    with pytest.raises(FormatError, match=f"framework '{name}'; expected flavor 0"):
        dumps([CATS.replace(formalism=name)], "mrp")


def test_a_framework_in_the_meta_data_counts_if_there_is_no_formalism():
    """So it was said before graphs had one."""
    graph = Graph([Token("Go")], meta={"mrp": {"framework": "psd"}})
    assert frameworks([graph, graph.replace(formalism="pas")]) == ["psd", "pas"]
    line = '{"tokens":[{"form":"Go"}],"tops":[],"arcs":[],"mrp":{"framework":"psd","version":1.0}}'
    [old] = loads(line, "jsonl")
    assert old.formalism == "psd"
    assert old.meta["mrp"] == {"version": 1.0}
    assert loads(dumps([old], "jsonl")) == [old]
    [new] = loads(line.replace('"tops"', '"formalism":"pas","tops"'), "jsonl")
    assert new.formalism == "pas"
    with pytest.raises(FormatError, match='the "framework" of "mrp" is 7; expected a string'):
        loads(line.replace('"psd"', "7"), "jsonl")
