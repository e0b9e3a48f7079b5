"""Clause models by cross-validation: the ablation, and the second protocol, nested over all queries.

study_clause_models(data, folder, encoder, cache, seed, say) -> the table's text

Nothing of the ablation sees the test split. The nested figures are over all queries, each ranked by a model that was
chosen and trained without its fold; the glossary is fixed, and was written with the wording of all queries known.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

from lawng.clauses.ranking.features import ClauseFeatures
from lawng.clauses.ranking.trained import RankingOptions
from lawng.engine.aside import check_place
from lawng.evaluation.graded import NDCG, STARS, graded_measures, judged_run, mean_of, star_precision
from lawng.evaluation.intervals import bootstrap
from lawng.evaluation.paired import difference
from lawng.evaluation.runs import write_run
from lawng.extras import explained
from lawng.models.encoder import Embedder
from lawng.models.kept import KeptEncoder
from lawng.records import Judgement, ScoredDoc
from lawng.reports.builds import write_text
from lawng.reports.grid import Grid
from lawng.reports.recall import to_csv
from lawng.studies.acord.clause_model import Graded, graded, queries_of
from lawng.studies.acord.crossval import ABLATIONS, WORDS_ONLY, cross_validated, nested, reading_run
from lawng.studies.acord.data import SPLITS, Acord, read_acord
from lawng.studies.acord.tables.layout import shown
from lawng.studies.bars import bar

MEASURES = (*NDCG, *(star_precision(stars) for stars in STARS))
MANIFEST = "clauses.csv"
Say = Callable[[str], None]
Values = dict[str, dict[str, float]]


@explained()
def study_clause_models(  # noqa: PLR0913, PLR0917 (what it is run with)
    data: Path, folder: Path, encoder: Embedder, cache: Path, seed: int, say: Say
) -> str:
    """Run both protocols and write their table into a folder; the table as text.

    Raises InputError when the data cannot be read or the folder is something else's.
    """
    check_place(folder, MANIFEST, "study of clause models")
    acord = read_acord(data)
    with bar("clauses encoded") as progress:
        features = ClauseFeatures(list(acord.clauses.values()), KeptEncoder(cache, encoder), progress)
    say("Ablation: ten folds of the train and valid queries.")
    rows = _ablation(acord, graded(acord, queries_of(acord, "train", "valid"), features), seed)
    say("Nested cross-validation over all queries; this takes minutes.")
    known = graded(acord, queries_of(acord, *SPLITS), features)
    more, run = _nested(acord, known, seed)
    folder.mkdir(parents=True, exist_ok=True)
    write_run(folder / "nested.run", [ScoredDoc(quote(row.query_id), row.doc_id, row.score) for row in run], "nested")
    columns = ["protocol", "system", *MEASURES, f"{NDCG[1]}, 95 %", f"against its first row ({NDCG[1]})"]
    grid = Grid("Clause models by cross-validation, in %", columns, [*rows, *more], frozenset({0, 1}))
    write_text(folder / "clauses.txt", shown(grid) + "\n")
    write_text(folder / MANIFEST, to_csv(grid.columns, grid.rows))
    return shown(grid) + "\n"


def _ablation(acord: Acord, known: Graded, seed: int) -> list[list[str]]:
    judgements = acord.of("train", "valid")
    runs = {"untrained reading": reading_run(known)}
    for name, left_out in {**ABLATIONS, "words, meaning and manner alone": WORDS_ONLY}.items():
        options = RankingOptions(left_out=left_out)
        if left_out == WORDS_ONLY:  # what the reading puts first is the glossary's work as well
            options = replace(options, reading=0.0, considered=len(acord.clauses))
        runs[name] = cross_validated(known, options, seed=seed)
    return _rows("10-fold, train and valid", judgements, runs, "all", seed)


def _nested(acord: Acord, known: Graded, seed: int) -> tuple[list[list[str]], list[ScoredDoc]]:
    judgements = acord.of(*SPLITS)
    with bar("outer folds") as progress:
        found = nested(known, judgements, seed=seed, progress=progress)
    runs = {"nested": found.run, "untrained reading": reading_run(known)}
    return _rows("nested, all queries", judgements, runs, "nested", seed), found.run


def _rows(
    protocol: str, judgements: Sequence[Judgement], runs: dict[str, list[ScoredDoc]], first: str, seed: int
) -> list[list[str]]:
    values = {name: graded_measures(judged_run(run, judgements), judgements) for name, run in runs.items()}
    order = [first, *(name for name in values if name != first)]
    return [[protocol, name, *_cells(values[name], values[first], name == first, seed)] for name in order]


def _cells(values: Values, base: Values, is_base: bool, seed: int) -> list[str]:
    means = [f"{100 * mean_of(values[measure]):.1f}" for measure in MEASURES]
    own, other = ([found[NDCG[1]][query] for query in base[NDCG[1]]] for found in (values, base))
    low, high = bootstrap(own, seed)
    gap = difference(own, other, seed)
    ends = f"{100 * gap.interval.low:+.1f} to {100 * gap.interval.high:+.1f}"
    against = "" if is_base else f"{100 * gap.mean:+.1f} ({ends})"
    return [*means, f"{100 * low:.1f} to {100 * high:.1f}", against]
