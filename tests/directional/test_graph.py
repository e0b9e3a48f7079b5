"""Entailment graphs: scores by hand and by dense matrices, the published text format, look-up, and what is damaged."""

from __future__ import annotations

import json
import math
import random
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scipy.sparse import csr_array

import lawng
from floats_support import close_to
from lawng.cli import main
from lawng.directional.graph import Graph, node_of, words_of
from lawng.directional.graph_build import Compared, GraphOptions
from lawng.directional.graph_store import write_graph
from lawng.directional.graph_text import read_graph
from lawng.directional.records import Relation
from lawng.directional.relations_files import write_relations
from lawng.errors import ConfigError, InputError, MissingError

ALL = {"min_predicates": 1, "min_pairs": 1, "threshold": 1e-9}


def said(predicate: str, *pairs: str, types: str = "ORG GPE", **more: Any) -> list[Relation]:
    """One relation for each pair, written `SUBJECT OBJECT`."""
    first, second = types.split()
    arguments = [pair.split() for pair in pairs]
    return [Relation("d", 0, 1, one, predicate, other, first, second, **more) for one, other in arguments]


BUY_AND_OWN = [*said("buy", "a x", "b x"), *said("own", "a x", "b x", "c y", "d y"), *said("leave", "d y", "e z")]


def test_scores_by_hand(tmp_path: Path) -> None:
    # 8 mentions; buy 2, own 4, leave 2; a-x and b-x: 2 each, c-y 1, d-y 2, e-z 1. PMI is log(n * 8 / (node * pair)):
    # buy: log 2 each. own: a-x, b-x and d-y log 1 = 0, so they are no features; c-y log 2. leave: d-y log 2, e-z log 4
    graph = lawng.build_graph(BUY_AND_OWN, tmp_path / "a", **ALL)
    assert graph.manifest["edges"] == 0
    more = [*BUY_AND_OWN, *said("found", *(f"f{n} w" for n in range(8)))]
    # 16 mentions now: buy: log 4, log 4. own: log 2, log 2 (a-x, b-x), log 4 (c-y), log 2 (d-y). leave: log 4, log 8
    weeds = {("buy", "own"): 1, ("own", "buy"): 2 / 5, ("own", "leave"): 1 / 5, ("leave", "own"): 2 / 5}
    lin = {("buy", "own"): 6 / 9, ("own", "leave"): 3 / 10}
    for score, wanted in {"weeds": weeds, "lin": {**lin, **{(q, p): s for (p, q), s in lin.items()}}}.items():
        graph = lawng.build_graph(more, tmp_path / score, score=score, **ALL)
        assert {(p.split("#")[0], q.split("#")[0]): close_to(s) for p, q, s in graph.strongest(9)} == wanted
    graph = lawng.build_graph(more, tmp_path / "binc", **ALL)
    assert graph.score("buy#ORG#GPE", "own#ORG#GPE") == close_to(math.sqrt(2 / 3))
    assert graph.score("own#ORG#GPE", "buy#ORG#GPE") == close_to(math.sqrt(2 / 3 * 2 / 5))


def some_relations(n: int = 3000, seed: int = 1) -> list[Relation]:
    """Relations of three types, among them pairs in both orders, the frequent ones more often."""
    draw, names = random.Random(seed), [f"{kind}{n}" for kind in "abc" for n in range(8)]
    kinds = {"a": "ORG", "b": "GPE", "c": "PERSON"}
    found: list[Relation] = []
    while len(found) < n:
        one, other = draw.sample(names, 2)
        predicate = f"p{int(draw.expovariate(0.1)) % 40}"
        if draw.random() < 0.4:
            found += said(predicate, f"{one} {other}", types=f"{kinds[one[0]]} {kinds[other[0]]}")
    return found


def by_dense_matrices(relations: list[Relation], least: int) -> dict[tuple[str, str], float]:
    """BInc as its formula is written, of one graph at a time, over all pairs of nodes."""
    graphs: dict[frozenset[str], Counter[tuple[str, tuple[str, ...]]]] = {}
    for one in relations:
        types = one.subject_type, one.object_type
        counts = graphs.setdefault(frozenset(types), Counter())
        if types[0] == types[1]:
            counts[f"{one.predicate}#{types[0]}_1#{types[0]}_2", one.arguments] += 1
            counts[f"{one.predicate}#{types[0]}_2#{types[0]}_1", one.arguments[::-1]] += 1
        else:
            counts[f"{one.predicate}#{types[0]}#{types[1]}", one.arguments[:: 1 if types[0] < types[1] else -1]] += 1
    found = {}
    for counts in graphs.values():
        nodes, pairs = sorted({node for node, _ in counts}), sorted({pair for _, pair in counts})
        table: Any = np.array([[float(counts[node, pair]) for pair in pairs] for node in nodes])
        table = table[:, (table > 0).sum(0) >= least]
        kept = (table > 0).sum(1) >= least
        table, nodes = table[kept], [node for node, keep in zip(nodes, kept, strict=True) if keep]
        with np.errstate(divide="ignore"):
            weight = np.log(table * table.sum() / np.outer(table.sum(1), table.sum(0)))
        weight = np.maximum(weight, 0)
        for p, premise in zip(nodes, weight, strict=True):
            for q, hypothesis in zip(nodes, weight, strict=True):
                shared = (premise > 0) & (hypothesis > 0)
                if p != q and shared.any():
                    weeds = premise[shared].sum() / premise.sum()
                    lin = (premise + hypothesis)[shared].sum() / (premise + hypothesis).sum()
                    found[p, q] = math.sqrt(weeds * lin)
    return found


def test_scores_are_those_of_dense_matrices(tmp_path: Path) -> None:
    relations = some_relations()
    graph = lawng.build_graph(relations, tmp_path / "g", **{**ALL, "min_predicates": 3, "min_pairs": 3})
    wanted = by_dense_matrices(relations, 3)
    assert graph.manifest["edges"] == len(wanted) > 1000
    assert graph.scores(list(wanted)) == close_to(list(wanted.values()))


def test_weeds_is_directional_lin_symmetric_and_a_predicate_entails_itself(tmp_path: Path) -> None:
    weights = csr_array(np.array([[1.0, 2, 0, 0], [1, 2, 5, 0], [1, 2, 0, 0], [0, 0, 0, 3]]))
    lin, weeds, binc = (Compared(weights).similarities(0, 4, score).toarray() for score in ("lin", "weeds", "binc"))
    assert (lin == lin.T).all()
    assert (weeds[0, 1], weeds[1, 0]) == (1, 3 / 8)
    assert (np.diag(binc) == 1).all()
    assert (binc[0, 2], binc[0, 3]) == (1, 0)


def test_the_best_edges_above_the_threshold_are_kept(tmp_path: Path) -> None:
    every = lawng.build_graph(some_relations(), tmp_path / "all", **ALL)
    some = lawng.build_graph(some_relations(), tmp_path / "some", **{**ALL, "best": 3, "threshold": 0.2})
    assert len(some.entailed("p1#GPE#ORG", 99)) == 3
    for premise in ("p1#GPE#ORG", "p2#ORG_1#ORG_2", "p30#PERSON#ORG"):
        wanted = [(name, score) for name, score in every.entailed(premise, 3) if score >= 0.2]
        assert some.entailed(premise, 99) == wanted


def files_of(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_same_relations_in_any_order_from_any_file_give_the_same_bytes(tmp_path: Path) -> None:
    relations = some_relations(800)
    lawng.build_graph(relations, tmp_path / "a")
    lawng.build_graph(random.Random(3).sample(relations, len(relations)), tmp_path / "b")
    for suffix in ("jsonl", "parquet"):
        write_relations(relations, tmp_path / f"r.{suffix}")
        lawng.build_graph(tmp_path / f"r.{suffix}", tmp_path / suffix)
    first, *others = (files_of(tmp_path / name) for name in ("a", "b", "jsonl", "parquet"))
    assert others == [first] * 3


def test_what_is_denied_or_possible_is_no_evidence_and_what_is_wrong_is_counted(tmp_path: Path) -> None:
    relations = [
        *said("buy", "a x", "b x", "b y"),
        *said("own", "a x", "b x"),
        *said("deny", "a x", negated=True),
        *said("hope", "a x", modality="may"),
    ]
    lines = [json.dumps({field: getattr(one, field) for field in Relation.__dataclass_fields__}) for one in relations]
    broken = json.loads(lines[0])
    lines += ["{", json.dumps({**broken, "subject": " "}), json.dumps({**broken, "object": "a"}), "[1]", '{"a": 1}']
    lines += [json.dumps({**broken, "predicate": "buy#x"}), json.dumps({**broken, "object": None})]
    path = tmp_path / "relations.jsonl"
    path.write_text("\n".join(lines) + "\n")
    graph = lawng.build_graph(path, tmp_path / "g", **ALL)
    assert graph.manifest["counts"] == {
        "argument-with-itself": 1,
        "asserted": 5,
        "empty-argument": 2,
        "mark-in-predicate": 1,
        "not asserted": 2,
        "not-a-relation": 3,
        "relations": 14,
    }
    rows = pq.read_table(tmp_path / "g" / "rejects.parquet").to_pylist()
    assert [row["place"] for row in rows if row["reason"] == "not-a-relation"] == [
        "relations.jsonl:8",
        "relations.jsonl:11.1",
        "relations.jsonl:12",
    ]
    assert graph.entailed("deny") == []


TEXT = """types: person#location, num preds: 4
predicate: (be.1,be.location.in.2)#person#location
num neighbors: 3

cos sims
(stay.1,stay.in.2)#person#location 0.9

BInc sims
(stay.1,stay.in.2)#person#location 0.5
(visit.1,visit.2)#person#location 0.25

predicate: (visit.1,visit.2)#person#location
num neighbors: 2

BInc sims
NEG__(be.1,be.location.in.2)#person#location 0.125
(be.2,be.location.in.2)#person#location 0.75
(host.2,host.1)#location#person 1.0
"""
SAME = """person#person  type propagation num preds: 2
predicate: (beat.1,beat.2)#person_1#person_2
num neighbors: 2

BInc sim
(visit.1,visit.2)#person_1#person_2 0.5
(lose.1,lose.to.2)#person_2#person_1 0.75

predicate: (beat.1,beat.2)#person_2#person_1
BInc sim
(visit.1,visit.2)#person_2#person_1 0.5
(lose.1,lose.to.2)#person_1#person_2 0.75
predicate: (stay.1,stay.in.2)#person_1#person_2
"""


@pytest.fixture
def published(tmp_path: Path) -> Path:
    folder = tmp_path / "published"
    folder.mkdir()
    (folder / "person#location_sim.txt").write_text(TEXT)
    (folder / "person#person_sim.txt").write_text(SAME)
    return folder


def test_a_published_graph_is_read_and_looked_up(published: Path, tmp_path: Path) -> None:
    graph = read_graph(published, tmp_path / "g")
    be, visit = "(be.1,be.location.in.2)", "(visit.1,visit.2)"
    assert graph.manifest["counts"] == {"edges": 9, "files": 2}
    assert graph.score(f"{be}#person#location", f"{visit}#person#location") == 0.25
    assert graph.score(f"{visit}#person#location", f"{be}#person#location") == 0
    assert graph.score(f"{visit}#person#location", "(host.2,host.1)#location#person") == 1
    assert graph.score("(beat.1,beat.2)#person#person", "(lose.1,lose.to.2)#person_2#person_1") == 0.75
    assert graph.score("(beat.1,beat.2)#person#person", "(lose.1,lose.to.2)#person#person") == 0
    [(found, score)] = read_graph(published, tmp_path / "cos", "COS").entailed(be)
    assert found == "(stay.1,stay.in.2)"
    assert score == close_to(0.9)


def test_without_roles_predicates_are_told_apart_by_their_words(published: Path, tmp_path: Path) -> None:
    graph = read_graph(published, tmp_path / "g")
    assert graph.score("visit#person#location", "be location in#person#location") == 0
    assert graph.score("visit#person#location", "be location in#person#location", roles=False) == 0.75
    assert (
        graph.score("(visit.1,visit.2)#person#location", "(be.9,be.location.in.2)#person#location", roles=False) == 0.75
    )
    assert graph.score("visit", "NEG__be location in", roles=False) == 0.125
    assert graph.score("(be.1,be.location.in.2)", "be location in", roles=False) == 1


@pytest.mark.parametrize(
    ("premise", "roles", "expected", "why"),
    [
        ("visit", True, [], "with roles its name is another"),
        ("visit", False, [("host (exchanged)", 1), ("be location in", 0.75)], "its words, over all types"),
        ("(visit.1,visit.2)", False, [("host (exchanged)", 1), ("be location in", 0.75)], "roles do not count"),
        (
            "visit#person#location",
            False,
            [("host#location#person", 1), ("be location in#person#location", 0.75)],
            "typed",
        ),
        ("sing", False, [], "is not there"),
    ],
)
def test_what_is_entailed_without_roles(
    published: Path, tmp_path: Path, premise: str, roles: bool, expected: list[tuple[str, float]], why: str
) -> None:
    found = read_graph(published, tmp_path / "g").entailed(premise, 2, roles=roles)
    assert found == expected, why


def test_where_types_are_not_known_the_mean_over_all_is_taken(published: Path, tmp_path: Path) -> None:
    graph = read_graph(published, tmp_path / "g")
    be, stay, visit = "(be.1,be.location.in.2)", "(stay.1,stay.in.2)", "(visit.1,visit.2)"
    pair = f"{be}#person#time", f"{stay}#person#time"
    assert (graph.score(*pair), graph.score(*pair, backoff=False)) == (0.5, 0)
    assert graph.score("(beat.1,beat.2)", visit) == 0.5  # `beat` stands in one graph, in both orders
    assert graph.score("(beat.1,beat.2)#a#b", "(lose.1,lose.to.2)#b#a") == 0.75
    assert graph.score("(beat.1,beat.2)#a#b", "(lose.1,lose.to.2)#a#b") == 0
    assert graph.score(f"{visit}#person#person", f"{stay}#person#person") == 0  # both are there, without an edge
    assert graph.score(visit, "(be.2,be.location.in.2)") == 0.75
    assert graph.entailed(visit, 2) == [("(host.2,host.1) (exchanged)", 1), ("(be.2,be.location.in.2)", 0.75)]
    assert graph.score("never seen", "never seen") == 1
    assert graph.score("buy#a#a", "buy#a_2#a_1") == 0


def test_a_mean_counts_the_graphs_that_have_both_and_no_edge(tmp_path: Path) -> None:
    names = ["buy#A#B", "own#A#B", "buy#C#D", "own#C#D", "buy#E#E", "own#F#F", "buy#G_1#G_2", "own#G_1#G_2"]
    names += ["buy#G_2#G_1", "own#G_2#G_1"]
    edges = csr_array((np.array([0.6, 0.9, 0.9], "float32"), ([0, 6, 8], [1, 7, 9])), shape=(10, 10))
    write_graph(tmp_path, names, edges, {})
    graph = Graph.open(tmp_path)
    assert graph.score("buy", "own") == close_to((0.6 + 0 + 0.9) / 3)
    assert graph.score("buy#X#Y", "own#Y#X") == 0


def test_many_pairs_are_those_of_a_dict(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    graph = lawng.build_graph(some_relations(), tmp_path / "g", **ALL)
    edges = {(p, q): s for p, q, s in graph.strongest(10**6)}
    names = graph._layers["typed"].names
    draw = random.Random(5)
    pairs = [(draw.choice(names), draw.choice(names)) for _ in range(5000)]
    kept = [pair for pair in pairs if not node_of(pair[0]).mirrored]
    same = [p.partition("#")[0] == q.partition("#")[0] and node_of(p).types != node_of(q).swapped for p, q in kept]
    wanted = [1 if equal else edges.get(pair, 0) for pair, equal in zip(kept, same, strict=True)]
    found = graph.scores(kept, backoff=False)
    monkeypatch.setattr("lawng.directional.graph._AT_ONCE", 7)
    assert (graph.scores(kept[:100], backoff=False) == found[:100]).all()
    assert sum(score > 0 for score in wanted) > 200
    assert found.tolist() == [close_to(score) for score in wanted]
    assert graph.scores([]).shape == (0,)


def test_lines_of_a_published_graph_that_are_wrong_are_counted_with_their_place(
    published: Path, tmp_path: Path
) -> None:
    stay = "(stay.1,stay.in.2)#person#location"
    wrong = [
        f"{stay} NaN",
        f"{stay} inf",
        f"{stay} 1.5",
        f"{stay} -0.1",
        f"{stay} high",
        stay,
        "(stay.1,stay.in.2) 0.5",
    ]
    wrong += ["(stay.1,stay.in.2)#person#time 0.5", "predicate: nothing", "BInc sims", f"{stay} 0.5"]
    (published / "location#person_sim.txt").write_text(TEXT + "\n".join([*wrong, ""]))
    (published / "time#time_sim.txt").write_text("predicate\n")
    graph = read_graph(published, tmp_path / "g")
    counts = {"score-outside-bounds": 5, "not-a-predicate": 4, "types-differ": 1, "not-a-graph": 1}
    assert {key: graph.manifest["counts"][key] for key in counts} == counts
    rows = pq.read_table(tmp_path / "g" / "rejects.parquet").to_pylist()
    assert (rows[0]["place"], rows[0]["detail"]) == ("location#person_sim.txt:19", f"{stay} NaN")
    assert rows[-1]["place"] == "time#time_sim.txt:1"


def test_a_published_graph_without_the_score_or_without_files_is_one_line(published: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no scores named 'Lin'; there are: BInc, cos"):
        read_graph(published, tmp_path / "g", "Lin")
    with pytest.raises(InputError, match="no published graph here"):
        read_graph(tmp_path, tmp_path / "g")
    assert not (tmp_path / "g").exists()


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-9])


def turn(path: Path) -> None:
    np.save(path, np.load(path)[::-1])


def not_a_number(path: Path) -> None:
    scores = np.load(path)
    scores[:] = np.nan
    np.save(path, scores)


@pytest.mark.parametrize(
    ("name", "harm", "kind"),
    [
        ("typed/scores.npy", cut, InputError),
        ("typed/scores.npy", not_a_number, InputError),
        ("untyped/indptr.npy", cut, InputError),
        ("typed-no-roles/names.parquet", lambda path: shutil.rmtree(path.parent), InputError),
        ("typed/indices.npy", Path.unlink, InputError),
        ("typed/indices.npy", turn, InputError),
        ("untyped-no-roles/indices.npy", turn, InputError),
        ("typed/names.parquet", cut, InputError),
        ("typed/names.parquet", Path.unlink, InputError),
        ("manifest.json", cut, InputError),
        ("manifest.json", lambda path: path.write_text('{"kind": "corpus"}'), InputError),
        ("manifest.json", Path.unlink, MissingError),
    ],
)
def test_a_damaged_graph_is_one_line(
    name: str, harm: Callable[[Path], None], kind: type[Exception], published: Path, tmp_path: Path
) -> None:
    read_graph(published, tmp_path / "g")
    harm(tmp_path / "g" / name)
    with pytest.raises(kind, match=f"{tmp_path / 'g'}"):
        Graph.open(tmp_path / "g").score("(visit.1,visit.2)#person#location", "(be.2,be.location.in.2)#person#location")


def test_an_edge_to_a_node_that_is_not_there_is_one_line(published: Path, tmp_path: Path) -> None:
    read_graph(published, tmp_path / "g")
    columns = np.load(tmp_path / "g" / "typed" / "indices.npy")
    np.save(tmp_path / "g" / "typed" / "indices.npy", columns + 1000)
    graph = Graph.open(tmp_path / "g")
    pair = "(visit.1,visit.2)#person#location", "(be.2,be.location.in.2)#person#location"
    for asked in (lambda: graph.entailed(pair[0]), lambda: list(graph.strongest()), lambda: graph.score(*pair)):
        with pytest.raises(InputError, match="damaged"):
            asked()


@pytest.mark.parametrize("options", [{"score": "cos"}, {"best": 0}, {"threshold": 0}, {"threshold": 2}])
def test_options_that_cannot_be_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ConfigError):
        GraphOptions(**options)


def test_what_is_no_predicate_or_no_file_of_relations_is_refused(published: Path, tmp_path: Path) -> None:
    for wrong in ("buy#ORG", "", "#A#B"):
        with pytest.raises(InputError, match="is no predicate"):
            node_of(wrong)
    with pytest.raises(InputError, match="lower --min-predicates"):
        lawng.build_graph(BUY_AND_OWN, tmp_path / "g")
    with pytest.raises(MissingError, match="no file of relations"):
        lawng.build_graph(tmp_path / "r.parquet", tmp_path / "g")
    pq.write_table(pa.table({"subject": ["a"]}), tmp_path / "r.parquet")
    with pytest.raises(InputError, match="not a file of relations"):
        lawng.build_graph(tmp_path / "r.parquet", tmp_path / "g")
    with pytest.raises(InputError, match="is there and is no entailment graph"):
        lawng.build_graph(BUY_AND_OWN, published, **ALL)
    assert [path.name for path in tmp_path.glob(".*")] == []


def test_a_graph_of_something_else_is_replaced_only_where_told(published: Path, tmp_path: Path) -> None:
    place, others = tmp_path / "g", some_relations(300)
    makers: list[Callable[..., Graph]] = [
        lambda **more: lawng.build_graph(BUY_AND_OWN, place, **{**ALL, **more}),
        lambda **more: lawng.build_graph(others, place, **{**ALL, **more}),
        lambda **more: read_graph(published, place, **more),
    ]
    for making in makers:
        making(replace_other=True)
        assert making().folder == place  # the same once more
        for other in makers:
            if other != making:
                with pytest.raises(InputError, match="a graph of something else; --replace"):
                    other()
    assert read_graph(published, place, "cos").manifest["options"] == {"score": "cos"}
    (published / "person#person_sim.txt").unlink()
    with pytest.raises(InputError, match="--replace"):
        read_graph(published, place)
    cut(place / "manifest.json")
    read_graph(published, place)
    assert [path.name for path in tmp_path.glob(".*")] == []


@pytest.mark.parametrize("text", ["Acme bought Bravo.\n\nIt owns it.\n", "[1, 2]\n", ""])
def test_a_file_without_a_relation_is_called_so(tmp_path: Path, text: str) -> None:
    (tmp_path / "note.txt").write_text(text)
    with pytest.raises(InputError, match=r"note\.txt: not a file of relations \(none of its \d rows is a relation\)"):
        lawng.build_graph(tmp_path / "note.txt", tmp_path / "g")


@pytest.mark.parametrize(
    ("predicate", "words"),
    [("(visit.by.2,visit.2)", "visit by"), ("(go.to.2,come.from.1)", "go to come from"), ("(be.1,bear.2)", "be bear")],
)
def test_the_words_of_a_predicate(predicate: str, words: str) -> None:
    assert words_of(predicate) == words


def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    monkeypatch.setattr("sys.argv", ["lawng", "graph", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    shown = capsys.readouterr()
    return int(ended.value.code or 0), shown.out, shown.err


def test_the_commands(
    published: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_relations(some_relations(), tmp_path / "r.parquet")
    code, _, said_of_it = run(monkeypatch, capsys, "build", str(tmp_path / "r.parquet"), "-o", str(tmp_path / "built"))
    assert (code, "nodes" in said_of_it, "3,000 asserted" in said_of_it) == (0, True, True)
    args = "read", str(published), "-o", str(tmp_path / "built")
    code, _, error = run(monkeypatch, capsys, *args)
    assert (code, error.count("\n"), "--replace" in error) == (2, 1, True)
    assert run(monkeypatch, capsys, *args, "--replace")[0] == 0
    place = str(tmp_path / "read")
    assert run(monkeypatch, capsys, "read", str(published), "-o", place)[0] == 0
    both = run(monkeypatch, capsys, "lookup", place, "visit", "be location in", "--no-roles")[1]
    assert both.splitlines() == ["0.750  visit => be location in", "0.250  be location in => visit"]
    assert run(monkeypatch, capsys, "lookup", place, "(visit.1,visit.2)", "-k", "1")[1].startswith("1.000  (visit.1,v")
    best = run(monkeypatch, capsys, "lookup", place, "visit", "--no-roles", "-k", "2")[1]
    assert best.splitlines() == ["1.000  visit => host (exchanged)", "0.750  visit => be location in"]
    assert "entails nothing" in run(monkeypatch, capsys, "lookup", place, "sing")[2]
    told = run(monkeypatch, capsys, "lookup", place, "visit", "vist", "--no-roles")[2].splitlines()
    assert [line.split(":")[0] for line in told] == ["vist"], "a typing mistake is told from what does not entail"
    code, out, error = run(monkeypatch, capsys, "lookup", str(tmp_path), "a", "b")
    assert (code, out, error.count("\n"), "no entailment graph here" in error) == (2, "", 1, True)
