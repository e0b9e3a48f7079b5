"""Files as people have them: in other encodings, locked, cut off, empty; a folder with some of them."""

from __future__ import annotations

import codecs
import json
import os
import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from clauses_support import PAGES, contract_docx, contract_pdf, make_folder
from lawng.clauses.collection import clauses_of_lines, read_library
from lawng.clauses.formats.documents import read_document
from lawng.errors import InputError
from lawng.schema import Clause, Reject

SAID = "1. Gebühr. The “Fee” is €5 – no more."
WINDOWS = "read as Windows-1252 text"
LOCKED = "is protected by a password; save it without"


@pytest.mark.parametrize(
    ("raw", "notes"),
    [
        pytest.param(SAID.encode("cp1252"), (WINDOWS,), id="Windows"),
        pytest.param(SAID.encode(), (), id="UTF-8"),
        pytest.param(codecs.BOM_UTF8 + SAID.encode(), (), id="UTF-8 with a mark"),
        pytest.param(codecs.BOM_UTF16_LE + SAID.encode("utf-16-le"), (), id="UTF-16"),
        pytest.param(codecs.BOM_UTF16_BE + SAID.encode("utf-16-be"), (), id="UTF-16, high byte first"),
        pytest.param(SAID.encode("utf-32"), (), id="UTF-32"),
    ],
)
def test_text_of_any_usual_encoding_is_the_same(tmp_path: Path, raw: bytes, notes: tuple[str, ...]) -> None:
    (tmp_path / "a.txt").write_bytes(raw)
    read = read_document(tmp_path / "a.txt")
    assert (read.text, read.notes) == (SAID, notes)


def test_line_ends_are_the_same_in_any_encoding(tmp_path: Path) -> None:
    for encoding in ("cp1252", "utf-16"):
        (tmp_path / "a.txt").write_bytes("é.\r\nTwo.\rThree.\f".encode(encoding))
        assert read_document(tmp_path / "a.txt").text == "é.\nTwo.\nThree.\f"


def test_text_with_a_few_damaged_characters_stays_what_it_is(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(SAID.encode() + b" caf\xe9")
    read = read_document(tmp_path / "a.txt")
    assert read.text == SAID + " caf\ufffd"
    assert read.notes == ("has damaged characters, shown as \ufffd",)


def test_a_character_at_the_edge_of_what_is_read_at_once_is_whole(tmp_path: Path) -> None:
    for before in ("", "a"):
        text = before + "é" * 70_000
        (tmp_path / "a.txt").write_text(text, encoding="utf-8")
        assert read_document(tmp_path / "a.txt").notes == ()


def test_what_old_programs_left_in_a_text_is_no_reason_to_refuse_it(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"1. Term.\x0c\x1b\x0b 2. Fee.\x1a")
    assert "2. Fee" in read_document(tmp_path / "a.txt").text
    (tmp_path / "a.txt").write_bytes(b"1. Term. One year.\x01\n" + b"2. Fee. Five dollars. " * 5)
    assert "2. Fee" in read_document(tmp_path / "a.txt").text


def noise(n: int) -> bytes:
    return bytes(random.Random(5).choices(range(1, 256), k=n))


@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.jsonl"])
@pytest.mark.parametrize(
    ("raw", "said"),
    [
        pytest.param(b"A contract.\0", "NUL", id="a NUL"),
        pytest.param(b"x" * 100_000 + b"\0", "NUL", id="a late NUL"),
        pytest.param(noise(5_000), "control characters", id="noise"),
        pytest.param(codecs.BOM_UTF16_LE + noise(5_000), "begins like utf-16", id="noise with a mark"),
        pytest.param(b"", "", id="nothing"),
    ],
)
def test_what_is_no_text_is_one_reject(tmp_path: Path, name: str, raw: bytes, said: str) -> None:
    (tmp_path / name).write_bytes(raw)
    (tmp_path / "b.txt").write_text(SAID)
    library = read_library(tmp_path)
    assert [clause.source for clause in library.clauses] == ["b.txt"]
    [reject] = library.rejects
    assert (reject.id, reject.reason) == (name, "contract-unreadable")
    assert said in reject.detail
    assert str(tmp_path) not in reject.detail


def listed(path: Path, encoding: str) -> list[Clause | Reject | str]:
    rows = [json.dumps({"_id": str(n), "text": SAID}, ensure_ascii=False) for n in range(2)]
    path.write_bytes("\n".join(rows).encode(encoding))
    return list(clauses_of_lines(path, path.name, set()))


def test_lists_of_any_usual_encoding_are_the_same(tmp_path: Path) -> None:
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):
        found = listed(tmp_path / "a.jsonl", encoding)
        assert [one.text for one in found if isinstance(one, Clause)] == [SAID, SAID], encoding
        assert len(found) == 2, encoding
    first, *found = listed(tmp_path / "a.jsonl", "cp1252")
    assert first == WINDOWS
    assert [one.text for one in found if isinstance(one, Clause)] == [SAID, SAID]
    assert read_library(tmp_path).notes == (f"a.jsonl: {WINDOWS}",)


def compound(path: Path, *names: str) -> None:
    path.write_bytes(
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504) + b"".join(name.encode("utf-16-le") for name in names)
    )


def cut(path: Path, share: float) -> None:
    raw = path.read_bytes()
    path.write_bytes(raw[: int(len(raw) * share)])


def scan(path: Path) -> None:
    from reportlab.pdfgen.canvas import Canvas

    canvas = Canvas(str(path))
    canvas.rect(72, 72, 300, 300, fill=1)
    canvas.save()


@pytest.mark.parametrize("suffix", [".txt", ".md", ".docx", ".pdf"])
def test_an_empty_file_is_said_to_be_one(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a{suffix}"
    path.touch()
    with pytest.raises(InputError, match="is an empty file; download or save it again"):
        read_document(path)


def test_what_is_locked_or_cut_off_says_so(tmp_path: Path) -> None:
    compound(tmp_path / "locked.docx", "EncryptionInfo", "EncryptedPackage")
    compound(tmp_path / "old.docx", "WordDocument")
    contract_pdf(tmp_path / "locked.pdf", PAGES, encrypt="secret")
    cut(contract_docx(tmp_path / "cut.docx"), 0.5)
    cut(contract_pdf(tmp_path / "cut.pdf", PAGES), 0.5)
    scan(tmp_path / "scan.pdf")
    (tmp_path / "good.txt").write_text(SAID)
    said = {reject.id: reject.detail for reject in read_library(tmp_path).rejects}
    assert said["locked.docx"] == said["locked.pdf"] == LOCKED
    assert said["old.docx"] == "is a file of Word before 2007; save it as DOCX or PDF"
    assert said["cut.docx"].startswith("not a DOCX that can be read (")
    assert said["cut.pdf"].startswith("not a PDF that can be read (")
    assert said["scan.pdf"] == "a PDF without text, such as a scan; have it read by OCR first, e.g. with ocrmypdf"
    assert len(said) == 6
    assert not any("\n" in detail for detail in said.values())


def test_a_pdf_that_only_may_not_be_changed_is_read(tmp_path: Path) -> None:
    from reportlab.lib.pdfencrypt import StandardEncryption

    contract_pdf(tmp_path / "a.pdf", PAGES, encrypt=StandardEncryption("", ownerPassword="o", canModify=0))
    assert "7.1 Cap." in read_document(tmp_path / "a.pdf").text


@pytest.fixture
def many(tmp_path: Path) -> Path:
    """200 files, of which three are broken."""
    place = tmp_path / "many"
    place.mkdir()
    contract_docx(place / "000.docx")
    contract_pdf(place / "001.pdf", PAGES)
    for n in range(2, 12):
        suffix = (".docx", ".pdf")[n % 2]
        shutil.copy(place / f"00{n % 2}{suffix}", place / f"{n:03}{suffix}")
    for n in range(12, 197):
        (place / f"{n:03}.txt").write_bytes(
            f"1. Term{n}. A year.\n\n2. Fee. €{n}.".encode("cp1252" if n < 20 else "utf-8")
        )
    (place / "197.docx").write_bytes(b"no zip")
    (place / "198.pdf").write_bytes((place / "001.pdf").read_bytes()[:300])
    (place / "199.txt").write_bytes(noise(300))
    return place


def test_of_200_files_three_that_are_broken_are_counted_and_all_others_read(many: Path) -> None:
    library = read_library(many)
    assert len({clause.source for clause in library.clauses}) == 197
    assert [(reject.id, reject.reason) for reject in library.rejects] == [
        ("197.docx", "contract-unreadable"),
        ("198.pdf", "contract-unreadable"),
        ("199.txt", "contract-unreadable"),
    ]
    assert library.notes == (f"012.txt, 013.txt, 014.txt and 5 more: {WINDOWS}",)


def test_notes_and_rejects_are_the_same_from_what_was_kept(tmp_path: Path) -> None:
    place = make_folder(tmp_path / "contracts")
    (place / "a.txt").write_bytes(SAID.encode("cp1252"))
    (place / "b.txt").write_bytes(SAID.encode("cp1252"))
    listed(place / "c.jsonl", "cp1252")
    made = read_library(place, cache=tmp_path / "kept")
    assert made.notes == (f"a.txt, b.txt, c.jsonl: {WINDOWS}",)
    assert [one.id for one in made.rejects] == ["broken.docx", "picture.png"]
    assert read_library(place, cache=tmp_path / "kept") == made


def test_a_list_that_cannot_be_opened_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "gone.jsonl").symlink_to(tmp_path / "nothing.jsonl")
    (tmp_path / "b.txt").write_text(SAID)
    library = read_library(tmp_path)
    assert len(library.clauses) == 1
    assert [(one.id, one.reason) for one in library.rejects] == [("gone.jsonl", "contract-unreadable")]
    assert library.rejects[0].detail == "cannot be opened (No such file or directory); check its permissions"


def test_a_folder_that_is_not_entered_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "contracts"
    (place / "closed").mkdir(parents=True)
    (place / "b.txt").write_text(SAID)
    (place / "around").symlink_to(place)
    (place / ".hidden").symlink_to(place)
    scandir = os.scandir

    def refused(folder: Any) -> Iterator[os.DirEntry[str]]:
        if Path(folder).name == "closed":
            raise PermissionError(13, "Permission denied", str(folder))
        return scandir(folder)

    monkeypatch.setattr("os.scandir", refused)
    library = read_library(place)
    assert len(library.clauses) == 1
    assert [(one.id, one.reason) for one in library.rejects] == [
        ("around", "contract-unreadable"),
        ("closed", "contract-unreadable"),
    ]
