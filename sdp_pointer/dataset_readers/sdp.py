"""The dataset reader `sdp`: every format of `sdp_pointer.graphs`, ready for the parser."""

import logging
import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Optional, Union

from allennlp.common.checks import ConfigurationError
from allennlp.common.file_utils import cached_path
from allennlp.data import DatasetReader, Instance, TokenIndexer
from allennlp.data.fields import MetadataField, TextField
from allennlp.data.token_indexers import SingleIdTokenIndexer
from allennlp.data.tokenizers import Token as AllenToken
from overrides import overrides

from ..columns import COLUMNS, Column
from ..errors import UserError
from ..graphs import FormatError, Graph, Token, read
from ..graphs.formats import FORMATS
from ..namespaces import LABELS
from ..transitions import break_cycles
from .graph_field import GraphField

logger = logging.getLogger(__name__)

# Characters of a word or lemma that the model sees. A batch is as broad as its longest word: one of
# 20,000 characters, which is no word, would take 10 GB.
LONGEST_WORD = 200


@DatasetReader.register("sdp")
class SdpDatasetReader(DatasetReader):
    """Reads graphs in any format (`.sdp`, CoNLL-U, MRP, JSON lines; gzipped or not).

    The instances have the fields `tokens`, `metadata` (the untouched graph) and, for training and
    evaluation, `gold` (the graph to learn from, without cycles).

    # Parameters

    token_indexers : `Dict[str, TokenIndexer]`, optional
        (default = `{"words": SingleIdTokenIndexer("words")}`)
        The lemma is the tokens' `lemma_`, the part of speech their `tag_`.
    sections : `str`, optional
        Sections of the Wall Street Journal to keep, such as `"00-19"` or `"20,21"`, by the ids of
        the official files, whose second and third digits are the section. They can also be given
        with a path, `en.dm.sdp#00-19`, and then hold for that file alone.
    cyclic : `str`, optional (default = `"break"`)
        What to do with graphs that have a cycle, for which there are no transitions: `"break"`
        trains on the graph without the arcs that close one, `"skip"` leaves the sentence out.
        Either way the log has the number. Scores are always against the untouched graph; so a
        reader for evaluation should not skip.
    tags : `Union[bool, List[str]]`, optional (default = `False`)
        Let the vocabulary know the tokens' parts of speech, from which a tagger learns; or the
        columns of a list, some of `COLUMNS`.
    label_namespace : `str`, optional (default = `"arc_labels"`)
        Where the vocabulary has the labels; the same as that of the model's decoder.
    lenient : `bool`, optional (default = `False`)
        Accept what the official tool accepts, though it breaks the format.
    format : `str`, optional
        The format of the files, if neither their names nor their content show it.
    """

    def __init__(
        self,
        token_indexers: Optional[dict[str, TokenIndexer]] = None,
        sections: Optional[str] = None,
        cyclic: str = "break",
        tags: Union[bool, list[str]] = False,
        label_namespace: str = LABELS,
        lenient: bool = False,
        format: Optional[str] = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            manual_distributed_sharding=True, manual_multiprocess_sharding=True, **kwargs
        )
        if cyclic not in ("break", "skip"):
            raise ConfigurationError(f"cyclic must be 'break' or 'skip', not {cyclic!r}")
        self._token_indexers = token_indexers or {"words": SingleIdTokenIndexer("words")}
        for name, indexer in self._token_indexers.items():
            for option in ("min_padding_length", "token_min_padding_length"):
                if getattr(indexer, f"_{option}", 0) > LONGEST_WORD:
                    raise ConfigurationError(
                        f"{option} of the indexer {name!r} must be at most {LONGEST_WORD}"
                    )
        self._sections = parse_sections(sections) if sections is not None else None
        self._cyclic = cyclic
        self._learnt_columns = _columns(tags)
        self._label_namespace = label_namespace
        self._lenient = lenient
        if format is not None and format not in FORMATS:
            raise ConfigurationError(f"there is no format {format!r}: one of {', '.join(FORMATS)}")
        self._format = format

    @overrides(check_signature=False)
    def _read(self, file_path: Any) -> Iterable[Instance]:
        is_one = isinstance(file_path, (str, os.PathLike))
        paths = [os.fspath(path) for path in ([file_path] if is_one else file_path)]
        graphs = (graph for path in paths for graph in self._graphs(path))
        cyclic = 0
        for graph in self.shard_iterable(graphs):
            if not graph.is_dag:
                cyclic += 1
                if self._cyclic == "skip":
                    continue
            yield self.text_to_instance(graph.tokens, graph)
        if cyclic:
            done = {"break": "broken", "skip": "left out"}[self._cyclic]
            sharded = self.get_worker_info() or self.get_distributed_info()
            share = " in this worker's share" if sharded else ""
            logger.warning("%s: %d graphs with a cycle%s were %s", file_path, cyclic, share, done)

    def _graphs(self, path: str) -> Iterator[Graph]:
        sections = self._sections
        if "#" in path and not os.path.exists(path):
            path, _, given = path.rpartition("#")
            sections = parse_sections(given)
        if "://" not in path and not os.path.isfile(path):
            raise UserError(_missing(path))
        found = left_out = 0
        for graph in self._all_graphs(path):
            if sections is None or section_of(graph) in sections:
                found += 1
                yield graph
            else:
                left_out += 1
        if not found:
            wanted = "" if sections is None else f" in the sections {sorted(sections)}"
            raise UserError(f"{path} holds no graph{wanted}")
        if left_out:
            logger.info("%s: %d graphs of other sections were left out", path, left_out)

    def _all_graphs(self, path: str) -> Iterator[Graph]:
        try:
            yield from read(cached_path(path), self._format, lenient=self._lenient)
        except FormatError as error:
            first, *more = error.problems
            others = f" (and more: sdp-pointer check {path} lists all problems)" if more else ""
            raise UserError(f"{first}{others}") from error

    @overrides(check_signature=False)
    def text_to_instance(self, tokens: Sequence[Token], graph: Optional[Graph] = None) -> Instance:
        instance = _instance(tokens, Graph(tokens) if graph is None else graph)
        if graph is not None:
            acyclic, _ = break_cycles(graph)
            gold = GraphField(acyclic, self._label_namespace, self._learnt_columns)
            instance.add_field("gold", gold)
        return instance

    def sentence_to_instance(self, sentence: Graph) -> Instance:
        """An instance for parsing; the graph's arcs are not looked at, its id and meta are kept."""
        instance = _instance(sentence.tokens, sentence)
        self.apply_token_indexers(instance)
        return instance

    @property
    def columns(self) -> list[str]:
        """What the token indexers look at, beside the form: some of `lemma` and `pos`."""
        features = {
            getattr(indexer, "_feature_name", "") for indexer in self._token_indexers.values()
        }
        return [
            column for column, name in (("lemma", "lemma_"), ("pos", "tag_")) if name in features
        ]

    @overrides
    def apply_token_indexers(self, instance: Instance) -> None:
        instance.fields["tokens"].token_indexers = self._token_indexers


def _instance(tokens: Sequence[Token], graph: Graph) -> Instance:
    words = [
        AllenToken(text=t.form[:LONGEST_WORD], lemma_=t.lemma[:LONGEST_WORD], tag_=t.pos)
        for t in tokens
    ]
    return Instance({"tokens": TextField(words), "metadata": MetadataField(graph)})


def _columns(tags: Union[bool, list[str]]) -> list[Column]:
    names = tags if isinstance(tags, list) else ["pos"] * tags
    unknown = [name for name in names if name not in COLUMNS]
    if unknown:
        raise ConfigurationError(
            f"there is nothing to learn of the column {unknown[0]!r}: tags is true, or some of"
            f" {', '.join(COLUMNS)}"
        )
    return [COLUMNS[name] for name in names]


def _missing(path: str) -> str:
    if os.path.isdir(path):
        return f"{path} is a folder: name the data file in it"
    where = "" if os.path.isabs(path) else f" (looked for in {os.getcwd()})"
    name = os.path.basename(path)
    source = ""
    if name.startswith("en."):
        source = (
            "the official DM, PAS and PSD files come from the Linguistic Data Consortium"
            " (LDC2016T10); "
        )
    elif name in ("train.sdp", "dev.sdp"):
        source = (
            "that of the configs open_* is from DELPH-IN's gold Redwoods treebanks (WeScience),"
            " converted to .sdp, and does not come with this package; "
        )
    return (
        f"there is no data file {path}{where}: {source}put it there, or name the folder of the data"
        " in SDP_DATA"
    )


def parse_sections(text: str) -> frozenset[int]:
    """
    >>> sorted(parse_sections("00-03,20"))
    [0, 1, 2, 3, 20]
    """
    sections: set[int] = set()
    for part in text.split(","):
        first, _, last = part.partition("-")
        try:
            ends = int(first), int(last or first)
        except ValueError:
            ends = -1, -1
        # The ids of the official files have two digits for the section.
        if not 0 <= ends[0] <= ends[1] <= 99:
            raise ConfigurationError(
                f"sections {text[:100]!r} are not of the form '00-19' or '20,21', from 00 to 99"
            )
        sections.update(range(ends[0], ends[1] + 1))
    return frozenset(sections)


def section_of(graph: Graph) -> Optional[int]:
    """The section of the Wall Street Journal in an official id.

    >>> section_of(Graph([Token("Go")], id="22002007"))
    20
    """
    digits = graph.id[1:3]
    return int(digits) if len(graph.id) == 8 and graph.id.isdigit() else None
