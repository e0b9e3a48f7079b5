"""Stage 55-vectors: hypotheses and short premises as vectors, the part of neutralisation that takes long (A.1.7)."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np

from lawng.build.candidates import passage_key
from lawng.build.context import Context, Work, depends
from lawng.build.labels import WithPassages, with_passages
from lawng.engine import Seen, Stage, StageResult, iter_records
from lawng.models.encoder import Embedded, embedder
from lawng.nli.records import Labelled, own_premise

NAME = "55-vectors"


@dataclass(frozen=True, slots=True)
class Vector:
    """The embedding of a text."""

    key: str
    """Digest of the text."""
    values: str
    """Little-endian 32-bit floats in base64: a third of the room that a list of numbers takes."""
    truncated: bool
    """Whether the model read only the text's beginning."""


@dataclass(frozen=True)
class Embed:
    """The task: the texts of a part as vectors, each text once."""

    place: str

    def __call__(self, unit: WithPassages) -> Iterator[Vector | Seen]:
        """One vector per text."""
        items = list(iter_records(unit.part, Labelled))
        texts = unit.texts() if items else {}
        wanted = {item.hypothesis for item in items}
        wanted |= {texts[passage_key(own_premise(item.candidate))] for item in items}
        ordered = sorted(wanted)
        yield Seen(len(ordered), "texts")
        if ordered:
            _be_quiet()
            vectors, truncated = embedder(self.place).encode(ordered)
            for text, values, cut in zip(ordered, vectors, truncated, strict=True):
                yield Vector(text_key(text), base64.b64encode(values.astype("<f4").tobytes()).decode(), cut)


@dataclass
class StoredEmbedder:
    """An embedder that has all answers already."""

    name: str
    vectors: Mapping[str, Vector]

    def encode(self, texts: Sequence[str]) -> Embedded:
        """Vectors of the texts, in their order."""
        found = [self.vectors[text_key(text)] for text in texts]
        rows = [np.frombuffer(base64.b64decode(vector.values), dtype="<f4") for vector in found]
        return Embedded(np.array(rows, dtype=np.float32), [vector.truncated for vector in found])


def _be_quiet() -> None:
    from transformers.utils import logging

    logging.disable_progress_bar()  # type: ignore[no-untyped-call]


def text_key(text: str) -> str:
    """The key of a text's vector."""
    return blake2b(text.encode(), digest_size=16).hexdigest()


def embed_texts(context: Context, labelled: StageResult, candidates: StageResult) -> StageResult:
    """Run the stage; its parts are those of the labelled hypotheses."""
    model = context.models["embedder"]
    sources = [(labelled, "labelled"), (candidates, "passages")]
    inputs = depends(sources, {"model": model.identity}, ["sentence-transformers", "transformers", "torch"])

    def work() -> Work:
        return with_passages(labelled.table("labelled"), candidates), Embed(model.place)

    seconds = 0.06 * labelled.tally.out["labelled"]  # a hypothesis and a premise
    return context.run(Stage(NAME, {"vectors": Vector}, inputs), work, seconds)
