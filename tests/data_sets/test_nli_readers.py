"""Readers of NLI data: each published format, files side by side, what has no gold label, and files that are damaged."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus_support import shared
from lawng.datasets.nli import Source, find_sources, read_source
from lawng.datasets.nli_tables import TABLES, TEST, is_common
from lawng.datasets.recipe import TEST_ONLY, Inputs, gather, held_out_pairs
from lawng.datasets.splits import side
from lawng.errors import ConfigError, InputError
from lawng.models.training.finish import _LICENCES
from lawng.schema.labels import Label, label_of
from lawng.schema.views import VIEWS
from nli_support import ANALYSIS, CASES, NAMES, VERIFIED, Case, N, Said, agreement, lines, snli, table, write


def said_of(source: Source, told: list[str]) -> list[Said]:
    pairs = list(read_source(source, told.append))
    assert {pair.source for pair in pairs} <= {source.name.partition("/")[0]}
    return [(p.pair_id.removeprefix(f"{source.name}:"), p.premise, p.hypothesis, [*map(Label, p.gold)]) for p in pairs]


# --- each format -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gz"])
@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_a_file_is_read_as_it_is_published(case: Case, packed: bool, tmp_path: Path) -> None:
    place = write(tmp_path, case.path, case.text, packed)
    for asked in (place, tmp_path):
        assert find_sources([asked]) == [Source(case.name, place)]
    told: list[str] = []
    assert said_of(Source(case.name, place), told) == case.said
    assert told == (
        [f"{Path(case.name).name}: {case.left} {'row' if case.left == 1 else 'rows'} without a gold label left out"]
        if case.left
        else []
    )
    if case.part:
        assert {pair.part for pair in read_source(Source(case.name, place))} == {case.part}


def test_each_set_has_a_case_and_a_licence() -> None:
    own = {"lawngnli", "retrieval-set"}
    assert {name.partition("/")[0] for name in NAMES} | own == {table.name for table in TABLES}
    assert (set(_LICENCES) - {"excerpts"}) | own == {table.name for table in TABLES}


@given(golds=st.lists(st.sampled_from(["entailment", "neutral", "contradiction", "-"]), max_size=12))
def test_pairs_and_what_is_left_out_are_all_rows(golds: list[str], tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("snli")
    place = write(folder, "snli_1.0_dev.jsonl", lines(*(snli(gold, f"{n}") for n, gold in enumerate(golds))))
    told: list[str] = []
    pairs = list(read_source(Source("snli/snli_1.0_dev", place), told.append))
    assert [pair.pair_id.rpartition(":")[2] for pair in pairs] == [f"{n}" for n, g in enumerate(golds) if g != "-"]
    left = int(told[0].split(": ")[1].split(" ")[0]) if told else 0
    assert len(pairs) + left == len(golds)


def test_a_long_premise_is_cut_to_its_best_window_where_documents_are_premises(tmp_path: Path) -> None:
    text = " ".join(f"Sentence {n} tells of nothing much at all." for n in range(60)) + " The statute was void."
    rows = [{"premise": text, "hypothesis": "the statute was void", "label": "entailment"}]
    [pair] = read_source(Source("docnli/test", write(tmp_path, "test.json", json.dumps(rows))))
    assert "The statute was void." in pair.premise
    assert len(pair.premise.split()) <= 110


def test_a_build_is_told_by_its_columns(tmp_path: Path) -> None:
    rows = {"id": ["a"], "premise_short": ["P"], "hypothesis": ["H"], "label": ["neutral"], "more": [1]}
    pq.write_table(
        pa.table({**rows, "premise_case_id": [SEEN], "cited_case_id": [SEEN]}), tmp_path / "validation.parquet"
    )
    pq.write_table(pa.table({"premise": ["P"], "label": [1]}), tmp_path / "train.parquet")
    [source] = find_sources([tmp_path])
    assert said_of(source, []) == [("a", "P", "H", N)]
    assert [pair.part for pair in read_source(source)] == ["dev"]


def test_rows_of_one_file_have_the_parts_that_a_column_says(tmp_path: Path) -> None:
    [case] = [case for case in CASES if case.name == "sick/SICK"]
    place = write(tmp_path, case.path, case.text)
    assert [pair.part for pair in read_source(Source(case.name, place))] == ["train", "dev", "test"]
    place.write_text(case.text.replace("TRIAL", "LATER"))
    with pytest.raises(InputError, match=r"SICK.txt, line 3: not a file of sick/SICK \(SemEval_set 'LATER'\)"):
        list(read_source(Source(case.name, place)))


SEEN, UNSEEN = (next(f"cl:{n}" for n in range(99) if side(f"cl:{n}") == half) for half in ("train", "held-out"))


@pytest.mark.parametrize(("file", "kept"), [("train", SEEN), ("validation", SEEN), ("test", UNSEEN)])
def test_of_a_build_no_case_is_trained_on_that_candidates_are_tested_with(file: str, kept: str, tmp_path: Path) -> None:
    cases = [SEEN, UNSEEN, SEEN, UNSEEN]
    rows = {"id": [SEEN, UNSEEN, "a", "b"], "premise_short": [*"PQRS"], "hypothesis": [*"HIJK"]}
    more = {"label": ["neutral"] * 4, "premise_case_id": cases, "cited_case_id": [*cases[:2], *cases[1:3]]}
    pq.write_table(pa.table({**rows, **more}), tmp_path / f"{file}.parquet")
    said: list[str] = []
    [source] = find_sources([tmp_path])
    assert [pair.pair_id for pair in read_source(source, said.append)] == [f"lawngnli/{file}:{kept}"]
    assert said == [f"{file}.parquet: 3 rows on cases of the other half left out: none is trained on and tested"]


def test_a_view_shows_one_premise_of_a_build_or_one_of_the_texts(tmp_path: Path) -> None:
    long = "\n\n".join(f"Paragraph {n} says so. " * 40 for n in range(5))
    premises = {"short": "P", "long": long, "bm25-short": "B", "bm25-long": long[:4000]}
    names = ("premise_short", "premise_long_prepended", "premise_bm25_short", "premise_bm25_long")
    rows = {"id": ["a"], "hypothesis": ["H"], "label": ["neutral"], "premise_case_id": [SEEN], "cited_case_id": [SEEN]}
    texts = {name: [text] for name, text in zip(names, premises.values(), strict=True)}
    pq.write_table(pa.table({**rows, **texts, "premise_long": ["another"]}), tmp_path / "train.parquet")
    write(tmp_path, "snli_1.0_train.jsonl", lines(snli("contradiction", "2c")))

    def seen(view: str) -> list[tuple[str, str]]:
        pairs = gather(find_sources([tmp_path]), [], lambda given: [None] * len(given), 0, view=view)
        return [(pair.premise, pair.hypothesis) for pair in sorted(pairs, key=lambda pair: pair.source)]

    assert {view for view in VIEWS if view.removeprefix("only-") in premises} == {*VIEWS} - {"hypothesis"}
    for view, text in premises.items():
        assert seen(view) == [(text, "H"), ("P", "H")], "sets of others have one premise"
        assert seen(f"only-{view}") == [(text, ""), ("P", "")]
    assert seen("hypothesis") == [("", "H"), ("", "H")]


def test_a_view_that_is_none_is_refused() -> None:
    with pytest.raises(ConfigError, match="view 'middle' is not one of short, long, bm25-short, bm25-long, hypothesis"):
        Inputs(view="middle")


def test_the_training_set_of_a_retrieval_study_is_nli_data(tmp_path: Path) -> None:
    rows = {"id": ["a"], "premise": ["P"], "hypothesis": ["H"], "label": ["contradiction"]}
    more = {"premise_opinion_id": [f"{SEEN}/0"], "cited_case_id": [SEEN]}
    pq.write_table(pa.table({**rows, **more}), tmp_path / "train.parquet")
    [source] = find_sources([tmp_path])
    assert source.name == "retrieval-set/train"
    assert [(pair.premise, pair.hypothesis, pair.gold) for pair in read_source(source)] == [
        ("P", "H", ["contradiction"])
    ]


@pytest.mark.parametrize(
    ("word", "label"),
    [
        ("e", "entailment"), ("n", "neutral"), ("c", "contradiction"),
        ("SUPPORTS", "entailment"), ("REFUTES", "contradiction"), ("NOT ENOUGH INFO", "neutral"),
        ("Supports", "entailment"), ("Refutes", "contradiction"), ("Neutral", "neutral"), ("entails", "entailment"),
        ("-", None), ("hidden", None), ("not_entailment", None), ("", None), ("0", None),
    ],
)  # fmt: skip
def test_label_words_of_the_sets(word: str, label: str | None) -> None:
    assert label_of(word) == label


# --- side by side ----------------------------------------------------------------------------------------------------


def test_sets_whose_files_have_the_same_names_stand_side_by_side(tmp_path: Path) -> None:
    placed = {write(tmp_path / str(n), case.path, case.text, n % 2 == 1): case for n, case in enumerate(CASES)}
    for name in ("train.jsonl", "dev.jsonl", "test.csv", "train.json", "dataset.jsonl", "notes.txt"):
        write(tmp_path / "other", name, lines({"query": "another project's file"}))
    write(tmp_path / "without ids", "train.jsonl", lines({"premise": "P", "hypothesis": "H", "label": "entailment"}))
    write(tmp_path / "empty", "train.jsonl", "")
    write(tmp_path / "packed", "train.jsonl", "no gzip").rename(tmp_path / "packed" / "train.jsonl.gz")
    sources = find_sources([tmp_path])
    assert {source.path: source.name for source in sources} == {place: case.name for place, case in placed.items()}
    for source in sources:
        assert said_of(source, []) == placed[source.path].said


@pytest.mark.parametrize("name", ["train.jsonl", "test.csv", "dev.json"])
def test_a_file_that_is_named_but_of_no_set_is_told_of(name: str, tmp_path: Path) -> None:
    place = write(tmp_path, name, lines({"query": "another project's file"}))
    with pytest.raises(InputError, match=rf"{name}: its first row is not one of .*nli"):
        find_sources([place])
    with pytest.raises(InputError, match=r"no NLI data known here; known are anli, .*vitaminc"):
        find_sources([tmp_path])


OVERLAP = "pairs left out whose texts another set has in its dev or test part"

# --- parts -----------------------------------------------------------------------------------------------------------


def test_files_for_testing_alone_are_not_opened_in_training(tmp_path: Path) -> None:
    for case in CASES:
        write(tmp_path / case.part, case.path, case.text)
    sources = find_sources([tmp_path])
    assert {source.name for source in sources} & TEST_ONLY == {case.name for case in CASES if case.part == "test"}
    for source in sources:
        if source.name in TEST_ONLY:
            source.path.write_bytes(b"\xff damaged since")
    told: list[str] = []
    pairs = gather(sources, [], lambda texts: [None] * len(texts), 0, told.append)
    assert told[:2] == [
        "dev_fitems: 1 row without a gold label left out",
        "multinli_1.0_dev_matched: 1 row without a gold label left out",
    ]
    assert [line.partition(" ")[2] for line in told[2:]] == [OVERLAP], "some of these small sets share their texts"
    assert {pair.part for pair in pairs} == {"train", "dev"}
    assert {p.source for p in pairs if p.part == "train"} >= {"anli", "control", "nli4wills", "scitail"}
    with pytest.raises(InputError):
        held_out_pairs(sources, [])


def test_what_another_set_tests_or_chooses_by_is_not_trained_on(tmp_path: Path) -> None:
    texts = [(f"the court {n}", f"the tax is void {n}") for n in range(60)]
    tabs = "".join(f"entailment\t{a}\t{b}\n" for a, b in texts)
    one = {"annotator_labels": ["entailment"], "genre": "x", "sentence1_parse": "", "sentence2_parse": ""}
    rows = [
        {"gold_label": "entailment", "sentence1": a, "sentence2": b, "pairID": f"{n}e", **one}
        for n, (a, b) in enumerate(texts)
    ]
    sources = find_sources(
        [write(tmp_path, "mnli-dev.txt", tabs), write(tmp_path, "multinli_1.0_dev_matched.jsonl", lines(*rows))]
    )
    told: list[str] = []
    pairs = gather(sources, [], lambda given: [None] * len(given), 0, told.append)
    by_part = {
        part: {(pair.premise, pair.hypothesis) for pair in pairs if pair.part == part} for part in ("train", "dev")
    }
    tested = {(pair.premise, pair.hypothesis) for pair in held_out_pairs(sources, [])}
    assert not by_part["train"] & (by_part["dev"] | tested)
    assert not by_part["dev"] & tested
    assert by_part["dev"] | tested == set(texts)
    assert [line for line in told if line.endswith(OVERLAP)]


def test_test_parts_that_must_stay_unseen() -> None:
    assert {
        "anli/R1/test",
        "anli/R3/test",
        "anli/test",
        "anli/r2_dev",
        "control/test",
        "contract-nli/test",
    } <= TEST_ONLY
    assert {"lawngnli/test", "sick/SICK_test_annotated", "docnli/test", "healthver/healthver_test"} <= TEST_ONLY
    assert not [name for name in TEST_ONLY if "train" in name]
    for one in TABLES:
        assert not [file for file, part in one.files.items() if "test." in file and part.dev + part.train == 100]
        tested = [file for file, part in one.files.items() if part == TEST]
        assert tested or one.split or one.name in {"breaking", "fever", "mnli", "multinli", "retrieval-set"}


# --- damaged files ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "path", "text", "says"),
    [
        ("snli/snli_1.0_dev", "snli_1.0_dev.jsonl", lines(snli("neutral")) + '{"gold_label": "neu', r"line or row 2"),
        ("snli/snli_1.0_dev", "snli_1.0_dev.jsonl", lines(snli("neutral"), snli("perhaps")), r"2: .*label 'perhaps'"),
        ("snli/snli_1.0_dev", "snli_1.0_dev.jsonl", lines({"sentence1": "P", "gold_label": "neutral"}), "no text in 'sentence2'"),
        ("snli/snli_1.0_dev", "snli_1.0_dev.jsonl", lines({"sentence1": "P", "sentence2": "H"}), "no 'gold_label'"),
        ("snli/snli_1.0_dev", "snli_1.0_dev.jsonl", lines(snli("neutral", sentence1=None)), "no text in 'sentence1'"),
        ("snli/snli_1.0_dev", "snli_1.0_dev.jsonl", '"P"\n', "not a JSON object"),
        ("docnli/dev", "dev.json", '[{"premise": "P", "hypothesis": "H", "label": "entailment"}, {"prem', "row 2: .*breaks off"),
        ("docnli/dev", "dev.json", lines({"premise": "P", "hypothesis": "H", "label": "neutral"}), "label 'neutral'"),
        ("contract-nli/dev", "dev.json", '{"documents": [', "Expecting value"),
        ("contract-nli/dev", "dev.json", '{"documents": [], "labels": []}', ""),
        ("contract-nli/dev", "dev.json", '{"documents": ' + "[" * 100_000, "too deeply"),
        ("contract-nli/dev", "dev.json", lines({"premise": "P"}, {"premise": "Q"}), "no JSON object of documents"),
        ("contract-nli/dev", "dev.json", '{"documents": [3], "labels": {}}', "not subscriptable"),
        ("contract-nli/dev", "dev.json", json.dumps({"documents": [agreement(1, "P", {"nda-1": "Yes"})], "labels": {"nda-1": {"hypothesis": "H"}}}), "agreement 1: .*label 'Yes'"),
        ("contract-nli/dev", "dev.json", json.dumps({"documents": [agreement(1, "P", {"nda-1": "Entailment"})], "labels": []}), "indices"),
        ("healthver/dev", "dev.csv", table(["7", "P", "H", "Supports"]), ""),
        ("healthver/dev", "dev.csv", table(["7", "P", "H", "Supports"], ["8", "P", "H", "Refutes"]), "line 2: .*no text"),
        ("healthver/dev", "dev.csv", table(VERIFIED, ["7", "P", "H"]), r"line 2: .*fields as the header"),
        ("healthver/dev", "dev.csv", ",".join(VERIFIED) + '\n7,"P', "unexpected end of data"),
        ("scitail/scitail_1.0_dev", "scitail_1.0_dev.tsv", "P\tH\tentails\nP\tH\n", r"line 2: .*2 fields, not 3"),
        ("sick/SICK_train", "SICK_train.txt", "4\tP\tH\t3.6\tNEUTRAL\n5\tP\tH\t3.6\tNEUTRAL\n", "no text in 'sentence_A'"),
    ],
)  # fmt: skip
def test_a_damaged_file_is_one_line_with_its_place(name: str, path: str, text: str, says: str, tmp_path: Path) -> None:
    place = write(tmp_path, path, text)
    if not says:  # a header without rows is a file without pairs
        assert list(read_source(Source(name, place))) == []
        return
    with pytest.raises(InputError, match=rf"{path}, .*{says}.*give it as published") as error:
        list(read_source(Source(name, place)))
    assert "\n" not in str(error.value)


def test_a_gzipped_file_that_breaks_off_is_told_of(tmp_path: Path) -> None:
    rows = lines(*(snli("neutral", f"{n}", sentence1=f"{n * 7919}") for n in range(4000)))
    place = write(tmp_path, "snli_1.0_train.jsonl", rows, packed=True)
    place.write_bytes(place.read_bytes()[:-200])
    with pytest.raises(InputError, match=r"train.jsonl.gz, after line or row \d+: not a file of snli"):
        list(read_source(find_sources([place])[0]))
    place.write_text(rows)
    with pytest.raises(InputError, match=r"at its beginning: .*gzip"):
        list(read_source(find_sources([place])[0]))
    place = write(
        tmp_path, "r1_dev.csv", table(ANALYSIS, *[["P", "H", "", "n", "c", "", f"{n}"] for n in range(9000)]), True
    )
    place.write_bytes(place.read_bytes()[:-20])
    with pytest.raises(InputError, match=r"r1_dev.csv.gz, after line \d+"):
        list(read_source(Source("anli/r1_dev", place)))


def test_text_that_is_no_utf8_is_told_of(tmp_path: Path) -> None:
    place = tmp_path / "snli_1.0_dev.jsonl"
    place.write_bytes(json.dumps(snli("neutral", sentence1="Café"), ensure_ascii=False).encode("cp1252"))
    with pytest.raises(InputError, match="not UTF-8"):
        list(read_source(Source("snli/snli_1.0_dev", place)))
    with pytest.raises(InputError, match="is not named like a file of snli"):
        list(read_source(Source("snli/snli_1.0_dev", tmp_path / "mine.jsonl")))


def test_names_that_only_one_set_has_are_enough() -> None:
    assert is_common("train.jsonl")
    assert is_common("R1/dev.jsonl")
    assert not is_common("snli_1.0_dev.jsonl")
    own = Counter(file for table in TABLES for file in table.files if not is_common(file))
    assert set(own.values()) == {1}


# --- the real files --------------------------------------------------------------------------------------------------


def test_the_real_files_have_the_counts_that_they_are_known_for() -> None:
    sources = find_sources([shared("nli"), shared("control")])
    told: list[str] = []
    pairs = {source.name: list(read_source(source, told.append)) for source in sources}
    found = {name: dict(Counter(" or ".join(pair.gold) for pair in rows)) for name, rows in pairs.items()}
    e, n, c, no = "entailment", "neutral", "contradiction", "neutral or contradiction"
    assert told == []
    assert found == {
        "anli/r1_dev": {e: 334, n: 333, c: 333},
        "anli/r2_dev": {e: 334, n: 333, c: 333},
        "anli/r3_dev": {e: 402, n: 400, c: 396},
        "breaking/dataset": {c: 7164, e: 982, n: 47},
        "contract-nli/test": {e: 968, c: 220, n: 903},
        "contract-nli/train": {e: 3530, c: 841, n: 2820},
        "contract-nli/validation": {e: 519, c: 95, n: 423},
        "control/dev": {e: 286, n: 237, c: 276},
        "control/test": {e: 327, n: 236, c: 242},
        "fever/fever-nli-dev": {e: 2913, no: 5296},
        "fever/fever-nli-test": {e: 3480, no: 6520},
        "healthver/dev": {n: 993, c: 391, e: 533},
        "healthver/test": {n: 727, c: 425, e: 671},
        "lingnli/train": {e: 14995, n: 14995, c: 14993},
        "lingnli/val": {e: 2560, n: 2443, c: 2368},
        "mnli/mnli-dev": {e: 2367, no: 4280},
        "mnli/mnli-test": {e: 4575, no: 8425},
        "nli4wills/Idaho__original_datasets__dev": {e: 31, c: 31, n: 88},
        "nli4wills/Idaho__original_datasets__test": {e: 32, c: 31, n: 91},
        "nli4wills/Idaho__original_datasets__train": {e: 64, c: 62, n: 179},
        "nli4wills/Tennessee__original_datasets__dev": {e: 61, c: 52, n: 142},
        "nli4wills/Tennessee__original_datasets__test": {e: 63, c: 53, n: 139},
        "nli4wills/Tennessee__original_datasets__train": {e: 116, c: 107, n: 281},
        "sick/SICK_test_annotated": {n: 2793, e: 1414, c: 720},
        "sick/SICK_train": {n: 2536, e: 1299, c: 665},
        "sick/SICK_trial": {n: 282, e: 144, c: 74},
    }
    doubled = {name for name, rows in pairs.items() if len({pair.pair_id for pair in rows}) < len(rows)}
    assert not doubled, "training keeps one pair of an id"
    [first] = [pair for pair in pairs["anli/r1_dev"] if pair.pair_id.endswith(":bf628cf5-6948-4595-a6d0-daf99beb47b9")]
    assert first.premise.startswith("Linguistics is the scientific study of language, and involves")
    assert first.hypothesis == "Form and meaning are the only aspects of language linguistics is concerned with."
    assert {name: {p.part for p in rows} for name, rows in pairs.items() if name.startswith(("anli", "healthver"))} == {
        "anli/r1_dev": {"test"}, "anli/r2_dev": {"test"}, "anli/r3_dev": {"test"},
        "healthver/dev": {"dev"}, "healthver/test": {"test"},
    }  # fmt: skip
