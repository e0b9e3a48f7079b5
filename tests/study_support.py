"""Stand-ins for the study's tests: encoders and judges that are quick and always say the same."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

import numpy as np

from lawng.build import build_dataset
from lawng.config import build_config
from lawng.corpus.importer import import_corpus
from lawng.engine import Settings
from lawng.models.encoder import Embedded

SAMPLE = Path(__file__).parents[1] / "sample" / "caselaw"


class HashingEncoder:
    """Counts of hashed words of the first `window` words: a real bag-of-words encoder without a model."""

    def __init__(self, name: str = "hashing", window: int = 200, width: int = 64, state: str = "1") -> None:
        self.name, self.state, self.width, self.max_tokens = name, state, width, window
        self.n_encoded = 0

    def encode(self, texts: Sequence[str]) -> Embedded:
        self.n_encoded += len(texts)
        vectors = np.zeros((len(texts), self.width), dtype=np.float32)
        for row, text in enumerate(texts):
            for word in text.lower().split()[: self.max_tokens]:
                vectors[row, blake2b(f"{self.name} {word}".encode()).digest()[0] % self.width] += 1
        return Embedded(vectors, [self.count_tokens(text) > self.max_tokens for text in texts])

    def count_tokens(self, text: str) -> int:
        return len(text.split())


class Judged(NamedTuple):
    log_probs: np.ndarray
    read: list[float]


class OverlapJudge:
    """Entailment is the share of the hypothesis's words in the premise, contradiction the rest; neutral is nearly 0."""

    name, state = "overlap", "1"

    def __init__(self, flipped: bool = False) -> None:
        self.flipped = flipped
        self.n_judged = 0

    def judge(self, premises: Sequence[str], hypotheses: Sequence[str]) -> Judged:
        self.n_judged += len(premises)
        shares = []
        for premise, hypothesis in zip(premises, hypotheses, strict=True):
            words = set(hypothesis.lower().split())
            share = (len(words & set(premise.lower().split())) + 0.5) / (len(words) + 1.5)
            shares.append([share, 0.01, 1 - share])
        log_probs = np.log(np.array(shares))
        return Judged(log_probs[:, ::-1] if self.flipped else log_probs, [1.0] * len(premises))


class OverlapRelevance:
    """Relevance is the number of shared words."""

    name, state = "shared-words", "1"

    def score(self, queries: Sequence[str], texts: Sequence[str]) -> list[float]:
        pairs = zip(queries, texts, strict=True)
        return [float(len(set(query.lower().split()) & set(text.lower().split()))) for query, text in pairs]


class Sample(NamedTuple):
    corpus: Path
    build: Path


def make_sample(folder: Path) -> Sample:
    """The bundled sample, imported and built."""
    import_corpus([SAMPLE], folder / "corpus", None, Settings(workers=1))
    build_dataset(folder / "corpus", folder / "build", build_config({"engine.workers": 1}))
    return Sample(folder / "corpus", folder / "build")
