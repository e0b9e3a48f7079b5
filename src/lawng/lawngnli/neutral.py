"""Step 60-neutral: another premise for each hypothesis, near in meaning but of an unrelated case (LawngNLI, A.1.7).

Top 30 premises by dot product (FAISS, exact), without citation neighbours, without those that share half of the
hypothesis's bigrams; then the best by BM25. Done for every label "to balance attrition"; only neutral ones change.
"""

from __future__ import annotations

import base64
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from lawng.io import iter_parts, iter_records, read_table, write_lookup
from lawng.lawngnli.difficulty import MAX_OVERLAP, either_overlap
from lawng.lawngnli.records import Labelled, Paired, Passage, Premise, Vector, own_premise, passage_key, text_key
from lawng.lawngnli.sources import CiteIndex, cite_index
from lawng.models.protocols import Embedded
from lawng.pipeline import Count, Inputs, Step, Work, regroup
from lawng.schema import Reject
from lawng.schema.dataset import PROPOSITION
from lawng.schema.labels import Label
from lawng.text.paragraphs import bm25_scores

STAGE = "neutral"
TOP = 30

Network = Mapping[str, frozenset[str]]
"""Case id to the ids of all cases that it cites or that cite it."""
Pairs = tuple[tuple[str, str], ...]
"""(citing case, cited case), sorted: the pickled task is the same in every run."""
Encode = Callable[[Sequence[str]], Embedded]


class _Pool(NamedTuple):
    """The premises of one jurisdiction, each once."""

    premises: list[Premise]
    texts: list[str]
    vectors: NDArray[np.float32]
    truncated: list[bool]
    of_case: dict[str, list[int]]


def citation_network(pairs: Iterable[tuple[str, str]]) -> dict[str, frozenset[str]]:
    """Neighbours in both directions from (citing case id, cited case id) pairs.

    >>> citation_network([("a", "b")])["b"]
    frozenset({'a'})
    """
    neighbours: dict[str, set[str]] = defaultdict(set)
    for citing, cited in pairs:
        neighbours[citing].add(cited)
        neighbours[cited].add(citing)
    return {case: frozenset(others) for case, others in neighbours.items()}


def neutralise(  # noqa: PLR0913 (its inputs, and two limits of the paper's)
    items: Sequence[Labelled],
    text_of: Callable[[Premise], str],
    network: Network,
    encode: Encode,
    *,
    top: int = TOP,
    max_overlap: float = MAX_OVERLAP,
) -> Iterator[Paired | Reject]:
    """Each item of one jurisdiction with its premise: its own, or for a neutral one another's (LawngNLI, A.1.7).

    Not candidates are premises of the citing case, of cases citing or cited by it, and of the cited case (of a
    proposition, of its neighbours too). Items that no premise is left for are rejected whatever their label.
    """
    if not items:
        return
    ordered = sorted(items, key=lambda item: item.candidate.candidate_id)
    pool = _pool(ordered, text_of, encode)
    queries = encode([item.hypothesis for item in ordered])
    excluded = [_excluded(item, network, pool.of_case) for item in ordered]
    nearest = _nearest(pool.vectors, queries.vectors, excluded, top)
    for item, near, cut in zip(ordered, nearest, queries.truncated, strict=True):
        yield _paired(item, near, pool, cut, max_overlap)


def _pool(items: Sequence[Labelled], text_of: Callable[[Premise], str], encode: Encode) -> _Pool:
    own = [own_premise(item.candidate) for item in reversed(items)]
    # of several candidates for one span, the first one names it
    by_place = {(premise.opinion_id, premise.start, premise.end): premise for premise in own}
    premises = [by_place[place] for place in sorted(by_place)]
    of_case: dict[str, list[int]] = defaultdict(list)
    for row, premise in enumerate(premises):
        of_case[premise.case_id].append(row)
    texts = [text_of(premise) for premise in premises]
    vectors, truncated = encode(texts)
    return _Pool(premises, texts, vectors, truncated, dict(of_case))


def _excluded(item: Labelled, network: Network, of_case: Mapping[str, list[int]]) -> set[int]:
    """Rows of the pool that are not candidates for an item.

    Of a proposition the neighbours of the cited case go too: of ten neutral premises that readers found to entail or to
    contradict theirs, seven were of such a neighbour, of 110 others 15.
    """
    citing, cited = item.candidate.citing_case_id, item.candidate.cited_case_id
    cases = {citing, cited, *network.get(citing, ())}
    if item.candidate.hypothesis_source == PROPOSITION:
        cases |= network.get(cited, frozenset())
    return {row for case in cases for row in of_case.get(case, ())}


def _nearest(
    vectors: NDArray[np.float32], queries: NDArray[np.float32], excluded: list[set[int]], top: int
) -> Iterator[list[int]]:
    """Rows of the top premises of each query, best first, those excluded left out beforehand."""
    import faiss

    index = faiss.IndexFlatIP(vectors.shape[1])
    index.add(vectors)
    for begin in range(0, len(queries), 256):
        batch = excluded[begin : begin + 256]
        # So many more are asked for that the top is full even if every excluded premise is in it.
        wanted = min(len(vectors), top + max(len(rows) for rows in batch))
        scores, rows = index.search(queries[begin : begin + 256], wanted)
        for gone, row_scores, row_numbers in zip(batch, scores, rows, strict=True):
            # Rounded: the last bits depend on how the batch was multiplied.
            ranked = sorted(zip((-row_scores).round(4).tolist(), row_numbers.tolist(), strict=True))
            yield [row for _, row in ranked if row not in gone][:top]


def _paired(item: Labelled, near: list[int], pool: _Pool, cut: bool, max_overlap: float) -> Paired | Reject:
    if not near:
        return Reject(STAGE, item.candidate.candidate_id, "no-candidate-premise", item.candidate.jurisdiction)
    far_enough = [row for row in near if either_overlap(item, pool.texts[row]) < max_overlap]
    if not far_enough:
        return Reject(STAGE, item.candidate.candidate_id, "bigram-overlap", f"{len(near)} candidate premises")
    scores = bm25_scores(item.hypothesis, [pool.texts[row] for row in far_enough])
    best = max(range(len(scores)), key=lambda place: (round(scores[place], 9), -place))
    alternative = pool.premises[far_enough[best]]
    premise = alternative if item.label == Label.NEUTRAL else own_premise(item.candidate)
    return Paired(item, premise, alternative, cut or pool.truncated[far_enough[best]])


def stored(texts: Sequence[str], vectors: Mapping[str, Vector]) -> Embedded:
    """Vectors of the texts, in their order, as step 55-vectors has made them."""
    found = [vectors[text_key(text)] for text in texts]
    rows = [np.frombuffer(base64.b64decode(vector.values), dtype="<f4") for vector in found]
    return Embedded(np.array(rows, dtype=np.float32), [vector.truncated for vector in found])


def neutralise_part(  # noqa: PLR0913, PLR0917 (those of `neutralise`, as they are pickled)
    unit: tuple[str, Path], passages: Mapping[str, Passage], pairs: Pairs, encode: Encode, top: int, max_overlap: float
) -> Iterator[Paired | Reject | Count]:
    """The hypotheses about cases of one state, or of the federal courts, paired."""
    items = list(iter_records(unit[1], Labelled))
    yield Count(len(items), "labelled")

    def text_of(premise: Premise) -> str:
        return passages[passage_key(premise)].text

    yield from neutralise(items, text_of, _network(pairs), encode, top=top, max_overlap=max_overlap)


_network = lru_cache(maxsize=1)(citation_network)


def _prepare(inputs: Inputs) -> Work:
    table = inputs.table("labelled")
    passages = write_lookup(inputs.table("passages"), Passage, "key", inputs.scratch("passages.arrow"))
    vectors = write_lookup(_distinct(inputs.table("vectors")), Vector, "key", inputs.scratch("vectors.arrow"))
    # only neighbours of the cases matter that the hypotheses come from, or that have a premise
    cases = _values(table, "citing_case_id", "cited_case_id")
    pairs = {
        *_found_pairs(inputs.table("citations"), cases),
        *_told_pairs(inputs.corpus / "cases", cases, cite_index(inputs)),
    }
    task = partial(
        neutralise_part,
        passages=passages,
        encode=partial(stored, vectors=vectors),
        pairs=tuple(sorted(pairs)),
        top=inputs.option("neutral.top_k"),
        max_overlap=inputs.option("difficulty.max_overlap"),
    )
    return _jurisdictions(table, inputs.scratch("labelled")), task


STEP = Step(
    "60-neutral",
    {"paired": Paired},
    _prepare,
    tables=("labelled", "vectors", "passages", "citations"),
    corpus=True,
    options=("neutral.top_k", "difficulty.max_overlap"),
    libraries=("faiss-cpu",),
    balance=("labelled", "paired"),
    seconds=0.02,
)


def _distinct(vectors: Path) -> pa.Table:
    # one text may stand in several parts; the first vector is as good as the others
    rows = read_table(vectors)
    keys = rows.append_column("at", pa.array(range(rows.num_rows))).group_by("key").aggregate([("at", "min")])
    return rows.take(keys["at_min"])


def _jurisdictions(table: Path, out: Path) -> list[tuple[str, Path]]:
    names = sorted(_values(table, "jurisdiction"))
    places = pa.array(names, pa.large_string())

    def unit_of(rows: pa.Table) -> pa.Array:
        return pc.index_in(pc.struct_field(rows["candidate"], "jurisdiction"), places)

    files = regroup(table, unit_of, max(1, len(names)), out)
    return list(zip(names, files, strict=False))


def _values(table: Path, *columns: str) -> set[str]:
    """What stands in some columns of the candidates of a table."""
    parts = (read_table(part, ["candidate"])["candidate"] for part in iter_parts(table))
    return {v for part in parts for column in columns for v in pc.struct_field(part, column).unique().to_pylist()}


def _found_pairs(citations: Path, wanted: set[str]) -> Iterator[tuple[str, str]]:
    """Who cites whom among the wanted cases, by the citations found."""
    ids = pa.array(sorted(wanted), pa.large_string())
    for part in iter_parts(citations):
        rows = read_table(part, ["opinion_id", "cited_case_id"])
        rows = rows.filter(pc.is_in(rows["cited_case_id"], ids)).group_by(rows.column_names).aggregate([])
        for row in rows.to_pylist():
            citing = row["opinion_id"].rpartition("/")[0]
            if citing in wanted:
                yield citing, row["cited_case_id"]


def _told_pairs(cases: Path, wanted: set[str], cites: CiteIndex) -> Iterator[tuple[str, str]]:
    """Who cites whom among the wanted cases, by the source's own network."""
    ids = pa.array(sorted(wanted), pa.large_string())
    for part in iter_parts(cases):
        rows = read_table(part, ["case_id", "cites_to"])
        for row in rows.filter(pc.is_in(rows["case_id"], ids)).to_pylist():
            cited = (cites.case_of(cite) for cite in row["cites_to"])
            yield from ((row["case_id"], case) for case in cited if case in wanted)
