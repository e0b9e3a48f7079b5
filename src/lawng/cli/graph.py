"""`lawng graph`: entailment graphs made of relations or of published text files, and looked up."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

from lawng.cli.talk import emit, say

if TYPE_CHECKING:
    from lawng.directional.graph import Graph

OUTPUT = Annotated[Path, Option("-o", "--output", help="Folder of the graph.")]
REPLACE = Annotated[bool, Option("--replace", help="Replace a graph of something else.")]

app = typer.Typer(help="Entailment graphs: which predicate entails which.", no_args_is_help=True)


@app.command("build")
def build(  # noqa: PLR0913, PLR0917 (one parameter per option)
    relations: Annotated[
        Path,
        Argument(
            help="A file of `lawng relations`; or a build of BoOQA, for a graph for each split, of the windows that it "
            "does not ask about."
        ),
    ],
    output: OUTPUT,
    score: Annotated[str, Option(help="Score of an edge: binc, lin or weeds.")] = "binc",
    min_predicates: Annotated[int, Option(min=1, help="Least predicates of a pair of arguments.")] = 3,
    min_pairs: Annotated[int, Option(min=1, help="Least pairs of arguments of a predicate.")] = 3,
    best: Annotated[int, Option(min=1, help="Most edges that leave a predicate.")] = 200,
    threshold: Annotated[float, Option(help="Least score of an edge.")] = 0.01,
    replace: REPLACE = False,
) -> None:
    """Make an entailment graph of relations, by the pairs of arguments that predicates share.

    Relations that are negated or only possible do not count.

    Example: lawng graph build relations.parquet -o graph
    """
    from lawng.directional.graph_build import build_graph

    least = {"min_predicates": min_predicates, "min_pairs": min_pairs}
    options = {"score": score, **least, "best": best, "threshold": threshold}
    if relations.is_dir():
        from lawng.directional.booqa.graphs import build_split_graphs

        for graph in build_split_graphs(relations, output, replace_other=replace, **options).values():
            _report(graph)
    else:
        _report(build_graph(relations, output, replace_other=replace, **options))


@app.command("read")
def read(
    folder: Annotated[Path, Argument(help="Folder of published text files, `person#location_sim.txt`.")],
    output: OUTPUT,
    score: Annotated[str, Option(help="Which score: the name of its sections without `sims`.")] = "BInc",
    replace: REPLACE = False,
) -> None:
    """Make an entailment graph of published text files.

    Example: lawng graph read typedEntGrDir -o graph --score BInc
    """
    from lawng.directional.graph_text import read_graph

    _report(read_graph(folder, output, score, replace_other=replace))


@app.command("lookup")
def lookup(  # noqa: PLR0913, PLR0917 (one parameter per option)
    graph: Annotated[Path, Argument(help="A graph made by `lawng graph build` or `read`.")],
    premise: Annotated[str, Argument(help="A predicate, or with the types of its arguments buy#ORG#GPE.")],
    hypothesis: Annotated[str, Argument(help="Another; without one, the best hypotheses of the premise.")] = "",
    roles: Annotated[bool, Option(help="Tell predicates apart by the roles of their arguments.")] = True,
    backoff: Annotated[bool, Option(help="Take the mean over types where a typed graph lacks a predicate.")] = True,
    k: Annotated[int, Option("-k", min=1, help="Most hypotheses.")] = 10,
) -> None:
    """Say how far one predicate entails another, and the reverse, or what it entails.

    Example: lawng graph lookup graph "buy#ORG#ORG" "own#ORG#ORG"
    """
    from lawng.directional.graph import open_graph

    found = open_graph(graph)
    best = [] if hypothesis else found.entailed(premise, k, roles=roles)
    pairs = [(premise, hypothesis), (hypothesis, premise)] if hypothesis else [(premise, name) for name, _ in best]
    scores = found.scores(pairs, roles=roles, backoff=backoff) if hypothesis else [score for _, score in best]
    for name in dict.fromkeys(filter(None, (premise, hypothesis))):
        if not found.knows(name, roles=roles):
            say(f"{name}: not in this graph; names are written as `lawng relations` writes them")
    for (one, other), score in zip(pairs, scores, strict=True):
        emit(f"{score:.3f}  {one} => {other}\n")
    if not pairs:
        say(f"{premise}: entails nothing that the graph knows")


def _report(graph: Graph) -> None:
    facts = graph.manifest
    say(f"{graph.folder}: {facts['nodes']:,} nodes, {facts['edges']:,} edges, {facts['type_pairs']:,} pairs of types")
    say("  " + ", ".join(f"{number:,} {what}" for what, number in facts["counts"].items()))
