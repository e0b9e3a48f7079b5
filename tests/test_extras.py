"""A library that is not installed: each has its extra, and every command and public function names it in one line."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from lawng.errors import MissingError, StageError
from lawng.extras import INCLUDES, LIBRARIES, explained, missing_library, modules_of, need

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "lawng"
SAMPLE = ROOT / "sample"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
KNOWN = packages_distributions()
FOR_PEOPLE = {"all", "dev", "docs"}
"""Extras that no library of lawng's own code is in, or that only gather others."""
BY_HAND = {"benepar"}
"""Imported where it is there, and in no extra: its model cannot be had from the registry."""


def distribution(requirement: str) -> str:
    return re.split(r"[<>=!~\[ ;]", requirement)[0].lower().replace("_", "-")


def distributions(modules: set[str]) -> set[str]:
    """What is installed to have these modules."""
    return {distribution(name) for module in modules for name in KNOWN.get(module, [module])}


def third_party() -> set[str]:
    """Every library that a file of lawng imports, wherever in it."""
    line = re.compile(r"^ *(?:import(?= [\w.]+(?: as \w+)?(?:  #.*)?$)|from(?= [\w.]+ import )) (\w+)", re.MULTILINE)
    names = {name for path in SOURCE.rglob("*.py") for name in line.findall(path.read_text("utf-8"))}
    return names - sys.stdlib_module_names - {"lawng", "__future__"}


def test_every_library_is_the_cores_or_one_extras() -> None:
    core = {distribution(requirement) for requirement in PROJECT["dependencies"]}
    extras = [module for modules in LIBRARIES.values() for module in modules]
    assert len(extras) == len(set(extras))
    homeless = {module for module in third_party() - set(extras) - BY_HAND if not distributions({module}) <= core}
    assert homeless == set()


@pytest.mark.parametrize("extra", LIBRARIES)
def test_an_extra_brings_what_the_table_of_modules_says(extra: str) -> None:
    requirements = PROJECT["optional-dependencies"][extra]
    included = [found[1].split(",") for r in requirements if (found := re.fullmatch(r"lawng\[([\w,]+)\]", r))]
    assert tuple(name for names in included for name in names) == INCLUDES.get(extra, ())
    assert {distribution(r) for r in requirements} - {"lawng"} == distributions(set(LIBRARIES[extra]))


def test_all_is_every_extra_that_people_use() -> None:
    gathered = PROJECT["optional-dependencies"]["all"]
    needed = set(LIBRARIES) - {"models"}
    assert gathered == [f"lawng[{','.join(sorted(needed))}]"]
    assert set(PROJECT["optional-dependencies"]) == set(LIBRARIES) | FOR_PEOPLE


# one process with the core's libraries alone imports the command line once, and a fork of it runs each command
RUNNER = """
import contextlib, io, json, os, sys
import pyarrow.dataset, lawng.lawngnli.citations, lawng.citation.extract, lawng.cli, lawng.corpus.importer
cases, seen = json.load(sys.stdin), []
class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in self.blocked:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
blocker = Blocker()
sys.meta_path.insert(0, blocker)
for words, blocked in cases:
    blocker.blocked = set(blocked)
    reading, writing = os.pipe()
    if not (child := os.fork()):
        sys.argv, said = ["lawng", *words], io.StringIO()
        with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
            try:
                status = lawng.cli.main()
            except SystemExit as stop:
                status = stop.code
            except BaseException as error:
                status = repr(error)
        os.write(writing, json.dumps([status, said.getvalue()]).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as answer:
        seen.append(json.loads(answer.read()))
    os.waitpid(child, 0)
print(json.dumps(seen))
"""
EVERY = {module for modules in LIBRARIES.values() for module in modules} - {"pydantic"}
"""All but what the core's Daft brings as well."""


def only(*extras: str) -> set[str]:
    """What is not installed where these extras are."""
    return EVERY.difference(*map(modules_of, extras))


DATA, CONTRACTS = str(SAMPLE / "clauses"), str(SAMPLE / "contracts" / "files")
FIND = ["search", CONTRACTS, "liability cap", "--encoder", "none"]
CASES = [
    # command, what is not installed, the extra to name
    (["corpus", "import", "VOLUME", "-o", "c", "--engine", "ray"], EVERY, "ray"),
    (["build", "corpus", "-o", "b"], EVERY, "build"),
    (["build", "corpus", "-o", "b"], only("search"), "build"),
    (["build", "corpus", "-o", "b"], {"lemminflect"}, "build"),
    (["build", "corpus", "-o", "b"], only("build"), "offline"),
    (["index", "corpus", "-o", "i"], EVERY, "search"),
    (["search", "index", "an argument"], EVERY, "search"),
    (["search", CONTRACTS, "liability cap"], EVERY, "contracts"),
    (["clauses", CONTRACTS, "liability cap"], EVERY, "contracts"),
    (FIND, only("search"), "contracts"),
    (FIND, {"pdfplumber"}, "contracts"),
    ([*FIND, "--rerank", "openai:m"], only("contracts"), "llm"),
    (["serve", "index"], EVERY, "web"),
    (["serve", "index"], only("search"), "web"),
    (["serve", CONTRACTS], only("contracts"), "web"),
    (["train", "nli", "--build", "b"], EVERY, "train"),
    (["train", "clauses", "--data", DATA, "-o", "m"], EVERY, "search"),
    (["train", "relevance", "--data", DATA, "-o", "m"], EVERY, "train"),
    (["evaluate", "nli", "m", "--build", "b"], EVERY, "train"),
    (["study", "retrieval", "b", "--corpus", "corpus", "-o", "s"], EVERY, "study"),
    (["study", "described", "index", "-o", "s"], EVERY, "study"),
    (["study", "acord", "--data", DATA, "-o", "s"], EVERY, "study"),
    (["study", "clauses", "--data", DATA, "-o", "s"], EVERY, "study"),
]
LIGHT = [
    ["--help"],
    ["corpus", "info", "corpus"],
    ["citations", "corpus"],
    ["citations", str(SAMPLE / "README.md")],
    ["config"],
]
"""Commands that the core alone is enough for."""


def key(words: list[str], blocked: set[str]) -> str:
    brought = [extra for extra in LIBRARIES if not modules_of(extra) & blocked]
    return " ".join(words).replace(str(ROOT), "") + f" with {len(EVERY) - len(blocked)} libraries ({brought})"


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[object, str]]:
    """What each command says: exit status and standard error."""
    from lawng.corpus.importer import import_corpus
    from lawng.pipeline import Settings

    folder = tmp_path_factory.mktemp("extras")
    volume = SAMPLE / "caselaw" / "mass"
    import_corpus([volume], folder / "corpus", None, Settings(workers=1))
    (folder / "index").mkdir()
    asked = [(words, blocked) for words, blocked, _ in CASES] + [(words, EVERY) for words in LIGHT]
    given = [([str(volume) if w == "VOLUME" else w for w in words], sorted(blocked)) for words, blocked in asked]
    env = os.environ | {"PYTHONPATH": str(ROOT / "src"), "OPENAI_API_KEY": "none", "LAWNG_CACHE": str(folder / "cache")}
    command = [sys.executable, "-c", RUNNER]
    run = subprocess.run(
        command, input=json.dumps(given), cwd=folder, env=env, capture_output=True, text=True, check=True
    )
    return {key(*one): (status, text) for one, (status, text) in zip(asked, json.loads(run.stdout), strict=True)}


@pytest.mark.slow(reason="each row is a process that loads the libraries that are left")
@pytest.mark.parametrize(("words", "blocked", "extra"), CASES, ids=[key(*case[:2]) for case in CASES])
def test_a_command_names_the_extra_that_is_missing(
    words: list[str], blocked: set[str], extra: str, said: dict[str, tuple[object, str]]
) -> None:
    status, text = said[key(words, blocked)]
    assert status == 2, text
    assert f"pip install 'lawng[{extra}]'" in text.splitlines()[-1], text
    assert "Traceback" not in text


@pytest.mark.slow(reason="as above")
@pytest.mark.parametrize("words", LIGHT, ids=" ".join)
def test_the_core_alone_is_enough_for(words: list[str], said: dict[str, tuple[object, str]]) -> None:
    status, text = said[key(words, EVERY)]
    assert status in (0, None), text


def test_a_public_function_names_it_too(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from lawng.clauses.collection import read_library

    (tmp_path / "a.docx").write_bytes(b"PK")
    monkeypatch.setitem(sys.modules, "docx", None)
    with pytest.raises(MissingError, match=r"^docx is not installed: pip install 'lawng\[contracts\]'$"):
        read_library(tmp_path)


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (ModuleNotFoundError("No module named 'faiss'", name="faiss"), "faiss is not installed: pip install 'lawng[build]'"),
        (ModuleNotFoundError("No module named 'docx.oxml'"), "docx is not installed: pip install 'lawng[contracts]'"),
        (ModuleNotFoundError("No module named 'tqdm'", name="tqdm"), "tqdm is not installed, which lawng needs: pip install --force-reinstall lawng"),
        (ModuleNotFoundError("No module named 'lawng.nowhere'", name="lawng.nowhere"), None),
        (ImportError("cannot import name 'x'"), None),
        (ValueError("wrong"), None),
    ],
)  # fmt: skip
def test_only_a_library_that_is_missing_is_explained(error: Exception, expected: str | None) -> None:
    assert missing_library(error) == expected
    with pytest.raises(MissingError if expected else type(error), match=re.escape(expected or str(error))), explained():
        raise error


def test_a_library_is_seen_through_the_errors_that_it_caused() -> None:
    with pytest.raises(MissingError, match=r"lawng\[ray\]"), explained():  # noqa: PT012 (the chain is the case)
        try:
            need("json", "ray.not.there") if "ray" not in sys.modules else need("ray.not.there")
        except ModuleNotFoundError as error:
            raise StageError("the stage failed") from error


def test_what_an_extra_includes_is_counted_once() -> None:
    assert {"lancedb", "torch", "fastapi"} <= modules_of("web")
    assert "docx" not in modules_of("web")
