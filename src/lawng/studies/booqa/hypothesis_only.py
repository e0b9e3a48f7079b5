"""The hypothesis-only test: do a question's words tell whether it is true? (Li et al. 2022, appendix E.1)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from lawng.directional.curve import auc_norm_spread
from lawng.directional.prompts import Prompting
from lawng.directional.records import PredicatePair, Triple
from lawng.io.progress import Progress
from lawng.models.find import find_model, shown_name, slug
from lawng.studies.booqa.answering import BooqaSettings, QuestionScore
from lawng.studies.booqa.data import Masked
from lawng.studies.booqa.systems import Prompted, prompted, ready
from lawng.studies.harness import Depends, Notes, System, SystemLabel
from lawng.studies.levyholt.systems import Asked, best_gauge, settings_draws

STRENGTHS = (0.1, 1.0, 10.0)
"""Inverses of the regularisation, of which dev2 chooses."""


class MaskedData(NamedTuple):
    """The masked files."""

    name: str
    rows: dict[str, list[Masked]]
    depends: Depends

    @property
    def lacking(self) -> list[str]:
        """Files without true or without false propositions, from which nothing can be learnt or told."""
        return [name for name in self.rows if len(set(self.labels(name))) < len((True, False))]

    def labels(self, file: str) -> list[bool]:
        """Whether each proposition of a file is true."""
        return [bool(one.label) for one in self.rows[file]]

    def pairs(self, file: str) -> list[PredicatePair]:
        """As the gauge reads them; there is no premise."""
        nothing = Triple("", "", "")
        return [
            PredicatePair(one.id, nothing, Triple(one.subject_type, one.predicate, one.object_type), bool(one.label))
            for one in self.rows[file]
        ]


@dataclass
class Words:
    """Logistic regression on the words and word pairs of a proposition."""

    _chosen = ""

    @property
    def depends(self) -> Depends:
        """The choices."""
        return {"strengths": list(STRENGTHS)}

    def answer(self, data: MaskedData, progress: Progress) -> Iterable[QuestionScore]:
        """The test propositions."""
        texts = {name: [one.text for one in rows] for name, rows in data.rows.items()}
        best: tuple[float, float, Any] | None = None
        for strength in STRENGTHS:
            model = _model(strength).fit(texts["train"], data.labels("train"))
            value = auc_norm_spread(data.labels("dev2"), model.decision_function(texts["dev2"]))
            if best is None or value > best[0]:
                best = value, strength, model
        assert best is not None
        self._chosen = f"words: AUC_norm on dev2 {100 * best[0]:.1f} by C = {best[1]:g}"
        yield from _scored(data, best[2].decision_function(texts["test"]))

    def notes(self) -> Notes:
        """Which strength was chosen."""
        return {"words": [self._chosen]}


def _model(strength: float) -> Any:
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    vectors = TfidfVectorizer(ngram_range=(1, 2), token_pattern=r"\S+")
    return make_pipeline(vectors, LogisticRegression(C=strength, max_iter=1000))


def _scored(data: MaskedData, scores: Iterable[float]) -> Iterable[QuestionScore]:
    return (QuestionScore(one.id, float(score), "") for one, score in zip(data.rows["test"], scores, strict=True))


@dataclass
class Own:
    """The gauge, trained on the masked propositions of dev."""

    settings: BooqaSettings
    key: Asked
    _chosen: str = ""

    @property
    def depends(self) -> Depends:
        """The encoder and how it is trained."""
        options = settings_draws(self.settings.prompts)
        return {"encoder": find_model("encoder", self.key.encoder).state, "draws": [repr(one) for one in options]}

    def answer(self, data: MaskedData, progress: Progress) -> Iterable[QuestionScore]:
        """The test propositions."""
        train, dev = ((data.pairs(file), data.labels(file)) for file in ("train", "dev2"))
        gauge, self._chosen = best_gauge(self.key, train, dev, settings_draws(self.settings.prompts), progress)
        yield from _scored(data, gauge.scores(data.pairs("test")))

    def notes(self) -> Notes:
        """Which hyper-parameters were chosen."""
        return {self.key.label.name: [f"{self.key.label.shown}: {self._chosen}"]}


@dataclass
class Elsewhere(Prompted):
    """The gauge, trained on LevyHolt's hypotheses."""

    def answer(self, data: Any, progress: Progress) -> Any:
        """The test propositions."""
        yield from _scored(data, self.gauge(progress).scores(data.pairs("test")))


def hypothesis_only(settings: BooqaSettings, cache: Path) -> list[System[MaskedData, QuestionScore]]:
    """The systems before their models are loaded."""
    made: list[tuple[SystemLabel, Any]] = [(SystemLabel("words.booqa", "words, trained on BoOQA"), Words())]
    if Prompting.HYPOTHESIS_ONLY in settings.prompts.prompting:
        for encoder in settings.encoders:
            label = SystemLabel(f"prompts.{slug(encoder)}.booqa", f"prompts, {shown_name(encoder)}, trained on BoOQA")
            made.append((label, Own(settings, Asked(Prompting.HYPOTHESIS_ONLY, encoder, "booqa"))))
    made += [(key.label, Elsewhere(settings, cache, key)) for key in prompted(settings, hidden=True)]
    return [System(label, ready(own)) for label, own in made]
