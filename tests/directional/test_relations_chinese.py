"""Relations of Chinese, over the same code: hand-made parses with the labels of spaCy's Chinese pipelines."""

from __future__ import annotations

import pytest
import spacy
from spacy.tokens import Doc
from spacy.vocab import Vocab

from lawng.directional.relations import extract
from lawng.errors import InputError, MissingError

PARTS = {
    "v": "VERB",
    "n": "NOUN",
    "p": "PROPN",
    "r": "PRON",
    "x": "PART",
    "a": "ADP",
    "u": "PUNCT",
    "c": "CCONJ",
    "d": "ADV",
}
SENTENCES = {
    "active": ("甲/p/1/nsubj 收购/v/1/ROOT 了/x/1/aux:asp 工厂/n/1/dobj", {"甲|收购|工厂"}),
    "pronoun": ("他/r/1/nsubj 收购/v/1/ROOT 工厂/n/1/dobj", set()),
    "passive with its agent": ("工厂/n/3/nsubjpass 被/x/3/auxpass 甲/p/3/nsubj 收购/v/3/ROOT", {"甲|收购|工厂"}),
    "negated": ("甲/p/2/nsubj 没有/d/2/neg 收购/v/2/ROOT 工厂/n/2/dobj", {"甲|收购|工厂|not"}),
    "modal": ("甲/p/2/nsubj 可能/v/2/aux:modal 收购/v/2/ROOT 工厂/n/2/dobj", {"甲|收购|工厂|可能"}),
    "hedged": ("甲/p/2/nsubj 据称/d/2/advmod 收购/v/2/ROOT 工厂/n/2/dobj", {"甲|收购|工厂|据称"}),
    "not only": ("甲/p/3/nsubj 不/d/3/neg 仅/d/3/advmod 收购/v/3/ROOT 工厂/n/3/dobj", {"甲|收购|工厂"}),
    "preposition": ("甲/p/3/nsubj 在/a/2/case 北京/p/3/nmod:prep 工作/v/3/ROOT", {"甲|在工作|北京"}),
    "copula and owner": (
        "甲/p/4/nsubj 是/v/4/cop 银行/n/4/nmod:assmod 的/x/2/case 行长/n/4/ROOT",
        {"甲|是|银行的行长", "甲|是的行长|银行"},
    ),
    "subject relative": (
        "收购/v/3/acl 工厂/n/0/dobj 的/x/0/mark 银行/n/4/nsubj 出售/v/4/ROOT 股票/n/4/dobj",
        {"银行|收购|工厂", "银行|出售|股票"},
    ),
    "object relative": (
        "甲/p/1/nsubj 收购/v/3/acl 的/x/1/mark 工厂/n/4/nsubj 生产/v/4/ROOT 汽车/n/4/dobj",
        {"甲|收购|工厂", "工厂|生产|汽车"},
    ),
    "object before its verb": ("甲/p/3/nsubj 把/x/3/aux:ba 工厂/n/3/dep 出售/v/3/ROOT", {"甲|出售|工厂"}),
    "conditional": (
        "如果/d/2/mark 甲/p/2/nsubj 收购/v/6/advcl 工厂/n/2/dobj ，/u/6/punct 乙/p/6/nsubj 出售/v/6/ROOT 股票/n/6/dobj",
        {"甲|收购|工厂|如果", "乙|出售|股票|如果"},
    ),
    "coordination": (
        "甲/p/3/nsubj 和/c/0/cc 乙/p/0/conj 收购/v/3/ROOT 工厂/n/3/dobj",
        {"甲|收购|工厂", "乙|收购|工厂"},
    ),
    "question": ("甲/p/1/nsubj 收购/v/1/ROOT 工厂/n/1/dobj 吗/x/1/discourse ？/u/1/punct", {"甲|收购|工厂|?"}),
    "belief": (
        "乙/p/1/nsubj 认为/v/1/ROOT 甲/p/3/nsubj 收购/v/1/ccomp 工厂/n/3/dobj",
        {"甲|收购|工厂|认为"},
    ),
}  # fmt: skip


def parsed(line: str, lang: str = "zh") -> Doc:
    rows = [word.split("/") for word in line.split()]
    words, parts, heads, deps = zip(*rows, strict=True)
    places = [int(head) for head in heads]
    return Doc(
        spacy.blank(lang).vocab,
        list(words),
        spaces=[False] * len(rows),
        pos=[PARTS[p] for p in parts],
        heads=places,
        deps=list(deps),
    )


def said(doc: Doc) -> set[str]:
    found = extract(doc, "a")
    flags = ((one, ("not" if one.negated else "", one.modality)) for one in found)
    return {"|".join((one.subject, one.predicate, one.object, *filter(None, flag))) for one, flag in flags}


@pytest.mark.parametrize("name", SENTENCES)
def test_the_relations_of_a_chinese_sentence(name: str) -> None:
    line, expected = SENTENCES[name]
    assert said(parsed(line)) == expected


def test_types_are_those_of_entities() -> None:
    doc = parsed(SENTENCES["preposition"][0])
    doc.set_ents([doc.char_span(2, 4, "GPE")])  # type: ignore[list-item]
    [found] = extract(doc)
    assert (found.subject_type, found.object_type) == ("THING", "GPE")


def test_a_text_without_a_parse_and_another_language_are_refused() -> None:
    with pytest.raises(MissingError, match="without a parse"):
        list(extract(Doc(Vocab(), ["甲", "乙"])))
    with pytest.raises(InputError, match="language 'fi'"):
        list(extract(parsed("甲/p/1/nsubj 收购/v/1/ROOT", "fi")))
