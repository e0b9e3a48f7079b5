"""What a stance model is trained on and measured with, by place.

Inputs(data, builds, corpora)    .sources() -> files of NLI data    .made(negate) -> pairs of builds and corpora
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lawng.datasets.candidates import Negate, Say, read_candidates
from lawng.datasets.nli import Pair, Source, find_sources
from lawng.datasets.statements import read_statements


@dataclass(frozen=True)
class Inputs:
    """Files or folders of NLI data, build folders, corpora."""

    data: tuple[Path, ...] = ()
    builds: tuple[Path, ...] = ()
    corpora: tuple[Path, ...] = ()

    def sources(self) -> list[Source]:
        """The known files of NLI data."""
        return find_sources(self.data)

    def made(self, negate: Negate, side: str = "train", limit: int = 1200, say: Say = lambda _: None) -> Iterator[Pair]:
        """Pairs that are made: all candidates of the builds, statements of the corpora from cases of one side.

        `say` is told how many candidates are left out, and why.
        """
        for build in self.builds:
            yield from read_candidates(build, negate, say)
        for corpus in self.corpora:
            yield from read_statements(corpus, negate, limit, side)
