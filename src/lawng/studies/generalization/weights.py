"""Weights of the study: a base as it is, or trained on pairs from a base or from other weights, when first asked for.

base_of(name) -> Base      Trained(origin, pairs, ...)      of both: place() -> folder or name to load
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from lawng.datasets.nli import Pair
from lawng.datasets.nli_tables import NOT_ENTAILED
from lawng.errors import InputError, LabelMapError, MissingError
from lawng.io import atomic_folder, file_digest, read_json, write_json
from lawng.models.find import FoundModel, find_model
from lawng.models.folder import load_folder, loading, window_of
from lawng.models.training.options import StanceOptions
from lawng.models.training.plan import begin, digest_of
from lawng.pipeline.closure import code_digest
from lawng.schema.labels import LABELS, TWO_LABELS, Label
from lawng.studies.harness import Say, texts_digest

THREE = tuple(map(str, LABELS))
_ALIKE = frozenset({"base", "processes", "save_steps", "log_steps"})
"""Options that change nothing of the weights, but for dropout and the last batch of several processes."""
_MARK, _WEIGHTS = "study.json", "model.safetensors"


class Origin(Protocol):
    """What a training begins with, or what is asked."""

    @property
    def state(self) -> Any:
        """What its answers depend on, as plain values."""

    @property
    def labels(self) -> tuple[str, ...]:
        """What its head tells apart: three labels, or entailed from not."""

    def place(self) -> str:
        """Where it lies; it is made first where it is not there."""


@dataclass(frozen=True)
class Base:
    """A base as it is."""

    found: FoundModel

    @property
    def state(self) -> Any:
        """The digest or revision of its files."""
        return self.found.state

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """Two where its own head tells entailed from not; three else, with a head made anew where it has none."""
        try:
            return TWO_LABELS if len(load_folder(self.found.place, "base model", (2, 3)).columns) == 2 else THREE
        except LabelMapError:
            return THREE

    def place(self) -> str:
        """Its folder or name."""
        return self.found.place

    def check_head(self) -> None:
        """Raises MissingError where it has no NLI labels: a head that was made at random says nothing."""
        try:
            load_folder(self.found.place, "base model", (2, 3))
        except LabelMapError as error:
            raise MissingError(f"{self.found.name}, as it is: {error}") from error


@dataclass(frozen=True)
class Trained:
    """Weights that are trained once, and stay."""

    origin: Origin
    pairs: Sequence[Pair]
    options: StanceOptions
    folder: Path
    labels: tuple[str, ...]
    say: Say
    dev: Sequence[Pair] = ()

    @cached_property
    def state(self) -> Any:
        """What it is made of: the origin, the options, the pairs in their order."""
        dev = {"dev": digest_of(self.dev)} if self.options.patience else {}
        pairs: Mapping[str, Any] = {"pairs": digest_of(self.pairs), **dev}
        how = {name: value for name, value in asdict(self.options).items() if name not in _ALIKE}
        return {**how, "origin": self.origin.state, "labels": [*self.labels], **pairs}

    def place(self) -> str:
        """Its folder, whole; a killed training goes on from its last checkpoint.

        `study.json` in it says what the weights were made of, and is their digest: of damaged ones they are made anew.
        """
        from lawng.models.training.fit import fit

        code = code_digest("lawng.models.training.fit")
        needed = {"depends": texts_digest([repr(self.state), code])}
        if _is_made(self.folder, needed):
            return str(self.folder)
        begun = self.origin.place()
        with atomic_folder(self.folder) as partial:
            begin(partial / "work", needed)
            work = partial / "work" / "trainer"
            fit(work, begun, self.pairs, self.options, self.say, self.dev, self.labels).save(partial)
            made = {"sha256": file_digest(partial / _WEIGHTS), "made_of": self.state, "pairs": len(self.pairs)}
            write_json(partial / _MARK, needed | made)
            shutil.rmtree(partial / "work")
        return str(self.folder)


def _is_made(folder: Path, needed: Mapping[str, Any]) -> bool:
    try:
        found = read_json(folder / _MARK)
        return bool(found["depends"] == needed["depends"] and found["sha256"] == file_digest(folder / _WEIGHTS))
    except (InputError, OSError, KeyError):
        return False


def base_of(name: str) -> Base:
    """A base by Hub name or folder. Raises MissingError where it cannot be had."""
    return Base(find_model("base model", name))


def longest_of(base: Base) -> int:
    """Tokens of a pair that a base can read."""
    from transformers import AutoConfig, AutoTokenizer

    place = base.place()
    with loading(f"base model {base.found.name}: tokenizer or config.json cannot be read"):
        return window_of(AutoTokenizer.from_pretrained(place), AutoConfig.from_pretrained(place))


def labels_told(pairs: Sequence[Pair], before: tuple[str, ...]) -> tuple[str, ...]:
    """The labels of a head that is trained on pairs: two where no pair tells neutral from contradiction.

    >>> labels_told([Pair("", "", "", ["neutral", "contradiction"], "docnli", "train")], THREE)
    ('entailment', 'not_entailment')
    """
    told = {tuple(pair.gold) for pair in pairs}
    return TWO_LABELS if told and told <= {(str(Label.ENTAILMENT),), tuple(map(str, NOT_ENTAILED))} else before


def balanced(pairs: Sequence[Pair], options: StanceOptions) -> tuple[list[Pair], StanceOptions]:
    """Pairs of three labels for a head of two: entailed ones twice, half as many epochs (A.2.1)."""
    twice = [pair for pair in pairs for _ in range(1 + (pair.gold == [Label.ENTAILMENT]))]
    return twice, replace(options, epochs=max(1, options.epochs // 2))
