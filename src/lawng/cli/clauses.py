"""Contracts and clauses: told apart from an index, and what was found shown as a person reads it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from lawng.cli.talk import SafeConsole, emit_json, on_one_line, say
from lawng.errors import InputError, MissingError
from lawng.schema import Clause, Reject
from lawng.text.printable import count

if TYPE_CHECKING:
    from lawng.clauses.answer import ClauseAnswer, ClauseHit
    from lawng.clauses.meaning.explained import Part

_OWN = ("_stage.json", "manifest.json", "stages")
"""What a corpus or a build of lawng's own has: it is no folder of contracts."""
_SHOWN = 110
"""Words of a clause that are shown; `--to jsonl` has all."""
_BEFORE = 30
"""Words shown before the first matched one, where the beginning is not shown."""
_PARTS, _PART_WORDS = 8, 12
"""Parts of the query that are shown, and words of the clause with each; `--to jsonl` has all."""
_NAMED = 3
"""Files named among those that were not read, and places among those with the same words."""


def holds_contracts(place: str) -> bool:
    """Whether a place has contracts or clauses, and no index. Raises MissingError when nothing is there."""
    if "://" in place:
        return False
    path = Path(place)
    if not path.exists():
        raise MissingError(
            f"{place}: is not there; name a folder or file of contracts, or make an index with "
            f"lawng index CORPUS -o {place}"
        )
    if is_own(path):
        return False
    from lawng.clauses.collection import is_library

    return is_library(path)


def is_own(path: Path) -> bool:
    """Whether a place is an index, a corpus or a build."""
    return path.is_dir() and (any(path.glob("*.lance")) or any((path / name).exists() for name in _OWN))


def refuse(options: Mapping[str, object], what: str) -> None:
    """Say which options were given that mean nothing for a place. Raises InputError when any was."""
    given = [f"--{name}" for name, value in options.items() if value not in (None, "")]
    if given:
        raise InputError(f"{', '.join(given)}: mean{'s' if len(given) == 1 else ''} nothing for {what}; leave out")


def refuse_clause_model(model: str | None) -> None:
    """See to it that a model for an index is no clause model. Raises InputError when it is one."""
    if model is None or not (Path(model) / "lawng.json").is_file():
        return
    from lawng.clauses.ranking.trained import KIND
    from lawng.models.folder import read_note

    if read_note(Path(model)).get("kind") == KIND:
        raise InputError(f"--model {model}: is a clause model, which ranks contracts; name a stance model for an index")


def print_clauses(answer: ClauseAnswer, explain: bool, jsonl: bool) -> None:
    """Write what was found to standard output, and what a person should know of it to standard error."""
    from lawng.clauses.answer import rows_of

    if jsonl:
        for row in rows_of(answer):
            emit_json(row)
    else:
        console = SafeConsole()
        for rank, hit in enumerate(answer.hits, 1):
            console.print(_hit(rank, hit, explain))
            console.print()
    for line in (*answer.notes, *looked_at(answer)):
        say(line)
    if explain:
        say("Seconds: " + ", ".join(f"{step} {time:.3f}" for step, time in answer.seconds.items()))
    if answer.hits:
        more = "" if jsonl else " Next: the same with --to jsonl gives the whole clauses, --explain the scores."
        say(f"No legal advice: read the contract.{more}")
    else:
        say("Nothing found: use other words, or fewer between quotation marks.")


def looked_at(answer: ClauseAnswer) -> list[str]:
    """Lines about what was read and what was not.

    >>> from lawng.clauses.answer import ClauseAnswer
    >>> looked_at(ClauseAnswer("q", [], (), {"total": 0.01}, 31, 3, "BM25"))
    ['Looked at 31 clauses of 3 documents in 0.01 s, by BM25.']
    """
    counted = f"{count(answer.n_clauses, 'clause')} of {count(answer.n_documents, 'document')}"
    lines = [f"Looked at {counted} in {answer.seconds['total']:.2f} s, by {answer.ranker}."]
    if answer.rejects:
        lines.append(_not_read(answer.rejects))
    if answer.dropped:
        kinds = ", ".join(f"{kind} {n:,}" for kind, n in sorted(answer.dropped.items()))
        lines.append(f"Lines in no clause: {kinds}.")
    return lines


def _not_read(rejects: Sequence[Reject]) -> str:
    named = "; ".join(f"{one.id} ({one.reason}: {one.detail})" for one in rejects[:_NAMED])
    more = f"; and {len(rejects) - _NAMED:,} more" if len(rejects) > _NAMED else ""
    return f"{len(rejects):,} not read: {named}{more}."


def _hit(rank: int, hit: ClauseHit, explain: bool) -> RenderableType:
    below = [*([_parts(hit.parts)] if hit.parts else []), _passage(hit)]
    if hit.also:
        below.append(Text(_also(hit.also), "dim"))
    if explain:
        parts = ", ".join(f"{name} {score:.3f}" for name, score in hit.scores.items())
        below.append(Text(f"{parts}; {hit.clause.clause_id}", "cyan"))
    row = Table.grid(padding=(0, 2, 0, 0))
    row.add_row(Text(f"{rank:>2}", "dim"), Group(_head(hit.clause), *below))
    return row


def _head(clause: Clause) -> Text:
    head = Text(clause.source, "bold")
    head.append(f"  {clause.section}" if clause.section else "", "bold cyan")
    headings = [*clause.headings, *([clause.heading] if clause.heading else [])]
    head.append(f"  {' › '.join(headings)}" if headings else "")
    head.append(f"  {clause.place} [{clause.start}-{clause.end}]" if clause.place else "", "dim")
    if not clause.clause_id.startswith(clause.source):  # a list of clauses: the id is all that tells them apart
        head.append(f"  {clause.clause_id}", "dim")
    return on_one_line(head)


def _passage(hit: ClauseHit) -> Text:
    """The clause, or what of it stands around the matched words, on one line; what is left out is marked."""
    clause = Text(hit.clause.text)
    for span in hit.highlights:
        clause.stylize("bold", span.start, span.end)
    words = [word for word in on_one_line(clause).split(" ") if word.plain.strip()]
    first = 0
    if len(words) > _SHOWN:
        bold = next((n for n, word in enumerate(words) if word.spans), 0)
        first = max(0, bold - _BEFORE) if bold > _SHOWN // 2 else 0
    shown = Text(" ").join(words[first : first + _SHOWN])
    left = len(words) - len(words[first : first + _SHOWN])
    if left:
        shown = Text("… " if first else "") + shown + Text(f" … ({left} more words)", "dim")
    return shown


def _parts(parts: Sequence[Part]) -> Text:
    """On one line what of the query the clause satisfies, and what not."""
    from lawng.clauses.meaning.explained import told

    shown = [f"{'✓' if part.found else '✗'} {told(part, _PART_WORDS)}" for part in parts[:_PARTS]]
    more = [f"and {len(parts) - _PARTS} more"] if len(parts) > _PARTS else []
    return Text("; ".join([*shown, *more]), "dim")


def _also(clauses: Sequence[Clause]) -> str:
    named = "; ".join(" ".join(filter(None, (one.source, one.section))) for one in clauses[:_NAMED])
    more = f"; and {len(clauses) - _NAMED} more" if len(clauses) > _NAMED else ""
    return f"also in {named}{more}"
