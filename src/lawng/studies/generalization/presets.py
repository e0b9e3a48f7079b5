"""Settings of the study under a name: a tiny one that runs in a minute, one for a small model on a CPU, the paper's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from lawng.errors import ConfigError
from lawng.io import atomic_folder
from lawng.models.find import OFFLINE
from lawng.models.training.options import StanceOptions
from lawng.studies.generalization.examples import read_benchmark
from lawng.studies.generalization.plan import PANEL
from lawng.studies.generalization.systems import GeneralizationSettings

TINY, PAPER = "tiny", "paper"
HARD: dict[str, Any] = {"micro": 4, "checkpointing": True}
"""What lets large models with long premises into a GPU."""
PRESETS = {
    TINY: GeneralizationSettings(
        (TINY,), training=StanceOptions(batch=16, lr=1e-3, epochs=2, max_length=128, freeze_words=False), resamples=500
    ),
    "small": GeneralizationSettings(
        (OFFLINE,),
        training=StanceOptions(batch=16, lr=1e-4, epochs=2, max_length=512, dropout=0.0),
        before=StanceOptions(batch=32, lr=1e-4, epochs=2, max_length=128, dropout=0.0),
    ),
    PAPER: GeneralizationSettings(
        tuple(PANEL),
        training=StanceOptions(batch=32, lr=1e-5, epochs=4, max_length=4096, freeze_words=False, warmup=10_000, **HARD),
        before=StanceOptions(batch=32, lr=1e-5, epochs=2, max_length=2048, freeze_words=False, **HARD),
    ),
}


def preset(name: str) -> GeneralizationSettings:
    """The settings of a name. Raises ConfigError for another one.

    >>> preset("small").training.epochs
    2
    """
    if name not in PRESETS:
        raise ConfigError(f"preset {name!r}: there is no such; there are {', '.join(PRESETS)}")
    return PRESETS[name]


def chosen(
    name: str, training: Mapping[str, Any], everywhere: Mapping[str, Any], **given: Any
) -> GeneralizationSettings:
    """A preset with what is given of it; None, and nothing, leave what it has.

    `training` are options of the training on the data, `everywhere` those of that on other data too.

    >>> chosen("small", {"epochs": 3}, {"patience": 1}, seeds=None).before.patience
    1
    """
    settings = preset(name)
    how = {key: value for key, value in everywhere.items() if value is not None}
    # the given parts of a batch are of the given batch
    before = how | (
        {"batch": training["batch"]} if training.get("batch") and {"micro", "processes"} & how.keys() else {}
    )
    own = how | {key: value for key, value in training.items() if value is not None}
    options: dict[str, Any] = {
        "training": replace(settings.training, **own),
        "before": replace(settings.before, **before),
    }
    return replace(settings, **options, **{key: value for key, value in given.items() if value})


def with_tiny_base(settings: GeneralizationSettings, folder: Path, data: Path) -> GeneralizationSettings:
    """The settings with a model of random weights, made in a folder, in place of `tiny`: it shows that all runs."""
    if TINY not in settings.models:
        return settings
    if not (folder / "model.safetensors").is_file():
        train = read_benchmark(data, settings.whole).splits["train"]
        _make(folder, (text for one in train for text in (one.hypothesis, *one.premises.values())))
    return replace(settings, models=tuple(str(folder) if name == TINY else name for name in settings.models))


def _make(folder: Path, texts: Iterable[str]) -> None:
    """Two layers 64 wide, and the thousand commonest pieces of the texts' words."""
    import torch
    from tokenizers import BertWordPieceTokenizer
    from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

    pieces = BertWordPieceTokenizer()
    pieces.train_from_iterator(texts, vocab_size=1000, show_progress=False)
    with atomic_folder(folder) as partial:
        names = {f"{name.lower()}_token": f"[{name}]" for name in ("PAD", "UNK", "CLS", "SEP", "MASK")}
        own = pieces._tokenizer
        tokenizer = PreTrainedTokenizerFast(tokenizer_object=own, model_max_length=512, **names)  # type: ignore[no-untyped-call]
        tokenizer.save_pretrained(partial)
        torch.manual_seed(0)
        sizes: dict[str, Any] = {
            "hidden_size": 64,
            "num_hidden_layers": 2,
            "num_attention_heads": 2,
            "intermediate_size": 128,
        }
        BertModel(BertConfig(vocab_size=len(tokenizer), **sizes)).save_pretrained(partial)
