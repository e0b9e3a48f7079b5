"""What each stage of a build says it depends on: every input and option that its step is given, and nothing else."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import lawng.pipeline.step
from build_support import BASE, DIGESTS, MODELS
from lawng.config import load_config, options
from lawng.errors import InputError
from lawng.io import check_inputs
from lawng.lawngnli.build import all_steps, context_of, take_over
from lawng.lawngnli.sources import with_passages
from lawng.pipeline import Context, Stage, StageResult, Step, Tally, run_steps
from lawng.pipeline.closure import PACKAGE, code_digest, import_closure

STEPS = {step.name: step for step in all_steps()}
AFTER_OPINIONS = {"10-citations", "12-treatments", "15-sought", "20-candidates", "30-accuracy", "60-neutral", "65-lengths", "70-balance", "80-premises"}  # fmt: skip
"""Stages that read the corpus itself."""
EVERY = {*AFTER_OPINIONS, "40-negation", "50-labels", "55-vectors"}

TAKES: dict[str, tuple[Any, set[str]]] = {
    "hypotheses.source": ("both", {"15-sought"}),
    "hypotheses.verifier": ("other", set()),
    "filters.only_explanatory": (False, {"30-accuracy"}),
    "filters.treatment": (True, {"12-treatments", "30-accuracy"}),
    "negation.model": ("other", set()),  # its name and state are in the fingerprint
    "negation.benepar": ("benepar_en3", {"40-negation"}),
    "difficulty.min_words": (7, {"50-labels"}),
    "difficulty.max_overlap": (0.25, {"50-labels", "60-neutral"}),
    "difficulty.proposition_overlap": (0.25, {"50-labels"}),
    "neutral.embedder": ("other", set()),
    "neutral.top_k": (7, {"60-neutral"}),
    "balance.analysis_tokens": (7, {"70-balance"}),
    "split.method": ("time", {"70-balance"}),
    "split.held_out": (0.25, {"70-balance"}),
    "premises.tokenizer": ("other", set()),
    "premises.prepend_tokens": (7, {"80-premises"}),
    "premises.bm25_paragraphs": (7, {"80-premises"}),
    "engine.engine": ("ray", set()),
    "engine.address": ("ray://x:1", set()),
    "engine.workers": (2, set()),
    "engine.seed": (7, {"40-negation", "50-labels", "70-balance"}),
}
"""By option: another value, and the stages whose steps are given it."""


def fingerprints(
    monkeypatch: pytest.MonkeyPatch, context: Context, digests: Callable[[str], str] = str
) -> dict[str, str | None]:
    """The fingerprint of every stage when each table has the digest given, without running any."""
    found: dict[str, str | None] = {}

    def load(stage: Stage, folder: Path) -> StageResult:
        found[stage.name] = stage.fingerprint
        tables = {name: digests(f"{stage.name}/{name}") for name in stage.tables}
        return StageResult(stage.name, folder, Tally(digests=tables), stage.fingerprint, 1)

    monkeypatch.setattr(lawng.pipeline.step, "load_stage", load)
    list(run_steps(all_steps(), context))
    return found


def changed(monkeypatch: pytest.MonkeyPatch, context: Context, digests: Callable[[str], str] = str) -> set[str]:
    before, after = fingerprints(monkeypatch, BASE), fingerprints(monkeypatch, context, digests)
    assert None not in before.values(), "every stage says what it depends on"
    return {name for name in before if before[name] != after[name]}


@pytest.mark.parametrize("option", [*options()], ids=lambda option: option.path)
def test_an_option_changes_the_stages_that_take_it_and_no_other(monkeypatch: pytest.MonkeyPatch, option: Any) -> None:
    value, stages = TAKES[option.path]
    assert (
        changed(
            monkeypatch,
            context_of(Path("corpus"), Path("build"), load_config(given={option.path: value}), DIGESTS, MODELS),
        )
        == stages
    )


@pytest.mark.parametrize(
    ("role", "stages"),
    [
        ("verifier", {"30-accuracy"}),
        ("negation", {"40-negation"}),
        ("embedder", {"55-vectors"}),
        ("tokenizer", {"65-lengths", "80-premises"}),
    ],
)
def test_a_model_is_its_name_and_state_not_its_place(
    monkeypatch: pytest.MonkeyPatch, role: str, stages: set[str]
) -> None:
    for change, expected in (
        ({"state": "2"}, stages),
        ({"name": "x"}, stages),
        ({"place": "/x"}, set()),
        ({"note": "x"}, set()),
    ):
        models = {**MODELS, role: replace(MODELS[role], **change)}
        assert changed(monkeypatch, replace(BASE, models=models)) == expected, change


READS = {
    "12-treatments/treatments": {"30-accuracy"},
    "10-citations/citations": {
        "12-treatments",
        "15-sought",
        "20-candidates",
        "60-neutral",
        "65-lengths",
        "80-premises",
    },
    "15-sought/sought": {"20-candidates"},
    "20-candidates/candidates": {"30-accuracy"},
    "20-candidates/passages": {"30-accuracy", "50-labels", "55-vectors", "60-neutral"},
    "30-accuracy/screened": {"40-negation"},
    "40-negation/negatable": {"50-labels"},
    "50-labels/labelled": {"55-vectors", "60-neutral"},
    "55-vectors/vectors": {"60-neutral"},
    "60-neutral/paired": {"65-lengths", "70-balance"},
    "65-lengths/lengths": {"70-balance"},
    "70-balance/examples": {"80-premises"},
}
"""By table of a stage: who reads it."""


@pytest.mark.parametrize("table", READS)
def test_a_table_changes_the_stages_that_read_it(monkeypatch: pytest.MonkeyPatch, table: str) -> None:
    assert changed(monkeypatch, BASE, lambda name: f"{name}!" if name == table else name) == READS[table]


@pytest.mark.parametrize("table", ["cases", "opinions"])
def test_the_corpus_changes_the_stages_that_read_it(monkeypatch: pytest.MonkeyPatch, table: str) -> None:
    assert changed(monkeypatch, replace(BASE, corpus_digests={**BASE.corpus_digests, table: "x"})) == AFTER_OPINIONS
    assert changed(monkeypatch, replace(BASE, corpus=Path("elsewhere"), folder=Path("other"))) == set()


def test_a_library_changes_the_stages_that_use_it(monkeypatch: pytest.MonkeyPatch) -> None:
    uses = {"eyecite": {"10-citations"}, "hyperscan": {"10-citations"}, "spacy": {"40-negation"}, "lemminflect": {"30-accuracy", "40-negation"},
            "faiss-cpu": {"60-neutral"}, "tokenizers": {"65-lengths", "80-premises"}, "rich": set()}  # fmt: skip
    for library, stages in uses.items():
        with monkeypatch.context() as patch:
            patch.setattr(lawng.pipeline.step, "library_version", lambda name, at=library: "9" if name == at else "1")
            other = fingerprints(monkeypatch, BASE)
            patch.setattr(lawng.pipeline.step, "library_version", lambda name: "1")
            same = fingerprints(monkeypatch, BASE)
        assert {name for name in same if same[name] != other[name]} == stages, library


def test_a_step_is_given_what_it_declares_and_nothing_else() -> None:
    step = Step("s", {}, lambda inputs: ([], list), tables=("rows",), options=("neutral.top_k",), models=("embedder",))
    result = StageResult("r", Path("r"), Tally(), None, 1)
    inputs = lawng.pipeline.step.Inputs(step, BASE, {"rows": result, "others": result})
    assert (inputs.table("rows"), inputs.option("neutral.top_k")) == (Path("r/rows"), 30)
    assert inputs.model("embedder") == MODELS["embedder"]
    for ask in (lambda: inputs.table("others"), lambda: inputs.option("engine.seed"), lambda: inputs.model("tokenizer"), lambda: inputs.corpus):  # fmt: skip
        with pytest.raises(KeyError, match="not declared by the step"):
            ask()
    assert lawng.pipeline.step.Inputs(replace(step, corpus=True), BASE, {}).corpus == BASE.corpus


OWN_CODE = {
    "10-citations": {"lawngnli/citations.py", "lawngnli/sources.py", "citation/extract.py", "citation/tokens.py"},
    "12-treatments": {"lawngnli/treatments.py", "treatment/judge.py", "treatment/plainly.py"},
    "15-sought": {"lawngnli/sought.py", "lawngnli/propositions.py", "lawngnli/sources.py", "citation/citing.py"},
    "20-candidates": {"lawngnli/candidates.py", "citation/pins.py", "corpus/pages.py"},
    "30-accuracy": {"lawngnli/accuracy.py", "lawngnli/standing.py", "lawngnli/verifier.py", "lawngnli/entailing.py"},
    "40-negation": {f"lawngnli/negation/{file.name}" for file in PACKAGE.glob("lawngnli/negation/*.py")},
    "50-labels": {"lawngnli/labels.py", "lawngnli/difficulty.py", "lawngnli/order.py"},
    "55-vectors": {"lawngnli/vectors.py", "models/encoder.py"},
    "60-neutral": {"lawngnli/neutral.py", "lawngnli/difficulty.py", "text/paragraphs.py", "lawngnli/sources.py"},
    "65-lengths": {"lawngnli/lengths.py", "lawngnli/citation_removal.py", "lawngnli/tokens.py"},
    "70-balance": {"lawngnli/balance.py", "lawngnli/split_case.py", "lawngnli/order.py"},
    "80-premises": {"lawngnli/premises.py", "lawngnli/citation_removal.py", "text/paragraphs.py"},
}
"""By step: some files whose change must run it again."""
SHARED = {
    "schema/dataset.py",
    "schema/arrow.py",
    "io/parquet.py",
    "pipeline/workers.py",
    "pipeline/step.py",
    "errors.py",
}
FOREIGN = {"web", "search", "index", "cli", "reports", "studies", "clauses", "evaluation", "datasets", "config.py", "api.py"}  # fmt: skip
"""Rooms, and files at the top, that make no stage."""


@pytest.mark.parametrize("name", STEPS)
def test_the_code_of_a_step_is_what_its_module_imports(name: str) -> None:
    files = {file.relative_to(PACKAGE).as_posix() for file in import_closure(STEPS[name].module)}
    assert files >= OWN_CODE[name] | SHARED
    assert not {file for file in files if file.split("/")[0] in FOREIGN}
    assert not files & {"lawngnli/build.py", "__init__.py"}
    others = {step.module.replace("lawng.", "", 1).replace(".", "/") + ".py" for step in STEPS.values()}
    assert len(files & others) == 1, "no step runs another's code"


def test_a_change_runs_the_steps_again_that_run_the_code(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    package = tmp_path / "lawng"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__", "static", "templates"))
    before = {name: code_digest(step.module, package) for name, step in STEPS.items()}
    assert before == {name: code_digest(step.module) for name, step in STEPS.items()}, "wherever it is installed"

    def changed_by(file: str) -> set[str]:
        was = (package / file).read_bytes()
        (package / file).write_bytes(was + b"\n# changed\n")
        code_digest.cache_clear()
        after = {name: code_digest(step.module, package) for name, step in STEPS.items()}
        (package / file).write_bytes(was)
        return {name for name in before if before[name] != after[name]}

    for room in sorted(FOREIGN):
        if (package / room).is_dir():
            assert changed_by(f"{room}/__init__.py") == set(), room
    assert changed_by("corpus/cap_formats.py") == changed_by("corpus/formats.py") == set(), "the corpus is made already"
    assert changed_by("lawngnli/negation/refusals.py") == {"40-negation"}
    assert changed_by("lawngnli/order.py") == {"50-labels", "70-balance"}
    assert changed_by("lawngnli/tokens.py") == {"65-lengths", "80-premises"}
    assert changed_by("schema/dataset.py") == set(STEPS)
    code_digest.cache_clear()
    own = fingerprints(monkeypatch, BASE)
    monkeypatch.setattr(lawng.pipeline.step, "code_digest", lambda module: f"other {module}")
    assert not set(own.values()) & set(fingerprints(monkeypatch, BASE).values())


def test_a_closure_follows_imports_in_functions_and_packages_but_not_those_for_types(tmp_path: Path) -> None:
    package = tmp_path / "pack"
    files = {
        "__init__.py": "import pack.all",
        "all.py": "",
        "a.py": "import os, pack.b\nfrom typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import pack.types_only\nelse:\n    import pack.otherwise",
        "b.py": "def f():\n    from pack.deep import c, not_a_module\n    from pack import g",
        "deep/__init__.py": "import pack.a",
        "deep/c.py": "import other.d",
        **dict.fromkeys(("deep/d.py", "g.py", "types_only.py", "otherwise.py", "unused.py"), ""),
    }
    for name, text in files.items():
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text(text)
    found = [file.relative_to(package).as_posix() for file in import_closure("pack.a", package)]
    assert found == ["a.py", "b.py", "deep/__init__.py", "deep/c.py", "g.py", "otherwise.py"]
    assert import_closure("elsewhere.a", package) == []
    first = code_digest("pack.a", package)
    for name, same in (("unused.py", True), ("all.py", True), ("deep/c.py", False), ("g.py", False)):
        (package / name).write_text("x = 1")
        code_digest.cache_clear()
        assert (code_digest("pack.a", package) == first) is same, name
        (package / name).write_text(files[name])
    for name, same in (("weights.json", False), ("deep/words.toml", False), ("notes.md", True), ("up/x.json", True)):
        (package / name).parent.mkdir(exist_ok=True)
        (package / name).write_text("1")
        code_digest.cache_clear()
        assert (code_digest("pack.a", package) == first) is same, name
        (package / name).unlink()


@pytest.mark.parametrize(
    ("manifest", "refused"),
    [
        ('{"inputs": {"cases": "c", "opinions": "o"}}', False),
        ('{"inputs": {"cases": "c", "opinions": "x"}}', True),
        ('{"inputs": {"cases": "b", "opinions": "o"}}', True),
        ('{"inputs": {"cases": "c"}}', True),
        ('{"inputs": {}}', True),
        ("{}", True),
        ("[]", True),
        ("{", False),  # what is broken off is nothing to lose
        (None, False),
    ],
)
def test_a_build_of_another_corpus_is_refused(tmp_path: Path, manifest: str | None, refused: bool) -> None:
    path = tmp_path / "manifest.json"
    if manifest is not None:
        path.write_text(manifest)
    with pytest.raises(InputError, match="is a build of another corpus") if refused else nullcontext():
        check_inputs(path, dict(BASE.corpus_digests), "a build of another corpus")


def test_hypotheses_and_passages_come_in_the_same_parts(tmp_path: Path) -> None:
    for name in ("negatable/part-00000.parquet", "passages/part-00000.parquet", "passages/part-00001.parquet"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    with pytest.raises(ValueError, match="longer"):
        with_passages(tmp_path / "negatable", tmp_path / "passages")
    (tmp_path / "negatable/part-00001.parquet").touch()
    pairs = with_passages(tmp_path / "negatable", tmp_path / "passages")
    assert [(pair.part.name, pair.passages.name) for pair in pairs] == [(f"part-0000{n}.parquet",) * 2 for n in (0, 1)]


def test_stages_of_something_else_are_not_taken_over(tmp_path: Path) -> None:
    for name in ("10-citations", "50-questions"):
        (tmp_path / "old" / "stages" / name).mkdir(parents=True)
        (tmp_path / "old" / "stages" / name / "_stage.json").write_text("{}")
    (tmp_path / "new" / "stages").mkdir(parents=True)
    take_over(tmp_path / "old", tmp_path / "new", {step.name for step in all_steps()})
    assert [path.name for path in (tmp_path / "new" / "stages").iterdir()] == ["10-citations"]
