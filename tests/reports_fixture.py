"""A corpus and a finished build in small, made by the engine from records written out by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import records_support
from lawng.lawngnli.records import Labelled, Negatable, Paired, Screened, own_premise
from lawng.pipeline import Count, Settings, Stage, run_stage
from lawng.schema import (
    Candidate,
    Case,
    Citation,
    Example,
    LongPremise,
    Opinion,
    PageMark,
    Parenthetical,
    PremiseView,
    Reject,
    ShortPremise,
)
from lawng.schema.labels import LABELS, Label

N = 36
"""Candidates; one of each label falls to the accuracy filters, so that 33 go on."""

FIRST = "The mill burned in April. Its owner, Mrs. Ostrander, had paid the premium late."
SECOND = "The insurer kept the money. We hold that it waived the lapse; see Ames v. Bly, 3 Mass. 9 (1811)."
THIRD = "Judgment affirmed."


@dataclass(frozen=True)
class Rows:
    """A task that yields records given beforehand."""

    make: Callable[[], list[Any]]

    def __call__(self, unit: int) -> Iterator[Any]:
        yield from self.make()


def make_corpus(folder: Path) -> Path:
    stage = Stage("corpus", {"cases": Case, "opinions": Opinion}, inputs={})
    run_stage(stage, [0], Rows(_corpus), folder, Settings(workers=1))
    return folder


def make_build(folder: Path) -> Path:
    """Stages 10 to 80 of a build, with books that balance."""
    for name, tables, balance, make in STAGES:
        stage = Stage(name, tables, inputs={}, balance=balance)
        run_stage(stage, [0], Rows(make), folder / "stages" / name, Settings(workers=1))
    return folder


def make_empty_build(folder: Path) -> Path:
    """What an empty corpus gives: finished stages without a single unit."""
    for name, tables, balance, _ in STAGES:
        run_stage(Stage(name, tables, inputs={}, balance=balance), [], Rows(list), folder / "stages" / name)
    return folder


def case(number: int) -> Case:
    return records_support.case(
        f"cap:{number}",
        name=f"Ostrander v. Mill No. {number}",
        parties=["Ostrander", f"Mill No. {number}"],
        citations=[records_support.reporter_cite(f"{number} Mass. 100")],
        court="Mass.",
        date="1903-05-01",
    )


def opinion(number: int) -> Opinion:
    paragraphs = [f"In the matter of mill {number}. {FIRST}", SECOND, citing_paragraph(number), THIRD]
    second = records_support.spans_of(paragraphs)[1].start
    pages = [PageMark("Mass.", "100", 100, 0), PageMark("Mass.", "101", 101, second)]
    return records_support.opinion(f"cap:{number}", paragraphs, pages=pages)


def citing_paragraph(number: int) -> str:
    cite = f"{cited_name(number)}, {cited(number)} Mass. 100, 101 (1903)"
    return f"The rule is settled. See {cite} ({parenthetical(number)})."


def cited(number: int) -> int:
    return number % N + 1


def cited_name(number: int) -> str:
    return case(cited(number)).name


def parenthetical(number: int) -> str:
    return f"holding that insurer number {number} waived the lapse by keeping the premium"


def start_of(number: int) -> int:
    return opinion(number).text.index(parenthetical(number))


def candidate(number: int) -> Candidate:
    start, source, premise = start_of(number), opinion(number), opinion(cited(number))
    return Candidate(
        candidate_id=f"cap:{number}/0@{start}",
        hypothesis_source="parenthetical",
        hypothesis=parenthetical(number),
        kind="explanatory",
        citing_case_id=f"cap:{number}",
        citing_opinion_id=f"cap:{number}/0",
        citing_opinion_type="majority",
        citing_page="101",
        start=start,
        end=start + len(parenthetical(number)),
        citation_start=source.text.index("See Ostrander"),
        citation_end=start + len(parenthetical(number)) + 1,
        sentence="",
        before="",
        n_cited=1,
        signal="see",
        history=None,
        context="The rule is settled.",
        cited_case_id=f"cap:{cited(number)}",
        cited_opinion_id=premise.opinion_id,
        cited_cite=f"{cited(number)} Mass. 100",
        pin_cite="101",
        pin_pages=[101],
        premise_start=premise.paragraphs[1].start,
        premise_end=premise.paragraphs[1].end,
        jurisdiction="mass",
    )


def citation(number: int) -> Citation:
    one, text = candidate(number), opinion(number).text
    core = f"{cited(number)} Mass. 100"
    return records_support.citation(
        one.citing_opinion_id,
        text.index(core, one.citation_start),
        core,
        cited_case_id=one.cited_case_id,
        name=cited_name(number),
        pin_cite="101",
        pin_pages=[101],
        signal="see",
        parentheticals=[Parenthetical(one.hypothesis, one.start, one.end, "explanatory")],
        full_start=one.citation_start,
        full_end=one.citation_end,
    )


def fallen(number: int) -> bool:
    return number in {12, 23, 34}


def label(number: int) -> Label:
    return LABELS[number % 3]


def labelled(number: int) -> Labelled:
    sure = f"insurer number {number} waived the lapse by keeping the premium"
    return Labelled(
        candidate=candidate(number),
        hypothesis=sure,
        flipped=sure.replace("waived", "did not waive"),
        pivotal_negation=False,
        change="negation: add do-support",
        steps=["ing-that: holding"],
        label=label(number),
    )


def split(number: int) -> str:
    return {0: "validation", 5: "test", 6: "test"}.get(number % 7, "train")


def examples(number: int) -> list[Example]:
    return [_example(number, twin=False), _example(number, twin=True)]


def _example(number: int, twin: bool) -> Example:
    one, source = labelled(number), candidate(number)
    premise = candidate(number % N + 1) if one.label == Label.NEUTRAL else source
    flipped = twin != (one.label == Label.CONTRADICTION)
    kinds = ("twin", "original") if twin else ("original", "twin")
    ids = [f"{source.candidate_id}:{kind}" for kind in kinds]
    return Example(
        example_id=ids[0],
        twin_id=ids[1],
        candidate_id=source.candidate_id,
        hypothesis_source=source.hypothesis_source,
        hypothesis=one.flipped if flipped else one.hypothesis,
        label=Label(one.label).flipped if twin else one.label,
        original_label=one.label,
        pivotal_negation=flipped,
        is_twin=twin,
        analysis=number % 4 != 0,
        split=split(number),
        premise_case_id=premise.cited_case_id,
        premise_opinion_id=premise.cited_opinion_id,
        premise_start=premise.premise_start,
        premise_end=premise.premise_end,
        premise_candidate_id=premise.candidate_id,
        premise_pin_pages=[101],
        jurisdiction="mass",
        citing_case_id=source.citing_case_id,
        citing_opinion_id=source.citing_opinion_id,
        citing_page="101",
        start=source.start,
        end=source.end,
        cited_case_id=source.cited_case_id,
        pin_cite="101",
        steps=[*one.steps, one.change] if flipped else one.steps,
    )


def _corpus() -> list[Any]:
    return [record for n in range(1, N + 1) for record in (case(n), opinion(n))]


def _alive() -> list[int]:
    return [n for n in range(1, N + 1) if not fallen(n)]


def _citations() -> list[Any]:
    return [Count(N, "opinions"), *(citation(n) for n in range(1, N + 1))]


def _candidates() -> list[Any]:
    return [Count(N, "citations"), *(candidate(n) for n in range(1, N + 1))]


def _screened() -> list[Any]:
    gone = [n for n in range(1, N + 1) if fallen(n)]
    rejects = [Reject("keywords", candidate(n).candidate_id, "keyword", "dissent") for n in gone]
    kept = [Screened(candidate(n), labelled(n).hypothesis, labelled(n).steps) for n in _alive()]
    return [Count(N, "candidates"), *rejects, *kept]


def _negatable() -> list[Any]:
    all_ = [labelled(n) for n in _alive()]
    rows = [Negatable(x.candidate, x.hypothesis, x.flipped, x.pivotal_negation, x.change, x.steps) for x in all_]
    return [Count(len(rows), "screened"), *rows]


def _labelled() -> list[Any]:
    return [Count(len(_alive()), "negatable"), *(labelled(n) for n in _alive())]


def _paired() -> list[Any]:
    return [Count(len(_alive()), "labelled"), *(_pair(n) for n in _alive())]


def _pair(number: int) -> Paired:
    own, other = own_premise(candidate(number)), own_premise(candidate(number % N + 1))
    return Paired(labelled(number), other if label(number) == Label.NEUTRAL else own, other, truncated=False)


def _examples() -> list[Any]:
    return [example for n in _alive() for example in examples(n)]


def _balanced() -> list[Any]:
    return [Count(len(_alive()), "paired"), *_examples()]


def _premises() -> list[Any]:
    made: dict[Any, Any] = {}
    for example in _examples():
        text = opinion(int(example.premise_opinion_id[4:-2])).text
        prepended = f"{THIRD}\n\n{_clean(text)}"
        short = text[example.premise_start : example.premise_end]
        made[example.premise_opinion_id] = LongPremise(
            example.premise_opinion_id,
            example.premise_case_id,
            _clean(text),
            text,
            prepended,
            60,
            70,
        )
        key = (example.premise_opinion_id, example.premise_start, example.premise_end)
        made[key] = ShortPremise(*key, _clean(short), short, 18 + len(short) % 7, 30)
        made[example.example_id] = PremiseView(
            example.example_id, _clean(short), THIRD, len(example.hypothesis.split()), 0.25
        )
    return list(made.values())


def _clean(text: str) -> str:
    return text.replace("; see Ames v. Bly, 3 Mass. 9 (1811)", "")


STAGES: tuple[tuple[str, dict[str, type], tuple[str, str] | None, Callable[[], list[Any]]], ...] = (
    ("10-citations", {"citations": Citation}, None, _citations),
    ("20-candidates", {"candidates": Candidate}, ("citations", "candidates"), _candidates),
    ("30-accuracy", {"screened": Screened}, ("candidates", "screened"), _screened),
    ("40-negation", {"negatable": Negatable}, ("screened", "negatable"), _negatable),
    ("50-labels", {"labelled": Labelled}, ("negatable", "labelled"), _labelled),
    ("60-neutral", {"paired": Paired}, ("labelled", "paired"), _paired),
    ("70-balance", {"examples": Example}, None, _balanced),
    (
        "80-premises",
        {"long_premises": LongPremise, "short_premises": ShortPremise, "views": PremiseView},
        None,
        _premises,
    ),
)
