"""Step 30-accuracy: the accuracy filters, one after another (LawngNLI, A.1.2).

`faults` -> `strip_ing_that` -> `normalise`. Of a proposition, `lawng.lawngnli.standing` takes the place of what knows
parentheticals alone, and what stands alone goes before a verifier (`lawng.lawngnli.verifier`).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial

from lawng.citation.parentheticals import reported
from lawng.io import iter_records
from lawng.lawngnli.records import Refusal, Screened, Verdict, own_premise, passage_key
from lawng.lawngnli.sources import WithPassages, with_passages
from lawng.lawngnli.standing import standing
from lawng.lawngnli.undone import Undone, undone_cases
from lawng.lawngnli.verifier import Asked, load_verifier
from lawng.pipeline import Count, Inputs, Step, Work
from lawng.schema import Candidate, Case, Reject, Treatment
from lawng.schema.dataset import PARENTHETICAL, PROPOSITION

STAGE = "accuracy"

# "et al.", "the", corporate suffixes: written in one report of a case and left out in the next.
_NOISE = re.compile(r"\b(?:et al|et ux|et vir|etc|the|inc|incorporated|co|corp|corporation|company|ltd|llc|llp)\b")
_NOT_WORD = re.compile(r"[^\w]+")
# The paper's pattern as printed, blanks, capitals and unescaped dots included ("mphasis" is "Emphasis" too).
KEYWORDS = re.compile(
    "quoting|en banc|omitted|mphasis|applying|citing |concur|dissent|majority|, in chambers|per curiam|Lexis|opinion"
    "| v. |§|¶|[0-9]"
)
_IRREGULAR = {"can't": "cannot", "won't": "will not", "shan't": "shall not", "ain't": "is not"}
_REGULAR_NOT = (
    *("is", "are", "was", "were", "do", "does", "did", "has", "have", "had"),
    *("would", "could", "should", "must", "might", "need", "ought"),
)
_ENDINGS = {"'re": "are", "'ve": "have", "'ll": "will", "'m": "am"}
# "'s" may be is, has or a possessive and "'d" had or would: without a parse they stay as they are.
_CONTRACTION = re.compile(
    rf"\b(?:(?P<whole>{'|'.join(_IRREGULAR)})|(?P<verb>{'|'.join(_REGULAR_NOT)})n't"
    rf"|(?P<stem>\w+)(?P<ending>{'|'.join(_ENDINGS)}))(?!\w)",
    re.IGNORECASE,
)
_SPACE_BEFORE_MARK = re.compile(r"\s+([,;:.!?])(?=\s|$)")


def screen(
    candidate: Candidate, later: Mapping[str, str], *, only_explanatory: bool = True, undone_by: str = ""
) -> Screened | Reject:
    """A candidate through all accuracy filters, or the first one's reject (LawngNLI, A.1.2).

    `later` are the `later_cases` of the corpus, `undone_by` is the case that overruled or reversed the cited one before
    the citing one was decided. `only_explanatory=False` reproduces the paper, which had no kinds of
    parentheticals.
    """
    if fault := next(faults(candidate, later, only_explanatory, undone_by), None):
        return Reject(STAGE, candidate.candidate_id, fault.reason, fault.detail)
    screened = Screened(candidate, candidate.hypothesis, [])
    is_parenthetical = candidate.hypothesis_source == PARENTHETICAL
    stripped = strip_ing_that(screened) if is_parenthetical else stands_alone(screened)
    return stripped if isinstance(stripped, Reject) else normalise(stripped)


def faults(
    candidate: Candidate, later: Mapping[str, str], only_explanatory: bool = True, undone_by: str = ""
) -> Iterator[Refusal]:
    """What the filters find that a candidate is dropped for as it stands, in their order (LawngNLI, A.1.2)."""
    # the paper's guard against hypotheses from a case later overturned, overbroad on purpose
    if later_case := later.get(candidate.citing_case_id):
        yield Refusal("later-same-parties", later_case)
    # right before or after the citation (Bluebook R. 10.7): the decision described may no longer stand
    if candidate.history:
        yield Refusal("case-history", candidate.history)
    # what a judge says of a case that is law no longer is suspect; the paper could not know
    if undone_by:
        yield Refusal("treatment", undone_by)
    if candidate.hypothesis_source != PARENTHETICAL:
        return
    if words := sorted(set(KEYWORDS.findall(candidate.hypothesis))):
        yield Refusal("keyword", ", ".join(word.strip() for word in words))
    # Bluebook R. 1.5(a); the paper had no kinds, its keyword pattern does part of this
    if only_explanatory and candidate.kind != "explanatory":
        yield Refusal("not-explanatory", candidate.kind)


def later_cases(cases: Iterable[Case]) -> dict[str, str]:
    """Which cases of a corpus have a later one of the same parties, in either order, and which: case id to case id.

    That is every one but the latest. A case without party names is in nobody's way.
    """
    groups: dict[tuple[str, ...], list[tuple[str, str]]] = defaultdict(list)
    for case in cases:
        if key := party_key(case.parties):
            groups[key].append((case.date, case.case_id))
    later = {}
    for group in groups.values():
        latest, latest_id = max(group)
        # surely before it: ISO dates are compared at the precision that both have
        before = (case_id for date, case_id in group if date[: len(latest)] < latest[: len(date)])
        later.update(dict.fromkeys(before, latest_id))
    return later


def party_key(parties: list[str]) -> tuple[str, ...]:
    """Party names without case, punctuation, articles and corporate suffixes, in alphabetical order.

    So "A v. B" and "B v. A" have one key. Names that are nothing but such words are kept as they are.

    >>> party_key(["The Acme Co.", "ROE, et al."]) == party_key(["Roe", "Acme Company"])
    True
    """
    return tuple(sorted(filter(None, (_party(name) for name in parties))))


def strip_ing_that(screened: Screened) -> Screened | Reject:
    """The hypothesis without its opening verb in -ing and "that" (LawngNLI, A.1.2), recorded in `steps`.

    The paper strips because such verbs "many times take a supporting stance"; those that do not ("denying that")
    are rejected as `unsupportive-verb`, where the paper stripped them too.
    """
    found = reported(screened.hypothesis)
    if found is None:
        return screened
    if not found.supported:
        return Reject(STAGE, screened.candidate.candidate_id, "unsupportive-verb", found.opening)
    return replace(screened, hypothesis=found.clause, steps=[*screened.steps, f"ing-that: {found.verb}"])


def stands_alone(screened: Screened) -> Screened | Reject:
    """A proposition as a sentence of its own ("In Roe we held that" is off), or a reject with what it points to."""
    found = standing(screened.hypothesis, screened.candidate.before)
    if isinstance(found, Refusal):
        return Reject("standing", screened.candidate.candidate_id, found.reason, found.detail)
    return replace(screened, hypothesis=found.text, steps=[*screened.steps, *found.steps])


def normalise(screened: Screened) -> Screened:
    """The hypothesis with contractions written out and white space single (LawngNLI, A.1.2), recorded in `steps`.

    The paper lets spaCy do this; a table does the same without a parse, and leaves what is ambiguous ("'s", "'d").
    """
    text = normalised(screened.hypothesis)
    if text == screened.hypothesis:
        return screened
    return replace(screened, hypothesis=text, steps=[*screened.steps, "normalise"])


def normalised(text: str) -> str:
    """A hypothesis with contractions written out, white space single, curly apostrophes straight.

    >>> normalised("the State can’t  tax what it doesn't own , and they’ve no power")
    'the State cannot tax what it does not own, and they have no power'
    """
    # only between letters: a curly quotation mark must stay one, the difficulty filter looks for it
    plain = re.sub(r"(?<=\w)’(?=\w)", "'", " ".join(text.split()))
    return _SPACE_BEFORE_MARK.sub(r"\1", _CONTRACTION.sub(_written_out, plain))


def _party(name: str) -> str:
    words = _NOT_WORD.sub(" ", name.casefold()).strip()
    return " ".join(_NOISE.sub(" ", words).split()) or words


def _written_out(found: re.Match[str]) -> str:
    if whole := found["whole"]:
        word = _IRREGULAR[whole.lower()]
        return word.capitalize() if whole[0].isupper() else word
    return f"{found['verb']} not" if found["verb"] else f"{found['stem']} {_ENDINGS[found['ending'].lower()]}"


def screen_part(
    unit: WithPassages, later: Mapping[str, str], only_explanatory: bool, verifier: str, undone: Undone
) -> Iterator[Screened | Verdict | Reject | Count]:
    """The candidates of a part through all filters, propositions behind parentheticals."""
    standing_alone: list[Screened] = []
    for candidate in iter_records(unit.part, Candidate):
        yield Count(1, "candidates")
        by = undone.before(candidate.cited_case_id, candidate.citing_case_id)
        found = screen(candidate, later, only_explanatory=only_explanatory, undone_by=by)
        if isinstance(found, Screened) and candidate.hypothesis_source == PROPOSITION:
            standing_alone.append(found)
        else:
            yield found
    yield from verified(standing_alone, unit, verifier) if standing_alone else ()


def verified(items: list[Screened], unit: WithPassages, verifier: str) -> Iterator[Screened | Verdict | Reject]:
    """A verdict on each proposition, and those that the verifier passes; a hard case is kept as no example at all."""
    texts = unit.texts()
    asked = [Asked(item, texts[passage_key(own_premise(item.candidate))]) for item in items]
    for item, verdict in zip(items, load_verifier(verifier).verdicts(asked), strict=True):
        yield verdict
        by = "read" if verdict.was_read else f"{verdict.entailed:.2f}"
        if verdict.label == "entailed":
            yield replace(item, steps=[*item.steps, f"verified: {by}"])
        else:
            reason = "partly-entailed" if verdict.label == "partly" else "not-entailed"
            yield Reject("verifier", verdict.candidate_id, reason, by)


def _prepare(inputs: Inputs) -> Work:
    task = partial(
        screen_part,
        later=later_cases(iter_records(inputs.corpus / "cases", Case)),
        only_explanatory=inputs.option("filters.only_explanatory"),
        verifier=inputs.model("verifier").place,
        undone=_undone(inputs),
    )
    return with_passages(inputs.table("candidates"), inputs.table("passages")), task


def _undone(inputs: Inputs) -> Undone:
    if not inputs.option("filters.treatment"):
        return Undone()
    return undone_cases(
        iter_records(inputs.table("treatments"), Treatment), iter_records(inputs.corpus / "cases", Case)
    )


STEP = Step(
    "30-accuracy",
    {"screened": Screened, "verdicts": Verdict},
    _prepare,
    tables=("candidates", "passages", "treatments"),
    corpus=True,
    options=("filters.only_explanatory", "filters.treatment"),
    models=("verifier",),
    balance=("candidates", "screened"),
    libraries=("lemminflect", "PyStemmer"),
    seconds=0.0005,
)
