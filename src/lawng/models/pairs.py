"""Judges of text pairs, by any Hugging Face cross-encoder: of three labels how a hypothesis stands to a premise, of one
how relevant a text is for a query (cross-encoder/ms-marco-MiniLM-L-6-v2).

pair_model(name or folder, backend) -> PairModel      model.judge(premises, hypotheses) -> Judged(log_probs, read)
relevance_model(name or folder) -> RelevanceModel     model.judge(query or queries, texts) -> Scored(scores, read)

Backends: `torch` (full precision), `int8` (torch, linear layers quantised as it loads), `onnx` (the folder's file),
`auto` (`onnx` where the folder has the file, else `torch`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from lawng.errors import ConfigError, InputError
from lawng.extras import explained
from lawng.models.find import LoadedOnce, default_stance, shown_name
from lawng.models.folder import Backend, Batch, Loaded, load_backend, load_folder
from lawng.models.openai.embeddings import PREFIX
from lawng.models.protocols import Judged, PairModel, Scored
from lawng.schema.labels import LABELS
from lawng.schema.views import PREMISES

Logits = NDArray[np.float64]
BATCH = 4
"""Pairs that are read together: of texts of many lengths, more take longer on a CPU, for they are padded."""
LEAST_ROOM = 32
"""Tokens of a passage that a search has read at least: of fewer a model says what it says of none."""


class CrossEncoder:
    """A sequence-classification model over pairs; batches are made by length, so that they waste no padding."""

    def __init__(
        self, loaded: Loaded, logits: Backend, batch: int, whole_first: bool = False, least_room: int = 1
    ) -> None:
        self.name = loaded.name
        self.state = loaded.state
        self.least = loaded.least
        """A side of a smaller probability is left undecided."""
        self._loaded = loaded
        self._logits = logits
        self._batch = batch
        self._whole_first = whole_first
        self._least_room = least_room
        """Tokens of a text that is cut, at least; where whole ones leave less it is refused."""

    def judge(self, premises: Sequence[str], hypotheses: Sequence[str]) -> Judged:
        """One judgement per pair, in order; only premises are truncated, and `read` says how much was read.

        Of a model with two labels neutral has all that is not entailed, and contradiction nothing. Raises InputError
        when there are not as many premises as hypotheses, a hypothesis fills the model's window, or what the model
        says is no number.
        """
        scores, read = self.scores(premises, hypotheses)
        if lost := int((~np.isfinite(scores)).any(axis=1).sum()):
            said = f"says no numbers of {lost:,} of {len(scores):,} pairs; its training diverged"
            raise InputError(f"{shown_name(self.name)}: {said}")
        chosen = scores[:, list(self._loaded.columns)] / self._loaded.temperature
        return Judged(_of_three(log_softmax(chosen)), read)

    def scores(self, cut: Sequence[str], whole: Sequence[str]) -> tuple[Logits, list[float]]:
        """The model's own outputs, n x its labels in its order, and the shares read of the texts that may be cut.

        The other ones are read whole; they stand first where the model is made so, as relevance models are.
        """
        if len(cut) != len(whole):
            raise InputError(f"{len(cut)} texts against {len(whole)}: give one for each")
        coded, read = self._coded(cut, whole)
        order = sorted(range(len(coded)), key=lambda row: (-len(coded[row]["input_ids"]), row))
        found = np.zeros((len(coded), self._loaded.n_labels), dtype=np.float64)
        batches = [order[start : start + self._batch] for start in range(0, len(order), self._batch)]
        for rows, logits in zip(batches, self._each([[coded[row] for row in rows] for rows in batches]), strict=True):
            if logits.shape[1:] != found.shape[1:]:
                raise InputError(
                    f"{shown_name(self.name)}: gives {logits.shape[1]} outputs, its config.json names {found.shape[1]}"
                )
            found[rows] = logits
        return found, read

    def leaves_room(self, hypotheses: Sequence[str]) -> list[bool]:
        """Whether each hypothesis, which is read whole, leaves room for a token of a premise."""
        return leaves_room(self._loaded, hypotheses)

    def _each(self, batches: Sequence[Batch]) -> Iterable[Logits]:
        """What the model makes of each batch, of several side by side where its backend likes that."""
        at_once = min(len(batches), getattr(self._logits, "at_once", 1))
        if at_once < 2:
            return map(self._logits, batches)
        with ThreadPoolExecutor(at_once) as pool:
            return list(pool.map(self._logits, batches))

    def _coded(self, cut: Sequence[str], whole: Sequence[str]) -> tuple[list[dict[str, list[int]]], list[float]]:
        """Token ids of the pairs, the one text cut to the room that the other leaves."""
        if not cut:
            return [], []
        tokenizer, window = self._loaded.tokenizer, self._loaded.window
        lengths = [len(ids) for ids in self._ids(cut)]
        rooms = [window - tokenizer.num_special_tokens_to_add(pair=True) - len(ids) for ids in self._ids(whole)]
        least, longest = min(rooms), max(lengths)
        if least < max(1, min(longest, self._least_room)):
            room = "no" if least < 1 else "too little"
            raise InputError(
                f"{shown_name(self.name)}: {window - least} tokens of an argument leave {room} room for a passage, "
                f"the model reads {window} of both; shorten the argument"
            )
        both, side = ((whole, cut), "only_second") if self._whole_first else ((cut, whole), "only_first")
        coded = tokenizer([*both[0]], [*both[1]], truncation=side, max_length=window, verbose=False)
        rows = [{key: coded[key][row] for key in coded} for row in range(len(cut))]
        return rows, [min(1.0, room / length) if length else 1.0 for room, length in zip(rooms, lengths, strict=True)]

    def _ids(self, texts: Sequence[str]) -> list[list[int]]:
        distinct = list(dict.fromkeys(texts))  # one argument stands against many premises
        coded = self._loaded.tokenizer(distinct, add_special_tokens=False, truncation=False, verbose=False)
        found = dict(zip(distinct, coded["input_ids"], strict=True))
        return [found[text] for text in texts]


def leaves_room(loaded: Loaded, texts: Sequence[str]) -> list[bool]:
    """Whether each text, which is read whole, leaves room for a token of the other one."""
    room = loaded.window - loaded.tokenizer.num_special_tokens_to_add(pair=True)
    coded = (
        loaded.tokenizer([*texts], add_special_tokens=False, truncation=False, verbose=False)["input_ids"]
        if texts
        else []
    )
    return [len(ids) < room for ids in coded]


def _of_three(logs: Logits) -> Logits:
    return logs if logs.shape[1] == len(LABELS) else np.c_[logs, np.full(len(logs), -np.inf)]


def log_softmax(scores: Logits) -> Logits:
    """Log-probabilities of each row in double precision: the order of scores survives where softmax would saturate.

    >>> bool(log_softmax(np.array([[60.0, 0.0, 0.0]]))[0, 0] < log_softmax(np.array([[61.0, 0.0, 0.0]]))[0, 0])
    True
    """
    top = scores - scores.max(axis=1, keepdims=True, initial=-np.inf) if len(scores) else scores
    rest = np.where(top == 0.0, 0.0, np.exp(top)).sum(axis=1, keepdims=True)
    ties = (top == 0.0).sum(axis=1, keepdims=True)
    return np.asarray(top - (np.log(ties) + np.log1p(rest / np.maximum(ties, 1))))


@LoadedOnce
@explained()
def pair_model(
    name: str, backend: str = "auto", batch: int = 32, least_room: int = 1, blind: bool = False
) -> CrossEncoder:
    """The judge of a model by folder or Hub name; the order of its labels is read from its own configuration.

    With `blind` one that was trained on hypotheses or premises alone will do. Raises MissingError when the model or its
    weights cannot be had, LabelMapError when its labels are not the three of NLI, ConfigError when there is no such
    backend, or the model never saw both texts.
    """
    loaded = load_folder(name, "stance model", plain=backend in {"auto", "onnx"})
    if not blind and loaded.view not in PREMISES:
        raise ConfigError(f"stance model {name}: was trained on the view {loaded.view}, one text of two; take another")
    # small batches gain little from a second thread
    threads = int(batch <= BATCH)
    return CrossEncoder(loaded, load_backend(loaded, backend, threads=threads), batch, least_room=least_room)


@explained()
def stance_model(given: str | None) -> PairModel | None:
    """The stance model asked for, by folder or name; with None the one trained here, else the one lawng comes with.

    "none" is no model, "openai:MODEL" a language model that is asked for each pair; its answers are not kept on disk.
    Raises as `pair_model` does, ConfigError where an endpoint cannot be asked so.
    """
    name = given or default_stance() or "none"
    if name.startswith(PREFIX):
        from lawng.models.openai.client import for_a_search
        from lawng.models.openai.nli import stance_llm

        return stance_llm(name, limits=for_a_search())
    # twenty premises of many lengths: two by two, side by side, they are judged in half of the time
    return None if name == "none" else pair_model(name, batch=2, least_room=LEAST_ROOM)


class RelevanceModel:
    """A cross-encoder with one output; the text is truncated where a pair is too long, the query never."""

    def __init__(self, pairs: CrossEncoder) -> None:
        self.name = pairs.name
        self.state = pairs.state
        self._pairs = pairs

    def leaves_room(self, queries: Sequence[str]) -> list[bool]:
        """Whether each query, which is read whole, leaves room for a token of a text."""
        return self._pairs.leaves_room(queries)

    def score(self, queries: str | Sequence[str], texts: Sequence[str]) -> list[float]:
        """The model's own score of each query and text, in order. Raises as `judge` does."""
        return self.judge(queries, texts).scores

    def judge(self, queries: str | Sequence[str], texts: Sequence[str]) -> Scored:
        """The score of each query and text, in order, and how much of the text was read.

        One query stands for as many as there are texts. Raises InputError when there are not as many, or a query fills
        the model's window.
        """
        every = [queries] * len(texts) if isinstance(queries, str) else list(queries)
        if len(every) != len(texts):
            raise InputError(f"{len(every)} queries and {len(texts)} texts: give one query, or one for each text")
        found, read = self._pairs.scores(texts, every)
        return Scored([float(row[0]) for row in found], read)


@LoadedOnce
@explained()
def relevance_model(name: str, backend: str = "auto", batch: int = BATCH, least_room: int = 1) -> RelevanceModel:
    """The relevance model of a folder or Hub name, loaded once.

    Raises MissingError when it cannot be had, LabelMapError when it has more than one output.
    """
    loaded = load_folder(name, "relevance model", labels=(1,), plain=backend in {"auto", "onnx"})
    # a small batch gains little from a second thread: two batches side by side are read in five sixths of the time
    logits = load_backend(loaded, backend, threads=1)
    return RelevanceModel(CrossEncoder(loaded, logits, batch, whole_first=True, least_room=least_room))
