"""Search over an index of the bundled sample, as a function and from the command line."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from encoder_support import HashingEncoder
from floats_support import close_to
from lawng.cli import app
from lawng.errors import ConfigError, InputError, MissingError
from lawng.index.reader import Index
from lawng.index.writer import index_corpus
from lawng.models.pairs import stance_model
from lawng.models.rerank import search_reranker
from lawng.schema import Filters
from lawng.schema.labels import Label
from lawng.search import Answer, Searcher, SearchSettings
from lawng.search.answer import LISTS
from lawng.search.hits import ONLY_NAMES
from lawng.search.query import MAX_CHARACTERS
from lawng.search.searcher import NO_STANCE, NOT_DECIDED, QUESTION, UNREAD
from lawng.text.phrases import occurs
from openai_support import MODEL, between, endpoint
from retrieval_support import sample_cases, write_corpus
from search_support import ENCODER, RuleModel, by_hash

RUNNER = CliRunner()
TIP = "A tip from an unnamed caller is not enough for the police to stop a car."
ARGUMENTS = (
    TIP,
    "A landlord may not evict a tenant in retaliation for a complaint.",
    "A court may not certify a class on the complaint alone.",
    "Whether a lawyer who hands over letters by accident waives the privilege",
    "The insurer's duty to defend is broader than its duty to pay",
)


@pytest.fixture(scope="session")
def index(sample_place: Path) -> Iterator[Index]:
    opened = Index.open(sample_place, ENCODER)
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def plain(index: Index) -> Iterator[Searcher]:
    searcher = Searcher(index)
    yield searcher
    searcher.close()


def judging(index: Index, **changes: Any) -> Searcher:
    return Searcher(index, RuleModel(by_hash, **changes))


def timeless(answer: Answer) -> Answer:
    return replace(answer, seconds={})


@pytest.mark.parametrize("argument", ARGUMENTS)
def test_every_span_is_in_its_text_and_every_score_in_order(plain: Searcher, argument: str) -> None:
    answer = plain.search(argument, k=10)
    assert len(answer.unjudged) == 10
    assert [hit.score for hit in answer.unjudged] == sorted((hit.score for hit in answer.unjudged), reverse=True)
    for hit in answer.hits:
        assert hit.score == close_to(sum(hit.scores.values()))
        assert hit.passages
        assert 0 < hit.score <= 1
        for one in hit.passages:
            assert one.passage.case_id == hit.case.case_id
            start, end = one.quoted
            assert 0 <= start < end <= len(one.passage.text)
            assert one.passage.text[start:end] == one.passage.text[start:end].strip()
            assert all(one.passage.text[a:b].isalnum() or "'" in one.passage.text[a:b] for a, b in one.highlights)
        assert all(one.description.case_id == hit.case.case_id for one in hit.descriptions)


def test_quoted_words_are_the_opinions_own(plain: Searcher, index: Index) -> None:
    for one in (one for hit in plain.search(TIP).hits for one in hit.passages):
        text = index.opinion(one.passage.opinion_id).text
        a, b = one.quoted
        assert text[one.passage.start + a : one.passage.start + b] == one.passage.text[a:b]


def test_the_same_question_has_the_same_answer_in_many_threads(plain: Searcher, index: Index) -> None:
    expected = [timeless(plain.search(argument)) for argument in ARGUMENTS]
    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(plain.search, ARGUMENTS * 4))
    assert [timeless(answer) for answer in found] == expected * 4
    other = Searcher(index)
    assert timeless(other.search(TIP)) == expected[0]
    other.close()


def test_without_a_model_nothing_is_judged_and_a_note_says_so(plain: Searcher) -> None:
    answer = plain.search(TIP)
    assert [*answer.supporting, *answer.refuting, *answer.undecided] == []
    assert answer.stance_model is None
    assert NO_STANCE in answer.notes
    assert all(hit.stance is None and hit.decided_by == "" and hit.words_read == 0 for hit in answer.hits)
    assert all(one.stance is None for hit in answer.hits for one in hit.passages)


@pytest.mark.parametrize("argument", ARGUMENTS)
def test_with_a_model_every_case_is_on_one_side_and_flipping_it_swaps_the_columns(index: Index, argument: str) -> None:
    straight, flipped = judging(index).search(argument), judging(index, flipped=True).search(argument)
    assert not straight.unjudged
    assert [hit.side for hit in straight.supporting] == [Label.ENTAILMENT] * len(straight.supporting)
    assert [hit.side for hit in straight.refuting] == [Label.CONTRADICTION] * len(straight.refuting)
    assert len(straight.hits) == 10
    assert straight.supporting or straight.refuting
    for mine, other in (("supporting", "refuting"), ("refuting", "supporting"), ("undecided", "undecided")):
        assert [h.case for h in getattr(straight, mine)] == [h.case for h in getattr(flipped, other)]
        assert [h.decided_by for h in getattr(straight, mine)] == [h.decided_by for h in getattr(flipped, other)]


def test_the_model_reads_at_least_a_passage_of_each_case_and_twenty_in_all(index: Index) -> None:
    searcher = judging(index)
    answer = searcher.search(TIP, k=10)
    asked = searcher.stance.asked  # type: ignore[union-attr]
    assert len(asked) == 20
    assert {hypothesis for _, hypothesis in asked} == {TIP}
    assert all(hit.stance and hit.decided_by for hit in answer.hits)
    assert all(hit.words_read > 0 for hit in answer.hits)
    judged = {one.read for hit in answer.hits for one in hit.passages if one.stance}
    judged |= {one.description.text for hit in answer.hits for one in hit.descriptions if one.stance}
    assert {premise for premise, _ in asked} == judged
    assert len(searcher.search(TIP, k=30).hits) == 30


def test_an_argument_that_fills_the_models_window_is_searched_and_not_judged(index: Index) -> None:
    class Small(RuleModel):
        def judge(self, premises: Sequence[str], hypotheses: Sequence[str]) -> Any:
            raise InputError("small: an argument of 600 tokens leaves no room for a premise")

    answer = Searcher(index, Small(by_hash)).search(TIP)
    assert len(answer.unjudged) == 10
    assert answer.stance_model is None
    assert any("600 tokens" in note for note in answer.notes)


@pytest.mark.parametrize(
    ("argument", "asks"),
    [
        ("May police search a bag? 392 U.S. 1.", True),
        ("can a landlord evict a tenant for complaining", True),
        ("Does an anonymous tip suffice", True),
        ("Is it enough that a caller gives no name (or a false one)?)", True),
        ("Whether a tip is reliable is a question of law.", False),
        ("When an officer has no warrant, the search is unreasonable.", False),
        ("Canned goods are goods.", False),
        ("Does v. Advanced Textile Corp. lets plaintiffs use pseudonyms.", False),
        ("Does 1-10 may be served by email.", False),
        ("CAN SPAM Act preempts state law", False),
        ("can be waived by conduct", False),
        ("may a landlord evict a tenant in retaliation", True),
        ("Do police need a warrant to search a bag", True),
        ("must the State prove intent", True),
        ("Will they be heard", True),
        ("may evict a tenant who does not pay", False),
        ("must prove intent beyond a doubt", False),
        ("Will contests are heard by probate courts.", False),
        ("Do not resuscitate orders bind physicians.", False),
        ("Does a dog sniff search a bag? No. A dog sniff is not a search.", False),
        ("The test is ‘would a reasonable person feel free to leave?’", False),
        ("Must-carry rules are content neutral.", False),
        ("Has-been celebrities are public figures.", False),
    ],
)
def test_a_question_has_no_side(index: Index, argument: str, asks: bool) -> None:
    model = RuleModel(by_hash)
    answer = Searcher(index, model).search(argument)
    assert bool(model.asked) is not asks
    assert (QUESTION in answer.notes) is asks


@pytest.mark.parametrize("frame", ["{} holds that {}", "In {}, the Court held that {}", "{1}, as held in {0}."])
def test_a_case_that_is_named_is_no_part_of_what_is_judged(index: Index, plain: Searcher, frame: str) -> None:
    name = plain.search(TIP).unjudged[0].case.name
    said = frame.format(name, TIP[0].lower() + TIP[1:-1]).removesuffix(".") + "."
    model = RuleModel(by_hash)
    answer = Searcher(index, model).search(said)
    assert {hypothesis for _, hypothesis in model.asked} == {TIP}
    assert [hit.case.name for hit in answer.named] == [name]
    assert answer.argument == said


@pytest.mark.parametrize("argument", ["Арендодатель не может выселить жильца за жалобу.", "房東不得驅逐投訴的房客"])
def test_what_no_model_here_can_read_is_put_on_no_side(index: Index, argument: str) -> None:
    model = RuleModel(by_hash)
    answer = Searcher(index, model).search(argument)
    assert model.asked == []
    assert UNREAD in answer.notes
    assert not answer.supporting + answer.refuting


@pytest.mark.parametrize(
    "frame",
    ["{0} (en banc) (holding that {1}).", "See {0} (expressly holding that {1})", "{2} {0} (holding that {1})."],
)
def test_what_a_parenthetical_says_of_a_case_is_judged_where_nothing_else_is_said(
    index: Index, plain: Searcher, frame: str
) -> None:
    case = plain.search(TIP).unjudged[0].case
    model = RuleModel(by_hash)
    cited = f"{case.name}, {case.citations[0]} ({case.date[:4]})"
    said = frame.format(cited, TIP[0].lower() + TIP[1:-1], TIP)
    answer = Searcher(index, model).search(said)
    assert {hypothesis for _, hypothesis in model.asked} == {TIP}
    assert ONLY_NAMES not in answer.notes
    assert [hit.case.name for hit in answer.named] == [case.name]


def test_a_case_name_is_not_judged_as_if_it_said_something(index: Index, plain: Searcher) -> None:
    name = plain.search(TIP).unjudged[0].case.name
    model = RuleModel(by_hash)
    answer = Searcher(index, model).search(name)
    assert model.asked == []
    assert [hit.case.name for hit in answer.named] == [name]
    assert answer.named[0].stance is None
    assert answer.notes.count(ONLY_NAMES) == 1


def test_what_could_not_be_read_is_told_from_what_is_beside_the_point(index: Index) -> None:
    hits = Searcher(index, RuleModel(lambda _: (1e-9, 1.0, 1e-9), read=0.0)).search(TIP).undecided
    assert {hit.why_undecided for hit in hits} == {"the model gave no answer that could be read"}
    hits = Searcher(index, RuleModel(lambda _: (0.1, 0.8, 0.1))).search(TIP).undecided
    assert {hit.why_undecided for hit in hits} == {"most likely neither"}


def test_a_frame_has_the_words_and_the_probability_of_the_side(index: Index) -> None:
    plain = Searcher(index).search(TIP, k=5)
    said = {one.description.text for hit in plain.hits for one in hit.descriptions if one.score}

    def rule(premise: str) -> tuple[float, float, float]:
        return (0.9, 0.04, 0.06) if premise in said else by_hash(premise)

    answer = Searcher(index, RuleModel(rule)).search(TIP, k=5)
    frame = answer.to_pandas().set_index("case_id")
    by_description = 0
    for hit in answer.hits:
        row = frame.loc[hit.case.case_id]
        assert hit.stance
        assert row["probability"] == close_to(getattr(hit.stance, str(row["side"])))
        told = {one.description.description_id: one.description for one in hit.descriptions}.get(hit.decided_by)
        by_description += told is not None
        best = hit.passages[0]
        assert row["passage"] == (told.text if told else best.quoted_text)
        assert row["opinion_id"] == (told.citing_opinion_id if told else best.passage.opinion_id)
        assert told or best.passage.passage_id == hit.decided_by
    assert by_description


def test_what_is_far_is_far_among_what_passes_the_filters(plain: Searcher) -> None:
    far = "Quarterly dividends of a Delaware bank are taxed as hydroponic melons."
    said = "is near the argument by meaning"
    notes = [plain.search(far, filters).warnings for filters in (Filters(), Filters(jurisdictions=("us",)))]
    if any(said in line for line in notes[1]):
        assert any(line.startswith("Nothing that passes the filters is near") for line in notes[1])
    assert not any("passes the filters" in line for line in notes[0])


def test_a_case_that_lacks_the_phrase_asked_of_it_is_told(plain: Searcher) -> None:
    case_id = plain.search(TIP).unjudged[0].case.case_id
    answer = plain.search('They spoke of "purple elephants dancing" there.', cases=[case_id])
    assert not answer.hits
    assert "1 case(s) that were asked for have no passage with every quoted phrase." in answer.notes
    assert not any("Nothing in this index is near" in note for note in answer.notes)


def test_who_looks_deeper_encodes_once(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    times: list[str] = []
    encode = type(index).encode

    def counted(self: Index, text: str) -> Any:
        times.append(text)
        return encode(self, text)

    monkeypatch.setattr(type(index), "encode", counted)
    monkeypatch.setattr("lawng.search.searcher.too_few", lambda state: state.deeper == 1)
    answer = Searcher(index).search(TIP, good_law=True)
    assert len(times) == 1
    assert answer.hits
    assert 0 < answer.seconds["rank"] < answer.seconds["total"]


def test_a_closed_search_says_so(index: Index) -> None:
    searcher = Searcher(index)
    searcher.close()
    with pytest.raises(InputError, match="closed; open it again"):
        searcher.search(TIP)


def test_a_quoted_phrase_occurs_in_every_hit(plain: Searcher) -> None:
    phrase = "reasonable suspicion"
    answer = plain.search(f'the police had "{phrase}" to stop the car', k=20)
    assert answer.phrases == [phrase]
    assert 0 < answer.n_passages < 100
    assert answer.hits
    for hit in answer.hits:
        texts = [one.passage.text for one in hit.passages] + [one.description.text for one in hit.descriptions]
        assert any(occurs(phrase, text) for text in texts)


def test_a_phrase_that_no_passage_has_finds_nothing_and_says_so(plain: Searcher) -> None:
    answer = plain.search('the "purple suspicion" of the police')
    assert (answer.hits, answer.n_cases) == ([], 0)
    assert any("purple suspicion" in note for note in answer.notes)


@pytest.mark.parametrize(
    "filters",
    [
        Filters(jurisdictions=("mass",)),
        Filters(courts=("Illinois Supreme Court",), after="2000"),
        Filters(before="1995-05-09"),
        Filters(after="1995-05-09", before="2001"),
        Filters(parts=("dissent",)),
        Filters(jurisdictions=("us",), parts=("concurrence", "dissent")),
    ],
)
def test_filters_hold_for_every_hit(plain: Searcher, filters: Filters) -> None:
    answer = plain.search("the court erred", filters, k=50)
    assert answer.hits
    assert answer.n_cases >= len(answer.hits)
    for hit in answer.hits:
        assert not filters.jurisdictions or hit.case.jurisdiction in filters.jurisdictions
        assert not filters.courts or hit.case.court in filters.courts
        assert hit.case.date >= filters.after
        assert not filters.before or hit.case.date[: len(filters.before)] <= filters.before
        assert all(not filters.parts or one.passage.part in filters.parts for one in hit.passages)


def test_a_case_without_the_part_that_is_asked_for_is_no_hit_for_what_others_say_of_it(
    index: Index, tmp_path: Path
) -> None:
    [said] = index.descriptions_of(index.cases_by_cite("1801 F.3d 411"), 1).values()
    cases = [
        (case, [replace(one, type="combined") if case.case_id == said[0].case_id else one for one in opinions])
        for case, opinions in sample_cases()
    ]
    place = tmp_path / "index"
    index_corpus(write_corpus(tmp_path / "corpus", cases), place, HashingEncoder())
    searcher = Searcher(Index.open(place, HashingEncoder()))
    for filters, there in (
        (Filters(), True),
        (Filters(parts=("combined",)), True),
        (Filters(parts=("majority",)), False),
    ):
        hits = searcher.search(said[0].text, filters).hits
        assert hits
        assert (said[0].case_id in {hit.case.case_id for hit in hits}) is there, filters.parts


def test_a_filter_that_matches_nothing_is_told_from_a_search_that_finds_nothing(plain: Searcher) -> None:
    answer = plain.search(TIP, Filters(courts=("Court of Mars",)))
    assert (answer.hits, answer.n_cases, answer.n_passages) == ([], 0, 0)
    assert "No case of this index passes the filters." in answer.notes


@pytest.mark.parametrize(
    ("argument", "how"),
    [
        ("1801 F.3d 411", "citation"),
        ("1801 F. 3d 411", "citation"),
        ("Does 1801 F.3d 411 (1st Cir. 1998) let the police search a bag?", "citation"),
        ("United States v. Ostrander", "name"),
        ("united states vs ostrander", "name"),
        ("May a bag be searched under United States v. Ostrander without consent?", "name"),
        ('"United States v. Ostrander"', "name"),
    ],
)
def test_a_case_that_is_cited_or_named_comes_first(plain: Searcher, index: Index, argument: str, how: str) -> None:
    answer = plain.search(argument)
    assert [hit.case.name for hit in answer.named] == ["United States v. Ostrander"]
    assert answer.hits[0].found_by[0] == how
    assert answer.hits[0].passages
    assert [hit.case.case_id for hit in answer.hits].count(answer.named[0].case.case_id) == 1
    assert answer.phrases == []


@pytest.mark.parametrize("argument", ["1801 F.3d 411", "United States v. Ostrander", "What of 1801 F.3d 411?"])
def test_an_argument_that_only_names_cases_finds_them_alone_and_says_so(plain: Searcher, argument: str) -> None:
    answer = plain.search(argument)
    assert [hit.case.name for hit in answer.hits] == ["United States v. Ostrander"]
    assert any("only names" in note for note in answer.notes)


def test_a_name_of_two_cases_finds_both_and_says_so(plain: Searcher) -> None:
    answer = plain.search("Midland Casualty Co. v. Ferrante")
    assert [hit.case.name for hit in answer.named] == ["Midland Casualty Co. v. Ferrante"] * 2
    assert any("2 cases" in note for note in answer.notes)


@pytest.mark.parametrize(
    ("argument", "name"),
    [
        ("Zorn v. Blarg", "Zorn v. Blarg"),
        ("Under Zorn v. Blarg a tip is not enough for a stop", ""),
        ("Title V of the Clean Air Act", ""),
        ("United States v. Ostrander and Zorn v. Blarg", ""),
        ("United States v. Zorn Bros.", "United States v. Zorn Bros"),
        ("In re Zorn", "In re Zorn"),
        ("United States v. Ostrander is about tips", ""),
        ("Zorn v. Blarg, 1801 F.3d 411 is about tips", ""),
        ("a tip is not enough", ""),
    ],
)
def test_a_name_that_is_not_there_is_a_fact(plain: Searcher, argument: str, name: str) -> None:
    said = [note for note in plain.search(argument).notes if note.startswith("No case of this index")]
    assert said == ([f"No case of this index is called exactly {name}."] if name else [])


def test_a_citation_that_is_not_there_is_a_fact_and_the_search_goes_on(plain: Searcher) -> None:
    answer = plain.search("999 U.S. 1 says that a tip is not enough")
    assert answer.named == []
    assert "The citation 999 U.S. 1 is not in this index." in answer.notes
    assert answer.unjudged


@pytest.mark.parametrize("argument", ["410 U.S. 113", "See 410 U.S. 113 (1973)."])
def test_of_nothing_but_a_citation_that_is_not_there_nothing_is_found(plain: Searcher, argument: str) -> None:
    found = plain.search(argument)
    assert not any(hits for _, hits in found.lists())
    assert "The citation 410 U.S. 113 is not in this index." in found.notes


def test_filters_hold_for_cases_that_are_asked_for_too(plain: Searcher, index: Index) -> None:
    (case_id,) = index.cases_by_cite("901 Mass. 12")
    assert [hit.case.case_id for _, hits in plain.search(TIP, cases=[case_id]).lists() for hit in hits] == [case_id]
    found = plain.search(TIP, Filters(jurisdictions=("us",)), cases=[case_id])
    assert not any(hits for _, hits in found.lists())
    assert any("does not pass the filters" in note for note in found.notes)
    assert not any("is near the argument" in note for note in found.notes), "others are, and were not asked"


def test_another_name_beside_a_citation_is_stated(plain: Searcher) -> None:
    right = plain.search("In United States v. Ostrander, 1801 F.3d 411, the bag was searched")
    wrong = plain.search("In Roe v. Wade, 1801 F.3d 411, the bag was searched")
    assert not any("Name differs" in note for note in right.notes)
    assert any("Name differs: 1801 F.3d 411 is United States v. Ostrander" in note for note in wrong.notes)


def test_a_named_case_that_filters_exclude_is_left_out_and_noted(plain: Searcher) -> None:
    answer = plain.search("United States v. Ostrander", Filters(jurisdictions=("mass",)))
    assert all(hit.case.jurisdiction == "mass" for hit in answer.hits)
    assert any("does not pass the filters" in note for note in answer.notes)


def test_a_description_that_is_left_out_is_nowhere(plain: Searcher) -> None:
    [first, *_] = [one for hit in plain.search(TIP).hits for one in hit.descriptions if one.score > 0]
    left = first.description.description_id
    asked = plain.search(first.description.text)
    assert left in {one.description.description_id for hit in asked.hits for one in hit.descriptions}
    without = plain.search(first.description.text, k=50, leave_out=[left])
    assert left not in {one.description.description_id for hit in without.hits for one in hit.descriptions}


@pytest.mark.parametrize(
    "argument",
    [
        pytest.param("x" * (MAX_CHARACTERS - 1), id="9,999 characters of one word"),
        pytest.param(("the police may not stop a car " * 400)[: MAX_CHARACTERS - 1], id="9,999 characters"),
        pytest.param("地主は借主を立ち退かせることができない", id="Japanese"),
        pytest.param("<script>alert(1)</script> <img onerror=x>", id="markup"),
        pytest.param("O'Brien'; DROP TABLE cases; --", id="SQL"),
        pytest.param('a AND NOT (b OR "c") ~ ^ * \\ : + - ! { } [ ]', id="query syntax"),
        pytest.param("the of and", id="stop words"),
        pytest.param("\ud800 torn", id="lone surrogate"),
        pytest.param('"' * 50 + "a", id="quotation marks"),
    ],
)
def test_whatever_the_argument_there_is_an_answer(plain: Searcher, argument: str) -> None:
    answer = plain.search(argument, k=3)
    assert len(answer.hits) <= 3
    assert json.dumps(answer.to_rows())


def test_a_long_argument_is_said_to_be_cut_for_the_encoder_only(plain: Searcher) -> None:
    long = plain.search(("the police may not stop a car " * 300)[: MAX_CHARACTERS - 1])
    assert any("beginning" in note for note in long.notes)
    assert not any("beginning" in note for note in plain.search(TIP).notes)


@pytest.mark.parametrize("k", [0, -1, 1001])
def test_a_number_of_cases_out_of_range_is_refused(plain: Searcher, k: int) -> None:
    with pytest.raises(InputError, match="1 to 1000"):
        plain.search(TIP, k=k)


def test_more_cases_than_there_are_gives_all_that_match_once(plain: Searcher) -> None:
    answer = plain.search(TIP, k=1000)
    ids = [hit.case.case_id for hit in answer.hits]
    assert len(ids) == len(set(ids)) <= answer.n_cases == 50


def test_rows_have_every_hit_with_list_rank_and_quotation(index: Index) -> None:
    answer = judging(index).search(f"{TIP} United States v. Ostrander")
    found = answer.to_rows()
    assert len(found) == len(answer.hits)
    assert found[0]["list"] == "named"
    for name in LISTS:
        assert [row["rank"] for row in found if row["list"] == name] == list(range(1, len(getattr(answer, name)) + 1))
    for row in json.loads(json.dumps(found)):
        for one in row["passages"]:
            assert one["passage"]["text"][slice(*one["quoted"])] == one["quoted_text"]


def test_settings_bound_what_is_shown(index: Index) -> None:
    searcher = Searcher(index, settings=SearchSettings(n_passages=1, n_descriptions=0))
    assert all(len(hit.passages) == 1 and not hit.descriptions for hit in searcher.search(TIP).hits)
    searcher.close()


@pytest.fixture
def offline(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The command line finds the index's encoder, and no stance model in the default place."""
    monkeypatch.setattr("lawng.index.reader.search_embedder", lambda name: ENCODER)
    monkeypatch.setenv("LAWNG_STANCE_MODEL", str(tmp_path / "none"))


@pytest.fixture
def modelled(offline: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lawng.models.pairs.pair_model", lambda name, **_: RuleModel(by_hash, name=name))


@pytest.mark.usefixtures("offline")
def test_the_table_reads_well(sample_place: Path) -> None:
    run = RUNNER.invoke(app, ["search", str(sample_place), TIP, "-k", "3", "--explain"], env={"COLUMNS": "120"})
    assert run.exit_code == 0, run.output
    assert "Cases found (stance not judged) (3)" in run.stdout
    assert "Described so by" in run.stdout
    assert "bm25" in run.stdout
    assert NO_STANCE in run.stderr
    assert "leave out --model none" in run.stderr
    assert "Next: lawng serve" in run.stderr


@pytest.mark.usefixtures("offline")
def test_json_lines_are_whole_and_standard_input_is_read(sample_place: Path) -> None:
    run = RUNNER.invoke(app, ["search", str(sample_place), "-", "-k", "4", "--to", "jsonl"], input=TIP)
    rows = [json.loads(line) for line in run.stdout.splitlines()]
    assert [(row["list"], row["rank"]) for row in rows] == [("unjudged", n) for n in range(1, 5)]
    assert set(rows[0]) >= {"case", "score", "passages", "descriptions", "stance", "share_read", "found_by"}


@pytest.mark.usefixtures("modelled")
def test_a_question_is_not_told_to_take_a_model(sample_place: Path) -> None:
    run = RUNNER.invoke(app, ["search", str(sample_place), "Is the tip enough?", "--model", "m"])
    assert "A question has no side" in run.stderr
    assert "leave out --model none" not in run.stderr


@pytest.mark.usefixtures("modelled")
def test_one_list_only_can_be_asked_for(sample_place: Path) -> None:
    def lists(*options: str) -> set[str]:
        command = ["search", str(sample_place), TIP, "--to", "jsonl", "--model", "m", *options]
        return {json.loads(line)["list"] for line in RUNNER.invoke(app, command).stdout.splitlines()}

    both = lists()
    assert {"supporting", "refuting"} <= both
    assert lists("--supporting") == {"supporting"}
    assert lists("--refuting") == {"refuting"}
    table = RUNNER.invoke(app, ["search", str(sample_place), TIP, "--model", "m"], env={"COLUMNS": "100"}).stdout
    assert table.index("Supporting (") < table.index("Refuting (")
    assert "Judged by" in table
    assert "words read" in table


def test_a_language_model_sorts_the_cases(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    with endpoint(monkeypatch) as place:
        place.logprobs, place.answer = False, lambda prompt: "contradiction" if "tip" in prompt else "entailment"
        monkeypatch.setenv("OPENAI_BASE_URL", place.url)
        answer = Searcher(index, stance_model(f"openai:{MODEL}")).search(TIP)
        assert answer.stance_model == f"openai:{MODEL}"
        assert len(answer.refuting) == 10, "each has the argument in it"
        assert {TIP} == {between("statement", one["messages"][0]["content"]) for one in place.requests}
        assert 10 <= len(place.requests) <= 20
        waited_for = Searcher(index, stance_model(f"openai:{MODEL}"))
        with ThreadPoolExecutor(1) as pool, waited_for._stance_lock:  # as when a re-ranker works
            assert len(pool.submit(waited_for.search, TIP).result(timeout=60).refuting) == 10, "and nobody waits for it"
        place.script = ["400"] * 99
        refused = Searcher(index, stance_model(f"openai:{MODEL}")).search(TIP)
        place.script = ["401"] * 99
        keyless = Searcher(index, stance_model(f"openai:{MODEL}")).search(TIP)
    for failed in (refused, keyless):
        assert (len(failed.unjudged), failed.stance_model) == (10, None), "found all the same"
        assert any(note.startswith("The stance was not judged: ") for note in failed.notes)


def test_a_language_model_that_re_ranks_holds_nobody_up_and_takes_nothing_down(
    index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    with endpoint(monkeypatch) as place:
        place.answer = lambda prompt: "5" if "tip" in prompt else "1"
        monkeypatch.setenv("OPENAI_BASE_URL", place.url)
        ranker = search_reranker(f"openai:{MODEL}")
        searcher = Searcher(index, RuleModel(by_hash), reranker=ranker)
        with ThreadPoolExecutor(1) as pool, searcher._stance_lock:
            ranked = pool.submit(Searcher(index, reranker=ranker).search, TIP).result(timeout=60)
            assert ranked.reranker
        asked = len(place.requests)
        assert searcher.search(TIP, judged=False).reranker is None
        assert len(place.requests) == asked, "who only looks whether it lives pays for no answer"
        place.script = ["503"] * 999
        failed = searcher.search(TIP)
    assert len(failed.hits) == 10
    assert failed.stance_model
    assert any(note.startswith(NOT_DECIDED) for note in failed.notes)


@pytest.mark.usefixtures("offline")
@pytest.mark.parametrize(
    ("arguments", "kind", "words"),
    [
        pytest.param(["x" * 50_000], InputError, "10,000", id="too long"),
        pytest.param([""], InputError, "empty", id="empty"),
        pytest.param([TIP, "--after", "soon"], InputError, "soon", id="date"),
        pytest.param([TIP, "--part", "footnote"], InputError, "footnote", id="part"),
        pytest.param([TIP, "--court", "Mars"], InputError, "Mars", id="court"),
        pytest.param([TIP, "--refuting"], InputError, "--model", id="side without a model"),
    ],
)
def test_bad_input_is_one_line(sample_place: Path, arguments: list[str], kind: type[Exception], words: str) -> None:
    run = RUNNER.invoke(app, ["search", str(sample_place), *arguments])
    assert isinstance(run.exception, kind)
    assert words in str(run.exception)
    assert "\n" not in str(run.exception)
    assert run.stdout == ""


def test_an_index_that_is_not_there_is_named(tmp_path: Path) -> None:
    run = RUNNER.invoke(app, ["search", str(tmp_path / "none"), TIP])
    assert isinstance(run.exception, MissingError)
    assert "lawng index" in str(run.exception)


def test_a_foreign_encoder_is_refused_with_both_names(sample_place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigError, match=r"another.*hashing|hashing.*another"):
        Index.open(sample_place, HashingEncoder("another"))


def test_a_part_of_a_courts_name_will_do(sample_place: Path, offline: None) -> None:
    run = RUNNER.invoke(app, ["search", str(sample_place), TIP, "--court", "first circuit", "--to", "jsonl"])
    courts = {json.loads(line)["case"]["court"] for line in run.stdout.splitlines()}
    assert courts == {"United States Court of Appeals for the First Circuit"}


def test_importing_search_is_light() -> None:
    import subprocess

    code = "import sys, lawng.search; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"torch", "lancedb", "transformers", "eyecite"} & set(run.stdout.split())
