"""An answer as a person reads it in a terminal."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rich.console import Console, Group, RenderableType
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from lawng.cli.talk import on_one_line
from lawng.corpus.names import short_name
from lawng.index.descriptions import CITING, contrary
from lawng.search.answer import LISTS, Answer, DescriptionHit, Hit, PassageHit
from lawng.search.stance import deciding

_TITLES = {
    "named": "Named in the argument",
    "supporting": "Supporting",
    "refuting": "Refuting",
    "undecided": "Undecided",
    "unjudged": "Cases found (stance not judged)",
}
_SIDES = {"entailment": "supports", "contradiction": "refutes", "neutral": "undecided"}
_STYLES = {"entailment": "green", "contradiction": "red", "neutral": "yellow"}
_FULL_STOP = re.compile(r"(?<=\w{3})\.$")
_PASSAGES, _DESCRIPTIONS = 1, 2
"""Shown of each hit; `--to jsonl` has them all."""


def show(answer: Answer, explain: bool, lists: Sequence[str], console: Console) -> None:
    """Print the lists of an answer; lists that every answer of its kind has are shown empty as well."""
    expected = ("supporting", "refuting") if answer.stance_model else ()
    for name in (one for one in LISTS if one in lists):
        hits: list[Hit] = getattr(answer, name)
        if hits or name in expected:
            console.print(Rule(Text(f" {_TITLES[name]} ({len(hits)}) ", "bold"), align="left", style="dim"))
            for rank, hit in enumerate(hits, 1):
                console.print(_hit(rank, hit, explain))
            console.print()


def _hit(rank: int, hit: Hit, explain: bool) -> RenderableType:
    passages = [_passage(one, explain) for one in hit.passages[:_PASSAGES]]
    descriptions = [_description(one, explain) for one in hit.descriptions[:_DESCRIPTIONS]]
    first = isinstance(deciding(hit), DescriptionHit)  # what decided stands above
    below: list[Text] = [*(descriptions + passages if first else passages + descriptions), *_judged(hit)]
    if explain:
        below.append(_scores(hit))
    row = Table.grid(padding=(0, 2, 0, 0))
    flag = [on_one_line(Text(hit.flag[0].upper() + hit.flag[1:], "bold red"))] if hit.flag else []
    row.add_row(Text(f"{rank:>2}", "dim"), Group(_head(hit), *flag, *below))
    return row


def _head(hit: Hit) -> Text:
    head = Text()
    head.append(short_name(hit.case.name), "bold")
    head.append("".join(f", {cite}" for cite in hit.case.citations[:1]))
    head.append(f"  {hit.case.court or 'court not known'}, {hit.case.date or 'date not known'}", "dim")
    if hit.stance:
        side = str(hit.side)
        value = hit.stance.neutral if side == "neutral" else hit.stance.decided
        head.append(f"  {_SIDES[side]} {value:.2f}", _STYLES[side])
    return on_one_line(head)


def _passage(one: PassageHit, explain: bool) -> Text:
    """The quoted sentences with the argument's words bold, and where they stand."""
    start, end = one.quoted
    text = Text(one.passage.text)
    for a, b in one.highlights:
        text.stylize("bold", a, b)
    shown = Text("“") + text[start:end] + Text("”")
    shown = on_one_line(shown)
    shown.append(f" ({_place(one)}){_by_ranker(one.scores, explain)}", "dim")
    return shown


def _place(one: PassageHit) -> str:
    passage = one.passage
    pages = "–".join(dict.fromkeys(page for page in (passage.first_page, passage.last_page) if page))
    author = _FULL_STOP.sub("", passage.author)
    said = f"{passage.part}, {author}" if author else passage.part
    return f"at {pages}; {said}" if pages else said


def _description(one: DescriptionHit, explain: bool) -> Text:
    it = one.description
    how = "Described so" if it.kind != CITING else "Cited beside this" if contrary(it) else "Cited for this"
    line = Text(f"{how} by ", "dim")
    line.append(f"{short_name(it.citing_name)}{f', {it.citing_cite}' if it.citing_cite else ''}", "dim italic")
    line.append(f" ({it.citing_date[:4]})" if it.citing_date else "", "dim")
    line.append(f" at {it.citing_page}" if it.citing_page else "", "dim")
    line.append(f", {it.citing_part}" if it.citing_part != "majority" else "", "dim")
    line.append(f", {it.signal}" if it.signal else "", "dim")
    line.append(": ", "dim").append(it.text)
    line.append(_by_ranker(one.scores, explain), "dim")
    return on_one_line(line)


def _judged(hit: Hit) -> Iterator[Text]:
    """What the stance was computed from, and how much was read."""
    one = deciding(hit)
    if one is None or hit.stance is None:
        return
    if isinstance(one, PassageHit):
        what = f"the passage {_place(one)}"
    else:
        page = f" at {one.description.citing_page}" if one.description.citing_page else ""
        what = f"what {short_name(one.description.citing_name)}{page} says of it, above"
    cut = f", of which {hit.stance.read:.0%} was read" if hit.stance.read < 1 else ""
    read = f"{hit.words_read:,} of the case's {hit.case.n_words:,} words read"
    why = f" Undecided: {hit.why_undecided}." if hit.why_undecided else ""
    yield Text(f"Judged by {what}{cut}; {read}.{why}", "dim")


def _scores(hit: Hit) -> Text:
    parts = ", ".join(f"{ranker} {score:.3f}" for ranker, score in hit.scores.items()) or "none"
    line = f"Score {hit.score:.3f} = {parts}; found by {', '.join(hit.found_by) or 'none'}; {hit.case.case_id}"
    if hit.stance:
        s = hit.stance
        line += f"; entailment {s.entailment:.3f}, neutral {s.neutral:.3f}, contradiction {s.contradiction:.3f}"
        line += f"; order {hit.standing:.3f}"
    return Text(line, "cyan")


def _by_ranker(scores: dict[str, float], explain: bool) -> str:
    if not explain or not scores:
        return ""
    return " [" + ", ".join(f"{ranker} {score:.3f}" for ranker, score in scores.items()) + "]"
