"""Inputs made of real samples by edits of their tokens: words, numbers, strings, tags, brackets, or bytes."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

_TOKEN = re.compile(rb'"(?:[^"\\\n]|\\.)*"|<[^<>\n]{0,300}>|[A-Za-z]+|\d+|\s+|.', re.DOTALL)
_LONGEST = 1_000_000
NASTY = [
    *(b"", b"0", b"-1", b"1e999", b"NaN", b"7" * 25, b"7" * 5_000, b"null", b"true", b"[]", b"{}", b"[[]]", b'""'),
    *(
        b"[" * 2_000,
        b'{"a":' * 2_000,
        b"(" * 2_000,
        b"<b>" * 2_000,
        b'"',
        b"'",
        b"\\",
        b"\n",
        b"\r",
        b"\0",
        b" " * 5_000,
    ),
    *(
        rb'"\ud800"',
        b"\xff\xfe",
        b"\xed\xa0\x80",
        "²٣".encode(),
        "\u202e\u200b".encode(),
        b"&#x110000;",
        b"&#0;",
        b"<![CDATA[",
    ),
    *(
        b"<!--",
        b"<?xml version='1.0' encoding='utf-16'?>",
        b"<!DOCTYPE a [<!ENTITY b 'c'>]>&b;",
        b"</p>",
        b"<p",
        b"*7",
        b"a",
    ),
]
"""Pieces that readers have stumbled over, or might."""
_COUNTS = (2, 3, 20, 3_000)


class Target(NamedTuple):
    """What is fuzzed: samples of its input, and a function that reads one."""

    samples: Callable[[], list[bytes]]
    run: Callable[[bytes], object]


def mutated(samples: list[bytes], most: int = 6) -> SearchStrategy[bytes]:
    """Samples with some edits each."""
    return _edited([_TOKEN.findall(sample) for sample in samples], most)


@st.composite
def _edited(draw: DrawFn, samples: list[list[bytes]], most: int) -> bytes:
    tokens = list(draw(st.sampled_from(samples)))
    for _ in range(draw(st.integers(1, most))):
        tokens = _edit(draw, tokens, samples) or [b""]
    return b"".join(tokens)[:_LONGEST]


def _edit(draw: DrawFn, tokens: list[bytes], samples: list[list[bytes]]) -> list[bytes]:
    """One edit at one place: of some tokens in a row, or of all up to the end."""
    at = draw(st.integers(0, len(tokens) - 1))
    end = min(len(tokens), at + draw(st.sampled_from((1, 2, 5, 50, len(tokens)))))
    kind = draw(st.sampled_from(("nasty", "delete", "repeat", "move", "other", "byte")))
    piece = tokens[at:end]
    if kind == "nasty":
        piece = [draw(st.sampled_from(NASTY))]
    elif kind == "delete":
        piece = []
    elif kind == "repeat":
        piece *= max(1, min(draw(st.sampled_from(_COUNTS)), _LONGEST // (1 + sum(map(len, piece)))))
    elif kind == "byte":
        piece = [bytes([draw(st.integers(0, 255))]) + b"".join(piece)[1:]]
    else:
        source = tokens if kind == "move" else draw(st.sampled_from(samples))
        start = draw(st.integers(0, len(source) - 1))
        piece = source[start : start + end - at]
    return [*tokens[:at], *piece, *tokens[end:]]
