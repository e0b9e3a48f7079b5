"""A language model as judge of a premise and a hypothesis, by its answer and the probabilities of its tokens.

StanceLLM(client, model, cache).judge(premises, hypotheses) -> Judged(log_probs, read)
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from lawng.errors import ConfigError, MissingError
from lawng.io.kv_store import KeyValueStore
from lawng.models.openai.chat import (
    THOUGHT_ENDS,
    ChatModel,
    Completion,
    answer_cache,
    conclusion,
    question,
    words,
    words_state,
)
from lawng.models.openai.client import Client, Limits
from lawng.models.openai.embeddings import PREFIX
from lawng.models.protocols import Judged
from lawng.schema.labels import LABELS, Label, label_of

_LEAST = 1e-6
"""Of a label that the model gave no probability: of all that it may say, it named the likeliest alone."""
_ENOUGH = 16
"""Answers none of which can be read say that the model cannot be asked so: one that thinks aloud, say."""
_SHAPE: dict[str, Any] = {
    "type": "object",
    "properties": {"label": {"type": "string", "enum": [str(label) for label in LABELS]}},
    "required": ["label"],
    "additionalProperties": False,
}
FORMAT = {"type": "json_schema", "json_schema": {"name": "stance", "strict": True, "schema": _SHAPE}}
"""Structured output: endpoints that know it can answer with nothing else."""


Price = tuple[float, float]
"""Dollars for a million tokens read, and written."""


def stance_llm(name: str, cache: Path | None = None, limits: Limits | None = None) -> StanceLLM:
    """The judge of a name, `openai:MODEL` or `openai:MODEL?price=0.15/0.60`; answers are kept in `cache`, a folder.

    Raises ConfigError for another way to write it, MissingError when there is no key.
    """
    model, price = llm_named(name)
    return StanceLLM(Client(limits=limits), model, answer_cache(cache) if cache else None, price)


def llm_named(name: str) -> tuple[str, Price]:
    """The model of a name, and what it costs. Raises ConfigError for another way to write it.

    >>> llm_named("openai:gpt-4o-mini?price=0.15/0.60")
    ('gpt-4o-mini', (0.15, 0.6))
    """
    model, _, query = name.removeprefix(PREFIX).partition("?")
    found = re.fullmatch(r"price=(\d+(?:\.\d+)?)/(\d+(?:\.\d+)?)", query) if query else None
    if not model or (query and not found):
        raise ConfigError(f"{name}: not understood; write openai:MODEL, or openai:MODEL?price=READ/WRITTEN in dollars")
    return model, (float(found[1]), float(found[2])) if found else (0.0, 0.0)


class StanceLLM:
    """A language model as judge of pairs; `unreadable` counts answers that were no label, twice: they are neutral."""

    def __init__(
        self,
        client: Client,
        model: str,
        cache: KeyValueStore | None = None,
        price: Price = (0.0, 0.0),
        longest: int = 24,
    ) -> None:
        self.name, self.price = PREFIX + model, price
        self.chat = ChatModel(client, model, cache, probabilities=True, longest=longest, shape=FORMAT)
        self.state = f"{model} stance {words_state('material', 'stance', 'stance_again')} {longest}"
        self.ways: Counter[str] = Counter()
        self.tokens = [0, 0]

    def judge(self, premises: Sequence[str], hypotheses: Sequence[str]) -> Judged:
        """One judgement per pair, in order; premises are read whole.

        Raises RefusedError when the endpoint refuses a question, as when a premise is too long, MissingError when it
        gives no answer.
        """
        asked = [question("stance", premise=p, hypothesis=h) for p, h in zip(premises, hypotheses, strict=True)]
        answers = self.chat.ask_twice(asked, parsed_label, words()["stance_again"])
        for answer in dict(zip(map(str, asked), answers, strict=True)).values():  # equal ones are asked once
            self.tokens = [total + n for total, n in zip(self.tokens, answer.usage, strict=True)]
        rows = [self._row(answer) for answer in answers]
        if len(rows) >= _ENOUGH and self.ways["unreadable"] == self.ways.total():
            raise MissingError(f"{self.name}: none of {len(rows)} answers is a label, as {answers[0].text[:60]!r}")
        read = [float(parsed_label(answer.text) is not None) for answer in answers]
        return Judged(np.log(np.array(rows).reshape(-1, len(LABELS))), read)

    def _row(self, answer: Completion) -> list[float]:
        label = parsed_label(answer.text)
        found = label_probabilities(answer, label) if label else None
        self.ways["unreadable" if label is None else "expected" if found else "label"] += 1
        weights = found or {label or Label.NEUTRAL: 1.0}
        kept = [max(weights.get(one, 0.0), _LEAST) for one in LABELS]
        return [one / sum(kept) for one in kept]

    def notes(self) -> list[str]:
        """What whoever reads the numbers should know: tokens and their price, answers that could not be read."""
        model, total = self.chat.model, self.ways.total()
        said = [f"{model}: {self.tokens[0]:,} tokens read and {self.tokens[1]:,} written for {total:,} pairs"]
        if any(self.price):
            cost = sum(n * price for n, price in zip(self.tokens, self.price, strict=True)) / 1e6
            said[0] += f", {cost:.2f} dollars where nothing was kept from before"
        if n := self.ways["unreadable"]:
            said.append(f"{n} of {total} answers of {model} were no label, twice: counted as neutral")
        if n := self.ways["label"]:
            said.append(f"{n} of {total} answers of {model} came without probabilities: its sureness says nothing")
        return said


def parsed_label(text: str) -> Label | None:
    """The label that an answer names, as JSON or in a word; None when it names none.

    >>> [parsed_label(said) for said in ('{"label": "neutral"}', " **Contradiction**.", "Perhaps", '{"label": 3}')]
    [<Label.NEUTRAL: 'neutral'>, <Label.CONTRADICTION: 'contradiction'>, None, None]
    """
    said = conclusion(text).strip()
    try:
        found = json.loads(said)
    except ValueError:
        return label_of(said.strip("*.\"'` \n"))
    named = found.get("label") if isinstance(found, dict) else found
    return label_of(named) if isinstance(named, str) else None


def label_probabilities(answer: Completion, label: Label) -> dict[Label, float] | None:
    """Probabilities of the labels where the answer begins to name its own; None where the endpoint gave none.

    The likeliest tokens at that place count for the one label that begins, or goes on, with them.
    """
    at = None
    for token in answer.tokens:
        if THOUGHT_ENDS in token.text:  # labels that it thought of before do not count
            at = None
        elif at is None and token.top and _begun(token.text) is label:
            at = token
    if at is None:
        return None
    found: dict[Label, float] = {}
    for text, logprob in at.top:
        if begun := _begun(text):
            found[begun] = found.get(begun, 0.0) + math.exp(logprob)
    return found


def _begun(text: str) -> Label | None:
    """The label that a token begins: endpoints cut words differently.

    >>> _begun(' "ent'), _begun("neutral"), _begun("label"), _begun('":')
    (<Label.ENTAILMENT: 'entailment'>, <Label.NEUTRAL: 'neutral'>, None, None)
    """
    plain = text.strip(" \"'{}:*\n").lower()
    return next((label for label in LABELS if plain and (label.startswith(plain) or plain.startswith(label))), None)
