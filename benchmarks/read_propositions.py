"""Draw propositions to be read against the pages that they are cited to, gather the labels, and say how readers agree.

python benchmarks/read_propositions.py draw BUILD -o FOLDER     1,200 candidates, 250 of them for two readers
python benchmarks/read_propositions.py rest BUILD -o FOLDER     those that stand alone, are unread, and may be entailed
python benchmarks/read_propositions.py gather BUILD FOLDER -o FILE   adds what the readers wrote to the file
python benchmarks/read_propositions.py agreement FILE           shares by kind of draw, agreement of two readers

BUILD is one of `lawng build CORPUS --hypotheses propositions`. Of `draw`, half are drawn by lot of all candidates, half
of those that stand alone and whose sentence has one citation, without a signal. A reader gets `batch-NN.md` and writes
a line of `batch-NN.jsonl` for each item: {"id", "alone": true or false, "verdict": "entailed", "partly", "not" or
"contradicted", "why"}; a second reader's are `second-NN`. docs/reading-test.md has the instructions.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from sklearn.metrics import cohen_kappa_score

from lawng.datasets.splits import hash_of
from lawng.io import iter_records
from lawng.lawngnli.records import Passage, Verdict, own_premise, passage_key
from lawng.lawngnli.standing import Alone, standing
from lawng.schema import Candidate
from lawng.schema.dataset import PROPOSITION

_STAGE = Path("stages/20-candidates")
_EACH, _BATCH, _TWICE, _TWICE_BATCH = 600, 60, 250, 50
_LONGEST = 3_000
"""Words of cited pages that a reader is given; 1 in 100 candidates has more."""
_HOPELESS = 0.12
"""Of what the verifier gives less, one in fifteen is entailed."""
_VERDICTS = ("entailed", "partly", "not", "contradicted")


def drawn(build: Path) -> Iterator[tuple[str, Candidate, str]]:
    """(how drawn, candidate, cited pages) of the reading set, each sentence and page once."""
    texts = {p.key: p.text for p in iter_records(build / _STAGE / "passages", Passage)}
    found: dict[tuple[str, str], Candidate] = {}
    for one in iter_records(build / _STAGE / "candidates", Candidate):
        key = passage_key(own_premise(one))
        if one.hypothesis_source == PROPOSITION and len(texts[key].split()) <= _LONGEST:
            found.setdefault((one.hypothesis, key), one)
    ordered = sorted(found.values(), key=lambda one: hash_of(f"reading:{one.candidate_id}"))
    lot = ordered[:_EACH]
    hopeful = [one for one in ordered[_EACH:] if _is_hopeful(one)][:_EACH]
    for how, chosen in (("lot", lot), ("hopeful", hopeful)):
        yield from ((how, one, texts[passage_key(own_premise(one))]) for one in chosen)


def _is_hopeful(one: Candidate) -> bool:
    return one.n_cited == 1 and not one.signal and isinstance(standing(one.hypothesis, one.before), Alone)


def asked(candidate: Candidate) -> str:
    """The proposition as the verifier will see it: cleaned where it stands alone, else as written."""
    found = standing(candidate.hypothesis, candidate.before)
    return found.text if isinstance(found, Alone) else candidate.hypothesis


def draw(build: Path, output: Path) -> None:
    """Write the batches, all of one mixture, and those of the second reading."""
    items = sorted(((one, pages) for _, one, pages in drawn(build)), key=_mixed)
    _write(output, "batch", items, _BATCH)
    _write(output, "second", items[:_TWICE], _TWICE_BATCH)


def rest(build: Path, output: Path) -> None:
    """Write batches of all that nobody has read and that the build's verifier does not count out."""
    verdicts = iter_records(build / "stages/30-accuracy/verdicts", Verdict)
    asked_for = [verdict.candidate_id for verdict in verdicts if not verdict.was_read and verdict.entailed >= _HOPELESS]
    texts = {p.key: p.text for p in iter_records(build / _STAGE / "passages", Passage)}
    candidates = iter_records(build / _STAGE / "candidates", Candidate, ("candidate_id", asked_for))
    items = {
        (one.hypothesis, pages): (one, pages) for one in candidates for pages in [texts[passage_key(own_premise(one))]]
    }
    _write(output, "batch", sorted(items.values(), key=_mixed), _BATCH)


def _mixed(item: tuple[Candidate, str]) -> int:
    return hash_of(f"batch:{item[0].candidate_id}")


def _write(output: Path, name: str, items: Sequence[tuple[Candidate, str]], size: int) -> None:
    output.mkdir(parents=True, exist_ok=True)
    for number, start in enumerate(range(0, len(items), size)):
        text = "\n\n".join(_shown(one, pages) for one, pages in items[start : start + size])
        (output / f"{name}-{number:02}.md").write_text(text + "\n", "utf-8")


def _shown(candidate: Candidate, pages: str) -> str:
    head = f"# ITEM {candidate.candidate_id}\n\n## PROPOSITION\n\n{asked(candidate)}"
    return f"{head}\n\n## CITED PAGES\n\n{pages}"


def gather(build: Path, folder: Path, output: Path) -> None:
    """Add what was read: id, place of the proposition and of the pages, labels of the first and second reader."""
    before = {row["id"]: row for row in _rows(output)} if output.exists() else {}
    first, second = (_labels(sorted(folder.glob(f"{name}-*.jsonl"))) for name in ("batch", "second"))
    how = {one.candidate_id: how for how, one, _ in drawn(build)} if not before else {}
    candidates = iter_records(build / _STAGE / "candidates", Candidate, ("candidate_id", first))
    read = {one.candidate_id: _row(how.get(one.candidate_id, "rest"), one, first, second) for one in candidates}
    rows = sorted({**read, **before}.values(), key=lambda row: str(row["id"]))
    _weigh(build, rows)
    output.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    print(f"{len(read)} of {len(first)} readings added, {len(rows)} in {output}")


def _weigh(build: Path, rows: list[dict[str, Any]]) -> None:
    """Give each row the weight that makes all propositions of the build that stand alone of those that were read.

    What a row stands for is told by the verifier's probability, in tenths: of hopeful ones more were read.
    """
    tenth = {v.candidate_id: int(v.entailed * 10) for v in iter_records(build / "stages/30-accuracy/verdicts", Verdict)}
    there, read = Counter(tenth.values()), Counter(tenth[row["id"]] for row in rows if row["id"] in tenth)
    for row in rows:
        of = tenth.get(row["id"])
        row["weight"] = 1.0 if of is None else round(there[of] / read[of], 4)


def _row(how: str, one: Candidate, *readings: dict[str, dict[str, Any]]) -> dict[str, Any]:
    row: dict[str, Any] = {
        "id": one.candidate_id,
        "draw": how,
        "start": one.start,
        "end": one.end,
        "cited_case_id": one.cited_case_id,
        "cited_opinion_id": one.cited_opinion_id,
        "premise_start": one.premise_start,
        "premise_end": one.premise_end,
    }
    for suffix, labels in zip(("", "_2"), readings, strict=True):
        if label := labels.get(one.candidate_id):
            row |= {f"{name}{suffix}": label[name] for name in ("alone", "verdict", "why")}
    return row


def _labels(files: Iterable[Path]) -> dict[str, dict[str, Any]]:
    rows = [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines() if line.strip()]
    wrong = [row for row in rows if row.get("verdict") not in _VERDICTS or not isinstance(row.get("alone"), bool)]
    if wrong:
        raise SystemExit(f"{len(wrong)} labels are none, such as {wrong[0]}; mend them")
    return {row["id"]: row for row in rows}


def _rows(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def agreement(file: Path) -> None:
    """Print the shares of verdicts by draw, and how two readers agree."""
    rows = _rows(file)
    for how in sorted({row["draw"] for row in rows}):
        for alone in (True, False):
            said = Counter(r["verdict"] for r in rows if r["draw"] == how and r.get("alone") is alone)
            print(how, "alone" if alone else "not alone", dict(said))
    both = [row for row in rows if "verdict" in row and "verdict_2" in row]
    for name in ("verdict", "alone"):
        pairs = [(str(row[name]), str(row[f"{name}_2"])) for row in both]
        same = sum(a == b for a, b in pairs)
        kappa = cohen_kappa_score([a for a, _ in pairs], [b for _, b in pairs])
        print(f"{name}: {same} of {len(pairs)} agree, kappa {kappa:.2f}", dict(Counter(pairs)))


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("draw", "rest", "gather", "agreement"))
    parser.add_argument("places", nargs="+", type=Path)
    parser.add_argument("-o", "--output", type=Path)
    given = parser.parse_args()
    {"draw": draw, "rest": rest, "gather": gather, "agreement": agreement}[given.what](
        *given.places, *([given.output] if given.output else [])
    )


if __name__ == "__main__":
    main()
