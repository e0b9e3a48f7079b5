"""The import as a whole: a corpus folder, the same bytes by any road, doubles, and the commands."""

from __future__ import annotations

import json
import os
import tracemalloc
from hashlib import sha256
from pathlib import Path

import pytest
from typer.testing import CliRunner

from corpus_support import bulk, check_opinion, line
from lawng.cli import app
from lawng.corpus.formats import read_unit, work_units
from lawng.corpus.importer import _workers_for, import_corpus, read_corpus
from lawng.corpus.reader import Corpus
from lawng.errors import InputError, MissingError
from lawng.pipeline import Settings
from lawng.schema import Opinion

ONE = Settings(workers=1)


def source(folder: Path, name: str, *numbers: int) -> Path:
    """A folder with a file of made-up cases."""
    (folder / name).mkdir(parents=True)
    return bulk(folder / name, *(line(number) for number in numbers))


def bytes_of(folder: Path) -> dict[str, str]:
    """A digest of every file of a corpus."""
    found = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix(): sha256(path.read_bytes()).hexdigest() for path in found}


def test_corpus_folder_is_read_back(tmp_path: Path) -> None:
    files = [source(tmp_path, "a", 1, 20), source(tmp_path, "b", 40)]
    result = import_corpus(files, tmp_path / "corpus", settings=ONE)
    assert result.tally.out == {"cases": 3, "opinions": 3}
    corpus = Corpus(tmp_path / "corpus")
    assert [case.case_id for case in corpus.cases()] == ["cap:1", "cap:20", "cap:40"]
    for opinion in corpus.opinions():
        check_opinion(opinion)
    assert corpus.opinion("cap:40/0").case_id == "cap:40"
    assert list(corpus.rejects()) == []
    index = corpus.table()
    assert index["n_majority"].to_pylist() == [1, 1, 1]
    assert index["parties"].to_pylist()[0] == ["Doe 1", "Roe"]
    assert len(corpus.parts()) == 2
    with pytest.raises(InputError, match="no opinion 'cap:9/0'"):
        corpus.opinion("cap:9/0")


def test_sources_or_a_corpus_are_read_in_one_call(tmp_path: Path) -> None:
    files = [source(tmp_path, "a", 1, 20), source(tmp_path, "b", 40)]
    read = read_corpus(*files, workers=1)
    place = read.folder
    found = [(case.case_id, len(opinions)) for case, opinions in read.cases_with_opinions()]
    assert found == [("cap:1", 1), ("cap:20", 1), ("cap:40", 1)]
    stays = read_corpus(*files, folder=tmp_path / "corpus", workers=1)
    assert read_corpus(tmp_path / "corpus").folder == stays.folder
    assert stays.info() == read.info()
    assert stays.table("opinions", ["opinion_id"]).num_rows == 3
    assert place.is_dir()
    del read
    assert not place.exists()


def test_same_bytes_with_one_worker_and_two_and_nothing_left_beside(tmp_path: Path) -> None:
    files = [source(tmp_path, name, number) for name, number in (("a", 1), ("b", 2), ("c", 3))]
    import_corpus(files, tmp_path / "out" / "one", settings=ONE)
    import_corpus(files, tmp_path / "out" / "two", settings=Settings(workers=2))
    assert bytes_of(tmp_path / "out" / "one") == bytes_of(tmp_path / "out" / "two")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["one", "two"]


def test_second_import_of_the_same_is_not_done_and_of_another_is_refused(tmp_path: Path) -> None:
    file, other = source(tmp_path, "a", 1), source(tmp_path, "b", 2)
    assert not import_corpus([file], tmp_path / "corpus", settings=ONE).reused
    assert import_corpus([file], tmp_path / "corpus", settings=ONE).reused
    with pytest.raises(InputError, match=r"is a corpus of other sources \(data.jsonl\); --replace"):
        import_corpus([other], tmp_path / "corpus", settings=ONE)
    with pytest.raises(InputError, match="other sources"):
        import_corpus([file, other], tmp_path / "corpus", settings=ONE)
    assert [case.case_id for case in Corpus(tmp_path / "corpus").cases()] == ["cap:1"]
    assert not import_corpus([other], tmp_path / "corpus", settings=ONE, replace_other=True).reused
    assert [case.case_id for case in Corpus(tmp_path / "corpus").cases()] == ["cap:2"]


@pytest.mark.parametrize("damage", ["", "{", '{"sources": 1}'])
def test_a_corpus_of_which_nobody_can_tell_the_sources_is_made_again(damage: str, tmp_path: Path) -> None:
    import_corpus([source(tmp_path, "a", 1)], tmp_path / "corpus", settings=ONE)
    (tmp_path / "corpus" / "manifest.json").write_text(damage)
    import_corpus([source(tmp_path, "b", 2)], tmp_path / "corpus", settings=ONE)
    assert [case.case_id for case in Corpus(tmp_path / "corpus").cases()] == ["cap:2"]


def test_a_killed_import_leaves_nothing_to_one_of_other_sources(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = [tmp_path / name / "opinions.jsonl" for name in "ab"]
    for place, numbers in zip(left, (range(1, 9), (100,)), strict=True):
        place.parent.mkdir()
        rows = [
            {"id": n, "cluster": n, "case_name": f"Doe v. Roe {n}", "plain_text": "It is so. " * 9} for n in numbers
        ]
        place.write_text("".join(json.dumps(row) + "\n" for row in rows))

    def kill(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("lawng.corpus.importer._deduplicate", kill)
        with pytest.raises(KeyboardInterrupt):
            import_corpus([left[0]], tmp_path / "corpus", settings=ONE)
    assert import_corpus([left[1]], tmp_path / "corpus", settings=ONE).tally.out["cases"] == 1
    assert bytes_of(tmp_path / "corpus") == bytes_of(import_corpus([left[1]], tmp_path / "fresh", settings=ONE).folder)


def test_a_name_that_is_no_utf_8_is_told(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    place = source(tmp_path, "b", 1)
    for file in place.parent.iterdir():
        file.rename(tmp_path / "a" / os.fsdecode(b"caf\xe9" + os.fsencode(file.suffix)))
    with pytest.raises(InputError, match=r"the name 'caf\\udce9.jsonl' in it is no UTF-8; rename the file"):
        import_corpus([tmp_path / "a"], tmp_path / "corpus", settings=ONE)
    assert not (tmp_path / "corpus").exists()


def test_cases_without_any_opinion_are_no_corpus(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"1 cases, but no opinion with a text \(1 case-without-body\)"):
        import_corpus([bulk(tmp_path, line(1, status="error_limit_exceeded"))], tmp_path / "corpus", settings=ONE)
    assert [path.name for path in tmp_path.iterdir()] == ["data.jsonl"]


def test_case_that_is_there_twice_counts_once(tmp_path: Path) -> None:
    files = [source(tmp_path, "a", 1, 2, 2), source(tmp_path, "b", 3, 1)]
    result = import_corpus(files, tmp_path / "corpus", settings=ONE)
    corpus = Corpus(tmp_path / "corpus")
    assert [case.case_id for case in corpus.cases()] == ["cap:1", "cap:2", "cap:3"]
    assert [opinion.opinion_id for opinion in corpus.opinions()] == ["cap:1/0", "cap:2/0", "cap:3/0"]
    assert result.tally.rejects == {"cases": {"duplicate-case": 2}, "opinions": {"duplicate-case": 2}}
    assert sorted(reject.id for reject in corpus.rejects()) == ["cap:1", "cap:1/0", "cap:2", "cap:2/0"]
    assert result.tally.seen["cases"] == 5
    again = import_corpus(files, tmp_path / "corpus", settings=ONE)
    assert again.reused
    assert again.tally.seen == result.tally.seen, "what came is told of a corpus that is there, too"


def test_loose_files_of_one_name_are_cases_of_their_own(tmp_path: Path) -> None:
    for volume in ("7", "8"):
        (tmp_path / volume).mkdir()
        html = (
            f'<section class="casebody" data-case-id="3204{volume}_0001" data-firstpage="1"><h4 class="parties">Doe v. Roe'
            '</h4><article class="opinion" data-type="majority"><p>The rule is plain.</p></article></section>'
        )
        (tmp_path / volume / "0001-01.html").write_text(html)
    xml = "<case{}><name>Doe v. Roe</name><opinion type='majority'><p>It is so.</p></opinion></case>"
    for volume in ("7", "8"):
        (tmp_path / "x" / volume).mkdir(parents=True)
        (tmp_path / "x" / volume / "1.xml").write_text(f"<casebody>{xml.format('')}</casebody>")
    import_corpus([tmp_path / "7", tmp_path / "8"], tmp_path / "html", settings=ONE)
    assert [case.case_id for case in Corpus(tmp_path / "html").cases()] == ["cap:32047_0001", "cap:32048_0001"]
    import_corpus([tmp_path / "x"], tmp_path / "xml", "cap-casemets", settings=ONE)
    assert [case.case_id for case in Corpus(tmp_path / "xml").cases()] == ["cap:7-1", "cap:8-1"]


def test_two_cases_with_one_citation_are_both_kept_and_counted(tmp_path: Path) -> None:
    cites = [{"cite": "9 Alaska 1", "type": "official"}]
    file = bulk(tmp_path, line(1), line(2, citations=cites), line(30))
    import_corpus([file], tmp_path / "corpus", settings=ONE)
    found = Corpus(tmp_path / "corpus").info()
    assert found["cases"] == 3
    assert found["citations_of_more_than_one_case"] == 1


def test_empty_corpus_is_refused_and_leaves_nothing_to_see(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no case in the sources"):
        import_corpus([bulk(tmp_path, "not json")], tmp_path / "corpus", settings=ONE)
    assert [path.name for path in tmp_path.iterdir()] == ["data.jsonl"]
    with pytest.raises(MissingError, match="lawng corpus import"):
        Corpus(tmp_path / "corpus")


def test_folder_of_something_else_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("keep")
    with pytest.raises(InputError, match="is there and is no corpus"):
        import_corpus([source(tmp_path, "a", 1)], tmp_path / "mine", settings=ONE)
    assert (tmp_path / "mine" / "notes.txt").read_text() == "keep"


def test_commands(tmp_path: Path) -> None:
    run = CliRunner()
    file = bulk(tmp_path, line(1), "not json", line(2, decision_date="1950"))
    made = run.invoke(app, ["corpus", "import", str(file), "-o", str(tmp_path / "corpus"), "--workers", "1"])
    assert made.exit_code == 0, made.output
    assert made.stdout == ""  # data goes to standard output, talk to standard error
    assert "2 cases with 2 opinions" in made.stderr
    assert "1 cases rejected: line-not-json" in made.stderr
    told = json.loads(run.invoke(app, ["corpus", "info", str(tmp_path / "corpus"), "--to", "json"]).stdout)
    assert told["cases"] == 2
    assert told["opinions_by_type"] == {"majority": 2}
    assert told["share_with_page_marks"] == {"majority": 1.0}
    assert told["cases_by_jurisdiction"] == {"alaska": 2}
    assert (told["first_date"], told["last_date"]) == ("1950", "1950-02-01")
    assert told["rejects"] == {"cases: line-not-json": 1}
    shown = run.invoke(app, ["corpus", "info", str(tmp_path / "corpus")])
    assert "share with page marks" in shown.stdout


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    def peak(cases: int) -> int:
        folder = tmp_path / str(cases)
        folder.mkdir()
        body = '<casebody><opinion type="majority"><p>' + "the rule is plain " * 500 + "</p></opinion></casebody>"
        source = bulk(folder, *(line(n, body=body) for n in range(1, cases + 1)))
        (unit,) = work_units([source], None, tmp_path / "scratch")
        tracemalloc.start()
        n = sum(isinstance(item, Opinion) for item in read_unit(unit))
        top = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert n == cases
        return top

    peak(5)  # tables of reporters and the like are loaded once
    grown = peak(400) - peak(40)
    assert grown < 0.1 * 360 * 9000  # of 360 more opinions of 9 kB only the (bounded) cache of citations stays


@pytest.mark.parametrize(
    ("size", "settings", "workers"),
    [
        (10_000_000, Settings(), 1),
        (40_000_000, Settings(), 2),
        (10_000_000, Settings(workers=7), 7),
        (10_000_000, Settings(engine="ray"), None),
    ],
)
def test_small_sources_are_read_by_one_process(
    size: int, settings: Settings, workers: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda _: range(2))
    with (tmp_path / "source").open("wb") as file:
        file.truncate(size)
    assert _workers_for([tmp_path], settings).workers == workers
