"""What a search in a new process loads: neither torch nor what else takes seconds, and nothing twice."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from typer.testing import CliRunner

from clauses_support import make_folder
from encoder_support import HashingEncoder
from lawng.clauses.collection import read_library
from lawng.clauses.formats.documents import read_document
from lawng.clauses.search import ClauseSearcher
from lawng.clauses.sections.cut import head_of
from lawng.cli import app
from lawng.index.lance import lancedb
from lawng.index.reader import Index
from lawng.index.writer import index_corpus
from lawng.models.encoder import embedder
from lawng.models.onnx.embedder import OnnxEmbedder
from lawng.models.onnx.encoder import search_embedder
from lawng.schema import ContractText, Filters
from lawng.search import Searcher
from models_support import tiny_encoder, tiny_model
from retrieval_support import sample_corpus
from search_support import ENCODER

RUNNER = CliRunner()
HEAVY = {
    *("torch", "transformers", "sentence_transformers", "huggingface_hub", "sklearn"),
    *("spacy", "pandas", "daft", "ray", "matplotlib", "eyecite", "faiss", "lightgbm", "openai", "pdfplumber", "docx"),
    "lance_namespace_urllib3_client.api",
}
ARGUMENTS = (
    "The police may not stop a person on an anonymous tip.",
    "A landlord may keep a deposit.",
    'The statute is void because it says "income".',
    "No court held that the tax was valid.",
)


class Place(NamedTuple):
    """The folder of an index with a real, tiny encoder, of which the graph is kept, and a stance model with an ONNX file."""

    folder: Path
    encoder: str
    stance: Path
    cache: Path


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    if find_spec("onnx") is None:
        pytest.skip("onnx, which writes the files, is not installed")
    from lawng.models.onnx.classifier import export_int8

    folder = tmp_path_factory.mktemp("cold")
    encoder = str(tiny_encoder(folder / "encoder"))
    index_corpus(sample_corpus(), folder / "index", encoder)
    stance = tiny_model(folder / "stance", ["entailment", "neutral", "contradiction"])
    export_int8(stance)
    (stance / "model.safetensors").unlink()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LAWNG_CACHE", str(folder / "cache"))
        search_embedder.cache_clear()
        assert isinstance(search_embedder(encoder), OnnxEmbedder)
    return Place(folder / "index", encoder, stance, folder / "cache")


def loaded(code: str, place: Place, *arguments: str) -> tuple[set[str], str]:
    """The modules that a new process has at its end, and what it printed."""
    last = "import atexit, sys; atexit.register(lambda: print(*sys.modules, file=sys.stderr))\n"
    environment = os.environ | {"LAWNG_CACHE": str(place.cache), "HF_HUB_OFFLINE": "1"}
    command = [sys.executable, "-c", last + code, *arguments]
    run = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    return set(run.stderr.splitlines()[-1].split()), run.stdout


def heavy(found: set[str]) -> set[str]:
    return HEAVY & (found | {name.partition(".")[0] for name in found})


COMMAND = "from lawng.cli import main; main()"


@pytest.mark.slow("starts a process that loads the encoder")
@pytest.mark.parametrize("judged", [False, True], ids=["not judged", "judged"])
def test_a_search_of_cases_loads_no_torch(place: Place, judged: bool) -> None:
    model = str(place.stance) if judged else "none"
    given = ("search", str(place.folder), ARGUMENTS[0], "--model", model, "--to", "jsonl")
    found, said = loaded(COMMAND, place, *given)
    assert heavy(found) == set()
    rows = [json.loads(line) for line in said.splitlines()]
    assert len(rows) == 10
    assert {"unjudged"} != {row["list"] for row in rows} or not judged


@pytest.mark.slow("starts a process that loads the encoder")
def test_a_server_loads_no_torch(place: Place) -> None:
    code = (
        "import asyncio, sys; from lawng.cli.serve import _service; from lawng.web.app import make_app\n"
        "service = _service(sys.argv[1], ('none', None), None, False); make_app(service)\n"
        "print(len(service._opened.searcher.search(sys.argv[2]).unjudged)); service.close()"
    )
    found, said = loaded(code, place, str(place.folder), ARGUMENTS[0])
    assert heavy(found) == set()
    assert said == "10\n"


@pytest.mark.slow("starts a process that loads the encoder")
def test_a_search_of_contracts_seen_before_loads_no_torch(place: Place, tmp_path: Path) -> None:
    folder = make_folder(tmp_path / "contracts")
    given = ("search", str(folder), "limitation of liability", "--encoder", place.encoder, "--to", "jsonl")
    first, said = loaded(COMMAND, place, *given)
    assert heavy(first) == {"pdfplumber", "docx"}
    second, again = loaded(COMMAND, place, *given)
    assert heavy(second) == set()
    assert again == said


@pytest.mark.slow("starts a process that loads the encoder")
def test_the_ranking_is_that_of_sentence_transformers(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAWNG_CACHE", str(place.cache))
    ours, theirs = (Index.open(place.folder, model(place.encoder)) for model in (search_embedder, embedder))
    assert type(ours.encoder) is not type(theirs.encoder)
    for argument in ARGUMENTS:
        mine, right = (Searcher(index).search(argument).unjudged for index in (ours, theirs))
        assert [hit.case.case_id for hit in mine] == [hit.case.case_id for hit in right]
        assert [hit.score for hit in mine] == pytest.approx([hit.score for hit in right], rel=1e-4)
    ours.close()
    theirs.close()


def test_a_table_at_one_version_is_asked_for_its_schema_once(
    sample_place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind, asked = lancedb().table.LanceTable, Counter[str]()
    schema, count = kind.schema.fget, kind.count_rows

    def counted(table: Any) -> Any:
        asked[f"schema of {table.name}"] += 1
        return schema(table)

    def counts(table: Any, filter: str | None = None) -> int:
        if filter is None:
            asked[f"rows of {table.name}"] += 1
        return int(count(table, filter))

    monkeypatch.setattr(kind, "schema", property(counted))
    monkeypatch.setattr(kind, "count_rows", counts)
    index = Index.open(sample_place, ENCODER)
    searcher = Searcher(index)
    searcher.search(ARGUMENTS[0])
    assert asked["schema of passages"]
    asked.clear()
    for argument in ARGUMENTS:
        assert searcher.search(argument, Filters(after="1950")).hits
    assert not asked
    assert index.count(Filters(after="2100")).n_passages == 0, "what a filter counts is counted"
    index.close()


def test_only_what_changed_in_a_folder_is_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, cache, encoder = make_folder(tmp_path / "contracts"), tmp_path / "cache", HashingEncoder()
    (folder / "list.jsonl").write_text(json.dumps({"_id": "a", "text": "12.1 Cap. At most $5."}))
    read: list[str] = []
    heads: list[str] = []
    _note_calls(monkeypatch, read, heads)

    def search() -> tuple[object, ...]:
        library = read_library(folder, cache=cache)
        answer = ClauseSearcher(library, encoder, cache=cache).search("cap on liability", k=50)
        return library.clauses, library.rejects, library.dropped, library.notes, answer.hits

    plain = read_library(folder)
    assert sorted(read) == ["broken.docx", "prices.docx", "services.pdf"]
    read.clear()
    first = search()
    assert first[:4] == (plain.clauses, plain.rejects, plain.dropped, plain.notes), "keeping changes nothing"
    encoded = encoder.n_encoded
    read.clear()
    heads.clear()
    assert search() == first
    assert (read, heads) == ([], [])
    assert encoder.n_encoded == encoded + 3, "the query, its meaning, and the word of it that no pattern reads"
    (folder / "new.txt").write_text("1. Cap. At most $7.\n\n2. Term. A year.\n")
    shutil.copy(folder / "prices.docx", folder / "copy.docx")
    search()
    assert read == ["new.txt"], "the same content is the same contract"
    assert encoder.n_encoded == encoded + 6 + 2


def _note_calls(monkeypatch: pytest.MonkeyPatch, read: list[str], heads: list[str]) -> None:
    def reads(path: Path) -> ContractText:
        read.append(path.name)
        return read_document(path)

    def finds(text: str) -> tuple[str, str]:
        heads.append(text)
        return head_of(text)

    monkeypatch.setattr("lawng.clauses.collection.read_document", reads)
    monkeypatch.setattr("lawng.clauses.collection.head_of", finds)


DAMAGE = (
    b"",
    b"\0" * 50,
    b"[]",
    b'{"words": 1}',
    b'{"words":5,"notes":[],"single":false,"clauses":[[1]],"dropped":{}}',
)


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_cache_is_made_again(damage: bytes, tmp_path: Path) -> None:
    folder, cache, encoder = make_folder(tmp_path / "contracts"), tmp_path / "cache", HashingEncoder()
    hits = _hits(folder, cache, encoder)
    for path in cache.rglob("*.*"):
        if path.is_file():
            path.write_bytes(damage)
    assert _hits(folder, cache, encoder) == hits
    assert _hits(folder, cache, encoder) == hits


def test_a_cache_that_cannot_be_written_stops_nothing(tmp_path: Path) -> None:
    folder, encoder = make_folder(tmp_path / "contracts"), HashingEncoder()
    (tmp_path / "file").write_text("")
    assert _hits(folder, tmp_path / "file" / "cache", encoder) == _hits(folder, tmp_path / "cache", encoder)


def _hits(folder: Path, cache: Path, encoder: HashingEncoder) -> Sequence[object]:
    library = read_library(folder, cache=cache)
    return ClauseSearcher(library, encoder, cache=cache).search("cap on liability", k=50).hits


def test_what_is_kept_of_contracts_is_their_owners_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, cache = make_folder(tmp_path / "contracts"), tmp_path / "cache" / "clauses"
    old = cache / "contracts-0123456789abcdef"
    old.mkdir(parents=True)
    (old / "kept.txt.json").write_text("{}")
    monkeypatch.setenv("LAWNG_CACHE", str(cache.parent))
    assert RUNNER.invoke(app, ["search", str(folder), "liability", "--encoder", "none"]).exit_code == 0
    [kept] = cache.glob("contracts-*")
    assert kept != old, "what an older version kept is gone"
    assert all(path.stat().st_mode & 0o77 == 0 for path in (kept, *kept.iterdir()))
