"""The study of treatments: pairs as they are read, scores as scikit-learn has them, folds that part no case."""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, precision_recall_fscore_support
from typer.testing import CliRunner, Result

from floats_support import close_to
from lawng.cli import app
from lawng.errors import ConfigError, InputError, MissingError
from lawng.schema import TREATMENTS
from lawng.studies.treatment import study, training
from lawng.studies.treatment.data import Found, find_pairs, read_pairs
from lawng.studies.treatment.study import FOLDS, folds, study_treatment
from lawng.studies.treatment.tables import accuracy, confusion_of, macro_f1, scores_of
from lawng.studies.treatment.training import background_rows, train_treatment
from lawng.treatment.judge import Hearsay
from lawng.treatment.model import Weights, load_weights
from records_support import case, opinion, reporter_cite
from retrieval_support import write_corpus

HEAD = "citing_cluster_id,cited_cluster_id,cited_citations,label"
COLUMNS = ["citing_cluster_id", "cited_cluster_id", "label", "predicted", "probability", "sentence"]
SAYS = {
    "overruled": "We now overrule Ash{0} v. Elm, {0} Mass. 10 (1950).",
    "distinguished": "Ash{0} v. Elm, {0} Mass. 10 (1950), is plainly distinguishable.",
    "mentioned": "Ash{0} v. Elm, {0} Mass. 10 (1950), was a case of leases.",
}
N = 12
"""Citing cases, 901 and on, each with a pair of every label; two more cite with no pair."""


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    cases = []
    for at in range(N + 2):
        cited = [(label, 10 * at + number) for number, label in enumerate(SAYS, 1)]
        body = [f"The tenant had notice. {SAYS[label].format(number)} He stayed." for label, number in cited]
        body += [f"Ash{cited[at % 3][1]} was cited below, and nobody spoke of overruling it."] * (at % 3)
        case_id = f"cl:{901 + at}"
        made = case(case_id, name=f"Poe{at} v. State", parties=[], date="1990")
        cases.append((made, [opinion(case_id, body)]))
    return write_corpus(tmp_path_factory.mktemp("treatments") / "corpus", cases)


def pairs_file(folder: Path, more: str = "", head: str = HEAD) -> Path:
    """All pairs, with an answer of another system."""
    rows = [
        f"{901 + at},{10 * at + number},{10 * at + number} Mass. 10; 7 Oops 1,{label},{'overruled' if at else ''}"
        for at in range(N)
        for number, label in enumerate(SAYS, 1)
    ]
    (folder / "pairs.csv").write_text("\n".join([f"{head},gpt", *rows, *([more] if more else [])]) + "\n", "utf-8")
    return folder / "pairs.csv"


def rows_of(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


# --- pairs


def test_pairs_are_read(tmp_path: Path) -> None:
    head = f"{HEAD},citing,cited,one,two"
    row = '7,8,"1 U.S. 7; 2 L. Ed. 3",limited,"Roe v. Doe","Poe v. State",mentioned,'
    (tmp_path / "p.csv").write_text(f"{head}\n{row}\n")
    [pair] = read_pairs(tmp_path / "p.csv")
    assert (pair.citing, pair.cited, pair.label, pair.names) == ("7", "8", "limited", ("Roe v. Doe", "Poe v. State"))
    assert (pair.cites, pair.answers) == (("1 U.S. 7", "2 L. Ed. 3"), {"one": "mentioned", "two": ""})


@pytest.mark.parametrize(
    ("text", "says"),
    [
        pytest.param(b"", "no column citing_cluster_id, cited_cluster_id, cited_citations, label", id="empty"),
        pytest.param(b"a,label\n1,mentioned\n", "no column citing_cluster_id, cited_.*; it has a, label", id="columns"),
        pytest.param(
            f"{HEAD}\n1,2,1 U.S. 7,good\n".encode(), "line 2: label 'good' is none of overruled, ", id="label"
        ),
        pytest.param(f"{HEAD}\n1,2,3,mentioned\n1,2,3,\n".encode(), "line 3: label '' is none of", id="no label"),
        pytest.param(f"{HEAD}\n1,2,3\n".encode(), "line 2: has not as many cells", id="a cell too few"),
        pytest.param(f"{HEAD}\n1,2,3,mentioned,x\n".encode(), "line 2: has not as many cells", id="a cell too many"),
        pytest.param(f"{HEAD}\n1,2,\xff,mentioned\n".encode("latin-1"), "cannot be read as CSV", id="not UTF-8"),
        pytest.param(f'{HEAD}\n1,2,"3"4,mentioned\n'.encode(), "cannot be read as CSV", id="quotation marks"),
        pytest.param(f'{HEAD}\n1,2,"3,mentioned\n'.encode(), "cannot be read as CSV", id="breaks off"),
    ],
)
def test_a_file_that_holds_no_pairs_is_one_line_with_the_place(text: bytes, says: str, tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_bytes(text)
    with pytest.raises(InputError, match=rf"p\.csv(:|, ).*{says}") as caught:
        read_pairs(tmp_path / "p.csv")
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(MissingError, match=r"p\.csv: not there; name a file of labelled pairs with --data$"):
        read_pairs(tmp_path / "p.csv")
    with pytest.raises(InputError, match="cannot be read as CSV"):
        read_pairs(tmp_path)


def test_a_corpus_without_the_citing_cases(corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text(f"{HEAD}\n7,8,1 U.S. 7,limited\n")
    with pytest.raises(InputError, match=r"^no citing case of the pairs is in the corpora"):
        find_pairs(read_pairs(tmp_path / "p.csv"), [corpus])
    with pytest.raises(MissingError, match="nowhere: not a corpus"):
        find_pairs(read_pairs(tmp_path / "p.csv"), [tmp_path / "nowhere"])


def test_pairs_are_found_by_a_cite_whoever_the_cited_case_is(corpus: Path, tmp_path: Path) -> None:
    rows = ["902,999,11 Mass. 10,mentioned", "902,998,5 Mass. 77,limited", "555,1,1 Mass. 10,mentioned"]
    (tmp_path / "p.csv").write_text("\n".join([HEAD, *rows]))
    material = find_pairs(read_pairs(tmp_path / "p.csv"), [corpus, corpus])
    assert [(one.pair.cited, one.number) for one in material.found] == [("999", 0), ("998", None)]
    assert material.others == []
    others = find_pairs(read_pairs(tmp_path / "p.csv"), [corpus], others=True).others
    assert sorted(one.case.case_id for one in others) == sorted(f"cl:{901 + at}" for at in range(N + 2) if at != 1)


def test_pairs_whose_cited_case_has_no_id_are_no_one_case(tmp_path: Path) -> None:
    body = "See Ash v. Elm, 1 Mass. 10 (1950), and Fir v. Oak, 2 Mass. 20 (1951)."
    cases = [
        (case("cl:1", citations=[reporter_cite("1 Mass. 10")]), [opinion("cl:1", ["The deed is void."])]),
        (case("cl:2", name="Roe v. State", parties=[]), [opinion("cl:2", [body])]),
    ]
    (tmp_path / "p.csv").write_text(f"{HEAD}\n2,,1 Mass. 10,mentioned\n2,,2 Mass. 20,limited\n")
    found = find_pairs(read_pairs(tmp_path / "p.csv"), [write_corpus(tmp_path / "c", cases)]).found
    assert [one.number for one in found] == [0, 1]
    assert [one.case_ids for one in found[0].citing.every] == [{"cl:1"}, set()], "linked as in a corpus alone"


def test_pairs_are_found_by_the_cited_cases_id(tmp_path: Path) -> None:
    cases = [
        (case("cl:1"), [opinion("cl:1", ["The deed is void."])]),
        (case("cl:2", name="Roe v. State", parties=[]), [opinion("cl:2", ["See Ash v. Elm, 1 Mass. 10 (1950)."])]),
    ]
    (tmp_path / "p.csv").write_text(f"{HEAD}\n2,1,,mentioned\n")
    [found] = find_pairs(read_pairs(tmp_path / "p.csv"), [write_corpus(tmp_path / "c", cases)]).found
    assert found.number == 0


# --- the study


def test_predictions_are_the_pairs_that_can_be_asked(corpus: Path, tmp_path: Path) -> None:
    data = pairs_file(tmp_path, "902,998,5 Mass. 77,limited,\n555,1,1 Mass. 10,mentioned,")
    result = study_treatment(data, [corpus], tmp_path / "out")
    rows = rows_of(tmp_path / "out" / "predictions.csv")
    assert list(rows[0]) == COLUMNS
    pairs = [(row["citing_cluster_id"], row["cited_cluster_id"], row["label"]) for row in rows]
    assert pairs == [(p.citing, p.cited, p.label) for p in read_pairs(data) if p.citing != "555"]
    assert [row["predicted"] for row in rows] == [*([*SAYS] * N), "mentioned"]
    assert all(0 < float(row["probability"]) <= 1 and len(row["probability"]) == 6 for row in rows)
    number = 11
    assert rows[3]["sentence"] == SAYS["overruled"].format(number)
    assert rows[-1]["sentence"] == "", "it is not cited"
    assert (result.n_lost, result.n_uncited, result.folder) == (1, 1, tmp_path / "out")
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest == {
        "pairs": 3 * N + 2, "more": 0, "asked": 3 * N + 1, "not cited": 1, "seed": 7, "cross-validated": False, "folds": FOLDS,
    }  # fmt: skip


def test_tables_of_the_study(corpus: Path, tmp_path: Path) -> None:
    tables = study_treatment(pairs_file(tmp_path), [corpus], tmp_path / "out").tables
    assert set(tables) == {"systems", "labels", "confusion", "calibration"}, "there are no errors"
    ours, other = tables["systems"].rows
    assert [ours[0], ours[1].split()[0], ours[2].split()[0], ours[-1]] == ["lawng", "100.0", "100.0", "0"]
    right = 100 * (N - 1) / (3 * N)
    assert [other[0], other[1].split()[0], other[-1]] == ["gpt", f"{right:.1f}", "3"], "no answer is a wrong one"
    by_label = {(row[0], row[2]): row for row in tables["labels"].rows}
    assert by_label["overruled", "gpt"][1:2] + by_label["overruled", "gpt"][3:5] == [
        str(N), f"{100 / 3:.1f}", f"{100 * (N - 1) / N:.1f}",
    ]  # fmt: skip
    assert by_label["mentioned", "gpt"][3:5] == ["NaN", "0.0"]
    confusion = {row[0]: [int(n) for n in row[1:]] for row in tables["confusion"].rows}
    assert confusion == {label: [N * (column == label) for column in TREATMENTS] for label in SAYS}
    assert sum(int(row[1]) for row in tables["calibration"].rows) == 3 * N
    assert {path.suffix for path in (tmp_path / "out" / "tables").glob("systems.*")} >= {".csv", ".txt"}


def test_errors_and_what_every_system_denies(corpus: Path, tmp_path: Path) -> None:
    more = "902,11,11 Mass. 10,questioned,overruled\n902,12,12 Mass. 10,limited,mentioned"
    tables = study_treatment(pairs_file(tmp_path, more), [corpus], tmp_path / "out").tables
    found = {name: [(row[2], row[3], row[5]) for row in tables[name].rows] for name in ("errors", "disputed")}
    agreed = ("questioned", "overruled", "overruled")
    assert found == {"errors": [agreed, ("limited", "distinguished", "mentioned")], "disputed": [agreed]}


@pytest.mark.parametrize("seed", range(4))
def test_scores_are_those_of_scikit_learn(seed: int) -> None:
    draw = np.random.default_rng(seed)
    gold, said = draw.integers(0, 5, 80), draw.integers(0, 8, 80)
    labels = list(range(len(TREATMENTS)))
    counts = confusion_of(gold, said)
    expected = precision_recall_fscore_support(gold, said, labels=labels, zero_division=np.nan)
    for label in labels:
        mine, theirs = scores_of(counts, label), [float(values[label]) for values in expected[:3]]
        assert mine == pytest.approx(theirs, rel=1e-6, nan_ok=True), TREATMENTS[label]
    assert accuracy(counts) == close_to(accuracy_score(gold, said))
    macro = precision_recall_fscore_support(gold, said, labels=[0, 1, 4], average="macro", zero_division=0.0)[2]
    assert macro_f1(counts, [0, 1, 4]) == close_to(float(macro))
    assert counts.sum() == 80


def test_a_label_that_nobody_gives_has_no_precision() -> None:
    counts = confusion_of(np.array([0, 0, 6]), np.array([6, 7, 6]))
    assert np.isnan(scores_of(counts, 0)[0])
    assert scores_of(counts, 0)[1:] == (0.0, 0.0)
    assert np.isnan(scores_of(counts, 3)).all()
    assert macro_f1(counts, [0, 3, 6]) == close_to((0 + 0 + 2 / 3) / 3), "the column of no answer is no label's"


# --- held out


@pytest.mark.parametrize(("n_groups", "n"), [(1, 10), (2, 10), (7, 3), (40, 10)])
def test_folds_part_the_rows_and_never_a_case(n_groups: int, n: int) -> None:
    draw = random.Random(n_groups)
    groups = [f"g{draw.randrange(n_groups)}" for _ in range(90)]
    parts = list(folds(groups, 3, n))
    assert sorted(at for part in parts for at in part) == list(range(90))
    held = [{groups[at] for at in part} for part in parts]
    assert sum(map(len, held)) == len(set(groups)), "each in one part"
    assert len(parts) == min(n, len(set(groups)))
    assert max(map(len, held)) - min(map(len, held)) <= 1
    assert parts == list(folds(groups, 3, n))
    if n_groups > n:
        assert parts != list(folds(groups, 4, n)), "drawn by the seed"


def test_no_pair_is_judged_by_weights_that_saw_its_citing_case(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[set[str]] = []
    judged: list[set[str]] = []
    judge = study._predicted

    def fit(found: Sequence[Found], background: Sequence[dict[str, float]], _: Hearsay) -> Weights:
        seen.append({one.pair.citing for one in found})
        assert background, "of the two cases that no pair is of"
        return load_weights()

    def predicted(found: Sequence[Found], weights: Weights, hearsay: Hearsay) -> list[Any]:
        judged.append({one.pair.citing for one in found})
        return judge(found, weights, hearsay)

    monkeypatch.setattr(study, "fit", fit)
    monkeypatch.setattr(study, "_predicted", predicted)
    said: list[str] = []
    study_treatment(pairs_file(tmp_path), [corpus], tmp_path / "out", cross_validate=True, say=said.append)
    everyone = {str(901 + at) for at in range(N)}
    assert len(seen) == len(judged) == FOLDS
    assert all(fitted == everyone - held for fitted, held in zip(seen, judged, strict=True))
    assert set.union(*judged) == everyone
    assert sum(map(len, judged)) == N
    assert sum("fold" in line for line in said) == FOLDS
    order = [(row["citing_cluster_id"], row["label"]) for row in rows_of(tmp_path / "out" / "predictions.csv")]
    assert order == [(str(901 + at), label) for at in range(N) for label in SAYS], "in the order of the pairs"


def test_further_pairs_are_fitted_to_and_not_asked(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = ["913,,121 Mass. 10,overruled", "901,,2 Mass. 10,limited", "555,,1 Mass. 10,limited"]
    (tmp_path / "more.csv").write_text("\n".join([HEAD, *rows]))
    seen: list[set[tuple[str, str]]] = []
    judge = study._predicted

    def fit(found: Sequence[Found], background: Sequence[dict[str, float]], _: Hearsay) -> Weights:
        assert all(one.number is not None for one in found), "by its cite: the cited case's id is not known"
        assert len(background) == 1, "a case that further pairs are of is no background"
        seen.append({(one.pair.citing, one.pair.label) for one in found})
        return load_weights()

    def predicted(found: Sequence[Found], weights: Weights, hearsay: Hearsay) -> list[Any]:
        assert (("901", "limited") in seen[-1]) != ("901" in {one.pair.citing for one in found})
        return judge(found, weights, hearsay)

    monkeypatch.setattr(study, "fit", fit)
    monkeypatch.setattr(study, "_predicted", predicted)
    args = {"cross_validate": True, "more": [tmp_path / "more.csv"]}
    result = study_treatment(pairs_file(tmp_path), [corpus], tmp_path / "out", **args)  # type: ignore[arg-type]
    assert len(seen) == FOLDS
    assert all(("913", "overruled") in fitted for fitted in seen)
    assert len(rows_of(tmp_path / "out" / "predictions.csv")) == 3 * N
    assert (result.n_lost, result.n_uncited) == (0, 0), "of those that are asked"
    assert json.loads((tmp_path / "out" / "manifest.json").read_text())["more"] == 2


def test_further_pairs_are_for_what_is_fitted(corpus: Path, tmp_path: Path) -> None:
    data = pairs_file(tmp_path)
    ran = run("study", "treatment", corpus, "--data", data, "--more", data, "-o", tmp_path / "out")
    assert isinstance(ran.exception, ConfigError)
    assert str(ran.exception).startswith("--more is fitted to, and nothing is fitted without --cross-validate")
    assert not (tmp_path / "out").exists()


def test_a_cross_validated_run_is_the_same_twice(corpus: Path, tmp_path: Path) -> None:
    data = pairs_file(tmp_path)
    runs = [study_treatment(data, [corpus], tmp_path / name, cross_validate=True) for name in ("a", "b")]
    first, second = ((run.folder / "predictions.csv").read_bytes() for run in runs)
    assert first == second
    rows = rows_of(tmp_path / "a" / "predictions.csv")
    assert [row["predicted"] for row in rows if row["label"] == "overruled"] == ["overruled"] * N
    shipped = study_treatment(data, [corpus], tmp_path / "c")
    assert [row["probability"] for row in rows] != [
        row["probability"] for row in rows_of(shipped.folder / "predictions.csv")
    ], "other weights than those that come along"
    assert json.loads((tmp_path / "a" / "manifest.json").read_text())["cross-validated"] is True


def test_training_writes_weights_that_can_be_read(corpus: Path, tmp_path: Path) -> None:
    told = train_treatment(pairs_file(tmp_path), [corpus], tmp_path / "w.json")
    weights = load_weights(tmp_path / "w.json")
    assert set(weights.labels) == set(SAYS)
    assert told == weights.told == {"pairs": 3 * N, "background": 2, "strength": training.STRENGTH}
    assert np.abs(weights.weights).max() < 100, "nothing weighs more than all words together"
    assert weights.of({"C overrule": 0.7})["overruled"] > weights.of({})["overruled"]


def test_training_takes_further_pairs(corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "more.csv").write_text(f"{HEAD}\n913,,121 Mass. 10,limited\n914,,131 Mass. 10,limited\n")
    told = train_treatment(pairs_file(tmp_path), [corpus], tmp_path / "w.json", more=[tmp_path / "more.csv"])
    assert (told["pairs"], told["background"]) == (3 * N + 2, 0)
    assert set(load_weights(tmp_path / "w.json").labels) == {*SAYS, "limited"}


def test_what_says_that_it_is_more_is_no_background(corpus: Path, tmp_path: Path) -> None:
    material = find_pairs(read_pairs(pairs_file(tmp_path)), [corpus], others=True)
    assert [one.case.case_id for one in material.others] == ["cl:913", "cl:914"]
    rows = background_rows(material.others, Hearsay(), seed=1)
    assert len(rows) == 2, "of each the mention; neither what it overrules nor what it distinguishes"
    assert not any("C overrule" in row for row in rows)
    hearsay = Hearsay()
    for one in material.others:
        hearsay._take("cl:1", [cite.cite for cite in one.case.citations], one.every[2].cites)
    assert background_rows(material.others, hearsay, seed=1) == [], "nor what it overrules, as others tell"


# --- the commands


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(one) for one in arguments])


def test_the_command_says_what_it_left_out(corpus: Path, tmp_path: Path) -> None:
    data = pairs_file(tmp_path, "902,998,5 Mass. 77,limited,\n555,1,1 Mass. 10,mentioned,")
    ran = run("study", "treatment", corpus, "--data", data, "-o", tmp_path / "out")
    assert ran.exit_code == 0
    assert "macro-F1" in ran.stdout
    assert "1 pairs left out: their citing case is in none of the corpora." in ran.stderr
    assert "1 pairs taken for mentions" in ran.stderr
    assert (tmp_path / "out" / "tables" / "errors.csv").is_file()


def test_the_commands_read_the_same_pairs(tmp_path: Path) -> None:
    for command in ("study", "train"):
        ran = run(command, "treatment", tmp_path, "--data", tmp_path / "no.csv", "-o", tmp_path / "out")
        assert isinstance(ran.exception, MissingError)
        assert "no.csv: not there" in str(ran.exception)
        assert not (tmp_path / "out").exists()


def test_the_command_that_trains_says_what_to_do_next(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    given = SimpleNamespace(seen=())

    def train(*arguments: object) -> dict[str, int]:
        given.seen = arguments
        return {"pairs": 1200, "background": 3}

    monkeypatch.setattr(training, "train_treatment", train)
    ran = run(
        "train", "treatment", "a", "b", "--data", "p.csv", "-o", tmp_path / "w.json", "--seed", 3, "--more", "m.csv"
    )
    assert ran.exit_code == 0
    assert given.seen == (Path("p.csv"), [Path("a"), Path("b")], tmp_path / "w.json", 3, [Path("m.csv")])
    assert "Fitted to 1,200 labelled pairs and 3 others" in ran.stderr


def test_a_file_that_a_spreadsheet_wrote_is_read(tmp_path: Path) -> None:
    rows = "citing_cluster_id,cited_cluster_id,cited_citations,label\n1,2,10 U.S. 20,overruled\n"
    (tmp_path / "pairs.csv").write_bytes(b"\xef\xbb\xbf" + rows.encode())
    assert [pair.label for pair in read_pairs(tmp_path / "pairs.csv")] == ["overruled"]
