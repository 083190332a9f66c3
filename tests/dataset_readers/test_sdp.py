"""The reader `sdp`: what it makes of files, and which sentences it takes."""

import logging
import re

import pytest
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader, Vocabulary
from allennlp.data.data_loaders import MultiProcessDataLoader
from allennlp.data.data_loaders.multiprocess_data_loader import WorkerError
from allennlp.data.dataset_readers.dataset_reader import WorkerInfo

import sdp_pointer.components  # noqa: F401
from sdp_pointer.dataset_readers import SdpDatasetReader
from sdp_pointer.dataset_readers.sdp import parse_sections
from sdp_pointer.errors import UserError
from sdp_pointer.graphs import Graph, Token, read, write
from sdp_pointer.graphs import graph as graph_module

WORDS = [Token("Cats", "cat", "NNS"), Token("like", "like", "VBP"), Token("fish", "fish", "NN")]
GRAPH = Graph(WORDS, [(2, 1, "ARG1"), (2, 3, "ARG2")], tops=[2], id="20001001")


def graphs_of(reader, path):
    return [instance["metadata"].metadata for instance in reader.read(str(path))]


@pytest.mark.parametrize("formalism", ["dm", "pas", "psd"])
@pytest.mark.parametrize("part", ["train", "dev"])
def test_every_sentence_of_a_file_becomes_an_instance(fixtures, formalism, part):
    path = fixtures / "data" / f"{formalism}.{part}.sdp"
    assert graphs_of(SdpDatasetReader(), path) == list(read(path))


def test_every_format_is_read(tmp_path):
    graph = GRAPH.replace(formalism="dm")
    for name in ("dm.sdp", "graph.conllu", "graph.mrp", "graph.jsonl.gz"):
        write([graph], tmp_path / name)
        assert graphs_of(SdpDatasetReader(), tmp_path / name) == [graph]


def test_each_graph_is_searched_for_cycles_once(fixtures, monkeypatch):
    searched = []

    def search(arcs, search=graph_module._cycle):
        searched.append(arcs)
        return search(arcs)

    monkeypatch.setattr(graph_module, "_cycle", search)
    graphs = graphs_of(SdpDatasetReader(), fixtures / "data" / "dm.train.sdp")
    assert searched == [graph.arcs for graph in graphs]


def test_several_files_are_read_as_one(tmp_path):
    paths = [str(tmp_path / name) for name in ("a.sdp", "b.sdp")]
    for path in paths:
        write([GRAPH], path)
    instances = list(SdpDatasetReader().read(paths))
    assert len(instances) == 2


def test_words_lemmas_tags_and_characters_are_indexed(fixtures):
    single = {"type": "single_id"}
    indexers = {
        "words": {**single, "namespace": "words", "lowercase_tokens": True},
        "lemmas": {**single, "namespace": "lemmas", "feature_name": "lemma_"},
        "pos": {**single, "namespace": "pos", "feature_name": "tag_"},
        "characters": {"type": "characters", "min_padding_length": 3},
    }
    reader = DatasetReader.from_params(Params({"type": "sdp", "token_indexers": indexers}))
    instance = reader.text_to_instance(WORDS, GRAPH)
    reader.apply_token_indexers(instance)
    vocab = Vocabulary.from_instances([instance])
    assert "cats" in vocab.get_token_to_index_vocabulary("words")
    assert "cat" in vocab.get_token_to_index_vocabulary("lemmas")
    assert "NNS" in vocab.get_token_to_index_vocabulary("pos")
    assert "C" in vocab.get_token_to_index_vocabulary("token_characters")
    assert set(vocab.get_token_to_index_vocabulary("arc_labels")) == {"ARG1", "ARG2"}


def test_sections_are_selected_by_the_official_ids(fixtures):
    path = fixtures / "data" / "dm.wsj.sdp"
    everything = [graph.id for graph in read(path)]
    train = [graph.id for graph in graphs_of(SdpDatasetReader(sections="00-19"), path)]
    dev = [graph.id for graph in graphs_of(SdpDatasetReader(sections="20"), path)]
    assert train
    assert dev
    assert train + dev == everything
    assert all(name[1:3] in ("00", "01") for name in train)
    assert all(name[1:3] == "20" for name in dev)


def test_sections_given_with_a_path_hold_for_that_file_alone(fixtures):
    path = fixtures / "data" / "dm.wsj.sdp"
    reader = SdpDatasetReader()
    dev = [graph.id for graph in graphs_of(reader, f"{path}#20")]
    assert dev
    assert all(name[1:3] == "20" for name in dev)
    assert len(graphs_of(reader, path)) == len(list(read(path)))


@pytest.mark.parametrize(
    "text", ["all", "19-00", "", "1-2-3", "0-99999999999", "0-100", "-5", "9" * 5000]
)
def test_wrong_sections_are_refused(text):
    with pytest.raises(ConfigurationError, match="00-19"):
        parse_sections(text)


@pytest.mark.parametrize("option", ["min_padding_length", "token_min_padding_length"])
def test_words_and_sentences_are_not_padded_without_a_limit(option):
    indexer = {"type": "characters", "namespace": "characters", "min_padding_length": 3}
    params = Params({"type": "sdp", "token_indexers": {"c": {**indexer, option: 10**9}}})
    with pytest.raises(
        ConfigurationError, match=f"{option} of the indexer 'c' must be at most 200"
    ):
        DatasetReader.from_params(params)


def test_a_folder_is_told_from_a_file(tmp_path):
    with pytest.raises(UserError, match="is a folder"):
        list(SdpDatasetReader().read(str(tmp_path)))


def test_a_selection_without_any_sentence_is_told(fixtures):
    with pytest.raises(UserError, match="no graph in the sections"):
        list(SdpDatasetReader(sections="05").read(str(fixtures / "data" / "dm.wsj.sdp")))


def test_cyclic_graphs_are_broken_for_training_but_not_for_scoring(fixtures, caplog):
    path = fixtures / "data" / "dm.cyclic.sdp"
    with caplog.at_level(logging.WARNING):
        graphs = graphs_of(SdpDatasetReader(), path)
    assert graphs == list(read(path))
    assert "2 graphs with a cycle were broken" in caplog.text


def test_cyclic_graphs_are_skipped_on_request_and_counted(fixtures, caplog):
    path = fixtures / "data" / "dm.cyclic.sdp"
    with caplog.at_level(logging.WARNING):
        graphs = graphs_of(SdpDatasetReader(cyclic="skip"), path)
    assert [graph.is_dag for graph in graphs] == [True]
    assert "2 graphs with a cycle were left out" in caplog.text


def test_a_worker_counts_the_cyclic_graphs_of_its_share(fixtures, caplog):
    reader = SdpDatasetReader()
    reader._set_worker_info(WorkerInfo(num_workers=2, id=0))
    with caplog.at_level(logging.WARNING):
        graphs_of(reader, fixtures / "data" / "dm.cyclic.sdp")
    assert "1 graphs with a cycle in this worker's share were broken" in caplog.text


def test_an_unknown_way_with_cycles_is_refused():
    with pytest.raises(ConfigurationError, match="'ignore'"):
        SdpDatasetReader(cyclic="ignore")


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("en.dm.sdp", "the official .*LDC2016T10.*; "),
        ("dev.sdp", "that .*Redwoods.*; "),
        ("x.sdp", ""),
    ],
)
def test_a_missing_file_is_told_in_one_sentence_with_its_source(tmp_path, name, source):
    expected = rf"no data file \S+{name}: {source}put it there, .* in SDP_DATA"
    with pytest.raises(UserError, match=expected):
        list(SdpDatasetReader().read(str(tmp_path / name)))


ROW = "1\tGo\tgo\tVB\t+\t-\t_\n"
NODE = "1.1\tgone\tgo\tVERB\t_\t_\t_\t_\t0:root\t_\n"


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("empty.sdp", "", r"empty\.sdp:1: no graphs"),
        ("cut.sdp", f"#SDP 2015\n#1\n{ROW}\n#2\n1\tGo\n\n", r"cut\.sdp:6: 2 columns.*[^)]$"),
        (
            "node.conllu",
            f"# sent_id = 1\n1\tGo\tgo\tVERB\t_\t_\t0\troot\t0:root\t_\n{NODE}\n",
            r"node\.conllu:3: the empty node 1\.1",
        ),
        (
            "bad.sdp",
            "#SDP 2015\n#1\n1\tGo\n\n#2\n1\tGo\n\n",
            r"bad\.sdp:3: 2 columns.* \(and more: sdp-pointer check \S+bad\.sdp lists all",
        ),
    ],
    ids=["empty", "cut", "empty node", "several problems"],
)
@pytest.mark.parametrize("workers", [0, 1])
def test_a_file_that_cannot_be_read_is_told_in_one_line_with_its_place(
    tmp_path, name, text, message, workers
):
    from sdp_pointer.allennlp_compat.patches.commands import message_of_child_process

    (tmp_path / name).write_text(text)
    with pytest.raises(WorkerError if workers else UserError) as error:
        MultiProcessDataLoader(
            SdpDatasetReader(), str(tmp_path / name), batch_size=4, num_workers=workers
        )
    printed = message_of_child_process(error.value) if workers else str(error.value)
    assert "\n" not in printed
    assert re.search(message, printed)


def test_sentences_without_a_gold_graph_are_read_for_prediction():
    instance = SdpDatasetReader().text_to_instance(WORDS)
    assert set(instance.fields) == {"tokens", "metadata"}


@pytest.mark.parametrize("tags", [False, True])
def test_every_sentence_reaches_exactly_one_worker(fixtures, tags):
    path = str(fixtures / "data" / "dm.train.sdp")
    reader = SdpDatasetReader(tags=tags)
    loader = MultiProcessDataLoader(reader, path, batch_size=4, num_workers=2)
    ids = [instance["metadata"].metadata.id for instance in loader.iter_instances()]
    assert sorted(ids) == sorted(graph.id for graph in read(path))
