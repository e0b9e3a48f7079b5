"""Clause models by cross-validation over queries: the ablation, and the second protocol, nested over all queries.

study_clause_models(data, folder, encoder, cache, seed, say) -> the table's text

Nothing of the ablation sees the test split. The nested figures are over all queries, each ranked by a model that was
chosen and trained without its fold; the glossary is fixed, and was written with the wording of all queries known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache as once
from pathlib import Path
from urllib.parse import quote

import numpy as np

from lawng.annotation.ratings import SPLITS
from lawng.clauses.meaning.clause_annotation import edition
from lawng.clauses.meaning.match_features import MATCH_FEATURES, STYLE_FEATURES
from lawng.clauses.ranking.features import FEATURES, ClauseFeatures
from lawng.clauses.ranking.trained import RankingOptions, fit_ranking
from lawng.evaluation.measures import NDCG, STARS, graded_measures, judged_run, mean_of, star_precision
from lawng.evaluation.runs import write_run
from lawng.evaluation.statistics import bootstrap, difference
from lawng.extras import explained
from lawng.io import check_place, write_text
from lawng.io.progress import Progress, progress_bar, silent
from lawng.models.find import slug
from lawng.models.protocols import Embedder
from lawng.models.vector_cache import CachedEncoder
from lawng.reports.grid import Grid, to_csv
from lawng.schema import Judgement, ScoredDoc
from lawng.studies.acord.clause_model import Graded, digest_of, graded, queries_of
from lawng.studies.acord.data import read_acord
from lawng.studies.acord.panel import reader_state
from lawng.studies.harness import Harness, Say, TrecStore, texts_digest
from lawng.studies.tables import percent, shown

MEASURES = (*NDCG, *(star_precision(stars) for stars in STARS))
HEADS = (*NDCG, *(f"P@5 of {stars} stars" for stars in STARS))
MANIFEST = "clauses.csv"
FOLDS = 10
INNER = 5

GRID = tuple(
    RankingOptions(rounds=rounds, leaves=leaves, reading=reading, bags=1)
    for rounds in (60, 120)
    for leaves in (4, 8)
    for reading in (0.0, 0.2, 0.5)
)
"""What nested cross-validation chooses from."""

ABLATIONS: Mapping[str, tuple[str, ...]] = {
    "all": (),
    "without the clause's manner": STYLE_FEATURES,
    "without neighbours and feedback": ("neighbours", "feedback"),
    "without whom a clause favours": tuple(name for name in MATCH_FEATURES if name.startswith(("favours", "guards"))),
    "without exceptions": tuple(name for name in MATCH_FEATURES if "except" in name),
    "without the glossary's fit": MATCH_FEATURES,
    "without expansion by the glossary": ("bm25 expanded", "cosine of meaning"),
}
"""Features that are left out; `reading` keeps all of its parts."""
WORDS_ONLY = tuple(name for name in FEATURES if name not in {"bm25", "cosine", *STYLE_FEATURES})
"""Left out by a model that knows BM25, the cosine and the clause's manner, and nothing of the glossary."""


def folds_of(queries: Sequence[str], n: int, seed: int) -> list[list[str]]:
    """The queries in `n` parts of nearly equal size, at random by the seed.

    >>> sorted(map(len, folds_of(list("abcde"), 2, 7)))
    [2, 3]
    """
    order = np.random.default_rng(seed).permutation(len(queries))
    return [part for at in range(n) if (part := [queries[place] for place in order[at::n]])]


def cross_validated(
    known: Graded, options: RankingOptions, folds: int = FOLDS, seed: int = 7, queries: Sequence[str] | None = None
) -> list[ScoredDoc]:
    """A run in which each query is ranked by a model that was trained on the queries of the other folds."""
    parts = folds_of(sorted(known.examples if queries is None else queries), folds, seed)
    found = []
    for part in parts:
        rest = [query for other in parts if other is not part for query in other]
        ranking = fit_ranking([known.examples[query] for query in rest], options)
        found += [row for query in part for row in known.run(query, ranking)]
    return found


def nested(  # noqa: PLR0913, PLR0917 (what it is run with)
    known: Graded,
    judgements: Sequence[Judgement],
    grid: Sequence[RankingOptions] = GRID,
    bags: int = 3,
    seed: int = 7,
    progress: Progress = silent,
) -> list[ScoredDoc]:
    """Each query is ranked by a model whose options were chosen, by NDCG@10, without its fold.

    The options are chosen by cross-validation inside the other folds; the chosen ones are then trained on these with
    `bags` seeds. `judgements` are those of the queries.
    """
    parts = folds_of(sorted(known.examples), FOLDS, seed)
    run = []
    for done, part in enumerate(parts, 1):
        rest = [query for other in parts if other is not part for query in other]
        best = max(grid, key=lambda options: _inner(known, judgements, options, rest, seed))
        ranking = fit_ranking([known.examples[query] for query in rest], replace(best, bags=bags))
        run += [row for query in part for row in known.run(query, ranking)]
        progress(done, len(parts))
    return run


def reading_run(known: Graded) -> list[ScoredDoc]:
    """The untrained ranking of the same queries."""
    place = FEATURES.index("reading")
    return [row for query, example in known.examples.items() for row in known.scored(query, example.features[:, place])]


def _inner(
    known: Graded, judgements: Sequence[Judgement], options: RankingOptions, queries: Sequence[str], seed: int
) -> float:
    run = cross_validated(known, options, INNER, seed, queries)
    wanted = set(queries)
    return mean_of(graded_measures(run, [row for row in judgements if row.query_id in wanted])[NDCG[1]])


@explained()
def study_clause_models(  # noqa: PLR0913, PLR0917 (what it is run with)
    data: Path, folder: Path, encoder: Embedder, cache: Path, seed: int, say: Say
) -> str:
    """Run both protocols and write their table into a folder; the table as text. Finished runs are kept in `cache`.

    Raises InputError when the data cannot be read or the folder is something else's.
    """
    check_place(folder, MANIFEST, "study of clause models")
    acord = read_acord(data)

    @once
    def features() -> ClauseFeatures:
        with progress_bar("clauses encoded") as progress:
            return ClauseFeatures(list(acord.clauses.values()), CachedEncoder(cache, encoder), progress)

    @once
    def known(*splits: str) -> Graded:
        return graded(acord, queries_of(acord, *splits), features())

    texts = texts_digest([*acord.clauses, *acord.clauses.values(), *(query.text for query in acord.queries.values())])
    about = {"acord": [digest_of(acord), texts], "encoder": [encoder.name, encoder.state], "seed": seed}
    about |= {"glossary": edition(), "reader": reader_state(), "splits": [queries_of(acord, split) for split in SPLITS]}
    harness = Harness(cache / "clause-study", TrecStore(quoted=True), __name__)

    def runs(protocol: str, systems: Mapping[str, Callable[[], list[ScoredDoc]]]) -> dict[str, list[ScoredDoc]]:
        return {name: harness.cell(f"{protocol}/{slug(name)}", about, make).rows() for name, make in systems.items()}

    say("Ablation: ten folds of the train and valid queries.")
    ablation = runs("ablation", _ablation(lambda: known("train", "valid"), len(acord.clauses), seed))
    say("Nested cross-validation over all queries; this takes minutes.")
    judgements = acord.of(*SPLITS)
    whole = runs("nested", _nested(lambda: known(*SPLITS), judgements, seed))
    rows = _rows("10-fold, train and valid", acord.of("train", "valid"), ablation, "all", seed)
    rows += _rows("nested, all queries", judgements, whole, "nested", seed)
    return _write(folder, rows, whole["nested"])


Values = dict[str, dict[str, float]]
Systems = Mapping[str, Callable[[], list[ScoredDoc]]]


def _ablation(known: Callable[[], Graded], n_clauses: int, seed: int) -> Systems:
    def variant(left_out: tuple[str, ...]) -> Callable[[], list[ScoredDoc]]:
        options = RankingOptions(left_out=left_out)
        if left_out == WORDS_ONLY:  # what the reading puts first is the glossary's work as well
            options = replace(options, reading=0.0, considered=n_clauses)
        return lambda: cross_validated(known(), options, seed=seed)

    variants = {**ABLATIONS, "words, meaning and manner alone": WORDS_ONLY}
    first: dict[str, Callable[[], list[ScoredDoc]]] = {"untrained reading": lambda: reading_run(known())}
    return first | {name: variant(left_out) for name, left_out in variants.items()}


def _nested(known: Callable[[], Graded], judgements: Sequence[Judgement], seed: int) -> Systems:
    def chosen() -> list[ScoredDoc]:
        with progress_bar("outer folds") as progress:
            return nested(known(), judgements, seed=seed, progress=progress)

    return {"nested": chosen, "untrained reading": lambda: reading_run(known())}


def _write(folder: Path, rows: list[list[str]], run: Sequence[ScoredDoc]) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    write_run(folder / "nested.run", [ScoredDoc(quote(row.query_id), row.doc_id, row.score) for row in run], "nested")
    columns = ["protocol", "system", *HEADS, f"{NDCG[1]}, 95 %", f"against its first row ({NDCG[1]})"]
    grid = Grid("Clause models by cross-validation, in %", columns, rows, frozenset({0, 1}))
    write_text(folder / "clauses.txt", shown(grid) + "\n")
    write_text(folder / MANIFEST, to_csv(grid.columns, grid.rows))
    return shown(grid) + "\n"


def _rows(
    protocol: str, judgements: Sequence[Judgement], runs: dict[str, list[ScoredDoc]], first: str, seed: int
) -> list[list[str]]:
    values = {name: graded_measures(judged_run(run, judgements), judgements) for name, run in runs.items()}
    order = [first, *(name for name in values if name != first)]
    return [[protocol, name, *_cells(values[name], values[first], name == first, seed)] for name in order]


def _cells(values: Values, base: Values, is_base: bool, seed: int) -> list[str]:
    means = [percent(mean_of(values[measure])) for measure in MEASURES]
    own, other = ([found[NDCG[1]][query] for query in base[NDCG[1]]] for found in (values, base))
    low, high = bootstrap(own, seed)
    gap = difference(own, other, seed)
    ends = f"{100 * gap.interval.low:+.1f} to {100 * gap.interval.high:+.1f}"
    against = "" if is_base else f"{100 * gap.mean:+.1f} ({ends})"
    return [*means, f"{100 * low:.1f} to {100 * high:.1f}", against]
