"""The token embedder `mismatched_transformer`: a vector for each word, by its pieces."""

from functools import partial
from typing import Optional, Union

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.modules.scalar_mix import ScalarMix
from allennlp.modules.token_embedders import TokenEmbedder
from overrides import overrides
from torch.nn.utils.rnn import pad_sequence

from ..archives import loading_weights
from ..archives.transformer import digest, keep, source_of, texts, weights_or_model
from . import pretrained
from .cache import VectorCache, default_folder
from .encoder import WordEncoder, load_word_encoder
from .freezing import freeze
from .frozen import FrozenEncoder
from .pieces import Pieces

# Of the code between a transformer and its word vectors; a new one makes old caches useless.
VERSION = 1


@TokenEmbedder.register("mismatched_transformer")
class MismatchedTransformerEmbedder(TokenEmbedder):
    """Word vectors of a pretrained transformer, for words indexed by `mismatched_transformer`.

    The defaults are the paper's.

    # Parameters

    model_name : `str`
        The folder of a transformer, or its name on the hub; the same as the indexer's.
    layers : `Union[int, List[int]]`, optional (default = `-2`)
        A layer, or several to be mixed with learned weights; 0 is the embeddings, -1 the last.
    pooling : `str`, optional (default = `"mean"`)
        Of a word's pieces: `"mean"` or `"first"`.
    trainable : `bool`, optional (default = `False`)
        Fine-tune the transformer, rather than take it as it is.
    frozen_layers : `int`, optional (default = `0`)
        With `trainable`, how many of the lowest layers, and the embeddings, stay as they are.
    archive_weights : `bool`, optional (default = `False`)
        Put the weights into the model's archive, though they are not trained; otherwise it only
        says which ones they are.
    cache : `str`, optional (default = the folder in SDP_CACHE, or `~/.cache/sdp_pointer`)
        Where the vectors are stored in training; `""` for nowhere.
    cache_gigabytes : `float`, optional (default = `16`)
        How large that may grow.
    serialization_dir : `str`, optional
        Given by AllenNLP.
    """

    def __init__(
        self,
        model_name: str,
        layers: Union[int, list[int]] = -2,
        pooling: str = "mean",
        trainable: bool = False,
        frozen_layers: int = 0,
        archive_weights: bool = False,
        cache: Optional[str] = None,
        cache_gigabytes: float = 16.0,
        serialization_dir: Optional[str] = None,
    ) -> None:
        super().__init__()
        if pooling not in ("mean", "first"):
            raise ConfigurationError(f"pooling must be 'mean' or 'first', not {pooling!r}")
        if frozen_layers and not trainable:
            raise ConfigurationError("frozen_layers needs trainable: true; all layers are frozen")
        kept = keep(model_name, serialization_dir, archive_weights and not trainable)
        config = pretrained.load_config(kept)
        chosen = [layers] if isinstance(layers, int) else layers
        numbers = layer_numbers(chosen, config.num_hidden_layers)
        self._size = config.hidden_size
        self.mix = None if isinstance(layers, int) else ScalarMix(len(layers))
        self.encoder: Optional[WordEncoder] = None
        if trainable:
            model = (
                pretrained.new_model(kept)
                if loading_weights.get()
                else pretrained.load_model(source_of(model_name, kept))
            )
            freeze(model, frozen_layers, max(numbers))
            tokenizer = pretrained.load_tokenizer(kept)
            self.encoder = WordEncoder(model, tokenizer, numbers, pooling)
            return
        source = source_of(model_name, kept)
        folder = default_folder() if cache is None else cache
        # The cache is for the same sentences again and again, not for all that a parser ever reads.
        cached = bool(folder) and not loading_weights.get()
        files = [*weights_or_model(source), *texts(kept)]
        self._frozen = FrozenEncoder(
            partial(load_word_encoder, source, kept, numbers, pooling),
            width=len(numbers) * self._size,
            fingerprint=f"{VERSION} {digest(files)} {numbers} {pooling}",
            cache=VectorCache(folder, cache_gigabytes) if cached else None,
        )
        if loading_weights.get():
            _ = self._frozen.encoder  # while the archive is unpacked

    @overrides
    def get_output_dim(self) -> int:
        return self._size

    def lower(self, precision: str) -> None:
        """See `GraphParser.lower`."""
        (self._frozen.encoder if self.encoder is None else self.encoder).lower(precision)

    @overrides(check_signature=False)
    def forward(
        self, token_ids: torch.Tensor, pieces_per_word: torch.Tensor, mask: torch.Tensor
    ) -> torch.Tensor:
        """
        # Parameters

        token_ids : (batch_size, pieces), without special tokens
        pieces_per_word : (batch_size, words), 0 for padding
        mask : (batch_size, words)
        """
        sentences = unpad(token_ids, pieces_per_word)
        if self.encoder is not None:
            vectors = self.encoder(sentences)
        else:
            vectors = self._frozen(sentences, token_ids.device)
        # Shape: (batch_size, words, layers * hidden_size)
        padded = pad_sequence(vectors, batch_first=True)
        return padded if self.mix is None else self.mix(padded.split(self._size, dim=2))


def unpad(token_ids: torch.Tensor, pieces_per_word: torch.Tensor) -> list[Pieces]:
    """The sentences of a batch, without padding.

    >>> unpad(torch.tensor([[7, 8, 9], [5, 0, 0]]), torch.tensor([[1, 2], [1, 0]]))
    [Pieces(ids=[7, 8, 9], counts=[1, 2]), Pieces(ids=[5], counts=[1])]
    """
    counts = [[count for count in row if count] for row in pieces_per_word.tolist()]
    return [Pieces(ids[: sum(row)], row) for ids, row in zip(token_ids.tolist(), counts)]


def layer_numbers(layers: list[int], last: int) -> list[int]:
    """Layers counted from the embeddings, also those that were counted from the last.

    >>> layer_numbers([0, -1, -2], last=12)
    [0, 12, 11]
    """
    if not layers or not all(-last - 1 <= layer <= last for layer in layers):
        raise ConfigurationError(
            f"layers {layers} are not all among 0 to {last}, or -1 to {-last - 1}"
        )
    return [layer % (last + 1) for layer in layers]
