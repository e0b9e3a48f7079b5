"""Embeddings of any OpenAI-compatible endpoint, as an `Embedder` (ACORD, table 3, takes text-embedding-3).

openai_embedder("openai:text-embedding-3-small") -> OpenAIEmbedder
openai_embedder("openai:nomic-embed-text?max_tokens=2048&dimensions=256")

Vectors are kept by those who use embedders, by the embedder's `state`, so there is no second cache here.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any
from urllib.parse import parse_qsl

import numpy as np
from numpy.typing import NDArray

from lawng.errors import ConfigError, MissingError
from lawng.models.openai.client import Client
from lawng.models.protocols import Embedded, unit

PREFIX = "openai:"
"""How names of models begin that an endpoint has."""


def asks_endpoint(model: object) -> bool:
    """Whether a judge or re-ranker is a language model behind an endpoint: slow, paid for, and asked many at once."""
    return hasattr(model, "chat")


def asked_elsewhere(*names: str | None) -> tuple[str, ...]:
    """Those of some models' names that are asked behind an endpoint, without how they are asked.

    >>> asked_elsewhere("lawng-judge", None, "openai:gpt-4o-mini?pairwise=sorting")
    ('gpt-4o-mini',)
    """
    return tuple(n.removeprefix(PREFIX).partition("?")[0] for n in names if n and n.startswith(PREFIX))


BATCH = 64
BATCH_TOKENS = 200_000
"""Tokens of one request, by the estimate; OpenAI takes 300,000."""
_OPENAI_READS = 8192
"""Tokens that all embedding models of OpenAI read."""
_CHARACTERS = 2
"""Characters of ASCII that are taken to be one token. English has four to five; of ACORD's 3,931 clauses, the two with
the most figures and symbols have less than two (by WordPiece)."""


class OpenAIEmbedder:
    """A model behind an endpoint; texts longer than it reads are cut by characters beforehand, and flagged.

    The endpoint's tokenizer is not at hand, so tokens are estimated, rather too many than too few. Vectors are float32
    and normalised; a text without a visible character gets zeros and is not sent, for endpoints refuse it.
    """

    def __init__(
        self, client: Client, model: str, max_tokens: int, dimensions: int | None = None, name: str = ""
    ) -> None:
        self.name = name or PREFIX + model
        self._client = client
        self._model = model
        self.max_tokens: int | None = max_tokens
        """Tokens that the model reads of a text, by the estimate."""
        # name and parameters: endpoints tell no revision, and the same model may stand behind several
        self.state = f"openai-api {model} {dimensions or 'whole'} {max_tokens}"
        self._room = max_tokens * _CHARACTERS
        self._dimensions = dimensions
        self._width = 0

    @property
    def width(self) -> int:
        """Dimensions of a vector; the endpoint is asked when no text has been encoded yet."""
        if not self._width:
            self._requested(["width"])
        return self._width

    def count_tokens(self, text: str) -> int:
        """Tokens of a text, as `estimated_tokens` has it."""
        return estimated_tokens(text)

    def encode(self, texts: Sequence[str]) -> Embedded:
        """Vectors of the texts in their order, and which were cut; equal texts are sent once.

        Raises RefusedError when the endpoint refuses a text, MissingError when it gives no answer, or not one vector
        for each text.
        """
        cut = {text: self._cut(text) for text in texts}
        sent = list(dict.fromkeys(short for short in cut.values() if short.strip()))
        parts = self._client.map(self._requested, list(self._batches(sent)))
        rows = np.concatenate([*parts, np.zeros((1, self.width), dtype=np.float32)])
        place = {text: row for row, text in enumerate(sent)}
        order = [place.get(cut[text], len(sent)) for text in texts]
        return Embedded(rows[order], [cut[text] != text for text in texts])

    def _cut(self, text: str) -> str:
        """As much of the text as the model surely reads."""
        if _halves(text) <= self._room:
            return text
        return text[: bisect_right(list(accumulate(map(_halves, text))), self._room)]

    def _batches(self, texts: Sequence[str]) -> Iterator[list[str]]:
        batch: list[str] = []
        tokens = 0
        for text in texts:
            more = estimated_tokens(text)
            if batch and (len(batch) == BATCH or tokens + more > BATCH_TOKENS):
                yield batch
                batch, tokens = [], 0
            batch.append(text)
            tokens += more
        if batch:
            yield batch

    def _requested(self, batch: list[str]) -> NDArray[np.float32]:
        more: dict[str, Any] = {"dimensions": self._dimensions} if self._dimensions else {}
        raw = self._client.send(
            self._model,
            # "float": not every endpoint knows the library's base64
            lambda api: api.embeddings.create(model=self._model, input=batch, encoding_format="float", **more),
        )
        rows = _rows(raw, len(batch))
        if rows is None or (self._width and rows.shape[1] != self._width):
            raise MissingError(
                f"model {self._model}: {self._client.place} gives not one vector for each text; name an embedding model"
            )
        self._width = rows.shape[1]
        return rows


def estimated_tokens(text: str) -> int:
    """Tokens of a text, rather too many than too few: one for two characters of ASCII, one for each byte of others.

    >>> estimated_tokens("in no event"), estimated_tokens("§ 5")
    (6, 3)
    """
    return -(-_halves(text) // _CHARACTERS)


def _halves(text: str) -> int:
    """Length where a character of ASCII counts one and a byte of others two, for it may be a token of its own."""
    n_ascii = sum(map(str.isascii, text))
    return n_ascii + _CHARACTERS * (len(text.encode("utf-8", "replace")) - n_ascii)


def _rows(raw: Any, wanted: int) -> NDArray[np.float32] | None:
    """The vectors of an answer in the order of its texts, normalised; None when it is not such an answer."""
    try:
        entries = sorted(raw.data, key=lambda entry: entry.index)
        rows = np.asarray([entry.embedding for entry in entries], dtype=np.float64)
        whole = [entry.index for entry in entries] == list(range(wanted))
    except (AttributeError, TypeError, ValueError):
        return None
    if not whole or rows.ndim != 2 or not rows.shape[1] or not np.isfinite(rows).all():
        return None
    return unit(rows)


def openai_embedder(name: str, client: Client | None = None) -> OpenAIEmbedder:
    """The embedder of a name that begins with `openai:`; address and key come from the environment.

    Raises MissingError as `Client` does, ConfigError when the name is not understood, or nobody says how many tokens
    the model reads.
    """
    model, _, query = name.removeprefix(PREFIX).partition("?")
    given = dict(parse_qsl(query, keep_blank_values=True))
    numbers = {key: int(value) for key, value in given.items() if value.isascii() and value.isdigit() and int(value)}
    if not model or numbers.keys() != given.keys() or not given.keys() <= {"max_tokens", "dimensions"}:
        raise ConfigError(f"{name}: not understood; write openai:MODEL, or openai:MODEL?max_tokens=512&dimensions=256")
    client = client or Client()
    limit = numbers.get("max_tokens")
    if limit is None:
        limit = _OPENAI_READS if model.startswith("text-embedding-") else client.max_length(model)
    if limit is None:
        raise ConfigError(
            f"{name}: {client.place} does not say how many tokens it reads; "
            f"write {PREFIX}{model}?max_tokens=512, with the number from the model's card"
        )
    return OpenAIEmbedder(client, model, limit, numbers.get("dimensions"), name)
