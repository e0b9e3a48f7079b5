"""Candidates to train on: what a parenthetical says of a case as a sentence of its own, and what is left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lawng.datasets.candidates import Flip, _Item, _pairs, proposition, read_candidates
from lawng.io import TableWriter
from lawng.schema import Candidate
from lawng.schema.dataset import PROPOSITION, VERDICTS
from lawng.schema.labels import Label
from nli_fixture import candidate


def negate(texts: Sequence[str]) -> list[Flip | None]:
    """A stand-in for the negation algorithm."""
    return [Flip(text.replace(" is ", " is not "), False) for text in texts]


def build_of(folder: Path, said: Sequence[tuple[str, str]], **changes: Any) -> Path:
    """A build with candidates of such texts and kinds, all on one premise."""
    table = folder / "stages" / "20-candidates"
    rows = [
        replace(candidate(f"cap:1/0@{n}"), hypothesis=text, kind=kind, **changes) for n, (text, kind) in enumerate(said)
    ]
    (table / "candidates").mkdir(parents=True)
    (table / "passages").mkdir()
    with TableWriter(table / "candidates" / "part-0.parquet", Candidate) as writer:
        for row in rows:
            writer.write(row)
    key = f"{rows[0].cited_opinion_id}[{rows[0].premise_start}:{rows[0].premise_end}]"
    pq.write_table(pa.table({"key": [key], "text": ["The tax is void."]}), table / "passages" / "part-0.parquet")
    return folder


@pytest.mark.parametrize(
    ("parenthetical", "said", "reason"),
    [
        pytest.param("holding that the tax was void", "the tax was void", "", id="holding"),
        pytest.param("noting in dictum that the tax was void", "the tax was void", "", id="in-dictum"),
        pytest.param("finding, inter alia, that the tax was void", "the tax was void", "", id="aside"),
        pytest.param("holding that taxing a bank is void", "taxing a bank is void", "", id="gerund"),
        pytest.param("the tax was void", "the tax was void", "", id="bare"),
        pytest.param("nothing in the act voids it", "nothing in the act voids it", "", id="no-verb"),
        pytest.param("rejecting that the tax was void", "", "unsupportive-verb", id="rejecting"),
        pytest.param("denying that the tax was void", "", "unsupportive-verb", id="denying"),
        pytest.param("rejecting the claim that the tax was void", "", "fragment", id="rejecting-the-claim"),
        pytest.param("declining to decide that the tax was void", "", "fragment", id="declining"),
        pytest.param("criticizing the view that the tax was void", "", "fragment", id="criticizing"),
        pytest.param("expressly declining to say that the tax was void", "", "fragment", id="adverb"),
        pytest.param("without deciding that the tax was void", "", "fragment", id="without"),
        pytest.param("discussing the history of the tax", "", "fragment", id="no-proposition"),
        pytest.param("coerced confession", "", "short", id="short"),
        pytest.param("holding that it may", "", "short", id="short-after-holding"),
    ],
)
def test_propositions_of_parentheticals(parenthetical: str, said: str, reason: str) -> None:
    assert proposition(parenthetical) == (said, reason)


def test_what_is_left_out_of_a_build_is_counted_by_reason(tmp_path: Path) -> None:
    told: list[str] = []
    said = [
        ("holding that the tax is void", "explanatory"),
        ("the tax is void", "explanatory"),
        ("rejecting the claim that the tax is void", "explanatory"),
        ("denying that the tax is void", "explanatory"),
        ("tax void", "explanatory"),
        ("the tax is not void", "quotation"),
    ]
    build = build_of(tmp_path / "build", said)
    pairs = list(read_candidates(build, negate, told.append))
    assert {(pair.hypothesis, pair.gold[0]) for pair in pairs if pair.gold != [Label.NEUTRAL]} == {
        ("the tax is void", Label.ENTAILMENT),
        ("the tax is not void", Label.CONTRADICTION),
    }
    [line] = told
    assert line.endswith(
        "build: 1 candidates; left out: 1 fragment, 1 not-explanatory, 1 short, 1 twice, 1 unsupportive-verb"
    )


def test_of_propositions_only_those_that_their_pages_entail_are_taught(tmp_path: Path) -> None:
    said = [("the tax is void", "explanatory"), ("the law is dead", "explanatory")]
    build = build_of(tmp_path / "build", said, hypothesis_source=PROPOSITION)
    table = build / "stages" / "30-accuracy" / "verdicts"
    table.mkdir(parents=True)
    columns = {
        "candidate_id": ["cap:1/0@0", "cap:1/0@1"],
        "hypothesis": ["The tax is void.", "The law is dead."],
        "label": [*VERDICTS[:2]],
    }
    pq.write_table(pa.table(columns), table / "part-0.parquet")
    told: list[str] = []
    found = {pair.hypothesis for pair in read_candidates(build, negate, told.append)}
    assert found == {"The tax is void.", "The tax is not void."}
    assert "1 not-verified" in told[0]


def test_a_neutral_premise_is_of_another_case_and_not_always_of_the_same() -> None:
    items = [
        _Item(f"{n}", f"cl:{n // 2}", f"Premise of case {n // 2}.", f"the tax of {n} is due", "train")
        for n in range(40)
    ]
    pairs = list(_pairs(items, lambda texts: [None] * len(texts)))
    neutral = {pair.pair_id.split(":")[1]: pair.premise for pair in pairs if pair.gold == [Label.NEUTRAL]}
    assert len(neutral) == 40
    assert all(premise != f"Premise of case {int(number) // 2}." for number, premise in neutral.items())
    assert len(set(neutral.values())) >= 10
    assert not [p for p in _pairs(items[:2], lambda texts: [None] * len(texts)) if p.gold == [Label.NEUTRAL]]
