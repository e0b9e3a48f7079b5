"""What the cases of a corpus, or the opinion of a text file, do to the cases that they cite.

treatments(source) -> Iterator[Treatment]      of a corpus, a file, or a text
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from lawng.citation.extract import citations_of, citations_of_case
from lawng.corpus.reader import Corpus
from lawng.schema import Case, Opinion, Span, Treatment
from lawng.text.sentences import trimmed
from lawng.treatment.features import Citing
from lawng.treatment.judge import Hearsay, read_citing, treatments_in

_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")


def unique_cites(cases: Iterable[tuple[str, Iterable[str]]]) -> dict[str, str]:
    """The case that a cite names, from ids with their normalised cites; a cite of several cases names none.

    >>> unique_cites([("a", ["1 U.S. 1", "2 U.S. 2"]), ("b", ["2 U.S. 2"])])
    {'1 U.S. 1': 'a'}
    """
    owners: dict[str, set[str]] = defaultdict(set)
    for case_id, cites in cases:
        for cite in cites:
            owners[cite].add(case_id)
    return {cite: next(iter(ids)) for cite, ids in owners.items() if len(ids) == 1}


def read_corpus(corpus: Corpus, cites: Mapping[str, str] | None = None) -> Iterator[Citing]:
    """Each case of a corpus with all mentions of the cases that it cites, linked by the corpus's cites or by others."""
    known = cites or unique_cites((case.case_id, (cite.cite for cite in case.citations)) for case in corpus.cases())
    for case, opinions in corpus.cases_with_opinions():
        yield read_citing(case, opinions, citations_of_case(opinions, known.get))


def treatments(source: Corpus | Path | str) -> Iterator[Treatment]:
    """What a corpus, the text file or the corpus folder at a path, or a text itself does to the cases that it cites.

    >>> [(found.label, found.cite) for found in treatments("Roe v. Doe, 9 U.S. 9 (1805), is limited to its facts.")]
    [('limited', '9 U.S. 9')]

    Raises MissingError when a folder is no corpus.
    """
    if isinstance(source, Corpus):
        return treatments_of_corpus(source.folder)
    if isinstance(source, str):
        return iter(treatments_of_text(source))
    if source.is_dir():
        return treatments_of_corpus(source)
    return iter(treatments_of_text(source.read_text("utf-8"), source.stem))


def treatments_of_corpus(folder: str | Path) -> Iterator[Treatment]:
    """What each case of a corpus does to each case that it cites, streaming; the cases of the corpus by their ids.

    The corpus is read twice, first for what cases tell of others ("Jones, overruled by Smith"): it is evidence on what
    Smith did. Raises MissingError when the folder is no corpus.
    """
    corpus, hearsay = Corpus(folder), Hearsay()
    for citing in read_corpus(corpus):
        hearsay.hear(citing)
    for citing in read_corpus(corpus):
        yield from treatments_in(citing, hearsay)


def treatments_of_text(text: str, name: str = "text") -> list[Treatment]:
    """What an opinion as plain text does to each case that it cites; all of it is taken for the court's own words.

    >>> [found] = treatments_of_text("We overrule Roe v. Doe, 9 U.S. 9 (1805).", "smith")
    >>> found.citing_case_id, found.label, found.name, found.sentence
    ('smith', 'overruled', 'Roe v. Doe', 'We overrule Roe v. Doe, 9 U.S. 9 (1805).')
    """
    starts = [0, *(found.end() for found in _BLANK_LINE.finditer(text))]
    ends = [*(found.start() for found in _BLANK_LINE.finditer(text)), len(text)]
    paragraphs: list[Span] = [p for pair in zip(starts, ends, strict=True) if (p := trimmed(text, *pair))]
    case = Case(name, "", "", [], [], "", "", "", "", [], "text", name)
    opinion = Opinion(name, name, "majority", "", text, len(text), [], paragraphs, [], "text")
    return treatments_in(read_citing(case, [opinion], citations_of(text, name)))
