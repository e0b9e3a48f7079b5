"""What clauses are about by their vectors: the weights against scikit-learn, beside patterns, and in a search."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from typer.testing import CliRunner

from encoder_support import HashingEncoder
from floats_support import close_to
from lawng.clauses.meaning.clause_annotation import annotate
from lawng.clauses.meaning.explained import explain
from lawng.clauses.meaning.glossary import SUBJECTS
from lawng.clauses.meaning.match_features import HARDLY, LIKELY, SentenceArrays, mended
from lawng.clauses.meaning.query_intent import query_intent
from lawng.clauses.ranking.clause_subjects import FILE, ClauseSubjects, clause_subjects, fit_subjects
from lawng.clauses.ranking.features import ClauseFeatures
from lawng.cli import app
from lawng.errors import InputError
from lawng.models.vector_cache import CachedEncoder
from lawng.studies.acord import clause_subjects as study
from lawng.studies.acord.data import read_acord
from ratings_support import SAMPLE

NAMES = [subject.name for subject in SUBJECTS]
CAP, LAW, AS_IS = map(NAMES.index, ("cap", "governing law", "as is"))
CAPPED = "Fees. Money. In no event shall Lessor's total liability exceed one dollar."
PLAIN = "Whatever zebras cost is the most that anybody owes."
WIDTH = 1 << 12


def test_probabilities_are_scikit_learns_and_of_a_subject_not_taught_nothing_is_said() -> None:
    draw = np.random.default_rng(0)
    vectors, labels = draw.normal(size=(60, 7)).astype(np.float32), draw.random((60, len(SUBJECTS))) < 0.5
    sure = np.where(draw.random(labels.shape) < 0.5, 4.0, 1.0)
    labels[:, LAW], labels[4:, LAW] = True, False  # four clauses are too few
    labels[:, AS_IS] = True  # and nothing can be told of what all clauses are about
    found = fit_subjects(vectors, labels, sure).of(vectors)
    peer = LogisticRegression(C=10.0, max_iter=500).fit(vectors, labels[:, CAP], sure[:, CAP])
    assert found[:, CAP] == close_to(peer.predict_proba(vectors)[:, 1])
    assert np.isnan(found).any(axis=0).tolist() == [name in {"governing law", "as is"} for name in NAMES]


@pytest.mark.parametrize(
    ("text", "likely", "about", "why"),
    [
        (CAPPED, np.nan, [0, 0, 1], "not taught: the pattern tells"),
        (CAPPED, 0.3, [0, 0, 1], "neither likely nor hardly: the pattern tells"),
        (CAPPED, HARDLY, [0, 0, 0], "the pattern is mistaken"),
        (CAPPED, 0.9, [1, 0, 1], "the clause as a whole is, and its sentence"),
        (PLAIN, 0.9, [1], "no pattern knows it"),
        (PLAIN, LIKELY, [0], "as likely as not"),
        (f"{PLAIN} Goods ship at noon.", 0.9, [1, 1], "no pattern knows where, so everywhere"),
        (f"{CAPPED} Goods ship at noon.", 0.9, [1, 0, 1, 0], "a pattern knows where, beside the first"),
        (PLAIN, np.nan, [0], "nothing tells"),
    ],
)
def test_patterns_are_mended_by_what_is_likely(text: str, likely: float, about: list[int], why: str) -> None:
    told = np.full((2, len(SUBJECTS)), np.nan)
    told[1, CAP] = likely  # the clause before it stays as it is
    found = SentenceArrays([annotate(CAPPED), annotate(text)], told)
    assert found.about[:, CAP].astype(int).tolist() == [0, 0, 1, *about], why
    assert found.about[:, LAW].sum() == 0
    bits = [sentence.about for sentence in mended(annotate(text), told[1])]
    assert [bit >> CAP & 1 for bit in bits] == about, "and in the explanation"
    assert [bit & ~(1 << CAP) for bit in bits] == [one.about & ~(1 << CAP) for one in annotate(text)]


@pytest.mark.parametrize(
    ("text", "headings", "likely", "found", "words"),
    [
        (PLAIN, (), 0.9, True, PLAIN.rstrip(".")),
        (PLAIN, (), 0.3, False, ""),
        (CAPPED, (), 0.05, False, ""),
        (CAPPED, (), 0.9, True, "one dollar"),
        (PLAIN, ("7. Zebras",), 0.9, True, PLAIN.rstrip(".")),
    ],
    ids=["its vector", "nothing", "its vector against a pattern", "both", "told of the clause with its heading"],
)
def test_the_explanation_says_what_the_ranking_goes_by(
    text: str, headings: tuple[str, ...], likely: float, found: bool, words: str
) -> None:
    told = np.full(len(SUBJECTS), np.nan)
    told[CAP] = likely
    annotation = mended(annotate("\n".join([*headings, text])), told)
    [part] = explain(query_intent("cap on liability"), text, headings, annotation)
    assert (part.asked, part.found) == ("cap", found)
    assert words in part.words
    assert bool(words) == bool(part.words)


def written(folder: Path, **weights: list[float]) -> Path:
    folder.mkdir(exist_ok=True)
    ClauseSubjects(weights).write(folder / FILE, {"clauses": 2})
    return folder


def test_a_search_finds_what_no_pattern_knows_by_the_weights_beside_its_encoder(tmp_path: Path) -> None:
    encoder = HashingEncoder(name=str(tmp_path / "encoder"), width=WIDTH)
    own = encoder.encode([PLAIN]).vectors[0]
    weights = [*(20 * own / np.linalg.norm(own)).tolist(), -10.0]
    texts = [PLAIN, "Goods ship at noon.", CAPPED]

    def fit(*, beside: bool) -> list[bool]:
        if beside:
            written(tmp_path / "encoder", cap=weights)
        found = ClauseFeatures(texts, CachedEncoder(tmp_path / "kept", encoder)).scores("cap on liability")
        return [bool(fits > 0) for fits in found.measures["fit"]]

    assert fit(beside=False) == [False, False, True]
    assert fit(beside=True) == [True, False, False], "it is likely, and the weights hold the pattern to be mistaken"


def test_weights_are_read_as_they_were_written_and_damaged_ones_are_named(tmp_path: Path) -> None:
    assert clause_subjects("no such folder", 3) is None
    folder = written(tmp_path / "encoder", cap=[0.12345, 1.0, -2.0, 0.5])
    found = clause_subjects(str(folder), 3)
    assert found is not None
    assert found.weights == {"cap": [0.123, 1.0, -2.0, 0.5]}
    with pytest.raises(InputError, match=r"subjects\.json: made for vectors of another width than 4"):
        clause_subjects(str(folder), 4)
    for damaged in ("", "{}", "[]", '{"weights": {"cap": ["a"]}}', '{"weights": {"cap": [1, 2, 3, 4], "as is": [1]}}'):
        (folder / FILE).write_text(damaged)
        with pytest.raises(InputError, match=r"subjects\.json: (no weights|made for)"):
            clause_subjects(str(folder), 3)


def test_readers_grades_count_beside_patterns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From files to weights: what readers call a cap is one, what they give no star is none."""
    acord, calls = read_acord(SAMPLE), list[tuple[np.ndarray, np.ndarray]]()
    ids = list(acord.clauses)[:40]
    grades = ["40123000", "04000000", "00400000", "00040000", "00004002"]
    lines = [
        {
            "clauses": ids[8 * at : 8 * at + 8],
            "queries": [
                ["short", "cap on liability", own],
                ["plain", "what is the cap?", "00001000"],
                ["short", "zebras", "33333333"],
                ["short", "cap on liability, governing law", "44444444"],
            ],
        }
        for at, own in enumerate(grades)
    ]
    groups = tmp_path / "groups.jsonl"
    groups.write_text("".join(json.dumps(line) + "\n" for line in lines))
    monkeypatch.setattr(study, "search_embedder", lambda _: HashingEncoder(width=WIDTH))
    monkeypatch.setenv("LAWNG_CACHE", str(tmp_path / "cache"))

    def fitted(vectors: np.ndarray, labels: np.ndarray, sure: np.ndarray) -> ClauseSubjects:
        calls.append((labels, sure))
        return fit_subjects(vectors, labels, sure)

    monkeypatch.setattr(study, "fit_subjects", fitted)
    given = ["--data", str(SAMPLE), "--groups", str(groups), "--encoder", "any", "-o", str(tmp_path / FILE)]
    said = CliRunner().invoke(app, ["train", "subjects", *given])
    assert said.exit_code == 0, said.output
    patterns = [any(sentence.about >> CAP & 1 for sentence in annotate(text)) for text in acord.clauses.values()]
    labels, sure = calls[-1]
    for number, clause in enumerate(acord.clauses):
        grade = max(grades[number // 8][number % 8], "00001000"[number % 8]) if number < 40 else "?"
        expected = {"0": False, "3": True, "4": True}.get(grade, patterns[number])
        assert labels[number, CAP] == expected, clause
        assert sure[number, CAP] == (4.0 if grade in "034" else 1.0), clause
    assert sure[:, LAW].max() == 1.0, "nobody asked for it alone"
    assert [len(labels) for labels, _ in calls] == [len(acord.clauses) - 8] * 5 + [len(acord.clauses)]
    read = json.loads((tmp_path / FILE).read_text("utf-8"))
    assert read["told"]["groups"] == 5
    assert {*read["told"]["ndcg"]} == {"patterns", "taught"}
    assert (
        f"NDCG of queries of held-out groups by how a clause fits: {read['told']['ndcg']['taught']:.4f}" in said.output
    )
    assert {*read["weights"]} <= {*NAMES}


def test_too_few_groups_are_refused(tmp_path: Path) -> None:
    said = CliRunner().invoke(app, ["train", "subjects", "--data", str(SAMPLE), "-o", str(tmp_path / FILE)])
    assert isinstance(said.exception, InputError)
    assert "0 groups of clauses are given, 5 are needed" in str(said.exception)
    assert not (tmp_path / FILE).exists()
