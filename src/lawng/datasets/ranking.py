"""Queries with texts that answer them and texts that only look so: what finders and re-rankers learn from.

of_build(build, corpora, words)  what courts say of a case, and the pages that they cite for it
of_excerpts(excerpts, words)     arguments that readers wrote, and the sentences that decide them
read_queries(builds, corpora, excerpts, training_sets, words) -> of all of them
of_training_set(folder)          the paper's adjusted training set (LawngNLI, footnote 11)

Texts are stretches of whole sentences: with `words` 0 single sentences, a short one with what leads to it. Wrong ones
are of the same opinion: they share its subject and its words. Those of other cases come in training, in the batch.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from lawng.datasets.candidates import TABLE, proposition
from lawng.datasets.excerpts import Excerpt, opinions_of, read_excerpts
from lawng.datasets.nli import Say
from lawng.datasets.splits import part_of_case
from lawng.errors import InputError
from lawng.io import iter_records
from lawng.io.parquet import read_table
from lawng.schema import Candidate, Opinion, Span
from lawng.schema.dataset import PROPOSITION
from lawng.schema.labels import Label
from lawng.text.paragraphs import Bm25
from lawng.text.sentences import sentence_spans
from lawng.text.windows import LEAD_WORDS, with_lead

MOST_WRONG = 7
"""Wrong texts of a query, the likeliest first."""
_LOOKED_AT = 100
"""Texts of other cases among which a wrong one is looked for."""
_FEWEST_WORDS, _MOST_WORDS = 6, 80
"""Of a query: shorter ones say nothing, longer ones are paragraphs whose citation was not told apart."""


@dataclass(frozen=True, slots=True)
class RankedQuery:
    """A query, and the texts of one case that are right and wrong for it."""

    query_id: str
    text: str
    case_id: str
    """The case that is sought: no case is both trained on and measured."""
    source: str
    part: str
    """`train`, `dev` or `test`."""
    right: list[str]
    wrong: list[str]
    """Of the same case, but for `with_neighbours`."""
    citing_case_id: str = ""
    """The case that the query is taken from, "" where readers wrote it."""


def stretches(text: str, start: int, end: int, words: int) -> list[Span]:
    """Consecutive stretches of whole sentences, each of at most `words` words where its first sentence is no longer."""
    found: list[Span] = []
    room = 0
    for span in sentence_spans(text, start, end):
        n = len(text[span.start : span.end].split())
        if found and n <= room:
            found[-1], room = Span(found[-1].start, span.end), room - n
        else:
            found.append(span)
            room = words - n
    return found


class _Cut:
    """An opinion's body in stretches, ready to be asked for the likeliest ones."""

    def __init__(self, opinion: Opinion, words: int) -> None:
        text = opinion.text
        self.spans = stretches(text, 0, opinion.body_end, words)
        lead = 0 if words else LEAD_WORDS
        self.texts = [with_lead(text, self.spans, at, lead) for at in range(len(self.spans))]
        self._bm25 = Bm25(self.texts)

    def ranked(self, query: str, among: Iterable[int]) -> list[int]:
        """The likeliest first."""
        scores = self._bm25.scores(query)
        return sorted(among, key=lambda at: (-scores[at], at))

    def inside(self, start: int, end: int) -> list[int]:
        """Stretches that lie in a span, by more than their half."""
        return [n for n, s in enumerate(self.spans) if min(s.end, end) - max(s.start, start) > (s.end - s.start) / 2]


def of_build(
    build: Path, corpora: Iterable[Path], words: int, parts: Sequence[str] = ("train", "dev")
) -> Iterator[RankedQuery]:
    """What judges wrote of a case, in a parenthetical or a sentence, and the stretch of the cited pages nearest to it.

    Wrong are the likeliest stretches of other pages. What says nothing of its own, or whose opinion is in none of the
    corpora, is left out, as are the cases of other parts. Raises InputError when the folder is no build.
    """
    if not (build / TABLE / "candidates").is_dir():
        raise InputError(f"{build}: no candidates of a build here ({TABLE}); name a folder that `lawng build` made")
    every = iter_records(build / TABLE / "candidates", Candidate)
    rows = [row for row in every if part_of_case(row.cited_case_id) in parts]
    opinions = opinions_of(corpora, {row.cited_opinion_id for row in rows})
    cut = lru_cache(maxsize=64)(lambda opinion_id: _Cut(opinions[opinion_id], words))
    seen: set[tuple[str, str]] = set()
    for row in sorted(rows, key=lambda row: row.cited_opinion_id):
        said = _said(row)
        if not said or row.cited_opinion_id not in opinions or (row.cited_case_id, said) in seen:
            continue
        seen.add((row.cited_case_id, said))
        there = cut(row.cited_opinion_id)
        right = there.inside(row.premise_start, row.premise_end)
        wrong = set(range(len(there.spans))).difference(right)
        if right and wrong:
            best = there.ranked(said, right)[0]
            texts = [there.texts[at] for at in there.ranked(said, wrong)[:MOST_WRONG]]
            part, kind = part_of_case(row.cited_case_id), row.hypothesis_source
            yield RankedQuery(
                row.candidate_id, said, row.cited_case_id, kind, part, [there.texts[best]], texts, row.citing_case_id
            )


def _said(row: Candidate) -> str:
    """What is said of the cited case, "" where that is nothing of its own, or of several cases."""
    if row.hypothesis_source == PROPOSITION:
        said = row.sentence
    else:
        said = proposition(row.hypothesis)[0] if row.kind == "explanatory" else ""
    return said if _FEWEST_WORDS <= len(said.split()) <= _MOST_WORDS else ""


def of_excerpts(excerpts: Iterable[Excerpt], words: int) -> Iterator[RankedQuery]:
    """Arguments for and against an excerpt, with the stretches of its opinion that decide them.

    Wrong are the other stretches of the excerpt, and before it the likeliest ones of the opinion. Which sentence of a
    passage decides is not told: where single sentences are asked for, passages of several are left out.
    """
    for excerpt in excerpts:
        cut = _Cut(excerpt.opinion, words)
        first, last = excerpt.spans[0][0], excerpt.spans[-1][1]
        own, before = set(cut.inside(first, last)), set(cut.inside(0, first))
        for argued in excerpt.arguments:
            deciding = [span for n, span in enumerate(excerpt.spans) if n in argued.decides]
            right = [n for n, s in enumerate(cut.spans) if any(a < s.end and s.start < b for a, b in deciding)]
            if right and (words or excerpt.roles or len(right) == 1):
                likely = cut.ranked(argued.text, before.difference(right))[:MOST_WRONG]
                wrong = [*cut.ranked(argued.text, own.difference(right)), *likely]
                found, others = ([cut.texts[at] for at in some] for some in (right, wrong))
                yield RankedQuery(argued.key, argued.text, excerpt.case_id, "excerpts", excerpt.part, found, others)


def of_training_set(folder: Path) -> Iterator[RankedQuery]:
    """The adjusted training set of `lawng study training-set`: a premise is right for what it entails or contradicts.

    Raises InputError when the folder is none.
    """
    for name, part in (("train", "train"), ("validation", "dev")):
        path = folder / "data" / f"{name}.parquet"
        if not path.is_file():
            raise InputError(f"{folder}: no data/{name}.parquet; name a folder that `lawng study training-set` made")
        by_query: dict[str, RankedQuery] = {}
        # neutral rows last: theirs is the case of a wrong premise, not the one sought
        for row in sorted(read_table(path).to_pylist(), key=lambda row: row["label"] == Label.NEUTRAL):
            key, case = row["hypothesis"], row["cited_case_id"]
            query = by_query.setdefault(key, RankedQuery(row["id"], key, case, "training-set", part, [], []))
            (query.wrong if row["label"] == Label.NEUTRAL else query.right).append(row["premise"])
        yield from (query for query in by_query.values() if query.right)


def with_neighbours(queries: Sequence[RankedQuery]) -> Iterator[RankedQuery]:
    """The queries with one more wrong text, put first: of the right texts of other cases BM25's best.

    Neither the case that is sought nor the one that the query is taken from is among these.
    """
    owners = [(query.case_id, query.right[0]) for query in queries]
    bm25 = Bm25([text for _, text in owners])
    for query in queries:
        scores = np.asarray(bm25.scores(query.text))
        for at in np.argsort(-scores, kind="stable")[:_LOOKED_AT]:
            case_id, text = owners[at]
            if case_id not in {query.case_id, query.citing_case_id} and text not in query.right:
                yield replace(query, wrong=[text, *query.wrong])
                break
        else:
            yield query


def read_queries(  # noqa: PLR0913, PLR0917 (a parameter for each kind of source)
    builds: Sequence[str | Path],
    corpora: Sequence[str | Path],
    excerpts: Sequence[str | Path],
    training_sets: Sequence[str | Path],
    words: int,
    say: Say = lambda _: None,
) -> list[RankedQuery]:
    """The queries of all sources, from folders and files; builds and excerpts are read with their corpora.

    `say` is told how many excerpts are left out.
    """
    places = [Path(one) for one in corpora]
    found = [query for build in builds for query in of_build(Path(build), places, words)]
    found += [query for file in excerpts for query in of_excerpts(read_excerpts(Path(file), places, say), words)]
    return found + [query for folder in training_sets for query in of_training_set(Path(folder))]
