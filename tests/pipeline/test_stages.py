"""The engine's promises: same bytes whatever the workers, nothing half-made visible, one clear line on failure."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lawng.datasets.nli_files import BROKEN, read_parquet
from lawng.errors import ConfigError, InputError, MissingError, StageError
from lawng.io import TableWriter, atomic_folder, iter_parts, iter_records, read_table
from lawng.pipeline import Settings, Stage, run_stage
from lawng.schema import Reject, Span
from pipeline_support import STAGE, Counting, Failing, halve, tree

UNITS = [[n, n + 1, n + 2] for n in range(0, 30, 3)]


def test_records_go_to_tables_and_all_is_counted(tmp_path: Path) -> None:
    result = run_stage(STAGE, UNITS, halve, tmp_path / "s", Settings(workers=1))
    assert result.tally.seen == {"numbers": 30}
    assert result.tally.out == {"spans": 15}
    assert result.tally.rejects == {"halve": {"odd": 15}}
    assert [span.start for span in iter_records(tmp_path / "s/spans", Span)] == list(range(0, 30, 2))
    assert read_table(tmp_path / "s/rejects", ["id"]).num_rows == 15
    assert len(list(iter_parts(tmp_path / "s/spans"))) == len(UNITS)


def test_bytes_do_not_depend_on_workers(tmp_path: Path) -> None:
    run_stage(STAGE, UNITS, halve, tmp_path / "one", Settings(workers=1))
    run_stage(STAGE, UNITS, halve, tmp_path / "two", Settings(workers=2))
    assert tree(tmp_path / "one") == tree(tmp_path / "two")


def test_a_finished_stage_is_not_run_again(tmp_path: Path) -> None:
    first = run_stage(STAGE, UNITS, halve, tmp_path / "s", Settings(workers=1))
    again = run_stage(STAGE, UNITS, Failing("bug"), tmp_path / "s", Settings(workers=1))
    assert again.reused
    assert again.tally == first.tally


def test_other_inputs_run_again(tmp_path: Path) -> None:
    run_stage(STAGE, UNITS, halve, tmp_path / "s", Settings(workers=1))
    other = Stage("spans", {"spans": Span}, inputs={"v": 2})
    again = run_stage(other, UNITS[:1], halve, tmp_path / "s", Settings(workers=1))
    assert not again.reused
    assert len(list(iter_parts(tmp_path / "s/spans"))) == 1


def test_a_stopped_run_goes_on_with_the_units_left(tmp_path: Path) -> None:
    ran, stop = tmp_path / "ran", tmp_path / "stop"
    ran.mkdir()
    stop.touch()
    task = Counting(ran, stop)
    stage = Stage("spans", {"spans": Span}, inputs={})
    with pytest.raises(StageError, match=r"stage spans: unit 3 failed with ValueError: stopped"):
        run_stage(stage, range(6), task, tmp_path / "s", Settings(workers=1))
    assert not (tmp_path / "s/_stage.json").exists()
    stop.unlink()
    run_stage(stage, range(6), task, tmp_path / "s", Settings(workers=1))
    assert sorted(path.name.split("-")[0] for path in ran.iterdir()) == ["0", "1", "2", "3", "4", "5"]


def test_a_unit_that_cannot_be_read_is_a_reject(tmp_path: Path) -> None:
    stage = Stage("spans", {"spans": Span})
    result = run_stage(stage, range(4), Failing("known"), tmp_path / "s", Settings(workers=1))
    assert result.tally.out == {"spans": 3}
    assert result.tally.rejects == {"spans": {"unit-unreadable": 1}}
    assert [r.detail for r in iter_records(tmp_path / "s/rejects", Reject)] == ["no such page"]


@pytest.mark.parametrize("how", ["bug", "dies"])
def test_a_failing_worker_is_one_clear_line(tmp_path: Path, how: str) -> None:
    with pytest.raises(StageError) as caught:
        run_stage(STAGE, range(4), Failing(how), tmp_path / "s", Settings(workers=2))
    message = str(caught.value)
    assert "\n" not in message
    assert ("unit 2 failed with ValueError: a bug" if how == "bug" else "a worker process died") in message


def test_a_stage_without_units_has_empty_tables(tmp_path: Path) -> None:
    result = run_stage(STAGE, [], halve, tmp_path / "s", Settings(workers=2))
    assert result.tally.out == {"spans": 0}
    assert read_table(result.table("spans")).num_rows == read_table(result.table("rejects")).num_rows == 0


def test_books_that_do_not_balance_stop_the_build(tmp_path: Path) -> None:
    with pytest.raises(StageError, match="0 numbers in, but 2 out"):
        run_stage(STAGE, range(2), Failing("never"), tmp_path / "s", Settings(workers=1))
    assert not (tmp_path / "s/_stage.json").exists()


def test_a_writer_that_fails_leaves_nothing(tmp_path: Path) -> None:
    def fail() -> None:
        with TableWriter(tmp_path / "t/part-00000.parquet", Span) as writer:
            writer.write(Span(1, 2))
            raise ValueError

    with pytest.raises(ValueError):  # noqa: PT011
        fail()
    assert list((tmp_path / "t").iterdir()) == []


def test_a_folder_made_aside_appears_whole(tmp_path: Path) -> None:
    final = tmp_path / "corpus"
    final.mkdir()
    (final / "old").touch()
    with atomic_folder(final) as folder:
        (folder / "new").touch()
        assert [path.name for path in final.iterdir()] == ["old"]
    assert [path.name for path in final.iterdir()] == ["new"]
    assert [path.name for path in tmp_path.iterdir()] == ["corpus"]


def test_missing_and_damaged_tables_are_known_errors(tmp_path: Path) -> None:
    with pytest.raises(MissingError, match="no table here"):
        read_table(tmp_path / "none")
    (tmp_path / "part-00000.parquet").write_text("no parquet")
    with pytest.raises(InputError, match="not a readable Parquet part"):
        read_table(tmp_path)
    part = tmp_path / "part-00000.parquet"
    pq.write_table(pa.table({"x": [str(n) * 50 for n in range(2000)]}), part, compression="none", use_dictionary=False)
    whole = part.read_bytes()
    part.write_bytes(whole[:200] + bytes(400) + whole[600:])  # the footer is sound, a page is not
    with pytest.raises(InputError, match=r"part-00000\.parquet: not a readable Parquet part"):
        read_table(tmp_path)
    with pytest.raises(BROKEN):  # what a reader of foreign files takes for a damaged one
        list(read_parquet(part, ["x"]))


def test_wrong_settings_are_known_errors() -> None:
    with pytest.raises(ConfigError, match="spark"):
        Settings(engine="spark")
    with pytest.raises(ConfigError, match="less than 1"):
        Settings(workers=0)


def test_one_folder_is_made_by_one_process(tmp_path: Path) -> None:
    with (
        atomic_folder(tmp_path / "x"),
        pytest.raises(StageError, match="another process"),
        atomic_folder(tmp_path / "x"),
    ):
        pass


@pytest.mark.parametrize(
    ("error", "work", "left"),
    [
        (InputError("nothing to read"), True, []),
        (StageError("a worker died"), True, [".x.partial"]),
        (StageError("a worker died"), False, []),
        (KeyboardInterrupt(), False, []),
    ],
)
def test_a_folder_that_fails_leaves_only_work_to_go_on_with(
    error: BaseException, work: bool, left: list[str], tmp_path: Path
) -> None:
    def fail() -> None:
        with atomic_folder(tmp_path / "x") as folder:
            (folder / "s" / "_units").mkdir(parents=True)
            if work:
                (folder / "s" / "_units" / "00000.json").touch()
            raise error

    with pytest.raises(type(error)) as caught:
        fail()
    assert [path.name for path in tmp_path.iterdir()] == left
    assert ["what is done is kept in" in note for note in getattr(caught.value, "__notes__", [])] == [True] * len(left)


def test_a_mistake_in_the_next_command_does_not_cost_the_work_of_a_killed_run(tmp_path: Path) -> None:
    done = tmp_path / ".x.partial" / "work" / "checkpoint-2000"
    done.mkdir(parents=True)

    def mistyped() -> None:
        with atomic_folder(tmp_path / "x"):
            raise InputError("typo.jsonl: is not there")

    with pytest.raises(InputError) as caught:
        mistyped()
    assert done.is_dir()
    assert "delete it to begin anew" in caught.value.__notes__[0]
