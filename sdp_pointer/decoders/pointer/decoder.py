"""The decoder `pointer`: for each word it points at its heads one after another."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Optional

import torch
from allennlp.common import Lazy
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary
from overrides import overrides
from torch.nn.functional import cross_entropy

from ...graphs import ROOT, Graph
from ...namespaces import LABELS
from ...precision import dtype_of
from ...steps import Steps, completed
from ...transitions import FEATURES
from ..decoder import Decoder, Encoded, ProbableArc, parsed_graph
from .labeller import Labeller
from .network import Memory, PointerNetwork, join_memories, log_softmax
from .search import NONE, Options, Path, search
from .stepper import PointerStepper
from .targets import NO_LABEL, targets

# So many arcs are labelled at once: what is computed for each is large, and should stay in cache.
LABELLED_AT_ONCE = 128
# With a label weight every word has keys for each label: about four times what it has without.
COPIES_WITH_LABELS = 4


@Decoder.register("pointer")
class PointerDecoder(Decoder):
    """The paper's decoder; the defaults are the sizes of its Table 1.

    # Parameters

    vocab : `Vocabulary`
    word_size : `int`
        Given by the model: that of the encoder's states.
    label_namespace : `str`, optional (default = `"arc_labels"`)
    labeller : `Lazy[Labeller]`, optional (default = `biaffine`)
    input_size, state_size, arc_size : `int`, optional (default = `256`, `512`, `512`)
        Of the LSTM's input, the LSTM, and the pointer's perceptrons.
    dropout : `float`, optional (default = `0.33`)
        In the network and, unless it has one of its own, the labeller.
    features : `List[str]`, optional (default = `["co_parent"]`)
        What is added to the focus word in the decoder's input: `co_parent`, `grandparent`,
        `sibling`.
    shift_score : `bool`, optional (default = `False`)
        Beyond the paper: a score of its own for Shift; see `PointerNetwork`.
    skip_connection : `bool`, optional (default = `False`)
        Beyond the paper: pointer and labeller also see the focus word's encoder state.
    label_loss_weight : `float`, optional (default = `1.0`)
    search : `Dict[str, Any]`, optional
        `beam_size`, `acyclic`, `ascending`, `max_heads`, `label_weight`, `n_best`; see
        `sdp_pointer.decoders.pointer.Options`. The attribute `options` has them.
    """

    options: Options

    def __init__(
        self,
        vocab: Vocabulary,
        word_size: int,
        label_namespace: str = LABELS,
        labeller: Optional[Lazy[Labeller]] = None,
        input_size: int = 256,
        state_size: int = 512,
        arc_size: int = 512,
        dropout: float = 0.33,
        features: Optional[list[str]] = None,
        shift_score: bool = False,
        skip_connection: bool = False,
        label_loss_weight: float = 1.0,
        search: Optional[dict[str, Any]] = None,
    ) -> None:
        super().__init__(vocab, label_namespace)
        features = ["co_parent"] if features is None else features
        if not set(features) <= set(FEATURES):
            raise ConfigurationError(f"features {features} are not all among {list(FEATURES)}")
        self.network = PointerNetwork(
            word_size,
            input_size,
            state_size,
            arc_size,
            dropout,
            features,
            shift_score,
            skip_connection,
        )
        self.labeller = (Lazy(Labeller) if labeller is None else labeller).construct(
            state_size=state_size,
            word_size=word_size,
            num_labels=len(self.labels),
            dropout=dropout,
            skip_connection=skip_connection,
        )
        self.label_loss_weight = label_loss_weight
        self.options = _options(search or {})

    @overrides
    def loss(self, encoded: Encoded, gold: Sequence[Graph]) -> torch.Tensor:
        """Negative log-likelihood of the gold pointers and labels, for each step."""
        memory = self.network.remember(encoded)
        focus, pointer, features, label, mask = targets(
            gold, self.label_indices, encoded.words.device
        )
        states, logits = self.network(memory, focus, features)
        steps = mask.sum()
        loss = cross_entropy(logits[mask], pointer[mask], reduction="sum") / steps
        sentence, step = (label != NO_LABEL).nonzero(as_tuple=True)
        # Without any arc the sum is 0, and the labeller has a gradient all the same, for which the
        # other processes of a distributed training wait.
        head, dependent = pointer[sentence, step], focus[sentence, step]
        scores = self._label(memory, states[sentence, step], sentence, head, dependent)
        label_loss = cross_entropy(scores, label[sentence, step], reduction="sum") / steps
        return loss + self.label_loss_weight * label_loss

    @overrides(check_signature=False)
    def hypotheses(self, options: Options) -> int:
        return options.beam_size

    @overrides(check_signature=False)
    def copies(self, options: Options) -> int:
        return options.beam_size * (COPIES_WITH_LABELS if options.label_weight else 1)

    @overrides
    def describe(self) -> dict[str, Any]:
        return {**super().describe(), "beam": self.options.beam_size}

    def lower(self, precision: str) -> None:
        """See `GraphParser.lower`; what is added over steps stays float32."""
        self.to(dtype_of(precision))

    @overrides(check_signature=False)
    def parse(
        self, encoded: Sequence[Encoded], sentences: Sequence[Graph], options: Options
    ) -> list[list[Graph]]:
        return completed(self.parse_steps(encoded, sentences, options))

    @overrides(check_signature=False)
    def parse_steps(
        self, encoded: Sequence[Encoded], sentences: Sequence[Graph], options: Options
    ) -> Steps[list[list[Graph]]]:
        memory = join_memories([self.network.remember(batch) for batch in encoded])
        stepper = PointerStepper(self.network, memory, self.labeller, options.label_weight)
        path = yield from search(stepper, memory.mask, options)
        yield
        arcs = self._arcs(memory, path)
        scores = path.score.tolist()
        parsed = []
        for number, sentence in enumerate(sentences):
            yield
            graphs = (
                parsed_graph(sentence, arcs[number, rank], score, self.formalism)
                for rank, score in enumerate(scores[number])
                if score > float("-inf")
            )
            # The same graph comes twice if the heads of a word may be attached in any order.
            parsed.append(list(dict.fromkeys(graphs)))
        return parsed

    def _label(
        self,
        memory: Memory,
        states: torch.Tensor,
        sentence: torch.Tensor,
        head: torch.Tensor,
        dependent: torch.Tensor,
    ) -> torch.Tensor:
        # Shape: states (arcs, state_size), the others (arcs,); returns (arcs, num_labels)
        words = memory.words
        return self.labeller(states, words[sentence, dependent], words[sentence, head])

    def _arcs(self, memory: Memory, path: Path) -> dict[tuple[int, int], list[ProbableArc]]:
        """Arcs by sentence and rank; labels are scored for all together."""
        focus = _focus(path.pointer)
        sentence, rank, step = ((path.pointer != NONE) & (path.pointer != focus)).nonzero(
            as_tuple=True
        )
        chosen = (sentence, rank, step)
        head, dependent = path.pointer[chosen], focus[chosen]
        columns = (path.state[chosen], sentence, head, dependent)
        parts = zip(*(column.split(LABELLED_AT_ONCE) for column in columns))
        scores = torch.cat([self._label(memory, *part) for part in parts])
        label_log_prob, label = log_softmax(scores).max(1)
        # Tops have no label.
        log_prob = path.log_prob[chosen] + label_log_prob.masked_fill(head == ROOT, 0.0)
        arcs: dict[tuple[int, int], list[ProbableArc]] = defaultdict(list)
        found = (sentence, rank, head, dependent, label, log_prob.exp().clamp(max=1.0))
        for n, k, start, end, name, probability in zip(*(column.tolist() for column in found)):
            arcs[n, k].append((start, end, self.labels[name], probability))
        return arcs


def _options(given: dict[str, Any]) -> Options:
    unknown = sorted(set(given).difference(Options._fields))
    if unknown:
        raise ConfigurationError(
            f"search has no option {', '.join(unknown)}; it has {', '.join(Options._fields)}"
        )
    options = Options(**given)
    if options.problem:
        raise ConfigurationError(options.problem)
    return options


def _focus(pointer: torch.Tensor) -> torch.Tensor:
    """The focus word of each step of sequences of pointers: the number of Shifts before it, and 1.

    >>> _focus(torch.tensor([[2, 1, 0, 2, -1]]))
    tensor([[1, 1, 2, 2, 3]])
    """
    focus = torch.ones_like(pointer[..., 0])
    columns = []
    for column in pointer.unbind(-1):
        columns.append(focus)
        focus = focus + (column == focus)
    return torch.stack(columns, dim=-1)
