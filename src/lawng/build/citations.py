"""Stage 10-citations: every case citation of every opinion."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory

from lawng.build.cites import CiteIndex, write_cite_index
from lawng.build.context import Context, Work, depends
from lawng.engine import Seen, Slice, Stage, StageResult, slices_of
from lawng.records import Citation, Opinion

NAME = "10-citations"


@dataclass(frozen=True)
class FindCitations:
    """The task: the citations of the opinions of a slice, resolved in the corpus."""

    cites: CiteIndex

    def __call__(self, unit: Slice) -> Iterator[Citation | Seen]:
        """Citations, case by case."""
        from lawng.citations.extract import citations_of_case

        for _, group in groupby(unit.records(Opinion), key=lambda opinion: opinion.case_id):
            opinions = list(group)
            yield Seen(len(opinions), "opinions")
            yield from citations_of_case(opinions, self.cites)


def find_citations(context: Context) -> StageResult:
    """Run the stage; its part N has the citations of slice N of the opinions, in their order."""
    inputs = depends(options=context.corpus_digests, libraries=["eyecite", "hyperscan"])

    def work() -> Work:
        return slices_of(context.corpus / "opinions"), FindCitations(cite_index(context))

    return context.run(Stage(NAME, {"citations": Citation}, inputs), work)


def cite_index(context: Context) -> CiteIndex:
    """The index of the corpus's cites."""
    return write_cite_index(context.corpus / "cases", context.scratch("cites.arrow"))


def citations_of_corpus(corpus: Path) -> Iterator[Citation]:
    """The citations of all opinions of a corpus, streaming, linked to its cases; nothing is written into it.

    Raises MissingError when the folder is no corpus.
    """
    with TemporaryDirectory() as scratch:
        task = FindCitations(write_cite_index(corpus / "cases", Path(scratch) / "cites.arrow"))
        for unit in slices_of(corpus / "opinions"):
            yield from (found for found in task(unit) if isinstance(found, Citation))
