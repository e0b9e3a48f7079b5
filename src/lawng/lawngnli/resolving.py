"""What "the Act" or "that Clause" in a proposition stands for, where the words before it leave no doubt.

Only names are put in: a pronoun, or "such a rule", points to what no name says. Of 258 propositions that open with
"it", eight follow a sentence whose subject is a name, and two of these mean something else, so they stay rejected.
"""

from __future__ import annotations

import re

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
        name = names.pop() if len(names) == 1 else ""
        if not name or name in text[found.end() :]:  # "the Clause, and with it the Commerce Clause"
            return found[0]
        return f"{'The' if found[0][0].isupper() else 'the'} {name}"

    return _POINTING.sub(named, text)


def _names(head: str, before: str) -> set[str]:
    """The full names in a text that end in a head: "the Packers and Stockyards Act", "the Act of 1917" too."""
    words = rf"(?:\b(?!{head}\b)[A-Z][\w’'-]*[ ,]+(?:(?:and|&|of|with the) )?)*"
    found = re.finditer(rf"\b[Tt]he ({words}\b{head}\b(?: of [A-Z0-9]\w*)?)", before)
    return {match[1] for match in found} - {head}
