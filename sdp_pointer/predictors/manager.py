"""What `allennlp predict` does with our predictor: lines in, lines out, whatever is in them."""

import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Any, Optional, Union

from allennlp.common.file_utils import open_compressed

from ..graphs import Graph, write
from ..graphs.formats import format_of_name, jsonl
from ..graphs.formats.sniffing import sniff
from ..graphs.formats.streams import Lines, open_source
from ..graphs.formats.targets import write_text
from ..inputs import Refused, read_graphs, read_json, ready_or_refused
from ..interrupts import interruptible
from .sdp_pointer import SdpPointerPredictor

# AllenNLP's is 1, with which nothing is parsed together.
BATCH_SIZE = 32


class Manager:
    """Takes the place of AllenNLP's manager of predictions, which it is called like.

    A line that cannot be parsed becomes an object with `error` and `line`, and the run goes on; at
    the end the numbers are told, and the exit code is 1 if there was such a line. An output file
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
            graphs = (result for result in self._results() if isinstance(result, Graph))
            write(graphs, self.output_file, self.format)

    def _results(self) -> Iterator[Union[Graph, Refused]]:
        predictor = self.predictor
        parsed = predictor.parser.parse_some(self._sentences(), predictor.n_best, self.batch_size)
        for graphs in parsed:
            result = predictor.best(graphs) if isinstance(graphs, list) else graphs
            self._tell(result)
            yield result

    def _sentences(self) -> Iterator[Union[Graph, Refused]]:
        parser = self.predictor.parser
        if self.has_dataset_reader:
            instances = self.predictor._dataset_reader.read(self.input_file)
            for number, instance in enumerate(instances, start=1):
                graph, where = instance["metadata"].metadata, f"sentence {number}: "
                yield ready_or_refused(graph, parser, where=where, to=self.format)
            return
        with self._opened() as stream:
            lines = Lines(stream)
            format = format_of_name(self.input_file) or sniff(lines) or "jsonl"
            if format == "jsonl":
                yield from read_json(lines, parser, self.format)
            else:
                yield from read_graphs(lines, format, parser, self.format)

    def _opened(self) -> AbstractContextManager[Any]:
        if self.input_file == "-":
            return open_source("-")
        return open_compressed(self.input_file, "rb", encoding=None)

    def _tell(self, result: Union[Graph, Refused]) -> None:
        if isinstance(result, Refused):
            self.refused += 1
            print(result.told(self.input_file), file=sys.stderr)
        else:
            self.parsed += 1
        if self.print_to_console:
            print("prediction: ", self._line(result))

    def _line(self, result: Union[Graph, Refused]) -> str:
        value = jsonl.to_json(result) if isinstance(result, Graph) else result.to_json()
        return self.predictor.dump_line(value)
