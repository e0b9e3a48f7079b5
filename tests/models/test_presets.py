"""Named models of the Hub: each at its revision, labels by name, and one clear line where they cannot be had."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from floats_support import close_to
from lawng.errors import MissingError
from lawng.models.find import find_model
from lawng.models.pairs import pair_model
from lawng.models.presets import PRESETS, presets_table
from models_support import tiny_model

DOCS = Path(__file__).parents[2] / "docs" / "how-to" / "models.md"


def test_a_preset_is_fetched_at_its_revision_and_its_labels_read_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, asked = tiny_model(tmp_path / "tiny", ["contradiction", "entailment", "neutral"]), []

    def snapshot(hub: str, **options: Any) -> str:
        asked.append((hub, options["revision"]))
        return str(folder)

    monkeypatch.setattr("huggingface_hub.snapshot_download", snapshot)
    monkeypatch.setattr("lawng.models.find.state_on_hub", lambda *_: pytest.fail("the revision is known"))
    found = find_model("stance model", "nli-deberta-mnli")
    preset = PRESETS["nli-deberta-mnli"]
    assert found == ("nli-deberta-mnli", str(folder), preset.revision)
    assert set(asked) == {(preset.hub, preset.revision)}
    ours = pair_model("nli-deberta-mnli", "torch").judge(["a dog sleeps"], ["the dog runs"]).log_probs
    plain = pair_model(str(folder), "torch").judge(["a dog sleeps"], ["the dog runs"]).log_probs
    assert ours == close_to(plain)


def test_without_a_network_one_line_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere(hub: str, **_: Any) -> str:
        raise OSError("no route\nto host")

    monkeypatch.setattr("huggingface_hub.snapshot_download", nowhere)
    with pytest.raises(
        MissingError, match=r"^model nli-deberta: MoritzLaurer.* \(no route to host\); fetch it"
    ) as told:
        find_model("stance model", "nli-deberta")
    assert "\n" not in str(told.value)


def test_the_documentation_has_the_table_and_every_revision_is_whole() -> None:
    assert presets_table() in DOCS.read_text("utf-8")
    assert all(re.fullmatch(r"[0-9a-f]{40}", one.revision) and one.licence for one in PRESETS.values())
