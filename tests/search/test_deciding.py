"""Which sentence decides: what the re-ranker reads, how it moves passages and cases, and what is judged then."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pytest

from floats_support import close_to
from lawng.datasets.excerpts import ROLES
from lawng.errors import InputError
from lawng.index.reader import Index
from lawng.models.protocols import Judged
from lawng.schema.labels import Label
from lawng.search.answer import Hit
from lawng.search.deciding import decide
from lawng.search.known_items import cases_meant
from lawng.search.passage_selection import DISSENT
from lawng.search.roles import features, load_roles
from lawng.search.searcher import Searcher
from lawng.search.stance import choose, judge, without_dissents
from lawng.search.state import DECIDES, DecidingSettings, SearchSettings
from lawng.text.highlight import spans_of
from lawng.text.windows import JUDGED_WORDS
from search_support import ENCODER, RuleModel, by_hash, hit

ARGUMENT = "The police may not search a house without a warrant."
TEXTS = [
    "The house stood by the road. The police came at night with lamps and a ladder and two dogs of a neighbour. "
    "They had no warrant to search the house.",
    "May the police search a house without a warrant? We think not, and so we hold in this case as in the others.",
]


@dataclass
class Likes:
    """A re-ranker that likes texts with a word."""

    word: str
    name: str = "likes"
    state: str = "1"
    read: list[str] = field(default_factory=list)

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        self.read += texts
        return [5.0 if self.word in text else -5.0 for text in texts]

    def notes(self) -> list[str]:
        return []


def quoted(found: Hit) -> str:
    return found.passages[0].quoted_text


def test_the_sentence_that_the_reranker_takes_is_quoted_and_its_passage_first() -> None:
    (found,) = decide([hit("cl:1", TEXTS)], ARGUMENT, Likes("We think not"), DecidingSettings())
    assert quoted(found) == "We think not, and so we hold in this case as in the others."
    assert found.passages[0].passage.text == TEXTS[1]
    assert [one.score for one in found.passages] == sorted((one.score for one in found.passages), reverse=True)
    assert found.passages[0].score == 1.0


def test_a_short_sentence_is_read_with_what_leads_to_it() -> None:
    likes = Likes("nothing")
    decide([hit("cl:1", ["May they search it? They may not."])], ARGUMENT, likes, DecidingSettings())
    assert "May they search it? They may not." in likes.read


def test_as_many_sentences_are_read_as_allowed_and_of_the_best_cases() -> None:
    likes, hits = Likes("nothing"), [hit(f"cl:{n}", TEXTS, score=1 - n / 10) for n in range(4)]
    decide(hits, ARGUMENT, likes, DecidingSettings(n_read=6, n_of_case=3))
    assert len(likes.read) == 6
    likes = Likes("nothing")
    own = [hit(f"cl:{n}", [f"Case {n} said so. Case {n} said more of it."], score=1 - n / 10) for n in range(4)]
    decide(own, "Was more said of it?", likes, DecidingSettings(n_read=4, n_of_case=2))
    assert [text.split()[1] for text in likes.read] == ["0", "0", "1", "1"], "two of a case, then two of the next"
    likes = Likes("nothing")
    decide(hits, ARGUMENT, likes, DecidingSettings(n_read=100, n_of_case=2))
    assert len(likes.read) == 4 * len(set(likes.read)), "room for more is used"
    likes = Likes("nothing")
    decide(own[:1], "Was more said of it?", likes, DecidingSettings(n_read=6, n_of_case=1))
    assert len(likes.read) == 2, "a case asked alone is read whole"


def test_a_case_moves_by_its_best_sentence_and_no_further() -> None:
    hits = [hit("cl:1", TEXTS[:1], score=0.5), hit("cl:2", TEXTS[1:], score=0.45)]
    found = decide(hits, ARGUMENT, Likes("We think not"), DecidingSettings(case=0.2))
    assert [one.case.case_id for one in found] == ["cl:1", "cl:2"], "the order is the caller's"
    assert [1.2 * one.score for one in found] == close_to([0.5, 0.65]), "scaled, so that 1 stays the most"
    assert found[1].scores[DECIDES] == close_to(0.2 / 1.2)
    assert sum(found[1].scores.values()) == close_to(found[1].score)


def test_a_dissent_stays_last_and_moves_nothing() -> None:
    one = hit("cl:1", TEXTS)
    dissent = replace(one.passages[1].passage, part=DISSENT)
    one = replace(one, passages=[one.passages[0], replace(one.passages[1], passage=dissent)])
    (found,) = decide([one], ARGUMENT, Likes("We think not"), DecidingSettings())
    assert [shown.passage.part for shown in found.passages] == ["majority", DISSENT]
    assert quoted(found) in TEXTS[0]
    other = hit("cl:2", TEXTS[:1], score=0.5)
    alone = replace(one, passages=one.passages[1:])
    moved = decide([alone, other], ARGUMENT, Likes("We think not"), DecidingSettings(case=0.2))
    assert DECIDES not in moved[0].scores
    assert DECIDES in moved[1].scores


def test_a_case_that_is_only_named_keeps_no_score() -> None:
    (found,) = decide([hit("cl:1", TEXTS, score=0.0)], ARGUMENT, Likes("We think not"), DecidingSettings())
    assert found.score == 0.0
    assert quoted(found).startswith("We think not"), "its sentence is chosen all the same"


def test_words_read_are_those_of_what_was_judged() -> None:
    text = "The tax is void. " + "Much more was said of it on the other pages of the opinion here. " * 40
    whole = hit("cl:1", [text])
    chosen = replace(whole, passages=[replace(whole.passages[0], likely=((0, 16, 1.0), (0, 16, 0.5)))])
    words = [judge([one], "It is void.", RuleModel(sure), SearchSettings())[0].words_read for one in (whole, chosen)]
    assert words[0] == len(text.split())
    assert 0 < words[1] <= JUDGED_WORDS


def test_a_case_without_passages_gains_nothing() -> None:
    bare = hit("cl:2", [], score=0.3)
    for hits in ([bare], [hit("cl:1", TEXTS), bare]):
        found = decide(hits, ARGUMENT, Likes("x"), DecidingSettings(case=0.2))[-1]
        assert found.score == close_to(0.3 / 1.2)
        assert DECIDES not in found.scores


@pytest.mark.parametrize("text", ["", "....", "    ", "1", "§ § §", "a" * 5000])
def test_odd_texts_are_no_failure(text: str) -> None:
    (found,) = decide([hit("cl:1", [text, TEXTS[0]])], ARGUMENT, Likes("x"), DecidingSettings())
    assert {one.passage.text for one in found.passages} == {text, TEXTS[0]}
    for one in found.passages:
        assert 0 <= one.quoted[0] <= one.quoted[1] <= len(one.passage.text)


def test_what_is_judged_has_the_likely_sentence_and_what_follows_a_question() -> None:
    text = "A fact was told. Is the search void? It is. " + "Much more was said of it on other pages. " * 40
    start = text.index("Is the")
    shown = hit("cl:1", [text])
    assert [one.text for one in choose([shown], SearchSettings())] == [text], "all of it where none was looked for"
    chosen = replace(shown.passages[0], likely=((start, start + len("Is the search void?"), 1.0),))
    (premise,) = choose([replace(shown, passages=[chosen])], SearchSettings())
    assert "Is the search void? It is." in premise.text
    assert len(premise.text.split()) <= JUDGED_WORDS


LONG = " ".join(
    f"Sentence {n} says that {'something else was said of it there and then by all ' * 3}." for n in range(9)
)


def asked(n_judged: int, model: RuleModel, *orders: Sequence[int]) -> list[Hit]:
    """Hits of one passage each whose sentences are likely in an order."""
    spans = spans_of(LONG)
    rows = [tuple((spans[at].start, spans[at].end, 1 / (1 + n)) for n, at in enumerate(order)) for order in orders]
    hits = [hit(f"cl:{n}", [LONG], score=1 - n / 10) for n in range(len(rows))]
    likely = [
        replace(one, passages=[replace(one.passages[0], likely=row)]) for one, row in zip(hits, rows, strict=True)
    ]
    return judge(likely, "It is void.", model, SearchSettings(n_judged=n_judged))


def test_further_likely_sentences_are_judged_and_what_decides_is_quoted() -> None:
    texts = list[str]()

    def says(premise: str) -> tuple[float, float, float]:
        texts.append(premise)
        return (0.02, 0.03, 0.95) if "Sentence 7 " in premise else (0.2, 0.7, 0.1)

    one, other = asked(6, RuleModel(says), [0, 1, 4, 7], [7, 0])
    assert (one.side, other.side) == (Label.CONTRADICTION, Label.CONTRADICTION)
    assert [found.passages[0].quoted_text.split()[1] for found in (one, other)] == ["7", "7"]
    assert (len(texts), len(set(texts))) == (5, 3), "sentence 1 stands in the premise around 0, and is read there"
    (only, _) = asked(2, RuleModel(says), [0, 1, 4, 7], [7, 0])
    assert only.side is Label.NEUTRAL, "one of each was all that could be judged"
    assert only.passages[0].quoted_text.split()[1] == "0"


def test_a_passage_that_does_not_decide_has_the_stance_of_its_likeliest_sentence() -> None:
    spans = spans_of(LONG)
    first = tuple((spans[at].start, spans[at].end, share) for at, share in ((0, 1.0), (4, 0.9)))
    other = tuple((spans[at].start, spans[at].end, share) for at, share in ((7, 0.8),))
    both = hit("cl:1", [LONG, LONG])
    both = replace(
        both, passages=[replace(one, likely=row) for one, row in zip(both.passages, (first, other), strict=True)]
    )
    told = {"Sentence 0 ": (0.3, 0.6, 0.1), "Sentence 4 ": (0.1, 0.6, 0.3), "Sentence 7 ": (0.9, 0.05, 0.05)}
    model = RuleModel(lambda premise: next(found for word, found in told.items() if word in premise))
    (found,) = judge([both], "It is void.", model, SearchSettings())
    assert [one.stance.entailment for one in found.passages if one.stance] == [0.9, 0.3]


def test_words_of_windows_that_overlap_are_counted_once() -> None:
    (found,) = asked(20, RuleModel(sure), range(9))
    assert found.words_read == len(LONG.split()), "every sentence was read"


@pytest.mark.parametrize("order", [[1, 0], [0]])
def test_sentences_are_likely_in_the_order_of_their_scores(order: list[int]) -> None:
    (found,) = decide([hit("cl:1", [TEXTS[at] for at in order])], ARGUMENT, Likes("We think not"), DecidingSettings())
    for passage in found.passages:
        assert passage.quoted == passage.likely[0][:2]
        assert passage.score == passage.likely[0][2]
        assert [share for *_, share in passage.likely] == sorted((share for *_, share in passage.likely), reverse=True)
        assert {(start, end) for start, end, _ in passage.likely} == {
            (s.start, s.end) for s in spans_of(passage.passage.text)
        }
    assert max(passage.score for passage in found.passages) == 1.0


def test_roles_are_probabilities_and_know_a_question() -> None:
    sentences = ["The question is whether the tax is void?", "We hold that the tax is void.", "He was born in Ohio."]
    found = load_roles().of(sentences)
    assert found.shape == (3, len(ROLES))
    np.testing.assert_allclose(found.sum(axis=1), 1.0)
    roles = list(ROLES)
    assert found[0].argmax() == roles.index("Q")
    assert found[1, roles.index("H")] > found[2, roles.index("H")]
    assert found[2].argmax() == roles.index("F")
    assert load_roles().of([]).shape == (0, len(ROLES))


def test_features_know_the_neighbours() -> None:
    after, alone = features(["Was it so?", "No."], 1), features(["No."], 0)
    assert after - alone == {"before ^was", "before ^it", "before end ?"}
    assert alone < after


def test_weights_that_are_none_are_refused(tmp_path: Path) -> None:
    (tmp_path / "roles.json").write_text("{}", "utf-8")
    with pytest.raises(InputError, match="no weights of roles"):
        load_roles(tmp_path / "roles.json")


# ------------------------------------------------------------------ in a search


@pytest.fixture
def index(sample_place: Path) -> Iterator[Index]:
    opened = Index.open(sample_place, ENCODER)
    yield opened
    opened.close()


ASKED = "The police may not stop a person on an anonymous tip that only describes how he is dressed."


def test_a_search_reads_more_cases_than_it_shows_and_shows_k(index: Index) -> None:
    likes = Likes("hold")
    plain, answer = Searcher(index).search(ASKED, k=3), Searcher(index, reranker=likes).search(ASKED, k=3)
    assert (plain.reranker, answer.reranker) == (None, "likes")
    assert len(answer.hits) == len(plain.hits) == 3
    assert all(len(one.passages) <= 3 for one in answer.hits)
    scores = [one.score for one in answer.unjudged]
    assert scores == sorted(scores, reverse=True)
    assert all(DECIDES in shown.scores for one in answer.hits for shown in one.passages)
    assert answer.seconds["rerank"] > 0
    for one in answer.hits:
        for shown in one.passages:
            assert shown.quoted_text in shown.passage.text


def test_an_argument_that_fills_the_window_is_told_and_the_search_goes_on(index: Index) -> None:
    class Full(Likes):
        def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
            raise InputError("900 tokens of an argument leave no room")

    answer = Searcher(index, reranker=Full("x")).search(ASKED, k=3)
    assert answer.hits
    assert answer.reranker is None
    assert any("deciding sentences were not looked for" in note for note in answer.notes)


def test_one_case_is_asked_what_it_says(index: Index) -> None:
    wanted = Searcher(index).search(ASKED, k=10).unjudged[-1].case.case_id
    answer = Searcher(index, RuleModel(by_hash), reranker=Likes("hold")).search(ASKED, cases=[wanted, "no such"])
    assert [one.case.case_id for one in answer.hits] == [wanted]
    assert answer.hits[0].stance is not None
    assert answer.hits[0].passages
    many = [one.case.case_id for one in Searcher(index).search(ASKED, k=10).hits]
    answer = Searcher(index, reranker=Likes("hold")).search(ASKED, k=2, cases=many)
    assert {one.case.case_id for one in answer.hits} == set(many), "all that were asked for, whatever k"


def test_the_judge_reads_around_the_sentences_quoted(index: Index) -> None:
    model = RuleModel(by_hash)
    answer = Searcher(index, model, reranker=Likes("hold")).search(ASKED, k=3)
    premises = " ".join(premise for premise, _ in model.asked)
    judged = [one for found in answer.hits for one in found.passages if one.stance]
    assert judged
    assert all(" ".join(one.quoted_text.split()) in premises for one in judged)


# ------------------------------------------------------------------ undecided, and why


def sure(premise: str) -> tuple[float, float, float]:
    return (0.9, 0.05, 0.05) if "void" in premise else (0.05, 0.9, 0.05)


def test_a_case_of_which_only_a_dissent_speaks_is_undecided_and_says_so() -> None:
    one = hit("cl:1", ["The tax is void."])
    dissent = replace(one.passages[0].passage, part=DISSENT)
    one = replace(one, passages=[replace(one.passages[0], passage=dissent)])
    (judged,) = judge([one], "The tax is void.", RuleModel(sure), SearchSettings())
    assert judged.side is Label.ENTAILMENT, "as it is where dissents are asked for"
    (found,) = without_dissents([judged])
    assert found.side is Label.NEUTRAL
    assert found.why_undecided == "only a dissent speaks to it"
    assert found.to_row()["why_undecided"] == found.why_undecided


class ByArgument(RuleModel):
    """Supports arguments that say "binds", and refutes the others."""

    def judge(self, premises: Sequence[str], hypotheses: Sequence[str]) -> Judged:
        self.asked += list(zip(premises, hypotheses, strict=True))
        rows = [(0.9, 0.05, 0.05) if "binds" in said else (0.05, 0.05, 0.9) for said in hypotheses]
        return Judged(np.log(np.array(rows)), [1.0] * len(rows))


@pytest.mark.parametrize(
    ("argument", "why"),
    [
        (
            "A sale binds both sides. A sale is void at once.",
            "it supports one sentence of the argument and refutes another",
        ),
        ("A sale binds both sides. It binds their heirs, too.", ""),
        ("A sale binds both sides and is void at once.", ""),
    ],
)
def test_sentences_that_pull_apart_leave_a_case_undecided(argument: str, why: str) -> None:
    model = ByArgument(sure)
    (found,) = judge([hit("cl:1", ["A sale is a sale."])], argument, model, SearchSettings())
    assert found.why_undecided == why
    assert (found.side is Label.NEUTRAL) == bool(why)


def test_a_side_that_is_not_likely_enough_is_none() -> None:
    model = RuleModel(lambda _: (0.6, 0.1, 0.3))
    model.least = 0.65  # type: ignore[attr-defined]
    (found,) = judge([hit("cl:1", ["A sale is a sale."])], "A sale binds.", model, SearchSettings())
    assert found.why_undecided == "no side is likely enough"
    model.least = 0.5  # type: ignore[attr-defined]
    (found,) = judge([hit("cl:1", ["A sale is a sale."])], "A sale binds.", model, SearchSettings())
    assert (found.side, found.why_undecided) == (Label.ENTAILMENT, "")


def test_a_question_has_no_side(index: Index) -> None:
    model = RuleModel(by_hash)
    answer = Searcher(index, model).search("May the police stop a person on an anonymous tip?", k=3)
    assert not model.asked
    assert answer.unjudged
    assert any(note.startswith("A question has no side") for note in answer.notes)


@pytest.mark.parametrize("premise", ["void", ".", "§"])
def test_a_premise_of_one_word_is_judged_like_any(premise: str) -> None:
    (found,) = judge([hit("cl:1", [premise])], "The tax is void.", RuleModel(sure), SearchSettings())
    assert found.side is (Label.ENTAILMENT if premise == "void" else Label.NEUTRAL)
    assert found.why_undecided == ("" if premise == "void" else "most likely neither")


@pytest.mark.parametrize("given", ["no such case", "999 U.S. 999"])
def test_a_case_that_is_not_there_is_one_clear_line(given: str, index: Index) -> None:
    with pytest.raises(InputError, match="not in this index; give a citation"):
        cases_meant(index, given)


def test_a_case_is_meant_by_id_name_and_citation(index: Index) -> None:
    one = Searcher(index).search(ASKED, k=1).unjudged[0].case
    for given in (one.case_id, one.name, one.citations[0]):
        assert cases_meant(index, given) == [one.case_id]
