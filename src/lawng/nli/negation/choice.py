"""The random choices of the algorithm: the same before and after a negation, so that it can be undone."""

from __future__ import annotations

import random
import re

from lawng.nli.negation.words import TOUCHED


def chooser(text: str, seed: int) -> random.Random:
    """A random generator that depends on the seed and on what negation leaves alone in the text.

    Negation touches function words and endings; the initials of the other words stay.

    >>> chooser("it held so", 1).random() == chooser("it did not hold so", 1).random()
    True
    """
    words = re.findall(r"\w+", text.lower().replace("cannot", "can not"))
    return random.Random(f"{seed}:{''.join(w[0] for w in words if w not in TOUCHED)}")
