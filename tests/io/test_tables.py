"""Slices, lookups and regrouping: no row is lost, and their order does not change."""

from __future__ import annotations

import pickle
import resource
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import lawng.io.parquet
from lawng.errors import MissingError
from lawng.io import Lookup, TableWriter, iter_parts, iter_records, write_lookup
from lawng.pipeline import regroup, slices_of
from lawng.schema import Opinion, Reject, Span
from records_support import opinion


def write(folder: Path, parts: list[list[int]]) -> Path:
    for number, rows in enumerate(parts):
        with TableWriter(folder / f"part-{number:05d}.parquet", Span) as writer:
            for n in rows:
                writer.write(Span(n, n + 1))
    return folder


@pytest.fixture
def small_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lawng.io.parquet, "_ROWS", 3)


@pytest.mark.usefixtures("small_groups")
@pytest.mark.parametrize("at_most", [1, 2, 5, 256])
def test_slices_cover_a_table_in_order(tmp_path: Path, at_most: int) -> None:
    table = write(tmp_path / "t", [list(range(20)), [], list(range(20, 24))])
    slices = slices_of(table, at_most)
    assert [span.start for piece in slices for span in piece.records(Span)] == list(range(24))
    assert len(slices) <= at_most + 1  # slices do not cross parts
    groups = [
        meta.row_group(n) for meta in map(pq.read_metadata, iter_parts(table)) for n in range(meta.num_row_groups)
    ]
    assert sum(piece.weight for piece in slices) == sum(group.total_byte_size for group in groups)
    assert all(piece.weight for piece in slices)
    if at_most == 256:
        assert [piece.name for piece in slices][-2:] == ["part-00002.parquet[0:1]", "part-00002.parquet[1:2]"]


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(1, 5), max_size=9), st.integers(1, 4))
def test_no_slice_parts_the_opinions_of_a_case(sizes: list[int], rows: int) -> None:
    """A dissent cites in short what the court cited in full: one unit must read both."""
    every = [f"cap:{case}" for case, n in enumerate(sizes) for _ in range(n)]
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(lawng.io.parquet, "_ROWS", rows)
        with TableWriter(Path(folder, "part-00000.parquet"), Opinion) as writer:
            for case_id in every:
                writer.write(opinion(case_id, ["So held."]))
        units = [[row.case_id for row in piece.records(Opinion)] for piece in slices_of(folder)]
    assert [case_id for unit in units for case_id in unit] == every
    assert sum(len(set(unit)) for unit in units) == len(sizes)
    assert all(len(unit) >= rows for unit in units[:-1]), "and no slice is smaller for it"
    assert all(len(unit) < rows + max(sizes) for unit in units)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(st.integers(0, 99), max_size=9), min_size=1, max_size=4), st.integers(1, 5))
def test_regrouping_loses_and_reorders_nothing(tmp_path: Path, parts: list[list[int]], n: int) -> None:
    folder = tmp_path / str(hash(str((parts, n))))
    table = write(folder / "t", parts)
    files = regroup(
        table, lambda rows: pa.array([s % n if s % 7 else None for s in rows["start"].to_pylist()]), n, folder / "r"
    )
    every = [s for part in parts for s in part]
    for number, file in enumerate(files):
        expected = [s for s in every if (s % n if s % 7 else n - 1) == number]
        assert [span.start for span in iter_records(file, Span)] == expected


def test_rows_are_handed_to_more_units_than_a_process_may_open_files(tmp_path: Path) -> None:
    table = write(tmp_path / "t", [list(range(300)), list(range(300, 400))])
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
    try:
        files = regroup(table, lambda rows: pa.array(rows["start"].to_pylist()), 400, tmp_path / "r")
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert [[span.start for span in iter_records(file, Span)] for file in files] == [[n] for n in range(400)]


def test_a_lookup_finds_every_record_also_after_pickling(tmp_path: Path) -> None:
    names = ["b", "a", "é", "zz", "Z", "😀", "\uffee"]
    with TableWriter(tmp_path / "t/part-00000.parquet", Reject) as writer:
        for name in names:
            writer.write(Reject("s", name, "r", f"of {name}"))
    made = write_lookup(tmp_path / "t", Reject, "id", tmp_path / "x.arrow")
    for lookup in (made, pickle.loads(pickle.dumps(made))):
        assert {name: lookup[name].detail for name in names} == {name: f"of {name}" for name in names}
        assert sorted(lookup) == sorted(names)
        assert "c" not in lookup
        assert None not in lookup
    assert isinstance(made, Lookup)
    unread = Lookup(made.path, Reject, "id")
    assert (made, hash(made), len(made)) == (unread, hash(unread), len(names)), "what was read makes no difference"


def test_a_missing_table_has_no_slices(tmp_path: Path) -> None:
    with pytest.raises(MissingError):
        slices_of(tmp_path / "none")
