"""BoOQA built from the bundled sample of news: what holds of every question, and the same bytes however it is built."""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from datetime import date, timedelta
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

import lawng
from lawng.config import BooqaConfig
from lawng.directional.booqa import build
from lawng.directional.relations import Extractor
from lawng.directional.wordnet import WordNet, wordnet_folder
from lawng.errors import ConfigError, InputError, MissingError
from lawng.reports.builds import Build
from lawng.reports.funnel import read_funnel
from pipeline_support import tree

ROOT = Path(__file__).parents[2]
NEWS = ROOT / "sample" / "news"
THRESHOLDS: dict[str, Any] = {"min_articles": 3, "min_predicates": 4, "min_pairs": 4, "buckets": "6,8,10,12"}
Row = dict[str, Any]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("booqa") / "build"
    lawng.build_booqa(NEWS, folder, workers=1, **THRESHOLDS)
    return folder


def questions(folder: Path) -> list[Row]:
    tables = [pq.read_table(folder / "data" / f"{split}.parquet") for split in ("dev", "test")]
    return [row for table in tables for row in table.to_pylist()]


def without_log(folder: Path) -> dict[str, str]:
    return {name: digest for name, digest in tree(folder).items() if name != "log.jsonl"}


def test_the_sample_of_news_is_what_its_script_writes(tmp_path: Path) -> None:
    spec = importlib.util.spec_from_file_location("make_news", ROOT / "sample" / "make_news.py")
    assert spec
    assert spec.loader
    maker = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(maker)
    maker.main(["-o", str(tmp_path)])
    assert (tmp_path / "articles.jsonl").read_bytes() == (NEWS / "articles.jsonl").read_bytes()
    assert all("Fictional" in line for line in (NEWS / "articles.jsonl").read_text().splitlines())


@pytest.mark.slow(reason="parses the sample of news")
def test_every_negative_is_absent_from_its_window_with_its_synonyms(built: Path) -> None:
    """By a scan of its own: articles, windows, relations and WordNet once more, apart from the builder's tables."""
    articles = [json.loads(line) for line in (NEWS / "articles.jsonl").read_text().splitlines()]
    days = {row["id"]: date.fromisoformat(row["date"]) for row in articles}
    first = min(days.values())
    said: dict[tuple[str, str, str], set[str]] = {}
    for one in Extractor().relations((row["id"], row["text"]) for row in articles):
        window = first + timedelta((days[one.document_id] - first).days // 3 * 3)
        said.setdefault((str(window), one.subject, one.object), set()).add(one.predicate)
    reader = WordNet(wordnet_folder())._reader
    negatives = [row for row in questions(built) if not row["label"]]
    assert len(negatives) >= 40
    for row in negatives:
        there = said[row["window"], row["subject"], row["object"]]
        assert row["predicate"] not in there
        words = row["predicate"].split()
        for start, end in combinations(range(len(words) + 1), 2):
            for synset in reader.synsets("_".join(words[start:end])):
                for name in synset.lemma_names():
                    alike = [*words[:start], *name.lower().split("_"), *words[end:]]
                    assert " ".join(alike) == row["predicate"] or " ".join(alike) not in there, row


@pytest.mark.slow(reason="as above")
def test_positives_are_said_in_their_window_and_their_sentences_excluded(built: Path) -> None:
    evidence = pq.read_table(built / "evidence.parquet").to_pylist()
    for row in questions(built):
        own = [one for one in evidence if one["pair_id"] == row["pair_id"]]
        sources = {one["sentence_id"] for one in own if one["predicate"] == row["predicate"]}
        assert sources == (set(row["exclude"]) if row["label"] else set())
        assert {one["window"] for one in own} == {row["window"]}
        assert len({one["predicate"] for one in own}) >= THRESHOLDS["min_predicates"]
        assert len({one["document_id"] for one in own}) >= THRESHOLDS["min_articles"]


@pytest.mark.slow(reason="as above")
def test_the_questions_that_the_documentation_works_through_are_there(built: Path) -> None:
    rows = [row for row in questions(built) if (row["subject"], row["object"]) == ("brandow steel", "petra lund")]
    found = {(row["predicate"], row["window"]): row for row in rows}
    advise, urge = found["advise", "2031-03-04"], found["urge", "2031-03-04"]
    fund, finance = found["fund", "2031-03-10"], found["finance", "2031-03-10"]
    assert [row["label"] for row in (advise, urge, fund, finance)] == [True, False, False, True]
    assert (urge["bundle"], fund["bundle"]) == (advise["bundle"], finance["bundle"])
    assert (len(advise["exclude"]), len(fund["exclude"]), urge["frequency"]) == (4, 4, 14)
    assert [(row["synset"], row["hyponym"]) for row in (urge, fund)] == [
        ("rede.v.02", "urge.v.01"),
        ("finance.v.01", "fund.v.01"),
    ]
    evidence = pq.read_table(built / "evidence.parquet").to_pylist()
    said = {row["pair_id"]: {one["predicate"] for one in evidence if one["pair_id"] == row["pair_id"]} for row in rows}
    assert said[advise["pair_id"]] >= {"accuse", "warn", "tell", "visit", "praise"}
    assert said[fund["pair_id"]] >= {"help", "hire"}


@pytest.mark.slow(reason="as above")
def test_bundles_windows_and_splits_are_as_the_paper_has_them(built: Path) -> None:
    rows = questions(built)
    assert len({row["question_id"] for row in rows}) == len(rows)
    for bundle in {row["bundle"] for row in rows}:
        own = [row for row in rows if row["bundle"] == bundle]
        labels = Counter(row["label"] for row in own)
        assert labels[True] == 1
        assert 1 <= labels[False] <= 2
        assert len({(row["window"], row["subject"], row["object"], row["split"]) for row in own}) == 1
    windows = {split: {row["window"] for row in rows if row["split"] == split} for split in ("dev", "test")}
    assert not windows["dev"] & windows["test"]
    spans_of_days = sorted({(row["window"], row["last_day"]) for row in rows})
    assert all(last < following for (_, last), (following, _) in pairwise(spans_of_days))


@pytest.mark.slow(reason="as above")
def test_what_comes_in_goes_out_or_is_rejected_and_what_users_take_is_there(built: Path) -> None:
    steps = read_funnel(Build(built))  # raises where numbers do not add up
    assert sum(step.balanced for step in steps) >= 5
    assert pq.read_table(built / "rejects.parquet").num_rows == sum(step.n_dropped for step in steps)
    tasks = json.loads((built / "felicity" / "tasks.json").read_text())
    assert Counter(task["meta"]["label"] for task in tasks).keys() == {0, 1}
    assert all("label" not in task["data"] for task in tasks)
    from datasets import load_dataset

    loaded = load_dataset(str(built), cache_dir=str(built.parent / "cache"))
    assert {split: loaded[split].num_rows for split in loaded} == Counter(row["split"] for row in questions(built))


@pytest.mark.slow(reason="builds the sample again, in worker processes")
def test_the_bytes_are_the_same_with_two_workers(built: Path, tmp_path: Path) -> None:
    lawng.build_booqa(NEWS, tmp_path / "two", workers=2, **THRESHOLDS)
    assert without_log(tmp_path / "two") == without_log(built)


@pytest.mark.slow(reason="kills a build, and builds the sample again")
def test_a_build_that_is_killed_goes_on_and_gives_the_same_bytes(built: Path, tmp_path: Path) -> None:
    place = tmp_path / "build"
    words = ["build", "booqa", str(NEWS), "-o", str(place), "--workers", "1"]
    words += [f"--{name.replace('_', '-')}={value}" for name, value in THRESHOLDS.items()]
    code = f"import sys; sys.argv = ['lawng', *{words!r}]; import lawng.cli; lawng.cli.main()"
    running = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.DEVNULL)
    done = tmp_path / ".build.partial" / "stages" / "30-relations" / "_stage.json"
    while not done.exists() and running.poll() is None:
        time.sleep(0.05)
    running.send_signal(signal.SIGKILL)
    running.wait()
    assert not place.exists()
    result = lawng.build_booqa(NEWS, place, workers=1, **THRESHOLDS)
    assert [stage.reused for stage in result.stages][:3] == [True, True, True]
    assert without_log(place) == without_log(built)


@pytest.mark.slow(reason="as above")
def test_another_seed_draws_others_from_the_same_stages(built: Path, tmp_path: Path) -> None:
    place = tmp_path / "build"
    os.symlink(built, place)
    before = questions(built)
    result = lawng.build_booqa(NEWS, place, workers=1, seed=5, **THRESHOLDS)
    assert [stage.name for stage in result.stages if not stage.reused] == ["70-sample"]
    assert questions(place) != before
    lawng.build_booqa(NEWS, place, workers=1, **THRESHOLDS)
    assert questions(built) == before


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        ({"min_pair": 3}, ConfigError, "min_pair: no such option"),
        ({"min_pairs": 0}, ConfigError, "min_pairs: 0 is not 1 or more"),
        ({"hyponyms": "some"}, ConfigError, "not one of all, direct"),
        ({"buckets": "9,3"}, ConfigError, "no list of rising numbers"),
        ({"spacy_model": "en_core_web_none"}, MissingError, "not installed"),
    ],
)
def test_a_wrong_option_is_one_line(tmp_path: Path, options: Row, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        lawng.build_booqa(NEWS, tmp_path / "out", **options)
    assert not (tmp_path / "out").exists()


def test_news_that_are_not_there_and_places_that_are_taken_are_one_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no news here"):
        lawng.build_booqa(tmp_path / "nowhere", tmp_path / "out")
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "a.txt").touch()
    with pytest.raises(InputError, match="is there and is no build"):
        lawng.build_booqa(NEWS, tmp_path / "letters")


@pytest.mark.slow(reason="loads a parser")
def test_news_without_an_article_give_a_build_without_questions(tmp_path: Path) -> None:
    (tmp_path / "news").mkdir()
    (tmp_path / "news" / "a.jsonl").write_text('{"id": "a", "date": "1970-01-01", "text": "T."}\n')
    result = lawng.build_booqa(tmp_path / "news", tmp_path / "out")
    assert result.questions == {"dev": 0, "test": 0}


def test_models_are_named_without_their_place_and_taken_from_the_cache_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, file in (("pipe", "config.cfg"), ("senses", "config.json")):
        (tmp_path / name).mkdir()
        (tmp_path / name / file).write_text("x")

    def of(**options: Any) -> dict[str, tuple[str, str]]:
        found = build.models_of(BooqaConfig(questions=replace(BooqaConfig().questions, **options)))
        assert all(model.state for model in found.values())
        return {role: (model.name, model.place) for role, model in found.items()}

    found = of(spacy_model=str(tmp_path / "pipe"), senses=str(tmp_path / "senses"))
    assert found["parser"] == ("pipe", str(tmp_path / "pipe"))
    assert found["senses"] == ("senses", str(tmp_path / "senses"))
    monkeypatch.chdir(tmp_path / "senses")
    assert of(senses=".")["senses"] == ("senses", ".")

    monkeypatch.setattr(build, "cached_model", lambda name, _: tmp_path / "revision" if name == "some/model" else None)
    monkeypatch.setattr(build, "state_on_hub", lambda *_: pytest.fail("the Hub was asked"))
    assert of(senses="some/model")["senses"] == ("some/model", "some/model")
