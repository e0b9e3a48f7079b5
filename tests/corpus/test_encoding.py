"""Bytes to text: what is not UTF-8 is converted and noted, whatever the format it comes in."""

from __future__ import annotations

import json
from io import BufferedReader, BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus_support import cases, check, opinions, read, seen
from lawng.corpus.decoding import as_utf8, decode, values_of
from lawng.corpus.records import Item
from lawng.pipeline import Count

HTML = '<html><head>{}</head><body><section class="casebody" data-firstpage="5"><h4 class="parties">José v. “Müller”</h4>{}</section></body></html>'
BODY = '<article class="opinion" data-type="majority"><p>The “rule” — of § 5 — is plain, Señor.</p></article>'


def noted(items: list[Item]) -> list[str]:
    return [item.what.removeprefix("note:") for item in items if isinstance(item, Count)]


@pytest.mark.parametrize(
    ("data", "want", "notes"),
    [
        ("Señor".encode(), "Señor", []),
        ("Señor".encode("utf-8-sig"), "Señor", []),
        ("Señor “x”".encode("cp1252"), "Señor “x”", ["text-was-windows-1252"]),
        ("Señor".encode("latin-1"), "Señor", ["text-was-windows-1252"]),
        ("Señor".encode("utf-16"), "Señor", ["text-was-utf-16"]),
        ("Señor and more".encode("utf-16-le"), "Señor and more", ["text-was-utf-16"]),
        ("Señor and more".encode("utf-16-be"), "Señor and more", ["text-was-utf-16"]),
        ("Señor".encode("utf-32"), "Señor", ["text-was-utf-32"]),
        (b'<meta charset="koi8-r">' + "Суд".encode("koi8-r"), '<meta charset="koi8-r">Суд', ["text-was-koi8-r"]),
        (b'<meta charset="no-such">\xe9', '<meta charset="no-such">é', ["text-was-windows-1252"]),
        (b'<meta charset="undefined">\xe9', '<meta charset="undefined">é', ["text-was-windows-1252"]),
        ("Señor, café, naïve".encode() + b"\xff", "Señor, café, naïve\ufffd", ["text-with-damaged-characters"]),
        (b"plain", "plain", []),
        (b"", "", []),
    ],
)
def test_what_some_bytes_are(data: bytes, want: str, notes: list[str]) -> None:
    text, found = decode(data)
    assert (text, noted(found)) == (want, notes)


@given(st.binary(max_size=300))
def test_any_bytes_are_some_text(data: bytes) -> None:
    text, notes = decode(data)
    assert "\ufffd" not in text or notes or "\ufffd".encode() in data


@given(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\ufeff"), max_size=200),
    st.sampled_from(["utf-16", "utf-32", "utf-8-sig"]),
)
def test_marked_text_comes_back_whole_and_as_a_stream(text: str, name: str) -> None:
    assert decode(text.encode(name))[0] == text
    stream = as_utf8(BufferedReader(BytesIO(text.encode(name))))
    assert stream.read().decode("utf-8-sig") == text


@given(
    st.lists(
        st.dictionaries(
            st.text(max_size=5), st.text(st.characters(exclude_categories=["Cs"]), max_size=30), min_size=1
        ),
        min_size=1,
        max_size=6,
    ),
    st.sampled_from(["lines", "array", "pretty", "page"]),
)
def test_values_come_back_however_they_are_written(rows: list[dict[str, str]], form: str) -> None:
    rows = [{"id": "1", **{key: value for key, value in row.items() if key != "results"}} for row in rows]
    written = {
        "lines": "\n".join(map(json.dumps, rows)),
        "array": json.dumps(rows, ensure_ascii=False),
        "pretty": json.dumps(rows, indent=3, ensure_ascii=False),
        "page": json.dumps({"count": len(rows), "results": rows}),
    }[form]
    assert [found.value for found in values_of(BufferedReader(BytesIO(written.encode())))] == rows


@pytest.mark.parametrize("name", ["cp1252", "utf-16", "utf-8"])
def test_html_of_another_encoding(name: str, tmp_path: Path) -> None:
    (tmp_path / "case.html").write_bytes(HTML.format("", BODY).encode(name))
    items = read(tmp_path)
    check(items)
    assert cases(items)[0].name == "José v. “Müller”"
    assert opinions(items)[0].text == "The “rule” — of § 5 — is plain, Señor."
    encodings = {what for what in seen(items) if what.startswith("note:text-was")}
    assert encodings == {"cp1252": {"note:text-was-windows-1252"}, "utf-16": {"note:text-was-utf-16"}}.get(name, set())


@pytest.mark.parametrize("name", ["cp1252", "utf-16", "utf-16-le", "utf-8"])
def test_json_lines_of_another_encoding(name: str, tmp_path: Path) -> None:
    rows = [
        {"id": n, "name": "José v. Müller", "citations": [{"cite": f"{n} U.S. 5"}], "decision_date": "1950",
         "casebody": {"status": "ok", "data": {"opinions": [{"type": "majority", "text": "Señor."}]}}}
        for n in (7, 8)
    ]  # fmt: skip
    (tmp_path / "data.jsonl").write_bytes("\n".join(json.dumps(row, ensure_ascii=False) for row in rows).encode(name))
    items = read(tmp_path / "data.jsonl")
    check(items)
    assert [case.name for case in cases(items)] == ["José v. Müller"] * 2
    assert [opinion.text for opinion in opinions(items)] == ["Señor."] * 2
    assert seen(items)["note:text-was-windows-1252"] == (2 if name == "cp1252" else 0)
