"""What the tests of the index share: an encoder without a model, and corpora made from the bundled sample."""

from __future__ import annotations

import atexit
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

import numpy as np

import records_support
from lawng.corpus.importer import import_corpus
from lawng.corpus.load import CorpusReader
from lawng.engine import TableWriter
from lawng.engine.unit import write_json
from lawng.models.encoder import Embedded
from lawng.records import Case, Opinion

SAMPLE = Path(__file__).parents[1] / "sample" / "caselaw"
_WORD = re.compile(r"\w+")


@dataclass
class HashingEncoder:
    """Words hashed into dimensions: the same vectors everywhere, and texts with common words are near each other."""

    name: str = "hashing"
    state: str = "1"
    width: int = 64
    max_tokens: int | None = 120
    n_encoded: int = 0

    def count_tokens(self, text: str) -> int:
        return len(_WORD.findall(text)) + 2

    def encode(self, texts: Sequence[str]) -> Embedded:
        self.n_encoded += len(texts)
        rows = np.zeros((len(texts), self.width), np.float32)
        for row, text in enumerate(texts):
            for word in _WORD.findall(text.lower()):
                place, sign = _place(word, self.width)
                rows[row, place] += sign
        cut = [self.max_tokens is not None and self.count_tokens(text) > self.max_tokens for text in texts]
        return Embedded(rows, cut)


@cache
def _place(word: str, width: int) -> tuple[int, float]:
    digest = blake2b(word.encode(), digest_size=8).digest()
    return digest[0] % width, 1.0 + digest[1] / 256


def case_of() -> Case:
    """A case without an opinion."""
    return records_support.case(
        "cl:1", name="A v. B", citations=[records_support.reporter_cite("1 U.S. 1")], jurisdiction="us", date="1990"
    )


def opinion_of(body: list[str], notes: tuple[str, ...] = ()) -> Opinion:
    """The majority opinion of `case_of`, with these paragraphs."""
    return records_support.opinion("cl:1", body, notes, author="J.")


@cache
def sample_corpus() -> Path:
    """The bundled sample, imported once."""
    scratch = mkdtemp()
    atexit.register(rmtree, scratch, ignore_errors=True)
    import_corpus([SAMPLE], Path(scratch) / "corpus")
    return Path(scratch) / "corpus"


@cache
def sample_cases() -> list[tuple[Case, list[Opinion]]]:
    """Its cases with their opinions."""
    reader = CorpusReader(sample_corpus())
    opinions: dict[str, list[Opinion]] = {}
    for opinion in reader.opinions():
        opinions.setdefault(opinion.case_id, []).append(opinion)
    return [(case, opinions.get(case.case_id, [])) for case in reader.cases()]


def write_corpus(folder: Path, cases: Iterable[tuple[Case, list[Opinion]]]) -> Path:
    """A corpus of these cases, as an import leaves it."""
    chosen = list(cases)
    for name, kind, rows in (
        ("cases", Case, [case for case, _ in chosen]),
        ("opinions", Opinion, [opinion for _, opinions in chosen for opinion in opinions]),
    ):
        (folder / name).mkdir(parents=True)
        with TableWriter(folder / name / "part-00000.parquet", kind) as writer:
            for row in rows:
                writer.write(row)
    fingerprint = blake2b("|".join(case.case_id for case, _ in chosen).encode()).hexdigest()
    write_json(folder / "manifest.json", {"fingerprint": fingerprint})
    write_json(folder / "_stage.json", {})
    return folder


def parts(n: int) -> list[list[tuple[Case, list[Opinion]]]]:
    """The sample's cases dealt into n parts, so that citing and cited cases fall apart."""
    return [sample_cases()[number::n] for number in range(n)]
