"""`lawng search` over contracts and clauses: told apart from an index, asked, shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from lawng.errors import ConfigError, InputError, MissingError

if TYPE_CHECKING:
    from lawng.clauses.answer import ClauseAnswer, ClauseRanker
    from lawng.clauses.collection import Library
    from lawng.clauses.ranking.trained import Ranking
    from lawng.models.encoder import Embedder

_OWN = ("_stage.json", "manifest.json", "stages")
"""What a corpus or a build of lawng's own has: it is no folder of contracts."""


class Asked(NamedTuple):
    """What a search over contracts is asked."""

    query: str
    k: int
    sources: Sequence[str]
    encoder: str | None
    """Name or folder; None is the clause model's or all-MiniLM-L6-v2, "none" is words alone."""
    model: str | None
    """Folder of a clause model; None or "none" is none."""
    rerank: str | None
    """Name or folder of what ranks the best again; None is nothing."""
    depth: int | None
    """How many are ranked again; None is the default."""
    weight: float | None
    """The re-ranker's share of the new order; None is the default."""
    explain: bool
    jsonl: bool


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
    if path.is_dir() and (any(path.glob("*.lance")) or any((path / name).exists() for name in _OWN)):
        return False
    from lawng.clauses.collection import is_library

    return is_library(path)


def refuse(options: Mapping[str, object], what: str) -> None:
    """Say which options were given that mean nothing for a place. Raises InputError when any was."""
    given = [name for name, value in options.items() if value not in (None, "", False)]
    if given:
        raise InputError(f"{', '.join(given)}: mean{'s' if len(given) == 1 else ''} nothing for {what}; leave out")


def search_clauses(place: str, asked: Asked) -> None:
    """Search contracts and print what was found."""
    from lawng.clauses.collection import read_library
    from lawng.clauses.ranking.rankers import cache_folder, clause_ranker
    from lawng.clauses.search import ClauseSearcher, read_query
    from lawng.studies.bars import bar

    read_query(asked.query)  # what is wrong with it is said before anything is loaded
    ranking, trained_with = _ranking(asked)
    again = _reranker(asked)
    with bar("Files read") as files:
        library = read_library(place, progress=files, cache=cache_folder())
    with bar("Clauses prepared") as prepared:
        encoder = _encoder(asked.encoder or trained_with)
        ranker = clause_ranker(library.clauses, encoder, cache_folder(), ranking, prepared)
        ranker.notes += _other_encoder(encoder, trained_with)
    answer = ClauseSearcher(library, ranker=again(ranker)).search(asked.query, asked.k, asked.sources)
    _write(answer, asked)
    _talk(answer, library, asked)


def refuse_clause_model(model: str | None) -> None:
    """See to it that a model for an index is no clause model. Raises InputError when it is one."""
    if model is None or not (Path(model) / "lawng.json").is_file():
        return
    from lawng.clauses.ranking.trained import KIND
    from lawng.models.folder import read_note

    if read_note(Path(model)).get("kind") == KIND:
        raise InputError(f"--model {model}: is a clause model, which ranks contracts; name a stance model for an index")


def _ranking(asked: Asked) -> tuple[Ranking | None, str | None]:
    """The clause model, and the encoder that it was trained with."""
    if asked.model in {None, "none"}:
        return None, None
    from lawng.clauses.ranking.trained import load_ranking

    ranking, note = load_ranking(Path(str(asked.model)))
    if asked.encoder == "none":
        raise ConfigError("--model: a clause model needs an encoder; leave out --encoder none")
    encoder = note.get("encoder")
    return ranking, encoder.get("name") if isinstance(encoder, dict) else None


def _reranker(asked: Asked) -> Callable[[ClauseRanker], ClauseRanker]:
    """What makes a ranking rank its best again, as asked. Raises ConfigError for a depth of nothing."""
    if asked.rerank in {None, "none"}:
        for option, given in (("--depth", asked.depth), ("--weight", asked.weight)):
            if given is not None:
                raise ConfigError(f"{option}: says how --rerank ranks; give both, or leave it out")
        return lambda first: first
    from lawng.clauses.ranking.rerank import DEPTH, WEIGHT, RerankedRanker, clause_reranker

    model = clause_reranker(str(asked.rerank))
    depth, weight = asked.depth or DEPTH, WEIGHT if asked.weight is None else asked.weight
    return lambda first: RerankedRanker(first, model, depth, weight)


def _other_encoder(encoder: Embedder | None, trained_with: str | None) -> tuple[str, ...]:
    """A note where a clause model is given other vectors than it was trained with."""
    from lawng.models.kept import shown_name

    if encoder is None or trained_with is None or shown_name(encoder.name) == shown_name(trained_with):
        return ()
    ours, theirs = shown_name(encoder.name), shown_name(trained_with)
    return (f"The clause model was trained with vectors of {theirs}, not {ours}.",)


def _encoder(given: str | None) -> Embedder | None:
    if given == "none":
        return None
    from lawng.models.find import OFFLINE
    from lawng.models.onnx.encoder import search_embedder

    return search_embedder(given or OFFLINE)


def _write(answer: ClauseAnswer, asked: Asked) -> None:
    from lawng.clauses.answer import rows_of
    from lawng.cli.clauses_view import show
    from lawng.cli.console import SafeConsole
    from lawng.cli.talk import emit_json

    if not asked.jsonl:
        show(answer, asked.explain, SafeConsole())
        return
    for row in rows_of(answer):
        emit_json(row)


def _talk(answer: ClauseAnswer, library: Library, asked: Asked) -> None:
    from lawng.cli.clauses_view import looked_at
    from lawng.cli.talk import say

    for line in (*answer.notes, *library.notes, *looked_at(answer, library)):
        say(line)
    if asked.explain:
        say("Seconds: " + ", ".join(f"{step} {time:.3f}" for step, time in answer.seconds.items()))
    if answer.hits:
        more = "" if asked.jsonl else " Next: the same with --to jsonl gives the whole clauses, --explain the scores."
        say(f"No legal advice: read the contract.{more}")
    else:
        say("Nothing found: use other words, or fewer between quotation marks.")
