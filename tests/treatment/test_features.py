"""What a pair is like beside its words: how it stands among the other cases that the opinion cites."""

from __future__ import annotations

import math

import pytest

from floats_support import close_to
from lawng.citation.extract import citations_of_case
from lawng.treatment.features import context_of
from lawng.treatment.judge import read_citing
from lawng.treatment.plainly import said_plainly
from records_support import case, opinion

TEXT = [
    "Baker v. Cole, 10 U.S. 20 (1805), was argued at length.",
    "Drew v. Ellis, 30 U.S. 40 (1825), is overruled. Drew is overruled in all its parts.",
    "Drew was read by the court below, and Drew was wrongly decided.",
    "See Finch v. Gray, 50 U.S. 60 (1850). Finch is overruled.",
]
"""Drew is spoken of in three sentences, each of which undoes it; Finch in two, one of which does; Baker in one."""
EXPECTED = {
    # rank among the cases, and how often the plainest other one is undone
    0: (2, 3),
    1: (0, 1),
    2: (1, 3),
}


@pytest.mark.parametrize("number", EXPECTED)
def test_a_pair_stands_among_the_other_cases_of_its_opinion(number: int) -> None:
    opinions = [opinion("cl:1", TEXT)]
    citing = read_citing(case("cl:1"), opinions, citations_of_case(opinions))
    found = context_of(citing, number)
    rank, others = EXPECTED[number]
    assert found["context rank"] == close_to(math.log1p(rank))
    assert found["context first"] == float(rank == 0)
    assert found["context others plainly"] == close_to(math.log1p(others))


@pytest.mark.parametrize(
    "masked",
    ["TARGET is overruled by CASE.", "To the extent that TARGET says so, it is overruled in CASE."],
)
def test_what_another_case_did_is_not_said_by_this_one(masked: str) -> None:
    assert not said_plainly(masked)
