"""What tells, without understanding, whether the cited pages say all of a proposition: how its words stand in them.

FEATURES names the numbers, `features(...)` are those of one proposition.
"""

from __future__ import annotations

import math
import re
from difflib import SequenceMatcher
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from lawng.lawngnli.difficulty import bigram_overlap, words_of
from lawng.schema import Candidate
from lawng.text.windows import best_window
from lawng.text.words import STOP_WORDS, content_stems

_NAMED = re.compile(r"(?<=\s)[A-Z][a-z]+|\d+")
_NEGATION = re.compile(r"\b(?:no|not|never|nor|neither|none|without|cannot|nothing)\b|n[’']t\b", re.IGNORECASE)
_SENTENCE = 45
"""Words of the window that is compared word by word: a long sentence or two."""

FEATURES = (
    *("words of it on the pages", "pairs of words on the pages", "words of it in the best window"),
    *("pairs in the best window", "longest run of words", "names not on the pages", "negation beside the window's"),
    *("signal", "cases cited", "part of a sentence", "in a note", "words", "words of the pages"),
)


def features(candidate: Candidate, hypothesis: str, pages: str) -> NDArray[np.float64]:
    """The features of a proposition and the pages that it cites, in the order of `FEATURES`."""
    window = best_window(pages, hypothesis, words=_SENTENCE)
    asked, there, near = set(content_stems(hypothesis)), _stems(pages), set(content_stems(window))
    said, shown = words_of(hypothesis), words_of(window)
    run = SequenceMatcher(None, said, shown, autojunk=False).find_longest_match().size
    named = {name.lower() for name in _NAMED.findall(hypothesis)} - STOP_WORDS
    return np.array(
        [
            len(asked & there) / max(1, len(asked)),
            bigram_overlap(hypothesis, pages),
            len(asked & near) / max(1, len(asked)),
            bigram_overlap(hypothesis, window),
            min(run / max(1, len(said)), 1.0),
            len(named - set(words_of(pages))) / max(1, len(named)),
            float(bool(_NEGATION.search(hypothesis)) != bool(_NEGATION.search(window))),
            float(bool(candidate.signal)),
            math.log(candidate.n_cited),
            float(candidate.kind in ("clause", "following")),
            float(candidate.kind == "note"),
            math.log(max(1, len(said))),
            math.log(max(1, len(pages.split()))),
        ]
    )


@lru_cache(maxsize=256)
def _stems(pages: str) -> frozenset[str]:
    return frozenset(content_stems(pages))
