"""A text written as copies from another: how a release says what was done to a text without containing it."""

from __future__ import annotations

Delta = list[list[int] | str]
"""In order: ranges [start, end) of the base to copy, and what is put in between."""

ANCHOR, SHORT_ANCHOR = 20, 6
"""Characters that must agree before a copy is taken up again; in a long base fewer would copy chance hits."""

SHORT = 2_000
"""A base of fewer characters, such as a parenthetical, takes the short anchor."""


def delta_of(base: str, text: str) -> Delta:
    """How to make `text` from `base`: what was left out is skipped, what was put in is written out.

    It is exact for every pair of texts and short where `text` is `base` with parts removed, moved or repeated.

    >>> delta_of("holding that the insurer waived the lapse", "the insurer did not waive the lapse")
    [[13, 25], 'did not', [24, 30], [31, 41]]
    """
    steps: Delta = []
    at = done = 0
    while done < len(text):
        start = _resume(base, text, at, done)
        if start is None:
            _put(steps, text[done])
            done += 1
            continue
        at = _agreeing(base, text, start, done)
        done += at - start
        steps.append([start, at])
    return steps


def patched(base: str, delta: Delta) -> str:
    """The text that `delta_of` described.

    Raises ValueError when a range lies outside `base`: it is not the text that the delta was made from.

    >>> patched("holding that x", [[13, 14], "!"])
    'x!'
    """
    if any(not 0 <= s[0] <= s[1] <= len(base) for s in delta if not isinstance(s, str)):
        raise ValueError("the base is shorter than the text that this was made from")
    return "".join(step if isinstance(step, str) else base[step[0] : step[1]] for step in delta)


def written_out(delta: Delta) -> int:
    """Characters of a delta that are not copies."""
    return sum(len(step) for step in delta if isinstance(step, str))


def _resume(base: str, text: str, at: int, done: int) -> int | None:
    """Where in `base` the text goes on: here, else the nearest place ahead, else the first one."""
    anchor = text[done : done + (SHORT_ANCHOR if len(base) < SHORT else ANCHOR)]
    if base.startswith(text[done], at) and (base.startswith(anchor, at) or _agreeing(base, text, at, done) - at >= 4):
        return at
    ahead = base.find(anchor, at)
    found = ahead if ahead >= 0 else base.find(anchor)
    return found if found >= 0 else None


def _agreeing(base: str, text: str, at: int, done: int) -> int:
    """End in `base` of the run of equal characters that begins at `at` and `done`."""
    step = 1 << 14
    end = at
    while step:
        while base[end : end + step] == text[done + end - at : done + end - at + step] and end < len(base):
            if done + end - at + step > len(text) or end + step > len(base):
                break
            end += step
        step >>= 1
    return end


def _put(steps: Delta, character: str) -> None:
    if steps and isinstance(steps[-1], str):
        steps[-1] += character
    else:
        steps.append(character)
