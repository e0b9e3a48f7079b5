"""WordNet: the dictionary that the package brings is whole, and what is asked of it."""

from __future__ import annotations

import pickle
import sys
from concurrent.futures import ProcessPoolExecutor
from importlib.machinery import ModuleSpec
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

from lawng.directional import wordnet
from lawng.directional.wordnet import WordNet, sense_chooser, wordnet_folder, wordnet_model
from lawng.errors import MissingError, StageError
from lawng.extras import explained
from lawng.io import atomic_folder, file_digest


@pytest.fixture(scope="module")
def words() -> WordNet:
    return WordNet(wordnet_folder())


@pytest.fixture
def no_corpus_of_nltk(monkeypatch: pytest.MonkeyPatch) -> None:
    import nltk

    monkeypatch.setattr(nltk.data, "path", [])


@pytest.mark.slow(reason="reads each of 80,000 synsets")
@pytest.mark.parametrize("pos", ["noun", "verb"])
def test_every_offset_of_an_index_reads_its_synset(words: WordNet, pos: str) -> None:
    data = (words.folder / f"data.{pos}").read_bytes()
    lines = [
        line for line in (words.folder / f"index.{pos}").read_text("utf-8").splitlines() if not line.startswith(" ")
    ]
    offsets = {offset: line.split()[0] for line in lines for offset in line.split()[-int(line.split()[2]) :]}
    assert len(offsets) == {"noun": 82_115, "verb": 13_767}[pos]  # wnstats(7WN) of WordNet 3.0
    for offset, lemma in offsets.items():
        line = data[int(offset) : data.index(b"\n", int(offset))].decode()
        assert line.startswith(f"{offset} ")
        assert lemma in line.lower().split()


def test_it_is_put_together_once_and_shown_when_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_corpus_of_nltk: None
) -> None:
    monkeypatch.setenv("LAWNG_CACHE", str(tmp_path))
    folder = wordnet_folder()
    assert folder.parent == tmp_path
    assert (folder / "data.noun").stat().st_size == 15_300_280  # Princeton's
    assert "Princeton University" in (folder / "LICENSE.txt").read_text()
    before = (folder / "data.noun").stat().st_mtime_ns
    assert wordnet_folder() == folder
    assert (folder / "data.noun").stat().st_mtime_ns == before


def test_a_dictionary_of_the_users_own_is_taken(
    words: WordNet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import nltk

    (tmp_path / "corpora").mkdir()
    (tmp_path / "corpora" / "wordnet").symlink_to(words.folder)
    monkeypatch.setattr(nltk.data, "path", [str(tmp_path), str(words.folder)])
    assert wordnet_folder() == tmp_path / "corpora" / "wordnet"
    digests = [file_digest(words.folder / name) for name in ("data.noun", "data.verb")]
    assert wordnet_model().state == "-".join(digest[:16] for digest in digests)


def test_a_library_that_is_missing_is_named_with_its_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_corpus_of_nltk: None
) -> None:
    def nowhere(name: str, *_: Any) -> ModuleSpec | None:
        return None

    monkeypatch.setenv("LAWNG_CACHE", str(tmp_path))
    monkeypatch.setattr(wordnet, "find_spec", nowhere)
    with (
        pytest.raises(MissingError, match=r"^pattern is not installed: pip install 'lawng\[directional\]'$"),
        explained(),
    ):
        wordnet_folder()
    monkeypatch.setitem(sys.modules, "nltk", None)
    with pytest.raises(MissingError, match=r"^nltk is not installed: pip install 'lawng\[directional\]'$"), explained():
        wordnet_folder()


def test_senses_are_of_lemmas_of_one_or_more_words(words: WordNet) -> None:
    assert words.senses("game", "n")[0].name() == "game.n.01"
    assert "take_over.v.03" in [sense.name() for sense in words.senses("take over", "v")]
    assert words.senses("news", "n")
    assert "new.n.01" not in [sense.name() for sense in words.senses("news", "n")]
    assert words.senses("qwertz", "n") == words.senses("game with", "n") == []


def test_hyponyms_go_all_the_way_down_or_one_level(words: WordNet) -> None:
    [go, *_] = words.senses("go", "v")
    every, direct = words.hyponyms(go), words.hyponyms(go, direct=True)
    assert set(direct) < set(every)
    assert {"drive", "walk"} <= {name for name, _ in every}
    names = [name for name, _ in every]
    assert names == sorted(names)
    assert "practice game" in {name for game in words.senses("game", "n") for name, _ in words.hyponyms(game)}


def test_synonyms_replace_each_span_in_every_sense(words: WordNet) -> None:
    assert {"purchase from", "bribe from", "drive from"} - words.synonyms("buy from") == {"drive from"}
    assert "assume" in words.synonyms("take over")
    assert "play game with" not in words.synonyms("play game with")


@pytest.mark.parametrize(
    ("predicate", "there", "absent", "why"),
    [
        ("be named chairman of", "be appointed chairman of", "be appoint chairman of", "a participle in its form"),
        ("be shut by", "be closed by", "be close by", "one that is written as its lemma"),
        ("be taken over by", "be assumed by", "be taken assume by", "a verb of two words"),
        ("begin buying from", "begin purchasing from", "begin purchase from", "a gerund"),
        ("be cancelled by", "be canceled by", "be cancel by", "another spelling"),
        ("be found in", "be discovered in", "be established in", "found is here of find, and not of found"),
        ("agree to be bought by", "agree to be purchased by", "agree to be purchase by", "after another verb"),
    ],
)
def test_synonyms_of_participles_have_their_form(
    words: WordNet, predicate: str, there: str, absent: str, why: str
) -> None:
    assert {there, absent} & words.synonyms(predicate) == {there}, why


@pytest.mark.parametrize(
    ("sentence", "span", "first", "lesk"),
    [
        ("He deposited the money at the bank on Friday.", "bank", "bank.n.01", "depository_financial_institution.n.01"),
        ("She went home.", "home", "home.n.01", "home.n.01"),
    ],
)
def test_a_sense_is_the_first_or_the_one_whose_gloss_the_sentence_shares(
    words: WordNet, sentence: str, span: str, first: str, lesk: str
) -> None:
    senses = words.senses(span, "n")
    assert sense_chooser("first")(senses, sentence, span).name() == first
    assert sense_chooser("lesk")(senses, sentence, span).name() == lesk


def test_a_cross_encoder_reads_the_marked_span_with_each_gloss(words: WordNet, monkeypatch: pytest.MonkeyPatch) -> None:
    import numpy as np
    import sentence_transformers

    asked: list[tuple[str, str]] = []

    class Stub:
        def __init__(self, name: str) -> None:
            assert name == "wsd"

        def predict(self, pairs: list[tuple[str, str]], show_progress_bar: bool) -> Any:
            asked.extend(pairs)
            return np.array([float("money" in gloss) for _, gloss in pairs])

    monkeypatch.setattr(sentence_transformers, "CrossEncoder", Stub)
    chosen = sense_chooser("wsd")(words.senses("bank", "n"), "A bank lent.", "bank")
    assert "money" in chosen.definition()
    assert asked[0][0] == "A [TGT] bank [TGT] lent."


def test_a_model_that_is_not_there_is_one_line() -> None:
    with pytest.raises(MissingError, match="no cross-encoder is there"):
        sense_chooser("/no/such/model")


def test_it_travels_by_its_place(words: WordNet) -> None:
    assert pickle.loads(pickle.dumps(words)).senses("game", "n")[0].name() == "game.n.01"


@pytest.mark.usefixtures("no_corpus_of_nltk")
def test_a_dictionary_that_another_process_puts_together_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wordnet, "cache_root", lambda: tmp_path)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        found = list(processes.map(wordnet._assembled, [tmp_path / "wordnet-3.0"] * 2))
    assert found == [tmp_path / "wordnet-3.0"] * 2
    assert (found[0] / "lexnames").is_file()
    monkeypatch.setattr(wordnet, "_TRIES", 3)
    with atomic_folder(tmp_path / "other"), pytest.raises(StageError, match="another process has not finished"):
        wordnet._assembled(tmp_path / "other")
