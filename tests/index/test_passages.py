"""Passages: they cover each opinion exactly once, fit the encoder, and are searched without what describes others."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from encoder_support import HashingEncoder
from lawng.citation.extract import citations_of_case
from lawng.index.descriptions import descriptions_of_opinion, part_of, undescribed
from lawng.index.passages import DESCRIBING, Measure, passages_of
from lawng.schema import Citation, Opinion, Passage, Span
from lawng.text.sentences import sentence_spans
from retrieval_support import case_of, opinion_of, sample_cases

ENCODER = HashingEncoder()
MEASURE = Measure(ENCODER.count_tokens, ENCODER.max_tokens, 80)


def cut(opinion: Opinion, measure: Measure = MEASURE) -> tuple[list[Passage], list[Citation]]:
    citations = citations_of_case([opinion])
    return passages_of(opinion, case_of(), citations, measure), citations


def sample_passages() -> list[tuple[Opinion, list[Citation], list[Passage]]]:
    found = []
    for case, opinions in sample_cases():
        citations = citations_of_case(opinions)
        for opinion in opinions:
            own = [c for c in citations if c.opinion_id == opinion.opinion_id]
            found.append((opinion, own, passages_of(opinion, case, own, MEASURE)))
    return found


SAMPLE = sample_passages()


def test_spans_slice_to_the_text_and_lie_in_one_opinion_in_order() -> None:
    for opinion, _, passages in SAMPLE:
        assert [p.passage_id for p in passages] == [f"{opinion.opinion_id}#{n}" for n in range(len(passages))]
        assert all(p.text == opinion.text[p.start : p.end] and p.text == p.text.strip() for p in passages)
        assert all(a.end <= b.start for a, b in pairwise(passages))


def test_passages_cover_the_words_of_each_opinion_exactly_once() -> None:
    for opinion, _, passages in SAMPLE:
        assert [word for p in passages for word in p.text.split()] == opinion.text.split()
        assert sum(p.n_words for p in passages) == len(opinion.text.split())


def test_body_and_footnotes_do_not_mix_and_each_passage_fits_the_encoder() -> None:
    noted = [opinion for opinion, _, _ in SAMPLE if opinion.footnotes]
    assert noted
    for opinion, _, passages in SAMPLE:
        assert not any(p.start < opinion.body_end < p.end for p in passages)
        assert all(ENCODER.count_tokens(p.text) <= (ENCODER.max_tokens or 0) for p in passages)


def test_short_paragraphs_are_joined_and_only_long_ones_cut() -> None:
    joined = [p for _, _, passages in SAMPLE for p in passages if "\n\n" in p.text]
    assert joined
    for opinion, _, passages in SAMPLE:
        edges = {p.start for p in opinion.paragraphs} | {p.end for p in opinion.paragraphs}
        assert all(p.cut == (p.start not in edges or p.end not in edges) for p in passages)


def test_what_is_searched_has_no_description_of_another_case() -> None:
    n = 0
    for opinion, citations, passages in SAMPLE:
        for p in (p for c in citations for p in c.parentheticals if p.kind in DESCRIBING):
            n += 1
            bracketed = opinion.text[p.start - 1 : p.end + 1]
            shown = [passage for passage in passages if passage.start <= p.start and p.end <= passage.end]
            assert all(bracketed in passage.text and bracketed not in passage.searched for passage in shown)
    assert n > 200


def test_what_is_searched_else_keeps_every_word() -> None:
    body = "The rule is old. Roe v. Wade, 410 U.S. 113, 120 (1973) (en banc) (holding that x is y). It binds us."
    [passage], _ = cut(opinion_of([body]))
    assert passage.text == body
    assert passage.searched == "The rule is old. Roe v. Wade, 410 U.S. 113, 120 (1973) (en banc). It binds us."


def test_a_long_paragraph_is_cut_at_sentence_ends_and_not_inside_a_citation() -> None:
    sentence = "We follow Roe v. Wade, 410 U.S. 113, 120 (1973), and the later cases of this Court on the point. "
    passages, citations = cut(opinion_of([(sentence * 12).strip()]))
    assert len(passages) > 2
    assert all(p.cut and p.text.endswith("point.") for p in passages)
    assert not any(c.full_start < p.end < c.full_end for p in passages for c in citations)
    lengths = [p.n_words for p in passages]
    assert max(lengths) - min(lengths) <= 2 * len(sentence.split())


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        pytest.param("One. Two? “Three!” Four", 4, id="marks and quotes"),
        pytest.param("Mr. Smith v. Jones Co. Inc. appeals. Yes.", 2, id="abbreviations"),
        pytest.param("J. Q. Adams wrote. He did.", 2, id="initials"),
        pytest.param("He said so.1 We agree.", 2, id="a footnote number"),
        pytest.param("first; second: third", 1, id="no sentences"),
        pytest.param("   ", 0, id="blank"),
        pytest.param("法院认为。此案应当驳回。", 1, id="another script"),
    ],
)
def test_sentences(text: str, sentences: int) -> None:
    spans = sentence_spans(text, 0, len(text))
    assert len(spans) == sentences
    assert "".join("".join(text[s.start : s.end].split()) for s in spans) == "".join(text.split())


@pytest.mark.parametrize(
    "paragraph",
    [
        pytest.param("x" * 30_000, id="no blank"),
        pytest.param("法" * 5_000, id="no blank, other script"),
        pytest.param("word " * 2_000, id="no sentence end"),
        pytest.param("(" + "holding that " * 300 + ")", id="one bracket"),
    ],
)
def test_what_has_no_place_to_cut_is_cut_all_the_same(paragraph: str) -> None:
    passages, _ = cut(opinion_of([paragraph]))
    assert "".join("".join(p.text.split()) for p in passages) == "".join(paragraph.split())
    assert all(MEASURE(p.text) <= MEASURE.most for p in passages)


def test_an_empty_opinion_has_no_passage() -> None:
    assert cut(opinion_of([]))[0] == []


def test_text_that_no_paragraph_has_is_not_lost() -> None:
    opinion = opinion_of(["First here.", "Second there."])
    marked = Opinion(**{name: getattr(opinion, name) for name in Opinion.__slots__} | {"paragraphs": [Span(2, 5)]})
    passages, _ = cut(marked)
    assert "".join("".join(p.text.split()) for p in passages) == "Firsthere.Secondthere."


WORDS = st.lists(st.sampled_from(["Roe", "held.", "the", "410 U.S. 113", "(1973)", "(holding x).", "Id.", "§ 5", "v."]))


@settings(max_examples=60, deadline=None)
@given(st.lists(WORDS.map(" ".join).filter(str.strip), max_size=6), st.integers(1, 30))
def test_any_text_is_covered_once(paragraphs: list[str], target: int) -> None:
    opinion = opinion_of(paragraphs)
    passages, _ = cut(opinion, Measure(ENCODER.count_tokens, None, target))
    # by characters: where one word is longer than the target, it is parted
    assert "".join(word for p in passages for word in p.text.split()) == "".join(opinion.text.split())
    assert all(p.text == opinion.text[p.start : p.end] for p in passages)


@pytest.mark.parametrize(
    ("weights", "part"),
    [
        pytest.param([], "majority", id="nothing said"),
        pytest.param(["en banc"], "majority", id="en banc"),
        pytest.param(["Brennan, J., dissenting"], "dissent", id="dissent"),
        pytest.param(["per curiam", "Stevens, J., concurring"], "concurrence", id="second bracket"),
        pytest.param(["O’Connor, J., concurring in part and dissenting in part"], "concurrence-in-part", id="both"),
        pytest.param(["plurality opinion"], "plurality", id="plurality"),
    ],
)
def test_which_opinion_is_described(weights: list[str], part: str) -> None:
    assert part_of(weights) == part


def described(text: str) -> list[tuple[str, list[str], str, str, str]]:
    opinion = opinion_of([text])
    found = descriptions_of_opinion(opinion, case_of(), citations_of_case([opinion]))
    assert all(" ".join(opinion.text[d.start : d.end].split()) == d.text for d in found)
    return [(d.cite, d.parallel, d.text, d.kind, d.part) for d in found]


def test_a_parallel_group_gives_one_description_with_all_cites() -> None:
    text = "See Roe v. Wade, 410 U.S. 113, 120, 93 S. Ct. 705, 35 L. Ed. 2d 147 (1973) (White, J., dissenting) (arguing x)."
    assert described(text) == [
        ("410 U.S. 113", ["93 S. Ct. 705", "35 L. Ed. 2d 147"], "arguing x", "explanatory", "dissent")
    ]


def test_a_quotation_describes_and_an_editors_note_does_not() -> None:
    text = "Roe v. Wade, 410 U.S. 113, 120 (1973) (“the right is\nbroad enough”) (emphasis added)."
    assert described(text) == [("410 U.S. 113", [], "“the right is broad enough”", "quotation", "majority")]


def test_what_names_no_cite_is_counted_and_not_described() -> None:
    opinion = opinion_of(["Smith, supra, at 5 (holding that y is z)."])
    citations = citations_of_case([opinion])
    assert descriptions_of_opinion(opinion, case_of(), citations) == []
    assert undescribed(citations) == 1
