"""Which models a build takes: as named, else the paper's, else the offline ones; which links it makes of cites."""

from __future__ import annotations

import shutil
from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lawng.lawngnli.models
import lawng.lawngnli.negation.negator
import lawng.pipeline.step
from build_support import BASE
from lawng.config import PAPER_EMBEDDER, load_config
from lawng.errors import MissingError
from lawng.io import TableWriter
from lawng.lawngnli.models import models_of, spacy_model
from lawng.lawngnli.negation.negator import _negator
from lawng.lawngnli.sources import write_cite_index
from lawng.lawngnli.verifier import BUNDLED
from lawng.models.find import OFFLINE
from lawng.pipeline import Inputs, Model, Settings, StageResult, Step, Tally
from lawng.pipeline.step import run_step
from lawng.schema import Case
from records_support import case, reporter_cite


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> dict[str, Path]:
    """What is in the Hub's cache, by name; "offline" for the package without network."""
    there: dict[str, Path] = {"offline": Path("/offline")}
    monkeypatch.setattr(lawng.lawngnli.models, "cached_model", lambda name, files: there.get(name))
    monkeypatch.setattr(lawng.lawngnli.models, "offline_model", lambda: there.get("offline"))
    monkeypatch.setattr(lawng.lawngnli.models, "offline_state", lambda: "0.1")
    monkeypatch.setattr(lawng.lawngnli.models, "state_of", lambda folder: f"state of {folder.name}")
    monkeypatch.setattr(lawng.lawngnli.models, "state_on_hub", lambda role, name, hint: f"{role} on the hub")
    monkeypatch.setattr(lawng.lawngnli.models, "spacy_model", lambda role, name: Model(role, name, name, "3.8"))
    return there


def chosen(role: str, **values: Any) -> Model:
    model = models_of(load_config(given={name.replace("__", "."): value for name, value in values.items()}))[role]
    assert model.role == role
    return model


@pytest.mark.parametrize(
    ("role", "option", "paper"),
    [("embedder", "neutral__embedder", PAPER_EMBEDDER), ("tokenizer", "premises__tokenizer", "roberta-base")],
)
def test_a_model_is_the_named_one_else_the_papers_else_the_offline_one(
    hub: dict[str, Path], tmp_path: Path, role: str, option: str, paper: str
) -> None:
    found = chosen(role)
    assert (found.name, found.place, found.state) == (OFFLINE, "/offline", "0.1")
    assert paper in found.note, "it says why"
    hub[paper] = Path("/cache/abc")
    assert chosen(role) == Model(role, paper, "/cache/abc", "abc")
    assert chosen(role, **{option: "org/other"}) == Model(role, "org/other", "org/other", f"{role} on the hub")
    hub["org/other"] = Path("/cache/def")
    assert chosen(role, **{option: "org/other"}) == Model(role, "org/other", "/cache/def", "def")
    own = tmp_path / "own"
    own.mkdir()
    with pytest.raises(MissingError, match=f"{role}: .*own has no"):
        chosen(role, **{option: str(own)})
    (own / {"embedder": "config.json", "tokenizer": "tokenizer.json"}[role]).touch()
    assert chosen(role, **{option: str(own)}) == Model(role, "own", str(own), "state of own")
    hub.clear()
    hub["roberta-base" if role == "embedder" else PAPER_EMBEDDER] = Path("/cache/abc")
    with pytest.raises(MissingError, match=rf"no {role}: .*pip install 'lawng\[offline\]'"):
        chosen(role)


def test_a_tokenizer_of_two_files_needs_both(hub: dict[str, Path], tmp_path: Path) -> None:
    (tmp_path / "encoder.json").touch()
    with pytest.raises(MissingError, match=r"has no tokenizer\.json, nor encoder\.json and vocab\.bpe"):
        chosen("tokenizer", premises__tokenizer=str(tmp_path))
    (tmp_path / "vocab.bpe").touch()
    assert chosen("tokenizer", premises__tokenizer=str(tmp_path)).place == str(tmp_path)


@pytest.mark.parametrize(
    ("name", "files", "says"),
    [
        ("en_no_such_pipeline", None, "spaCy pipeline 'en_no_such_pipeline' is not installed"),
        ("no such name", None, "spaCy pipeline 'no such name' is not installed"),
        ("folder", [], "has no config.cfg"),
        ("folder", ["config.cfg"], None),
        ("json", None, None),  # any module will do here: whether it is a pipeline shows when it is loaded
    ],
)
def test_a_pipeline_is_a_folder_or_installed(
    tmp_path: Path, name: str, files: list[str] | None, says: str | None
) -> None:
    if files is not None:
        (tmp_path / name).mkdir()
        for file in files:
            (tmp_path / name / file).write_text("x")
        name = str(tmp_path / name)
    if says:
        with pytest.raises(MissingError, match=says):
            spacy_model("negation", name)
    else:
        found = spacy_model("negation", name)
        assert (found.role, found.name, found.place) == ("negation", Path(name).name, name)


def test_benepar_is_asked_only_where_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lawng.lawngnli.negation.negator, "BeneparConstituents", lambda *given: given)
    monkeypatch.setattr(lawng.lawngnli.negation.negator, "Negator", lambda model, constituents: (model, constituents))
    found: list[Any] = [_negator.__wrapped__("en", None), _negator.__wrapped__("en", "benepar_en3")]
    assert found == [("en", None), ("en", ("benepar_en3", "en"))]


@settings(max_examples=25)
@given(
    st.lists(
        st.lists(st.sampled_from(["1 Mass. 1", "1 Mass. 2", "2 N.E. 5", "3 U.S. 7"]), max_size=3, unique=True),
        max_size=6,
    )
)
def test_a_cite_links_to_the_one_case_that_has_it(cites: list[list[str]]) -> None:
    cases = [case(f"cl:{n}", citations=[reporter_cite(cite) for cite in own]) for n, own in enumerate(cites)]
    owners: dict[str, set[str]] = defaultdict(set)
    for one in cases:
        for written in one.citations:
            owners[written.cite].add(one.case_id)
    with TemporaryDirectory() as folder:
        with TableWriter(Path(folder, "cases/part-00000.parquet"), Case) as writer:
            for one in cases:
                writer.write(one)
        index = write_cite_index(Path(folder, "cases"), Path(folder, "cites.arrow"))
        for cite in ["1 Mass. 1", "1 Mass. 2", "2 N.E. 5", "3 U.S. 7", "9 U.S. 9", ""]:
            assert index.case_of(cite) == (next(iter(owners[cite])) if len(owners[cite]) == 1 else None)
            assert (cite in index) == (len(owners[cite]) > 1)
        assert None not in index


@pytest.mark.parametrize(
    ("bytes_", "asked", "seconds", "workers"),
    [
        (2_000_000, None, 10.0, None),
        (1_999_999, None, 10.0, 1),
        (1, 4, 10.0, 4),
        (2_000_000, 4, 9.9, 1),
        (2_000_000, None, 9.9, 1),
    ],
)
def test_workers_are_started_for_long_work_on_many_opinions_or_as_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bytes_: int, asked: int | None, seconds: float, workers: int | None
) -> None:
    (tmp_path / "opinions").mkdir()
    (tmp_path / "opinions/part-00000.parquet").write_bytes(b"x" * bytes_)
    used: list[Settings] = []
    monkeypatch.setattr(
        lawng.pipeline.step, "run_stage", lambda stage, units, task, folder, settings: used.append(settings)
    )
    context = replace(BASE, corpus=tmp_path, folder=tmp_path / "build", settings=Settings(workers=asked))
    before = StageResult("a", tmp_path, Tally(out={"rows": 1000}), None, 1)
    step = Step("s", {"t": Case}, lambda inputs: ([], list), tables=("rows",), seconds=seconds / 1000)
    run_step(step, context, {"rows": before})
    assert [one.workers for one in used] == [workers]
    assert Inputs(step, context, {}).scratch("a") == tmp_path / "build/scratch/a"


def test_a_verifiers_folder_goes_by_its_own_name(tmp_path: Path) -> None:
    shutil.copytree(BUNDLED, tmp_path, dirs_exist_ok=True)
    found = lawng.lawngnli.models._verifier(str(tmp_path))
    assert (found.name, found.place) == (tmp_path.name, str(tmp_path)), "a manifest has no places"
    assert lawng.lawngnli.models._verifier(None).name == "bundled"
