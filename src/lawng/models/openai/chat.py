"""A language model that is asked short questions; every answer is kept.

ChatModel(client, model, cache).ask_all(questions) -> [Completion(text, tokens, without)]
question("rating", query=..., text=...) -> the words of `prompts.toml` for one query

A question is one message of the user, for some models know no other role. What is judged stands between tags and is
named as material, so that orders written in a contract are not followed.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from lawng.io.kv_store import KeyValueStore
from lawng.models.openai.client import Client, RefusedError

_TOP = 20
"""Alternatives asked for at each token, the most that OpenAI and vLLM give; some endpoints give five."""
_TOP_LESS = 5
FILE = "answers.sqlite"
THOUGHT_ENDS = "</think"
"""What models that think aloud write before their answer, with or without "ing"."""
Messages = list[dict[str, str]]


class Token(NamedTuple):
    """One token of an answer, with the most probable tokens at its place and their log probabilities."""

    text: str
    top: list[tuple[str, float]]


class Completion(NamedTuple):
    """What a model said."""

    text: str
    tokens: list[Token]
    """Empty where the endpoint gives no probabilities, or none were asked for."""
    without: list[str]
    """Parameters that the endpoint refused, so that it was asked without them."""
    usage: tuple[int, int] = (0, 0)
    """Tokens read and written, as the endpoint counts them."""


class ChatModel:
    """Questions to one model at temperature 0; equal ones are sent once, and none of which the cache has the answer."""

    def __init__(  # noqa: PLR0913, PLR0917 (how it is asked)
        self,
        client: Client,
        model: str,
        cache: KeyValueStore | None = None,
        probabilities: bool = False,
        longest: int = 16,
        shape: dict[str, Any] | None = None,
    ) -> None:
        """`shape` is a response_format: structured output, where the endpoint knows it."""
        self.client = client
        self.model = model
        self._cache = cache
        self._parameters: dict[str, Any] = {"temperature": 0, "max_tokens": longest}
        if probabilities:
            self._parameters |= {"logprobs": True, "top_logprobs": _TOP}
        if shape:
            self._parameters["response_format"] = shape
        self._agreed = dict(self._parameters)

    def ask_all(self, questions: Sequence[Messages]) -> list[Completion]:
        """The answers, in the order of the questions.

        Raises RefusedError when the endpoint refuses a question, MissingError when it gives no answer.
        """
        keys = [_key({"model": self.model, "messages": asked} | self._parameters) for asked in questions]
        distinct = dict(zip(keys, questions, strict=True))
        answers = self.client.map(lambda item: self._answer(*item), list(distinct.items()))
        by_key = dict(zip(distinct, answers, strict=True))
        return [by_key[key] for key in keys]

    def ask_twice(
        self, questions: Sequence[Messages], readable: Callable[[str], object], reminder: str
    ) -> list[Completion]:
        """The answers, those that cannot be read (None) asked for once more, with a reminder; usage is of both.

        Raises as `ask_all`.
        """
        answers = self.ask_all(questions)
        bad = [place for place, answer in enumerate(answers) if readable(answer.text) is None]
        again = self.ask_all([_again(questions[place], answers[place].text, reminder) for place in bad])
        for place, answer in zip(bad, again, strict=True):
            read, written = answers[place].usage
            answers[place] = answer._replace(usage=(read + answer.usage[0], written + answer.usage[1]))
        return answers

    def _answer(self, key: bytes, asked: Messages) -> Completion:
        kept = None if self._cache is None else _unpacked(self._cache.get([key]).get(key, b""))
        if kept is not None:
            return kept
        answer = self._sent(asked)
        if self._cache is not None:
            self._cache.put({key: json.dumps(answer).encode()})
        return answer

    def _sent(self, asked: Messages) -> Completion:
        while True:
            parameters = dict(self._agreed)
            try:
                raw = self.client.send(
                    self.model,
                    # the library's types ask for one class per role; the endpoint gets the same JSON
                    lambda api: api.chat.completions.create(model=self.model, messages=asked, **parameters),  # type: ignore[arg-type]  # noqa: B023 (called at once)
                )
            except RefusedError as error:
                fewer = _without(parameters, error.said)
                if fewer is None:
                    raise
                self._agreed = fewer  # threads that set it at once all set it to what the endpoint takes
            else:
                return self._read(raw, sorted(self._parameters.keys() - parameters.keys()))

    def _read(self, raw: Any, without: list[str]) -> Completion:
        try:
            choice = raw.choices[0]
            # a refusal or a filter leaves no content: no answer then, and whoever asked counts it
            text = str(choice.message.content or "")
            content = getattr(getattr(choice, "logprobs", None), "content", None) or []
            tokens = [
                Token(str(token.token), [(str(top.token), float(top.logprob)) for top in token.top_logprobs or []])
                for token in content
            ]
        except (AttributeError, IndexError, TypeError, ValueError):
            raise self.client.strange() from None
        used = getattr(raw, "usage", None)
        counts = (int(getattr(used, f"{kind}_tokens", 0) or 0) for kind in ("prompt", "completion"))
        return Completion(text, tokens, without, (next(counts), next(counts)))


def conclusion(text: str) -> str:
    """An answer without what the model thought aloud before.

    >>> conclusion("<think>Not bad, say 3.</think> 4")
    ' 4'
    """
    return text.rpartition(THOUGHT_ENDS)[2].removeprefix("ing").removeprefix(">")


def question(kind: str, **given: str) -> Messages:
    """The question of a kind (`rating`, `choice`, `stance`) about what is given: a query, a text or two."""
    return [_user(words()[kind].format(material=words()["material"], **given))]


@cache
def words() -> dict[str, str]:
    """All words of `prompts.toml` by name."""
    return tomllib.loads(Path(__file__).with_name("prompts.toml").read_text("utf-8"))


def words_state(*names: str) -> str:
    """Digest of these words, unless named those of re-rankers: scores by other words do not mix."""
    names = names or ("material", "rating", "choice", "rate_again", "choose_again")
    return hashlib.sha256("\0".join(words()[name] for name in names).encode()).hexdigest()[:12]


def _user(text: str) -> dict[str, str]:
    return {"role": "user", "content": text}


def _again(asked: Messages, answer: str, reminder: str) -> Messages:
    # an empty turn of the assistant is refused by some endpoints
    return [*asked, {"role": "assistant", "content": answer or "(nothing)"}, _user(reminder)]


def _without(parameters: dict[str, Any], said: str) -> dict[str, Any] | None:
    """Parameters that an endpoint may take, after what it said of those it refused; None when there is no way."""
    fewer = dict(parameters)
    if "logprobs" in said and "logprobs" in fewer:
        if "top_logprobs" in said and fewer["top_logprobs"] > _TOP_LESS:
            return fewer | {"top_logprobs": _TOP_LESS}
        del fewer["logprobs"], fewer["top_logprobs"]
        return fewer
    if "max_completion_tokens" in said and "max_tokens" in fewer:
        return {"max_completion_tokens": fewer.pop("max_tokens")} | fewer
    if "response_format" in fewer and any(word in said for word in ("response_format", "json_schema", "guided")):
        del fewer["response_format"]
        return fewer
    if "temperature" in said and "temperature" in fewer:
        del fewer["temperature"]
        return fewer
    return None


def answer_cache(folder: Path) -> KeyValueStore:
    """Where answers are kept: a killed study goes on, and nothing is paid for twice. No text or key stands in it.

    Raises InputError when nothing can be kept there.
    """
    return KeyValueStore(folder / FILE, required=True)


def _key(request: dict[str, Any]) -> bytes:
    """Digest of a request: model, messages and parameters, whoever answers it."""
    return hashlib.sha256(json.dumps(request, sort_keys=True).encode()).digest()


def _unpacked(kept: bytes) -> Completion | None:
    try:
        text, tokens, without, *usage = json.loads(kept)
        read = [Token(token, [(top, float(value)) for top, value in tops]) for token, tops in tokens]
    except (TypeError, ValueError):  # not kept, or not by this version: asked again
        return None
    return Completion(text, read, without, (int(usage[0][0]), int(usage[0][1])) if usage else (0, 0))
