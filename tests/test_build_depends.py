"""What each stage of a build says it depends on: every input and option that its step is given, and nothing else."""

from __future__ import annotations

import shutil
from collections import defaultdict
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import lawng.build.context
from lawng.build import _check_corpus
from lawng.build.context import Context, code_digest
from lawng.build.labels import with_passages
from lawng.build.models import Model
from lawng.build.stages import run_stages
from lawng.config import build_config, options
from lawng.engine import Stage, StageResult, Tally
from lawng.errors import InputError

ROLES = ("negation", "embedder", "tokenizer")
MODELS = {role: Model(role, role, f"/models/{role}", "1") for role in ROLES}
BASE = Context(Path("corpus"), Path("build"), build_config({}), {"cases": "c", "opinions": "o"}, MODELS)
AFTER_OPINIONS = {"10-citations", "15-sought", "20-candidates", "30-accuracy", "60-neutral", "65-lengths", "70-balance", "80-premises"}  # fmt: skip
"""Stages that read the corpus itself."""
EVERY = {*AFTER_OPINIONS, "40-negation", "50-labels", "55-vectors"}

TAKES: dict[str, tuple[Any, set[str]]] = {
    "filters.only_explanatory": (False, {"30-accuracy"}),
    "negation.model": ("other", set()),  # its state is in the fingerprint, as `Model.identity`
    "negation.benepar": ("benepar_en3", {"40-negation"}),
    "difficulty.min_words": (7, {"50-labels"}),
    "difficulty.max_overlap": (0.25, {"50-labels", "60-neutral"}),
    "neutral.embedder": ("other", set()),
    "neutral.top_k": (7, {"60-neutral"}),
    "balance.analysis_tokens": (7, {"70-balance"}),
    "split.method": ("time", {"70-balance"}),
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

    def run(self: Context, stage: Stage, work: Any, seconds: float = 0.0) -> StageResult:
        found[stage.name] = stage.fingerprint
        tables = {name: digests(f"{stage.name}/{name}") for name in stage.tables}
        return StageResult(
            stage.name, Path(stage.name), Tally(out=defaultdict(int), digests=tables), stage.fingerprint, 1
        )

    monkeypatch.setattr(Context, "run", run)
    list(run_stages(context))
    return found


def changed(monkeypatch: pytest.MonkeyPatch, context: Context, digests: Callable[[str], str] = str) -> set[str]:
    before, after = fingerprints(monkeypatch, BASE), fingerprints(monkeypatch, context, digests)
    assert None not in before.values(), "every stage says what it depends on"
    return {name for name in before if before[name] != after[name]}


@pytest.mark.parametrize("option", [*options()], ids=lambda option: option.path)
def test_an_option_changes_the_stages_that_take_it_and_no_other(monkeypatch: pytest.MonkeyPatch, option: Any) -> None:
    value, stages = TAKES[option.path]
    assert changed(monkeypatch, replace(BASE, config=build_config({option.path: value}))) == stages


@pytest.mark.parametrize(
    ("role", "stages"),
    [("negation", {"40-negation"}), ("embedder", {"55-vectors"}), ("tokenizer", {"65-lengths", "80-premises"})],
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
    "10-citations/citations": {"15-sought", "60-neutral", "65-lengths", "80-premises"},
    "15-sought/sought": {"20-candidates"},
    "20-candidates/candidates": {"30-accuracy"},
    "20-candidates/passages": {"50-labels", "55-vectors", "60-neutral"},
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


def test_code_changes_every_stage_and_a_library_those_that_use_it(monkeypatch: pytest.MonkeyPatch) -> None:
    before = fingerprints(monkeypatch, BASE)
    monkeypatch.setattr(lawng.build.context, "code_digest", lambda: "other")
    assert not set(before.values()) & set(fingerprints(monkeypatch, BASE).values())
    monkeypatch.undo()
    uses = {"eyecite": {"10-citations"}, "hyperscan": {"10-citations"}, "spacy": {"40-negation"}, "lemminflect": {"40-negation"},
            "faiss-cpu": {"60-neutral"}, "tokenizers": {"65-lengths", "80-premises"}, "rich": set()}  # fmt: skip
    for library, stages in uses.items():
        with monkeypatch.context() as patch:
            patch.setattr(lawng.build.context, "library_version", lambda name, at=library: "9" if name == at else "1")
            other = fingerprints(monkeypatch, BASE)
            patch.setattr(lawng.build.context, "library_version", lambda name: "1")
            same = fingerprints(monkeypatch, BASE)
        assert {name for name in same if same[name] != other[name]} == stages, library


def test_the_code_is_what_makes_the_stages_by_name_and_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lawng.build.context, "__file__", str(tmp_path / "build/context.py"))

    def digest(**files: str) -> str:
        shutil.rmtree(tmp_path)
        for name, text in {"build/context.py": "a", "nli/x.py": "b", "cli/y.py": "c", **files}.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text)
        return code_digest.__wrapped__()

    same = digest()
    assert digest(**{"cli/y.py": "other", "reports/z.py": "new", "nli/x.txt": "new"}) == same, (
        "what talks makes nothing"
    )
    assert len({same, digest(**{"nli/x.py": "other"}), digest(**{"nli/cli.py": "new"}), digest(**{"z.py": "b"})}) == 4


@pytest.mark.parametrize(
    ("manifest", "refused"),
    [
        ('{"inputs": {"cases": "c", "opinions": "o"}}', False),
        ('{"inputs": {"cases": "c", "opinions": "x"}}', True),
        ('{"inputs": {"cases": "b", "opinions": "o"}}', True),
        ('{"inputs": {"cases": "c"}}', True),
        ('{"inputs": {}}', True),
        ("{}", False),  # what cannot be read is nothing to lose
        ("[]", False),
        ("{", False),
        (None, False),
    ],
)
def test_a_build_of_another_corpus_is_refused(tmp_path: Path, manifest: str | None, refused: bool) -> None:
    path = tmp_path / "manifest.json"
    if manifest is not None:
        path.write_text(manifest)
    with pytest.raises(InputError, match="is a build of another corpus") if refused else nullcontext():
        _check_corpus(path, dict(BASE.corpus_digests))


def test_hypotheses_and_passages_come_in_the_same_parts(tmp_path: Path) -> None:
    for name in ("negatable/part-00000.parquet", "passages/part-00000.parquet", "passages/part-00001.parquet"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    candidates = StageResult("20-candidates", tmp_path, Tally(), None, 2)
    with pytest.raises(ValueError, match="longer"):
        with_passages(tmp_path / "negatable", candidates)
    (tmp_path / "negatable/part-00001.parquet").touch()
    pairs = with_passages(tmp_path / "negatable", candidates)
    assert [(pair.part.name, pair.passages.name) for pair in pairs] == [(f"part-0000{n}.parquet",) * 2 for n in (0, 1)]
