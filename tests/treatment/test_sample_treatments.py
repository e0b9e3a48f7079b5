"""The bundled sample: what must hold of every row, and what experts would say beside what is found."""

from __future__ import annotations

import csv
from functools import cache

import pytest

from lawng.corpus.reader import Corpus
from lawng.schema import NEGATIVE, Opinion, Treatment
from lawng.schema.treatment import KINDS, TREATMENTS
from lawng.treatment.whole import treatments_of_corpus
from retrieval_support import SAMPLE, sample_cases, sample_corpus

Key = tuple[str, str]

UNPLAIN = {
    ("902 Mass. 51", "901 Mass. 477"): "of another kind",
    ("901 Mass. 402", "901 Mass. 88"): "but there the law itself",
    ("2901 F. Supp. 3d 18", "1802 F.3d 77"): "but the statute there",
    ("2901 F. Supp. 3d 233", "1801 F.3d 702"): "but the milk there",
}
"""Distinguished in other than plain words: missed by design."""
MISSED: dict[Key, str] = {}
"""Gold rows that are missed though they should be found, and why."""
OTHER_KIND = {
    ("802 Ill. 2d 189", "801 Ill. 2d 25"): "the sentence has 'on this point'",
    ("1803 F.3d 455", "1802 F.3d 410"): "it follows without saying so",
    ("802 Ill. 2d 344", "801 Ill. 2d 402"): "it follows without saying so",
}
"""Gold rows with the right label whose finer kind is not seen."""
OTHER_SENTENCE = {
    ("1802 F.3d 512", "2901 F. Supp. 3d 18"): "Reversed.",
    ("902 Mass. 51", "901 Mass. 402"): "We overrule Rourke in the respect stated below",
}
"""Gold rows whose sentence is another one: the disposition at the end, and what stands before the overruling."""


@cache
def rows() -> list[Treatment]:
    return list(treatments_of_corpus(sample_corpus()))


@cache
def gold_rows() -> list[tuple[Key, dict[str, str]]]:
    """What experts would say, by the cites of citing and cited case; a dissent may have a row beside the court's."""
    with (SAMPLE.parent / "treatments.tsv").open(encoding="utf-8", newline="") as lines:
        found = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [((row["citing"], row["cited"]), row) for row in found]


def ids() -> dict[str, str]:
    return {cite.cite: case.case_id for case, _ in sample_cases() for cite in case.citations}


def found_of(key: Key, decides: str) -> Treatment:
    citing, cited = (ids()[cite] for cite in key)
    [row] = [
        row for row in rows() if (row.citing_case_id, row.case_id, row.decides) == (citing, cited, decides == "yes")
    ]
    return row


def test_labels_are_those_of_the_gold_but_known_misses() -> None:
    wrong = {key for key, row in gold_rows() if found_of(key, row["decides"]).label != row["label"]}
    assert wrong == {*UNPLAIN, *MISSED}
    assert all(found_of(key, "yes").label == "mentioned" for key in wrong), "a miss is silent, it claims nothing else"


def test_finer_kinds_are_those_of_the_gold_but_known_misses() -> None:
    right = [(key, row) for key, row in gold_rows() if key not in {*UNPLAIN, *MISSED}]
    expected = {key: row["kind"] for key, row in right if row["decides"] == "yes"}
    kinds = {key: "" if (row := found_of(key, "yes")).told else row.kind for key in expected}
    assert {key for key, kind in kinds.items() if kind != expected[key]} == set(OTHER_KIND)


def test_no_other_case_is_flagged() -> None:
    known = {(ids()[citing], ids()[cited], row["decides"] == "yes") for (citing, cited), row in gold_rows()}
    flagged = [row for row in rows() if row.label in NEGATIVE]
    assert [row.sentence for row in flagged if (row.citing_case_id, row.case_id, row.decides) not in known] == []
    assert len(flagged) >= 10


@pytest.mark.parametrize(
    ("citing", "cited", "told", "by"),
    [
        ("802 Ill. 2d 344", "801 Ill. 2d 25", "overruled", "802 Ill. 2d 189"),
        ("902 Mass. 214", "901 Mass. 402", "overruled", "902 Mass. 51"),
        ("1803 F.3d 601", "2901 F. Supp. 3d 18", "reversed", "1802 F.3d 512"),
        ("1803 F.3d 720", "2901 F. Supp. 3d 18", "reversed", "1802 F.3d 512"),
    ],
)
def test_what_others_did_is_told(citing: str, cited: str, told: str, by: str) -> None:
    row = found_of((citing, cited), "yes")
    assert (row.label, row.told, row.in_part) == ("mentioned", told, cited == "901 Mass. 402"), "overruled in part"
    assert ids()[row.by] == ids()[by]
    words = next(gold_row["words"] for key, gold_row in gold_rows() if key == (citing, cited))
    assert words in row.sentence


def test_nothing_else_is_told() -> None:
    assert sum(row.kind.startswith("told") for row in rows()) == 4
    assert all(row.kind.startswith("told") == bool(row.told) == bool(row.by) for row in rows())


def test_the_sentence_that_decides_is_the_golds() -> None:
    plain = [(key, row) for key, row in gold_rows() if row["label"] != "mentioned" and key not in UNPLAIN]
    rest = {key: words for key, words in OTHER_SENTENCE.items() if words}
    for key, row in plain:
        assert rest.get(key, row["words"]) in found_of(key, row["decides"]).sentence
    assert len(plain) >= 12


def test_every_row_is_a_sentence_of_its_opinion() -> None:
    opinions: dict[str, Opinion] = {one.opinion_id: one for _, found in sample_cases() for one in found}
    cases = {case.case_id: case for case, _ in sample_cases()}
    for row in rows():
        opinion, case = opinions[row.opinion_id], cases[row.citing_case_id]
        assert opinion.text[row.start : row.end] == row.sentence
        assert row.sentence.strip() == row.sentence != ""
        assert any(p.start <= row.start and row.end <= p.end for p in opinion.paragraphs)
        assert (opinion.case_id, opinion.type, opinion.author) == (row.citing_case_id, row.part, row.author)
        assert row.decides == (row.part not in {"dissent", "concurrence", "concurrence-in-part"})
        assert (row.citing_name, row.citing_date) == (case.name, case.date)
        assert row.citing_cite == case.citations[0].cite
        assert row.label in TREATMENTS
        assert row.kind in ("", *KINDS)
        assert 0 < row.probability <= 1
        assert row.n_mentions >= 1
        assert row.page


def test_ids_are_unique_and_no_case_treats_itself() -> None:
    made = [row.treatment_id for row in rows()]
    assert len(set(made)) == len(made) > 150
    pairs = [(row.citing_case_id, row.case_id, row.decides) for row in rows() if row.case_id]
    assert len(set(pairs)) == len(pairs), "a case cited by parallel cites is one row"
    assert all(row.case_id != row.citing_case_id for row in rows())
    own = {case.case_id: {cite.cite for cite in case.citations} for case, _ in sample_cases()}
    assert not any(own[row.citing_case_id] & {row.cite, *row.parallel} for row in rows())


def test_every_case_of_the_sample_that_is_cited_has_a_row_that_links_to_it() -> None:
    known = ids()
    for row in rows():
        linked = {known[cite] for cite in (row.cite, *row.parallel) if cite in known}
        assert {row.case_id} - {""} == linked


def test_the_same_corpus_gives_the_same_rows_in_its_order() -> None:
    assert list(treatments_of_corpus(sample_corpus())) == rows()
    order = [case.case_id for case in Corpus(sample_corpus()).cases()]
    citing = list(dict.fromkeys(row.citing_case_id for row in rows()))
    assert citing == [case_id for case_id in order if case_id in set(citing)]
    assert all(a.citing_case_id != b.citing_case_id or a != b for a, b in zip(rows(), rows()[1:], strict=False))
