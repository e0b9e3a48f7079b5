"""The hypothesis-only test: do a question's words tell whether it is true? (Li et al. 2022, appendix E.1)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any, ClassVar, NamedTuple

from lawng.directional.curve import auc_norm_spread
from lawng.directional.prompts import Prompting
from lawng.directional.records import PredicatePair, Triple
from lawng.io.progress import Progress
from lawng.models.find import shown_name, slug
from lawng.studies.booqa.answering import BooqaSettings, QuestionScore
from lawng.studies.booqa.data import Masked
from lawng.studies.booqa.systems import OfLevyHolt, prompted
from lawng.studies.harness import Answers, Depends, Notes, System, SystemLabel
from lawng.studies.levyholt.systems import Asked, BestGauge

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


class Words:
    """Logistic regression on the words and word pairs of a proposition."""

    depends: ClassVar[Depends] = {"strengths": list(STRENGTHS)}
    _chosen = ""

    def answer(self, data: MaskedData, _progress: Progress) -> Iterable[QuestionScore]:
        """The test propositions."""
        texts = {name: [one.text for one in rows] for name, rows in data.rows.items()}
        models = {strength: _model(strength).fit(texts["train"], data.labels("train")) for strength in STRENGTHS}
        values = {
            strength: auc_norm_spread(data.labels("dev2"), model.decision_function(texts["dev2"]))
            for strength, model in models.items()
        }
        best = max(STRENGTHS, key=values.__getitem__)
        self._chosen = f"words: AUC_norm on dev2 {100 * values[best]:.1f} by C = {best:g}"
        return _scored(data, models[best].decision_function(texts["test"]))

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


def _own(key: Asked, settings: BooqaSettings) -> Answers[MaskedData, QuestionScore]:
    """The gauge, trained on the masked propositions of dev."""
    best = BestGauge(key, settings.prompts)

    def answer(data: MaskedData, progress: Progress) -> Iterable[QuestionScore]:
        train, dev = ((data.pairs(file), data.labels(file)) for file in ("train", "dev2"))
        return _scored(data, best.of(train, dev, progress).scores(data.pairs("test")))

    return Answers(answer, best.depends, best.notes)


def _elsewhere(key: Asked, settings: BooqaSettings) -> Answers[MaskedData, QuestionScore]:
    """The gauge, trained on LevyHolt's hypotheses."""
    best = OfLevyHolt(key, settings)

    def answer(data: MaskedData, progress: Progress) -> Iterable[QuestionScore]:
        return _scored(data, best.gauge(progress).scores(data.pairs("test")))

    return Answers(answer, best.depends, best.notes)


def hypothesis_only(settings: BooqaSettings) -> list[System[MaskedData, QuestionScore]]:
    """The systems before their models are loaded."""
    made = [System[MaskedData, QuestionScore](SystemLabel("words.booqa", "words, trained on BoOQA"), Words)]
    if Prompting.HYPOTHESIS_ONLY in settings.prompts.prompting:
        for encoder in settings.encoders:
            key = Asked(Prompting.HYPOTHESIS_ONLY, encoder, "booqa")
            label = SystemLabel(f"prompts.{slug(encoder)}.booqa", f"prompts, {shown_name(encoder)}, trained on BoOQA")
            made.append(System(label, partial(_own, key, settings)))
    return made + [System(key.label, partial(_elsewhere, key, settings)) for key in prompted(settings, hidden=True)]
