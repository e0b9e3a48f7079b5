"""The documentation says what the code does: links, generated pages, reasons for rejects, and README's own commands."""

from __future__ import annotations

import ast
import importlib.util
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from lawng import __version__
from lawng.citation.extract import citations_of, row_of
from lawng.config import load_config
from lawng.corpus.importer import import_corpus
from lawng.index.writer import index_corpus
from lawng.lawngnli.build import build_dataset
from lawng.pipeline import Settings
from lawng.schema.arrow import schema_of
from lawng.schema.labels import LABELS
from models_support import tiny_model

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
SOURCE = ROOT / "src" / "lawng"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md")])
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
KEBAB = re.compile(r"[a-z]+(?:-[a-z]+)*")
MAKERS = {
    **{"Reject": 2, "Refusal": 0, "reject": 2, "_reject": 2, "OverLimitError": 0, "_at": 0, "drop_as": 0},
    **{"reject_error": 3, "drop": 2, "drop_error": 3, "_rule": 0},
}
"""Where each maker of a reject has its reason among its arguments."""


def _generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_reference", DOCS / "make_reference.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


GENERATOR = _generator()


def prose(page: Path) -> str:
    """The page without its code blocks."""
    return FENCE.sub("", page.read_text("utf-8"))


def anchor(heading: str) -> str:
    """A heading's anchor, as Markdown renderers of code hosts make it."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_relative_links_lead_somewhere(page: Path) -> None:
    for link in LINK.findall(prose(page)):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, fragment = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{page.name} links to {link}, which is not there"
        if fragment:
            headings = re.findall(r"^#+ (.*)$", prose(target), re.MULTILINE)
            assert fragment in map(anchor, headings), f"{page.name}: no heading #{fragment} in {target.name}"


def test_every_page_can_be_reached_from_the_index() -> None:
    reached, queue = set(), [DOCS / "index.md"]
    while queue:
        page = queue.pop()
        reached.add(page)
        linked = {(page.parent / link.partition("#")[0]).resolve() for link in LINK.findall(prose(page))}
        queue += sorted(p for p in linked - reached if p.suffix == ".md" and p.is_file() and DOCS in p.parents)
    lost = {p for p in DOCS.rglob("*.md") if not p.name.endswith(".intro.md")} - reached
    assert not lost


@pytest.mark.parametrize("name", sorted(GENERATOR.pages()))
def test_the_reference_is_up_to_date(name: str) -> None:
    stored = (DOCS / "reference" / name).read_text("utf-8")
    assert stored == GENERATOR.pages()[name], f"{name} is old: run python docs/make_reference.py"


COMMANDS = dict(GENERATOR.commands())


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_has_an_example_that_it_understands(name: str) -> None:
    example = GENERATOR.example_of(COMMANDS[name])
    assert example.startswith(f"lawng {name} "), f"the help of `lawng {name}` has no example of it"
    words = shlex.split(re.split(r" [|>] ", example)[0])[1 + len(name.split()) :]
    COMMANDS[name].make_context(name, words)  # raises UsageError for an option or argument that is not there


@cache
def reasons_in_code() -> set[str]:
    """Every reason that stands in the code: given to a maker of rejects, or named `reason`."""
    trees = [ast.parse(path.read_text("utf-8")) for path in sorted(SOURCE.rglob("*.py"))]
    found = {value for tree in trees for node in ast.walk(tree) for value in _reasons(node)}
    return found | {value for tree in trees for value in _returned(tree, "_cited_case")}


def _reasons(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Call):
        place = MAKERS.get(getattr(node.func, "id", getattr(node.func, "attr", "")))
        given = node.args[place : place + 1] if place is not None else []
        yield from (value for argument in given for value in _words(argument))
    elif isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id in _NAMES for t in node.targets):
        yield from _words(node.value)


_NAMES = ("reason", "UNREADABLE")


def _words(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and KEBAB.fullmatch(node.value):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from (*_words(node.body), *_words(node.orelse))


def _returned(tree: ast.Module, function: str) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == function:
            returns = [r.value for r in ast.walk(node) if isinstance(r, ast.Return) and r.value is not None]
            yield from (word for value in returns for word in _words(value))


def test_the_scan_for_reasons_sees_every_way_of_giving_one() -> None:
    assert {"pin-not-marked", "no-pin", "self-citation", "no-majority", "unit-unreadable"} <= reasons_in_code()
    assert {"duplicate-case", "row-without-id", "line-not-json", "parse-unsure"} <= reasons_in_code()


def test_every_reason_is_explained_and_no_other() -> None:
    page = (DOCS / "reference" / "reasons-for-rejects.md").read_text("utf-8")
    listed = re.findall(r"^\| `([a-z-]+)` \| \S", page, re.MULTILINE)
    assert len(listed) == len(set(listed))
    assert set(listed) == reasons_in_code()


def test_the_keys_of_citations_are_those_that_the_page_lists() -> None:
    page = (DOCS / "reference" / "formats.md").read_text("utf-8")
    section = page.partition("## JSON lines of `lawng citations`")[2].partition("\n## ")[0]
    listed = [
        key for row in re.findall(r"^\| (`.*?`) \|", section, re.MULTILINE) for key in re.findall(r"`(\w+)`", row)
    ]
    row = row_of(citations_of("See Roe v. Wade, 410 U.S. 113, 120 (1973) (holding that it is so).", "a")[0])
    assert sorted(listed) == sorted(row)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that looks as after `make demo`, of the Massachusetts cases of the sample alone."""
    folder = tmp_path_factory.mktemp("docs")
    corpus = folder / "demo" / "corpus"
    import_corpus([ROOT / "sample" / "caselaw" / "mass"], corpus, None, Settings(workers=1))
    build_dataset(
        corpus, folder / "demo" / "build", load_config(given={"engine.workers": 1, "hypotheses.source": "both"})
    )
    index_corpus(corpus, folder / "demo" / "index")
    tiny_model(folder / "stance", list(LABELS))
    tiny_model(folder / "tuned", ["relevance"])
    (folder / "sample").symlink_to(ROOT / "sample")
    return folder


@pytest.fixture
def place(made: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same folder, as the working directory."""
    monkeypatch.chdir(made)
    return made


def blocks(language: str, page: Path = ROOT / "README.md") -> list[str]:
    """The code blocks of a page in a language."""
    return [text for kind, text in FENCE.findall(page.read_text("utf-8")) if kind == language]


def test_readme_has_commands_and_python() -> None:
    assert len(blocks("sh")) >= 2
    assert len(blocks("python")) >= 1


@pytest.mark.slow("makes a corpus, a build and an index with the real models")
@pytest.mark.parametrize(
    "page", [p for p in PAGES if blocks("python", p) and p.stem != "CONTRIBUTING"], ids=lambda page: page.stem
)
def test_the_python_on_the_pages_runs(page: Path, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", place / "cache")
    printed: list[str] = []
    names = {"print": lambda *words: printed.append(" ".join(map(str, words)))}
    for block in blocks("python", page):
        exec(compile(block, page.name, "exec"), names)
    assert all(printed)
    assert printed or "train" in names


def shell_lines(page: Path = ROOT / "README.md") -> list[str]:
    """The command lines of a page, without comments."""
    lines = [line.partition(" #")[0].strip() for block in blocks("sh", page) for line in block.splitlines()]
    return [line for line in lines if line]


def lawng_lines() -> list[str]:
    """Every call of lawng in a command line of any page."""
    pieces = [piece.strip() for page in PAGES for line in shell_lines(page) for piece in re.split(r" [|>] ", line)]
    return sorted({piece for piece in pieces if piece.startswith("lawng ")})


@pytest.mark.parametrize("line", lawng_lines())
def test_every_command_line_on_the_pages_is_understood(line: str) -> None:
    words = shlex.split(line)[1:]
    name = " ".join(words[:2]) if " ".join(words[:2]) in COMMANDS else words[0]
    COMMANDS[name].make_context(name, words[len(name.split()) :])  # raises UsageError for what is not there


def ends(line: str) -> bool:
    """Whether a command ends by itself; `lawng serve` is tried in `web/test_serve.py`."""
    return not line.startswith(("make ", "lawng serve"))


@pytest.mark.slow("each command is a process of its own")
@pytest.mark.parametrize("line", [line for line in shell_lines() if ends(line)])
def test_the_commands_of_readme_run(line: str, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    done = subprocess.run(["sh", "-c", line], cwd=place, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


def test_make_has_the_targets_of_readme() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = [line.split()[1] for line in shell_lines() if line.startswith("make ")]
    assert {"demo", "test"} <= set(targets)
    assert all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in targets)


def test_the_table_of_commands_in_readme_is_whole() -> None:
    listed = re.findall(r"^\| `lawng ([a-z -]+?)[` A-Z.]*` \|", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE)
    assert sorted(listed) == sorted(COMMANDS)


def test_tables_named_in_the_formats_page_are_those_of_the_code() -> None:
    page = (DOCS / "reference" / "formats.md").read_text("utf-8")
    for _, names in GENERATOR.TABLES:
        for name in names:
            section = page.partition(f"### {name}\n")[2].partition("\n### ")[0].partition("\n## ")[0]
            columns = re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)
            assert columns == schema_of(getattr(GENERATOR.schema, name)).names


def test_no_page_is_about_the_machine_it_was_written_on() -> None:
    for page in PAGES:
        assert not re.search(r"/(?:work|home|root|Users)/", page.read_text("utf-8")), page.name


def test_the_changelog_has_the_version() -> None:
    assert re.search(rf"^## {re.escape(__version__)}\b", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
