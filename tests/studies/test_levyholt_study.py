"""The study of LevyHolt on a few made-up pairs: what it writes, what it reads back, what it leaves open."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from lawng.directional.curve import auc_norm
from lawng.errors import ConfigError, InputError, MissingError
from lawng.reports.grid import Grid
from lawng.studies.levyholt import systems
from lawng.studies.levyholt.study import study_levyholt
from lawng.studies.levyholt.systems import Asked, LevyHoltSettings, PairScore, asked, read_benchmark

KINDS = (("buys", "owns"), ("founded", "works for"), ("won", "took part in"))
SAME = (("acquired", "bought"), ("is located in", "lies in"))
OTHER = (("visits", "feeds"), ("sings about", "repairs"))


def rows(names: list[str]) -> str:
    """For each name directional entries, paraphrases and unrelated pairs, each with its converse where LevyHolt has it."""
    lines = []
    for name in names:
        for premise, hypothesis in KINDS:
            lines.append((f"{name},{hypothesis},Bix", f"{name},{premise},Bix", "True"))
            lines.append((f"{name},{premise},Bix", f"{name},{hypothesis},Bix", "False"))
        for one, other in SAME:
            lines.append((f"{name},{one},Bix", f"{name},{other},Bix", "True"))
            lines.append((f"{name},{other},Bix", f"{name},{one},Bix", "True"))
        for one, other in OTHER:
            lines.append((f"{name},{one},Bix", f"{name},{other},Bix", "False"))
    return "".join("\t".join((*line, "EN")) + "\n" for line in lines)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "levyholt"
    folder.mkdir()
    for split, names in {"train": ["Ada", "Cy"], "dev": ["Dot"], "test": ["Eve", "Flo", "Gus"]}.items():
        (folder / f"{split}.txt").write_text(rows(names), "utf-8")
    return folder


PLAIN = LevyHoltSettings(prompting=(), resamples=20)


def test_predictions_are_stored_before_they_are_scored_and_read_back(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = LevyHoltSettings(prompting=(), entailed=data, resamples=20)
    out = tmp_path / "study"
    first = study_levyholt(data, out, settings)
    assert sorted(path.name for path in (out / "predictions").iterdir()) == [
        "cosine.all-MiniLM-L6-v2.nothing.parquet",
        "direction.all-MiniLM-L6-v2.symmetric.parquet",
        "order.all-MiniLM-L6-v2.symmetric.parquet",
    ]
    assert json.loads((out / "manifest.json").read_text("utf-8"))["settings"]["draws"] == 100
    assert (out / "curve-directional.png").stat().st_size > 1000

    def fail(*_: object) -> None:
        raise AssertionError("what is stored is read back")

    monkeypatch.setattr(systems, "rows_of", fail)
    assert study_levyholt(data, out, settings).tables == first.tables


def test_a_symmetric_score_knows_no_direction_and_the_numbers_are_those_of_the_files(
    data: Path, tmp_path: Path
) -> None:
    from lawng.studies.harness import ParquetStore

    tables = study_levyholt(data, tmp_path / "study", PLAIN).tables
    assert (tables["direction"].rows[0][1:3], sorted(tables)) == (
        [tables["direction"].rows[0][1], "9"],
        ["direction", "measures"],
    )
    assert tables["direction"].rows[0][1].startswith("50.0"), "each pair is a tie"
    [path] = (tmp_path / "study" / "predictions").iterdir()
    scores = {row.pair_id: row.score for row in ParquetStore(PairScore).read(path)}
    pairs, labels = read_benchmark(data, 7).of("test", "full")
    expected = auc_norm(labels, [scores[pair.pair_id] for pair in pairs])
    assert _cell(tables["measures"], "full") == f"{100 * expected:.1f}"


def _cell(grid: Grid, test: str) -> str:
    return next(row[2] for row in grid.rows if row[1] == test)


def test_each_encoder_is_asked_with_each_prompting_on_each_subset() -> None:
    settings = LevyHoltSettings(encoders=("a", "b"), subsets=("directional", "full"), entailed=Path("x"))
    found = asked(settings)
    assert len(found) == 2 * (3 + 2 * 2)
    assert len({key.label.name for key in found}) == len(found)
    assert Asked("hypothesis-only", "b", "full") in found


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (LevyHoltSettings(prompting=("poems",)), "poems: not among discrete"),
        (LevyHoltSettings(subsets=("half",)), "half: not among directional"),
    ],
)
def test_unknown_names_are_refused_before_anything_is_trained(
    data: Path, tmp_path: Path, settings: LevyHoltSettings, said: str
) -> None:
    with pytest.raises(ConfigError, match=said):
        study_levyholt(data, tmp_path / "study", settings)


@pytest.mark.parametrize(
    ("settings", "error", "why"),
    [
        (LevyHoltSettings(prompting=("poems",)), ConfigError, "an unknown prompting"),
        (LevyHoltSettings(subsets=("half",)), ConfigError, "an unknown subset"),
        (replace(PLAIN, encoders=("/no/such/model",)), MissingError, "an encoder that is not there"),
        (replace(PLAIN, entailed=Path("/no/such/folder")), InputError, "entailed pairs that are not there"),
    ],
)
def test_a_slip_leaves_a_finished_study_as_it_is(
    data: Path, tmp_path: Path, settings: LevyHoltSettings, error: type[Exception], why: str
) -> None:
    study_levyholt(data, tmp_path / "study", PLAIN)
    before = sorted(path.relative_to(tmp_path) for path in (tmp_path / "study").rglob("*"))
    with pytest.raises(error):
        study_levyholt(data, tmp_path / "study", settings)
    assert sorted(path.relative_to(tmp_path) for path in (tmp_path / "study").rglob("*")) == before, why


def test_lines_in_another_form_are_told(data: Path, tmp_path: Path) -> None:
    with (data / "dev.txt").open("a", encoding="utf-8") as file:
        file.write("Ada,owns,Bix\tAda,buys,Bix\tTrue\tEN\tfive\n")
    assert study_levyholt(data, tmp_path / "study", PLAIN).rejects == [
        "dev.txt:13: 5 fields instead of 4 (hypothesis, premise, label, language)"
    ]
    with pytest.raises(InputError, match=r"no train\.txt"):
        study_levyholt(tmp_path / "study", tmp_path / "other", PLAIN)


@pytest.mark.slow("fine-tunes a small encoder")
def test_the_gauge_is_trained_on_a_subset_and_set_against_hypothesis_only(data: Path, tmp_path: Path) -> None:
    settings = LevyHoltSettings(
        prompting=("discrete", "hypothesis-only"),
        subsets=("directional",),
        draws=2,
        rate=(2e-4, 6e-4),
        epochs=1,
        resamples=20,
    )
    tables = study_levyholt(data, tmp_path / "study", settings).tables
    [mesh] = tables["mesh"].rows
    assert mesh[:2] == ["all-MiniLM-L6-v2", "directional"]
    assert mesh[-2:] == ["82.9", "48.9"], "the paper's, beside ours"
    assert "AUC_norm on dev" in tables["measures"].note
    assert (tmp_path / "study" / "mesh-all-MiniLM-L6-v2.png").stat().st_size > 1000
    shown = {row[0].partition(",")[0] for row in tables["direction"].rows}
    assert shown == {"cosine", "discrete", "hypothesis-only"}
    assert [row[1] for row in tables["generalisation"].rows[:1]] == ["directional"]
