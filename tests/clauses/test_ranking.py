"""Rankings of clauses: what the untrained score is made of, and what clauses are found by."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from clauses_support import clauses, searcher
from encoder_support import HashingEncoder
from floats_support import RELATIVE, close_to
from lawng.clauses.answer import ClauseHit
from lawng.clauses.ranking.features import FEATURES, RANKERS, ClauseFeatures
from lawng.clauses.ranking.rankers import FeatureRanker
from lawng.models.vector_cache import CachedEncoder

CAP = "Liability shall not exceed the fees paid."


def z(hits: Sequence[ClauseHit], name: str) -> NDArray[np.float64]:
    values = np.array([hit.scores[name] for hit in hits])
    return np.asarray((values - values.mean()) / values.std())


def section(hit: ClauseHit) -> str:
    return hit.clause.section


def test_the_score_adds_up_words_meaning_and_fit(tmp_path: Path) -> None:
    ready = searcher(tmp_path, CAP, "Delivery is free.", "Fees are due.", encoder=HashingEncoder())
    hits, plain = (sorted(ready.search(query).hits, key=section) for query in ("cap on liability for fees", "cap"))
    assert list(hits[0].scores) == ["score", "bm25", "bm25 expanded", "cosine", "cosine of meaning", "fit"]

    def blended(name: str) -> NDArray[np.float64]:
        """A third of the query is explained, the cap: as far the question in plain words stands for it."""
        return 2 / 3 * z(hits, name) + 1 / 3 * z(plain, name)

    expected = blended("cosine") + 0.5 * z(hits, "cosine of meaning") + 0.5 * blended("bm25 expanded") + z(hits, "fit")
    assert [hit.score for hit in hits] == close_to(expected.tolist())
    whole = z(plain, "cosine") + 0.5 * z(plain, "cosine of meaning") + 0.5 * z(plain, "bm25 expanded") + z(plain, "fit")
    assert [hit.score for hit in plain] == close_to(whole.tolist())


def test_without_an_encoder_words_count_once_more_instead_of_meaning(tmp_path: Path) -> None:
    hits = searcher(tmp_path, CAP, "Delivery is free.", "Fees are due.").search("cap on liability for fees").hits
    assert list(hits[0].scores) == ["score", "bm25", "bm25 expanded", "fit"]
    expected = z(hits, "bm25") + 0.5 * z(hits, "bm25 expanded") + z(hits, "fit")
    assert [hit.score for hit in hits] == close_to(expected.tolist())


def test_a_query_that_the_glossary_does_not_know_is_ranked_by_words_and_meaning(tmp_path: Path) -> None:
    texts = ("The lessee shall repaint the walls.", "Delivery is free.", "The walls are white.")
    words = searcher(tmp_path, *texts).search("repaint the walls").hits
    assert [hit.clause.section for hit in words] == ["0", "2", "1"]
    assert {hit.scores["fit"] for hit in words} == {0.0}
    assert [hit.scores["bm25 expanded"] for hit in words] == [hit.scores["bm25"] for hit in words]
    both = searcher(tmp_path, *texts, encoder=HashingEncoder(width=1 << 14)).search("repaint the walls").hits
    assert [hit.scores["cosine of meaning"] for hit in both] == close_to([hit.scores["cosine"] for hit in both])
    assert both[0].clause.section == "0"


@pytest.mark.parametrize(
    ("query", "found", "note"),
    [
        pytest.param("capped", "0", None, id="a word of it occurs"),
        pytest.param("caps", "0", "by what the glossary takes it to mean", id="by its meaning"),
        pytest.param("wilfulness", "1", "by the words that the glossary takes it to mean", id="by the meaning's words"),
        pytest.param("zoning", None, "", id="not at all"),
    ],
)
def test_clauses_are_found_by_what_a_query_means(
    tmp_path: Path, query: str, found: str | None, note: str | None
) -> None:
    texts = (
        "Liability capped: the fees are the maximum aggregate liability.",
        "Intentional deeds.",
        "Delivery is free.",
    )
    if query == "caps":
        texts = (texts[0].replace("capped", "limited"), *texts[1:])
    answer = searcher(tmp_path, *texts).search(query)
    assert (answer.hits[0].clause.section if answer.hits else None) == found
    said = "No word of the query occurs in the clauses"
    found_by = f"; what is found is found {note}" if note else ""
    assert answer.notes == (() if note is None else (f"{said}{found_by}.",))


def test_one_clause_alone_is_found_by_its_meaning(tmp_path: Path) -> None:
    answer = searcher(tmp_path, "In no event shall liability exceed the fees.").search("cap")
    assert [hit.score for hit in answer.hits] == [0.0]  # there is nothing to compare it with


def features_of(tmp_path: Path, encoder: HashingEncoder | None, *texts: str) -> ClauseFeatures:
    return ClauseFeatures(texts, CachedEncoder(tmp_path, encoder) if encoder else None)


@pytest.mark.parametrize("encoder", [None, HashingEncoder()], ids=["words alone", "with an encoder"])
@pytest.mark.parametrize("query", ["cap on liability except fraud", "zoning", "", "责任"])
def test_what_all_clauses_are_compared_by_is_always_a_number(
    tmp_path: Path, encoder: HashingEncoder | None, query: str
) -> None:
    found = features_of(tmp_path, encoder, CAP, "", "Delivery is free.", "  \n ", CAP).of(query)
    assert found.shape == (5, len(FEATURES))
    assert np.isfinite(found[:, [FEATURES.index(name) for name in RANKERS]]).all()
    np.testing.assert_allclose(found[0], found[4], rtol=RELATIVE)  # of equal words is of equal features
    if encoder is None:
        assert not found[:, [FEATURES.index(name) for name in RANKERS if "cosine" in name or name == "feedback"]].any()


def test_a_collection_of_one_clause_or_none_has_features(tmp_path: Path) -> None:
    for n in (0, 1):
        found = features_of(tmp_path, HashingEncoder(), *[CAP] * n).of("cap")
        assert found.shape == (n, len(FEATURES))


def test_a_ranker_gives_scores_of_the_clauses_asked_for_in_their_order(tmp_path: Path) -> None:
    own = clauses(CAP, "Delivery is free.", "Fees are due.")
    ranker = FeatureRanker(own, HashingEncoder(), tmp_path)
    whole, some = ranker.scores("cap", own), ranker.scores("cap", [own[2], own[0]])
    assert whole.keys() == some.keys()
    for name, column in some.items():
        np.testing.assert_allclose(column, whole[name][[2, 0]], rtol=RELATIVE)


def test_what_was_made_of_clauses_is_kept_and_counted_once(tmp_path: Path) -> None:
    texts = clauses(CAP, "word " * 30, "word " * 8)
    first = FeatureRanker(texts, HashingEncoder(max_tokens=20), tmp_path)
    names = sorted(path.name.partition("-")[0] for path in tmp_path.iterdir())
    assert names == ["annotations", "hashing", "longer"]

    class Silent(HashingEncoder):
        def count_tokens(self, text: str) -> int:
            raise AssertionError(f"counted again: {text}")

    again = FeatureRanker(texts, Silent(max_tokens=20), tmp_path)
    assert first.n_shortened == again.n_shortened == 1
    assert again.notes[0].startswith("1 of 3 clauses are longer than the encoder reads (20 tokens)")
