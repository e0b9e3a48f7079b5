"""What the study asks and how it ranks: queries, re-ranking by stance, and our own search without a query's own words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from floats_support import close_to
from lawng.errors import MissingError
from lawng.index.reader import Index
from lawng.lawngnli.negation import Negated, Refusal
from lawng.models.protocols import Judged
from lawng.reports.builds import Build
from lawng.schema import Filters
from lawng.search.searcher import Searcher
from lawng.studies.retrieval.collection import read_documents, read_queries
from lawng.studies.retrieval.indexed import IndexAnswers
from lawng.studies.retrieval.systems import by_stance
from study_support import N_CASES, Made, OverlapJudge, candidate, queries_of


def test_candidates_become_queries_and_what_is_not_negated_is_counted(small: Made) -> None:
    def negate(texts: Sequence[str]) -> list[Negated | Refusal]:
        turned = [text.replace(" may ", " may not ") for text in texts]
        return [Refusal("no-clause", text) if "tenant" in text else Negated(text, False, "", "") for text in turned]

    found = read_queries(Build(small.build), "candidates", negate)
    candidates = [one for n in range(N_CASES) if (one := candidate(n))]
    assert [query.text for query in found.queries if query.stance == "entail"] == [one.hypothesis for one in candidates]
    contradict = [query for query in found.queries if query.stance == "contradict"]
    assert len(contradict) + len(found.refused) == len(candidates)
    assert all(" may not " in query.text and " may not " not in query.original for query in contradict)
    assert all("tenant" in words for _, _, words in found.refused)
    assert {query.target for query in found.queries} == {one.cited_opinion_id for one in candidates}


def test_propositions_which_nobody_has_verified_are_no_queries(small: Made, tmp_path: Path) -> None:
    part = next((small.build / "stages/20-candidates/candidates").glob("*.parquet"))
    rows = pq.read_table(part)
    other = pa.array(["proposition"] + ["parenthetical"] * (rows.num_rows - 1), pa.large_string())
    place = rows.schema.get_field_index("hypothesis_source")
    folder = tmp_path / "stages/20-candidates/candidates"
    folder.mkdir(parents=True)
    pq.write_table(rows.set_column(place, "hypothesis_source", other), folder / "part-00000.parquet")
    asked = [query.candidate_id for query in read_queries(Build(tmp_path), "candidates").queries]
    assert asked == rows["candidate_id"].to_pylist()[1:]


def test_the_test_split_alone_is_asked_by_default(small: Made) -> None:
    test = {
        row["id"]
        for row in pq.read_table(small.build / "data" / "test.parquet").to_pylist()
        if row["label"] != "neutral"
    }
    assert {query.query_id for query in read_queries(Build(small.build), "test").queries} == test
    assert len(queries_of(small)) > len(test)


def test_entail_and_contradict_are_reranked_by_their_own_probability(small: Made, tmp_path: Path) -> None:
    asked = queries_of(small)[0]
    queries = [replace(asked, stance=stance) for stance in ("entail", "contradict")]
    documents = read_documents(small.corpus, {asked.side})
    pool = documents.of_side[asked.side]

    def premises(query: int, document: int) -> list[str]:
        return documents.texts[document].split("\n\n")[:3]

    def scores(judge: OverlapJudge) -> list[list[float]]:
        system = by_stance(judge, tmp_path / str(judge.flipped), queries, premises)
        found = [system.score(at, pool).tolist() for at in (0, 1)]
        assert judge.n_judged > 0
        return found

    plain, flipped = scores(OverlapJudge()), scores(OverlapJudge(flipped=True))
    assert plain == flipped[::-1]
    assert plain[0] != plain[1]
    # the best of a document's premises counts
    [best] = [max(_entails(asked.text, text) for text in premises(0, int(pool[2])))]
    assert plain[0][2] == close_to(best)
    again = OverlapJudge()
    assert by_stance(again, tmp_path / "False", queries, premises).score(0, pool).tolist() == plain[0]
    assert again.n_judged == 0  # kept


class Narrow(OverlapJudge):
    """Reads no query of many words."""

    def leaves_room(self, hypotheses: Sequence[str]) -> list[bool]:
        return [len(text.split()) < 20 for text in hypotheses]


def test_a_query_that_fills_what_a_judge_reads_ends_nothing(small: Made, tmp_path: Path) -> None:
    asked = queries_of(small)[0]
    long = replace(asked, text=f"{asked.text} and so on" * 9)
    documents = read_documents(small.corpus, {asked.side})
    pool = documents.of_side[asked.side]
    judge = Narrow()
    system = by_stance(judge, tmp_path, [long, asked], lambda _, at: [documents.texts[at][:90]], index="an index")
    assert system.score(0, pool).tolist() == [-math.inf] * len(pool), "nothing is returned"
    assert (judge.n_judged, system.depends["index"]) == (0, "an index")
    assert np.isfinite(system.score(1, pool)).all()


def _entails(hypothesis: str, premise: str) -> float:
    entails, *others = np.exp(OverlapJudge().judge([premise], [hypothesis]).log_probs[0])
    return float(np.log(entails / sum(others)))


def test_a_judge_that_knows_no_contradiction_ranks_none(small: Made, tmp_path: Path) -> None:
    class Two(OverlapJudge):
        def judge(self, premises: Sequence[str], hypotheses: Sequence[str]) -> Judged:
            found = super().judge(premises, hypotheses)
            return Judged(np.c_[found.log_probs[:, :2], np.full(len(premises), -np.inf)], found.read)

    asked = queries_of(small)[0]
    documents = read_documents(small.corpus, {asked.side})
    queries = [replace(asked, stance=stance) for stance in ("entail", "contradict")]
    system = by_stance(Two(), tmp_path, queries, lambda _, document: [documents.texts[document][:80]])
    pool = documents.of_side[asked.side]
    assert len({*system.score(0, pool).tolist()}) > 1
    with pytest.raises(MissingError, match="no probability of contradiction"):
        system.score(1, pool)


def test_our_search_ranks_as_the_search_itself(small: Made, small_index: Index) -> None:
    documents = read_documents(small.corpus, {"us", "mass"})
    queries = [replace(query, side="") for query in queries_of(small)[:6]]
    asked = IndexAnswers(small_index, queries, documents)
    [system] = [ranker for ranker in asked.rankers() if ranker.label.system == "lawng search"]
    searcher = Searcher(small_index)
    for at, query in enumerate(queries):
        scores = system.score(at, documents.of_side["us"])
        theirs = searcher.search(
            query.text, Filters(parts=("majority",)), k=100, leave_out=asked.descriptions.own(query)
        )
        of_case = {hit.case.case_id: hit.score for hit in theirs.hits}
        ours = {documents.cases[n]: s for n, s in zip(documents.of_side["us"].tolist(), scores.tolist(), strict=True)}
        assert ours == {case: close_to(of_case.get(case, float("-inf"))) for case in ours}
    searcher.close()


def test_a_querys_own_description_is_never_used(
    small: Made, small_index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    documents = read_documents(small.corpus, {"us", "mass"})
    left: list[Sequence[str]] = []
    original = Index.match_descriptions

    def watched(self: Index, text: str, k: int, filters: object, leave_out: Sequence[str] = ()) -> object:
        found = original(self, text, k, filters, leave_out)  # type: ignore[arg-type]
        left.append(leave_out)
        assert not {one.id for one in found} & set(leave_out)
        return found

    monkeypatch.setattr(Index, "match_descriptions", watched)
    queries = queries_of(small)
    asked = IndexAnswers(small_index, queries, documents)
    every = {
        one.description_id: one for found in small_index.descriptions_of(documents.cases, 99).values() for one in found
    }
    for at, query in enumerate(queries):
        asked.scores(at)
        assert query.candidate_id in left[-1]
        same = {name for name, one in every.items() if one.text == query.original}  # planted: other opinions say it too
        assert same <= set(left[-1])
    assert any(len(one) > 1 for one in left)
    assert {query.candidate_id for query in queries} <= set(every)  # the ids are those of the index: leaving out works


def test_the_describing_opinions_passages_do_not_have_the_querys_words(small: Made, small_index: Index) -> None:
    number = next(n for n in range(N_CASES) if candidate(n))
    one = candidate(number)
    assert one
    passages = small_index.passages_of(one.citing_opinion_id)
    assert one.hypothesis in " ".join(passage.text for passage in passages)
    assert one.hypothesis not in " ".join(passage.searched for passage in passages)
