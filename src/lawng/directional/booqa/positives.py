"""Step 50-positives: starring pairs of each window, what is asserted of them, and which of it makes a question."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import groupby
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from lawng.directional.booqa.records import Evidence, Mention, Positive, StarringPair, key
from lawng.directional.booqa.relations import felicitous, names_something
from lawng.io import iter_parts, iter_records, read_table
from lawng.pipeline import Count, Inputs, Step, Work, regroup
from lawng.pipeline.units import MAX_UNITS
from lawng.schema import Reject

VALUES = frozenset({"DATE", "TIME", "PERCENT", "MONEY", "QUANTITY", "ORDINAL", "CARDINAL"})
"""Types of what is no party to anything: the values among the entities of OntoNotes 5."""
_FORMS = """
    corp corporation inc incorporated co company cos cie ltd limited llc llp lp plc pty pte ag kg gmbh mbh sa sas sarl
    spa srl nv bv ab as asa oy oyj kk se & and
"""
LEGAL_FORMS = frozenset(_FORMS.split())
"""What may end the name of a firm, and what joins it, without dots."""
_STAGE = "positives"
_OF_STARS = "propositions_of_starring_pairs"


@dataclass(frozen=True)
class Thresholds:
    """How often what is asked about must be found (Li et al. 2022, appendix D)."""

    articles: int
    predicates: int
    pairs: int


def _prepare(inputs: Inputs) -> Work:
    columns = [read_table(part, ["window"])["window"] for part in iter_parts(inputs.table("mentions"))]
    windows = sorted({window for column in columns for window in column.unique().to_pylist()})
    n = max(1, min(len(windows), MAX_UNITS))
    order = pa.array(windows, pa.large_string())

    def unit_of(rows: pa.Table) -> pa.Array:
        at = pc.index_in(rows["window"], order).cast(pa.int64())
        return pc.divide(pc.multiply(at, n), max(1, len(windows)))

    units = regroup(inputs.table("mentions"), unit_of, n, inputs.scratch(_STAGE))
    names = ("questions.min_articles", "questions.min_predicates", "questions.min_pairs")
    thresholds = Thresholds(*(inputs.option(name) for name in names))
    return units, partial(find_positives, frequencies=inputs.table("frequencies"), thresholds=thresholds)


Arguments = tuple[str, str]
Found = StarringPair | Positive | Evidence | Reject | Count


def find_positives(unit: Path, frequencies: Path, thresholds: Thresholds) -> Iterator[Found]:
    """The starring pairs of a unit's windows, their evidence and their positives, window by window in order."""
    known = felicitous(frequencies, thresholds.pairs)
    for _, mentions in groupby(iter_records(unit, Mention), key=lambda mention: mention.window):
        by_pair: dict[Arguments, list[Mention]] = defaultdict(list)
        for mention in mentions:
            by_pair[mention.relation.arguments].append(mention)
        yield Count(sum(not all(one.repeat for one in some) for some in by_pair.values()), "argument_pairs")
        yield from _of_window(dict(sorted(by_pair.items())), known, thresholds)


def _of_window(
    by_pair: dict[Arguments, list[Mention]], known: dict[str, int], thresholds: Thresholds
) -> Iterator[Found]:
    stars = {arguments: star for arguments, some in by_pair.items() if (star := _star(some, thresholds))}
    by_ends: dict[Arguments, list[Arguments]] = defaultdict(list)
    for arguments in by_pair:
        by_ends[_ends(arguments)].append(arguments)
    alike = {star: [one for one in by_ends[_ends(star)] if _may_be(one, star)] for star in stars}
    reasons = _reasons(stars, alike)
    for arguments, star in stars.items():
        said = {mention.relation.predicate for one in alike[arguments] for mention in by_pair[one]}
        yield from _of_star(replace(star, said=sorted(said)), by_pair[arguments], reasons[arguments], known)


def _reasons(stars: dict[Arguments, StarringPair], alike: dict[Arguments, list[Arguments]]) -> dict[Arguments, str]:
    """Why a pair is not asked about, or empty; of those that may be the same parties the one in most articles is."""
    reasons: dict[Arguments, str] = {}
    asked: set[Arguments] = set()
    for arguments in sorted(stars, key=lambda one: (-stars[one].articles, one)):
        reason = _no_pair(stars[arguments])
        if not reason and not asked.isdisjoint(alike[arguments]):
            reason = "argument-has-another-name"
        elif not reason:
            asked.add(arguments)
        reasons[arguments] = reason
    return reasons


def _ends(arguments: Arguments) -> Arguments:
    subject, object = map(party, arguments)
    return subject.rpartition(" ")[2], object.rpartition(" ")[2]


def _may_be(some: Arguments, others: Arguments) -> bool:
    """Whether two pairs may be the same parties, one of them by a longer name: "mayor ilsa orme" and "ilsa orme"."""
    return all(
        f" {one}".endswith(f" {other}") or f" {other}".endswith(f" {one}")
        for one, other in zip(map(party, some), map(party, others), strict=True)
    )


@lru_cache(maxsize=100_000)
def party(name: str) -> str:
    """A name without its legal form, with it where it has nothing else.

    >>> party("general motors corp."), party("bolt & co, s.a."), party("inc")
    ('general motors', 'bolt', 'inc')
    """
    words = name.split()
    while words and words[-1].replace(".", "").strip(",") in LEGAL_FORMS:
        words.pop()
    return " ".join(words).rstrip(",") or name


def _star(mentions: list[Mention], thresholds: Thresholds) -> StarringPair | None:
    """The pair of some mentions, without what is said of it, where enough is asserted of it."""
    asserted = [mention.relation for mention in mentions if mention.asserted]
    articles = len({relation.document_id for relation in asserted})
    predicates = len({relation.predicate for relation in asserted})
    if articles < thresholds.articles or predicates < thresholds.predicates:
        return None
    window, ends = mentions[0].window, mentions[0].relation.arguments
    counted = [mention.relation for mention in mentions if not mention.repeat]
    types = _most(one.subject_type for one in counted), _most(one.object_type for one in counted)
    return StarringPair(key(window, *ends), window, *ends, *types, articles, said=[])


def _of_star(pair: StarringPair, mentions: list[Mention], reason: str, known: dict[str, int]) -> Iterator[Found]:
    """A pair with its evidence and positives; where there is a reason against it, a reject for each."""
    by_predicate: dict[str, list[Mention]] = defaultdict(list)
    evidence = []
    for mention in (one for one in mentions if one.asserted):
        said = mention.relation
        by_predicate[said.predicate].append(mention)
        where = (said.document_id, mention.sentence_id, mention.sentence)
        evidence.append(Evidence(pair.pair_id, pair.window, said.subject, said.predicate, said.object, *where))
    yield Count(len(by_predicate), _OF_STARS)
    if reason:
        yield from (_reject(pair, one, reason) for one in sorted(by_predicate))
        return
    yield pair
    yield from evidence
    yield from (_positive(pair, one, by_predicate[one], known) for one in sorted(by_predicate))


def _no_pair(pair: StarringPair) -> str:
    """Why nobody could be asked about a pair that is often in the news; else empty."""
    if pair.subject == pair.object:
        reason = "argument-with-itself"
    elif not (names_something(pair.subject) and names_something(pair.object)):
        reason = "argument-names-nothing"
    elif VALUES & {pair.subject_type, pair.object_type}:
        reason = "argument-is-a-value"
    else:
        reason = ""
    return reason


def _reject(pair: StarringPair, predicate: str, reason: str) -> Reject:
    said = f"{pair.subject} | {predicate} | {pair.object}"
    return Reject(_STAGE, key(pair.pair_id, predicate), reason, said, pair.window)


def _most(types: Iterable[str]) -> str:
    """What it is most often taken for."""
    return min(Counter(types).items(), key=lambda item: (-item[1], item[0]))[0]


def _positive(pair: StarringPair, predicate: str, mentions: list[Mention], known: dict[str, int]) -> Positive | Reject:
    if predicate not in known:
        return _reject(pair, predicate, "predicate-rare")
    ids = key(pair.pair_id, predicate), pair.pair_id, pair.window
    sources = sorted({mention.sentence_id for mention in mentions})
    first = min(mentions, key=lambda mention: mention.sentence_id)
    return Positive(*ids, predicate, known[predicate], sources, first.sentence, first.words)


POSITIVES = Step(
    "50-positives",
    {"pairs": StarringPair, "evidence": Evidence, "positives": Positive},
    _prepare,
    tables=("mentions", "frequencies"),
    options=("questions.min_articles", "questions.min_predicates", "questions.min_pairs"),
    balance=(_OF_STARS, "positives"),
    seconds=0.0001,
)
