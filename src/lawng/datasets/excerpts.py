"""Excerpts of opinions that readers wrote arguments on: for it, against it, and beside it, and which sentences decide.

read_excerpts(file, corpus) -> list[Excerpt]      excerpt_pairs(excerpts) -> NLI pairs      the sentences' roles

A line of the file is a JSON object with `id`, `case_id`, `opinion_id`, `sentences` (spans in the opinion's text),
`roles` (a letter of `ROLES` for each), `support`, `refute`, `neither` (arguments, "" where none could be written), and
`support_by`, `refute_by` (places of the deciding sentences, from 0). The texts are those of a corpus. A line on a short
passage has no `roles`: its only span is the passage, which decides as a whole, and its arguments may be lists.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from lawng.datasets.nli import Pair, Say
from lawng.datasets.splits import hash_of, part_of_case
from lawng.errors import InputError
from lawng.io import iter_records
from lawng.io.limits import OverLimitError, load_json
from lawng.schema import Opinion
from lawng.schema.labels import Label
from lawng.text.windows import JUDGED_WORDS, around

SOURCE = "excerpts"
ROLES = {
    "H": "answers or decides something in this case",
    "R": "states a rule of law that the court accepts",
    "A": "argues: the court's own reasoning",
    "C": "reports what someone else says: a party, a lower court, a dissent, a rejected view",
    "F": "tells facts of the case or its history",
    "Q": "asks or frames a question",
    "S": "bare citations, or text quoted without a comment",
    "O": "a fragment or a heading",
}
"""What a sentence does in an opinion: its rhetorical role."""


class Argued(NamedTuple):
    """An argument on an excerpt."""

    key: str
    text: str
    label: Label
    decides: list[int]
    """Places of the deciding sentences, [] for an argument that nothing decides."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Consecutive sentences of a majority opinion, what each does, and the arguments written on them."""

    id: str
    case_id: str
    opinion_id: str
    spans: list[tuple[int, int]]
    roles: str
    """A letter for each sentence; "" for a passage, whose only span may be several sentences."""
    arguments: list[Argued]
    opinion: Opinion

    @property
    def sentences(self) -> list[str]:
        """Their texts, white space collapsed."""
        return [" ".join(self.opinion.text[start:end].split()) for start, end in self.spans]

    @property
    def part(self) -> str:
        """That of its case."""
        return part_of_case(self.case_id)


def read_excerpts(path: Path, corpora: Iterable[Path], say: Say = lambda _: None) -> list[Excerpt]:
    """The excerpts of a file whose opinions are in the corpora, in its order; `say` is told how many are left out.

    Raises InputError naming the line that is no such row, or whose spans the opinion does not have.
    """
    rows = list(_rows(path))
    wanted = {row["opinion_id"] for _, row in rows}
    opinions = opinions_of(corpora, wanted)
    known = [(number, row) for number, row in rows if row["opinion_id"] in opinions]
    if lost := len(rows) - len(known):
        say(f"{path}: {lost:,} of {len(rows):,} rows left out, whose opinions no corpus given has")
    return [_excerpt(f"{path}:{number}", row, opinions[row["opinion_id"]]) for number, row in known]


def _rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(path.read_bytes().split(b"\n"), 1):
        if line.strip():
            try:
                row = load_json(line)
                yield number, {**row, "opinion_id": str(row["opinion_id"])}
            except (ValueError, KeyError, TypeError, OverLimitError) as error:
                raise InputError(f"{path}:{number}: no row of an excerpt ({error}); mend the line") from error


def _excerpt(place: str, row: dict[str, Any], opinion: Opinion) -> Excerpt:
    try:
        spans, roles = [(int(start), int(end)) for start, end in row["sentences"]], row.get("roles", "")
        if len(spans) != (len(roles) or 1) or set(roles) - set(ROLES) or spans[-1][1] > len(opinion.text):
            raise ValueError("roles or spans do not fit the opinion")
        labels = {"support": Label.ENTAILMENT, "refute": Label.CONTRADICTION, "neither": Label.NEUTRAL}
        arguments = [one for name, label in labels.items() for one in _argued(row, name, label)]
        return Excerpt(row["id"], row["case_id"], row["opinion_id"], spans, roles, arguments, opinion)
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise InputError(f"{place}: no row of an excerpt ({error}); mend the line, or give its own corpus") from error


def _argued(row: dict[str, Any], name: str, label: Label) -> Iterator[Argued]:
    """What a row says for, against or beside its excerpt: one text, or several."""
    key, said = f"{row['id']}:{name}", row[name]
    named = [(key, said)] if isinstance(said, str) else [(f"{key}-{n}", text) for n, text in enumerate(said)]
    if not all(isinstance(text, str) for _, text in named):
        raise ValueError(f"{name} is no text, and no list of texts")
    by = [] if label is Label.NEUTRAL else [*row[f"{name}_by"]] if row.get("roles") else [0]
    if any(not 0 <= place < len(row["sentences"]) for place in by):
        raise ValueError(f"{name}_by names a sentence that is not there")
    if not by and label is not Label.NEUTRAL and any(text for _, text in named):
        raise ValueError(f"{name}_by names no sentence, which decides what {name} says")
    yield from (Argued(key, text, label, by) for key, text in named if text)


def excerpt_pairs(excerpts: Iterable[Excerpt]) -> Iterator[Pair]:
    """NLI pairs: each argument over the sentences that decide it, and over words of the same opinion that say nothing.

    An argument that nothing decides is paired with a stretch of the excerpt. What says nothing stands before the
    excerpt: it has the same subject and the same words, and a court repeats what it holds at its opinion's end. Every
    second argument, by hash, has such a pair (of a passage every eighth: it has one beside it), so that neutral ones
    are not most of all.
    """
    for excerpt in excerpts:
        sentences, often = excerpt.sentences, 2 if excerpt.roles else 8
        for argued in excerpt.arguments:
            drawn = hash_of(argued.key)
            places = argued.decides or [drawn % len(sentences)]
            premises = dict.fromkeys(around(sentences, at, JUDGED_WORDS) for at in places)
            for n, premise in enumerate(premises):
                yield _pair(excerpt, f"{argued.key}:{n}", premise, argued.text, argued.label)
            if argued.decides and drawn // 64 % often == 1 and (elsewhere := _elsewhere(excerpt, argued)):
                yield _pair(excerpt, f"{argued.key}:elsewhere", elsewhere, argued.text, Label.NEUTRAL)


def _pair(excerpt: Excerpt, key: str, premise: str, hypothesis: str, label: Label) -> Pair:
    return Pair(f"{SOURCE}:{key}", premise, hypothesis, [str(label)], SOURCE, excerpt.part)


def _elsewhere(excerpt: Excerpt, argued: Argued) -> str:
    """Words of the opinion's body before the excerpt, as many as a premise has; "" where there are few."""
    body = excerpt.opinion.text[: excerpt.opinion.body_end]
    before = body[: excerpt.spans[0][0]].split()
    if len(before) < 3 * JUDGED_WORDS:
        return ""
    start = hash_of(f"elsewhere:{argued.key}") % (len(before) - 2 * JUDGED_WORDS)
    return " ".join(before[start : start + JUDGED_WORDS])


def opinions_of(corpora: Iterable[Path], wanted: set[str]) -> dict[str, Opinion]:
    """Opinions by id, of those wanted that the corpora have."""
    return {
        opinion.opinion_id: opinion
        for corpus in corpora
        for opinion in iter_records(corpus / "opinions", Opinion, where=("opinion_id", wanted))
    }
