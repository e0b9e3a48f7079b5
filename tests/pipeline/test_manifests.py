"""The engine's books as laws: nothing is lost unseen, digests and fingerprints see every part, a killed run is the same."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lawng.errors import MissingError, StageError
from lawng.io import atomic_file, atomic_folder
from lawng.io.atomic_io import replace_folder
from lawng.pipeline import Count, Settings, Stage, Tally, load_stage, read_stage, run_stage
from lawng.schema import Reject, Span
from pipeline_support import Counting, tree

ONE = Settings(workers=1)
COUNTED = Stage("s", {"spans": Span}, inputs={"v": 1}, balance=("numbers", "spans"))
COUNTS = st.integers(0, 3)


@dataclass(frozen=True)
class Yields:
    """A task that says what it saw, and writes and rejects as told."""

    def __call__(self, unit: tuple[int, int, int]) -> Iterator[Span | Reject | Count]:
        seen, out, rejected = unit
        yield Count(seen, "numbers")
        yield from (Span(n, n + 1) for n in range(out))
        yield from (Reject("step", str(n), "reason", "") for n in range(rejected))


@settings(max_examples=20, deadline=None)
@given(st.lists(st.tuples(COUNTS, COUNTS, COUNTS), min_size=1, max_size=3))
def test_in_is_out_and_rejects_or_the_stage_fails(units: list[tuple[int, int, int]]) -> None:
    came, went = sum(u[0] for u in units), sum(u[1] + u[2] for u in units)
    with TemporaryDirectory() as folder:
        if came == went:
            tally = run_stage(COUNTED, units, Yields(), folder, ONE).tally
            assert tally.seen["numbers"] == tally.out["spans"] + tally.n_rejects == came
        else:
            with pytest.raises(StageError, match=f"{came} numbers in, but {went} out"):
                run_stage(COUNTED, units, Yields(), folder, ONE)
            assert load_stage(COUNTED, Path(folder)) is None
        run_stage(replace(COUNTED, balance=None, inputs=None), units, Yields(), folder, ONE)


TALLIES = st.builds(
    Tally,
    seen=st.dictionaries(st.sampled_from("ab"), st.integers(0, 9)),
    out=st.dictionaries(st.sampled_from("tu"), st.integers(0, 9)),
    rejects=st.dictionaries(st.sampled_from("xy"), st.dictionaries(st.sampled_from("pq"), st.integers(1, 9))),
    digests=st.fixed_dictionaries({"t": st.sampled_from("0123"), "u": st.sampled_from("0123")}),
)


def total(parts: list[Tally]) -> Tally:
    whole = Tally()
    for part in parts:
        whole.add(part)
    return whole


@given(st.lists(TALLIES, max_size=4), st.lists(TALLIES, max_size=4))
def test_a_sum_of_tallies_counts_all_and_its_digest_sees_every_part(a: list[Tally], b: list[Tally]) -> None:
    whole = total([*a, *b])
    assert whole.n_rejects == sum(part.n_rejects for part in [*a, *b])
    for counts in ("seen", "out"):
        every = [getattr(part, counts) for part in [*a, *b]]
        assert getattr(whole, counts) == {name: sum(e.get(name, 0) for e in every) for e in every for name in e}
    for table in "tu":
        same = [part.digests[table] for part in a] == [part.digests[table] for part in b]
        assert (total(a).digests.get(table) == total(b).digests.get(table)) == same


def test_a_stage_has_the_digest_of_all_its_parts(tmp_path: Path) -> None:
    units = [(1, 1, 0), (2, 1, 1), (0, 0, 0)]
    found = [run_stage(COUNTED, some, Yields(), tmp_path / str(n), ONE).tally.digests["spans"]
             for n, some in enumerate([units, units[1:], units[:2], units[::-1], units])]  # fmt: skip
    assert found[0] == found[4]
    assert len(set(found)) == 4


BASE = Stage(
    "s", {"spans": Span}, inputs={"tables": {"a/t": "0"}, "options": {"n": 1, "m": None}}, balance=("n", "spans")
)


@pytest.mark.parametrize(
    ("other", "same", "why"),
    [
        (replace(BASE), True, "nothing differs"),
        (replace(BASE, inputs={"options": {"m": None, "n": 1}, "tables": {"a/t": "0"}}), True, "order of names"),
        (replace(BASE, name="z"), False, "name"),
        (replace(BASE, tables={"span": Span}), False, "name of a table"),
        (replace(BASE, tables={"spans": Reject}), False, "record of a table"),
        (replace(BASE, inputs={"tables": {"a/t": "1"}, "options": {"n": 1, "m": None}}), False, "a digest"),
        (replace(BASE, inputs={"tables": {"a/t": "0"}, "options": {"n": 2, "m": None}}), False, "an option"),
        (replace(BASE, inputs={"tables": {"a/t": "0"}, "options": {"n": 1, "m": 0}}), False, "an option that was not set"),
        (replace(BASE, inputs={"tables": {"a/t": "0"}, "options": {"n": 1}}), False, "an option less"),
        (replace(BASE, inputs=None), False, "it does not say what it depends on"),
    ],
)  # fmt: skip
def test_a_fingerprint_sees_name_tables_and_every_input(other: Stage, same: bool, why: str) -> None:
    assert (other.fingerprint == BASE.fingerprint) is same, why


@dataclass(frozen=True)
class Stopping:
    """Writes what it is given, and stops at one unit while the file `stop` is there."""

    stop: Path
    at: int
    kind: type[BaseException] = ValueError

    def __call__(self, unit: int) -> Iterator[Span | Count]:
        yield Count(1, "numbers")
        yield Span(unit, unit + 1)
        if unit == self.at and self.stop.exists():
            raise self.kind("stopped")


def stopped(folder: Path, units: list[int], at: int, stage: Stage = COUNTED) -> Stopping:
    """Run a stage that is stopped at a unit; the task, which will not stop again."""
    task = Stopping(folder.parent / "stop", at, KeyboardInterrupt)
    task.stop.touch()
    with pytest.raises(KeyboardInterrupt):
        run_stage(stage, units, task, folder, ONE)
    task.stop.unlink()
    assert not (folder / "_stage.json").exists(), "nothing half-made is a stage"
    return task


@settings(max_examples=12, deadline=None)
@given(st.lists(st.integers(0, 9), min_size=1, max_size=5, unique=True), st.data())
def test_after_a_kill_at_any_unit_the_bytes_are_those_of_one_run(units: list[int], data: st.DataObject) -> None:
    at, later = data.draw(st.sampled_from(units)), data.draw(st.lists(st.integers(0, 9), max_size=5, unique=True))
    with TemporaryDirectory() as place:
        killed, whole = Path(place, "killed"), Path(place, "whole")
        task = stopped(killed, units, at)
        # the same work goes on; other units, though of the same stage and task, take over nothing
        run_stage(COUNTED, later, task, killed, ONE)
        run_stage(COUNTED, later, task, whole, ONE)
        assert tree(killed) == tree(whole)
        task = stopped(killed, units, at, replace(COUNTED, inputs={"v": 2}))
        run_stage(COUNTED, units, task, killed, ONE)
        run_stage(COUNTED, units, task, whole.with_name("again"), ONE)
        assert tree(killed) == tree(whole.with_name("again"))


@pytest.mark.parametrize(
    ("units", "inputs", "other", "ran"),
    [
        ([1, 2, 3], {"v": 1}, False, "3"),
        ([1, 4, 3], {"v": 1}, False, "143"),
        ([1, 3], {"v": 1}, False, "13"),
        ([1, 2, 3], {"v": 2}, False, "123"),
        ([1, 2, 3], {"v": 1}, True, "123"),
    ],
    ids=["the same work", "another unit", "a unit less", "another input", "another task"],
)
def test_only_the_very_same_work_goes_on(
    tmp_path: Path, units: list[int], inputs: dict[str, int], other: bool, ran: str
) -> None:
    task, again = Counting(tmp_path / "a", tmp_path / "stop"), Counting(tmp_path / "b", tmp_path / "stop")
    for folder in (task.folder, again.folder):
        folder.mkdir()
    task.stop.touch()
    stage = Stage("s", {"spans": Span}, inputs={"v": 1})
    with pytest.raises(StageError, match="stopped"):
        run_stage(stage, [1, 2, 3], task, tmp_path / "s", ONE)
    task.stop.unlink()
    for mark in task.folder.iterdir():
        mark.unlink()
    run_stage(replace(stage, inputs=inputs), units, again if other else task, tmp_path / "s", ONE)
    assert sorted(mark.name[0] for mark in (again if other else task).folder.iterdir()) == sorted(ran)


@dataclass(frozen=True)
class Raising:
    """Fails at one unit with an error."""

    error: Exception

    def __call__(self, unit: int) -> Iterator[Span]:
        if unit == 1:
            raise self.error
        yield Span(unit, unit)


def test_a_known_error_of_a_unit_ends_the_stage_with_its_line(tmp_path: Path) -> None:
    stage = replace(COUNTED, balance=None)
    with pytest.raises(StageError, match=r"^stage s: model x: not there$"):
        run_stage(stage, range(3), Raising(MissingError("model x: not there")), tmp_path / "s", ONE)
    assert load_stage(stage, tmp_path / "s") is None


def folders(place: Path) -> set[str]:
    return {path.read_text() for path in place.rglob("kind")}


def test_a_folder_goes_only_once_the_new_one_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever step of the replacement fails, or is the last before a kill, the old or the new one is there, whole."""
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "kind").write_text(name)
    real: dict[str, Any] = {"replace": os.replace, "rmtree": shutil.rmtree}

    def watched(name: str) -> Any:
        def call(*args: Any, **more: Any) -> Any:
            found = real[name](*args, **more)
            assert "new" in folders(tmp_path)
            assert "old" in folders(tmp_path) or (tmp_path / "old/kind").read_text() == "new"
            return found

        return call

    monkeypatch.setattr(os, "replace", watched("replace"))
    monkeypatch.setattr(shutil, "rmtree", watched("rmtree"))
    replace_folder(tmp_path / "new", tmp_path / "old")
    assert [(path.name, (path / "kind").read_text()) for path in tmp_path.iterdir()] == [("old", "new")]


def test_a_block_that_fails_leaves_what_was_there(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    (tmp_path / "x/kind").write_text("old")

    def fail() -> None:
        with atomic_folder(tmp_path / "x") as folder:
            (folder / "kind").write_text("new")
            raise ValueError

    with pytest.raises(ValueError):  # noqa: PT011
        fail()
    assert (tmp_path / "x/kind").read_text() == "old"


LESS = '{"stage": "s", "fingerprint": "f", "units": 1}'
ODD = '{"stage": "s", "fingerprint": "f", "units": 1, "tally": {"gone": {}}}'


@pytest.mark.parametrize("text", ["", "{", "[1", '{"stage"', "[]", "{}", LESS, ODD])
def test_damaged_books_are_a_known_error_and_the_stage_is_run_again(tmp_path: Path, text: str) -> None:
    made = run_stage(COUNTED, [(1, 1, 0)], Yields(), tmp_path / "s", ONE)
    (tmp_path / "s/_stage.json").write_text(text)
    with pytest.raises(StageError, match=r"damaged .*; delete .* and run again"):
        read_stage(tmp_path / "s")
    again = run_stage(COUNTED, [(1, 1, 0)], Yields(), tmp_path / "s", ONE)
    assert (again.reused, again.tally) == (False, made.tally)
    with pytest.raises(StageError, match="not a finished stage"):
        read_stage(tmp_path / "none")


def test_a_file_keeps_its_content_when_the_new_one_fails(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("old")
    with pytest.raises(TypeError), atomic_file(tmp_path / "out") as file:
        file.writelines(["new", 1])  # type: ignore[list-item]
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"out": "old"}


def test_a_pipe_is_written_and_not_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append((tmp_path / "pipe").read_text()), daemon=True)
    reader.start()
    with atomic_file(tmp_path / "pipe") as file:
        file.write("words")
    reader.join(timeout=60)
    assert read == ["words"]
    assert (tmp_path / "pipe").is_fifo()
