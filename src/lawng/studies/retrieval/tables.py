"""Recall tables in LawngNLI's layout (tables 17 and 6), as text, LaTeX and CSV."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from lawng.evaluation.statistics import clopper_pearson, deviation_within, larger_deviation
from lawng.io import write_text
from lawng.reports.grid import Grid, latex, plain, to_csv
from lawng.studies.retrieval.paper import KS, N
from lawng.studies.tables import printed

PAPER = printed(Path(__file__).with_name("paper.toml"))
"""Recall@1, 10 and 100 as printed, with blanks between: `table-17` by stance, view and system; `table-6` by stance and
system, after re-ranking the first 100 of all-distilroberta-v1 on five paragraphs."""
LONG, FIVE, PASSAGES = "long", "five", "passages"
"""What a system reads: whole opinions, their five BM25 paragraphs, or an index's passages."""
_HEADS = {"entail": "[Entail hypotheses as queries]", "contradict": "[Contradict hypotheses as queries]"}


@dataclass(frozen=True, slots=True)
class Recall:
    """How often a system has the one relevant document among its first k, over the queries of one stance."""

    setting: str
    """Which pool, and whether the citing case is in it."""
    subset: str
    """Which queries: all, or those of some kind."""
    stance: str
    """`entail` or `contradict`."""
    system: str
    view: str
    base: str
    """What was re-ranked, "" for a first ranking."""
    n: int
    """Queries."""
    hits: Mapping[int, int]
    """By k."""
    reached: int
    """Queries whose document is in the run at all: for re-ranking, in the list that was re-ranked."""
    reciprocal: float
    """Mean reciprocal rank."""

    def printed(self, k: int) -> str:
        """As the paper prints it: the share, and the larger deviation of the Clopper-Pearson bounds from it.

        >>> Recall("", "", "entail", "BM25", "long", "", 1322, {1: 182}, 900, 0.2).printed(1)
        '0.138+/-0.02'
        """
        if not self.n:
            return ""
        return f"{round(self.hits[k] / self.n, 3)}+/-{round(larger_deviation(self.hits[k], self.n), 3)}"


def table_17(rows: Sequence[Recall]) -> Grid:
    """First rankings: each system on whole opinions and on five paragraphs, entail and contradict one below the other.

    Systems that read an index's passages stand in the left half: they read whole opinions, in pieces.
    """
    columns = ["system", *(f"R@{k}" for k in KS), "n", *(f"five: R@{k}" for k in KS), "n"]
    lines: list[list[str]] = []
    for stance, head in _HEADS.items():
        own = [row for row in rows if row.stance == stance]
        lines.append([head, *[""] * (len(columns) - 1)])
        for system in dict.fromkeys(row.system for row in own):
            of_view = {row.view: row for row in own if row.system == system}
            left = of_view.get(LONG) or of_view.get(PASSAGES)
            lines.append([system, *_cells(left), *_cells(of_view.get(FIVE))])
        lines += _printed(PAPER["table-17"][stance], (LONG, FIVE), [str(N)])
    return Grid(_title("Table 17. Recall@k", rows), columns, lines, note=_NOTE)


def table_6(rows: Sequence[Recall]) -> Grid:
    """Re-rankings of one list: entail in the left half, contradict in the right one, as in the paper."""
    columns = ["re-ranked by", *(f"entail: R@{k}" for k in KS), "n", *(f"contradict: R@{k}" for k in KS), "n"]
    lines = []
    for system, view in dict.fromkeys((row.system, row.view) for row in rows):
        found = {row.stance: row for row in rows if (row.system, row.view) == (system, view)}
        name = f"{system} ({view})" if view else system
        lines.append([name, *(cell for stance in _HEADS for cell in _cells(found.get(stance)))])
    lines += _printed(PAPER["table-6"], (*_HEADS,), [""])
    base = rows[0].base if rows else ""
    return Grid(_title(f"Table 6. Recall@k, re-ranking {base}", rows), columns, lines, note=f"{_NOTE} {_NOTE_6}")


_NOTE = (
    "+/- is the larger deviation of the Clopper-Pearson 95 % bounds. Rows with `paper:` are of another corpus "
    "(6.7 million cases): for orientation, not for comparison."
)
_NOTE_6 = (
    "The paper's errors in this table are those within the lists that hold the target, scaled; ours are of all "
    "queries, and the CSV has both."
)


def _title(begin: str, rows: Sequence[Recall]) -> str:
    return f"{begin} ({rows[0].setting}; {rows[0].subset})" if rows else begin


def _cells(row: Recall | None) -> list[str]:
    return [*(row.printed(k) for k in KS), str(row.n)] if row else [""] * (len(KS) + 1)


def _printed(table: Mapping[str, Mapping[str, str]], halves: Sequence[str], n: list[str]) -> list[list[str]]:
    """The paper's rows; `halves` are what stands side by side."""
    return [
        [f"paper: {system}", *(cell for half in halves for cell in (*table[half][system].split(), *n))]
        for system in table[halves[0]]
    ]


def recall_csv(rows: Sequence[Recall]) -> str:
    """All rows, one line for each k, with both bounds and both kinds of error."""
    columns = ["setting", "subset", "stance", "system", "view", "base", "k", "hits", "n", "recall", "low", "high"]
    columns += ["deviation", "deviation_within_list", "reached", "mrr"]
    return to_csv(columns, [_csv_line(row, k) for row in rows for k in KS if row.n])


def _csv_line(row: Recall, k: int) -> list[str]:
    hits = row.hits[k]
    low, high = clopper_pearson(hits, row.n)
    numbers = [hits / row.n, low, high, larger_deviation(hits, row.n), deviation_within(hits, row.reached, row.n)]
    names = [row.setting, row.subset, row.stance, row.system, row.view, row.base]
    counts = [str(k), str(hits), str(row.n)]
    return [*names, *counts, *(f"{number:.6f}" for number in numbers), str(row.reached), f"{row.reciprocal:.6f}"]


def as_text(grids: Sequence[Grid]) -> str:
    """Tables in plain text without columns in which nothing stands, one below the other."""
    shown = []
    for grid in grids:
        kept = [at for at in range(len(grid.columns)) if at == 0 or any(row[at] for row in grid.rows)]
        columns, *rows = ([row[at] for at in kept] for row in (grid.columns, *grid.rows))
        shown.append(plain(replace(grid, columns=columns, rows=rows)))
    return "\n\n\n".join(shown) + "\n"


def write_tables(folder: Path, rows: Sequence[Recall], missing: Sequence[str]) -> None:
    """Tables 17 and 6 as text, LaTeX and CSV; models that could not be had are named below."""
    folder.mkdir(parents=True, exist_ok=True)
    firsts, again = ([row for row in rows if bool(row.base) == wanted] for wanted in (False, True))
    of_17 = map(table_17, _groups(firsts, lambda row: (row.setting, row.subset)))
    of_6 = map(table_6, _groups(again, lambda row: (row.setting, row.subset, row.base)))
    lacking = "".join(f"\nnot to be had: {line}\n" for line in missing)
    for name, own, grids, halves in (
        ("table-17", firsts, list(of_17), ("Long premise", "Five BM25 paragraphs")),
        ("table-6", again, list(of_6), ("Entail", "Contradict")),
    ):
        write_text(folder / f"{name}.txt", as_text(grids) + lacking)
        write_text(folder / f"{name}.tex", "\n\n".join(latex(grid, halves) for grid in grids) + "\n")
        write_text(folder / f"{name}.csv", recall_csv(own))


def _groups(rows: Sequence[Recall], key: Callable[[Recall], tuple[str, ...]]) -> list[list[Recall]]:
    names = dict.fromkeys(key(row) for row in rows)
    return [[row for row in rows if key(row) == name] for name in names]
