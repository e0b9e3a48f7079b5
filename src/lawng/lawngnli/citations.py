"""Step 10-citations: every case citation of every opinion, linked to the one case of the corpus that its cite names."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory

from lawng.lawngnli.sources import CiteIndex, cite_index, opinion_slices, write_cite_index
from lawng.pipeline import Count, Inputs, Slice, Step, Work, slices_of
from lawng.schema import Citation, Opinion


def find_citations(unit: Slice, cites: CiteIndex) -> Iterator[Citation | Count]:
    """The citations of the opinions of a slice, case by case, resolved in the corpus."""
    from lawng.citation.extract import citations_of_case

    for _, group in groupby(unit.records(Opinion), key=lambda opinion: opinion.case_id):
        opinions = list(group)
        yield Count(len(opinions), "opinions")
        yield from citations_of_case(opinions, cites.case_of)


def citations_of_corpus(corpus: Path) -> Iterator[Citation]:
    """The citations of all opinions of a corpus, streaming, linked to its cases; nothing is written into it.

    Raises MissingError when the folder is no corpus.
    """
    with TemporaryDirectory() as scratch:
        cites = write_cite_index(corpus / "cases", Path(scratch) / "cites.arrow")
        for unit in slices_of(corpus / "opinions"):
            yield from (found for found in find_citations(unit, cites) if isinstance(found, Citation))


def _prepare(inputs: Inputs) -> Work:
    # part N has the citations of slice N of the opinions, in their order
    return opinion_slices(inputs), partial(find_citations, cites=cite_index(inputs))


STEP = Step(
    "10-citations", {"citations": Citation}, _prepare, corpus=True, libraries=("eyecite", "reporters-db", "hyperscan")
)
