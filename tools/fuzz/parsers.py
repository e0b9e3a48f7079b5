"""The targets of `fuzz.py` that parse what people type, and what stands in contracts: citations, arguments, filters,
queries, and contracts as text, DOCX and PDF."""

from __future__ import annotations

import io
import re
import zipfile
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.sax.saxutils import escape

from mutate import Target

from lawng.citation.extract import citations_of
from lawng.clauses.facts import facts_of
from lawng.clauses.formats.documents import read_document
from lawng.clauses.meaning.explained import explain
from lawng.clauses.meaning.query_intent import query_intent
from lawng.clauses.search import read_query
from lawng.clauses.sections.cut import clauses_of, single_clause
from lawng.index.where import where
from lawng.schema import ContractText, Filters
from lawng.search.filters import check_filters
from lawng.search.query import read_argument

SAMPLE = Path(__file__).resolve().parents[2] / "sample"
_LONGEST = 40_000
_VALUE = re.compile(rb'="([^"\n]*)"')
_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def _texts(*patterns: str) -> list[bytes]:
    """The beginnings of sample files."""
    return [path.read_bytes()[:_LONGEST] for pattern in patterns for path in sorted(SAMPLE.glob(pattern))[:6]]


def _opinions() -> list[bytes]:
    return [
        b"See Roe v. Wade, 410 U.S. 113, 120-21 & n.3 (1973) (holding that x (citing Doe v. Bolton, 410 U. S. 179)).",
        b"But see In re Acme, Inc., 12 F. 3d 34, 36-7 (9th Cir. 2001), aff'd, 530 U. S. 1; id., at 36; 5 U.S.C. s 1.",
        b"Smith, supra, at 5 n. 7; Jones v. Dow Co., 1 Mass. 2, 3, 4 N. E. 5 (1900) (per curiam). Ibid.",
        *_texts("caselaw/**/*.txt", "caselaw/**/*.html", "caselaw/**/*.json"),
    ]


def _citations(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    places = [(one.start, one.end, one.full_end) for one in citations_of(text, "fuzz")]
    assert all(0 <= start < end <= full <= len(text) for start, end, full in places)
    assert places == sorted(places)


def _arguments() -> list[bytes]:
    return [
        b'A landlord "who evicts a tenant" for complaining retaliates. Roe v. Wade, 410 U. S. 113 (1973); In re Acme.',
        "“The police” may not stop a person, Terry v. Ohio, 392 U.S. 1, 21-22; «a tip» „alone“ is not enough.".encode(),
        b"Ex parte Milligan and the Estate of Brown v. Board of Education of the City of X, 347 U.S. 483 say so",
    ]


def _argument(data: bytes) -> None:
    query = read_argument(data.decode("utf-8", "replace"))
    assert " ".join(query.text.split()) == query.text
    spans = [(one.start, one.end) for one in query.cites]
    names = [(one.start, one.end) for group in query.names for one in group]
    assert all(0 <= start < end <= len(query.text) for start, end in (*spans, *names))
    query.rest(spans)


def _filters(data: bytes) -> None:
    fields = [*data.decode("utf-8", "replace").split("\n"), "", "", "", "", ""]
    found = check_filters(Filters((fields[0],), (fields[1],), fields[2], fields[3], tuple(filter(None, (fields[4],)))))
    where(found)


def _queries() -> list[bytes]:
    return [
        b"liability cap that does not apply to breach of confidentiality, fraud or wilful misconduct",
        b"no carve-outs other than fraud from the cap, but with a mutual indemnity not limited to third party claims",
        "limitation of liability, isn’t mutual; except for (a) fraud and (b) death: nothing limits it".encode(),
        b"non-compete not bound by time and territory, unless caused by fraud. No party is liable for lost profits",
    ]


def _query(data: bytes) -> None:
    text = read_query(data.decode("utf-8", "replace"))
    found = query_intent(text)
    names = [one.name for kind in (found.said, found.excepted, found.absent) for one in kind]
    assert len(names) == len(set(names))
    assert {found.carve_outs, found.mutual, found.favours} <= {-1, 0, 1}


def _check(contract: ContractText) -> None:
    """Every character but blanks is in one clause or one counted region, and every clause slices to its text."""
    found, text = clauses_of(contract, "fuzz"), contract.text
    spans = sorted([(c.start, c.end) for c in found.clauses] + [(r.start, r.end) for r in found.regions])
    at = 0
    for start, end in [*spans, (len(text), len(text))]:
        assert start >= at
        assert not text[at:start].strip()
        at = end
    assert all(text[one.start : one.end] == one.text != "" for one in found.clauses)
    assert sum(found.dropped.values()) >= sum(one.n_lines for one in found.regions)
    single_clause(contract, "fuzz")
    facts_of(text)
    parts = explain(query_intent("mutual cap with a carve-out for fraud"), text)
    assert all(text[span.start : span.end].strip() for part in parts for span in part.spans)


def _contract(suffix: str, data: bytes) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"contract{suffix}"
        path.write_bytes(data)
        contract = read_document(path)
    _check(contract)


def _contracts() -> list[bytes]:
    return _texts("contracts/source/*.txt")


@cache
def _docx() -> dict[str, bytes]:
    with zipfile.ZipFile(SAMPLE / "contracts" / "files" / "supply-agreement.docx") as file:
        return {name: file.read(name) for name in file.namelist()}


def _part(name: str) -> list[bytes]:
    return [_docx()[name]]


def _values(name: str) -> list[bytes]:
    """The values of a part's attributes, one a line."""
    return [b"\n".join(_VALUE.findall(_docx()[name]))]


def _word_of_values(name: str, data: bytes) -> None:
    """A DOCX whose part is well-formed as it was, and has these values, as far as they go."""
    values = iter(data.split(b"\n"))

    def put(match: re.Match[bytes]) -> bytes:
        said = next(values, match[1]).decode("utf-8", "replace")
        return b'="' + _NO_XML.sub("", escape(said, {'"': "&quot;"})).encode() + b'"'

    _word(name, _VALUE.sub(put, _docx()[name]))


def _word(name: str, data: bytes) -> None:
    """A DOCX with one of its parts replaced."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as file:
        for other, content in _docx().items():
            file.writestr(other, data if other == name else content)
    _contract(".docx", made.getvalue())


def _pdfs() -> list[bytes]:
    return _texts("contracts/files/*.pdf")


TARGETS = {
    "citations": Target(_opinions, _citations),
    "argument": Target(_arguments, _argument),
    "filters": Target(lambda: [b"us\nscotus\n1990-01-02\n2001\nmajority", b"\n\n1990-02\n\ndissent"], _filters),
    "contract-query": Target(_queries, _query),
    "contract-text": Target(_contracts, partial(_contract, ".txt")),
    "contract-docx": Target(partial(_part, "word/document.xml"), partial(_word, "word/document.xml")),
    "contract-numbers": Target(partial(_values, "word/numbering.xml"), partial(_word_of_values, "word/numbering.xml")),
    "contract-levels": Target(partial(_values, "word/document.xml"), partial(_word_of_values, "word/document.xml")),
    "contract-pdf": Target(_pdfs, partial(_contract, ".pdf")),
}
"""Every target by its name."""
