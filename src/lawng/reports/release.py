"""A release without text: ids, spans, labels, what was done and digests; and the data set made from it again.

What was done to a text is a delta: a text written as copies from another.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lawng import __version__
from lawng.errors import InputError, StageError
from lawng.io import atomic_file, atomic_folder, check_place, write_text
from lawng.reports.builds import Build, Opinions
from lawng.reports.dataset import BASES, SPLITS, TEXTS, row_schema, write_rows
from lawng.schema.dataset import candidate_of

Delta = list[list[int] | str]
"""In order: ranges [start, end) of the base to copy, and what is put in between."""

ANCHOR, SHORT_ANCHOR = 20, 6
"""Characters that must agree before a copy is taken up again; in a long base fewer would copy chance hits."""

SHORT = 2_000
"""A base of fewer characters, such as a parenthetical, takes the short anchor."""


def delta_of(base: str, text: str) -> Delta:
    """How to make `text` from `base`: what was left out is skipped, what was put in is written out.

    It is exact for every pair of texts and short where `text` is `base` with parts removed, moved or repeated.

    >>> delta_of("holding that the insurer waived the lapse", "the insurer did not waive the lapse")
    [[13, 25], 'did not', [24, 30], [31, 41]]
    """
    steps: Delta = []
    at = done = 0
    while done < len(text):
        start = _resume(base, text, at, done)
        if start is None:
            if steps and isinstance(steps[-1], str):
                steps[-1] += text[done]
            else:
                steps.append(text[done])
            done += 1
            continue
        at = _agreeing(base, text, start, done)
        done += at - start
        steps.append([start, at])
    return steps


def patched(base: str, delta: Delta) -> str:
    """The text that `delta_of` described.

    Raises ValueError when a range lies outside `base`: it is not the text that the delta was made from.

    >>> patched("holding that x", [[13, 14], "!"])
    'x!'
    """
    if any(not 0 <= s[0] <= s[1] <= len(base) for s in delta if not isinstance(s, str)):
        raise ValueError("the base is shorter than the text that this was made from")
    return "".join(step if isinstance(step, str) else base[step[0] : step[1]] for step in delta)


def written_out(delta: Delta) -> int:
    """Characters of a delta that are not copies."""
    return sum(len(step) for step in delta if isinstance(step, str))


def _resume(base: str, text: str, at: int, done: int) -> int | None:
    """Where in `base` the text goes on: here, else the nearest place ahead, else the first one."""
    anchor = text[done : done + (SHORT_ANCHOR if len(base) < SHORT else ANCHOR)]
    if base.startswith(text[done], at) and (base.startswith(anchor, at) or _agreeing(base, text, at, done) - at >= 4):
        return at
    return next((found for begin in (at, 0) if (found := base.find(anchor, begin)) >= 0), None)


def _agreeing(base: str, text: str, at: int, done: int) -> int:
    """End in `base` of the run of equal characters that begins at `at` and `done`."""
    step = 1 << 14
    end = at
    while step:
        while base[end : end + step] == text[done + end - at : done + end - at + step] and end < len(base):
            if done + end - at + step > len(text) or end + step > len(base):
                break
            end += step
        step >>= 1
    return end


KIND = "lawng-ids"

DIFFERENCES = "differences.jsonl"

AT_ONCE = 256
"""Rows held at once while exporting."""

STATUSES = ("same", "differs", "missing")


@dataclass(frozen=True, slots=True)
class Exported:
    """How many examples a release has, and how much of their texts it had to write out."""

    n: int
    characters: int
    """Of all texts."""
    written_out: int
    """Of those, characters in the release: words that the construction put in, such as "did not"."""


@dataclass(slots=True)
class Rebuilt:
    """What became of the rows of a release, one status each."""

    counts: Counter[str] = field(default_factory=Counter)
    differences: list[dict[str, Any]] = field(default_factory=list)
    """Rows that are not the same: id, status, and which texts differ or what is missing."""


def export_ids(build: Build, output: Path) -> Exported:
    """Write a release without text of a build: JSON lines, a header and then one line per example.

    A line has the row's columns without the texts, and for each text its SHA-256 and how it is made
    (`lawng.reports.release`) from the opinions of the corpus.

    Raises StageError when the build lacks the candidate of an example.
    """
    counts: Counter[str] = Counter()
    n = sum(build.split(split).n_rows for split in SPLITS)
    with atomic_file(output) as file:
        file.write(_line({"kind": KIND, "version": __version__, "seed": build.manifest().get("seed"), "examples": n}))
        for row, parenthetical in _rows_with_parentheticals(build):
            file.write(_line(_stripped(row, parenthetical, counts)))
    return Exported(counts["n"], counts["characters"], counts["written_out"])


def _rows_with_parentheticals(build: Build) -> Iterator[tuple[dict[str, Any], str]]:
    """The rows of the data files, split by split, each with its parenthetical as the candidate has it."""
    candidates = build.table("candidates")
    for split in SPLITS:
        for batch in build.split(split).batches(size=AT_ONCE):
            rows = {row["id"]: row for row in batch.to_pylist()}
            wanted = {candidate_of(one) for one in rows}
            found = candidates.find("candidate_id", wanted, ["candidate_id", "hypothesis"])
            texts = {candidate["candidate_id"]: candidate["hypothesis"] for candidate in found}
            if lost := wanted - texts.keys():
                raise StageError(f"{build.folder} lacks the candidate {min(lost)}; run `lawng build` again")
            yield from ((row, texts[candidate_of(one)]) for one, row in rows.items())


def rebuild(ids: Path, corpus: Path, output: Path) -> Rebuilt:
    """Make the data set of a release again from a corpus: `output` gets data/ and differences.jsonl.

    Rows whose texts all have the digests of the release are written; the others are listed with what differs.

    Raises InputError when `ids` is no release or was cut, there is no corpus, or `output` is a folder of something
    else; nothing is written then.
    """
    next(_read_ids(ids), None)  # a file that is no release is refused before the corpus is read
    check_place(output, DIFFERENCES, "rebuilt data set")
    rebuilt, opinions = Rebuilt(), Opinions(corpus)
    with atomic_folder(output) as folder:
        (folder / "data").mkdir(exist_ok=True)
        write_rows(_same_rows(ids, opinions, rebuilt), folder / "data")
        write_text(folder / DIFFERENCES, "".join(map(_line, rebuilt.differences)))
    return rebuilt


def _same_rows(ids: Path, opinions: Opinions, rebuilt: Rebuilt) -> Iterator[dict[str, Any]]:
    for line in _read_ids(ids):
        row, fault = _restored(line, opinions)
        rebuilt.counts[fault["status"] if fault else "same"] += 1
        if fault:
            rebuilt.differences.append({"id": line["id"], **fault})
        else:
            yield {name: row[name] for name in row_schema().names}


def _stripped(row: dict[str, Any], parenthetical: str, counts: Counter[str]) -> dict[str, Any]:
    # the raw premises of the build are the opinion's text and its span: the corpus is not needed to export
    sources = {
        "parenthetical": parenthetical,
        "cited-pages": row["premise_short_raw"],
        "opinion": row["premise_long_raw"],
    }
    texts: dict[str, str] = {**sources, **{name: row[name] for name in TEXTS}}
    deltas: dict[str, Delta] = {name: delta_of(texts[base], texts[name]) for name, base in BASES.items()}
    counts["n"] += 1
    counts["characters"] += sum(len(row[name]) for name in TEXTS)
    counts["written_out"] += sum(map(written_out, deltas.values()))
    made = {name: {"sha256": _digest(row[name]), "from": delta} for name, delta in deltas.items()}
    return {**{name: value for name, value in row.items() if name not in TEXTS}, "texts": made}


def _restored(line: dict[str, Any], opinions: Opinions) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """The row, and what is wrong with it if anything."""
    sources = _sources(line, opinions)
    if lost := [name for name, text in sources.items() if text is None]:
        where = {line["citing_opinion_id"] if name == "parenthetical" else line["premise_opinion_id"] for name in lost}
        return {}, {"status": "missing", "opinions": sorted(where)}
    texts: dict[str, Any] = dict(sources)
    for name, base in BASES.items():
        try:
            texts[name] = patched(texts[base], line["texts"][name]["from"])
        except ValueError:
            texts[name] = ""  # the base is another one: the digest tells
    changed = [name for name in BASES if _digest(texts[name]) != line["texts"][name]["sha256"]]
    if changed:
        return {}, {"status": "differs", "texts": changed}
    return {**{key: value for key, value in line.items() if key != "texts"}, **texts}, None


def _sources(row: dict[str, Any], opinions: Opinions) -> dict[str, str | None]:
    citing, premise = opinions.text(row["citing_opinion_id"]), opinions.text(row["premise_opinion_id"])
    return {
        "parenthetical": citing and " ".join(citing[row["citing_start"] : row["citing_end"]].split()),
        "cited-pages": premise and premise[row["premise_start"] : row["premise_end"]],
        "opinion": premise,
    }


def _read_ids(path: Path) -> Iterator[dict[str, Any]]:
    with _opened(path) as file:
        header = _parsed(path, 1, file.readline())
        if header.get("kind") != KIND:
            raise InputError(
                f"{path} is not a release of ids: its first line is no header; make one with `lawng export`"
            )
        number = 1
        for number, line in enumerate(file, start=2):
            row = _parsed(path, number, line)
            if lacking := [name for name in (*_PLAIN, "texts") if name not in row]:
                raise InputError(f"{path}, line {number}: {', '.join(lacking)} missing; export the release again")
            yield row
    if number - 1 != header.get("examples", number - 1):  # the first releases did not say how many
        raise InputError(f"{path} has {number - 1:,} of its {header['examples']:,} examples: it was cut; get it again")


_PLAIN = tuple(name for name in row_schema().names if name not in TEXTS)


def _opened(path: Path) -> Any:
    try:
        return path.open(encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}; name a file made by `lawng export --ids`") from error


def _parsed(path: Path, number: int, line: str) -> dict[str, Any]:
    try:
        content = json.loads(line)
    except ValueError as error:
        raise InputError(f"{path}, line {number}: not JSON ({error}); export the release again") from error
    if not isinstance(content, dict):
        raise InputError(f"{path}, line {number}: a JSON object was expected; export the release again")
    return content


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _line(content: dict[str, Any]) -> str:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")) + "\n"
