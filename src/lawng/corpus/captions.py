"""Lines above an opinion that are not part of it: citation, parties, docket, court, dates, counsel, panel."""

from __future__ import annotations

import re

_MONTH = r"(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)[a-z]*\.?"
_CAPTIONS = (
    re.compile(r"^\d+ [A-Z][\w.' ]{0,40} \d+(?: ?\([\d_]+\))?$"),  # 67 Cal.2d 882 (1967)
    re.compile(r"^(?:Nos?\.|Docket|Civ\.|Civil|Crim\.|Case|[A-Z]\. ?A\. Nos?\.|\d{4,})"),
    re.compile(
        r"^(?:Argued|Reargued|Submitted|Decided|Filed|As Amended|Rehearing|Certiorari|Petition for Rehearing)\b"
    ),
    re.compile(rf"^{_MONTH} \d{{1,2}}, \d{{4}}\.?$"),
    re.compile(
        r"^(?:United States|U\. ?S\.|Supreme|Superior|Circuit|District|Court|Appellate|State)\b[^.]{0,90}\bCourt\b"
    ),
    re.compile(
        r"^[\w. ]{0,40}\b(?:Supreme|Superior|Circuit|District|Appellate|Appeals?)\b[\w, ]{0,60}\bCourt\b.{0,80}$"
    ),
    re.compile(r"^(?:Supreme|Superior|Appellate|Circuit) (?:Judicial )?Court\b.{0,100}$|^Court of .{0,100}$"),
    re.compile(r"\s(?:v|vs|versus)\.?\s.*(?:[A-Z]{3}|Appell|Petition|Respond|Plaintiff|Defendant)"),
    re.compile(r"^(?:Before|Present)\b.*\b(?:Judges?|Justices?|JJ?\.|C\. ?J\.)"),
    re.compile(
        r"\bfor (?:the )?(?:appell|petition|respond|plaintiff|defendant|United States|Commonwealth|State|amic)", re.I
    ),
)
_LONGEST = 900


def is_caption(line: str) -> bool:
    """Whether a paragraph at the head of a text is its caption, counsel or panel.

    >>> is_caption("67 Cal.2d 882 (1967)"), is_caption("Decided March 28, 1986."), is_caption("ROE v. WADE.")
    (True, True, True)
    >>> is_caption("A jury found the defendant guilty of robbery.")
    False
    """
    return len(line) < _LONGEST and any(caption.search(line) for caption in _CAPTIONS)
