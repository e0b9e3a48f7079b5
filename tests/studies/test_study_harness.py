"""The harness of the studies: cells are made once, made anew when something has changed, and read back to be scored."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import NamedTuple

import pytest

from lawng.errors import ConfigError, InputError, LawngError, MissingError, StageError
from lawng.io.progress import Progress
from lawng.schema import ScoredDoc
from lawng.studies.harness import (
    Harness,
    Notes,
    ParquetStore,
    System,
    SystemLabel,
    TrecStore,
    alone,
    publish,
    study_folder,
)
from lawng.studies.tables import Draws, compared, interval_of, printed

CODE = "lawng.studies.tables"
ROOT = Path(__file__).resolve().parents[2]


class Words(NamedTuple):
    name: str
    words: tuple[str, ...]

    @property
    def depends(self) -> Mapping[str, object]:
        return {"words": list(self.words)}


class ByLength:
    """Ranks documents by the length of the query; counts how often it is asked, and may die."""

    def __init__(self, depends: Mapping[str, object] | None, dies_at: int = 99) -> None:
        self.depends = depends
        self.n_asked = 0
        self._dies_at = dies_at

    def answer(self, data: Words, progress: Progress) -> Iterator[ScoredDoc]:
        for word in data.words:
            self.n_asked += 1
            if self.n_asked == self._dies_at:
                raise KeyboardInterrupt
            yield ScoredDoc(word, "a b", float(len(word)))
            yield ScoredDoc(word, "c", 1 / 3)
            progress(1, 1)

    def notes(self) -> Notes:
        return {"lengths": [f"{self.n_asked} words asked"]}


DATA = [Words("one", ("void tax", "lien")), Words("two", ("heir",))]


def ran(folder: Path, model: ByLength, data: list[Words] = DATA) -> list[list[ScoredDoc]]:
    found = Harness(folder, TrecStore(quoted=True), CODE).run([System(SystemLabel("length"), lambda: model)], data)
    assert found.notes == ["3 words asked"] or data != DATA
    return [one.cell.rows() for one in found.answered]


def test_a_cell_is_made_once_and_read_back_as_it_was(tmp_path: Path) -> None:
    first, again = ByLength({"k": 1}), ByLength({"k": 1})
    rows = ran(tmp_path, first)
    assert rows[0][:2] == [ScoredDoc("void tax", "a b", 8.0), ScoredDoc("void tax", "c", 0.333333)]
    assert ran(tmp_path, again) == rows  # notes are kept too
    assert (first.n_asked, again.n_asked) == (3, 0)


@pytest.mark.parametrize("damage", ["", "{", '{"notes": 3}', "[]"])
def test_a_cell_whose_manifest_cannot_be_read_is_made_anew(tmp_path: Path, damage: str) -> None:
    ran(tmp_path, ByLength({}))
    for manifest in tmp_path.glob("*.json"):
        manifest.write_text(damage, "utf-8")
    again = ByLength({})
    ran(tmp_path, again)
    assert again.n_asked == 3


def test_a_cell_is_made_anew_when_what_it_depends_on_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran(tmp_path, ByLength({"k": 1}))
    option, nothing = ByLength({"k": 2}), ByLength(None)
    ran(tmp_path, option)
    ran(tmp_path, nothing)
    assert (option.n_asked, nothing.n_asked) == (3, 3)
    ran(tmp_path, ByLength({"k": 1}))
    data = ByLength({"k": 1})
    ran(tmp_path, data, [DATA[0], Words("two", ("deed",))])
    assert data.n_asked == 1
    monkeypatch.setattr("lawng.studies.harness.code_digest", lambda _module: "other code")
    code = ByLength({"k": 1})
    ran(tmp_path, code)
    assert code.n_asked == 3


def test_a_killed_study_goes_on_with_the_cell_that_it_died_in(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        ran(tmp_path, ByLength({}, dies_at=3))
    after = ByLength({})
    found = Harness(tmp_path, TrecStore(quoted=True), CODE).run([System(SystemLabel("length"), lambda: after)], DATA)
    assert after.n_asked == 1
    assert [len(one.cell.rows()) for one in found.answered] == [4, 2]
    assert list(tmp_path.rglob("*.partial")) == []


def test_a_system_whose_model_is_not_there_is_a_hole(tmp_path: Path) -> None:
    def missing() -> ByLength:
        raise MissingError("none/such: not here")

    systems = [System(SystemLabel("none"), missing), System(SystemLabel("length"), lambda: ByLength({}))]
    harness = Harness(tmp_path, TrecStore(quoted=True), CODE)
    found = harness.run(systems, DATA)
    assert [(label.name, why) for label, why, _ in found.missing] == [("none", "none/such: not here")]
    assert [lost for *_, lost in harness.run(systems, DATA, apart=True).missing] == [DATA], "looked for once"
    assert [(one.label.name, one.data.name) for one in found.answered] == [("length", "one"), ("length", "two")]
    with pytest.raises(MissingError):
        harness.run(systems, DATA, strict=True)


@pytest.mark.parametrize("cut", [0, 7])
def test_a_cell_that_was_cut_is_made_anew(tmp_path: Path, cut: int) -> None:
    rows = ran(tmp_path, ByLength({}))
    for path in tmp_path.glob("*.run"):
        path.write_bytes(path.read_bytes()[:cut])
    again = ByLength({})
    assert ran(tmp_path, again) == rows
    assert again.n_asked == 3


@pytest.mark.parametrize(
    ("error", "apart", "answered"),
    [
        (InputError, True, ["two"]),
        (StageError, True, ["two"]),
        (MissingError, True, ["two"]),
        (MissingError, False, []),
        (InputError, False, None),
        (ConfigError, True, None),
    ],
    ids=["that data", "a training", "a model", "all data", "what was given", "an option"],
)
def test_a_system_that_fails_is_a_hole_where_it_may_be_and_a_wrong_option_ends_the_study(
    tmp_path: Path, error: type[LawngError], apart: bool, answered: list[str] | None
) -> None:
    class Failing(ByLength):
        def answer(self, data: Words, progress: Progress, /) -> Iterator[ScoredDoc]:
            if data.name == "one":
                raise error("no numbers")
            yield from super().answer(data, progress)

    harness, systems = Harness(tmp_path, TrecStore(quoted=True), CODE), [System(SystemLabel("f"), lambda: Failing({}))]
    if answered is None:
        with pytest.raises(error):
            harness.run(systems, DATA, apart=apart)
        return
    found = harness.run(systems, DATA, apart=apart)
    assert [one.data.name for one in found.answered] == answered
    [(label, why, lost)] = found.missing
    assert (label.name, why, lost) == ("f", "no numbers", DATA[:1] if apart else DATA)


@dataclass(frozen=True, slots=True)
class Said:
    pair: str
    score: float


def test_predictions_and_cells_that_are_made_together(tmp_path: Path) -> None:
    harness = Harness(tmp_path / "cells", ParquetStore(Said), CODE)
    calls = []

    def answer() -> Iterator[tuple[str, Said]]:
        calls.append(1)
        yield from (("left", Said("a", 0.5)), ("right", Said("a", 0.25)), ("left", Said("b", 1.0)))

    for _ in range(2):
        left, right = harness.cells({"left": "", "right": ""}, {}, answer)
    assert (left.rows(), right.rows(), len(calls)) == ([Said("a", 0.5), Said("b", 1.0)], [Said("a", 0.25)], 1)
    publish([left, right], tmp_path / "runs")
    assert sorted(path.name for path in (tmp_path / "runs").iterdir()) == ["left.parquet", "right.parquet"]


def test_comparisons_leave_out_systems_without_a_query_and_correct_for_the_others() -> None:
    pairs = {"a": ([1.0] * 8, [0.0] * 8), "b": ([1.0, 0.0], [0.0, 1.0]), "none": ([], [])}
    found = compared(pairs, Draws(7, 200), exact=True)
    assert [(one.name, one.n) for one in found] == [("a", 8), ("b", 2)]
    assert all(one.test and one.p_holm >= one.test.p for one in found)
    assert interval_of({"q": float("nan")}, Draws()) is None


def test_the_papers_tables_are_strings_as_printed(tmp_path: Path) -> None:
    (tmp_path / "paper.toml").write_text('[table-1]\n"BM25" = "0.10 nan"\n', "utf-8")
    assert printed(tmp_path / "paper.toml") == {"table-1": {"BM25": "0.10 nan"}}


def test_the_study_of_the_how_to_runs_as_it_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    page = (ROOT / "docs" / "how-to" / "add-a-study.md").read_text("utf-8")
    [block] = re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    lines: list[str] = []
    exec(compile(block, "add-a-study.md", "exec"), {"print": lines.append})
    assert "shortest first" in lines[0]
    assert re.match(r"BM25 is ahead by -?[\d.]+ points, p = [\d.]+", lines[1])


def test_a_folder_of_something_else_with_a_cache_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "cache").mkdir()
    (tmp_path / "thesis.tex").write_text("years of work", "utf-8")
    with pytest.raises(InputError, match="is there and is no study"), study_folder(tmp_path):
        pass
    assert (tmp_path / "thesis.tex").read_text("utf-8") == "years of work"
    with study_folder(tmp_path / "new") as folder:
        (folder / "old.txt").write_text("from an earlier study", "utf-8")
    with study_folder(tmp_path / "new") as folder:
        assert [path.name for path in folder.iterdir()] == ["cache"], "a study is made anew in its own folder"


def test_a_cache_is_one_studys_and_another_is_refused_or_waits(tmp_path: Path) -> None:
    order: list[str] = []

    def waits() -> None:
        with alone(tmp_path / "cache", wait=True):
            order.append("had by the second")

    second = Thread(target=waits)
    with alone(tmp_path / "cache"):
        with pytest.raises(StageError, match="another process is making a study there"), alone(tmp_path / "cache"):
            pass
        second.start()
        second.join(0.3)
        order.append("left by the first")
    second.join()
    assert order == ["left by the first", "had by the second"]
