"""Strong public NLI models of the Hub under short names, each at one revision: the same name gives the same answers.

`lawng search INDEX "..." --model nli-deberta`, or wherever else a stance model is named. They are not downloaded before
they are asked for. Labels are read by name from each model's own configuration; their order differs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Preset(NamedTuple):
    """A model of the Hub."""

    hub: str
    revision: str
    licence: str
    """Of the weights; what some were trained on (ANLI: CC BY-NC) is not for commercial use."""
    parameters: int
    """In millions."""
    window: int
    """Tokens of premise and hypothesis together."""


PRESETS: Mapping[str, Preset] = {
    "nli-deberta": Preset(
        "MoritzLaurer/DeBERTa-v3-base-mnli-fever-anli", "6f5cf0a2b59cabb106aca4c287eed12e357e90eb", "MIT", 184, 512
    ),
    "nli-deberta-large": Preset(
        "MoritzLaurer/DeBERTa-v3-large-mnli-fever-anli-ling-wanli",
        "b3546ea6b0346eb6f8d5d68b13c7dc6d0376b3d7",
        "MIT",
        435,
        512,
    ),
    "nli-deberta-mnli": Preset(
        "cross-encoder/nli-deberta-v3-base", "6c749ce3425cd33b46d187e45b92bbf96ee12ec7", "Apache-2.0", 184, 512
    ),
    "nli-deberta-long": Preset(
        "tasksource/deberta-base-long-nli", "d6e08f68489c9ac015ba3071f90ac0976cbc1fff", "Apache-2.0", 184, 1280
    ),
}

REVISIONS: Mapping[str, str] = {
    "allenai/longformer-base-4096": "301e6a42cb0d9976a6d6a26a079fef81c18aa895",
    "facebook/bart-large": "cb48c1365bd826bd521f650dc2e0940aee54720c",
    "google/bigbird-roberta-base": "5a145f7852cba9bd431386a58137bf8a29903b90",
    "nlpaueb/legal-bert-base-uncased": "15b570cbf88259610b082a167dacc190124f60f6",
    "roberta-large": "722cf37b1afa9454edce342e7895e588b6ff1d59",
}
"""Of bases of LawngNLI's panel (A.4), as public code pins them; of the other two none is known for sure."""


def presets_table() -> str:
    """All presets in Markdown, as `docs/how-to/models.md` has them."""
    rows = [
        f"| `{name}` | [{one.hub}](https://huggingface.co/{one.hub}) | `{one.revision[:7]}` | {one.licence} | "
        f"{one.parameters} million | {one.window} |"
        for name, one in PRESETS.items()
    ]
    return "\n".join(
        ["| name | model | revision | licence | parameters | tokens |", "|---|---|---|---|---:|---:|", *rows]
    )
