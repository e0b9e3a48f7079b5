"""Clauses annotated: what a sentence is about, what it takes out, whom it frees; annotations kept; parts chosen."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lawng.clauses.meaning import clause_annotation
from lawng.clauses.meaning.clause_annotation import (
    GUARDS,
    AnnotationCache,
    Sentence,
    annotate,
    edition,
    names,
    parts_of,
)
from lawng.clauses.meaning.glossary import MATTERS
from lawng.clauses.meaning.match_features import MATCH_FEATURES, STYLE_FEATURES, ClauseMatcher
from lawng.clauses.meaning.query_intent import query_intent
from lawng.clauses.ranking.rerank import focus
from lawng.io.kv_store import KeyValueStore, key_of

CAP = "Each party's total liability shall not exceed the fees paid"
BURDENS = tuple(f"burdens {who}" for who in GUARDS)

FRAGMENTS = [CAP, "Except for fraud, ", "neither party is liable for lost profits", ". ", "; (a) ", "\n", "<omitted>", "(", "”",
             "§ 4.", "THE FOREGOING SHALL NOT APPLY TO DEATH", "Ünïcode İ ſ ", "other than gross negligence", "…", " you "]  # fmt: skip
TEXTS = st.one_of(st.text(max_size=200), st.lists(st.sampled_from(FRAGMENTS), max_size=12).map("".join))


def only(text: str) -> Sentence:
    [found] = annotate(text)
    return found


@pytest.mark.parametrize(
    ("text", "said", "excepted"),
    [
        pytest.param(f"{CAP}, except for fraud.", [], ["fraud"], id="after the rule"),
        pytest.param(
            "Except for fraud, in no event shall a party's liability exceed $5 for negligence.",
            ["negligence", "fixed amount"],
            ["fraud"],
            id="before the rule",
        ),
        pytest.param(
            "Except for fraud, the Vendor's total liability for tort is that of a bailee.",
            ["tort"],
            ["fraud"],
            id="the total liability is the rule",
        ),
        pytest.param("Other than for deceit, neither party is liable for tort.", ["tort"], ["fraud"], id="other than"),
        pytest.param("Nothing herein limits liability for fraud.", ["fraud"], ["fraud"], id="nothing limits"),
        pytest.param(
            "The cap shall not apply to fraud or tort.", ["fraud", "tort"], ["fraud", "tort"], id="shall not apply to"
        ),
        pytest.param("This limitation is inapplicable to fraud.", ["fraud"], ["fraud"], id="inapplicable"),
        pytest.param(
            "Except as expressly set forth here, fraud is a tort.", ["fraud", "tort"], [], id="except as set forth"
        ),
        pytest.param("Except as otherwise provided, fraud is bad.", ["fraud"], [], id="except as otherwise provided"),
        pytest.param("Fraud is a tort.", ["fraud", "tort"], [], id="no exception"),
        pytest.param("", None, None, id="nothing"),
        pytest.param(" \n<omitted>\n ", None, None, id="nothing but signs"),
    ],
)
def test_what_a_sentence_says_and_takes_out(text: str, said: list[str] | None, excepted: list[str] | None) -> None:
    if said is None or excepted is None:
        assert annotate(text) == ()
        return
    found = only(text)
    kinds = {"fraud", "tort", "negligence", "fixed amount"}
    assert kinds.intersection(names(MATTERS, found.said)) == set(said)
    assert kinds.intersection(names(MATTERS, found.excepted)) == set(excepted)


def test_a_sentence_that_lifts_others_takes_out_all_that_it_names() -> None:
    rule, lifts = annotate(f"{CAP}. The foregoing shall not apply to fraud.")
    assert (rule.lifts, lifts.lifts) == (False, True)
    assert (rule.n_excepted, lifts.n_excepted) == (0, 7)
    assert names(MATTERS, lifts.excepted) == ["fraud"]


@pytest.mark.parametrize(
    ("text", "mutual"),
    [
        pytest.param("Neither party shall be liable.", True, id="neither party"),
        pytest.param("The parties agree.", True, id="the parties"),
        pytest.param("Neither Seller nor Buyer is liable.", True, id="neither the one nor the other"),
        pytest.param("The Indemnifying Party pays.", True, id="a role that each may have"),
        pytest.param("Seller is not liable to Buyer.", False, id="one alone"),
        pytest.param("Any claim is paid.", False, id="any claim"),
    ],
)
def test_mutual_sentences_speak_of_each_party(text: str, mutual: bool) -> None:
    assert only(text).mutual is mutual


@pytest.mark.parametrize(
    ("text", "whom"),
    [
        pytest.param("Seller shall not be liable for delay.", ["seller"], id="the seller is freed"),
        pytest.param("Licensor makes no warranties.", ["seller"], id="disclaiming frees"),
        pytest.param("The customer's total liability is limited.", ["buyer"], id="the buyer is freed"),
        pytest.param("In no event shall either party be liable.", ["both"], id="both are freed"),
        pytest.param("Supplier shall indemnify all.", ["burdens seller"], id="the seller pays"),
        pytest.param("Each party shall defend the claim.", ["burdens both"], id="each pays"),
        pytest.param("Rain falls on the roof.", [], id="nobody"),
    ],
)
def test_whom_a_sentence_frees_and_burdens(text: str, whom: list[str]) -> None:
    bits = only(text).guards
    assert [name for at, name in enumerate((*GUARDS, *BURDENS)) if bits >> at & 1] == whom


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        pytest.param("One. Two; (a) three.", ["One.", "Two;", "(a) three."], id="sentences and items"),
        pytest.param("See No. 5, i.e. this", ["See No.", "5, i.e. this"], id="an abbreviation before a number parts"),
        pytest.param("a <omitted> b", ["a", "b"], id="what was left out"),
        pytest.param("he said “No.” Then", ["he said “No.", "Then"], id="quotation marks"),
        pytest.param("first; – iv) fourth", ["first;", "– iv) fourth"], id="roman items"),
    ],
)
def test_parts_are_sentences_and_items(text: str, parts: list[str]) -> None:
    assert parts_of(text) == parts


@given(TEXTS)
def test_there_is_one_sentence_for_each_part(text: str) -> None:
    found = annotate(text)
    assert [sentence.n_words for sentence in found] == [len(part.lower().split()) for part in parts_of(text)]
    assert all(sentence.n_excepted <= sentence.n_words for sentence in found)
    assert not any(sentence.excepted and not sentence.n_excepted for sentence in found)


@given(st.sampled_from(["cap on liability except fraud", "fraud", "zoning", ""]), TEXTS, st.integers(1, 40))
def test_focus_gives_whole_sentences_in_their_order_within_the_room(query: str, text: str, words: int) -> None:
    found = focus(query, text, words)
    parts = [" ".join(part.split()) for part in parts_of(text)]
    if len(parts) < 2:
        assert found.split() == text.split()[:words]
        return
    if len(text.split()) <= words:
        assert found == text
        return
    assert len(found.split()) <= words
    assert is_made_of(found, parts) or any(part.startswith(found) for part in parts)  # one sentence, cut to the room


def is_made_of(text: str, parts: Sequence[str]) -> bool:
    """Whether a text is some of the parts in their order."""
    return not text or any(
        f"{text} ".startswith(f"{part} ") and is_made_of(text[len(part) + 1 :], parts[at + 1 :])
        for at, part in enumerate(parts)
    )


def test_focus_takes_the_sentences_asked_for_and_the_lifting_ones() -> None:
    text = f"Notices. Send them by mail. {CAP}. Rain is wet. The foregoing shall not apply to fraud."
    assert focus("fraud exception to cap on liability", text, 17) == f"{CAP}. The foregoing shall not apply to fraud."
    assert focus("mail", text, 4) == "Send them by mail."
    assert focus("mail", "Send them by mail and by telegraph", 3) == "Send them by"


TEXTS_OF_A_COLLECTION = [
    f"{CAP}, except for fraud.",
    "",
    "Supplier shall indemnify Buyer. (a) Fraud; (b) tort.",
    "You pay $5.",
]


@settings(max_examples=25)
@given(
    st.lists(TEXTS, min_size=1, max_size=5),
    st.sampled_from(["cap except fraud", "buyer-favorable indemnity", "zoning"]),
)
def test_what_is_known_of_a_clause_does_not_depend_on_its_neighbours(texts: list[str], query: str) -> None:
    whole, asked = ClauseMatcher(texts), query_intent(query)
    fit = whole.match(asked)
    for row, text in enumerate(texts):
        alone = ClauseMatcher([text])
        np.testing.assert_array_equal(fit[row], alone.match(asked)[0])
        np.testing.assert_array_equal(whole.style[row], alone.style[0])


@pytest.mark.parametrize("texts", [[], [""], TEXTS_OF_A_COLLECTION], ids=["no clause", "an empty clause", "clauses"])
def test_features_are_numbers_where_the_question_arises(texts: Sequence[str]) -> None:
    matcher = ClauseMatcher(texts)
    assert matcher.style.shape == (len(texts), len(STYLE_FEATURES))
    assert np.isfinite(matcher.style).all()
    assert np.isnan(matcher.match(query_intent("zoning"))).all()
    fit = matcher.match(query_intent("cap"))
    unasked = {"said", "said all", "said anywhere", "excepted", "excepted all", "excepted anywhere"}
    for place, name in enumerate(MATCH_FEATURES):
        assert np.isnan(fit[:, place]).all() if name in unasked else np.isfinite(fit[:, place]).all(), name
    asked = matcher.match(query_intent("strict liability cap with fraud carve-out"))
    assert np.isfinite(asked[:, [MATCH_FEATURES.index("excepted"), MATCH_FEATURES.index("excepted all")]]).all()


@pytest.mark.parametrize(
    ("text", "numbered"),
    [
        ("8.2 Cap.", True),
        ("(a) Cap.", True),
        ("Section (iv). Cap.", True),
        ("  \n§ 3) Cap.", True),
        ("ARTICLE V. CAP", True),
        ("The cap.", False),
        ("", False),
    ],
)
def test_a_clause_that_begins_with_its_number_is_numbered(text: str, numbered: bool) -> None:
    assert bool(ClauseMatcher([text]).style[0, STYLE_FEATURES.index("numbered")]) is numbered


def test_a_clause_fits_by_subject_exception_and_absence() -> None:
    def fits(query: str) -> list[float]:
        return [
            float(value) for value in ClauseMatcher(clauses).match(query_intent(query))[:, MATCH_FEATURES.index("fit")]
        ]

    clauses = [f"{CAP}, except for fraud.", f"{CAP}.", "Delivery is free, except for fraud."]
    out, plain, other = fits("fraud exception to cap on liability")
    assert out > plain > other == 0.0
    out, plain, other = fits("cap on liability without carve-outs")
    assert plain > out > other == 0.0


def test_annotations_are_kept_and_the_texts_are_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []

    def counted(text: str) -> tuple[Sentence, ...]:
        calls.append(text)
        return annotate(text)

    monkeypatch.setattr(clause_annotation, "annotate", counted)
    progress: list[tuple[int, int]] = []
    first = AnnotationCache(tmp_path, lambda done, total: progress.append((done, total))).of(
        [*TEXTS_OF_A_COLLECTION, ""]
    )
    assert first == [annotate(text) for text in (*TEXTS_OF_A_COLLECTION, "")]
    assert (calls, progress) == (TEXTS_OF_A_COLLECTION, [(4, 4)])
    again = AnnotationCache(tmp_path)
    assert again.of(["New: fraud.", *TEXTS_OF_A_COLLECTION])[1:] == first[:4]
    assert calls == [*TEXTS_OF_A_COLLECTION, "New: fraud."]
    assert all(
        isinstance(value, bool) for found in again.of(TEXTS_OF_A_COLLECTION) for row in found for value in row[5::2]
    )
    [kept] = tmp_path.glob("annotations-*.sqlite")
    assert len(KeyValueStore(kept)) == 5
    assert b"fraud" not in kept.read_bytes()


ROWS = ["", "[[1,2,3]]", '[["a",0,0,1,0,false,0,false]]', "7", "null", '{"a":1}', "[[0,0,0", "[7]", "\0"]


@pytest.mark.parametrize("row", ROWS)
def test_a_damaged_annotation_is_made_again(tmp_path: Path, row: str) -> None:
    texts = ["Fraud.", "Fees are due."]
    expected = AnnotationCache(tmp_path).of(texts)
    [kept] = tmp_path.glob("annotations-*.sqlite")
    KeyValueStore(kept).put({key_of("Fraud."): row.encode()})
    assert AnnotationCache(tmp_path).of(texts) == expected
    assert AnnotationCache(tmp_path).of(texts) == expected


def test_another_glossary_or_code_is_another_edition(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = edition()
    for name in ("glossary.toml", "cues.toml", "glossary.py", "clause_annotation.py"):
        (tmp_path / name).write_text(Path(clause_annotation.__file__).with_name(name).read_text())
    monkeypatch.setattr(clause_annotation, "files", lambda _package: tmp_path)
    edition.cache_clear()
    assert edition() == before
    for name in ("glossary.toml", "cues.toml", "clause_annotation.py"):
        with (tmp_path / name).open("a") as file:
            file.write("#")
        edition.cache_clear()
        assert edition() != before, name
    edition.cache_clear()


def test_where_nothing_can_be_kept_nothing_fails(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert AnnotationCache(tmp_path / "file" / "folder").of(["Fraud."]) == [annotate("Fraud.")]
