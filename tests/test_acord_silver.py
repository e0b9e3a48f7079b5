"""Silver data: queries made of the glossary, and clauses graded by the untrained reading."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from encoder_support import HashingEncoder
from lawng.clauses.meaning.anatomies import Anatomies, Anatomy
from lawng.clauses.meaning.glossary import SUBJECTS
from lawng.clauses.meaning.wanted import wanted
from lawng.clauses.ranking.features import ClauseFeatures
from lawng.models.kept import KeptEncoder
from lawng.studies.acord.data import Acord, read_acord
from lawng.studies.acord.fine_tune.choice import fine_tune
from lawng.studies.acord.fine_tune.grid import TuneSettings
from lawng.studies.acord.fine_tune.silver import silver_queries, silver_texts
from ratings_support import SAMPLE


class Known:
    """The sample, ready to be asked."""

    def __init__(self, folder: Path) -> None:
        self.acord: Acord = read_acord(SAMPLE)
        texts = list(self.acord.clauses.values())
        kept = Anatomies(folder)
        self.anatomies: list[Anatomy] = kept.of(texts)
        self.features = ClauseFeatures(texts, KeptEncoder(folder, HashingEncoder(width=512)), anatomies=kept)
        self.place = {text: row for row, text in enumerate(texts)}


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Known:
    return Known(tmp_path_factory.mktemp("kept"))


def test_queries_are_subjects_first_and_then_what_clauses_often_say_of_them(known: Known) -> None:
    few, many = silver_queries(known.anatomies * 10, 40, 0), silver_queries(known.anatomies * 10, 5_000, 0)
    assert few[: len(SUBJECTS)] == [subject.name for subject in SUBJECTS]
    assert (len(few), few) == (40, many[:40])
    assert len(set(many)) == len(many) > len(silver_queries([], 5_000, 0)) == 3 * len(SUBJECTS)
    assert all(wanted(query).subjects for query in many if " exception to " in query)
    assert silver_queries(known.anatomies * 10, 5_000, 1) != many


def test_clauses_are_graded_by_their_reading_and_no_query_is_one_of_the_test(known: Known) -> None:
    rows = silver_texts(known.acord, 60, 0, known.features, known.anatomies)
    assert rows == silver_texts(known.acord, 60, 0, known.features, known.anatomies)
    asked = {row.query for row in rows}
    held_out = {known.acord.queries[row.query_id].text.casefold() for row in known.acord.of("valid", "test")}
    assert not {query.casefold() for query in asked} & held_out
    assert {row.grade for row in rows} > {0}
    for query in list(asked)[:10]:
        own = [row for row in rows if row.query == query]
        reading = known.features.look(query).reading["reading"][[known.place[row.text] for row in own]]
        in_order = [own[at].target for at in np.argsort(reading, kind="stable")]
        assert in_order == sorted(in_order)
        assert len({row.text for row in own}) == len(own)
    assert all(0 <= row.target <= 1 and row.grade == round(4 * row.target) for row in rows)
    assert all(row.grade == 0 for row in rows if row.hard)


def test_test_judgements_do_not_matter(known: Known, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = silver_texts(known.acord, 40, 0, known.features, known.anatomies)
    own = Acord.judged

    def only_train(acord: Acord, *splits: str) -> dict[str, dict[str, int]]:
        assert splits == ("train",)
        return own(acord, *splits)

    monkeypatch.setattr(Acord, "judged", only_train)
    assert silver_texts(known.acord, 40, 0, known.features, known.anatomies) == rows


def test_training_says_how_many_were_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The training itself is stopped: what it is given is what is looked at."""

    class EnoughError(Exception):
        pass

    def stop(*given: object) -> None:
        raise EnoughError(len({row.query for row in given[1]}))  # type: ignore[attr-defined]

    monkeypatch.setenv("LAWNG_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("lawng.models.encoder.embedder", lambda _name: HashingEncoder())
    monkeypatch.setattr("lawng.models.train.relevance.train_relevance", stop)
    said: list[str] = []
    settings = TuneSettings((1e-4,), (1,), 1, silver=12)
    with pytest.raises(EnoughError) as found:
        fine_tune(SAMPLE, tmp_path / "tuned", settings, said.append)
    n_gold = len(set(read_acord(SAMPLE).judged("train")))
    made = [line for line in said if "queries made of the glossary" in line]
    assert len(made) == 1
    assert n_gold < found.value.args[0] <= n_gold + 12
