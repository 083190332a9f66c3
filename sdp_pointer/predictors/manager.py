"""What `allennlp predict` does with our predictor: lines in, lines out, whatever is in them."""

import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Any, Optional

from allennlp.common.file_utils import open_compressed

from ..graphs import write
from ..graphs.formats import format_of_name
from ..graphs.formats.streams import Lines, open_source
from ..graphs.formats.targets import write_text
from ..interrupts import interruptible
from ..parser.results import Prepared, Result
from ..parser.sources import read_sentences
from .sdp_pointer import SdpPointerPredictor

# AllenNLP's is 1, with which nothing is parsed together.
BATCH_SIZE = 32


class Manager:
    """Takes the place of AllenNLP's manager of predictions, which it is called like.

    A line that cannot be parsed becomes an object with `error` and `line`, and the run goes on; at
    the end the numbers are printed, and the exit code is 1 if there was such a line. An output file
    whose name ends like a graph format other than `.jsonl` is written in that format, without the
    lines that could not be parsed.
    """

    def __init__(
        self,
        predictor: SdpPointerPredictor,
        input_file: str,
        output_file: Optional[str],
        batch_size: Optional[int],
        print_to_console: bool,
        has_dataset_reader: bool,
        multitask_head: Optional[str] = None,
    ) -> None:
        self.predictor = predictor
        self.input_file = input_file
        self.output_file = output_file
        self.batch_size = BATCH_SIZE if batch_size is None else batch_size
        self.print_to_console = print_to_console
        self.has_dataset_reader = has_dataset_reader
        self.format = format_of_name(output_file or "") or "jsonl"
        self.parsed = 0
        self.refused = 0

    def run(self) -> None:
        with interruptible("allennlp"):
            self._write()
        sentences = "sentence" if self.parsed == 1 else "sentences"
        print(f"{self.parsed} {sentences} parsed, {self.refused} refused", file=sys.stderr)
        if self.refused:
            sys.exit(1)

    def _write(self) -> None:
        if self.output_file is None:
            for _ in self._results():
                pass
        elif self.format == "jsonl":
            write_text(map(self._line, self._results()), self.output_file)
        else:
            graphs = (result.graphs[0] for result in self._results() if result.graphs)
            write(graphs, self.output_file, self.format)

    def _results(self) -> Iterator[Result]:
        predictor = self.predictor
        for result in predictor.parser.parse_prepared(
            self._sentences(), predictor.n_best, self.batch_size
        ):
            if result.refusal is None:
                self.parsed += 1
            else:
                self.refused += 1
                print(result.refusal.message(self.input_file), file=sys.stderr)
            if self.print_to_console:
                print("prediction: ", self._line(result))
            yield result

    def _sentences(self) -> Iterator[Prepared]:
        preparation = self.predictor.parser.preparation
        if self.has_dataset_reader:
            instances = self.predictor._dataset_reader.read(self.input_file)
            for number, instance in enumerate(instances, start=1):
                graph, where = instance["metadata"].metadata, f"sentence {number}: "
                yield preparation.prepare_or_refuse(graph, where=where, to=self.format)
            return
        with self._opened() as stream:
            format = format_of_name(self.input_file)
            yield from read_sentences(Lines(stream), preparation, format, "jsonl", to=self.format)

    def _opened(self) -> AbstractContextManager[Any]:
        if self.input_file == "-":
            return open_source("-")
        return open_compressed(self.input_file, "rb", encoding=None)

    def _line(self, result: Result) -> str:
        return self.predictor.dump_line(result.to_json(self.predictor.n_best > 1))
