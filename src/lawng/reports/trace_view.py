"""A record's way as panels that a lawyer can read: source first, then every decision, then the result."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from lawng.reports.funnel import TITLES
from lawng.reports.trace import Passed, Way
from lawng.schema.dataset import AGAIN

AROUND = 500
"""Characters of the opinion shown on either side of a citation."""

SHOWN = 1_500
"""Characters shown of a cited page, unless the whole is asked for."""

_COLOURS = {"entailment": "green", "neutral": "yellow", "contradiction": "red"}


def way_panels(way: Way, full: bool = False) -> Iterator[RenderableType]:
    """The panels of a way, in reading order; with `full`, texts are not shortened."""
    yield Text(way.id, style="bold")
    if way.citation or way.candidate:
        yield _panel("The citing page", _citing(way, full))
        yield _panel("The citation", _citation(way))
    if way.candidate:
        yield _panel("The cited pages", _cited(way, full))
    yield _panel("What was done", _decisions(way))
    if way.rows:
        spaced = [part for row in way.rows for part in (Text(""), _example(row))]
        yield _panel("The examples", Group(*spaced[1:]))
    if paired := next((passed.row for passed in way.passed if "alternative" in passed.row), None):
        yield _panel("The neutral re-pairing", _neutral(paired, way))


def _panel(title: str, content: RenderableType) -> Panel:
    return Panel(content, title=Text(title, "bold"), title_align="left", box=box.ROUNDED, border_style="blue")


def _citing(way: Way, full: bool) -> RenderableType:
    case_id = (way.candidate or {}).get("citing_case_id") or (way.citing_opinion or {}).get("case_id")
    head = Text(_case(way, case_id, way.id.rpartition("/")[0]), style="bold")
    if page := (way.candidate or {}).get("citing_page"):
        head.append(f", page {page}", style="")
    if way.citing_opinion is None or way.citation is None:
        shortened = f"... {(way.candidate or {}).get('context', '')} ..."
        return Group(head, Text(shortened), Text("Name the corpus with --corpus to read the whole paragraph.", "dim"))
    head.append(f" ({way.citing_opinion['type']}{', ' + author if (author := way.citing_opinion['author']) else ''})")
    return Group(head, passage(way.citing_opinion, way.citation, full))


def passage(opinion: dict[str, Any], citation: dict[str, Any], full: bool) -> Text:
    """The paragraphs that the citation stands in, its words in colour and its parentheticals in bold."""
    start, end = citation["full_start"], citation["full_end"]
    inside = [p for p in opinion["paragraphs"] if p["end"] > start and p["start"] < end]
    left = min([p["start"] for p in inside], default=start)
    right = max([p["end"] for p in inside], default=end)
    if not full:
        left, right = max(left, start - AROUND), min(right, end + AROUND)
    text = opinion["text"]
    before = text[left:start] if any(p["start"] == left for p in inside) else _dotted(text[left:start])
    after = text[end:right] if any(p["end"] == right for p in inside) else _dotted(text[end:right][::-1])[::-1]
    shift = len(before) - start
    shown = Text(before + text[start:end] + after)
    shown.stylize("cyan", start + shift, end + shift)
    for parenthetical in citation["parentheticals"]:
        shown.stylize("bold", parenthetical["start"] + shift, parenthetical["end"] + shift)
    return shown


def _dotted(words: str) -> str:
    """Words that were cut at the front, from the first whole one."""
    return "... " + words.partition(" ")[2]


def _citation(way: Way) -> RenderableType:
    citation = way.citation
    if citation is None:
        return _pairs([("parenthetical", way.candidate["hypothesis"])] if way.candidate else [])
    stands_for = citation["resolved_cite"] or "not resolved"
    return _pairs(
        [
            ("as written", f"{citation['cite']} ({citation['form']})"),
            ("stands for", _case(way, citation["cited_case_id"], "") + f" {stands_for}"),
            ("pin", citation["pin_cite"] or "none"),
            ("signal", citation["signal"] or "none"),
            *([("case history", citation["history"])] if citation["history"] else []),
            *((f"({one['kind']})", one["text"]) for one in citation["parentheticals"]),
        ]
    )


def _cited(way: Way, full: bool) -> RenderableType:
    candidate = way.candidate or {}
    pages = ", ".join(map(str, candidate["pin_pages"]))
    name = _case(way, candidate["cited_case_id"], candidate["cited_case_id"])
    head = Text(f"{name}, {candidate['cited_cite']}, at {pages}", style="bold")
    if not way.cited_text:
        return Group(head, Text("The text is not in the build; name the corpus with --corpus to read it.", "dim"))
    text = way.cited_text.strip()
    if not full and len(text) > SHOWN:
        text = f"{text[:SHOWN]} [... {len(text) - SHOWN:,} more characters; --full]"
    return Group(head, Text(text))


def _decisions(way: Way) -> RenderableType:
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    known: dict[str, str] = {}
    for stage in sorted({*(p.stage for p in way.passed), *(r["folder"] for r in way.rejects)}):
        name = TITLES.get(stage, stage)
        for passed in (p for p in way.passed if p.stage == stage):
            table.add_row(Text("passed", "green"), name, Text(_news(passed, known)))
        for reject in (r for r in way.rejects if r["folder"] == stage):
            why = f"{reject['stage']}: {reject['reason']}" + (f" ({reject['detail']})" if reject["detail"] else "")
            table.add_row(Text("dropped", "bold red"), name, Text(why))
    for step in dict.fromkeys(step for example in way.examples for step in example["steps"]):
        table.add_row(Text("changed", "cyan"), "The hypothesis", Text(step))
    return table


def _news(passed: Passed, known: dict[str, str]) -> str:
    """What a stage found or changed: the hypothesis, its negation, its label, where they are not as before."""
    row = passed.row.get("item") or passed.row
    facts = {key: str(row[key]) for key in ("hypothesis", "flipped", "label") if row.get(key)}
    if "pivotal_negation" in row:
        facts["pivotal negation"] = "yes" if row["pivotal_negation"] else "no"
    news = {key: value for key, value in facts.items() if known.get(key) != value}
    known.update(news)
    return "\n".join(f"{'negated' if key == 'flipped' else key}: {value}" for key, value in news.items())


def _example(row: dict[str, Any]) -> RenderableType:
    head = Text(row["label"], style=f"bold {_COLOURS.get(row['label'], '')}")
    whose = "the cited case" if row["premise_case_id"] == row["cited_case_id"] else "re-paired by neutralisation"
    tokens = f"{row['tokens_short']:,} short, {row['tokens_long']:,} long, {row['tokens_hypothesis']:,} hypothesis"
    return _pairs(
        [
            ("twin" if row["is_twin"] else "original", head),
            ("hypothesis", row["hypothesis"]),
            ("negation", "pivotal" if row["pivotal_negation"] else "none that is pivotal"),
            ("premise", f"{row['premise_case_name']}, {_pages(row['premise_pages'])} ({whose})"),
            ("tokens", tokens),
            ("split", row["split"] + (", in the analysis subset" if row["analysis"] else "")),
            ("id", row["id"]),
        ]
    )


def _pages(pages: list[int]) -> str:
    return f"page{'s' if len(pages) > 1 else ''} {', '.join(map(str, pages))}"


def _neutral(paired: dict[str, Any], way: Way) -> RenderableType:
    other = paired["alternative"]
    again = [one for one in (example["example_id"] for example in way.examples) if f":{AGAIN}:" in one]
    used = paired["premise"]["candidate_id"] == other["candidate_id"]
    how = f"yes: {' and '.join(again)}" if again else "yes: the example is neutral" if used else ""
    return _pairs(
        [
            ("best other premise", f"{_case(way, other['case_id'], other['case_id'])}, {_pages(other['pin_pages'])}"),
            ("made for", other["candidate_id"]),
            ("used", how or "no: found for every label, to balance attrition"),
            ("cut by the model", "yes" if paired["truncated"] else "no"),
        ]
    )


def _case(way: Way, case_id: str | None, otherwise: str) -> str:
    """The case's name, court and date as far as they are known."""
    if case := way.cases.get(case_id or ""):
        return f"{case['name']} ({case['court']} {case['date'][:4]})"
    for row in way.rows:
        for role in ("citing", "cited", "premise"):
            if case_id and row[f"{role}_case_id"] == case_id:
                return str(row[f"{role}_case_name"])
    return case_id or otherwise


def _pairs(rows: Iterable[tuple[str, str | Text]]) -> Table:
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    for row in rows:
        table.add_row(*row)
    return table
