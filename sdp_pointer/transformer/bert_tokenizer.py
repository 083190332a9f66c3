"""The tokenizer of a BERT, without transformers, which takes a second to import."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Optional

from tokenizers import Tokenizer


class Pieced(dict[str, list[int]]):
    """The pieces of words, as `input_ids`."""

    def __init__(self, encoding: Any) -> None:
        super().__init__(input_ids=encoding.ids)
        self._words = encoding.word_ids

    def word_ids(self) -> list[Optional[int]]:
        """The number of the word that each piece is of; None for special tokens."""
        return self._words


class BertTokenizer:
    """As much of transformers' fast tokenizers as parsing asks for; `folder` has tokenizer.json."""

    is_fast = True

    def __init__(self, folder: Path) -> None:
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        path = folder / "tokenizer_config.json"
        config = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        self.model_max_length = int(config.get("model_max_length", sys.maxsize))
        self.unk_token_id, self.pad_token_id = (
            self._tokenizer.token_to_id(_content(config.get(name, default)))
            for name, default in (("unk_token", "[UNK]"), ("pad_token", "[PAD]"))
        )

    def __len__(self) -> int:
        size: int = self._tokenizer.get_vocab_size()
        return size

    def __call__(self, words: Sequence[str], add_special_tokens: bool = True, **_: Any) -> Pieced:
        return Pieced(
            self._tokenizer.encode(
                words, is_pretokenized=True, add_special_tokens=add_special_tokens
            )
        )


def _content(token: Any) -> str:
    """A special token, which a config may describe by an object."""
    return str(token["content"] if isinstance(token, dict) else token)
