"""Sentences: where they end, and which full stops end none."""

import pytest

from lawng.text.sentences import sentence_spans

CASES = [
    ("The U.S. Constitution governs.", "a country's initials before a name"),
    ("The D.C. Circuit held so.", "a court"),
    ("Under N.Y. Gen. Oblig. Law § 5 he wins.", "a code"),
    ("Tenn. Code Ann. § 5 governs.", "a state"),
    ("The Tex. Civ. Prac. & Rem. Code controls.", "a code in four words"),
    ("Under Fed. R. Civ. P. 56 he wins. | She appeals.", "a rule's number"),
    ("See Tr. of Oral Arg. 25.", "papers of the case"),
    ("See Dkt. 15 at 4. | See Pl.’s Ex. A at 5.", "the record"),
    ("Det. Smith and Sgt. Jones spoke to Prof. Doe.", "ranks"),
    ("Smith v. Jones, 5 F.3d 1, rev'd sub nom. Doe v. Jones, 5 U.S. 1.", "another name"),
    ("Plaintiff works for Acme, Inc. | He sued.", "a firm that ends a sentence"),
    ("Doe v. Acme Ins. Co. Trustees is old.", "a firm that does not"),
    ("He came to the U.S. | He was born abroad.", "a pronoun begins a sentence"),
    ("She moved to the U.S. | See Roe v. Wade, 410 U.S. 113.", "a signal does"),
    ("It was removed to D.C. | Plaintiffs appealed.", "a party does"),
    ("He claims under the Bankruptcy Code. | The debtor appealed.", "Code has no stop of its own"),
    ("He was rude under 20 C.F.R. § 404.1520. | Claimant bears the burden.", "a number with a point ends one"),
    ("It came at 5:30 p.m. | Officer Smith arrived.", "an hour ends one"),
    ("The court . . . . | Congress shall make no law.", "four dots end one"),
    ("Doe v. Acme Co. In re Smith is old.", "but not within a caption"),
    ("He was ill. | Smith testified.", "Ill. is a state, ill. is none"),
    ("It was his pen. | Jones took it.", "Pen. is of a code, pen. is none"),
    ("So held in Roe v. Wade, 410 U.S. 113. | See also id. at 5.", "a cite's number ends one"),
]


@pytest.mark.parametrize(("marked", "why"), CASES, ids=[why for _, why in CASES])
def test_sentences_end_where_a_reader_ends_them(marked: str, why: str) -> None:
    wanted = marked.split(" | ")
    text = " ".join(wanted)
    assert [text[span.start : span.end] for span in sentence_spans(text, 0, len(text))] == wanted, why
