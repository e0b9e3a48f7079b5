"""Descriptions that name no subject of the glossary: what the clauses nearest to them are about, or nothing."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from encoder_support import HashingEncoder
from lawng.clauses.meaning.glossary import SUBJECTS
from lawng.clauses.meaning.match_features import MATCH_FEATURES, ClauseMatcher
from lawng.clauses.meaning.query_intent import query_intent
from lawng.clauses.ranking.features import ClauseFeatures
from lawng.models.vector_cache import CachedEncoder

CAPS = [f"The fees of year {n} are the most that Lessor owes; liability shall not exceed them." for n in range(10)]
LAWS = [f"This is governed by the laws of land {n}, wherever zebras graze." for n in range(10)]
OTHERS = [f"Goods number {n} ship on a day at noon." for n in range(40)]
MOST = "the fees of one year are the most that Lessor owes"
ZEBRAS = "wherever the zebras of the land graze on this side"


def features_of(texts: Sequence[str], folder: Path) -> ClauseFeatures:
    return ClauseFeatures(texts, CachedEncoder(folder, HashingEncoder(width=1 << 14)))


def subject_asked(features: ClauseFeatures, query: str) -> bool:
    """Whether the glossary has an opinion on clauses: a query without a subject has none."""
    return not bool(np.isnan(features.scores(query).match[:, MATCH_FEATURES.index("subject")]).any())


@pytest.mark.parametrize("n", [8, 20], ids=["a small collection", "the most that are looked at"])
@pytest.mark.parametrize(("query", "clauses"), [(MOST, CAPS), (ZEBRAS, LAWS)])
def test_a_description_asks_for_what_its_nearest_clauses_are_about(
    tmp_path: Path, query: str, clauses: list[str], n: int
) -> None:
    assert query_intent(query).subjects == ()
    texts = [*OTHERS, *CAPS[:n], *LAWS[:n], *OTHERS]
    fit = features_of(texts, tmp_path).scores(query).measures["fit"]
    assert {texts[at] for at in np.flatnonzero(fit)} == {*clauses[:n]}


@pytest.mark.parametrize(
    ("query", "texts", "why"),
    [
        ("fees are the most that Lessor owes", [*OTHERS, *CAPS], "too short to be a description"),
        (MOST, CAPS, "all clauses are about it: it tells nothing of the query"),
        (MOST, [*OTHERS[:15], *CAPS], "two fifths of all are: not three times as many"),
        (MOST, [*OTHERS, *CAPS[:3]], "three of the eight nearest are: not half"),
        ("goods of such a number ship on a day", [*OTHERS, *CAPS], "the nearest are about nothing of the glossary"),
    ],
)
def test_nothing_is_read_into_it(tmp_path: Path, query: str, texts: list[str], why: str) -> None:
    assert not subject_asked(features_of(texts, tmp_path), query), why


def test_what_a_clause_says_late_it_does_not_lead_with() -> None:
    late = [
        f"Goods number {n} ship. They ship by sea. Liability shall not exceed the fees of year {n}." for n in range(9)
    ]
    [cap] = [subject for subject in SUBJECTS if subject.name == "cap"]
    assert ClauseMatcher([*CAPS, *late]).leading([cap])[:, 0].tolist() == [1.0] * len(CAPS) + [0.0] * len(late)


def test_without_an_encoder_nothing_is_near() -> None:
    assert not subject_asked(ClauseFeatures([*OTHERS, *CAPS], None), MOST)


def test_a_subject_that_is_named_is_not_overruled(tmp_path: Path) -> None:
    texts = [*OTHERS, *CAPS, *LAWS]
    asked = f"governing law where {MOST}"
    fit = features_of(texts, tmp_path).scores(asked).measures["fit"]
    assert {texts[at] for at in np.flatnonzero(fit)} == {*LAWS}
