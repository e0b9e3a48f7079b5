"""Relations of English: sentences annotated by hand, what holds of any text, and the command."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import spacy

import lawng
from lawng.cli import main
from lawng.directional.records import Relation
from lawng.directional.relations import Extractor
from lawng.directional.relations_files import relations_of
from lawng.errors import InputError, MissingError

GOLD = [json.loads(line) for line in Path(__file__).parents[1].joinpath("data", "relations_gold.jsonl").open()]
MISPARSED = {"The company cut jobs and closed plants.", "The company he worked for built ships."}
"""Sentences of the gold file that the small pipeline parses wrongly; what is found there must be right all the same."""
EXTRACTOR = Extractor()
TEXT = """Acme's board met in Oslo. It did not sell the mine, which it owns;
it may lease Bravo's farms to Cargo Ltd or Delta Inc next year.

  Nobody bought the U.S. unit. If rates fall, Eve Stone, chairman of Acme, will buy back shares from the fund
that Bravo manages, he said. Did 'x' --- buy? 3 4 5 6 7 8 9 10 mills produce 11 12 tons."""


def said(found: list[Relation]) -> set[str]:
    flags = ((one, ("not" if one.negated else "", one.modality)) for one in found)
    return {" | ".join((one.subject, one.predicate, one.object, *filter(None, flag))) for one, flag in flags}


@pytest.mark.parametrize("row", GOLD, ids=lambda row: row["text"][:40])
def test_the_relations_of_a_sentence(row: dict[str, str]) -> None:
    found = said(list(EXTRACTOR.relations([("a", row["text"])])))
    assert found <= set(row["relations"]), row["why"]
    assert found == set(row["relations"]) or row["text"] in MISPARSED, row["why"]


@pytest.mark.parametrize(
    ("sentence", "relations"),
    [
        ("Acme almost bought Bravo.", "acme | buy | bravo | not"),
        ("Bravo was nearly bought by Acme.", "acme | buy | bravo | not"),
        ("Acme has hardly helped Bravo.", "acme | help | bravo | not"),
        ("Acme barely helped Bravo.", "acme | help | bravo | not"),
        ("Acme scarcely helped Bravo.", "acme | help | bravo | not"),
        ("Acme is hardly a friend of Bravo.", "acme | be friend of | bravo | not"),
        ("Acme almost managed to buy Bravo.", "acme | buy | bravo | not"),
        ("Acme nearly failed to buy Bravo.", "acme | buy | bravo"),
        ("Acme, which almost bought Bravo, sued Cargo.", "acme | sue | cargo"),
        ("Nearly 50 firms bought Bravo.", "nearly 50 firms | buy | bravo"),
        ("Acme almost certainly bought Bravo.", "acme | buy | bravo"),
    ],
)
def test_what_almost_was_is_denied(sentence: str, relations: str) -> None:
    assert relations in said(list(EXTRACTOR.relations([("a", sentence)])))


@pytest.mark.parametrize(
    ("sentence", "relation", "why"),
    [
        ("Acme allegedly bribed Bravo.", "acme | bribe | bravo | allegedly", "hedged"),
        ("Bravo was reportedly bought by Acme.", "acme | buy | bravo | reportedly", "a passive"),
        ("Acme is purportedly a supplier of Bravo.", "acme | be supplier of | bravo | purportedly", "a copula"),
        ("Supposedly, Acme bribed Bravo.", "acme | bribe | bravo | supposedly", "before the clause"),
        ("Acme openly bribed Bravo.", "acme | bribe | bravo", "another adverb"),
        ("There is no evidence that Acme bribed Bravo.", "acme | bribe | bravo | evidence", "a noun's clause"),
        ("The judge found no sign that Acme bribed Bravo.", "acme | bribe | bravo | sign", "of an object too"),
        ("The firm that Acme bribed sued Bravo.", "acme | bribe | firm", "a relative clause is none"),
        ("Had Acme bought Bravo, Cargo would have sued Delta.", "acme | buy | bravo | had", "a condition by its order"),
        ("Cargo would have sued Delta had Acme bought Bravo.", "acme | buy | bravo | had", "behind what it is of"),
        ("Acme had bought Bravo when Cargo sued Delta.", "acme | buy | bravo", "an auxiliary in its place"),
        ("Only in Oslo had Acme bought Bravo.", "acme | buy | bravo", "another inversion"),
        ("Acme ruled out buying Bravo.", "acme | buy | bravo | not", "a verb and its particle"),
        ("Acme did not rule out buying Bravo.", "acme | buy | bravo | rule", "denied it says nothing"),
        ("Acme did not refuse to buy Bravo.", "acme | buy | bravo | refuse", "as above"),
        ("Acme did not fail to buy Bravo.", "acme | buy | bravo", "who did not fail did"),
        ("Acme put off buying Bravo.", "acme | buy | bravo | put", "not so yet"),
        ("Acme escaped being bought by Bravo.", "bravo | buy | acme | not", "a verb of avoiding"),
        ("Few banks bought Bravo.", "few banks | buy | bravo | not", "hardly any"),
        ("A few banks bought Bravo.", "few banks | buy | bravo", "some"),
        ("Quite a few banks bought Bravo.", "few banks | buy | bravo", "many"),
        ("Smith escaped to join Bravo.", "smith | join | bravo | escape", "what the escape was for"),
        ("The few banks that bought Bravo sued Cargo.", "few banks | sue | cargo", "all of them"),
        ("Acme bought few banks.", "acme | buy | few banks | not", "an object"),
        ("Acme seldom sued Bravo.", "acme | sue | bravo | not", "hardly ever"),
        ("Rarely did Acme sue Bravo.", "acme | sue | bravo | not", "before its auxiliary"),
        ("Acme did not only buy Bravo but also sold Cargo.", "acme | buy | bravo", "that and more"),
        ("Not only did Acme buy Bravo, it also sold Cargo.", "acme | buy | bravo", "as above"),
        ("Acme did not just buy Bravo.", "acme | buy | bravo", "as above"),
        ("Acme did not buy Bravo.", "acme | buy | bravo | not", "nothing after the negator"),
        ("Acme, not Bravo, bought Cargo.", "acme | buy | cargo", "what is after a noun denies the next"),
        ("Acme bought Bravo, not Cargo.", "acme | buy | bravo", "as an object too"),
        ("Smith, not the owner of Bravo, bought Cargo.", "smith | be owner of | bravo | not", "which it does deny"),
    ],
)
def test_what_is_hedged_scarce_or_conditional_is_not_asserted(sentence: str, relation: str, why: str) -> None:
    found = said(list(EXTRACTOR.relations([("a", sentence)])))
    assert {one for one in found if one.startswith(" | ".join(relation.split(" | ")[:3]))} == {relation}, why


def test_the_span_of_a_relation_is_its_sentence_in_the_text_as_given() -> None:
    text = "Nothing here.\n\n  Smith left. Smith bought\nAcme.\n    Jones sold Bravo."
    spans = [text[r.sentence_start : r.sentence_end] for r in EXTRACTOR.relations([("a", text)])]
    assert spans == ["Smith bought\nAcme.", "Jones sold Bravo."]


def test_what_holds_of_every_relation() -> None:
    texts = [("a", TEXT), ("b", " ".join(row["text"] for row in GOLD)), ("c", "\n\n \n"), ("d", "")]
    found = list(EXTRACTOR.relations(texts))
    assert found == list(Extractor(batch=1).relations(texts))
    assert len(found) == len(set(found)) > 100
    for one in found:
        assert all((one.subject, one.predicate, one.object, one.subject_type, one.object_type))
        assert one.subject != one.object
        assert one.subject == one.subject.lower().strip()
        assert not {one.subject, one.object} & {"it", "he", "she", "which", "that", "nobody", "they"}
        sentence = dict(texts)[one.document_id][one.sentence_start : one.sentence_end]
        assert all(word in sentence.lower() for word in one.arguments[0].split() + one.arguments[1].split())


def test_entities_have_their_type_and_other_arguments_are_things() -> None:
    [one, *_] = EXTRACTOR.relations([("a", "The United States bought wheat in 1987 from farmers.")])
    assert (one.subject, one.subject_type, one.object_type) == ("united states", "GPE", "THING")


def test_rows_of_a_table_say_nothing() -> None:
    assert list(EXTRACTOR.relations([("a", "Profit beat 12 13 14 15 16 17 18 vs 19 20 21 22.")])) == []


def test_a_pipeline_that_is_not_there_or_has_no_parser_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(MissingError, match="spaCy pipeline 'nothing_here' is not installed"):
        lawng.relations("Smith left Acme.", model="nothing_here")
    spacy.blank("en").to_disk(tmp_path)
    with pytest.raises(MissingError, match="has no parser"):
        lawng.relations("Smith left Acme.", model=str(tmp_path))


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr("sys.argv", ["lawng", "relations", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    return int(ended.value.code or 0)


def test_the_command_writes_what_the_function_gives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [{"id": "x", "text": "Acme may buy Bravo."}, {"text": "Acme did not buy Cargo."}, {"text": ""}, {"id": "y"}]
    source = tmp_path / "news.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    assert run(monkeypatch, str(source), "-o", str(tmp_path / "r.parquet")) == 0
    heard = capsys.readouterr().err
    assert "2 documents, 2 sentences, 2 relations (1 negated, 1 modal)" in heard
    assert "2 rows without a text passed over" in heard
    assert run(monkeypatch, str(source), "-o", str(tmp_path / "r.jsonl")) == 0
    written = [json.loads(line) for line in (tmp_path / "r.jsonl").open()]
    assert written == pq.read_table(tmp_path / "r.parquet").to_pylist()
    first, second = (Relation(**row) for row in written)
    assert [first] == lawng.relations("Acme may buy Bravo.", "x")
    assert (second.object, second.negated, second.document_id) == ("cargo", True, "news:2")


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("news.jsonl", "lines of JSON"),
        ("news.ndjson", "by their other name"),
        ("news.JSONL", "in capitals"),
        ("news.Json", "in some"),
    ],
)
def test_lines_of_json_are_told_by_their_suffix(tmp_path: Path, name: str, why: str) -> None:
    source = tmp_path / name
    source.write_text('{"id": "x", "text": "Acme bought Bravo."}\n{"text": "Acme sued Cargo."}\n', "utf-8")
    found = list(relations_of(source, EXTRACTOR, Counter()))
    assert [(one.document_id, one.object) for one in found] == [("x", "bravo"), ("news:2", "cargo")], why


STORY = """<REUTERS NEWID="7"><DATE>26-FEB-1987 15:01:01.79</DATE><TEXT><TITLE>MINE</TITLE>
<BODY>Acme bought Bravo. Reuter\n&#3;</BODY></TEXT></REUTERS>
<REUTERS NEWID="8"><DATE>26-FEB-1987</DATE><TEXT TYPE="BRIEF"><TITLE>ACME SUED CARGO</TITLE></TEXT></REUTERS>
"""


def test_stories_of_reuters_are_read_as_news(tmp_path: Path) -> None:
    counts: Counter[str] = Counter()
    source = tmp_path / "cut.sgm"
    source.write_text("<!DOCTYPE lewis>\n" + STORY)
    [one] = relations_of(source, EXTRACTOR, counts)
    assert (one.document_id, said([one]), counts["documents"], counts["rejected"]) == (
        "7",
        {"acme | buy | bravo"},
        1,
        1,
    )
    source.write_text("<html>Acme bought Bravo.</html>")
    with pytest.raises(InputError, match=r"cut\.sgm: cannot be read"):
        list(relations_of(source, EXTRACTOR, counts))
    with pytest.raises(InputError, match="no news here"):
        list(relations_of(tmp_path / "none.sgm", EXTRACTOR, counts))


def test_the_command_shows_a_table_and_refuses_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "note.txt"
    source.write_text("Acme was bought by Bravo.", "utf-8")
    assert run(monkeypatch, str(source)) == 0
    assert "buy" in capsys.readouterr().out
    source.write_bytes(b"\xff\xfe\xfa")
    refused = {
        (str(source),): "not UTF-8 text",
        (str(tmp_path),): "a folder that is no corpus",
        ("nothing.txt",): "No such file",
        (str(source), "-o", "r.csv"): "ends in .parquet or .jsonl",
        (str(source), "--model", "nothing_here"): "is not installed",
    }
    for arguments, line in refused.items():
        assert run(monkeypatch, *arguments) == 2
        heard = capsys.readouterr().err
        assert line in heard.replace("\n", " ")


def test_opinions_of_a_corpus_are_documents_by_their_ids(tmp_path: Path) -> None:
    corpus = lawng.read_corpus("sample/caselaw", folder=tmp_path / "corpus")
    texts = {one.opinion_id: one.text for one in corpus.opinions()}
    counts: Counter[str] = Counter()
    found = list(relations_of(corpus.folder, EXTRACTOR, counts))
    assert counts["documents"] == len(texts)
    assert (len(found), counts["negated"]) == (counts["relations"], sum(one.negated for one in found))
    assert found
    assert {one.document_id for one in found} <= texts.keys()
    assert all(0 <= one.sentence_start < one.sentence_end <= len(texts[one.document_id]) for one in found)
