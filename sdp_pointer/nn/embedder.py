"""Word representations: several kinds of embeddings side by side, each dropped on its own."""

import logging
import os
from typing import Any, Optional

import torch
from allennlp.data import TextFieldTensors, Vocabulary
from allennlp.modules.text_field_embedders import BasicTextFieldEmbedder, TextFieldEmbedder
from allennlp.modules.token_embedders import Embedding, TokenEmbedder
from overrides import overrides
from torch.nn.functional import layer_norm

from ..errors import UserError

logger = logging.getLogger(__name__)


@TextFieldEmbedder.register("token_dropout")
class TokenDropoutEmbedder(BasicTextFieldEmbedder):
    """Concatenates the embeddings of a token, as the basic embedder does, with the paper's noise.

    # Parameters

    token_embedders : `Dict[str, TokenEmbedder]`
        By indexer.
    vocab : `Vocabulary`
        Given by AllenNLP.
    dropout : `float`, optional (default = `0.33`)
        How often a token loses its whole vector of one kind, independently of the other kinds.
    unk_replacement : `float`, optional (default = `0.5`)
        How often, in training, a word that occurs once in the training data is taken for unknown.
        Applies to the embeddings whose namespace the vocabulary `sdp_pointer` watched.
    normalize : `bool`, optional (default = `False`)
        Beyond the paper: bring every vector of every kind to mean 0 and variance 1. Otherwise
        pretrained vectors are several times as long as fresh ones; see docs/results.md.
    """

    def __init__(
        self,
        token_embedders: dict[str, TokenEmbedder],
        vocab: Vocabulary,
        dropout: float = 0.33,
        unk_replacement: float = 0.5,
        normalize: bool = False,
    ) -> None:
        super().__init__(token_embedders)
        self.dropout = dropout
        self.unk_replacement = unk_replacement
        self.normalize = normalize
        for key, embedder in token_embedders.items():
            once = _seen_once(vocab, embedder)
            if once is not None:
                self.register_buffer(f"once_{key}", once, persistent=False)

    @overrides(check_signature=False)
    def forward(self, text_field_input: TextFieldTensors, **kwargs: Any) -> torch.Tensor:
        # Shape: (batch_size, sequence_length, embedding_dim)
        if self.training:
            text_field_input = {
                key: self._with_unknown(key, tensors) for key, tensors in text_field_input.items()
            }
        embedded = super().forward(text_field_input, **kwargs)
        if self.normalize:
            kinds = embedded.split(self._sizes(), dim=2)
            embedded = torch.cat([layer_norm(kind, kind.shape[2:]) for kind in kinds], dim=2)
        return (
            embedded * self._dropout_mask(embedded) if self.training and self.dropout else embedded
        )

    def _with_unknown(self, key: str, tensors: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
        once = getattr(self, f"once_{key}", None)
        if once is None or not self.unk_replacement:
            return tensors
        ids = tensors["tokens"]
        chosen = torch.rand(ids.shape, device=ids.device) < self.unk_replacement
        return {**tensors, "tokens": ids.masked_fill(once[ids] & chosen, UNKNOWN_ID)}

    def _dropout_mask(self, embedded: torch.Tensor) -> torch.Tensor:
        """0 for what is dropped: (batch_size, sequence_length, embedding_dim)."""
        sizes = self._sizes()
        keep = 1.0 - self.dropout
        kept = embedded.new_full((*embedded.shape[:2], len(sizes)), keep).bernoulli_() / keep
        return kept.repeat_interleave(torch.tensor(sizes, device=embedded.device), dim=2)

    def _sizes(self) -> list[int]:
        return [self._token_embedders[key].get_output_dim() for key in self._ordered_embedder_keys]


# AllenNLP's padded namespaces begin with padding (0) and the unknown token.
UNKNOWN_ID = 1


def _seen_once(vocab: Vocabulary, embedder: TokenEmbedder) -> Optional[torch.Tensor]:
    """Whether each word of an embedding's namespace was seen once, if the vocabulary knows."""
    if not isinstance(embedder, Embedding):
        return None
    namespace = embedder._vocab_namespace
    words = vocab.get_token_to_index_vocabulary(once_namespace(namespace or ""))
    if not namespace or not words:
        return None
    once = torch.zeros(embedder.num_embeddings, dtype=torch.bool)
    ids = [vocab.get_token_index(word, namespace) for word in words]
    once[torch.tensor([index for index in ids if index > UNKNOWN_ID], dtype=torch.long)] = True
    return once


def once_namespace(namespace: str) -> str:
    """Where a vocabulary keeps the words of a namespace that were seen once."""
    return f"{namespace}_once_labels"


@Vocabulary.register("sdp_pointer", constructor="from_instances_and_counts")
class CountingVocabulary(Vocabulary):
    """A vocabulary that remembers which words it saw once, also when it is loaded from files."""

    @classmethod
    def from_instances_and_counts(
        cls,
        instances: Any,
        once: Optional[list[str]] = None,
        min_count: Optional[dict[str, int]] = None,
        pretrained_files: Optional[dict[str, str]] = None,
        min_pretrained_embeddings: Optional[dict[str, int]] = None,
        extends: Optional[str] = None,
    ) -> "CountingVocabulary":
        """
        # Parameters

        once : `List[str]`, optional (default = `["words", "lemmas"]`)
            The namespaces to watch.
        extends : `str`, optional
            The folder of another vocabulary, whose words keep their numbers; new ones follow. The
            remaining parameters are AllenNLP's.
        """
        vocab = cls.from_instances(
            instances,
            min_count=min_count,
            pretrained_files=pretrained_files,
            min_pretrained_embeddings=min_pretrained_embeddings,
        )
        for namespace in ("words", "lemmas") if once is None else once:
            counts = (vocab._retained_counter or {}).get(namespace, {})
            for word, count in counts.items():
                if count == 1:
                    vocab.add_token_to_namespace(word, once_namespace(namespace))
        if extends is None:
            return vocab
        if not os.path.isdir(extends):
            raise UserError(f"there is no vocabulary in {extends}, which is to be extended")
        known = cls.from_files(extends)
        known.extend_from_vocab(vocab)
        return known
