"""Contractions are written out and white space and marks made plain (A.1.2, last step)."""

from __future__ import annotations

import re
from dataclasses import replace

from lawng.nli.records import Screened

_IRREGULAR = {"can't": "cannot", "won't": "will not", "shan't": "shall not", "ain't": "is not"}
_REGULAR_NOT = (
    *("is", "are", "was", "were", "do", "does", "did", "has", "have", "had"),
    *("would", "could", "should", "must", "might", "need", "ought"),
)
_ENDINGS = {"'re": "are", "'ve": "have", "'ll": "will", "'m": "am"}
# "'s" may be is, has or a possessive and "'d" had or would: without a parse they stay as they are.
_CONTRACTION = re.compile(
    rf"\b(?:(?P<whole>{'|'.join(_IRREGULAR)})|(?P<verb>{'|'.join(_REGULAR_NOT)})n't"
    rf"|(?P<stem>\w+)(?P<ending>{'|'.join(_ENDINGS)}))(?!\w)",
    re.IGNORECASE,
)
_SPACE_BEFORE_MARK = re.compile(r"\s+([,;:.!?])(?=\s|$)")


def normalise(screened: Screened) -> Screened:
    """The hypothesis with contractions written out and white space single (LawngNLI, A.1.2), recorded in `steps`.

    The paper lets spaCy do this; a table does the same without a parse, and leaves what is ambiguous ("'s", "'d").
    """
    text = normalised(screened.hypothesis)
    if text == screened.hypothesis:
        return screened
    return replace(screened, hypothesis=text, steps=[*screened.steps, "normalise"])


def normalised(text: str) -> str:
    """A hypothesis with contractions written out, white space single, curly apostrophes straight.

    >>> normalised("the State can’t  tax what it doesn't own , and they’ve no power")
    'the State cannot tax what it does not own, and they have no power'
    """
    plain = _straight(" ".join(text.split()))
    return _SPACE_BEFORE_MARK.sub(r"\1", _CONTRACTION.sub(_written_out, plain))


def _straight(text: str) -> str:
    # Only between letters: a curly quotation mark must stay one, the difficulty filter looks for it.
    return re.sub(r"(?<=\w)’(?=\w)", "'", text)


def _written_out(found: re.Match[str]) -> str:
    if found["whole"]:
        return _like(found["whole"], _IRREGULAR[found["whole"].lower()])
    if found["verb"]:
        return f"{found['verb']} not"
    return f"{found['stem']} {_ENDINGS[found['ending'].lower()]}"


def _like(model: str, word: str) -> str:
    return word.capitalize() if model[0].isupper() else word
