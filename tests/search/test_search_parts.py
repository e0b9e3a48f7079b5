"""The parts of search one by one: arguments read, rankings fused, evidence found, stance decided, filters."""

from __future__ import annotations

import re
from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from floats_support import close_to
from lawng.cli.answer_view import show
from lawng.errors import InputError
from lawng.index.passages import _without
from lawng.index.rank import Found
from lawng.schema import Filters, Span
from lawng.schema.labels import Label
from lawng.search.answer import Answer, Stance, _read
from lawng.search.filters import check_filters, passes
from lawng.search.fusion import FusionSettings, fuse, items_by_case
from lawng.search.query import MAX_CHARACTERS, claim_of, read_argument
from lawng.search.stance import choose, deciding, judge, split
from lawng.search.state import SearchSettings
from lawng.text.highlight import Highlighter
from records_support import indexed_case
from search_support import RuleModel, by_letters, hit


@pytest.mark.parametrize(
    ("argument", "phrases"),
    [
        pytest.param('A "chilling effect" on speech', ("chilling effect",), id="straight"),
        pytest.param("A “chilling \n effect” here", ("chilling effect",), id="curly, over a line"),
        pytest.param('the word "taking" alone', (), id="one word is no phrase"),
        pytest.param("the petitioner's and respondents' rights", (), id="apostrophes are no quotes"),
        pytest.param("'due process' of law", (), id="single quotes are apostrophes"),
        pytest.param('"a b" and "c d" and "a b"', ("a b", "c d"), id="each once"),
        pytest.param('a 6" pipe', (), id="a mark without a partner"),
        pytest.param('"  "', None, id="nothing"),
    ],
)
def test_quoted_phrases(argument: str, phrases: tuple[str, ...] | None) -> None:
    if phrases is None:
        with pytest.raises(InputError):
            read_argument(argument)
    else:
        assert read_argument(argument).phrases == phrases


@pytest.mark.parametrize(
    ("argument", "word"),
    [
        pytest.param("", "empty", id="empty"),
        pytest.param(" \n\t ", "empty", id="blank"),
        pytest.param("?!...", "no word", id="no word"),
        pytest.param("\x00\x01", "no word|empty", id="control characters"),
        pytest.param("a" * (MAX_CHARACTERS + 1), "10,000", id="too long"),
        pytest.param("word " * 10_000, "10,000", id="a brief"),
    ],
)
def test_arguments_that_cannot_be_read_are_refused_in_one_line(argument: str, word: str) -> None:
    with pytest.raises(InputError, match=word) as caught:
        read_argument(argument)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "argument",
    [
        "地主は借主を立ち退かせることができない",
        "Арендодатель не может выселить",
        "<script>alert('x')</script>",
        "💥 eviction \ud800 torn",
        "لا يجوز للمالك",
        "x" * MAX_CHARACTERS,
        "' OR 1=1 --",
        "(((",
    ],
)
def test_other_scripts_and_markup_are_plain_text(argument: str) -> None:
    if argument == "(((":
        argument += "a"
    query = read_argument(argument)
    assert query.text
    query.text.encode("utf-8")


def test_the_citations_of_an_argument_are_found_with_their_names() -> None:
    query = read_argument("Is Mapp v. Ohio, 367 U.S. 643, 81 S. Ct. 1684 (1961), still law? See 410 U.S., at 120.")
    first, second = query.cites
    assert first.cites == ("367 U.S. 643", "81 S. Ct. 1684")
    assert first.name.endswith("Mapp v. Ohio")
    assert second.cites == ()
    assert "367" not in query.rest([(first.start, first.end)])


@pytest.mark.parametrize(
    ("argument", "name"),
    [
        ("whether Mapp v. Ohio applies to the states", "Mapp v. Ohio"),
        ("Mapp vs. Ohio", "Mapp vs. Ohio"),
        ("as in Kestrel Mut. Ins. Co. v. Abbot, the insurer must pay", "Kestrel Mut. Ins. Co. v. Abbot"),
        (
            "the rule of Pruett Logistics, Inc. v. Hallam Casualty Co. is sound",
            "Pruett Logistics, Inc. v. Hallam Casualty Co.",
        ),
        ("under In re Gault a child has rights", "In re Gault"),
        (
            "He relied on Town of Saltmarsh v. Board of Registration of Tidal Works",
            "Town of Saltmarsh v. Board of Registration of Tidal Works",
        ),
    ],
)
def test_a_name_inside_an_argument_is_among_the_candidates(argument: str, name: str) -> None:
    assert name in {candidate.text for group in read_argument(argument).names for candidate in group}


def test_candidates_for_names_are_few_and_the_longest_comes_first() -> None:
    groups = read_argument("A B C D E F G H v. I J K L M N O P Q R " * 20).names
    assert len(groups) <= 5
    assert all(len(group) <= 49 for group in groups)
    assert all(list(map(len, spans)) == sorted(map(len, spans), reverse=True) for spans in _texts(groups))


def _texts(groups: object) -> list[list[str]]:
    return [[candidate.text for candidate in group] for group in groups]  # type: ignore[attr-defined]


@given(st.text(max_size=300))
def test_whatever_is_typed_is_read_or_refused(argument: str) -> None:
    try:
        query = read_argument(argument)
    except InputError:
        return
    assert all(query.text[name.start : name.end] for group in query.names for name in group)
    assert " ".join(query.text.split()) == query.text


RANKINGS = {
    "bm25": [Found("a#0", "a", 10.0), Found("b#0", "b", 9.0), Found("b#1", "b", 8.0)],
    "dense": [Found("c#0", "c", 0.8), Found("a#0", "a", 0.4)],
    "described-bm25": [Found("z@1", "c", 3.0), Found("z@2", "", 2.0)],
}


def test_the_fused_score_is_the_sum_of_its_shares_and_best_is_first() -> None:
    fused = fuse(RANKINGS)
    assert {case.case_id for case in fused} == {"a", "b", "c"}
    assert all(case.score == close_to(sum(case.scores.values())) for case in fused)
    assert [case.score for case in fused] == sorted((case.score for case in fused), reverse=True)
    assert all(0 <= case.score <= 1 for case in fused)


def test_further_good_passages_raise_no_case_and_a_tie_goes_by_id() -> None:
    rankings = {"bm25": [Found("a#0", "a", 5.0), Found("b#0", "b", 5.0), Found("b#1", "b", 4.0)]}
    equal = fuse(rankings)
    assert [case.case_id for case in equal] == ["a", "b"]
    assert equal[0].score == equal[1].score


def test_a_weight_of_nothing_leaves_a_ranker_out() -> None:
    fused = fuse(RANKINGS, FusionSettings({"dense": 1.0}))
    assert {case.case_id for case in fused} == {"a", "c"}
    items = items_by_case(RANKINGS, ("bm25", "dense"), FusionSettings({"bm25": 0.5, "dense": 0.5}))
    assert next(item.score for item in items["a"] if item.id == "a#0") == 0.5


TEXT = (
    "The tenancy ended in May. A landlord who evicts a tenant for complaining to the authorities, the court held in "
    "Ash v. Birch, 12 U.S. 34, retaliates. We affirm."
)


def test_the_quoted_sentence_is_the_nearest_and_exact() -> None:
    evidence = Highlighter("A landlord may not evict tenants because they complained.")
    highlights, (start, end) = evidence.look(TEXT)
    assert TEXT[start:end].startswith("A landlord who evicts")
    assert TEXT[start:end].endswith("retaliates.")
    words = [TEXT[a:b] for a, b in highlights]
    assert words == ["landlord", "evicts", "tenant", "complaining"]


def test_without_a_shared_word_the_first_sentence_is_quoted() -> None:
    assert TEXT[slice(*Highlighter("地主").look(TEXT).quoted)] == "The tenancy ended in May."
    assert Highlighter("地主").look("").quoted == (0, 0)


@given(st.text(max_size=200), st.text(max_size=400))
def test_spans_of_evidence_are_in_the_text_ascending_and_apart(argument: str, text: str) -> None:
    highlights, (start, end) = Highlighter(argument).look(text)
    assert 0 <= start <= end <= len(text)
    edges = [edge for span in highlights for edge in span]
    assert edges == sorted(edges)
    assert all(text[a:b].strip() for a, b in highlights)


HITS = [
    hit("a", ["tttt nn", "ssss nn", "nnnnnn"], ["tn"]),
    hit("b", ["ssssss n", "tt ss nnnn"], ["ss t", "nn"], score=0.6),
    hit("c", ["nnnn"], [], score=0.4),
    hit("d", [], ["tttttt"], score=0.3),
]


def test_the_premise_that_is_surest_of_a_side_decides_weighed_by_its_relevance() -> None:
    for one in judge(HITS, "argument", RuleModel(by_letters), SearchSettings()):
        judged = [(p.stance, p.score) for p in one.passages if p.stance]
        judged += [(d.stance, d.score) for d in one.descriptions if d.stance]
        assert one.stance is not None
        assert one.stance.decided in [
            stance.decided
            for stance, score in judged
            if stance.decided**4 * score == close_to(max(other.decided**4 * weight for other, weight in judged))
        ]
        decided = deciding(one)
        assert decided is not None
        assert decided.stance == one.stance
    a, b, c, d = judge(HITS, "argument", RuleModel(by_letters), SearchSettings())
    assert (a.side, b.side, c.side, d.side) == (Label.ENTAILMENT, Label.CONTRADICTION, Label.NEUTRAL, Label.ENTAILMENT)
    assert a.passages[0].passage.passage_id == a.decided_by
    assert (d.decided_by, d.words_read) == ("cl:9/0@0", 0)  # words of the describing opinion are not its own


def test_a_passage_about_something_else_does_not_decide() -> None:
    near, far = "about it", "about something else"
    one = hit("a", [near, far], score=0.5)  # the second has four fifths of the first one's relevance
    sure = {near: (0.6, 0.3, 0.1), far: (0.1, 0.28, 0.62)}
    [judged] = judge([one], "argument", RuleModel(lambda premise: sure[premise]), SearchSettings())
    assert judged.side is Label.ENTAILMENT
    surer = {near: (0.6, 0.3, 0.1), far: (0.05, 0.05, 0.9)}
    [judged] = judge([one], "argument", RuleModel(lambda premise: surer[premise]), SearchSettings())
    assert judged.side is Label.CONTRADICTION
    assert judged.passages[0].passage.text == far


def test_what_a_parenthetical_says_of_another_case_is_not_read() -> None:
    said = "We reverse. Contra Aldous, 2 F.2d 5 (allowing an enhancement of fees). No enhancement is due."
    start, end = said.index("(") - 1, said.index(")") + 1
    left = _without(said, Span(0, len(said)), [Span(start, end)])
    assert left == "We reverse. Contra Aldous, 2 F.2d 5. No enhancement is due."
    [found] = [hit("cl:1", [said])]
    one = replace(found.passages[0], passage=replace(found.passages[0].passage, searched=left))
    assert len(one.read) == len(said)
    assert one.read == said[:start] + " " * (end - start) + said[end:]
    model = RuleModel(by_letters)
    judge([replace(found, passages=[one])], "Fees are due.", model, SearchSettings())
    assert ["allowing" in premise for premise, _ in model.asked] == [False]


@given(
    st.lists(st.sampled_from(["So held", "Roe, 1 U.S. 2 (holding x)", "so (x)", "no. 5"]), min_size=1, max_size=9),
    st.data(),
)
def test_what_is_read_has_the_places_and_the_words_of_what_is_searched(parts: list[str], data: st.DataObject) -> None:
    text = ". ".join(parts) + "."
    every = [Span(m.start(), m.end()) for m in re.finditer(r" \([^)]*\)", text)]
    removed = [span for span in every if data.draw(st.booleans())]
    searched = _without(text, Span(0, len(text)), removed)
    read = _read(text, searched)
    assert len(read) == len(text)
    assert all(a in (b, " ") for a, b in zip(read, text, strict=True))
    assert re.findall(r"\w+|[^\w\s]", read) == re.findall(r"\w+|[^\w\s]", searched)


@pytest.mark.parametrize(
    "said",
    [
        "Congress may overrule Roe v. Doe.",
        "A sale does not bind, despite Roe v. Doe.",
        "A right to privacy was recognized in Roe v. Doe.",
        "A sale binds, but see Roe v. Doe.",
        "Under Roe v. Doe and its progeny, a sale binds.",
        "Under Roe v. Doe's rule, a sale binds.",
        "The facts differ from those in Roe v. Doe.",
        "Roe v. Doe binds no stranger.",
    ],
)
def test_a_case_that_is_a_part_of_the_claim_stays_in_it(said: str) -> None:
    at = said.index("Roe")
    assert claim_of(read_argument(said), [(at, at + len("Roe v. Doe"))]) == said


@pytest.mark.parametrize(
    "said",
    [
        "Roe v. Doe holds that a sale binds.",
        "In Roe v. Doe (1973), this court has held that a sale binds.",
        "Under Roe v. Doe, a sale binds.",
        "A sale binds, as was held in Roe v. Doe.",
        "A sale binds under Roe v. Doe.",
        "A sale binds (see Roe v. Doe).",
        "A sale binds. See Roe v. Doe.",
        "A sale binds. Roe v. Doe.",
    ],
)
def test_the_claim_is_what_a_case_is_said_to_hold(said: str) -> None:
    at = said.index("Roe")
    assert claim_of(read_argument(said), [(at, at + len("Roe v. Doe"))]) == "A sale binds."


def test_a_dissent_decides_only_where_nothing_else_was_judged() -> None:
    court, dissent = "the court", "a dissent"
    one = hit("a", [dissent, court], score=0.5)
    first, second = one.passages
    one = replace(one, passages=[replace(first, passage=replace(first.passage, part="dissent")), second])
    model = RuleModel(lambda premise: {court: (0.4, 0.3, 0.3), dissent: (0.05, 0.05, 0.9)}[premise])
    [judged] = judge([one], "argument", model, SearchSettings())
    assert (judged.side, judged.passages[0].passage.text) == (Label.ENTAILMENT, court)
    assert all(passage.stance for passage in judged.passages), "it is judged all the same"
    said = hit("a", [court], [dissent], score=0.5)
    of_it = [replace(d, description=replace(d.description, part="dissent")) for d in said.descriptions]
    [judged] = judge([replace(said, descriptions=of_it)], "argument", model, SearchSettings())
    assert judged.side is Label.ENTAILMENT, "what is said of the dissent does not decide either"
    [alone] = judge([replace(one, passages=one.passages[:1])], "argument", model, SearchSettings())
    assert alone.side is Label.CONTRADICTION


def test_flipping_the_labels_swaps_the_columns_exactly() -> None:
    straight = split(judge(HITS, "argument", RuleModel(by_letters), SearchSettings()))
    flipped = split(judge(HITS, "argument", RuleModel(by_letters, flipped=True), SearchSettings()))
    assert [[h.case.case_id for h in column] for column in straight] == [
        [h.case.case_id for h in column] for column in (flipped[1], flipped[0], flipped[2])
    ]


@pytest.mark.parametrize(
    ("stance", "side"),
    [
        ((0.5, 0.3, 0.2), Label.ENTAILMENT),
        ((0.2, 0.3, 0.5), Label.CONTRADICTION),
        ((0.3, 0.4, 0.3), Label.NEUTRAL),
        ((0.4, 0.4, 0.2), Label.NEUTRAL),
        ((0.5, 0.0, 0.5), Label.NEUTRAL),
    ],
)
def test_a_side_must_be_above_both_others(stance: tuple[float, float, float], side: Label) -> None:
    assert Stance(*stance, read=1.0).side is side


def test_lists_are_ordered_by_relevance_times_probability() -> None:
    sure = hit("sure", ["sure"], score=0.5)
    near = hit("near", ["near"], score=0.6)
    model = RuleModel(lambda premise: (0.9, 0.05, 0.05) if premise == "sure" else (0.6, 0.2, 0.2))
    supporting, _, _ = split(judge([near, sure], "argument", model, SearchSettings()))
    assert [h.case.case_id for h in supporting] == ["sure", "near"]
    assert supporting[0].standing == close_to(0.45)


def test_twenty_premises_are_judged_and_one_of_each_hit_at_least() -> None:
    many = [hit(f"c{n}", ["t", "n", "s"], ["d", "e"], score=1 - n / 100) for n in range(12)]
    chosen = choose(many, SearchSettings(n_judged=20, n_judged_descriptions=4))
    assert len(chosen) == 20
    assert {premise.hit for premise in chosen} == set(range(12))
    assert sum(premise.is_description for premise in chosen) <= 4
    assert len(choose(many, SearchSettings(n_judged=5))) == 12
    assert len({(premise.hit, premise.id) for premise in chosen}) == 20


def test_words_read_count_what_the_model_read() -> None:
    one = hit("a", ["one two three four", "five six"])
    [whole] = judge([one], "argument", RuleModel(by_letters), SearchSettings())
    [half] = judge([one], "argument", RuleModel(by_letters, read=0.5), SearchSettings())
    assert (whole.words_read, half.words_read) == (6, 3)
    assert whole.share_read == close_to(6 / one.case.n_words)


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (Filters(), True),
        (Filters(jurisdictions=("us",)), True),
        (Filters(jurisdictions=("mass",)), False),
        (Filters(courts=("Supreme Court",), parts=("majority",)), True),
        (Filters(parts=("dissent",)), False),
        (Filters(after="1990"), True),
        (Filters(after="1990-06-01"), True),
        (Filters(after="1991"), False),
        (Filters(before="1990-06"), True),
        (Filters(before="1989"), False),
    ],
)
def test_a_case_passes_filters_or_not(filters: Filters, expected: bool) -> None:
    assert passes(indexed_case(), filters) is expected  # of 1990, the day not known
    assert not passes(indexed_case(date=""), Filters(after="1900"))


@pytest.mark.parametrize(
    ("filters", "words"),
    [
        (Filters(after="last year"), ["after", "last year"]),
        (Filters(before="1990-13-01", parts=("opinion",)), ["before", "opinion", "majority"]),
        (Filters(after="1991", before="1990"), ["1991", "1990"]),
    ],
)
def test_every_wrong_filter_is_named(filters: Filters, words: list[str]) -> None:
    with pytest.raises(InputError) as caught:
        check_filters(filters)
    assert all(word in str(caught.value) for word in words)


def test_what_another_court_says_stands_first_where_it_decides() -> None:
    one = hit("cl:1", ["A passage of the case."], ["What a later court says."])
    for decided_by, first in (("cl:1/0#0", "A passage"), (one.descriptions[0].description.description_id, "Described")):
        console = Console(width=200, record=True)
        answer = SimpleNamespace(stance_model=None, undecided=[replace(one, decided_by=decided_by)])
        show(cast(Answer, answer), False, ["undecided"], console)
        lines = [line.strip() for line in console.export_text().splitlines()]
        assert (
            next(line for line in lines if line.startswith(("“A passage", "Described"))).lstrip("“").startswith(first)
        )
