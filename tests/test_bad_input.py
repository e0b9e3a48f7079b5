"""Bad input through the real command line: one clear line, exit status 2, nothing of the user's lost, the rest done."""

from __future__ import annotations

import errno
import io
import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from corpus_support import BODY, bulk, line
from lawng.citation.extract import citations_of
from lawng.cli import main
from lawng.config import load_config
from lawng.corpus.importer import import_corpus
from lawng.errors import ConfigError, MissingError
from lawng.lawngnli.models import models_of
from lawng.pipeline import Settings
from time_support import grows_at_most

ONE = Settings(workers=1)
NOTE = "See Mapp v. Ohio, 367 U.S. 643, 655 (1961) (holding that such evidence is inadmissible)."
LATIN = b"Not UTF-8: \xff. " + NOTE.encode()


class Ran(NamedTuple):
    """What a command left: its exit status and both outputs."""

    status: int
    out: str
    said: str


Run = Callable[..., Ran]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Iterator[Run]:
    """`lawng` with some arguments, in a folder of its own."""
    interrupt = signal.getsignal(signal.SIGINT)
    monkeypatch.chdir(tmp_path)

    def command(*arguments: str) -> Ran:
        monkeypatch.setattr(sys, "argv", ["lawng", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        out, said = capsys.readouterr()
        return Ran(int(ended.value.code or 0), out, said)

    yield command
    signal.signal(signal.SIGINT, interrupt)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A corpus of two cases, in `corpus`."""
    (tmp_path / "in").mkdir()
    import_corpus([bulk(tmp_path / "in", line(1), line(20))], tmp_path / "corpus", settings=ONE)
    return tmp_path / "corpus"


def places(folder: Path) -> None:
    """What the commands below stumble over."""
    (folder / "empty").mkdir()
    (folder / "note.txt").write_text(NOTE)
    (folder / "latin.txt").write_bytes(LATIN)
    (folder / "empty.zip").write_bytes(b"")
    (folder / "noise.jsonl").write_bytes(bytes(range(256)) * 40)
    (folder / "bad.toml").write_text("[neutral]\ntop_k = 'a'\ntopk = 3\n")
    (folder / "cut.toml").write_text("x = [")


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("citations missing.txt", "missing.txt: No such file"),
        ("citations latin.txt", "latin.txt: not UTF-8 text (byte 11)"),
        ("citations empty", "empty: a folder that is no corpus"),
        ("citations note.txt -o empty", "empty: is a folder; name a file"),
        ("citations note.txt -o no/such/file.jsonl", "no/such/file.jsonl: cannot be written"),
        ("corpus import missing -o c", "missing: no such file or folder"),
        ("corpus import empty -o c", "empty: the folder is empty"),
        ("corpus import empty.zip -o c --workers 1", "empty.zip: no case in the sources (1 file-breaks-off)"),
        ("corpus import noise.jsonl -o c --workers 1", "line-not-json"),
        ("corpus import noise.jsonl -o note.txt", "note.txt: is there and is no corpus"),
        ("corpus import noise.jsonl -o note.txt/c", "a file is where a folder is needed"),
        ("corpus info empty", "empty: not a corpus"),
        ("build empty -o b", "empty: not a corpus"),
        ("build note.txt -o b", "note.txt: not a corpus"),
        ("stats empty", "empty is not a build"),
        ("show missing id", "no build at missing"),
        ("rebuild note.txt empty -o r", "note.txt, line 1: not JSON"),
        ("config --config bad.toml", "neutral.topk: no such option, did you mean neutral.top_k?"),
        ("config --config cut.toml", "cut.toml: not TOML"),
        ("config --config missing.toml", "missing.toml: cannot be read"),
        ("config --max-overlap nan", "nan is not between 0 and 1"),
        ("config --embedder=", "neutral.embedder: is empty"),
        ("search i x -k -1", "search: Invalid value for '-k' / '--cases'"),
        ("search i", "search: Missing argument"),
        ("search i x y", "unexpected extra argument"),
        ("search i x --cuort us", "--court"),
        ("search i x --to xml", "see lawng search --help"),
        ("serve i --port 70000", "serve: Invalid value for '--port'"),
        ("corpus impotr x", "corpus: No such command 'impotr'"),
        ("nothing", "No such command 'nothing'"),
        ("build", "build: Missing argument"),
        ("index corpus --encoder", "requires an argument"),
        ("search [red]i[/red] x", "[red]i[/red]: is not there"),
    ],
)
def test_one_clear_line_and_status_2(command: str, says: str, run: Run, tmp_path: Path) -> None:
    places(tmp_path)
    ran = run(*command.split())
    assert (ran.status, ran.out) == (2, "")
    assert [each.startswith("lawng: ") for each in ran.said.splitlines()] == [True], ran.said
    assert says in ran.said


def test_a_corpus_is_not_imported_again(corpus: Path, run: Run) -> None:
    ran = run("corpus", "import", "corpus", "-o", "c")
    assert (ran.status, ran.said.count("\n")) == (2, 1)
    assert "corpus: is a corpus already; use it as it is" in ran.said


def test_an_encoder_that_is_none_leaves_no_folder(corpus: Path, run: Run, tmp_path: Path) -> None:
    ran = run("index", "corpus", "-o", "made", "--encoder", "nosuch")
    assert (ran.status, "nosuch: neither a folder" in ran.said) == (2, True)
    assert not (tmp_path / "made").exists()


def test_standard_input_that_is_not_utf8(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(LATIN), errors="surrogateescape"))
    assert "lawng: standard input: not UTF-8 text (byte 11)" in run("citations", "-").said


@pytest.mark.parametrize("command", ["citations", "treatment"])
def test_what_is_read_is_not_written_over(command: str, run: Run, tmp_path: Path) -> None:
    brief, kept = tmp_path / "brief.txt", tmp_path / "kept.jsonl"
    brief.write_text(NOTE)
    ran = run(command, "brief.txt", "-o", "./brief.txt")
    assert (ran.status, brief.read_text()) == (2, NOTE)
    assert "brief.txt is one of the inputs, and would be written over; name another file with -o" in ran.said
    kept.write_text("{}")
    ran = run(command, "misspelt.txt", "-o", "kept.jsonl")
    assert (ran.status, kept.read_text()) == (2, "{}"), "nor is a good file replaced by one of nothing"
    assert run(command, "brief.txt", "misspelt.txt", "-o", "kept.jsonl").status == 2
    assert "Mapp" in kept.read_text() or "367 U.S. 643" in kept.read_text(), "what can be read is written"


def test_files_that_can_be_read_are_done_beside_those_that_cannot(run: Run, tmp_path: Path) -> None:
    places(tmp_path)
    ran = run("citations", "missing.txt", "latin.txt", "note.txt")
    assert ran.status == 2
    assert [json.loads(row)["cite"] for row in ran.out.splitlines()] == ["367 U.S. 643"]
    assert len(ran.said.splitlines()) == 2


def test_a_name_that_looks_like_markup_is_told_as_it_is(run: Run) -> None:
    assert "lawng: [red]x[/].txt: No such file" in run("citations", "[red]x[/].txt").said


@pytest.mark.parametrize("place", ["notes.txt", "corpus", "folder"])
def test_a_build_replaces_nothing_but_a_build(place: str, run: Run, corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("keep")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "notes.txt").write_text("keep")
    before = sorted(tmp_path.rglob("*"))
    assert f"{place}: is there and is no build" in run("build", "corpus", "-o", place).said
    assert sorted(tmp_path.rglob("*")) == before


def test_an_import_does_not_replace_a_build(run: Run, tmp_path: Path) -> None:
    (tmp_path / "build" / "stages").mkdir(parents=True)
    (tmp_path / "build" / "manifest.json").write_text("{}")
    (tmp_path / "source").mkdir()
    bulk(tmp_path / "source", line(1))
    assert "build: is there and is no corpus" in run("corpus", "import", "source", "-o", "build").said
    assert (tmp_path / "build" / "stages").is_dir()


def test_loose_files_are_each_read_in_their_own_format(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mixed").mkdir()
    (tmp_path / "mixed" / "a.zip").write_bytes(b"PK\x03\x04 broken off")
    bulk(tmp_path / "mixed", line(1), "not json", line(20))
    result = import_corpus([tmp_path / "mixed"], tmp_path / "corpus", settings=ONE)
    assert result.tally.out["cases"] == 2
    assert result.tally.rejects == {"cases": {"line-not-json": 1}, "files": {"file-breaks-off": 1}}


def test_ambiguous_foreign_and_control_characters_go_through_citations(run: Run, tmp_path: Path) -> None:
    said = "{} See Doe 1 v. Roe, 9 Alaska 1, 2 (1950) ({}). See Doe 60 v. Roe, 9 Alaska 60, 61 (1950)."
    bodies = [
        said.format("Суд решил. 裁判所は判決した。", "считая что правило ясно"),
        said.format("\x07\u202e\ud800", "x"),
    ]
    texts = [BODY.format(first=1, last=9, mark=2).replace("is plain.", text) for text in bodies]
    twice = [line(n, citations=[{"cite": "9 Alaska 60", "type": "official"}]) for n in (60, 61)]
    (tmp_path / "in").mkdir()
    source = bulk(tmp_path / "in", line(1), *twice, line(80, body=texts[0]), line(90, body=texts[1]))
    import_corpus([source], tmp_path / "corpus", settings=ONE)
    rows = [json.loads(row) for row in run("citations", "corpus").out.splitlines()]
    assert [(row["opinion"], row["cited_case"]) for row in rows] == [
        (opinion, case) for opinion in ("cap:80/0", "cap:90/0") for case in ("cap:1", None)
    ]
    assert rows[0]["parentheticals"][0]["text"] == "считая что правило ясно"


@pytest.mark.parametrize(
    "text",
    [
        "Foo v. Bar, 1 U.S. {0} (1790).",
        "Foo v. Bar, 1 U.S. 2, {0} (1790).",
        "Foo v. Bar, 1 U.S. 2, 3 n.{0} (1790). Id. at {0}. 1 U.S., at {0}.",
        "Foo v. Bar, 1 U.S. 2, ¶ {0} (1790).",
        "Foo v. Bar, {0} U.S. 2 (1790); 1 U.S. ², 3 (1790).",
    ],
)
def test_a_number_of_5000_digits_is_no_page_and_stops_nothing(text: str) -> None:
    found = citations_of(f"{text.format('7' * 5000)} {NOTE}", "long")
    assert found[-1].pin_pages == [655]
    assert all(page < 10**18 for citation in found for page in citation.pin_pages)


def test_time_grows_with_the_citations_and_not_with_their_square() -> None:
    def read(n: int) -> None:
        text = " ".join(NOTE.replace("643", str(643 + i)).replace("655", str(655 + i)) for i in range(n))
        assert len(citations_of(text, "long")) == n

    assert grows_at_most(10, read, 400, 1600), "four times the text; sixteen times the time would be quadratic"


def test_a_model_that_cannot_be_had_is_told_before_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    def unreachable(*_: object, **__: object) -> None:
        raise ConnectionError("no\nnetwork")

    monkeypatch.setattr("huggingface_hub.HfApi.model_info", unreachable)
    with pytest.raises(MissingError, match=r"embedder nobody/nothing: neither a folder.*\(no network\)"):
        models_of(load_config(given={"neutral.embedder": "nobody/nothing"}))


@pytest.mark.parametrize("name", ["no_such", "dotted.name", "dash-ed"])
def test_a_pipeline_that_is_not_there(name: str) -> None:
    with pytest.raises(MissingError, match="is not installed"):
        models_of(load_config(given={"negation.model": name}))


def test_an_empty_name_is_no_name() -> None:
    with pytest.raises(ConfigError, match=r"negation\.model: is empty"):
        load_config(given={"negation.model": ""})


def test_a_closed_pipe_ends_it_quietly(tmp_path: Path) -> None:
    (tmp_path / "long.txt").write_text(" ".join([NOTE] * 600))
    command = [sys.executable, "-c", "from lawng.cli import main; main()", "citations", str(tmp_path / "long.txt")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stderr
        assert json.loads(process.stdout.readline())["cite"] == "367 U.S. 643"
        process.stdout.close()
        assert process.stderr.read() == ""


def test_an_interrupt_is_one_line_and_status_130() -> None:
    code = "import os, signal, lawng.cli as c; c.app = lambda **_: os.kill(os.getpid(), signal.SIGINT); c.main()"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (130, "lawng: stopped; run the same command again to go on\n")


def test_a_ray_cluster_that_does_not_answer_is_told_at_once(run: Run, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    bulk(tmp_path / "in", line(1))
    ran = run("corpus", "import", "in", "-o", "c", "--engine", "ray", "--address", "127.0.0.1:1")
    assert ran.status == 2
    assert "lawng: engine ray: no cluster answers at 127.0.0.1:1" in ran.said


def test_a_corpus_with_damaged_books_is_made_again(corpus: Path, tmp_path: Path) -> None:
    (corpus / "_stage.json").write_text("{")
    result = import_corpus([tmp_path / "in" / "data.jsonl"], corpus, settings=ONE)
    assert not result.reused
    assert result.tally.out["cases"] == 2


@pytest.mark.parametrize("manifest", ["{", "{}", "[]", "null"])
@pytest.mark.parametrize("command", ["corpus info corpus", "index corpus -o i"])
def test_a_damaged_manifest_is_one_line(command: str, manifest: str, run: Run, corpus: Path) -> None:
    (corpus / "manifest.json").write_text(manifest)
    ran = run(*command.split())
    assert ran.status == 2
    assert "manifest.json: damaged (" in ran.said


@pytest.mark.parametrize(
    ("command", "table"), [("corpus info", "cases"), ("corpus info", "opinions"), ("index -o i", "opinions")]
)
def test_a_part_that_is_cut_off_is_named(command: str, table: str, run: Run, corpus: Path) -> None:
    part = next((corpus / table).glob("part-*.parquet"))
    part.write_bytes(part.read_bytes()[:-20])
    ran = run(*command.split(), "corpus")
    assert ran.status == 2
    assert f"lawng: corpus/{table}/{part.name}: not a readable Parquet part" in ran.said


SLOW_IMPORT = """
import os, sys, time
import lawng.cli
import lawng.corpus.importer as importer
os.chdir(sys.argv[1])
made = importer._import
def slow(*given):
    {work}
    print("working", flush=True)
    time.sleep(60)
importer._import = slow
sys.argv = ["lawng", "corpus", "import", "in", "-o", "corpus", "--workers", "1"]
lawng.cli.main()
"""


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("work", ["pass", "made(*given)"], ids=["before any work", "after some"])
@pytest.mark.slow("imports in a process that is ended")
def test_an_import_that_is_told_to_end_leaves_only_work_to_go_on_with(end: int, work: str, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    bulk(tmp_path / "in", line(1))
    code = SLOW_IMPORT.format(work=work)
    with subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stdout.readline() == "working\n"
        process.send_signal(end)
        assert process.wait(timeout=30) == 128 + end
    left = {path.name for path in tmp_path.iterdir()} - {"in"}
    assert left == (set() if work == "pass" else {".corpus.partial"})
    assert import_corpus([tmp_path / "in"], tmp_path / "corpus", settings=ONE).tally.out["cases"] == 1
    assert {path.name for path in tmp_path.iterdir()} == {"in", "corpus"}


def test_a_build_of_another_corpus_is_not_replaced_without_a_word(run: Run, corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "build" / "stages").mkdir(parents=True)
    (tmp_path / "build" / "manifest.json").write_text('{"inputs": {"cases": "other"}}')
    ran = run("build", "corpus", "-o", "build")
    assert (ran.status, ran.said) == (
        2,
        "lawng: build: is a build of another corpus; --replace, or name another place with -o\n",
    )


def test_a_full_disk_is_one_line_that_says_what_is_kept(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", "part-00000.parquet")

    (tmp_path / "in").mkdir()
    bulk(tmp_path / "in", line(1))
    monkeypatch.setattr("lawng.corpus.importer.write_json", full)
    ran = run("corpus", "import", "in", "-o", "corpus", "--workers", "1")
    assert ran.status == 2
    assert len(ran.said.splitlines()) == 1
    assert "No space left on device; make room and run the same command again; what is done is kept in" in ran.said
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == [".corpus.partial"]
