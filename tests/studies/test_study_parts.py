"""Parts of the studies by themselves: BM25 over pools, views, pools, kept rows, tables in the paper's layout."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from encoder_support import HashingEncoder
from floats_support import close_to
from lawng.errors import ConfigError, InputError
from lawng.reports.grid import latex
from lawng.studies.retrieval.collection import Documents, Query, sample
from lawng.studies.retrieval.paper import ENCODERS, KS, N
from lawng.studies.retrieval.prepare import Setting, pool_of, settings_of
from lawng.studies.retrieval.systems import PoolBm25, ranked
from lawng.studies.retrieval.tables import PAPER, Recall, as_text, recall_csv, table_6, table_17
from lawng.studies.retrieval.views import choose_views, windowed
from lawng.text.paragraphs import Bm25, bm25_view

WORDS = ["tax", "duty", "void", "land", "the", "court", "held", "writ", "jury", "lien", "deed", "heir"]


def texts(n: int, seed: int = 1, paragraphs: int = 8) -> list[str]:
    draw = Random(seed)

    def paragraph() -> str:
        return " ".join(draw.choice(WORDS) for _ in range(draw.randrange(4, 15)))

    return ["\n\n".join(paragraph() for _ in range(paragraphs)) for _ in range(n)]


def documents(n: int = 10) -> Documents:
    ids = [f"c{at:02}/0" for at in range(n)]
    sides = ["mass" if at % 5 == 4 else "us" for at in range(n)]
    return Documents(ids, [doc[:-2] for doc in ids], [""] * n, sides, texts(n))


def query(at: int = 0, target: int = 0, citing: int = 1, text: str = "void tax", **other: str) -> Query:
    fields = {
        "query_id": f"q{at}",
        "text": text,
        "stance": "entail",
        "target": f"c{target:02}/0",
        "target_case": f"c{target:02}",
        "side": "us",
        "citing_case": f"c{citing:02}",
        "citing_opinion": f"c{citing:02}/0",
        "candidate_id": f"c{citing:02}/0@{at // 2}",
        "original": text,
        "kind": "explanatory",
    }
    return Query(**{**fields, **other})


@pytest.mark.parametrize("pool", [[0, 1, 2, 3, 4, 5, 6, 7], [1, 4, 6], [3]])
@pytest.mark.parametrize("text", ["void tax on land", "the the court", "unknown", ""])
def test_bm25_over_a_pool_is_bm25_of_the_pools_texts(pool: list[int], text: str) -> None:
    every = [*texts(7), "the court and the jury"]
    expected = Bm25([every[at] for at in pool]).scores(text)
    assert PoolBm25(every).scores(text, np.array(pool)).tolist() == close_to(expected)


def test_views_are_the_five_best_paragraphs_of_each_pair() -> None:
    docs, asked = documents(), [query(0, text="void tax"), query(1, text="lien of the heir")]
    reach = [np.array([0, 2, 5]), np.array([5, 9])]
    views = choose_views(asked, docs, reach)
    for at, numbers in enumerate(reach):
        assert views.texts(at, numbers) == [bm25_view(docs.texts[number], asked[at].text) for number in numbers]
    short = Documents(["a"], ["a"], [""], ["us"], ["one\n\ntwo"])
    assert choose_views([query(text="two")], short, [np.array([0])]).text(0, 0) == "one\n\ntwo"


@pytest.mark.parametrize("window", [1, 12, 30, None])
def test_a_windowed_view_reads_the_same_as_the_whole_view(window: int | None) -> None:
    encoder = HashingEncoder(max_tokens=window)
    views = choose_views([query()], documents(), [np.arange(10)])
    text_of = windowed(views, encoder.count_tokens, window)
    shortened = [text_of(0, at) for at in range(10)]
    assert all(whole.startswith(text) for whole, text in zip(views.texts(0, np.arange(10)), shortened, strict=True))
    same = encoder.encode(shortened).vectors == encoder.encode(views.texts(0, np.arange(10))).vectors
    assert same.all()
    assert (window is None) == (shortened == views.texts(0, np.arange(10)))


def test_equal_scores_are_ranked_by_id() -> None:
    assert ranked(np.array([0.5, 0.5000000001, 0.9]), np.array([4, 7, 9])).tolist() == [9, 4, 7]


@pytest.mark.parametrize(
    ("size", "citing", "expected"),
    [
        (4, "keep", [0, 1, 2, 9]),  # target 0 and the first three of the ranking 9, 1, 2, 3
        (4, "drop", [0, 2, 3, 9]),  # case 1 cites
        (99, "keep", [0, 1, 2, 3, 9]),
        (2, "drop", [0, 9]),
    ],
)
def test_the_near_pool_is_the_target_and_the_nearest(size: int, citing: str, expected: list[int]) -> None:
    assert pool_of(query(), documents(), [[9, 1, 2, 3]], size, citing).tolist() == expected


def test_the_neutral_pool_takes_turns() -> None:
    turns = [[1, 2, 3, 4], [0, 2, 7], [8]]
    # first turn: 1, then 2 (0 is the target), then 8; second: 3 (2 is taken)
    assert pool_of(query(citing=6), documents(), turns, 5, "keep").tolist() == [0, 1, 2, 3, 8]
    assert pool_of(query(citing=6), documents(), turns, 99, "keep").tolist() == [0, 1, 2, 3, 4, 7, 8]


def test_a_target_that_the_corpus_lacks_is_named() -> None:
    with pytest.raises(InputError, match="c77/0"):
        pool_of(query(target=77), documents(), [[1]], 5, "keep")


def test_settings_by_name() -> None:
    assert [setting.name for setting in settings_of("both", "both")] == [
        *("near-keep", "near-drop", "neutral-keep", "neutral-drop")
    ]
    assert settings_of("neutral", "drop") == [Setting("neutral", "drop")]
    with pytest.raises(ConfigError, match="--pools far"):
        settings_of("far", "keep")


def test_a_sample_keeps_a_hypothesis_and_its_negation_together() -> None:
    asked = [query(at) for at in range(20)]  # two queries for each candidate
    drawn = sample(asked, 3, seed=1)
    assert len(drawn) == 6
    assert {at // 2 for at in drawn} == {at // 2 for at in drawn if at % 2}
    assert sample(asked, 3, seed=1) == drawn != sample(asked, 3, seed=2)
    assert sample(asked, None, seed=1) == sample(asked, 99, seed=1) == list(range(20))


def row(stance: str, system: str, view: str, hits: int, base: str = "") -> Recall:
    at = {1: hits, 10: 2 * hits, 100: 3 * hits}
    return Recall("near-keep", "all queries", stance, system, view, base, N, at, 3 * hits, 0.1)


def test_table_17_has_the_papers_layout() -> None:
    rows = [
        row("entail", "BM25", "long", 182),
        row("entail", "BM25", "five", 209),
        row("contradict", "BM25", "long", 186),
    ]
    rows.append(row("entail", "ours", "passages", 300))
    grid = table_17(rows)
    assert grid.columns[1:] == ["R@1", "R@10", "R@100", "n", "five: R@1", "five: R@10", "five: R@100", "n"]
    assert [line[0] for line in grid.rows if not any(line[1:])] == [
        "[Entail hypotheses as queries]",
        "[Contradict hypotheses as queries]",
    ]
    ours = {line[0]: line for line in grid.rows[:4]}
    assert ours["BM25"][1] == "0.138+/-0.02"  # as the paper prints its own 182 of 1,322
    assert ours["BM25"][5] == "0.158+/-0.021"
    assert ours["ours"][5:] == ["", "", "", ""]
    printed = {line[0]: line for line in grid.rows[3:8]}
    assert printed["paper: BM25"][1:4] == ["0.138+/-0.02", "0.281+/-0.025", "0.447+/-0.027"]
    assert "paper" in as_text([grid])


def test_table_6_and_its_latex_and_csv() -> None:
    rows = [
        row("entail", "judge", "rerank five", 20, "BM25-five"),
        row("contradict", "judge", "rerank five", 10, "BM25-five"),
    ]
    grid = table_6(rows)
    assert grid.rows[0][:2] == ["judge (rerank five)", "0.015+/-0.008"]
    tex = latex(grid, ("Entail", "Contradict"))
    assert r"\multicolumn{4}{c}{Entail}" in tex
    assert r"0.015$\pm$0.008" in tex
    assert r"ms-marco-MiniLM-L-6-v2" in tex
    assert tex.count(r"\\") == len(grid.rows) + 2
    lines = recall_csv(rows).splitlines()
    assert lines[1].startswith("near-keep,all queries,entail,judge,rerank five,BM25-five,1,20,1322,0.015129,")
    assert len(lines) == 1 + 2 * len(KS)


def test_the_papers_tables_are_whole() -> None:
    of_17, of_6 = PAPER["table-17"], PAPER["table-6"]
    assert {name.partition("/")[2] for name in ENCODERS} | {"BM25"} == of_17["entail"]["long"].keys()
    rows = [cells for stance in of_17.values() for view in stance.values() for cells in view.values()]
    for cells in rows + [cells for stance in of_6.values() for cells in stance.values()]:
        shares = [float(cell.partition("+/-")[0]) for cell in cells.split()]
        assert shares == sorted(shares)
        assert len(shares) == len(KS)
