"""What "the Act" or "that Clause" in a proposition stands for, where the words before it leave no doubt.

Only names are put in: a pronoun, or "such a rule", points to what no name says. Of 258 propositions that open with
"it", eight follow a sentence whose subject is a name, and two of these mean something else, so they stay rejected.
"""

from __future__ import annotations

import re

from lawng.text.words import STOP_WORDS

_POINTING = re.compile(
    r"\b(?:the|this|that|said|such(?: an?)?) (?P<head>(?-i:[A-Z])[a-z]+)\b"
    r"(?! (?-i:[A-Z])| of (?:the )?(?-i:[A-Z])| of \d)",
    re.IGNORECASE,
)
_HEADS = frozenset({"Act", "Clause", "Amendment", "Code", "Rule", "Treaty", "Statute", "Section", "Title", "Article"})
"""What a law or a part of one is called."""


def resolved(text: str, before: str) -> str:
    """The text with the full name of each law that it points to, if the words before have one such name and no other.

    >>> resolved("the Act reaches a local sale", "The Packers Act is broad. So it was held of sales.")
    'the Packers Act reaches a local sale'
    >>> resolved("the Act reaches a local sale", "The Packers Act and the Sherman Act are broad.")
    'the Act reaches a local sale'
    """

    def named(found: re.Match[str]) -> str:
        names = _names(found["head"], f"{before} {text[: found.start()]}") if found["head"] in _HEADS else set()
        determiner = "The" if found[0][0].isupper() else "the"
        return f"{determiner} {names.pop()}" if len(names) == 1 else found[0]

    return _POINTING.sub(named, text)


def _names(head: str, before: str) -> set[str]:
    """The full names in a text that end in a head: "Packers and Stockyards Act", "Act of 1917" too."""
    found = re.finditer(
        rf"((?:\b(?!{head}\b)[A-Z][\w’'-]*[ ,]+(?:(?:and|&|of|with the) )?)*)\b{head}\b( of [A-Z0-9][\w]*)?", before
    )
    names = ([*_without_opening(match[1].split()), head + (match[2] or "")] for match in found)
    return {" ".join(name) for name in names if name != [head]}


def _without_opening(words: list[str]) -> list[str]:
    """The words of a name without those before it that merely begin its sentence: "Under the"."""
    while words and (words[0].lower() in STOP_WORDS or words[0].endswith(",")):
        words = words[1:]
    return words
