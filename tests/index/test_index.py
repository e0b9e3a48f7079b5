"""An index answers: rankers, filters before ranking, phrases, and what is known of cases, opinions and citations."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from pathlib import Path

import pytest

import records_support
from encoder_support import HashingEncoder
from floats_support import close_to
from lawng.errors import ConfigError, InputError
from lawng.index import rank as ranks
from lawng.index.descriptions import CITING, DESCRIPTION_KINDS
from lawng.index.passages import DESCRIBING
from lawng.index.rank import Found
from lawng.index.reader import Counts, Index
from lawng.index.tables import shown_name
from lawng.index.where import where
from lawng.index.writer import index_corpus
from lawng.models.protocols import Embedder
from lawng.schema import Description, Filters, Passage
from lawng.text.phrases import occurs
from retrieval_support import sample_cases, sample_corpus
from search_support import ENCODER

QUERY = "the landlord must repair the premises before the rent is due"
ALL = 10_000
Ranker = Callable[[int, Filters], list[Found]]
Fetcher = Callable[[Iterable[str]], Mapping[str, Passage | Description]]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    place = tmp_path_factory.mktemp("index") / "index"
    result = index_corpus(sample_corpus(), place, HashingEncoder())
    assert (result.n_added, result.n_skipped) == (50, 0)
    index = Index.open(place, HashingEncoder())
    yield index
    index.close()


def test_a_closed_index_says_so(index: Index) -> None:
    other = Index.open(index.place, HashingEncoder())
    other.close()
    with pytest.raises(InputError, match="the index is closed; open it again"):
        other.match_passages("a tax", 3)


def test_what_is_in_it_adds_up(index: Index) -> None:
    cases = sample_cases()
    info = index.info
    assert (info.n_cases, info.n_opinions) == (len(cases), sum(len(opinions) for _, opinions in cases))
    assert info.n_passages == sum(len(index.passages_of(o.opinion_id)) for _, opinions in cases for o in opinions)
    assert index.count() == Counts(info.n_cases, info.n_passages)
    ids = [case.case_id for case, _ in cases]
    described = index.descriptions_of(ids, ALL, DESCRIPTION_KINDS)
    assert sum(map(len, described.values())) == info.n_descriptions > 400
    parentheticals = index.descriptions_of(ids, ALL)
    assert {d.kind for found in parentheticals.values() for d in found} == set(DESCRIBING)
    assert info.n_shortened == 0


def test_opinions_come_back_as_they_were(index: Index) -> None:
    for case, opinions in sample_cases():
        assert index.cases([case.case_id])[case.case_id].opinions == [o.opinion_id for o in opinions]
        assert all(index.opinion(opinion.opinion_id) == opinion for opinion in opinions)


def test_bm25_finds_by_words_and_cosine_is_exact(index: Index) -> None:
    found = index.match_passages(QUERY, 20)
    assert len(found) == 20
    assert found == sorted(found, key=lambda f: (-f.score, f.id))
    best = index.passages([found[0].id])[found[0].id]
    assert {"landlord", "repair"} & set(best.searched.lower().split())
    vector = index.encode(QUERY)
    nearest = index.near_passages(vector, 20)
    texts = {i: p.searched for i, p in index.passages([f.id for f in index.near_passages(vector, ALL)]).items()}
    by_hand = {i: float(index.encode(text) @ vector) for i, text in texts.items()}
    assert [by_hand[f.id] for f in nearest] == close_to(sorted(by_hand.values(), reverse=True)[:20])
    assert [f.score for f in nearest] == close_to([by_hand[f.id] for f in nearest])


def test_a_description_finds_the_described_case_and_can_be_left_out(index: Index) -> None:
    some = index.descriptions([f.id for f in index.match_descriptions("holding", 40)])
    assert some
    for description in some.values():
        found = index.match_descriptions(description.text, 1)
        assert found[0].case_id == description.case_id != description.citing_case_id
        without = index.match_descriptions(description.text, ALL, leave_out=[description.description_id])
        assert description.description_id not in {f.id for f in without}
        near = index.near_descriptions(index.encode(description.text), ALL, leave_out=[description.description_id])
        assert description.description_id not in {f.id for f in near}


@pytest.mark.parametrize("query", ["", "?!", "   ", "zzzzqqq", "法院认为", "' OR 1=1 --", '"', "a AND (", "\x00"])
def test_queries_without_a_known_word_find_nothing_and_odd_ones_do_no_harm(index: Index, query: str) -> None:
    assert all(f.score > 0 for f in index.match_passages(query, 5))
    assert index.match_passages("zzzzqqq", 5) == []
    assert index.match_passages(QUERY, 0) == []


FILTERS = [
    pytest.param(Filters(jurisdictions=("mass",)), id="jurisdiction"),
    pytest.param(Filters(courts=("Illinois Supreme Court", "Nowhere")), id="court"),
    pytest.param(Filters(after="1995", before="2005-06-30"), id="dates"),
    pytest.param(Filters(parts=("dissent", "concurrence")), id="parts"),
    pytest.param(Filters(jurisdictions=("us",), after="2000", parts=("majority",)), id="all"),
]


def passes(filters: Filters, row: Passage | Description) -> bool:
    day = row.date
    return (
        (not filters.jurisdictions or row.jurisdiction in filters.jurisdictions)
        and (not filters.courts or row.court in filters.courts)
        and (not filters.parts or row.part in filters.parts)
        and (not filters.after or day >= filters.after)
        and (not filters.before or day[: len(filters.before)] <= filters.before)
    )


@pytest.mark.parametrize("filters", FILTERS)
def test_filters_work_before_ranking(index: Index, filters: Filters) -> None:
    vector = index.encode(QUERY)
    rankers: list[tuple[Ranker, Fetcher]] = [
        (lambda k, f: index.match_passages(QUERY, k, f), index.passages),
        (lambda k, f: index.near_passages(vector, k, f), index.passages),
        (lambda k, f: index.match_descriptions(QUERY, k, f), index.descriptions),
        (lambda k, f: index.near_descriptions(vector, k, f), index.descriptions),
    ]
    for rank, fetch in rankers:
        every = rank(ALL, Filters())
        records = fetch([f.id for f in every])
        kept = [f for f in every if passes(filters, records[f.id])]
        assert kept or fetch == index.descriptions  # a dissent is seldom described
        assert rank(10, filters) == kept[:10]


@pytest.mark.parametrize("filters", FILTERS)
def test_counting_agrees_with_the_filters(index: Index, filters: Filters) -> None:
    passages = index.passages([f.id for f in index.near_passages(index.encode(QUERY), ALL)])
    kept = [p for p in passages.values() if passes(filters, p)]
    assert index.count(filters) == Counts(len({p.case_id for p in kept}), len(kept))


@pytest.mark.parametrize("value", ["O'Brien'; DROP", "us' OR '1'='1", "\\' OR true --", "`", '"us"', "", "\x00us"])
def test_a_filter_is_a_value_and_never_sql(index: Index, value: str) -> None:
    for filters in (Filters(courts=(value,)), Filters(jurisdictions=(value,)), Filters(parts=(value,))):
        found = index.match_passages(QUERY, 5, filters)
        assert found == [] or value.replace("\x00", "") == "us"
    assert index.descriptions([value]) == {}
    assert index.cases_by_cite(value) == []
    assert index.cases_by_name(value) == []
    assert index.info.n_passages == index.count().n_passages


@pytest.mark.parametrize("day", ["yesterday", "1990-1", "1990' OR '1'='1", "90", "１９９０", "1990-01-01T00"])
def test_a_limit_that_is_no_date_is_refused(index: Index, day: str) -> None:
    with pytest.raises(InputError, match="not a date"):
        index.match_passages(QUERY, 5, Filters(after=day))


@pytest.mark.parametrize(
    ("known", "filters", "in_"),
    [
        pytest.param("1973", Filters(after="1973-05-01"), True, id="the year may be late enough"),
        pytest.param("1973-04", Filters(after="1973-05-01"), False, id="the month is not"),
        pytest.param("1973", Filters(before="1973-01-22"), True, id="the year may be early enough"),
        pytest.param("1973-12-31", Filters(before="1973"), True, id="within the year"),
        pytest.param("1974-01-01", Filters(before="1973"), False, id="after the year"),
        pytest.param("", Filters(before="1973"), False, id="an unknown date never passes"),
        pytest.param("", Filters(after="1973"), False, id="nor here"),
    ],
)
def test_dates_known_in_part(tmp_path: Path, known: str, filters: Filters, in_: bool) -> None:
    import lancedb

    table = lancedb.connect(str(tmp_path)).create_table("t", [{"date": known}])
    assert table.count_rows(where(filters)) == in_


def test_phrases_must_occur(index: Index) -> None:
    phrase = "the tenant"
    found = index.match_passages("tenant rent repair", ALL, phrases=(phrase,))
    near = index.near_passages(index.encode(QUERY), ALL, phrases=(phrase,))
    having = {
        p.passage_id
        for p in index.passages([f.id for f in index.near_passages(index.encode(QUERY), ALL)]).values()
        if occurs(phrase, p.searched)
    }
    assert having
    assert {f.id for f in near} == having
    assert {f.id for f in found} <= having
    assert index.count(phrases=(phrase,)).n_passages == len(having)
    assert index.match_passages("tenant", 5, phrases=(phrase, "no such phrase here")) == []
    assert index.count(phrases=("no such phrase here",)) == Counts(0, 0)


def test_a_filter_and_a_phrase_together(index: Index) -> None:
    filters = Filters(jurisdictions=("mass",))
    found = index.near_passages(index.encode(QUERY), ALL, filters, ("the tenant",))
    assert found
    assert all(
        p.jurisdiction == "mass" and occurs("the tenant", p.text) for p in index.passages(f.id for f in found).values()
    )


@pytest.mark.parametrize(
    ("phrase", "text", "there"),
    [
        pytest.param("chilling effect", "a Chilling\nEffect.", True, id="case and line"),
        pytest.param("“so-called”", 'the "so–called" rule', True, id="shapes of marks"),
        pytest.param("art", "party", False, id="inside a word"),
        pytest.param("", "text", False, id="nothing"),
    ],
)
def test_what_a_phrase_is(phrase: str, text: str, there: bool) -> None:
    assert occurs(phrase, text) is there


def test_cases_are_found_by_any_spelling_of_cite_and_name(index: Index) -> None:
    for case, _ in sample_cases():
        assert case.case_id in index.cases_by_name(case.name.replace(" v. ", " vs. ").upper())
        for cite in case.citations:
            spelt = cite.cite.replace("Ill. 2d", "Ill.2d").replace("F.3d", "F. 3d")
            assert index.cases_by_cite(spelt) == [case.case_id]
    assert index.cases_by_cite("999 U.S. 999") == index.cases_by_cite("no cite") == []
    assert index.cases_by_name("Nobody v. Nobody") == index.cases_by_name("?!") == []


def test_citations_are_linked_and_counted(index: Index) -> None:
    citing: dict[str, set[str]] = {}
    for case, opinions in sample_cases():
        for opinion in opinions:
            for citation in index.citations(opinion.opinion_id):
                assert opinion.text[citation.start : citation.end]
                if citation.cited_case_id not in (None, case.case_id):
                    citing.setdefault(str(citation.cited_case_id), set()).add(case.case_id)
    assert len(citing) > 30
    for case, _ in sample_cases():
        indexed = index.cases([case.case_id])[case.case_id]
        found = index.citing(case.case_id, ALL)
        assert {c.case_id for c in found} == citing.get(case.case_id, set())
        assert indexed.cited_by == len(found)
        assert [c.n_mentions for c in found] == sorted((c.n_mentions for c in found), reverse=True)
        assert index.citing(case.case_id, 1) == found[:1]


def test_descriptions_are_in_the_words_of_the_describing_opinion(index: Index) -> None:
    found = index.descriptions_of([case.case_id for case, _ in sample_cases()], ALL)
    for case_id, descriptions in found.items():
        case = index.cases([case_id])[case_id]
        assert [d.citing_date for d in descriptions] == sorted((d.citing_date for d in descriptions), reverse=True)
        for d in descriptions:
            text = index.opinion(d.citing_opinion_id).text
            assert " ".join(text[d.start : d.end].split()) == d.text
            assert (d.court, d.jurisdiction, d.date) == (case.court, case.jurisdiction, case.date)
            assert {d.cite, *d.parallel} & set(case.citations)


def test_citing_sentences_are_words_of_the_citing_opinion_without_its_citations(index: Index) -> None:
    found = index.descriptions_of([case.case_id for case, _ in sample_cases()], ALL, (CITING,))
    assert sum(map(len, found.values())) > 200
    for case_id, sentences in found.items():
        case = index.cases([case_id])[case_id]
        for d in sentences:
            text = index.opinion(d.citing_opinion_id).text
            said, left = re.findall(r"\w+", text[d.start : d.end]), re.findall(r"\w+", d.text)
            words = iter(said)
            assert all(word in words for word in left), "the words of the sentence, in its order"
            assert len(left) < len(said), "a citation is gone"
            assert {d.cite, *d.parallel} & set(case.citations)
            assert d.citing_case_id != case_id


def test_pins_are_those_of_the_descriptions(index: Index) -> None:
    ids = [case.case_id for case, _ in sample_cases()]
    found = index.descriptions_of(ids, ALL, DESCRIPTION_KINDS)
    pinned = [(d.description_id, d.case_id, d.pin_pages) for some in found.values() for d in some if d.pin_pages]
    assert index.pins(ids) == sorted(pinned)
    assert len(pinned) > 50
    assert index.pins([]) == []


def test_whole_opinions_are_found_by_their_words_and_filtered(index: Index) -> None:
    every = index.match_opinions(QUERY, ALL)
    assert every == sorted(every, key=lambda f: (-f.score, f.id))
    texts = {f.id: index.opinion(f.id).text.lower() for f in every}
    assert all(re.search(r"landlord|repair|premis|rent|due|must|befor", text) for text in texts.values())
    dissents = index.match_opinions(QUERY, ALL, Filters(parts=("dissent",)))
    assert dissents
    assert {f.id for f in dissents} == {f.id for f in every if index.opinion(f.id).type == "dissent"}
    phrase = "the landlord"
    with_it = index.match_opinions(QUERY, ALL, phrases=[phrase])
    assert {f.id for f in with_it} == {
        p.rpartition("#")[0] for p, _, _ in index.match_passages(QUERY, ALL, phrases=[phrase])
    }


def test_passages_of_some_cases_alone(index: Index) -> None:
    every = index.match_passages(QUERY, ALL)
    cases = sorted({f.case_id for f in every})[:3]
    assert index.match_passages(QUERY, ALL, cases=cases) == [f for f in every if f.case_id in cases]
    vector = index.encode(QUERY)
    near = index.near_passages(vector, ALL, cases=cases)
    assert {f.id for f in near} == {
        p.passage_id for c in index.cases(cases).values() for o in c.opinions for p in index.passages_of(o)
    }


def test_vectors_kept_in_memory_give_the_same_answers(sample_place: Path) -> None:
    read, warm = Index.open(sample_place, ENCODER), Index.open(sample_place, ENCODER).warm()
    cases = read.case_ids()[:7]
    for text in (QUERY, "a tip from an unnamed caller", "zzz"):
        vector = read.encode(text)
        for k in (1, 20, ALL):
            assert warm.near_passages(vector, k) == nearly(read.near_passages(vector, k))
            assert warm.near_descriptions(vector, k) == nearly(read.near_descriptions(vector, k))
            assert warm.near_passages(vector, k, cases=cases) == nearly(read.near_passages(vector, k, cases=cases))
        filters = Filters(parts=("dissent",))
        assert warm.near_passages(vector, 20, filters) == read.near_passages(vector, 20, filters)
    assert warm.near_passages(vector, 5, cases=["no such case"]) == []
    assert warm.refreshed() is warm


def nearly(found: list[Found]) -> list[tuple[str, str, object]]:
    """Equal but for the last digit: sums of products depend on the order of additions."""
    return [(f.id, f.case_id, close_to(f.score)) for f in found]


def test_a_table_that_is_too_large_is_read_each_time(sample_place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranks, "MOST_BYTES", 1000)
    index = Index.open(sample_place, ENCODER).warm()
    monkeypatch.setattr(ranks.MemoryVectors, "nearest", None)
    assert len(index.near_passages(index.encode(QUERY), 20)) == 20


@pytest.mark.parametrize(
    ("name", "cites", "shown"),
    [("Roe v. Wade", ["410 U.S. 113"], "Roe v. Wade"), ("", ["410 U.S. 113"], "410 U.S. 113"), ("", [], "Case cl:1")],
)
def test_a_case_without_a_name_is_shown_by_its_cite_or_id(name: str, cites: list[str], shown: str) -> None:
    assert (
        shown_name(records_support.case(name=name, citations=list(map(records_support.reporter_cite, cites)))) == shown
    )


def test_facets_count_cases(index: Index) -> None:
    facets = index.facets()
    assert sum(n for _, n in facets.courts) == sum(n for _, n in facets.jurisdictions) == index.info.n_cases
    for part, n in facets.parts:
        assert index.count(Filters(parts=(part,))).n_cases == n
    assert date.fromisoformat(facets.first_date) < date.fromisoformat(facets.last_date)


def test_what_is_not_there(index: Index) -> None:
    assert not any((index.passages(["x"]), index.cases(["x"]), index.descriptions([])))
    assert not any((index.passages_of("x"), index.citations("x"), index.citing("x", 5)))
    with pytest.raises(InputError, match=r"no opinion '\.\./x'"):
        index.opinion("../x")


@pytest.mark.parametrize(
    "other",
    [HashingEncoder(name="another"), HashingEncoder(state="2"), HashingEncoder(width=32)],
    ids=["name", "state", "width"],
)
def test_another_encoder_is_refused_with_both_names(index: Index, other: Embedder) -> None:
    with pytest.raises(ConfigError, match=f"hashing .*{other.name}"):
        Index.open(index.place, other)
    with pytest.raises(ConfigError, match=f"hashing .*{other.name}"):
        index_corpus(sample_corpus(), index.place, other, add=True)
