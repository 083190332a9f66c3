"""What the rest of the package asks of a trained parser, whatever it is made of."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, Optional

from allennlp.data import Instance
from allennlp.models import Model

from ..decoders import Options
from ..graphs import Graph
from ..precision import chosen
from ..steps import Steps


class GraphParser(Model):
    """A model that makes graphs of sentences.

    Subclass it and register the class: then `sdp_pointer.load`, the predictor, the server, spaCy
    and `sdp-pointer pack` take its models.
    """

    @property
    @abstractmethod
    def formalisms(self) -> tuple[str, ...]:
        """Of the graphs that it makes, if they have names."""

    @property
    @abstractmethod
    def options(self) -> Options:
        """How it parses unless a call says otherwise.

        A model has an attribute that can be set, which holds for all later calls.
        """

    @abstractmethod
    def parse(
        self, instances: Sequence[Instance], batch_size: int = 32, options: Optional[Options] = None
    ) -> list[list[Graph]]:
        """The best graphs of every sentence, best first, in the order of the sentences."""

    def parse_steps(
        self, instances: Sequence[Instance], batch_size: int = 32, options: Optional[Options] = None
    ) -> Steps[list[list[Graph]]]:
        """As `parse`; yields wherever other work may come in between, by default once."""
        yield
        return self.parse(instances, batch_size, options)

    # In what its products are computed; see `lower`.
    precision = "float32"

    def lower(self, precision: str) -> None:
        """Parse in a precision of `sdp_pointer.precision` from now on; training needs `float32`.

        Those parts of the model follow that have a method `lower`; the others stay as they are, and
        all of them take and return float32.
        """
        self.precision = chosen(precision, self._device())
        if self.precision != "float32":
            for part in list(self.modules()):
                if part is not self and hasattr(part, "lower"):
                    part.lower(self.precision)

    def hypotheses(self, options: Options) -> int:
        """How many hypotheses of a sentence are kept while it is parsed."""
        return 1

    def describe(self) -> dict[str, Any]:
        """What people may want to know of it, as JSON."""
        return {"precision": self.precision}

    def _device(self) -> str:
        return "cpu" if self._get_prediction_device() == -1 else "cuda"
