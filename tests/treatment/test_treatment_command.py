"""Texts, files and folders as they come: empty, huge, not there; and `lawng treatment`."""

from __future__ import annotations

import io
import json
from dataclasses import asdict
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import lawng
from lawng.cli import app
from lawng.errors import MissingError
from lawng.schema import Treatment
from lawng.treatment.whole import treatments, treatments_of_corpus, treatments_of_text, unique_cites
from records_support import case, opinion
from retrieval_support import write_corpus
from time_support import grows_at_most

NOTE = "We overrule Roe v. Doe, 9 U.S. 9 (1805). The rule of Ash v. Elm, 8 U.S. 7 (1804), was another one."
FILLER = "The tenant had notice of the sale, and he stayed on the land through the winter. "
RUNNER = CliRunner()


def run(*arguments: str, given: str | bytes = "") -> Result:
    return RUNNER.invoke(app, ["treatment", *arguments], input=given, env={"COLUMNS": "200"})


def long_text(n: int) -> str:
    """One paragraph of so many characters, with a case at its beginning and one at its end."""
    return (
        f"We overrule Baker v. Cole, 10 U.S. 20 (1805). {FILLER * (n // len(FILLER))}Drew v. Ellis, 30 U.S. 40 (1825)."
    )


# --- texts


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "\n\n \n",
        "The deed is void.\n\nThat decision is overruled.",
        "\x00\ufeff§§ 9 U.S.",
        "9 U.S. ((@1@ TARGET",
    ],
)
def test_a_text_without_cases_has_no_treatments(text: str) -> None:
    assert treatments_of_text(text) == []


def test_paragraphs_of_a_text_are_kept_apart() -> None:
    text = "  Baker v. Cole, 10 U.S. 20 (1805), was decided so.  \n \n\n  That decision can no longer stand. \n"
    [row] = treatments_of_text(text, "it")
    assert (row.label, row.sentence) == ("overruled", "That decision can no longer stand.")
    assert text[row.start : row.end] == row.sentence
    assert (row.citing_case_id, row.opinion_id, row.treatment_id) == ("it", "it", "it>10 U.S. 20")


@pytest.mark.slow("reads an opinion of 5 MB")
def test_an_opinion_of_5_mb_in_one_paragraph() -> None:
    rows = treatments_of_text(long_text(5_000_000))
    assert [(row.cite, row.label) for row in rows] == [("10 U.S. 20", "overruled"), ("30 U.S. 40", "mentioned")]
    assert rows[0].sentence == "We overrule Baker v. Cole, 10 U.S. 20 (1805)."


def test_time_grows_with_the_length_of_a_paragraph() -> None:
    assert grows_at_most(8, lambda n: treatments_of_text(long_text(n)), 50_000, 200_000)


@pytest.mark.parametrize(
    "one",
    [" and Baker so said", "; Drew v. Ellis, 30 U.S. 40 (1825)", ". That decision is overruled", " (Baker", "@1@ "],
)
def test_time_grows_with_what_is_said_and_not_with_its_square(one: str) -> None:
    def read(n: int) -> None:
        assert treatments_of_text(f"We overrule Baker v. Cole, 10 U.S. 20 (1805){one * n}.")[0].cite == "10 U.S. 20"

    assert grows_at_most(8, read, 200, 800), "four times as much; sixteen times the time would be its square"


def test_a_sentence_of_many_cases_is_judged_for_each() -> None:
    cites = ", ".join(f"Baker{at} v. Cole, {at} U.S. 20 (1805)" for at in range(1, 60))
    rows = treatments_of_text(f"{cites}, and Drew v. Ellis, 90 U.S. 40 (1825), are overruled.")
    assert [row.cite for row in rows] == [*(f"{at} U.S. 20" for at in range(1, 60)), "90 U.S. 40"]


# --- corpora


def made_corpus(folder: Path) -> Path:
    """An overruled case, the one that did it, and one that tells it, without dates."""
    texts = {
        1: "The deed is void.",
        2: "We overrule Alder v. Oak, 1 Mass. 10 (1950).",
        3: "See 2 Mass. 10, 1 Mass. 10.",
    }
    cases = [
        (case(f"cl:{n}", name=f"Party{n} v. State", parties=[], date=""), [opinion(f"cl:{n}", [text])])
        for n, text in texts.items()
    ]
    return write_corpus(folder, cases)


def test_a_corpus_without_dates_links_its_cases(tmp_path: Path) -> None:
    rows = list(treatments_of_corpus(made_corpus(tmp_path / "c")))
    assert [(row.citing_case_id, row.case_id, row.label, row.citing_date) for row in rows] == [
        ("cl:2", "cl:1", "overruled", ""),
        ("cl:3", "cl:2", "mentioned", ""),
        ("cl:3", "cl:1", "mentioned", ""),
    ]


def test_what_later_cases_tell_is_evidence(tmp_path: Path) -> None:
    """The same opinion says too little alone, and enough once two cases tell what it did."""
    quiet = "We put the matter at rest. We depart from Alder v. Oak, 1 Mass. 10 (1950), as the bar has long asked."
    telling = "Alder v. Oak, 1 Mass. 10 (1950), overruled by Ash v. Elm, 2 Mass. 10 (1960), is cited no more."
    told = [(case(f"cl:{n}", date="1970"), [opinion(f"cl:{n}", [telling])]) for n in (7, 8, 9)]
    did = (case("cl:2", name="Ash v. Elm", parties=["Ash", "Elm"]), [opinion("cl:2", [quiet])])
    alone, heard = (
        next(row for row in treatments_of_corpus(write_corpus(tmp_path / name, cases)) if row.citing_case_id == "cl:2")
        for name, cases in (("a", [did]), ("b", [did, *told]))
    )
    assert (heard.label, heard.probability > alone.probability or alone.label != "overruled") == ("overruled", True)


def test_a_cite_of_two_cases_names_none() -> None:
    both = unique_cites([("a", ["1 U.S. 1", "2 U.S. 2"]), ("b", ["2 U.S. 2"]), ("a", ["1 U.S. 1"])])
    assert both == {"1 U.S. 1": "a"}


def test_every_kind_of_source(tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text(NOTE)
    from_file = list(treatments(tmp_path / "note.txt"))
    assert [row.citing_case_id for row in from_file] == ["note", "note"]
    assert (
        [row.label for row in lawng.treatments(NOTE)] == [row.label for row in from_file] == ["overruled", "mentioned"]
    )
    assert len(list(lawng.treatments(made_corpus(tmp_path / "c")))) == 3
    (tmp_path / "empty").mkdir()
    with pytest.raises(MissingError, match="empty: not a corpus"):
        list(treatments(tmp_path / "empty"))
    with pytest.raises(FileNotFoundError):
        treatments(tmp_path / "missing.txt")


# --- the command


def test_json_lines_are_the_records(tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text(NOTE)
    ran = run(str(tmp_path / "note.txt"), "--to", "jsonl")
    assert ran.exit_code == 0
    rows = [json.loads(line) for line in ran.stdout.splitlines()]
    assert rows == [asdict(row) for row in treatments_of_text(NOTE, "note")]
    assert [Treatment(**row).done for row in rows] == ["overruled", "mentioned"]
    assert ran.stderr == "lawng: 2 pairs of citing and cited case: 1 overruled, 1 mentioned\n"


def test_a_table_leaves_mentions_out_unless_asked(tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text(NOTE)
    few, every = (run(str(tmp_path / "note.txt"), "--to", "table", *more).stdout for more in ([], ["--all"]))
    assert "overruled (0.9" in few
    assert "the court" in few
    assert "We overrule Roe v. Doe, 9 U.S. 9 (1805)." in few
    assert "Ash v. Elm" not in few
    assert "Ash v. Elm" in every


def test_a_table_has_what_is_told_of_others() -> None:
    shown = run("-", "--to", "table", given="See Roe v. Doe, 9 U.S. 9 (1805) (overruling Ash v. Elm, 8 U.S. 7 (1804)).")
    [row] = [line for line in shown.stdout.splitlines() if "told" in line]
    assert "Ash v. Elm" in row
    assert "mentioned told overruled by" in " ".join(row.split())


def test_standard_input_and_an_output_file(tmp_path: Path) -> None:
    place = tmp_path / "out.jsonl"
    ran = run("-", "-o", str(place), given=NOTE)
    assert (ran.exit_code, ran.stdout) == (0, "")
    assert [json.loads(line)["citing_case_id"] for line in place.read_text().splitlines()] == ["-", "-"]
    assert f"wrote {place}" in ran.stderr


def test_what_cannot_be_read_is_named_and_the_rest_goes_on(tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text(NOTE)
    (tmp_path / "latin.txt").write_bytes(b"Not UTF-8: \xff. ")
    (tmp_path / "empty").mkdir()
    ran = run(*(str(tmp_path / name) for name in ("missing.txt", "latin.txt", "empty", "note.txt")))
    assert ran.exit_code == 2
    assert [json.loads(line)["cite"] for line in ran.stdout.splitlines()] == ["9 U.S. 9", "8 U.S. 7"]
    said = ran.stderr.splitlines()
    assert [line.startswith("lawng: ") for line in said] == [True] * 4
    for line, words in zip(
        said, ("missing.txt: No such file", "latin.txt: not UTF-8 text (byte 11)", "empty: a folder that is no corpus"),
        strict=False,
    ):  # fmt: skip
        assert words in line
    assert "2 pairs" in said[3]


def test_an_empty_file_has_no_pairs(tmp_path: Path) -> None:
    (tmp_path / "none.txt").write_text("")
    ran = run(str(tmp_path / "none.txt"))
    assert (ran.exit_code, ran.stdout, ran.stderr) == (0, "", "lawng: 0 pairs of citing and cited case: none\n")


def test_a_corpus_as_a_source_says_who_speaks(tmp_path: Path) -> None:
    dissent = opinion("cl:2", ["Alder v. Oak, 1 Mass. 10 (1950), was wrongly decided."], type="dissent")
    place = write_corpus(tmp_path / "c", [(case("cl:2", date="1960-05-01"), [dissent])])
    shown = run(str(place), "--to", "table").stdout
    assert "dissent, does not decide" in shown
    assert "Alder v. Birch, 2 Mass. 10, 1960" in shown
    assert "0 pairs" in run(str(place)).stderr, "what decides is counted"


def test_a_damaged_corpus_is_named(tmp_path: Path) -> None:
    place = made_corpus(tmp_path / "c")
    part = place / "opinions" / "part-00000.parquet"
    part.write_bytes(part.read_bytes()[:-20])
    ran = run(str(place))
    assert ran.exit_code == 2
    assert "part-00000.parquet: not a readable Parquet part" in ran.stderr


def test_text_that_is_not_utf8_on_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"\xff"), errors="surrogateescape"))
    ran = run("-", given=b"Not UTF-8: \xff.")
    assert ran.exit_code == 2
    assert "standard input: not UTF-8 text" in ran.stderr


def test_a_file_of_nothing_is_not_written(tmp_path: Path) -> None:
    run = CliRunner().invoke(app, ["treatment", str(tmp_path / "missing.txt"), "-o", str(tmp_path / "out.jsonl")])
    assert (run.exit_code, list(tmp_path.iterdir())) == (2, [])
    assert "missing.txt" in run.stderr
    assert "pairs" not in run.stderr
