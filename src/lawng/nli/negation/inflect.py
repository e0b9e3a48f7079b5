"""Verb forms, by lemminflect: the only file that knows it."""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=4096)
def base_form(word: str, tag: str) -> str | None:
    """The base of a finite verb form, or None when the form is not one that its base would take.

    >>> base_form("held", "VBD"), base_form("found", "VBD"), base_form("requires", "VBZ")
    ('hold', 'find', 'require')
    """
    from lemminflect import getLemma

    lemmas = [lemma for lemma in getLemma(word.lower(), "VERB") if word.lower() in forms(lemma, tag)]
    changed = [lemma for lemma in lemmas if lemma != word.lower()]
    return next(iter(changed or lemmas), None)


@lru_cache(maxsize=4096)
def forms(lemma: str, tag: str) -> tuple[str, ...]:
    """All forms of a verb for a Penn tag, the usual one first; () when it has none.

    >>> forms("abuse", "VBD")
    ('abused',)
    """
    from lemminflect import getInflection

    return tuple(getInflection(lemma, tag))


def inflected(lemma: str, tag: str) -> str | None:
    """The usual form of a verb for a Penn tag, or None.

    >>> inflected("hold", "VBZ")
    'holds'
    """
    return lemma if tag == "VBP" else next(iter(forms(lemma, tag)), None)
