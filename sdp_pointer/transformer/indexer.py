"""The token indexer `mismatched_transformer`: the pieces of each word."""

from typing import Any, Optional

from allennlp.data import TokenIndexer, Vocabulary
from allennlp.data.token_indexers.token_indexer import IndexedTokenList
from allennlp.data.tokenizers import Token
from overrides import overrides

from ..archives.transformer import keep
from .pieces import split
from .pretrained import load_tokenizer


@TokenIndexer.register("mismatched_transformer")
class MismatchedTransformerIndexer(TokenIndexer):
    """Splits words into the pieces of a transformer, for the embedder of the same name.

    # Parameters

    model_name : `str`
        The folder of a transformer, or its name on the hub.
    serialization_dir : `str`, optional
        Given by AllenNLP.
    """

    def __init__(
        self, model_name: str, serialization_dir: Optional[str] = None, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self._tokenizer = load_tokenizer(keep(model_name, serialization_dir))

    @overrides
    def count_vocab_items(self, token: Token, counter: dict[str, dict[str, int]]) -> None:
        pass  # the transformer has a vocabulary of its own

    @overrides
    def tokens_to_indices(self, tokens: list[Token], vocabulary: Vocabulary) -> IndexedTokenList:
        """Piece ids, and for each word how many pieces are its own; `mask` is that of the words."""
        pieces = split(self._tokenizer, [token.ensure_text() for token in tokens])
        return {
            "token_ids": pieces.ids,
            "pieces_per_word": pieces.counts,
            "mask": [True] * len(tokens),
        }

    @overrides
    def get_empty_token_list(self) -> IndexedTokenList:
        return {"token_ids": [], "pieces_per_word": [], "mask": []}
