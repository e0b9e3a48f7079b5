"""`lawng serve`: an index, or a folder of contracts, as a web page."""

from __future__ import annotations

import logging
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

from lawng.cli.clauses import holds_contracts, refuse
from lawng.cli.talk import say
from lawng.text.printable import one_line

if TYPE_CHECKING:
    from fastapi import FastAPI

    from lawng.web.contracts import ContractsService
    from lawng.web.index_service import IndexService, WebSettings


def serve(  # noqa: PLR0913, PLR0917 (one parameter per option)
    place: Annotated[
        str, Argument(help="An index made by `lawng index`; or a file or folder of contracts, as for `lawng clauses`.")
    ],
    model: Annotated[
        str | None,
        Option(
            help="Stance model: a folder, a Hugging Face name, openai:MODEL, or none. Default: that of "
            "`lawng train nli`, else lawng-judge. For contracts the folder of a clause model."
        ),
    ] = None,
    rerank: Annotated[
        str | None,
        Option(
            help="Re-ranker: a folder, a Hugging Face name, or none. Default: lawng-reranker, for contracts "
            "lawng-clause-reranker without --model."
        ),
    ] = None,
    encoder: Annotated[
        str | None,
        Option(
            help="Encoder for contracts: a folder, a Hugging Face name, or none (words alone). "
            "Default: lawng-clause-finder."
        ),
    ] = None,
    host: Annotated[str, Option(help="Where to listen; other than loopback lets other computers in.")] = "127.0.0.1",
    port: Annotated[int, Option(min=0, max=65535, help="Port; 0 takes one that is free.")] = 8021,
    open_: Annotated[bool, Option("--open", help="Open the page in a browser.")] = False,
    log_arguments: Annotated[bool, Option("--log-arguments", help="Log what was searched for, too.")] = False,
) -> None:
    """Serve an index, or a folder of contracts, as a web page, and as JSON under /api.

    It listens on this computer alone unless told otherwise. The log has no arguments in it unless told otherwise.

    Example: lawng serve index --open
    """
    from lawng.web.server import is_loopback, listen, server_of, url_of

    of_contracts = Path(place).exists() and holds_contracts(place)
    if not of_contracts:
        refuse({"encoder": encoder}, "an index")
    # a search is handed between threads some fifty times, and waits so long at most for one that computes
    sys.setswitchinterval(0.001)
    loopback = is_loopback(host)
    with listen(host, port) as address:  # first, so that a taken port is told at once
        known_as = host if loopback else None
        if of_contracts:
            service, app, what = _contracts(place, (model, rerank, encoder), known_as, log_arguments)
        else:
            service, app, what = _cases(place, (model, rerank), known_as, log_arguments)
        _log()
        url = url_of(address)
        say(f"Serving {place} at {url} ({what}); Ctrl-C stops it.")
        say("The log below leaves out what is searched for." if not log_arguments else "The log names every argument.")
        if not loopback:
            say("Warning: other computers can reach it. It asks for no password and does not encrypt.")
        if open_:
            typer.launch(url)
        signal.signal(signal.SIGINT, lambda *_: None)  # the server has its own way to stop, and nothing is left over
        server_of(app).run(sockets=[address])
    service.close()
    say("Stopped.")


_Served = tuple["IndexService | ContractsService", "FastAPI", str]
"""What is behind the pages, the pages, and what a person should know of it."""


def _cases(index: str, models: tuple[str | None, str | None], host: str | None, log_arguments: bool) -> _Served:
    from lawng.web.app import make_app

    service = _service(index, models, host, log_arguments)
    judging = service.stance_model
    judge = f"stance judged by {judging}" if judging else "no stance model: cases are not sorted"
    return service, make_app(service), judge


def _contracts(
    place: str, models: tuple[str | None, str | None, str | None], host: str | None, log_arguments: bool
) -> _Served:
    from lawng.clauses.search import ClauseSearcher
    from lawng.web.contracts import ContractsService, make_contracts_app

    model, rerank, encoder = models
    ready = ClauseSearcher.open(place, model=model, rerank=rerank, encoder=encoder)
    if not ready.sent_to:  # else a service would be asked
        ready.ranker.scores("ready", ready.collection.clauses[:1])  # loads what searches need, as below
    service = ContractsService(ready, _settings(host, log_arguments))
    clauses, contracts = len(ready.collection.clauses), len(service.contracts)
    return service, make_contracts_app(service), f"{clauses:,} clauses of {contracts:,} contracts, as they are now"


def _settings(host: str | None, log_arguments: bool, *models: str | None) -> WebSettings:
    from lawng.models.openai.embeddings import asked_elsewhere
    from lawng.web.index_service import LOOPBACK_NAMES, WebSettings

    hosts = LOOPBACK_NAMES | {host} if host else None
    return WebSettings(hosts=hosts, log_arguments=log_arguments, sent_to=asked_elsewhere(*models))


def _service(index: str, models: tuple[str | None, str | None], host: str | None, log_arguments: bool) -> IndexService:
    from lawng.index.lance import lancedb
    from lawng.index.reader import Index
    from lawng.models.pairs import stance_model
    from lawng.models.rerank import search_reranker
    from lawng.search.searcher import Searcher
    from lawng.web.index_service import IndexService

    lancedb(alone=True)
    reader, stance, reranker = Index.open(index), stance_model(models[0]), search_reranker(models[1])
    reader.warm().encode("ready")  # loads what searches need: better now than at the first one
    name = stance.name if stance else None
    if name and Path(name).is_dir():
        name = Path(name).resolve().name  # as readers see it: not where it lies on this computer
    settings = _settings(host, log_arguments, *models)
    return IndexService(reader, lambda newest: Searcher(newest, stance, reranker=reranker), settings, name)


class OneLine(logging.Formatter):
    """Lines of a log as they may be shown: an error can quote what a client or a file has in it."""

    def format(self, record: logging.LogRecord) -> str:
        """The line of a record."""
        return one_line(super().format(record))


def _log() -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(OneLine("%(asctime)s %(message)s", "%H:%M:%S"))
    log = logging.getLogger("lawng.web")
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    log.propagate = False
