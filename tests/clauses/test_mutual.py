"""How far a clause is mutual, where a query asks for it or for its lack."""

from __future__ import annotations

import pytest

from floats_support import close_to
from lawng.clauses.meaning.match_features import MATCH_FEATURES, ClauseMatcher
from lawng.clauses.meaning.query_intent import query_intent

EITHER = "In no event shall either party be liable for indirect or consequential damages."
SELLER = "In no event shall Seller be liable to Buyer for any indirect or consequential damages."
MIXED = f"{EITHER} {SELLER}"


@pytest.mark.parametrize(
    ("query", "expected", "why"),
    [
        (
            "mutual indirect damages waiver",
            [1.0, 0.0, (13 / 28 + 1) / 2],
            "half of the mixed one's words, and it frees both",
        ),
        ("unilateral indirect damages waiver", [0.0, 1.0, 15 / 28 / 2], "what is not mutual"),
        ("indirect damages waiver", [1.0, 1.0, 1.0], "nothing is asked of it"),
        ("mutual indemnity", [0.0, 0.0, 0.0], "no clause is about it"),
    ],
)
def test_mutuality_goes_by_sentences_and_by_who_is_freed(query: str, expected: list[float], why: str) -> None:
    found = ClauseMatcher([EITHER, SELLER, MIXED]).match(query_intent(query))[
        :, MATCH_FEATURES.index("mutual as asked")
    ]
    assert found.tolist() == close_to(expected), why


def test_a_heading_takes_little_from_it() -> None:
    plain, headed = ClauseMatcher([EITHER, f"7.1 No consequential damages. {EITHER}"]).match(
        query_intent("mutual indirect damages waiver")
    )[:, MATCH_FEATURES.index("mutual as asked")]
    assert plain == 1.0
    assert 0.85 < headed < 1.0
