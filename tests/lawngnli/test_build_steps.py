"""The stages of a build one after another, with a negator and an encoder of the tests' own: what each hands on, recomputed."""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import lawng.io.parquet
import lawng.lawngnli.build
import lawng.lawngnli.candidates
import lawng.lawngnli.lengths
import lawng.lawngnli.negation.negator
import lawng.lawngnli.premises
import lawng.lawngnli.vectors
import lawng.pipeline.workers
from build_support import MODELS
from lawng.citation.extract import citations_of_case
from lawng.config import load_config
from lawng.corpus.importer import import_corpus
from lawng.errors import InputError
from lawng.io import iter_parts, iter_records
from lawng.lawngnli.build import all_steps, build_dataset, context_of
from lawng.lawngnli.candidates import locate, located
from lawng.lawngnli.citation_removal import cuts, without
from lawng.lawngnli.citations import citations_of_corpus
from lawng.lawngnli.labels import draw_labels
from lawng.lawngnli.labels import labelled as with_label
from lawng.lawngnli.negation import Negated, Refusal
from lawng.lawngnli.neutral import _found_pairs, _told_pairs
from lawng.lawngnli.records import Labelled, Length, Negatable, Paired, Passage, Sought, own_premise, passage_key
from lawng.lawngnli.sources import write_cite_index
from lawng.models.protocols import Embedded
from lawng.pipeline import Settings, StageResult, read_stage, run_steps, slices_of
from lawng.schema import Candidate, Case, Citation, Example, LongPremise, Opinion, PremiseView, Reject, ShortPremise
from lawng.schema.labels import Label
from pipeline_support import tree

SAMPLE = Path(__file__).parents[2] / "sample" / "caselaw"


class Nots:
    """Puts a "not" before every hypothesis, or takes it away; refuses one in nine."""

    def __init__(self, model: str, constituents: object = None) -> None:
        assert (model, constituents) == (MODELS["negation"].place, None)

    def negate_all(self, texts: Iterable[str], seed: int) -> list[Negated | Refusal]:
        return [self._answer(text) for text in texts]

    def _answer(self, text: str) -> Negated | Refusal:
        if len(text) % 9 == 0:
            return Refusal("no-clause", text)
        negated = len(text) % 2 == 0
        return Negated(f"never so that {text[::-1]}", negated, "x -> y", "rule")


def letters(place: str) -> Any:
    """An encoder that counts letters."""
    assert place == MODELS["embedder"].place

    def encode(texts: Sequence[str]) -> Embedded:
        rows = [[text.count(letter) for letter in "abcdefghijklmnop"] for text in texts]
        return Embedded(np.array(rows, dtype=np.float32), [len(text) > 900 for text in texts])

    return SimpleNamespace(encode=encode)


def words(place: str) -> Any:
    assert place == MODELS["tokenizer"].place
    return lambda text: len(text.split())


def stages_of(corpus: Path, folder: Path, patch: pytest.MonkeyPatch) -> Iterator[StageResult]:
    """The stages as a build runs them, the models apart."""
    patch.setattr(lawng.lawngnli.negation.negator, "Negator", Nots)
    patch.setattr(lawng.lawngnli.vectors, "embedder", letters)
    patch.setattr(lawng.lawngnli.lengths, "token_counter", words)
    patch.setattr(lawng.lawngnli.premises, "token_counter", words)
    digests = read_stage(corpus)["tally"]["digests"]
    config = load_config(given={"engine.workers": 1, "premises.prepend_tokens": 40, "premises.bm25_paragraphs": 2})
    return run_steps(all_steps(), context_of(corpus, folder, config, digests, MODELS))


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A corpus of many small row groups, so that every stage has several units."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lawng.io.parquet, "_ROWS", 10)
        folder = tmp_path_factory.mktemp("corpus") / "corpus"
        import_corpus([SAMPLE / "ill-2d", SAMPLE / "mass"], folder, None, Settings(workers=1))
        assert len(slices_of(folder / "opinions")) > 3
        yield folder


@pytest.fixture(scope="module")
def made(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, StageResult]:
    with pytest.MonkeyPatch.context() as patch:
        return {stage.name[3:]: stage for stage in stages_of(corpus, tmp_path_factory.mktemp("built"), patch)}


def opinions(corpus: Path) -> dict[str, Opinion]:
    return {opinion.opinion_id: opinion for opinion in iter_records(corpus / "opinions", Opinion)}


def found(made: dict[str, StageResult], stage: str, table: str, record: type) -> list[Any]:
    return list(iter_records(made[stage].table(table), record))


def test_what_comes_in_goes_on_or_is_rejected_from_stage_to_stage(made: dict[str, StageResult]) -> None:
    for name, stage in made.items():
        rejects = found(made, name, "rejects", Reject)
        assert len(rejects) == stage.tally.n_rejects
        assert Counter(reject.reason for reject in rejects) == sum(
            map(Counter, stage.tally.rejects.values()), Counter()
        )
        for table, n in stage.tally.out.items():
            assert sum(1 for part in iter_parts(stage.table(table)) for _ in [part]) == stage.units or not n
    chain = ["sought", "candidates", "accuracy", "negation", "labels", "neutral", "balance"]
    outs = ["sought", "candidates", "screened", "negatable", "labelled", "paired", "examples"]
    came = made["sought"].tally.seen["mentions"]
    for name, table in zip(chain, outs, strict=True):
        tally = made[name].tally
        assert sum(tally.seen.values()) == came, name
        gone = tally.out[table] // (2 if name == "balance" else 1)
        assert gone + tally.n_rejects == came > 0, name
        came = gone
    assert made["premises"].tally.out["views"] == made["balance"].tally.out["examples"]


def test_citations_are_those_of_each_case_linked_by_cites_that_name_one(
    made: dict[str, StageResult], corpus: Path
) -> None:
    owners: dict[str, set[str]] = defaultdict(set)
    for case in iter_records(corpus / "cases", Case):
        for cite in case.citations:
            owners[cite.cite].add(case.case_id)

    def case_of(cite: str) -> str | None:
        return next(iter(owners[cite])) if len(owners[cite]) == 1 else None

    cases = groupby(opinions(corpus).values(), key=lambda opinion: opinion.case_id)
    expected = [one for _, group in cases for one in citations_of_case(list(group), case_of)]
    assert found(made, "citations", "citations", Citation) == expected
    assert any(one.cited_case_id for one in expected)


def test_every_candidate_has_its_passage_and_passages_slice_the_opinion(
    made: dict[str, StageResult], corpus: Path
) -> None:
    texts = opinions(corpus)
    parts = zip(*(iter_parts(made["candidates"].table(name)) for name in ("candidates", "passages")), strict=True)
    total = 0
    for candidates, passages in parts:
        by_key = {passage.key: passage.text for passage in iter_records(passages, Passage)}
        assert len(by_key) == sum(1 for _ in iter_records(passages, Passage)), "each once"
        wanted = [own_premise(candidate) for candidate in iter_records(candidates, Candidate)]
        assert by_key == {passage_key(p): texts[p.opinion_id].text[p.start : p.end] for p in wanted}
        total += len(wanted)
    assert total == made["candidates"].tally.out["candidates"]


def test_candidates_are_those_of_each_sought_one_in_the_majority_of_its_case(
    made: dict[str, StageResult], corpus: Path
) -> None:
    majority = {opinion.case_id: opinion for opinion in opinions(corpus).values() if opinion.type == "majority"}
    one_by_one = [located(seek, majority.get(seek.cited_case_id)) for seek in found(made, "sought", "sought", Sought)]
    expected = {one.candidate_id: one for one in one_by_one if isinstance(one, Candidate)}
    assert {one.candidate_id: one for one in found(made, "candidates", "candidates", Candidate)} == expected
    assert len(expected) > 20


def test_a_dissent_that_is_printed_first_is_no_premise(
    monkeypatch: pytest.MonkeyPatch, made: dict[str, StageResult], corpus: Path
) -> None:
    [one, *_] = found(made, "candidates", "candidates", Candidate)
    seek = next(s for s in found(made, "sought", "sought", Sought) if s.candidate_id == one.candidate_id)
    court = next(o for o in opinions(corpus).values() if o.case_id == seek.cited_case_id and o.type == "majority")
    printed = [
        replace(court, opinion_id=f"{court.opinion_id}-{kind}", type=kind)
        for kind in ("dissent", "majority", "unknown")
    ]
    monkeypatch.setattr(lawng.lawngnli.candidates, "iter_records", lambda part, record: [seek])
    unit: Any = SimpleNamespace(pairs=lambda: [(one, []) for one in printed]), None
    assert [c.cited_opinion_id for c in locate(unit) if isinstance(c, Candidate)] == [f"{court.opinion_id}-majority"]


def test_labels_are_the_thirds_of_the_whole_table(made: dict[str, StageResult]) -> None:
    negatable = found(made, "negation", "negatable", Negatable)
    assert all(item.flipped == f"never so that {item.hypothesis[::-1]}" for item in negatable)
    assert all(item.change == "negation: x -> y (rule)" for item in negatable)
    drawn = draw_labels(negatable, 0)
    labelled = found(made, "labels", "labelled", Labelled)
    before = {item.candidate.candidate_id: item for item in negatable}
    assert labelled == [
        with_label(before[one], drawn[one]) for one in (item.candidate.candidate_id for item in labelled)
    ]
    assert [item.candidate.candidate_id for item in labelled] == [
        n.candidate.candidate_id
        for n in negatable
        if n.candidate.candidate_id in {x.candidate.candidate_id for x in labelled}
    ], "in their order"


def test_a_neutral_premise_is_of_the_jurisdiction_and_of_no_neighbour(
    made: dict[str, StageResult], corpus: Path
) -> None:
    labelled = {item.candidate.candidate_id: item for item in found(made, "labels", "labelled", Labelled)}
    cites = {c.cite: case.case_id for case in iter_records(corpus / "cases", Case) for c in case.citations}
    near: dict[str, set[str]] = defaultdict(set)
    told = [(case.case_id, cites.get(cite)) for case in iter_records(corpus / "cases", Case) for cite in case.cites_to]
    seen = [(c.opinion_id.rpartition("/")[0], c.cited_case_id) for c in found(made, "citations", "citations", Citation)]
    for citing, cited in [*told, *seen]:
        if cited:
            near[citing].add(cited)
            near[cited].add(citing)
    paired = found(made, "neutral", "paired", Paired)
    assert {Label(item.item.label) for item in paired} == set(Label)
    jurisdiction = {passage_key(own_premise(item.candidate)): item.candidate.jurisdiction for item in labelled.values()}
    for item in paired:
        candidate = item.item.candidate
        assert item.item == labelled[candidate.candidate_id]
        assert jurisdiction[passage_key(item.alternative)] == candidate.jurisdiction
        assert item.alternative.case_id not in {
            candidate.citing_case_id,
            candidate.cited_case_id,
            *near[candidate.citing_case_id],
        }
        assert item.premise == (item.alternative if item.item.label == Label.NEUTRAL else own_premise(candidate))
    by_part = [
        {item.item.candidate.jurisdiction for item in iter_records(part, Paired)}
        for part in iter_parts(made["neutral"].table("paired"))
    ]
    assert sorted(name for names in by_part for name in names) == sorted(
        {i.item.candidate.jurisdiction for i in paired}
    )


def test_who_cites_whom_is_told_by_the_citations_and_by_the_source_each_alone(
    made: dict[str, StageResult], corpus: Path, tmp_path: Path
) -> None:
    cases = list(iter_records(corpus / "cases", Case))
    cites = {c.cite: case.case_id for case in cases for c in case.citations}
    seen = {(c.opinion_id.rpartition("/")[0], c.cited_case_id) for c in found(made, "citations", "citations", Citation)}
    told = {(case.case_id, cites.get(cite)) for case in cases for cite in case.cites_to}
    wanted = {case.case_id for case in cases if int(case.case_id[-1]) % 3}
    index = write_cite_index(corpus / "cases", tmp_path / "cites.arrow")
    for pairs, read in (
        (seen, _found_pairs(made["citations"].table("citations"), wanted)),
        (told, _told_pairs(corpus / "cases", wanted, index)),
    ):
        expected = {pair for pair in pairs if wanted.issuperset(pair)}
        assert expected < {pair for pair in pairs if pair[1]}, "some of them are asked for, not all"
        assert set(read) == expected


def test_lengths_and_premises_are_those_of_the_text_without_citations(
    made: dict[str, StageResult], corpus: Path
) -> None:
    texts, citations = opinions(corpus), defaultdict(list)
    for one in found(made, "citations", "citations", Citation):
        citations[one.opinion_id].append(one)

    def bare(opinion_id: str) -> str:
        text = texts[opinion_id].text
        return without(text, cuts(text, citations[opinion_id]))

    lengths = {row.opinion_id: row.tokens for row in found(made, "lengths", "lengths", Length)}
    assert set(lengths) == {item.premise.opinion_id for item in found(made, "neutral", "paired", Paired)}
    assert lengths == {opinion_id: len(bare(opinion_id).split()) for opinion_id in lengths}
    examples = found(made, "balance", "examples", Example)
    long = found(made, "premises", "long_premises", LongPremise)
    assert Counter(one.opinion_id for one in long) == Counter({e.premise_opinion_id for e in examples})
    assert all((one.text, one.tokens) == (bare(one.opinion_id), lengths[one.opinion_id]) for one in long)
    short = [(one.opinion_id, one.start, one.end) for one in found(made, "premises", "short_premises", ShortPremise)]
    assert Counter(short) == Counter({(e.premise_opinion_id, e.premise_start, e.premise_end) for e in examples})
    views = found(made, "premises", "views", PremiseView)
    assert Counter(view.example_id for view in views) == Counter(example.example_id for example in examples)
    assert {len(view.bm25_long.split("\n\n")) for view in views} == {2}


def test_a_build_stopped_again_and_again_goes_on_to_the_same_bytes(
    made: dict[str, StageResult], corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, stops = lawng.pipeline.workers.attempt, [stage.name for stage in made.values()][1::3]

    def attempt(job: Any, unit: Any, number: int) -> str:
        if stops and job.stage.name == stops[0] and number == made[job.stage.name[3:]].units - 1:
            raise KeyboardInterrupt
        return real(job, unit, number)

    monkeypatch.setattr(lawng.pipeline.workers, "attempt", attempt)
    while stops:
        with pytest.raises(KeyboardInterrupt):
            list(stages_of(corpus, tmp_path, monkeypatch))
        assert not (tmp_path / "stages" / stops.pop(0) / "_stage.json").exists()
    again = list(stages_of(corpus, tmp_path, monkeypatch))
    assert [stage.tally for stage in again] == [stage.tally for stage in made.values()]
    assert tree(tmp_path / "stages") == tree(made["citations"].folder.parent)
    assert all(stage.reused for stage in stages_of(corpus, tmp_path, monkeypatch))


def test_digests_of_stages_are_of_their_bytes(made: dict[str, StageResult]) -> None:
    for stage in made.values():
        for table in stage.tally.out:
            total = ""
            for part in iter_parts(stage.table(table)):
                total = lawng.pipeline.stage.digest([total, hashlib.sha256(part.read_bytes()).hexdigest()])
            assert stage.tally.digests[table] == total


def test_opinions_that_cite_nothing_go_through_every_stage_to_an_empty_data_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "in/raw_opinions").mkdir(parents=True)
    (tmp_path / "in/raw_opinions/1_010combined.txt").write_text("The rule is settled.\n\nAffirmed.")
    import_corpus([tmp_path / "in"], tmp_path / "corpus", None, Settings(workers=1))
    stages = list(stages_of(tmp_path / "corpus", tmp_path / "built", monkeypatch))
    assert len(stages) == 12
    assert {n for stage in stages for n in stage.tally.out.values()} == {0}


def test_the_citations_of_a_corpus_are_those_of_the_stage(made: dict[str, StageResult], corpus: Path) -> None:
    assert list(citations_of_corpus(corpus)) == found(made, "citations", "citations", Citation)


def test_a_build_is_whole_and_the_next_takes_over_what_is_unchanged(corpus: Path, tmp_path: Path) -> None:
    said: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        stages_of(corpus, tmp_path, patch)  # the models of these tests
        patch.setattr(lawng.lawngnli.build, "models_of", lambda config: MODELS)
        first = build_dataset(corpus, tmp_path / "out", load_config(given={"engine.workers": 1}))
        before = tree(tmp_path / "out/stages")
        changed = load_config(given={"engine.workers": 1, "premises.prepend_tokens": 7})
        again = build_dataset(corpus, tmp_path / "out", changed, said.append)
        with pytest.raises(InputError, match="not a corpus"):
            build_dataset(tmp_path / "out", tmp_path / "other", changed)
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert not (tmp_path / "out/scratch").exists()
    assert [stage.name for stage in again.stages if not stage.reused] == ["80-premises"]
    assert said[:4] == ["negation: negation", "verifier: verifier", "embedder: embedder", "tokenizer: tokenizer"]
    kept = ["(kept)" in line for line in said[4:]]
    assert kept == [True] * 11 + [False]
    assert said[6].startswith("15-sought: ")
    assert (
        f"{first.stages[2].tally.out['sought']:,} sought out, {first.stages[2].tally.n_rejects:,} rejected" in said[6]
    )
    log = [json.loads(line) for line in (tmp_path / "out/log.jsonl").read_text().splitlines()]
    assert [line["stage"] for line in log] == [stage.name for stage in again.stages]
    after = tree(tmp_path / "out/stages")
    assert {name for name in before if before[name] != after[name]} <= {
        n for n in before if n.startswith("80-premises")
    }
    manifest = json.loads((tmp_path / "out/manifest.json").read_text())
    assert {name: stage["digests"] for name, stage in manifest["stages"].items()} == {
        stage.name: stage.tally.digests for stage in again.stages
    }
    assert sum(again.rows.values()) == sum(first.rows.values()) > 0
