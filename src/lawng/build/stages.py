"""The stages of the construction in order (LawngNLI, A.1)."""

from __future__ import annotations

from collections.abc import Iterator

from lawng.build.accuracy import screen_candidates
from lawng.build.balance import balance_examples, count_lengths
from lawng.build.candidates import find_candidates, seek_candidates
from lawng.build.citations import find_citations
from lawng.build.context import Context
from lawng.build.labels import label_hypotheses
from lawng.build.negation import negate_hypotheses
from lawng.build.neutral import pair_premises
from lawng.build.premises import write_premises
from lawng.build.vectors import embed_texts
from lawng.engine import StageResult


def run_stages(context: Context) -> Iterator[StageResult]:
    """Run each stage, or find it done, and hand on its result."""
    yield (citations := find_citations(context))
    yield (sought := seek_candidates(context, citations))
    yield (candidates := find_candidates(context, sought))
    yield (screened := screen_candidates(context, candidates))
    yield (negatable := negate_hypotheses(context, screened))
    yield (labelled := label_hypotheses(context, negatable, candidates))
    yield (vectors := embed_texts(context, labelled, candidates))
    yield (paired := pair_premises(context, labelled, vectors, candidates, citations))
    yield (lengths := count_lengths(context, paired, citations))
    yield (examples := balance_examples(context, paired, lengths))
    yield write_premises(context, examples, citations)
