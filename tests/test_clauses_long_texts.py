"""Time over long texts: it grows with their length and no faster, whatever stands in them."""

from __future__ import annotations

import re
import time

import pytest

from lawng.clauses.meaning.glossary import MATTERS, SUBJECTS, Concept, lowered
from lawng.clauses.meaning.shelf import Shelf
from lawng.clauses.meaning.wanted import wanted

BY_NAME = {concept.name: concept for concept in (*SUBJECTS, *MATTERS)}


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(unit * (60_000 // len(unit)), id=unit.strip() or repr(unit))
        for unit in (
            "not ",
            "(((",
            "except ",
            "except for fraud in no event ",
            "liability ",
            "nothing ",
            "1,",
            ". ",
            "; ",
        )
    ]
    + [
        pytest.param("a;" + " " * 60_000 + "b", id="blanks"),
        pytest.param("\n" * 60_000 + "nothing", id="pages of blanks first"),
        pytest.param("assign" * 10_000, id="one long word"),
        pytest.param("neither a or " * 5_000, id="neither"),
        pytest.param("Liability shall not exceed the fees; (a) except for fraud. " * 2_300, id="a long contract"),
    ],
)
def test_long_and_nasty_texts_take_seconds_at_most(text: str) -> None:
    start = time.process_time()
    Shelf([text])
    wanted(text[:20_000])
    assert time.process_time() - start < 15  # quadratic time would be a minute or more


def seconds(concept: Concept, unit: str, length: int) -> float:
    """CPU time of all of a concept's patterns over so many characters of a text without full stops."""
    text = lowered(unit * (length // len(unit)))
    start = time.process_time()
    for pattern in filter(None, (concept.asked, concept.said, concept.unless)):
        pattern.search(text)
    return time.process_time() - start


@pytest.mark.parametrize("concept", BY_NAME.values(), ids=BY_NAME)
def test_time_grows_with_the_length_and_no_faster(concept: Concept) -> None:
    words = set(re.findall("[a-z]{3,}", f"{concept.asked.pattern} {concept.said.pattern}"))
    for unit in ("a ", "1,", "- ", "(", *(f"{word} " for word in sorted(words)), *(f"{word * 30} " for word in words)):
        if seconds(concept, unit, 20_000) < 0.05:
            continue  # even quadratic time would be harmless
        short, long = (min(seconds(concept, unit, n) for _ in range(3)) for n in (5_000, 20_000))
        assert long < 9 * short, unit  # four times as much to read; quadratic time would be sixteen times as long


def test_what_a_pattern_passes_over_is_bounded() -> None:
    for concept in BY_NAME.values():
        for pattern in filter(None, (concept.asked, concept.said, concept.unless)):
            assert not re.search(r"\[\^[^\]]*\][*+]", pattern.pattern), concept.name  # [^.]*
            # \w*[^.]{0,200} and (\w*|...)[^.]{0,200}, not \w*+[^.]{0,200}
            assert not re.search(r"\\w[*+](?!\+)(?:[^()]*\))?\[\^", pattern.pattern), concept.name


def test_the_rest_of_a_long_word_is_not_read() -> None:
    assert lowered("A" * 101 + " B") == "a" * 100 + " b"
    assert lowered("A" * 100) == "a" * 100


@pytest.mark.parametrize(
    ("name", "query", "asked"),
    [
        pytest.param("indirect damages", "a cap, or liability, for indirect damages", True, id="after two words"),
        pytest.param("indirect damages", "liability. the cap covers indirect damages", True, id="in its sentence"),
        pytest.param("indirect damages", "cap on liability. indirect damages", False, id="in another sentence"),
        pytest.param("indirect damages", "indirect damages under the cap", False, id="before"),
        pytest.param("cap", "liabilities of the vendor are limited to fees", True, id="limited to"),
    ],
)
def test_bounded_patterns_ask_as_before(name: str, query: str, asked: bool) -> None:
    assert bool(BY_NAME[name].asked.search(query)) is asked


@pytest.mark.parametrize(
    ("name", "sentence", "said"),
    [
        pytest.param("fixed amount", "at most 1,000,000.00 dollars", True, id="figures"),
        pytest.param("fixed amount", "item 7 dollar", False, id="one figure"),
        pytest.param("ip assignment", "transfers to it the title", True, id="an inflected word"),
        pytest.param("ip assignment", "he assigns" + " to it" * 40 + " the title", False, id="too far away"),
    ],
)
def test_bounded_patterns_are_said_as_before(name: str, sentence: str, said: bool) -> None:
    assert BY_NAME[name].is_said(sentence) is said
