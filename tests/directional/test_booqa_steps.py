"""The steps of BoOQA on relations written by hand: windows, starring pairs, negatives, sampling, masked files."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from pathlib import Path

import pytest
import spacy

from lawng.directional.booqa.articles import place
from lawng.directional.booqa.negatives import Replacing, make_negatives
from lawng.directional.booqa.output import MASKED, write_masked
from lawng.directional.booqa.positives import Thresholds, find_positives
from lawng.directional.booqa.records import (
    Evidence,
    Frequency,
    Mention,
    Negative,
    Placed,
    Positive,
    Question,
    StarringPair,
)
from lawng.directional.booqa.relations import count_pairs, read_relations, written
from lawng.directional.booqa.sample import Sampling, choose, draw, quotas, split_windows
from lawng.directional.records import Article, Relation
from lawng.directional.relations import PIPELINE, Extractor, language_read
from lawng.directional.wordnet import WordNet, wordnet_folder
from lawng.io import TableWriter, write_lookup
from lawng.pipeline import Count, slices_of
from lawng.schema import Reject

FIRST = date(2031, 3, 1)


def write(path: Path, record: type, rows: Sequence[object]) -> Path:
    with TableWriter(path / "part-00000.parquet", record) as table:
        for row in rows:
            table.write(row)
    return path


def words(n: int, start: int = 0) -> str:
    return " ".join(f"w{number}" for number in range(start, start + n))


def said(
    subject: str,
    predicate: str,
    object: str,
    article: str,
    window: str = "w",
    negated: bool = False,
    modality: str = "",
) -> Mention:
    relation = Relation(article, 0, 9, subject, predicate, object, "ORG", "ORG", negated, modality)
    tags = ["VERB", *["ADP"] * 9]
    written = [f"{word}/{tag}" for word, tag in zip(predicate.split(), tags, strict=False)]
    return Mention(window, relation, f"{subject} {predicate} {object}.", written)


def test_windows_are_disjoint_spans_of_days_from_the_first_day(tmp_path: Path) -> None:
    articles = [Article(str(n), FIRST + timedelta(n), "", words(20, 100 * n)) for n in range(7)]
    table = write(tmp_path / "t", Article, [*reversed(articles)])
    rows = [row for row in place(table / "part-00000.parquet", FIRST, 3, 0.8) if isinstance(row, Placed)]
    assert [(row.window, row.article.article_id) for row in rows] == [
        *(("2031-03-01", n) for n in "012"),
        *(("2031-03-04", n) for n in "345"),
        ("2031-03-07", "6"),
    ]


@pytest.mark.parametrize(
    ("text", "day", "reason"),
    [
        (words(100), 0, "near-duplicate"),
        (words(98), 1, "near-duplicate"),
        (words(60), 0, None),
        (words(100), 3, None),
        (words(50, 500), 0, None),
        ("w0", 0, None),
    ],
)
def test_an_article_that_repeats_one_of_its_window_is_dropped(
    tmp_path: Path, text: str, day: int, reason: str | None
) -> None:
    articles = [Article("a", FIRST, "", words(100)), Article("b", FIRST + timedelta(day), "", text)]
    table = write(tmp_path / "t", Article, articles)
    rows = list(place(table / "part-00000.parquet", FIRST, 3, 0.8))
    assert [row.reason for row in rows if isinstance(row, Reject)] == ([reason] if reason else [])
    assert sum(row.n for row in rows if isinstance(row, Count)) == 2
    assert [row.repeats for row in rows if isinstance(row, Placed)] == ([[text]] if reason else [[], []])


@pytest.mark.parametrize(
    ("starts", "ids", "reasons", "why"),
    [
        ((0, 100), ["a", "a#2"], [], "another text keeps its place by an id of its own"),
        ((0, 100, 200), ["a", "a#2", "a#3"], [], "and so on"),
        ((0, 0), ["a"], ["near-duplicate"], "the same text is a repeat"),
        ((0, 100, 0), ["a", "a#2"], ["near-duplicate"], "of whichever it is"),
    ],
)
def test_an_id_is_an_articles_own_in_its_window(
    tmp_path: Path, starts: tuple[int, ...], ids: list[str], reasons: list[str], why: str
) -> None:
    articles = [Article("a", FIRST, "", words(50, start)) for start in starts]
    rows = list(place(write(tmp_path / "t", Article, articles) / "part-00000.parquet", FIRST, 3, 0.8))
    assert [row.article.article_id for row in rows if isinstance(row, Placed)] == ids, why
    assert [row.reason for row in rows if isinstance(row, Reject)] == reasons, why


@pytest.mark.parametrize(
    ("language", "pipeline", "reason"),
    [
        ("en", "en", None),
        ("en-GB", "en", None),
        ("EN", "en", None),
        ("eng", "en", None),
        ("de", "en", "language-not-read"),
        ("zh", "en", "language-not-read"),
        ("zh", "zh", None),
        ("en", "zh", "language-not-read"),
    ],
)
def test_an_article_that_the_parser_cannot_read_is_rejected(
    tmp_path: Path, language: str, pipeline: str, reason: str | None
) -> None:
    table = write(tmp_path / "t", Article, [Article("a", FIRST, "", words(50), language)])
    rows = list(place(table / "part-00000.parquet", FIRST, 3, 0.8, pipeline))
    assert [row.reason for row in rows if isinstance(row, Reject)] == ([reason] if reason else [])
    assert sum(row.n for row in rows if isinstance(row, Count)) == 1
    assert sum(isinstance(row, Placed) for row in rows) == (0 if reason else 1)


def test_the_language_of_a_pipeline_is_told_without_loading_it(tmp_path: Path) -> None:
    spacy.blank("zh").to_disk(tmp_path)
    assert [language_read(PIPELINE), language_read(str(tmp_path))] == ["en", "zh"]


def test_a_frequency_counts_pairs_that_a_predicate_is_asserted_of(tmp_path: Path) -> None:
    mentions = [
        *(said("x", "buy", "b", "1"), said("x", "buy", "b", "2", "other"), said("b", "buy", "x", "1")),
        *(
            said("x", "buy", "c", "1", negated=True),
            said("x", "buy", "d", "1", modality="may"),
            said("x", "buy", "x", "1"),
        ),
    ]
    table = write(tmp_path / "m", Mention, mentions)
    [frequency] = [row for row in count_pairs(table / "part-00000.parquet") if isinstance(row, Frequency)]
    assert frequency == Frequency("buy", pairs=2, mentions=3)


def starring(tmp_path: Path, mentions: list[Mention], thresholds: Thresholds) -> list[object]:
    table = write(tmp_path / "m", Mention, list(mentions))
    counted = [row for row in count_pairs(table / "part-00000.parquet") if isinstance(row, Frequency)]
    frequencies = write(tmp_path / "f", Frequency, list(counted))
    return list(find_positives(table / "part-00000.parquet", frequencies, thresholds))


STORY = [
    *(said("x", verb, "b", article) for verb, article in (("buy", "1"), ("sue", "2"), ("own", "2"))),
    *(
        said("c", "buy", "d", "3"),
        said("x", "visit", "b", "1", negated=True),
        said("x", "help", "b", "3", modality="may"),
    ),
    # the same parties by longer names, and one that only ends alike
    *(said("mayor x", "beat", "b", "4"), said("x", "crush", "old b", "4"), said("mayorx", "fear", "b", "4")),
]


def test_a_pair_stars_by_what_is_asserted_of_it_and_its_felicitous_predicates_are_positives(tmp_path: Path) -> None:
    rows = starring(tmp_path, STORY, Thresholds(articles=2, predicates=3, pairs=2))
    [pair] = [row for row in rows if isinstance(row, StarringPair)]
    assert (pair.subject, pair.object, pair.articles) == ("x", "b", 2)
    assert pair.said == ["beat", "buy", "crush", "help", "own", "sue", "visit"]
    assert [row.predicate for row in rows if isinstance(row, Positive)] == ["buy"]
    assert [row.reason for row in rows if isinstance(row, Reject)] == ["predicate-rare"] * 2
    assert sorted(row.predicate for row in rows if isinstance(row, Evidence)) == ["buy", "own", "sue"]


@pytest.mark.parametrize(
    ("one", "other", "same", "why"),
    [
        ("general motors corp", "general motors", True, "a legal form"),
        ("general motors corp.", "general motors corporation", True, "two ways to write one"),
        ("bolt & co", "bolt", True, "with what joins it"),
        ("acme s.a.", "acme", True, "with dots"),
        ("acme holdings, inc.", "acme holdings", True, "after a comma"),
        ("the bolt co ltd", "bolt", True, "two of them, and a longer name"),
        ("bolt bank", "bolt", False, "no legal form"),
        ("inc", "corp", False, "nothing else"),
        ("acme corp", "bravo corp", False, "two firms of one form"),
    ],
)
def test_a_firm_is_the_same_with_and_without_its_legal_form(
    tmp_path: Path, one: str, other: str, same: bool, why: str
) -> None:
    mentions = [said(one, "buy", "b", "1"), said(one, "own", "b", "2"), said(other, "sue", "b", "3")]
    rows = starring(tmp_path, mentions, Thresholds(1, 1, 1))
    pairs = {row.subject: row.said for row in rows if isinstance(row, StarringPair)}
    assert pairs[one] == (["buy", "own", "sue"] if same else ["buy", "own"]), why
    assert (other in pairs) is not same, why


@pytest.mark.parametrize("thresholds", [Thresholds(3, 3, 1), Thresholds(2, 4, 1)])
def test_a_pair_with_too_little_about_it_does_not_star(tmp_path: Path, thresholds: Thresholds) -> None:
    assert not [row for row in starring(tmp_path, STORY, thresholds) if isinstance(row, StarringPair)]


@pytest.mark.parametrize(
    ("subject", "object", "reason"), [("x", "x", "argument-with-itself"), ("it", "b", "argument-names-nothing")]
)
def test_a_pair_that_nobody_could_be_asked_about_is_rejected(
    tmp_path: Path, subject: str, object: str, reason: str
) -> None:
    rows = starring(tmp_path, [said(subject, "buy", object, "1")], Thresholds(1, 1, 1))
    assert [row.reason for row in rows if isinstance(row, Reject)] == [reason]
    assert not [row for row in rows if isinstance(row, StarringPair | Positive)]


def test_of_two_names_of_the_same_parties_the_one_in_most_articles_stars(tmp_path: Path) -> None:
    articles = {"x": "1", "mayor x": "12", "old mayor x": "12", "judge x": "1", "mayorx": "1", "it": "123"}
    mentions = [said(name, "buy", "b", article) for name, some in articles.items() for article in some]
    rows = starring(tmp_path, mentions, Thresholds(articles=1, predicates=1, pairs=1))
    # a judge and a mayor may be two, of whom "x" may be either
    assert [row.subject for row in rows if isinstance(row, StarringPair)] == ["judge x", "mayor x", "mayorx"]
    assert {row.detail: row.reason for row in rows if isinstance(row, Reject)} == {
        "it | buy | b": "argument-names-nothing",
        "old mayor x | buy | b": "argument-has-another-name",
        "x | buy | b": "argument-has-another-name",
    }
    assert sum(row.n for row in rows if isinstance(row, Count) and row.what.startswith("propositions")) == 6
    assert sum(isinstance(row, Positive | Reject) for row in rows) == 6


def negatives_of(
    tmp_path: Path,
    predicate: str,
    also: list[str],
    known: dict[str, int],
    direct: bool = False,
    parts: str = "VERB NOUN ADP",
) -> list[Negative | Reject | Count]:
    """What is made of a positive, where its window has other predicates too."""
    tags = [f"{word}/{tag}" for word, tag in zip(predicate.split(), parts.split(), strict=False)]
    positive = Positive("q", "p", "w", predicate, 9, ["1@0"], f"They {predicate} it.", tags)
    pair = StarringPair("p", "w", "a", "b", "ORG", "ORG", 1, sorted({predicate, *also}))
    table = write(tmp_path / "positives", Positive, [positive])
    frequencies = write(tmp_path / "f", Frequency, [Frequency(name, n, n) for name, n in known.items()])
    pairs = write_lookup(write(tmp_path / "p", StarringPair, [pair]), StarringPair, "pair_id", tmp_path / "pairs.arrow")
    replacing = Replacing(WordNet(wordnet_folder()), "first", direct, frequencies, 5)
    [unit] = slices_of(table)
    return list(make_negatives(unit, replacing, pairs))


@pytest.mark.parametrize(
    ("sentence", "predicate", "words"),
    [
        ("Under the plan Acme plans to buy Bravo.", "plan to buy", "plans/VERB to/PART buy/VERB"),
        ("The buy signal made Acme plan to buy Bravo.", "plan to buy", "plan/VERB to/PART buy/VERB"),
        ("The visit ended and Ilsa Orme visited Oslo.", "visit", "visited/VERB"),
        ("Acme, which bid first, made a bid for Bravo.", "make bid for", "made/VERB bid/NOUN for/ADP"),
        ("The firm that attacks Cargo plans an attack on Bravo.", "plan attack on", "plans/VERB attack/NOUN on/ADP"),
        ("Acme took over Bravo.", "take over", "took/VERB over/ADP"),
        ("Acme was bought by Bravo.", "be bought by", "was/AUX bought/VERB by/ADP"),
        ("Cargo founded a mine where gold was found in clay.", "be found in", "was/AUX found/VERB in/ADP"),
        (
            "Acme began operating in Oslo and operates in Bergen.",
            "begin operating in",
            "began/VERB operating/VERB in/ADP",
        ),
    ],
)
def test_a_word_that_comes_twice_is_a_verb_where_the_predicate_has_one(
    sentence: str, predicate: str, words: str
) -> None:
    [doc] = [doc for *_, doc in Extractor().parsed([("a", sentence)])]
    assert " ".join(written(doc[:], predicate.split())) == words


FILLER = " ".join(f"Smith met man{n}." for n in range(40))


def window_of(folder: Path, *texts: str) -> tuple[list[object], list[object]]:
    """What is counted of articles of one day, and what is made of what they say; to bomb is a kind of attack."""
    rows = [Article(str(n), FIRST, "", f"{text} {FILLER}") for n, text in enumerate(texts)]
    file = write(folder / "articles", Article, rows) / "part-00000.parquet"
    placed = [row for row in place(file, FIRST, 3, 0.8) if isinstance(row, Placed)]
    [unit] = slices_of(write(folder / "placed", Placed, placed))
    read = list(read_relations(unit, PIPELINE))
    mentions = write(folder / "mentions", Mention, [row for row in read if isinstance(row, Mention)])
    counted: list[object] = [row for row in read if isinstance(row, Count) and row.what == "placed"]
    counted += count_pairs(mentions / "part-00000.parquet")
    known = write(folder / "known", Frequency, [Frequency("attack", 9, 9), Frequency("bomb", 9, 9)])
    found = list(find_positives(mentions / "part-00000.parquet", known, Thresholds(1, 1, 5)))
    pairs = write(folder / "pairs", StarringPair, [row for row in found if isinstance(row, StarringPair)])
    [positives] = slices_of(write(folder / "positives", Positive, [row for row in found if isinstance(row, Positive)]))
    replacing = Replacing(WordNet(wordnet_folder()), "first", False, known, 5)
    lookup = write_lookup(pairs, StarringPair, "pair_id", folder / "pairs.arrow")
    counted += [row for row in found if not isinstance(row, StarringPair)]
    return counted, list(make_negatives(positives, replacing, lookup))


def test_what_only_a_dropped_article_says_is_no_negative_and_nothing_else(tmp_path: Path) -> None:
    alone, made = window_of(tmp_path / "alone", "Acme attacked Bravo.")
    assert [row.predicate for row in made if isinstance(row, Negative)] == ["bomb"]
    counted, made = window_of(tmp_path / "both", "Acme attacked Bravo.", "Acme bombed Bravo. Acme attacked Bravo.")
    assert [row.reason for row in made if isinstance(row, Reject)] == ["said-in-window"]
    assert not [row for row in made if isinstance(row, Negative)]
    assert counted == alone


def test_a_negative_has_a_felicitous_hyponym_in_the_place_of_a_span(tmp_path: Path) -> None:
    rows = negatives_of(
        tmp_path, "play game with", [], {"play practice with": 9, "foul game with": 9, "go game with": 9}
    )
    assert not [row for row in rows if isinstance(row, Reject)]
    # "foul" is a kind of "play", a verb; what replaces the noun is a kind of game, and none of a verb's
    assert {(row.predicate, row.span) for row in rows if isinstance(row, Negative)} <= {("foul game with", "play")}


def test_a_rare_hyponym_makes_no_negative(tmp_path: Path) -> None:
    rows = negatives_of(tmp_path, "go to", [], {"drive to": 5, "fly to": 4})
    assert {row.predicate for row in rows if isinstance(row, Negative)} == {"drive to"}


@pytest.mark.parametrize(("also", "reason"), [("drive to", "said-in-window"), ("motor to", "synonym-in-window")])
def test_what_the_window_says_or_a_synonym_of_it_is_no_negative(tmp_path: Path, also: str, reason: str) -> None:
    rows = negatives_of(tmp_path, "go to", [also], {"drive to": 5})
    assert {row.reason for row in rows if isinstance(row, Reject)} == {reason}
    assert not [row for row in rows if isinstance(row, Negative)]


def test_what_a_kind_of_it_in_the_window_entails_is_no_negative(tmp_path: Path) -> None:
    rows = negatives_of(tmp_path, "go", ["march"], {"walk": 9})
    assert {(row.reason, row.detail) for row in rows if isinstance(row, Reject)} == {
        ("hyponym-in-window", "walk: march")
    }
    assert not [row for row in rows if isinstance(row, Negative)]


@pytest.mark.parametrize(
    ("predicate", "known", "also", "expected", "why"),
    [
        ("be killed in", "be murdered in", "", "be murdered in: killed > murdered", "a kind in the participle's form"),
        ("be killed in", "be murder in", "", "", "no lemma after be"),
        ("be killed in", "be shot in", "", "be shot in: killed > shot", "an irregular form"),
        ("be killed in", "be murdered in", "be slain in", "synonym-in-window", "to slay is to murder"),
        (
            "be killed in",
            "be murdered in",
            "be executed in",
            "hyponym-in-window",
            "who is executed is murdered, as WordNet has it",
        ),
        ("begin going to", "begin driving to", "", "begin driving to: going > driving", "a gerund"),
        ("begin going to", "begin driving to", "begin motoring to", "synonym-in-window", "and its synonyms"),
    ],
)
def test_participles_are_replaced_by_participles(
    tmp_path: Path, predicate: str, known: str, also: str, expected: str, why: str
) -> None:
    parts = "AUX VERB ADP" if predicate.startswith("be ") else "VERB VERB ADP"
    rows = negatives_of(tmp_path, predicate, [also] if also else [], {known: 9}, parts=parts)
    made = {f"{row.predicate}: {row.span} > {row.replacement}" for row in rows if isinstance(row, Negative)}
    rejects = {row.reason for row in rows if isinstance(row, Reject)}
    assert made | rejects == ({expected} if expected else set()), why


def test_hyponyms_can_be_those_of_one_level(tmp_path: Path) -> None:
    known = {"walk": 9, "march": 9}
    every = {row.predicate for row in negatives_of(tmp_path / "a", "go", [], known) if isinstance(row, Negative)}
    direct = {row.predicate for row in negatives_of(tmp_path / "d", "go", [], known, True) if isinstance(row, Negative)}
    assert (direct, every) == ({"walk"}, {"walk", "march"})


SAMPLING = Sampling(seed=3, size=None, bounds=(10, 20), window_days=3)


def population() -> Iterator[tuple[Positive, list[Negative]]]:
    """Positives in six windows, each with five negatives of several frequencies."""
    for number in range(120):
        window = f"2031-03-{1 + number % 6:02d}"
        positive = Positive(
            f"p{number}", f"pair{number}", window, "go", (5, 15, 25)[number % 3], [f"{number}@0"], "", []
        )
        yield (
            positive,
            [
                Negative(
                    f"n{number}-{n}",
                    positive.question_id,
                    window,
                    "drive",
                    (5, 5, 5, 15, 25)[n],
                    "go",
                    "drive",
                    "s",
                    "h",
                )
                for n in range(5)
            ],
        )


@pytest.fixture
def drawn(tmp_path: Path) -> list[Question | Reject | Count]:
    positives, negatives = zip(*population(), strict=True)
    pairs = [StarringPair(one.pair_id, one.window, "a", "b", "ORG", "ORG", 1, ["go"]) for one in positives]
    placed = [
        Placed(f"2031-03-{day:02d}", Article(f"{day}.{n}", FIRST, "", "t")) for day in range(1, 7) for n in range(day)
    ]
    tables = {
        "positives": write(tmp_path / "positives", Positive, list(positives)),
        "negatives": write(tmp_path / "negatives", Negative, [one for some in negatives for one in some]),
        "pairs": write(tmp_path / "pairs", StarringPair, list(pairs)),
        "placed": write(tmp_path / "placed", Placed, list(placed)),
    }
    return list(draw("all", tables, SAMPLING))


def test_what_comes_in_is_a_question_or_rejected(drawn: list[Question | Reject | Count]) -> None:
    assert [row.n for row in drawn if isinstance(row, Count)] == [720]
    assert sum(isinstance(row, Question | Reject) for row in drawn) == 720


def test_a_bundle_is_a_positive_with_one_or_two_negatives(drawn: list[Question | Reject | Count]) -> None:
    questions = [row for row in drawn if isinstance(row, Question)]
    for bundle in {row.bundle for row in questions}:
        labels = Counter(row.label for row in questions if row.bundle == bundle)
        assert labels[True] == 1
        assert 1 <= labels[False] <= 2
    assert all(row.exclude == [f"{row.bundle[1:]}@0"] for row in questions)


def test_dev_and_test_have_windows_of_their_own(drawn: list[Question | Reject | Count]) -> None:
    questions = [row for row in drawn if isinstance(row, Question)]
    windows = {split: {row.window for row in questions if row.split == split} for split in ("dev", "test")}
    assert all(windows.values())
    assert not windows["dev"] & windows["test"]
    assert {row.last_day for row in questions if row.window == "2031-03-01"} == {"2031-03-03"}


def test_the_buckets_of_negatives_are_at_most_as_full_as_those_of_positives() -> None:
    positives, made = zip(*population(), strict=True)
    negatives = [one for some in made for one in some]
    articles = Counter({one.window: 10 for one in positives})
    chosen = [one for one in choose(negatives, list(positives), articles, SAMPLING) if isinstance(one, Negative)]
    assert max(Counter(one.frequency for one in chosen).values()) <= 200  # a third of all 600
    assert max(Counter(one.window for one in chosen).values()) <= 100
    assert max(Counter(one.positive_id for one in chosen).values()) == 2


def test_windows_are_drawn_from_in_proportion_to_their_articles() -> None:
    positives, made = zip(*population(), strict=True)
    articles = Counter({f"2031-03-{day:02d}": 1 if day == 1 else 20 for day in range(1, 7)})
    negatives = [one for some in made for one in some]
    drawn = choose(negatives, list(positives), articles, SAMPLING)
    chosen = Counter(one.window for one in drawn if isinstance(one, Negative))
    assert chosen["2031-03-01"] <= 6 < min(n for window, n in chosen.items() if window != "2031-03-01")


def test_what_is_scarce_among_the_negatives_is_drawn_before_others_fill_the_bundles() -> None:
    """Half of the positives are frequent, one in twenty negatives is; each positive has twenty."""
    positives = [
        Positive(f"p{n}", f"pair{n}", "2031-03-01", "buy", (100, 7)[n % 2], ["a@0"], "", ["buy/VERB"])
        for n in range(60)
    ]
    negatives = [
        Negative(f"n{n}-{k}", f"p{n}", "2031-03-01", f"x{k}", 100 if k == 19 else 7, "buy", f"x{k}", "s", "h")
        for n in range(60)
        for k in range(20)
    ]
    drawn = choose(negatives, positives, Counter({"2031-03-01": 9}), Sampling(1, None, (50,), 3))
    frequencies = Counter(one.frequency for one in drawn if isinstance(one, Negative))
    assert frequencies == {100: 60, 7: 60}, "two of each positive, in the proportion of the positives"


def test_quotas_and_splits_depend_on_counts_and_seed_alone() -> None:
    assert quotas(Counter({"a": 1, "b": 1, "c": 2}), 8) == {"a": 2, "b": 2, "c": 4}
    windows = Counter({f"w{n}": 1 + n % 3 for n in range(20)})
    splits = split_windows(windows, 5)
    assert splits == split_windows(Counter(dict(reversed(windows.items()))), 5)
    assert splits != split_windows(windows, 6)
    sizes = [sum(windows[w] for w, own in splits.items() if own == split) for split in ("dev", "test")]
    assert abs(sizes[0] - sizes[1]) <= 3


def question(name: str, split: str, subject: str, label: bool = True) -> Question:
    facts = ("2031-03-01", "2031-03-03", "p", subject, "buy", "b", "ORG", "ORG", 9, ["1@0"])
    return Question(name, split, name, label, *facts, "", "", "", "")


def test_masked_files_show_types_and_share_no_proposition(tmp_path: Path) -> None:
    questions = [question(f"{split}{n}", split, f"s{n}", n % 2 == 0) for n in range(60) for split in ("dev", "test")]
    write_masked(tmp_path, questions, seed=1)
    rows = {
        name: [json.loads(line) for line in (tmp_path / f"{name}.jsonl").read_text().splitlines()] for name in MASKED
    }
    assert all(rows.values())
    names = [row["id"].removeprefix("dev").removeprefix("test") for some in rows.values() for row in some]
    assert len(names) == len(set(names)) == 60
    assert {row["text"] for some in rows.values() for row in some} == {"ORG buy ORG"}
