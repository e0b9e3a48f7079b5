"""What an opinion cites a case for: the right sentence, without its citations, once."""

from __future__ import annotations

import pytest

from lawng.citation.extract import citations_of_case
from lawng.index.descriptions import CITING, citing_sentences, contrary
from lawng.schema import Description
from retrieval_support import case_of, opinion_of


def sentences_of(*paragraphs: str) -> list[Description]:
    """The citing sentences of an opinion with these paragraphs."""
    opinion = opinion_of(list(paragraphs))
    return citing_sentences(opinion, case_of(), citations_of_case([opinion]))


RULE = "A tenant who holds over after the term is bound for another year."


@pytest.mark.parametrize(
    ("paragraph", "expected", "why"),
    [
        (f"{RULE} Roe v. Wade, 410 U.S. 113, 120 (1973).", RULE, "the sentence before a citation that stands alone"),
        (f"We begin. {RULE} See Roe v. Wade, 410 U.S. 113.", RULE, "no more than what is needed"),
        (
            "In Roe v. Wade, 410 U.S. 113, the Court held that a tenant at will owes no rent.",
            "In …, the Court held that a tenant at will owes no rent.",
            "a citation inside its sentence",
        ),
        (
            f"{RULE} Roe v. Wade, 410 U.S. 113 (holding that dogs may bark); Doe v. Bolton, 410 U.S. 179.",
            RULE,
            "a string citation and its parentheticals are no words about it",
        ),
        ("So also Roe v. Wade, 410 U.S. 113.", None, "too few words, and none before"),
        ("Brief for Appellant 12, Roe v. Wade, 410 U.S. 113.", None, "names and numbers are no words about it"),
        (
            f"{RULE} Roe v. Wade, 410 U.S. 113; see also Doe v. Bolton, 410 U.S. 179; cf. Poe v. Ullman, 367 U.S. 497.",
            RULE,
            "nothing is left of the string",
        ),
        (
            "A tenant (see Roe v. Wade, 410 U.S. 113) who holds over after the term is bound.",
            "A tenant who holds over after the term is bound.",
            "nor of its brackets",
        ),
        (
            "A tenant who holds over is bound (Roe v. Wade, 410 U.S. 113, 120,) and owes the rent of a year.",
            "A tenant who holds over is bound and owes the rent of a year.",
            "nor of its brackets with a comma in them",
        ),
        (
            "From Roe v. Wade (410 U.S. 113) to Doe v. Bolton (410 U.S. 179) and Poe v. Ullman (367 U.S. 497), it is "
            "settled that a tenant owes no rent.",
            "From … to … and …, it is settled that a tenant owes no rent.",
            "no bracket stays whose partner went with a citation",
        ),
        (
            "In Roe v. Wade, 410 U.S. 113, the tenant had to 1) pay the rent and (2) leave.",
            "In …, the tenant had to 1) pay the rent and (2) leave.",
            "brackets of the text's own stay",
        ),
        (
            "A tenant (so held in Roe v. Wade, 410 U.S. 113) who holds over is bound for a year.",
            "A tenant (so held in …) who holds over is bound for a year.",
            "brackets with words in them stay, both",
        ),
        (
            "It is said in Roe v. Wade, 410 U.S. 113 (1973), rev'd, 411 U.S. 9 (1974), that a tenant owes no rent.",
            "It is said in …, that a tenant owes no rent.",
            "the history of a case is no words about it",
        ),
        (
            f"{RULE} Roe v. Wade, 410 U.S. 113 (1973), cert. denied, No. 72-18 (U.S. Oct. 1, 1973).",
            RULE,
            "nor is one without a cite",
        ),
        (
            f"{RULE} Roe v. Wade, 410 U.S. 113 (1973), reversed and remanded. Doe v. Bolton, 410 U.S. 179, holds that "
            "every landlord must mend the roof of the house.",
            RULE,
            "and does not reach into the next sentence",
        ),
        (
            "The tenant says that Roe v. Wade, 410 U.S. 113, overruled Doe v. Bolton, 410 U.S. 179, as to the notice.",
            "The tenant says that …, overruled …, as to the notice.",
            "nor is a verb of the sentence history",
        ),
        (
            "The rule of Roe v. Wade, 410 U.S. 113, affirmed the tenant's right to stay in the house.",
            "The rule of …, affirmed the tenant's right to stay in the house.",
            "a word of the sentence that looks like history stays",
        ),
        (
            "A tenant who holds over (410 U.S. 113 binds us) owes the rent.",
            "A tenant who holds over (… binds us) owes the rent.",
            "also where the citation comes first",
        ),
        (
            "In Roe v. Wade (410 U.S. 113, where it was said) the tenant owes the rent of 1) May and 2) June.",
            "In …, where it was said the tenant owes the rent of 1) May and 2) June.",
            "no bracket stays whose partner went, words between them or not",
        ),
        (
            "A tenant who holds over (410 U.S. 113; and the year is out) owes the rent.",
            "A tenant who holds over (…; and the year is out) owes the rent.",
            "right before a citation too, where its partner is there",
        ),
        (
            "A tenant who holds over (410 U.S. 113 owes the rent of the year.",
            "A tenant who holds over … owes the rent of the year.",
            "and goes where it is not",
        ),
    ],
)
def test_the_sentence_that_a_case_is_cited_for(paragraph: str, expected: str | None, why: str) -> None:
    found = [one for one in sentences_of(paragraph) if one.cite == "410 U.S. 113"]
    assert [one.text for one in found] == ([expected] if expected else []), why


def test_pin_signal_place_and_kind_come_with_it() -> None:
    before = "The lease ran out in May and the tenant stayed."
    [found] = sentences_of(before, f"{RULE} But see Roe v. Wade, 410 U.S. 113, 120-21 (1973).")
    assert (found.kind, found.signal, found.pin_pages, found.citing_case_id) == (CITING, "but see", [120, 121], "cl:1")
    assert found.start == len(before) + 2, "where the words stand"


def test_one_sentence_describes_a_case_once_and_the_next_one_again() -> None:
    twice = "Roe v. Wade, 410 U.S. 113, binds the tenant for a year, as Roe v. Wade, 410 U.S. 113, itself says."
    assert len(sentences_of(twice)) == 1
    found = sentences_of(f"{twice} {RULE} Roe v. Wade, 410 U.S. 113.")
    assert [one.text for one in found][1:] == [RULE]
    assert len({one.description_id for one in found}) == 2


def test_sentences_of_another_paragraph_do_not_come_along() -> None:
    assert sentences_of(RULE, "See Roe v. Wade, 410 U.S. 113.") == []


@pytest.mark.parametrize(
    ("signal", "expected"), [("But see", True), ("Contra", True), ("Contrast", True), ("Compare", True), ("See", False)]
)
def test_a_contrary_signal_is_told(signal: str, expected: bool) -> None:
    assert [contrary(one) for one in sentences_of(f"{RULE} {signal} Roe v. Wade, 410 U.S. 113.")] == [expected]


def test_a_very_long_sentence_is_cut() -> None:
    [found] = sentences_of(f"The tenant says that {'every landlord must mend it and ' * 60}Roe v. Wade, 410 U.S. 113.")
    assert len(found.text.split()) == 121
    assert found.text.endswith(" …")


@pytest.mark.parametrize(
    ("words", "signal", "text"),
    [
        (f"{RULE[:-1]}, overruling Roe v. Wade, 410 U.S. 113.", "overruling", RULE[:-1]),
        (f"{RULE} Doe v. Bolton, 410 U.S. 179, rev'g Roe v. Wade, 410 U.S. 113.", "rev'g", RULE),
        ("In Doe the Court overruled Roe v. Wade, 410 U.S. 113, and bound the tenant.", "overruled", None),
        ("We decline to follow what was said by the court below, reversing in part Roe v. Wade, 410 U.S. 113.",
         "reversing", "We decline to follow what was said by the court below"),
        ("That no tenant is bound for another year is no longer law, overruling Roe v. Wade, 410 U.S. 113.", "overruling", None),
        (f"{RULE[:-1]}, and we therefore overrule Roe v. Wade, 410 U.S. 113.", "overrule", None),
        (f"{RULE[:-1]}, overruling, in part, Roe v. Wade, 410 U.S. 113.", "overruling", RULE[:-1]),
        (f"{RULE[:-1]}, overruling Doe v. Bolton, 410 U.S. 179, and Roe v. Wade, 410 U.S. 113.", "overruling", None),
    ],
)  # fmt: skip
def test_a_case_does_not_stand_for_the_sentence_that_undoes_it(words: str, signal: str, text: str | None) -> None:
    [found] = [one for one in sentences_of(words) if one.cite == "410 U.S. 113"]
    assert contrary(found)
    assert found.signal == signal
    assert text is None or found.text == text, "the word that undoes it is none of its words"


@pytest.mark.parametrize(
    "words",
    [
        f"{RULE[:-1]}, affirming Roe v. Wade, 410 U.S. 113.",
        f"The court below reversed. {RULE} Roe v. Wade, 410 U.S. 113.",
        f"{RULE} Roe v. Wade, 410 U.S. 113, overruling Doe v. Bolton, 410 U.S. 179.",
        f"{RULE[:-1]}, for we have never overruled Roe v. Wade, 410 U.S. 113.",
        f"{RULE[:-1]}, and no later case has overruled Roe v. Wade, 410 U.S. 113.",
        f"{RULE[:-1]}, and the court below erred in reversing Roe v. Wade, 410 U.S. 113.",
    ],
)
def test_a_case_that_is_affirmed_or_undoes_another_stands_for_its_sentence(words: str) -> None:
    [found] = [one for one in sentences_of(words) if one.cite == "410 U.S. 113"]
    assert not contrary(found)
    assert found.signal == ""
