"""Queries that name no subject of the glossary: the nearest one by meaning, or none."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from encoder_support import HashingEncoder
from lawng.clauses.meaning.glossary import SUBJECTS
from lawng.clauses.meaning.query_intent import query_intent
from lawng.clauses.ranking.features import ClauseFeatures, NearestSubject
from lawng.models.vector_cache import CachedEncoder

MAXIMUM = "the aggregate shall not exceed a maximum amount"
TEXTS = (
    "Damages are limited to the fees paid and shall not exceed them.",
    "This is governed by the laws of New York.",
    "Goods ship.",
)


@pytest.mark.parametrize(
    ("query", "subject", "why"),
    [
        (MAXIMUM, "cap", "the words of the sentence that the glossary has for it"),
        ("shall not exceed a maximum", None, "too short to be a description"),
        ("zebras graze at dawn, drink before noon, sleep near trees", None, "nothing of contracts"),
    ],
)
def test_the_nearest_subject_is_meant_if_it_is_near(tmp_path: Path, query: str, subject: str | None, why: str) -> None:
    encoder = CachedEncoder(tmp_path, HashingEncoder(width=1 << 14))
    found = NearestSubject(encoder).of(query, encoder.vectors([query])[0])
    assert (found.name if found else None) == subject, why


def test_without_subjects_none_is_meant(tmp_path: Path) -> None:
    encoder = CachedEncoder(tmp_path, HashingEncoder())
    assert NearestSubject(encoder, ()).of(MAXIMUM, encoder.vectors([MAXIMUM])[0]) is None


def test_a_query_that_names_no_subject_is_read_as_its_nearest(tmp_path: Path) -> None:
    assert query_intent(MAXIMUM).subjects == ()
    features = ClauseFeatures(TEXTS, CachedEncoder(tmp_path, HashingEncoder(width=1 << 14)))
    fit = features.scores(MAXIMUM).measures["fit"]
    assert int(np.argmax(fit)) == 0
    assert fit[0] > fit[1]
    assert not ClauseFeatures(TEXTS, None).scores(MAXIMUM).measures["fit"].any()


def test_a_subject_that_is_named_is_not_overruled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    features = ClauseFeatures(TEXTS, CachedEncoder(tmp_path, HashingEncoder()))
    named, unnamed = features.scores("cap on liability").match, features.scores("zebras").match
    law = next(subject for subject in SUBJECTS if subject.name == "governing law")
    monkeypatch.setattr(NearestSubject, "of", lambda _self, _query, _vector: law)
    np.testing.assert_array_equal(features.scores("cap on liability").match, named)
    assert not np.array_equal(features.scores("zebras").match, unnamed, equal_nan=True)
