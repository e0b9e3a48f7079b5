"""Stand-ins for the study's tests: encoders and judges that are quick and always say the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import records_support
from encoder_support import HashingEncoder
from lawng.models.protocols import Judged
from lawng.pipeline import Settings, Stage, run_stage
from lawng.reports.builds import Build
from lawng.schema import Candidate, Case, Opinion, PageMark
from lawng.schema.arrow import to_arrow
from lawng.schema.labels import Label
from lawng.studies.retrieval.collection import Query, read_queries

ENCODER = HashingEncoder("hash-a")
"""The encoder of the small index."""


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


class Made(NamedTuple):
    corpus: Path
    build: Path


def queries_of(made: Made) -> list[Query]:
    """Queries of all splits of a build."""
    return read_queries(Build(made.build), "all").queries


N_CASES = 24
_NOUNS = ("tenant", "bailee", "carrier", "trustee", "broker", "miller", "pilot", "surety", "drover", "founder")
_VERBS = ("assign", "recover", "pledge", "ship", "mortgage", "withhold", "abandon", "insure")
_THINGS = (
    "the cargo",
    "the lease",
    "a bond",
    "the wharf",
    "an orchard",
    "the engine",
    "a patent",
    "the herd",
    "a well",
)


def side_of(number: int) -> str:
    return "mass" if number % 3 == 0 else "us"


def cite_of(number: int) -> str:
    return f"{100 + number} {'Mass.' if side_of(number) == 'mass' else 'U.S.'} {200 + number}"


def holding(number: int) -> str:
    """What a case decides: its own pair of words, so that it can be found."""
    noun, verb, thing = _NOUNS[number % 10], _VERBS[number % 8], _THINGS[number % 9]
    return f"the {noun} may {verb} {thing} without leave of court"


def cited_by(number: int) -> int | None:
    """The earlier case of the same side that a case describes."""
    earlier = [n for n in range(number) if side_of(n) == side_of(number)]
    return earlier[number * 7 % len(earlier)] if earlier else None


def paragraphs_of(number: int) -> list[str]:
    draw = Random(number)
    filler = [f"The {draw.choice(_NOUNS)} said that {draw.choice(_THINGS)} was his, and rain fell." for _ in range(9)]
    cited = cited_by(number)
    see = (
        "" if cited is None else f" See Case v. {name(cited)}, {cite_of(cited)} (1900) (holding that {holding(cited)})."
    )
    own = f"We hold that {holding(number)}. It follows from the nature of the thing."
    return [*filler[:4], own, *filler[4:], f"The rule is settled.{see}", "So ordered."]


def name(number: int) -> str:
    return f"{_NOUNS[number % 10].title()}{'abcdefghijklmnopqrstuvwxyz'[number]}"


def make_small(folder: Path) -> Made:
    """A corpus and what the study reads of a build, written out in a moment."""
    stage = Stage("corpus", {"cases": Case, "opinions": Opinion}, inputs={})
    run_stage(stage, [0], _Rows(), folder / "corpus", Settings(workers=1))
    (folder / "corpus" / "manifest.json").write_text('{"fingerprint": "f"}', "utf-8")
    candidates = [one for n in range(N_CASES) if (one := candidate(n))]
    write(folder / "build" / "stages" / "20-candidates" / "candidates", candidates, Candidate)
    links = [{"opinion_id": c.citing_opinion_id, "cited_case_id": c.cited_case_id} for c in candidates]
    _parquet(folder / "build" / "stages" / "10-citations" / "citations" / "part-0.parquet", pa.Table.from_pylist(links))
    for split in ("train", "validation", "test"):
        rows = [row for at, one in enumerate(candidates) if SPLIT[at % 3] == split for row in _examples(one, at)]
        _parquet(folder / "build" / "data" / f"{split}.parquet", pa.Table.from_pylist(rows, schema=_EXAMPLE))
    (folder / "build" / "manifest.json").write_text('{"stages": {"20-candidates": {"fingerprint": "f"}}}', "utf-8")
    return Made(folder / "corpus", folder / "build")


SPLIT = ("train", "test", "validation")


class _Rows:
    def __call__(self, unit: int) -> Iterator[Case | Opinion]:
        for number in range(N_CASES):
            yield _case(number)
            yield _opinion(number)


def _case(number: int) -> Case:
    return records_support.case(
        f"cap:{number}",
        name=f"Case v. {name(number)}",
        parties=["Case", name(number)],
        citations=[records_support.reporter_cite(cite_of(number))],
        jurisdiction=side_of(number),
        date=f"{1900 + number}",
    )


def _opinion(number: int) -> Opinion:
    reporter = records_support.reporter_cite(cite_of(number)).reporter
    pages = [PageMark(reporter, str(200 + number), 200 + number, 0)]
    return records_support.opinion(f"cap:{number}", paragraphs_of(number), pages=pages)


def candidate(number: int) -> Candidate | None:
    """The parenthetical of a case, as stage 20 has it."""
    cited = cited_by(number)
    if cited is None:
        return None
    said = f"holding that {holding(cited)}"
    start = _opinion(number).text.rindex(said)
    return Candidate(
        candidate_id=f"cap:{number}/0@{start}",
        hypothesis_source="parenthetical",
        hypothesis=said,
        kind="explanatory" if number % 4 else "weight",
        citing_case_id=f"cap:{number}",
        citing_opinion_id=f"cap:{number}/0",
        citing_opinion_type="majority",
        citing_page="",
        start=start,
        end=start + len(said),
        citation_start=start,
        citation_end=start + len(said),
        sentence="",
        before="",
        n_cited=1,
        signal="see",
        history=None,
        context="",
        cited_case_id=f"cap:{cited}",
        cited_opinion_id=f"cap:{cited}/0",
        cited_cite=cite_of(cited),
        pin_cite="201",
        pin_pages=[201],
        premise_start=0,
        premise_end=10,
        jurisdiction=side_of(number),
    )


_EXAMPLE = pa.schema(
    [
        (column, pa.large_string())
        for column in (
            *("id", "hypothesis", "label", "premise_opinion_id", "premise_case_id", "jurisdiction"),
            *("citing_case_id", "citing_opinion_id", "cited_case_id"),
        )
    ]
)


def _examples(one: Candidate, at: int) -> list[dict[str, str]]:
    said = one.hypothesis.removeprefix("holding that ")
    label = ("entailment", "neutral")[at % 5 == 0]
    texts = {"original": (label, said), "twin": (Label(label).flipped, said.replace(" may ", " may not "))}
    return [
        {
            "id": f"{one.candidate_id}:{kind}",
            "hypothesis": text,
            "label": str(own),
            "premise_opinion_id": one.cited_opinion_id,
            "premise_case_id": one.cited_case_id,
            "jurisdiction": one.jurisdiction,
            "citing_case_id": one.citing_case_id,
            "citing_opinion_id": one.citing_opinion_id,
            "cited_case_id": one.cited_case_id,
        }
        for kind, (own, text) in texts.items()
    ]


def write(folder: Path, rows: Sequence[object], record: type) -> None:
    """A table of one part."""
    _parquet(folder / "part-00000.parquet", to_arrow(rows, record))


def _parquet(path: Path, table: pa.Table) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(table, path.with_name("part-00000.parquet") if path.name.startswith("part-") else path)
