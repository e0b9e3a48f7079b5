"""What a sentence does in an opinion: it answers, states a rule, argues, reports a view, tells facts, asks, quotes.

load_roles() -> Roles      Roles.of(sentences) -> probabilities, a row for each      train_roles(excerpts, file)

A logistic regression over words, word pairs, how a sentence and its neighbours begin and end. It is taught by sentences
whose roles were read (`lawng.datasets.excerpts.ROLES`), for facts, questions and contentions share an argument's words
as much as what answers it. Rhetorical roles: Bhattacharya et al. 2019 for court opinions.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain, pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lawng.datasets.excerpts import ROLES, Excerpt
from lawng.errors import InputError
from lawng.extras import explained
from lawng.io import write_text

FILE = Path(__file__).with_name("roles.json")
_WORD = re.compile(r"[a-z]+(?:['’][a-z]+)?|\d+|[?\"“”;:§]")
_CITE = re.compile(r"\d+ U\. ?S|\bv\. |\bId\.")
_FEWEST = 3
"""Sentences that have a feature, below which it says too little."""
_LEAST, _SCALE = 10, 100
"""Weights are kept as hundredths, and left out where all of a feature are below a tenth: the file is read at start."""

Matrix = NDArray[np.float64]


class Roles(NamedTuple):
    """Weights of features for each role, in the order of `ROLES`."""

    places: dict[str, int]
    """Of features, in the rows of `weights`."""
    weights: Matrix
    bias: Matrix

    def of(self, sentences: Sequence[str]) -> Matrix:
        """The probability of each role (n x roles) for sentences that follow each other."""
        rows = [features(sentences, at) for at in range(len(sentences))]
        known = [sorted(self.places[one] for one in row if one in self.places) for row in rows]
        scores = np.array([self.weights[row].sum(axis=0) for row in known]).reshape(-1, len(ROLES)) + self.bias
        found = np.exp(scores - scores.max(axis=1, keepdims=True, initial=-np.inf))
        return np.asarray(found / found.sum(axis=1, keepdims=True))


def features(sentences: Sequence[str], at: int) -> set[str]:
    """What a sentence is told by: its words, how it begins, ends and is quoted, and what its neighbours begin with."""
    own = sentences[at]
    words = ["#" if word.isdigit() else word for word in _WORD.findall(own.lower())]
    found = {f"^{word}" for word in words[:3]} | {f"^{' '.join(words[:n])}" for n in (2, 3)}
    found.update(words, (f"{a} {b}" for a, b in pairwise(words)))
    found |= {f"length {min(len(words) // 8, 6)}", f"end {own.rstrip()[-1:]}", f"opens {own[:1] in '“'}"}
    found.add(f"cite {bool(_CITE.search(own))}")
    for name, there in (("before", at - 1), ("behind", at + 1)):
        if 0 <= there < len(sentences):
            found.update(f"{name} ^{word}" for word in _WORD.findall(sentences[there].lower())[:2])
            found.add(f"{name} end {sentences[there].rstrip()[-1:]}")
    return found


@lru_cache(maxsize=1)
def load_roles(file: Path = FILE) -> Roles:
    """The weights that lawng comes with, or those of a file. Raises InputError where it holds none."""
    try:
        told = json.loads(file.read_text(encoding="utf-8"))
        weights = np.array([*told["weights"].values()], dtype=np.float64).reshape(-1, len(ROLES)) / _SCALE
        places = {name: at for at, name in enumerate(told["weights"])}
        return Roles(places, weights, np.array(told["bias"], dtype=np.float64) / _SCALE)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{file}: no weights of roles ({error}); install lawng again, or train them") from error


@explained()
def train_roles(excerpts: Iterable[Excerpt], file: Path, strength: float = 0.05) -> dict[str, Any]:
    """Teach the roles by excerpts of parts `train` and `dev`, write the file, and say how often `test` is right.

    `strength` is that of the data against regularisation (C of scikit-learn's LogisticRegression).
    """
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression

    known, held = _rows(excerpts, held=False), _rows(excerpts, held=True)
    counter = CountVectorizer(analyzer=list, min_df=_FEWEST, binary=True)
    model = LogisticRegression(C=strength, max_iter=500).fit(counter.fit_transform(known[0]), known[1])
    weights = np.zeros((len(ROLES), len(counter.vocabulary_)))
    bias = np.full(len(ROLES), -9.0)  # a role that nothing showed
    for row, role in enumerate(model.classes_):
        weights[list(ROLES).index(role)], bias[list(ROLES).index(role)] = model.coef_[row], model.intercept_[row]
    whole = np.round(weights * _SCALE).astype(int)
    kept = {
        name: whole[:, at].tolist()
        for name, at in sorted(counter.vocabulary_.items())
        if np.abs(whole[:, at]).max() >= _LEAST
    }
    right = model.predict(counter.transform(held[0])) == np.array(held[1]) if held[0] else np.zeros(0)
    told = {"sentences": len(known[0]), "held_out": len(held[0]), "right": round(float(right.mean()), 4)}
    found = {"told": told, "bias": np.round(bias * _SCALE).astype(int).tolist(), "weights": kept}
    write_text(file, json.dumps(found, ensure_ascii=False, separators=(",", ":")) + "\n")
    return told


def _rows(excerpts: Iterable[Excerpt], held: bool) -> tuple[list[set[str]], list[str]]:
    some = [one for one in excerpts if one.roles and (one.part == "test") is held]
    rows = [features(one.sentences, at) for one in some for at in range(len(one.spans))]
    return rows, list(chain.from_iterable(one.roles for one in some))
