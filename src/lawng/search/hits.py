"""Cases found made into hits: rows fetched from the index, passages highlighted and quoted.

With them goes what a reader must know: notes on what was looked at, warnings on what was found.
"""

from __future__ import annotations

from collections.abc import Sequence

from lawng.models.protocols import is_truncated
from lawng.schema import Filters, IndexedCase, Passage
from lawng.search.answer import DescriptionHit, Hit, PassageHit
from lawng.search.filters import not_there
from lawng.search.fusion import DESCRIPTION_RANKERS, items_by_case
from lawng.search.good_law import notes_of_treatment
from lawng.search.passage_selection import choose_passages
from lawng.search.state import SearchState
from lawng.text.highlight import Highlighter
from lawng.text.phrases import has_phrases
from lawng.text.query_warnings import BY_CHANCE, query_warnings
from lawng.text.words import light_stem


def fetch(state: SearchState) -> None:
    """Choose the passages of the answer's cases, and fetch the cases and their descriptions meanwhile."""
    n, cases = state.settings.n_descriptions, state.case_ids
    by_case = items_by_case(state.found, DESCRIPTION_RANKERS, state.settings.fusion)
    state.descriptions = {case: by_case.get(case, [])[:n] for case in cases}
    few = [case for case in cases if len(state.descriptions[case]) < n]
    others = state.pool.submit(state.index.descriptions_of, few, n * 3)
    ids = [item.id for items in state.descriptions.values() for item in items]
    descriptions = state.pool.submit(state.index.descriptions, ids)
    case_rows = state.pool.submit(state.index.cases, cases)
    treatments = state.pool.submit(state.index.case_treatments, cases)
    choose_passages(state)
    state.case_rows, state.description_rows = case_rows.result(), descriptions.result()
    state.other_descriptions, state.treatments = others.result(), treatments.result()


def make_hits(state: SearchState) -> None:
    """Turn each case into a hit, the named ones first; where phrases are quoted each hit shows all of them."""
    highlighter = Highlighter(state.query.text)
    named, others = (
        [hit for case_id in some if _has_phrases(hit := _hit(state, case_id, highlighter), state.phrases)]
        for some in (state.case_ids[: len(state.named)], state.case_ids[len(state.named) :])
    )
    state.hits, state.n_named = [*named, *others], len(named)
    kept = {hit.case.case_id for hit in state.hits}
    state.lost = sum(case_id not in kept for case_id in (state.case_ids if state.asked else state.named))


def _hit(state: SearchState, case_id: str, highlighter: Highlighter) -> Hit:
    fused = state.fused.get(case_id)
    scores = fused.scores if fused else {}
    case = state.case_rows[case_id]
    chosen = state.passages.get(case_id, [])[: state.n_offered]
    shown = [
        _shown(state.passage_rows[item.id], highlighter, item.score, item.scores)
        for item in chosen
        if item.id in state.passage_rows
    ]
    return Hit(
        case=case,
        score=fused.score if fused else 0.0,
        found_by=(*state.known.found.get(case_id, ()), *scores),
        scores=dict(scores),
        passages=shown or [_shown(one, highlighter, 0.0, {}) for one in _own_passages(state, case, highlighter)],
        descriptions=_descriptions(state, case_id),
        treatment=state.treatments[case_id],
    )


def _shown(passage: Passage, highlighter: Highlighter, score: float, scores: dict[str, float]) -> PassageHit:
    seen = highlighter.look(passage.text)
    return PassageHit(passage, score, scores, seen.highlights, seen.quoted)


def _own_passages(state: SearchState, case: IndexedCase, highlighter: Highlighter) -> list[Passage]:
    """For a case that no passage of was found: those of its own that have most of the argument's words."""
    parts = state.filters.parts
    opinions = [one for one, part in zip(case.opinions, case.parts, strict=True) if not parts or part in parts]
    own = [passage for opinion_id in opinions for passage in state.index.passages_of(opinion_id)]
    fitting = [passage for passage in own if has_phrases(passage.text, state.phrases)]
    best = sorted(fitting, key=lambda passage: -highlighter.coverage(passage.text))  # stable: else in text order
    return best[: state.n_offered]


def _descriptions(state: SearchState, case_id: str) -> list[DescriptionHit]:
    """Matching descriptions, then others of the case."""
    rows = state.description_rows
    matched = [DescriptionHit(rows[i.id], i.score, i.scores) for i in state.descriptions[case_id] if i.id in rows]
    seen = {hit.description.description_id for hit in matched}.union(state.leave_out)
    others = [one for one in state.other_descriptions.get(case_id, ()) if one.description_id not in seen]
    return [*matched, *(DescriptionHit(one, 0.0, {}) for one in others)][: state.settings.n_descriptions]


def _has_phrases(hit: Hit, phrases: Sequence[str]) -> bool:
    """Whether one of a hit's passages or descriptions has every phrase."""
    texts = [*(one.passage.text for one in hit.passages), *(one.description.text for one in hit.descriptions)]
    return not phrases or any(has_phrases(text, phrases) for text in texts)


ONLY_NAMES = "The argument only names cases; say what they are to support, to search by meaning."


def notes_of(state: SearchState) -> list[str]:
    """What was read otherwise than it was meant, what was not found, and why the stance was not judged."""
    notes = [*state.query.notes, *state.known.notes]
    if state.only_names:
        notes.append(ONLY_NAMES)
    elif state.counts and not state.counts.n_cases:
        notes += [_nothing(state), *not_there(state.index, state.filters)]
    elif not state.hits and not state.asked:
        notes.append("Nothing in this index is near the argument.")
    if state.lost:
        which = "were asked for" if state.asked else "the argument names"
        notes.append(f"{state.lost} case(s) that {which} have no passage with every quoted phrase.")
    if not state.only_names and is_truncated(state.index.encoder, state.text):
        notes.append(
            "The argument is longer than the encoder reads: by meaning only its beginning was compared, "
            "by words all of it."
        )
    return [*dict.fromkeys((*notes, *notes_of_treatment(state), *filter(None, (state.undecided, state.unjudged))))]


def warnings_of(state: SearchState) -> list[str]:
    """Why what was found by words and meaning may have nothing to do with the argument."""
    if not (state.found and state.hits):
        return []
    highlighter = Highlighter(state.text)
    texts = [one.passage.text for hit in state.hits for one in hit.passages]
    seen: frozenset[str] = frozenset().union(*map(highlighter.shared, texts))

    def occurs(word: str) -> bool:
        return light_stem(word) in seen or state.index.has_word(word)

    warnings = query_warnings(state.text, occurs, "argument", "this index")
    nearest = next((one.score for one in state.found["dense"]), 0.0)
    coverage = max(map(highlighter.coverage, texts), default=0.0)
    where = "that passes the filters" if state.filters != Filters() else "in this index"
    return warnings or far(nearest, state.settings.near, coverage, where)


def far(cosine: float, near: float, coverage: float, where: str = "in this index") -> list[str]:
    """A warning where no passage is as near by meaning as what speaks to an argument, nor has all of its words."""
    if cosine >= near or coverage >= 1:
        return []
    return [f"Nothing {where} is near the argument by meaning (the nearest has {cosine:.2f}): {BY_CHANCE}."]


def _nothing(state: SearchState) -> str:
    """Why no passage was looked at."""
    filtered = state.filters != Filters()
    if state.phrases:
        quoted = ", ".join(f"“{phrase}”" for phrase in state.phrases)
        return f"No passage{' that passes the filters' if filtered else ''} has {quoted}."
    return "No case of this index passes the filters." if filtered else "The index is empty."
