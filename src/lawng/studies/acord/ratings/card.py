"""The card of a benchmark made from ratings: what, how many, who rated, how far they agreed, what is missing."""

from __future__ import annotations

from collections import Counter

from lawng import __version__
from lawng.reports.grid import Grid, markdown
from lawng.studies.acord.data import GRADES, SPLITS
from lawng.studies.acord.ratings.result import Benchmark, RatingsResult, number


def card(made: Benchmark, result: RatingsResult) -> str:
    """README.md of the benchmark."""
    parts = [
        _what(made),
        markdown(_sizes(made)),
        _who(made),
        _agreement(result),
        _left_out(result),
        _how(made),
        _LICENCE,
    ]
    return "\n\n".join(parts) + "\n"


_ZEROS = """A clause of two stars or more became an explicit zero for the queries of those categories in which it was
not rated."""
_NO_ZEROS = "No zeros were added across categories."
_LICENCE = """## Licence and source

*To be filled in by the owner: who may use the ratings and the clauses, and where the clauses come from.* Until then
nobody may assume a licence."""


def _what(made: Benchmark) -> str:
    n_queries, n_clauses = len(made.splits), len(made.table.texts)
    n_rated, n_zeros = len(made.in_qrels()), len(made.zeros)
    return f"""# A clause retrieval benchmark from expert ratings

{n_queries} queries over {n_clauses} clauses, {n_rated} rated pairs and {n_zeros} explicit zeros, in the layout of ACORD
(arXiv:2501.06582, C.5): grades are whole stars less one (0-4), **zeros are explicit, and a pair that is not listed was
not judged**: leave it out when you measure. `supplemental/scores.tsv` has the mean stars before rounding."""


def _sizes(made: Benchmark) -> Grid:
    """Queries by split and rated pairs by stars for each category, as table C-3."""
    category_of = {query: row.category for query, row in made.table.queries.items()}
    splits = Counter((category_of[query], split) for query, split in made.splits.items())
    grades = Counter((category_of[row.pair.key.query], row.grade) for row in made.in_qrels())
    zeros = Counter(category_of[key.query] for key in made.zeros)
    stars = sorted(GRADES, reverse=True)
    columns = ["Category", *SPLITS, *(f"{grade + 1}-star" for grade in stars), "zeros across categories"]
    rows = []
    for name in sorted({category_of[query] for query in made.splits}):
        counts = [*(splits[name, split] for split in SPLITS), *(grades[name, grade] for grade in stars), zeros[name]]
        rows.append([name, *map(str, counts)])
    return Grid("Queries by split, rated pairs by stars", columns, rows)


def _who(made: Benchmark) -> str:
    given = Counter(rater for pair in made.table.pairs for rater in pair.stars)
    grid = Grid("Ratings by rater", ["Rater", "Ratings"], [[rater, str(n)] for rater, n in sorted(given.items())])
    return f"## Who rated\n\n{markdown(grid)}"


def _agreement(result: RatingsResult) -> str:
    found = result.agreement
    disputed = f"{found.n_disputed} of the {found.n_pairs}"
    share, alpha, stars = f"{found.disputed_share:.1%}", number(found.alpha), number(found.difference)
    return f"""## How far they agreed

Before the panel met, {disputed} pairs with enough raters ({share}) needed reconciliation: their
stars differed by more than two or disagreed on relevance (3-5 against 1-2). ACORD reports 21 %. Krippendorff's alpha
(ordinal) is {alpha}, the mean difference of two raters {stars} stars. The panel changed {found.n_adjusted} ratings."""


def _left_out(result: RatingsResult) -> str:
    grid = Grid("What became of the ratings", ["", "Ratings", "Pairs"])
    names = [
        "in the qrels",
        "left to the panel (`to-reconcile.csv`)",
        "too few raters",
        "query without a relevant clause",
    ]
    fates = zip(names, result.ratings, result.pairs, strict=True)
    grid.rows.extend([name, str(ratings), str(pairs)] for name, ratings, pairs in fates)
    grid.rows.append(["not usable (`rejects.csv`)", str(result.n_rejected), ""])
    grid.rows.append(["all", str(result.n_read), ""])
    queries = "".join(f"\n* {query}" for query in result.left_out)
    return f"## What is in and what is not\n\n{markdown(grid)}" + (
        f"\n\nQueries left out:\n{queries}" if queries else ""
    )


def _how(made: Benchmark) -> str:
    seed, shares, min_raters, expand = made.settings
    parts = ", ".join(map(str, shares))
    return f"""## How it was made

By lawng {__version__}, `lawng study acord --from-ratings`, as ACORD's labelling process has it (section 3): at least
{min_raters} raters for a pair; disputed pairs adjusted by a panel until they lie within two stars and on one side of
relevance; the score is the mean, rounded to whole stars (4 2/3 is 5, 4 1/3 is 4, a half goes up).
{_ZEROS if expand else _NO_ZEROS}
Queries were split at random (seed {seed}; train, valid, test {parts}), with one of each category in test."""
