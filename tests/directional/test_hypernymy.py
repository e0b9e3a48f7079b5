"""Hypernymy of predicates against NLTK's own distances, and by hand."""

from __future__ import annotations

import pytest

from lawng.directional.wordnet import Hypernymy, WordNet, wordnet_folder

WORDNET = WordNet(wordnet_folder())
MEASURE = Hypernymy(WORDNET)


@pytest.mark.parametrize(
    ("premise", "hypothesis", "expected", "why"),
    [
        ("buy", "buy", 1.0, "the same"),
        ("walk", "move", 1 / 2, "one step up, both first senses"),
        ("move", "walk", 0.0, "down is nothing"),
        ("march", "move", 1 / 3, "two steps"),
        ("walk to", "move in", 1 / 2, "words without content do not count"),
        ("walk dog", "move poodle", 1 / 4, "the mean over the words of the hypothesis"),
        ("walk poodle", "walk dog", 3 / 4, "nouns too: one step"),
        ("restrain", "restrain flow", 1 / 2, "the circle in WordNet 3.0 ends"),
        ("be murdered in", "be killed in", 1 / 2, "a participle after be by its lemma"),
        ("be killed in", "be murdered in", 0.0, "and not the reverse"),
        ("be murdered in", "kill in", 0.0, "who is murdered kills nobody"),
        ("be sued in", "sue in", 0.0, "nor do they who are sued sue"),
        ("be named poodle of", "be named dog of", 3 / 4, "the same participle, and a noun one step below"),
        ("begin marching to", "begin moving to", 2 / 3, "a gerund by its lemma"),
        ("xyzzy", "move", 0.0, "unknown words"),
        ("", "move", 0.0, "nothing said"),
    ],
)
def test_by_hand(premise: str, hypothesis: str, expected: float, why: str) -> None:
    assert MEASURE.score(premise, hypothesis) == pytest.approx(expected, rel=1e-4), why


def test_steps_and_ranks_are_those_of_nltk() -> None:
    for below, above in (("tell", "inform"), ("sell", "transfer"), ("murder", "kill"), ("loan", "give")):
        best = 0.0
        for pos in "vn":
            for at, low in enumerate(WORDNET.senses(below, pos)):
                steps = dict(sorted(((kind.name(), n) for kind, n in low.hypernym_distances()), reverse=True))
                for rank, high in enumerate(WORDNET.senses(above, pos)):
                    if high.name() in steps:
                        best = max(best, 1 / (1 + at + rank + steps[high.name()]))
        assert best > 0
        assert MEASURE.score(below, above) == pytest.approx(best, rel=1e-4)
