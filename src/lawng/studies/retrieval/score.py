"""From stored runs to recall, differences, tables and plots: nothing here asks a model, so it can be done again."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from lawng.evaluation.measures import ranks
from lawng.io import write_text
from lawng.reports.grid import to_csv
from lawng.schema import ScoredDoc
from lawng.studies.harness import Cell, SystemLabel
from lawng.studies.plots import Curve, line_plot
from lawng.studies.retrieval.collection import SAYING, STANCES, Query, judgements
from lawng.studies.retrieval.paper import KS, RERANKED
from lawng.studies.retrieval.tables import Recall
from lawng.studies.tables import Draws, compared

OURS = "lawng search"


class Run(NamedTuple):
    """A stored run and what it is of."""

    cell: Cell[ScoredDoc]
    setting: str
    label: SystemLabel
    base: str
    """Tag of what was re-ranked, "" for a first ranking."""
    asked: frozenset[str]
    """Ids of the queries that the system was asked; those that it answered with nothing count 0."""


class Outcome(NamedTuple):
    """Ranks of the targets in one run, None where the run lacks them."""

    run: Run
    ranks: Mapping[str, int | None]

    def of(self, queries: Iterable[Query]) -> list[int | None]:
        """Those of some queries that were asked."""
        return [self.ranks[query.query_id] for query in queries if query.query_id in self.ranks]

    def asked_all(self, queries: Iterable[Query]) -> bool:
        """Whether the run answers all of them."""
        return all(query.query_id in self.ranks for query in queries)


Subsets = Mapping[str, Callable[[Query], bool]]


def subsets_of(held_out: Callable[[str], bool], drawn: Collection[str] | None) -> dict[str, Callable[[Query], bool]]:
    """The subsets that are reported: all queries, those that say something, and of both what nothing was tuned on.

    `held_out` tells of a cited case whether it is in the half that weights and models have not seen. `drawn` are the
    candidates of the sample that slow systems were asked: the same subsets again within it.
    """
    subsets: dict[str, Callable[[Query], bool]] = {
        "all queries": lambda query: True,
        "explanatory and quotation": lambda query: query.kind in SAYING,
        "held-out half": lambda query: held_out(query.target_case),
        "held-out half, explanatory and quotation": lambda query: held_out(query.target_case) and query.kind in SAYING,
    }

    def within(wanted: Callable[[Query], bool], some: Collection[str]) -> Callable[[Query], bool]:
        return lambda query: query.candidate_id in some and wanted(query)

    of_sample = {} if drawn is None else {f"sample, {name}": within(wanted, drawn) for name, wanted in subsets.items()}
    return subsets | of_sample


def outcomes_of(runs: Iterable[Run], queries: Sequence[Query]) -> list[Outcome]:
    """Read the runs and find the targets in them."""
    return [
        Outcome(run, ranks(run.cell.rows(), judgements([q for q in queries if q.query_id in run.asked])))
        for run in runs
    ]


def recalls(outcomes: Sequence[Outcome], queries: Sequence[Query], subsets: Subsets) -> list[Recall]:
    """Recall of every run, by subset and stance; systems that were not asked all of a subset's queries are left out."""
    rows = []
    for subset, wanted in subsets.items():
        for stance in STANCES:
            own = [query for query in queries if query.stance == stance and wanted(query)]
            rows += [_recall_of(one, own, subset, stance) for one in outcomes if own and one.asked_all(own)]
    return rows


def _recall_of(outcome: Outcome, queries: Sequence[Query], subset: str, stance: str) -> Recall:
    found = [rank for rank in outcome.of(queries) if rank is not None]
    return Recall(
        setting=outcome.run.setting,
        subset=subset,
        stance=stance,
        system=outcome.run.label.system,
        view=outcome.run.label.other,
        base=outcome.run.base,
        n=len(queries),
        hits={k: sum(rank <= k for rank in found) for k in KS},
        reached=len(found),
        reciprocal=sum(1 / rank for rank in found) / len(queries),
    )


_COLUMNS = (
    *("setting", "subset", "stance", "system", "view", "against", "against_view", "k", "n", "difference"),
    *("low", "high", "p_bootstrap", "only_system", "only_against", "p_mcnemar", "p_holm"),
)


def write_differences(
    path: Path, outcomes: Sequence[Outcome], queries: Sequence[Query], subsets: Subsets, draws: Draws
) -> list[list[str]]:
    """Our search against every other first ranking on the same queries, each k; Holm over the others; the CSV's rows.

    Intervals resample cited cases, since queries about one case are not independent.
    """
    rows: list[list[str]] = []
    for setting in dict.fromkeys(outcome.run.setting for outcome in outcomes):
        firsts = [o for o in outcomes if o.run.setting == setting and not o.run.base]
        ours = next((o for o in firsts if o.run.label.system == OURS), None)
        for subset, wanted in subsets.items() if ours else ():
            for stance in (*STANCES, "both"):
                asked = [q for q in queries if wanted(q) and stance in (q.stance, "both")]
                others = [o for o in firsts if o is not ours]
                rows += _compared(ours, others, asked, (setting, subset, stance), draws) if ours else []
    write_text(path, to_csv(_COLUMNS, rows))
    return rows


def _compared(
    ours: Outcome, others: Sequence[Outcome], queries: Sequence[Query], names: tuple[str, str, str], draws: Draws
) -> list[list[str]]:
    rows = []
    by_tag = {other.run.label.name: other for other in others}
    shared = {
        name: [query for query in queries if ours.of([query]) and one.of([query])] for name, one in by_tag.items()
    }
    cases = {name: [query.target_case for query in some] for name, some in shared.items()}
    for k in KS:
        pairs = {name: (_hits(ours, some, k), _hits(by_tag[name], some, k)) for name, some in shared.items()}
        for one in compared(pairs, draws, exact=True, clusters=cases):
            numbers = [one.gap.mean, one.gap.interval.low, one.gap.interval.high, one.gap.p]
            assert one.test is not None
            counts = [str(one.test.only_a), str(one.test.only_b), f"{one.test.p:.6g}", f"{one.p_holm:.6g}"]
            labels = [
                label for run in (ours.run, by_tag[one.name].run) for label in (run.label.system, run.label.other)
            ]
            rows.append([*names, *labels, str(k), str(one.n), *(f"{number:.6f}" for number in numbers), *counts])
    return rows


def _hits(outcome: Outcome, queries: Sequence[Query], k: int) -> list[float]:
    return [float(rank is not None and rank <= k) for rank in outcome.of(queries)]


_PLOTTED = ("all queries", "explanatory and quotation", "sample, all queries")
"""Subsets that get a picture; the tables have all."""


def write_plots(folder: Path, outcomes: Sequence[Outcome], queries: Sequence[Query], subsets: Subsets) -> None:
    """Recall by k of all first rankings: a picture for each setting and each of `_PLOTTED`."""
    folder.mkdir(parents=True, exist_ok=True)
    for setting in dict.fromkeys(outcome.run.setting for outcome in outcomes):
        firsts = [one for one in outcomes if one.run.setting == setting and not one.run.base]
        for subset, wanted in ((name, subsets[name]) for name in _PLOTTED if name in subsets):
            panels = {}
            for stance in STANCES:
                asked = [query for query in queries if query.stance == stance and wanted(query)]
                answered = [one for one in firsts if asked and one.asked_all(asked)]
                panels[stance] = {_curve_name(one.run.label): _curve(one, asked) for one in answered}
            name = f"recall-{setting}-{subset.replace(', ', '-').replace(' ', '-')}"
            if drawn := {stance: curves for stance, curves in panels.items() if curves}:
                line_plot(drawn, f"Recall by k: {setting}, {subset}", folder / name, _dress)


def _curve_name(label: SystemLabel) -> str:
    view = {"long": "whole", "five": "five paragraphs"}.get(label.other)
    return f"{label.system}, {view}" if view else label.system


def _curve(outcome: Outcome, asked: Sequence[Query]) -> Curve:
    ks = range(1, RERANKED + 1)
    return ks, [sum(_hits(outcome, asked, k)) / len(asked) for k in ks]


def _dress(axis: Any) -> None:
    """Recall against k on a logarithmic scale."""
    most = max((len(line.get_xdata()) for line in axis.get_lines()), default=1)
    ends = [k for k in (1, 2, 5, 10, 20, 50, 100) if k <= most]
    axis.set_xscale("log")
    axis.set_xticks(ends, [str(k) for k in ends])
    axis.minorticks_off()
    axis.set_ylim(0, 1)
    axis.set_xlabel("k")
    axis.set_ylabel("Recall@k")
