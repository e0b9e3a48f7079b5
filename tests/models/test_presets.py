"""Named models of the Hub: each at its revision, labels by name, and one clear line where they cannot be had."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from floats_support import close_to
from lawng.errors import MissingError
from lawng.models.find import OFFLINE, find_model, offline_model
from lawng.models.pairs import pair_model
from lawng.models.presets import PRESETS, REVISIONS, presets_table
from lawng.studies.generalization.plan import PANEL
from models_support import tiny_model

DOCS = Path(__file__).parents[2] / "docs" / "how-to" / "models.md"


NAME = "nli-deberta-mnli"


def test_a_preset_is_read_at_its_revision_and_its_labels_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, asked = tiny_model(tmp_path / "tiny", ["contradiction", "entailment", "neutral"]), []

    def snapshot(hub: str, revision: str, **_: Any) -> str:
        asked.append((hub, revision))
        return str(folder)

    monkeypatch.setattr("huggingface_hub.snapshot_download", snapshot)
    monkeypatch.setattr("lawng.models.find.state_on_hub", lambda *_: pytest.fail("it is in the cache"))
    assert find_model("stance model", NAME) == (NAME, str(folder), PRESETS[NAME].revision)
    assert set(asked) == {(PRESETS[NAME].hub, PRESETS[NAME].revision)}
    ours = pair_model(NAME, "torch").judge(["a dog sleeps"], ["the dog runs"]).log_probs
    plain = pair_model(str(folder), "torch").judge(["a dog sleeps"], ["the dog runs"]).log_probs
    assert ours == close_to(plain)


SAFE, OLD = "model.safetensors", "pytorch_model.bin"


@pytest.mark.parametrize(
    ("name", "weights", "fetched"),
    [
        (NAME, SAFE, [SAFE]),
        ("roberta-large", SAFE, [SAFE]),
        ("allenai/longformer-base-4096", OLD, [SAFE, OLD]),
    ],
    ids=["a preset", "of the panel", "an older file of weights"],
)
def test_what_the_cache_has_not_whole_is_fetched_at_its_revision(
    name: str, weights: str, fetched: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "config.json").write_text("{}", "utf-8")
    asked: list[tuple[str, str, bool]] = []

    def snapshot(hub: str, revision: str, local_files_only: bool = False, allow_patterns: Any = ()) -> str:
        asked.append((f"{hub}@{revision}", allow_patterns[-1], local_files_only))
        if not local_files_only and allow_patterns[-1] == weights:
            (tmp_path / weights).touch()
        return str(tmp_path)

    monkeypatch.setattr("huggingface_hub.snapshot_download", snapshot)
    monkeypatch.setattr("lawng.models.find.state_on_hub", lambda *_: "there")
    found = find_model("base model", name)
    own = PRESETS[name][:2] if name in PRESETS else (name, REVISIONS.get(name))
    whole = "@".join(map(str, own))
    assert (found.name, found.state) == (name, whole.partition("@")[2])
    assert asked == [(whole, SAFE, True), (whole, OLD, True), *((whole, file, False) for file in fetched)]
    asked.clear()
    assert find_model("base model", name) == found
    assert {local for *_, local in asked} == {True}, "what was fetched is in the cache"
    (tmp_path / weights).unlink()
    monkeypatch.setattr("huggingface_hub.snapshot_download", lambda *_, **__: str(tmp_path))
    with pytest.raises(MissingError, match=r"revision [0-9a-f]+ has no weights in one file; name a model's folder"):
        find_model("base model", name)


@pytest.mark.parametrize(("there", "found"), [(SAFE, True), (OLD, True), ("", False)])
def test_the_hubs_client_finds_what_was_fetched_of_a_revision(
    there: str, found: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = pytest.importorskip("huggingface_hub._tree_cache", reason="an older client keeps no list of files")
    name = "roberta-large"
    place = tmp_path / f"models--{name}" / "snapshots" / REVISIONS[name]
    place.mkdir(parents=True)
    every = ("config.json", "README.md", "tf_model.h5", "onnx/model.onnx", *filter(None, [there or SAFE]))
    entry = cache.TreeCacheEntry(size=1, blob_id="0", lfs_sha256=None, lfs_size=None, xet_hash=None)
    cache.write_tree_cache(str(place.parents[1]), REVISIONS[name], dict.fromkeys(every, entry))
    for file in filter(None, ("config.json", there)):
        (place / file).write_text("{}", "utf-8")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr("lawng.models.find.state_on_hub", no_network)
    if found:
        assert find_model("base model", name) == (name, str(place), REVISIONS[name])
    else:
        with pytest.raises(MissingError, match="no network"):
            find_model("base model", name)


def no_network(*_: object) -> str:
    raise MissingError("no network")


def test_what_was_only_looked_up_is_not_yet_in_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("config.json", "tokenizer.json"):
        (tmp_path / name).write_text("{}", "utf-8")
    monkeypatch.setattr("huggingface_hub.snapshot_download", lambda *_, **__: str(tmp_path))
    monkeypatch.setattr("lawng.models.find.state_on_hub", lambda *_: "a revision")
    assert find_model("base model", "org/base") == ("org/base", "org/base", "a revision")
    (tmp_path / "model.safetensors").touch()
    assert find_model("base model", "org/base") == ("org/base", str(tmp_path), tmp_path.name)


def test_without_a_network_one_line_says_so_and_nothing_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere(self: object, *_: object, **__: object) -> None:
        raise OSError("no route\nto host")

    monkeypatch.setattr("lawng.models.find.cached_model", lambda *_: None)
    monkeypatch.setattr("huggingface_hub.HfApi.model_info", nowhere)
    monkeypatch.setattr("huggingface_hub.snapshot_download", lambda *_, **__: pytest.fail("tried"))
    with pytest.raises(MissingError, match=r"^stance model cross-encoder/.*\(no route to host\); name a") as told:
        find_model("stance model", NAME)
    assert "\n" not in str(told.value)


def test_a_download_that_breaks_off_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any, **__: Any) -> str:
        raise OSError("the connection\nwas lost")

    monkeypatch.setattr("lawng.models.find.cached_model", lambda *_: None)
    monkeypatch.setattr("lawng.models.find.state_on_hub", lambda *_: "state")
    monkeypatch.setattr("huggingface_hub.snapshot_download", broken)
    with pytest.raises(MissingError, match=r"could not be fetched \(the connection was lost\); try again, or name"):
        find_model("stance model", "nli-deberta")


def test_the_documentation_has_the_table_and_every_revision_is_whole() -> None:
    assert presets_table() in DOCS.read_text("utf-8")
    assert all(one.licence for one in PRESETS.values())
    revisions = [*(one.revision for one in PRESETS.values()), *REVISIONS.values()]
    assert all(re.fullmatch(r"[0-9a-f]{40}", revision) for revision in revisions)
    assert {*REVISIONS} < {*PANEL}


@pytest.mark.skipif(offline_model() is None, reason="the package of all-MiniLM-L6-v2 is not installed")
@pytest.mark.parametrize("name", [f"someone-else/{OFFLINE}", f"../fine-tuned/{OFFLINE}"])
def test_another_model_of_the_same_name_is_never_taken_instead(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    assert find_model("encoder", f"sentence-transformers/{OFFLINE}").place == find_model("encoder", OFFLINE).place
    with pytest.raises(MissingError):
        find_model("encoder", name)
