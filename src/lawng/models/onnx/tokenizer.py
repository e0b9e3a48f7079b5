"""A model's tokenizer by its own library alone, with as much of transformers' manner as pairs of texts need.

plain_tokenizer(folder) -> PlainTokenizer, or None where the folder does not say all of it
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

_UNLIMITED = int(1e30)
"""What transformers says of a model without a limit."""


class PlainTokenizer:
    """Texts, or pairs of them, to token ids; the same as transformers' tokenizer of the folder makes."""

    def __init__(self, tokenizer: Any, limit: int, pad: str, side: str) -> None:
        self.model_max_length = limit
        self._tokenizer = tokenizer
        self._tokenizer.no_padding()
        self._pad_id = int(tokenizer.token_to_id(pad))
        self._side = side
        self._lock = Lock()  # the library keeps the truncation in the tokenizer

    def num_special_tokens_to_add(self, pair: bool = False) -> int:
        """Tokens of the model's own around a text, or a pair."""
        return int(self._tokenizer.num_special_tokens_to_add(pair))

    def __call__(  # noqa: PLR0913 (as transformers has it)
        self,
        first: Sequence[str],
        second: Sequence[str] | None = None,
        *,
        add_special_tokens: bool = True,
        truncation: str | bool = False,
        max_length: int | None = None,
        verbose: bool = True,
    ) -> dict[str, list[list[int]]]:
        """Ids, types and mask of each text or pair; `truncation` is false, or which of a pair is cut."""
        given = list(first) if second is None else list(zip(first, second, strict=True))
        with self._lock:
            if truncation:
                self._tokenizer.enable_truncation(max_length, strategy=truncation)
            else:
                self._tokenizer.no_truncation()
            coded = self._tokenizer.encode_batch(given, add_special_tokens=add_special_tokens)
        return {
            "input_ids": [one.ids for one in coded],
            "token_type_ids": [one.type_ids for one in coded],
            "attention_mask": [one.attention_mask for one in coded],
        }

    def pad(self, batch: Sequence[dict[str, list[int]]], return_tensors: str = "np") -> dict[str, NDArray[np.int64]]:
        """Rows of one length, of which the mask says what is padding."""
        longest = max(len(row["input_ids"]) for row in batch)
        fill = {"input_ids": self._pad_id}
        return {
            name: np.array([self._padded(row[name], longest, fill.get(name, 0)) for row in batch], np.int64)
            for name in batch[0]
        }

    def _padded(self, row: list[int], longest: int, fill: int) -> list[int]:
        extra = [fill] * (longest - len(row))
        return row + extra if self._side == "right" else extra + row


def plain_tokenizer(folder: Path) -> PlainTokenizer | None:
    """The tokenizer of a model's folder, None where transformers is needed to know it."""
    from tokenizers import Tokenizer

    try:
        settings = json.loads((folder / "tokenizer_config.json").read_text(encoding="utf-8"))
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        pad = settings["pad_token"]
        limit = int(settings.get("model_max_length", _UNLIMITED))
        name = pad["content"] if isinstance(pad, dict) else str(pad)
        if settings.get("truncation_side", "right") != "right":
            return None
        return PlainTokenizer(tokenizer, limit, name, str(settings.get("padding_side", "right")))
    except Exception:  # the library raises kinds of its own, all meaning: not a tokenizer as it knows them
        return None
