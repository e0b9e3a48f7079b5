"""Notions that a query names in words of its own: phrases of the glossary, read by an encoder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from clauses_support import searcher
from encoder_support import HashingEncoder
from lawng.clauses.meaning.glossary import MATTERS, SUBJECTS
from lawng.clauses.meaning.phrases import LONGEST, PhraseReader, read_phrases, stretches_of
from lawng.clauses.meaning.query_intent import affirmed, query_intent, spans_of
from lawng.models.onnx.encoder import search_embedder
from lawng.models.vector_cache import CachedEncoder

NAMES = [one.name for one in (*SUBJECTS, *MATTERS)]
KEPT_ASIDE = Path(__file__).parents[2] / "benchmarks" / "data" / "clauses"


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> PhraseReader:
    return PhraseReader(CachedEncoder(tmp_path_factory.mktemp("vectors"), HashingEncoder(width=1 << 14)))


def test_every_notion_has_phrases_and_no_phrase_has_two_notions() -> None:
    read = read_phrases()
    assert [*read] == [*NAMES, "none of them"]
    phrases = [phrase for some in read.values() for phrase in some]
    assert len(set(phrases)) == len(phrases)
    assert all(phrase == phrase.lower().strip() and 1 <= len(phrase.split()) <= 7 for phrase in phrases)
    assert min(map(len, read.values())) >= 20


@pytest.mark.parametrize(
    ("query", "subjects", "excepted", "absent", "why"),
    [
        ("choice of law", ["governing law"], [], [], "a phrase that no pattern has"),
        ("walls to be repainted", [], [], [], "nothing is near"),
        ("ceiling on exposure, choice of law", ["governing law"], [], [], "one subject, the surest"),
        ("cap on liability and choice of law", ["cap"], [], [], "a subject that a pattern reads stays alone"),
        ("force majeure", [], [], [], "a phrase that asks for none of them"),
        ("cap, choice", ["cap"], [], [], "a part of a phrase is none of it"),
    ],
)
def test_a_query_is_read_by_phrases(
    reader: PhraseReader, query: str, subjects: list[str], excepted: list[str], absent: list[str], why: str
) -> None:
    found = query_intent(query, reader.of(query))
    for wanted, concepts in ((subjects, found.subjects), (excepted, found.excepted), (absent, found.absent)):
        assert [one.name for one in concepts] == wanted, why


def test_what_a_phrase_names_is_excepted_and_negated_as_what_a_pattern_names(reader: PhraseReader) -> None:
    other = next(phrase for phrase in read_phrases()["fraud"] if not query_intent(phrase).said and " " in phrase)
    for query, part in ((f"cap that does not apply to {other}", "excepted"), (f"indemnity without {other}", "absent")):
        phrases = reader.of(query)
        assert [one.name for one in getattr(query_intent(query, phrases), part)] == ["fraud"], query
        assert [query[one.start : one.end] for one in phrases] == [other]
    assert affirmed(query, phrases) == "indemnity"


def test_a_phrase_of_none_of_them_names_nothing(reader: PhraseReader) -> None:
    phrase = next(one for one in read_phrases()["none of them"] if stretches_of(one) and " " in one)
    assert reader.of(phrase) == ()
    assert reader.of(f"{phrase}, choice of law") != ()


@pytest.mark.parametrize(
    ("query", "named", "why"),
    [
        ("zebra pledges", "fraud", "the longer of two stretches that mean something as surely"),
        (
            "claims of a striped horse",
            "third party claims",
            "what asks for nothing is a part of what asks for something",
        ),
        ("striped horse", None, "alone it asks for nothing"),
        ("striped horse stables", None, "and so does what lies in it"),
        ("lions", None, "a word is a part of a phrase and no phrase, though it is near"),
        ("lions lions", "gross negligence", "two words as near are one"),
    ],
)
def test_longer_stretches_are_read_before_their_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, query: str, named: str | None, why: str
) -> None:
    known = {
        "fraud": ("zebra pledges",),
        "negligence": ("pledges",),
        "third party claims": ("claims of one striped horse",),
        "gross negligence": ("lions lions roar",),
        "none of them": ("striped horse", "striped horse stables now"),
        "punitive damages": ("horse",),
    }
    monkeypatch.setattr("lawng.clauses.meaning.phrases.read_phrases", lambda: known)
    found = PhraseReader(CachedEncoder(tmp_path, HashingEncoder(width=1 << 14))).of(query)
    assert [one.concept for one in found] == ([named] if named else []), why


def test_no_stretch_touches_what_a_pattern_reads_nor_another(reader: PhraseReader) -> None:
    phrases = [phrase for name in NAMES for phrase in read_phrases()[name][:3]]
    for one, other in zip(phrases, reversed(phrases), strict=True):
        query = f"{one} {other}"
        spans = [span for own in spans_of(query).values() for span in own]
        for named in reader.of(query):
            assert not any(start < named.end and named.start < end for start, end in spans), query
            spans.append((named.start, named.end))


def test_what_a_hit_satisfies_goes_by_phrases_too(tmp_path: Path) -> None:
    texts = ("This Agreement is governed by the laws of Ohio.", "Goods are delivered free.")
    found = searcher(tmp_path, *texts, encoder=HashingEncoder(width=1 << 14)).search("choice of law").hits[0]
    assert found.clause.text == texts[0]
    assert [(part.asked, part.found) for part in found.parts] == [("governing law", True)]
    assert searcher(tmp_path, *texts).search("choice of law").hits[0].parts == ()


def test_stretches_are_of_few_words_and_reach_over_no_stop() -> None:
    text = "one two, three of four. five six seven eight nine ten eleven " * 40
    found = stretches_of(text)
    assert 0 < len(found) <= 160
    for start, end in found:
        assert len(text[start:end].split()) <= LONGEST
        assert not set(text[start:end]) & set(",.")
        assert text[start:end] == text[start:end].strip()
    assert [text[start:end] for text in ["fraud not theft"] for start, end in stretches_of(text)] == ["fraud", "theft"]
    sued = [text[start:end] for text in ["sued over patents"] for start, end in stretches_of(text)]
    assert sued == ["sued", "sued over patents", "patents"]
    assert stretches_of("") == stretches_of("of the, and.") == []


@pytest.mark.slow("reads five thousand phrases by the real encoder")
def test_ordinary_phrasings_reach_their_notions(tmp_path: Path) -> None:
    """Phrasings that were written by another reader and kept aside, and notions that the glossary lacks."""
    real = PhraseReader(CachedEncoder(tmp_path, search_embedder("all-MiniLM-L6-v2")))

    def read(query: str) -> set[str]:
        found = query_intent(query, real.of(query))
        return {one.name for one in (*found.subjects, *found.said, *found.excepted, *found.absent)}

    rows = [json.loads(line) for line in (KEPT_ASIDE / "phrasings.jsonl").read_text("utf-8").splitlines()]
    right = sum(row["notion"] in read(row["query"]) for row in rows)
    unknown = [json.loads(line)["query"] for line in (KEPT_ASIDE / "unknown.jsonl").read_text("utf-8").splitlines()]
    wrong = sum(bool(read(query)) for query in unknown)
    assert right / len(rows) >= 0.7, f"{right} of {len(rows)}"
    assert not query_intent("liability cap", real.of("liability cap")).said, "the word liability is no strict liability"
    assert wrong / len(unknown) <= 0.15, f"{wrong} of {len(unknown)}"
