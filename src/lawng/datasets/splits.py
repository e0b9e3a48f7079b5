"""Which side or part a case or a premise is on, by a fixed hash: no case is both trained on and measured.

side(case_id) -> `train` or `held-out`      part_of(text), part_of_case(case_id) -> `train`, `dev` or `test`
"""

from __future__ import annotations

from hashlib import blake2b


def side(case_id: str) -> str:
    """The side that a cited case is on, by a fixed hash, half and half: only `train` may be trained on.

    >>> [side(f"cl:{number}") for number in (1, 2, 3, 4)]
    ['train', 'held-out', 'held-out', 'train']
    """
    return "train" if hash_of(f"side:{case_id}", 4) >> 24 & 1 else "held-out"  # the first byte's last bit


def part_of(text: str, train: int = 75, dev: int = 5) -> str:
    """The part that a premise belongs to, by a fixed hash: no premise is in two; `train` and `dev` are per cent.

    >>> [part_of(text) for text in ("a", "b", "i")]
    ['train', 'train', 'test']
    """
    place = hash_of(text, 4) % 100
    if place < train:
        return "train"
    return "dev" if place < train + dev else "test"


def part_of_case(case_id: str) -> str:
    """The part that a case belongs to: those held out are `test`, of the others one in ten is `dev`, whatever is read.

    >>> [part_of_case(f"cl:{number}") for number in (1, 2, 4)]
    ['train', 'test', 'dev']
    """
    return part_of(case_id, train=90, dev=10) if side(case_id) == "train" else "test"


def hash_of(text: str, n_bytes: int = 8) -> int:
    """A number by which things are drawn: the same for the same text everywhere."""
    return int.from_bytes(blake2b(text.encode(), digest_size=n_bytes).digest(), "big")
