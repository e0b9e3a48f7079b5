"""Files of NLI data as they are published, shortened and made up, and what is read from them."""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from lawng.datasets.nli_tables import NOT_ENTAILED
from lawng.schema.labels import Label

E, N, C, NOT = [Label.ENTAILMENT], [Label.NEUTRAL], [Label.CONTRADICTION], list(NOT_ENTAILED)
Said = tuple[str, str, str, list[Label]]
"""Id without the source's name, premise, hypothesis, right labels."""


class Case(NamedTuple):
    """A file as it is published, shortened, and what is read from it."""

    name: str
    """Of the source."""
    path: str
    text: str
    said: list[Said]
    part: str = ""
    """"" where the premise's hash decides."""
    left: int = 0
    """Rows without a gold label."""


def agreement(number: int, text: str, choices: Mapping[str, str]) -> dict[str, object]:
    """A document of ContractNLI."""
    said = {key: {"choice": choice, "spans": []} for key, choice in choices.items()}
    return {"id": number, "text": text, "spans": [[0, 1]], "annotation_sets": [{"annotations": said}]}


def lines(*rows: Mapping[str, object]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def table(*rows: Sequence[str]) -> str:
    file = io.StringIO()
    csv.writer(file).writerows(rows)
    return file.getvalue()


def snli(gold: str, key: str = "1n", **other: object) -> dict[str, object]:
    judges = [gold] if gold != "-" else ["neutral", "entailment"]
    return {"annotator_labels": judges, "gold_label": gold, "pairID": key, "sentence1": "P", "sentence2": "H", **other}


SICK = "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment\n"
WHOLE_SICK = "pair_ID\tsentence_A\tsentence_B\tentailment_label\trelatedness_score\tSemEval_set\n"
ANALYSIS = ["context", "statement", "reason", "adversary_pred", "gold_label", "A1Code", "uid"]
WILL = ["ID", "statement", "conditions", "law", "classification"]
VERIFIED = ["id", "evidence", "claim", "label", "topic_ip", "question"]
SPANS = ["concatenated_spans", "hypothesis", "num_spans", "num_evidence_spans", "num_tokens", "label"]

CASES = [
    Case(
        "anli/R2/train",
        "anli_v1.0/R2/train.jsonl",
        lines(
            {"uid": "a", "context": "P", "hypothesis": "H", "label": "c", "model_label": "e", "reason": ""},
            {"uid": "b", "context": "P, Q", "hypothesis": "H", "label": "e", "model_label": "n", "reason": ""},
            {"uid": "c", "context": "P", "hypothesis": "I", "label": "n", "model_label": "e", "reason": "no"},
        ),
        [("a", "P", "H", C), ("b", "P, Q", "H", E), ("c", "P", "I", N)],
        "train",
    ),
    Case(
        "anli/ANLI_analysis_r1_dev",
        "ANLI_analysis_r1_dev.csv",
        table(ANALYSIS, ["P,\nQ", "H", "why", "n", "c", "Tricky", "a"], ["P", "I", "why", "c", "e", "", "b"]),
        [("a", "P,\nQ", "H", C), ("b", "P", "I", E)],
        "test",
    ),
    Case("breaking/dataset", "dataset.jsonl", lines(snli("contradiction", category="colors")), [("1n", "P", "H", C)]),
    Case(
        "contract-nli/validation",
        "validation.csv",
        table(SPANS, ["P", "H", "9", "1", "80", "0"], ["P", "I", "9", "1", "80", "1"], ["Q", "H", "9", "0", "80", "2"]),
        [("1", "P", "H", E), ("2", "P", "I", C), ("3", "Q", "H", N)],
        "dev",
    ),
    Case(
        "contract-nli/dev",
        "dev.json",
        json.dumps(
            {
                "documents": [
                    agreement(7, "P", {"nda-1": "Entailment", "nda-2": "NotMentioned"}),
                    agreement(9, "Q", {"nda-2": "Contradiction"}),
                ],
                "labels": {"nda-1": {"hypothesis": "H", "short_description": "s"}, "nda-2": {"hypothesis": "I"}},
            },
            indent=2,
        ),
        [("7:nda-1", "P", "H", E), ("7:nda-2", "P", "I", N), ("9:nda-2", "Q", "I", C)],
        "dev",
    ),
    Case(
        "control/train",
        "train.jsonl",
        lines(*({"uid": "id_0", "premise": "P", "hypothesis": h, "label": h.lower()} for h in "ENC")),
        [("1", "P", "E", E), ("2", "P", "N", N), ("3", "P", "C", C)],
        "train",
    ),
    Case(
        "docnli/dev",
        "DocNLI_dataset/dev.json",
        json.dumps(
            [
                {"premise": "P", "hypothesis": "H", "label": "entailment"},
                {"premise": "P", "hypothesis": "I", "label": "not_entailment"},
            ]
        ),
        [("1", "P", "H", E), ("2", "P", "I", NOT)],
        "dev",
    ),
    Case(
        "mnli/mnli-dev",
        "mnli-dev.txt",
        "entailment\tP\tH\nnot_entailment\tP\tI\n",
        [("1", "P", "H", E), ("2", "P", "I", NOT)],
    ),
    Case("fever/fever-nli-test", "fever-nli-test.txt", "not_entailment\tP\tH\r\n\n", [("1", "P", "H", NOT)]),
    Case(
        "fever-nli/train_fitems",
        "nli_fever/train_fitems.jsonl",
        lines(
            {"cid": "1", "fid": "1-0", "query": "H", "context": "P", "label": "SUPPORTS", "verifiable": "VERIFIABLE"},
            {"cid": "1", "fid": "1-1", "query": "H", "context": "Q", "label": "REFUTES", "verifiable": "VERIFIABLE"},
            {"cid": "2", "fid": "2-0", "query": "I", "context": "P", "label": "NOT ENOUGH INFO"},
        ),
        [("1", "P", "H", E), ("2", "Q", "H", C), ("3", "P", "I", N)],
        "train",
    ),
    Case(
        "fever-nli/dev_fitems",
        "dev_fitems.jsonl",
        lines({"cid": "1", "fid": "1-0", "query": "H", "context": "P", "label": "hidden"}),
        [],
        left=1,
    ),
    Case(
        "healthver/healthver_dev",
        "healthver_dev.csv",
        "\ufeff"
        + table(
            VERIFIED,
            ["7", "P", "H", "Supports", "1", "Q"],
            ["8", "P", "I", "Refutes", "1", "Q"],
            ["9", "Q", "H", "Neutral", "1", "Q"],
        ),
        [("7", "P", "H", E), ("8", "P", "I", C), ("9", "Q", "H", N)],
        "dev",
    ),
    Case(
        "healthver/test",
        "test.csv",
        table(VERIFIED, ["7", "P", "H", "Refutes", "1", "Q"]),
        [("7", "P", "H", C)],
        "test",
    ),
    Case(
        "lingnli/val",
        "val.jsonl",
        lines({"pairID": "5e", "promptID": 5, "premise": "P", "hypothesis": "H", "label": "entailment"}),
        [("1", "P", "H", E)],
        "test",
    ),
    Case(
        "multinli/multinli_1.0_dev_matched",
        "multinli_1.0/multinli_1.0_dev_matched.jsonl",
        lines(snli("neutral", genre="slate"), snli("-", "2e", genre="slate"), snli("entailment", "3e", genre="slate")),
        [("1n", "P", "H", N), ("3e", "P", "H", E)],
        "dev",
        1,
    ),
    Case(
        "multinli/multinli_1.0_train",
        "multinli_1.0_train.jsonl",
        lines(snli("entailment")),
        [("1n", "P", "H", E)],
        "train",
    ),
    Case(
        "nli4wills/Idaho/original_datasets/train",
        "data/Idaho/original_datasets/train.csv",
        "\ufeff" + table(WILL, ["A1", "S", "H", "L", "0"], ["A1", "S", "H", "M", "1"], ["A1", "S", "I", "L", "2"]),
        [("1", "S\n\nL", "H", C), ("2", "S\n\nM", "H", E), ("3", "S\n\nL", "I", N)],
        "train",
    ),
    Case(
        "scitail/scitail_1.0_test",
        "snli_format/scitail_1.0_test.txt",
        lines(snli("entailment"), snli("neutral")),
        [("1", "P", "H", E), ("2", "P", "H", NOT)],
        "test",
    ),
    Case(
        "scitail/scitail_1.0_train",
        "tsv_format/scitail_1.0_train.tsv",
        'P "p"\tH\tentails\nP\tI\tneutral\n',
        [("1", 'P "p"', "H", E), ("2", "P", "I", NOT)],
        "train",
    ),
    Case(
        "sick/SICK_trial",
        "SICK_trial.txt",
        SICK + "4\tP\tH\t3.6\tCONTRADICTION\n5\tP\u2028\rp\tI\t4.7\tENTAILMENT\r\n",
        [("4", "P", "H", C), ("5", "P\u2028\rp", "I", E)],
        "dev",
    ),
    Case(
        "sick/SICK",
        "SICK.txt",
        WHOLE_SICK + "1\tP\tH\tNEUTRAL\t3.6\tTRAIN\n2\tQ\tH\tENTAILMENT\t4\tTRIAL\n3\tR\tH\tCONTRADICTION\t4\tTEST\n",
        [("1", "P", "H", N), ("2", "Q", "H", E), ("3", "R", "H", C)],
    ),
    Case(
        "snli/snli_1.0_test",
        "snli_1.0_test.jsonl",
        lines(snli("-"), snli("contradiction", "2c"), snli("-", "3e")),
        [("2c", "P", "H", C)],
        "test",
        2,
    ),
    Case(
        "vitaminc/test",
        "vitaminc/test.jsonl",
        lines(
            {"unique_id": "5e_1", "case_id": "5e", "label": "SUPPORTS", "claim": "H", "evidence": "P", "page": "X"},
            {"unique_id": "5e_2", "case_id": "5e", "label": "NOT ENOUGH INFO", "claim": "I", "evidence": "P"},
            {"unique_id": "5e_3", "case_id": "5e", "label": "REFUTES", "claim": "I", "evidence": "Q"},
        ),
        [("5e_1", "P", "H", E), ("5e_2", "P", "I", N), ("5e_3", "Q", "I", C)],
        "test",
    ),
]
NAMES = [case.name for case in CASES]


def write(folder: Path, path: str, text: str, packed: bool = False) -> Path:
    """The file, gzipped and so named where it is to be packed."""
    place = folder / (path + ".gz" * packed)
    place.parent.mkdir(parents=True, exist_ok=True)
    data = text.encode()
    place.write_bytes(gzip.compress(data) if packed else data)
    return place
