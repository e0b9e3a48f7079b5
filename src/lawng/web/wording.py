"""Records in the words of the pages: facts, links to the place, quotations with highlights, and what decided."""

from __future__ import annotations

from markupsafe import Markup

from lawng.corpus.names import short_name
from lawng.index.descriptions import CITING, contrary
from lawng.index.treated import CaseTreatment
from lawng.schema import Description, IndexedCase, Passage, Span, Treatment
from lawng.search.answer import Answer, DescriptionHit, Hit, PassageHit, Stance
from lawng.text.printable import count
from lawng.web.links import case_url, opinion_url
from lawng.web.marks import Inline, marked, rendered

_NAMES_OF_MONTHS = "January February March April May June July August September October November December"
_MONTHS = tuple(_NAMES_OF_MONTHS.split())
_PARTS = {
    "majority": "Opinion of the court",
    "plurality": "Plurality opinion",
    "concurrence": "Concurrence",
    "concurrence-in-part": "Concurrence in part, dissent in part",
    "dissent": "Dissent",
    "combined": "All opinions in one text",
    "other": "Other paper",
}
_DEGREES = ((0.95, "almost certainly"), (0.8, "very probably"), (0.6, "probably"), (0.0, "perhaps"))


def long_date(date: str) -> str:
    """A date for people, as precise as it is known.

    >>> long_date("1973-01-22"), long_date("1973-01"), long_date("1973"), long_date("")
    ('January 22, 1973', 'January 1973', '1973', 'date not known')
    """
    pieces = date.split("-")
    if not pieces[0]:
        return "date not known"
    if len(pieces) == 1:
        return pieces[0]
    month = _MONTHS[int(pieces[1]) - 1]
    return f"{month} {pieces[0]}" if len(pieces) == 2 else f"{month} {int(pieces[2])}, {pieces[0]}"


def year(date: str) -> str:
    """The year of a date, "n.d." when it is not known.

    >>> year("1973-01"), year("")
    ('1973', 'n.d.')
    """
    return date[:4] or "n.d."


def part_name(part: str) -> str:
    """The kind of an opinion for people.

    >>> part_name("dissent")
    'Dissent'
    """
    return _PARTS.get(part, part)


def pages(first: str, last: str) -> str:
    """Pages for people, "" when they are not marked.

    >>> pages("113", "115"), pages("113", "113"), pages("", "")
    ('pages 113–115', 'page 113', '')
    """
    if not first:
        return ""
    return f"page {first}" if first == last or not last else f"pages {first}–{last}"


def percent(share: float) -> str:
    """A share in per cent: neither all nor nothing is rounded to.

    >>> percent(1.0), percent(0.999), percent(0.0004), percent(0.0), percent(0.256)
    ('all', '99 %', 'less than 1 %', 'nothing', '26 %')
    """
    if share >= 1.0:
        return "all"
    if share <= 0.0:
        return "nothing"
    return "less than 1 %" if share < 0.01 else f"{min(99, round(share * 100))} %"


def degree(stance: Stance) -> str:
    """How sure the model is of the stance's label.

    >>> degree(Stance(0.97, 0.02, 0.01, 1.0)), degree(Stance(0.2, 0.1, 0.7, 1.0))
    ('almost certainly', 'probably')
    """
    sure = max(stance.entailment, stance.neutral, stance.contradiction)
    return next(word for least, word in _DEGREES if sure >= least)


def verdict(stance: Stance) -> str:
    """A stance in words.

    >>> verdict(Stance(0.97, 0.02, 0.01, 1.0)), verdict(Stance(0.2, 0.1, 0.7, 1.0)), verdict(Stance(0.2, 0.5, 0.3, 1.0))
    ('almost certainly supports', 'probably refutes', 'perhaps says neither')
    """
    does = {"entailment": "supports", "contradiction": "refutes", "neutral": "says neither"}[stance.label.value]
    return f"{degree(stance)} {does}"


def probability(stance: Stance) -> str:
    """The probability of the stance's label, two digits; never rounded to certainty.

    >>> probability(Stance(0.999, 0.001, 0.0, 1.0))
    '0.99'
    """
    return f"{min(0.99, max(stance.entailment, stance.neutral, stance.contradiction)):.2f}"


def cite_line(case: IndexedCase) -> str:
    """The official citation, or that there is none."""
    return case.citations[0] if case.citations else "no reporter citation"


def place_of(passage: Passage) -> str:
    """Where a passage stands: pages and part, "" when neither says anything.

    A part that is not the court's own is always said.
    """
    where = [pages(passage.first_page, passage.last_page)]
    if passage.part != "majority":
        where.append(voice(passage.part, passage.author))
    return ", ".join(piece for piece in where if piece)


def begun(text: str) -> str:
    """A text as a line begins: its first letter large, the others as they are.

    >>> begun("page 7, dissent (Brennan, J.)")
    'Page 7, dissent (Brennan, J.)'
    """
    return text[:1].upper() + text[1:]


def words_of(description: Description) -> str:
    """A parenthetical in its brackets, or a citing sentence."""
    return description.text if description.kind == CITING else f"({description.text})"


def relation(description: Description) -> str:
    """How a citing sentence stands to the case, "" for a parenthetical, which is about it."""
    if description.kind != CITING:
        return ""
    return "citing it beside this:" if contrary(description) else "citing it for this:"


def source_of(description: Description) -> str:
    """Who says a description, as a citation: name, cite, page, year, and whose opinion if not the court's."""
    cite = description.citing_cite + (f", {description.citing_page}" if description.citing_page else "")
    of_court = description.citing_part == "majority"
    who = "" if of_court else f", {voice(description.citing_part, description.citing_author)}"
    bracket = f"({year(description.citing_date)}{who})"
    return " ".join(
        piece for piece in (", ".join(filter(None, (short_name(description.citing_name), cite))), bracket) if piece
    )


def deed(treatment: Treatment) -> str:
    """What a later case did, in words that "by" follows, or "in" where it tells what another one did.

    >>> tells = dict.fromkeys(Treatment.__slots__, "") | {"label": "mentioned", "kind": "told", "told": "overruled"}
    >>> deed(Treatment(**tells | {"by": "9 U.S. 9"})), deed(Treatment(**tells | {"told": "", "kind": "followed"}))
    ('Said to be overruled by 9 U.S. 9', 'Followed')
    """
    if treatment.told:
        return f"Said to be {treatment.deed} by {treatment.by}"
    return (treatment.deed if treatment.in_part else treatment.kind or treatment.label).capitalize()


def not_deciding(treatment: Treatment) -> str:
    """Whose words they are where the court does not speak, "" where it does: "dissent (ROE, J.), does not decide"."""
    return "" if treatment.decides else f"{voice(treatment.part, treatment.author)}, does not decide"


def treatment_url(treatment: Treatment, argument: str = "") -> str:
    """The citing opinion at the sentence."""
    return opinion_url(treatment.opinion_id, Span(treatment.start, treatment.end), argument=argument)


def treatment_line(treatment: CaseTreatment) -> str:
    """Among how many cases the flags of a case were found; else that none was."""
    if not treatment.flags:
        return f"{treatment.words[0].upper()}{treatment.words[1:]}."
    cases = count(treatment.n_citing, "later case")
    return f"{cases} in this index cite it ({count(treatment.n_mentions, 'mention')} read)."


def voice(part: str, author: str) -> str:
    """Whose words an opinion is, "dissent (POE, J.)"; what the author's line says already is not said twice.

    >>> voice("dissent", "POE, J."), voice("dissent", "POE, J. (dissenting)"), voice("dissent", "")
    ('dissent (POE, J.)', 'POE, J. (dissenting)', 'dissent')
    """
    name = part_name(part).lower()
    if not author:
        return name
    said = any(word in author.lower() for word in ("dissent", "concur"))
    return by_line(author) if said else f"{name} ({by_line(author)})"


def by_line(author: str) -> str:
    """An author's line without the full stop at its end, unless it belongs to an abbreviation.

    >>> by_line("SELWAY, Circuit Judge."), by_line("POE, J."), by_line("POE, C.J.")
    ('SELWAY, Circuit Judge', 'POE, J.', 'POE, C.J.')
    """
    return author if author.endswith(("J.", "JJ.", "Jr.", "Sr.")) else author.rstrip(".")


def passage_url(hit: PassageHit, argument: str) -> str:
    """The opinion at the passage, its quoted words marked."""
    passage = hit.passage
    quoted = Span(passage.start + hit.quoted[0], passage.start + hit.quoted[1])
    return opinion_url(passage.opinion_id, Span(passage.start, passage.end), quoted, argument)


def description_url(description: Description, argument: str = "") -> str:
    """The describing opinion at these words."""
    return opinion_url(description.citing_opinion_id, Span(description.start, description.end), argument=argument)


def hit_url(hit: Hit, argument: str) -> str:
    """Where the case's name leads: to its best passage, else to the case."""
    return passage_url(hit.passages[0], argument) if hit.passages else case_url(hit.case.case_id)


def quoted_html(hit: PassageHit) -> Markup:
    """The words nearest to the argument, highlighted; an ellipsis tells that the passage goes on."""
    text, (start, end) = hit.passage.text, hit.quoted
    before = "… " if start > 0 or hit.passage.cut else ""
    after = " …" if end < len(text) or hit.passage.cut else ""
    return Markup("{}{}{}").format(before, marked(text, hit.highlights, Span(start, end)), after)


def whole_html(hit: PassageHit) -> Markup:
    """The whole passage in paragraphs, the quoted words and the highlights in it."""
    text, (start, end) = hit.passage.text, hit.quoted
    layers = [[Inline(start, end, "span", (("class", "quoted"),))], [Inline(*span, "mark") for span in hit.highlights]]
    paragraphs = (rendered(text, span, layers) for span in _paragraphs(text))
    return Markup("").join(Markup("<p>{}</p>").format(paragraph) for paragraph in paragraphs)


def more_than_quoted(hit: PassageHit) -> bool:
    """Whether the passage has words beside the quoted ones."""
    return hit.quoted != (0, len(hit.passage.text))


def basis(hit: Hit) -> str:
    """What the stance was computed from, in words; "" when nothing was judged."""
    for passage in hit.passages:
        if passage.passage.passage_id == hit.decided_by:
            where = place_of(passage.passage)
            return f"a passage of its text ({where})" if where else "a passage of its text"
    for described in hit.descriptions:
        if described.description.description_id == hit.decided_by:
            what = "a sentence that cites it" if described.description.kind == CITING else "its description"
            return f"{what} in {source_of(described.description)}"
    return hit.decided_by


def deciding_description(hit: Hit) -> DescriptionHit | None:
    """What another court says of the case, where the stance comes from it: it is shown first."""
    first = hit.descriptions[0] if hit.descriptions else None
    return first if first and first.description.description_id == hit.decided_by else None


def bar(hit: Hit) -> list[tuple[str, float, float]]:
    """The three probabilities as bars of a picture 100 wide: class, x and width."""
    if hit.stance is None:
        return []
    values = (("for", hit.stance.entailment), ("neither", hit.stance.neutral), ("against", hit.stance.contradiction))
    bars, x = [], 0.0
    for name, value in values:
        bars.append((name, round(x, 2), round(100 * value, 2)))
        x += 100 * value
    return bars


def summary(answer: Answer) -> str:
    """How many cases were found, in a line that a screen reader says."""
    if answer.n_cases == 0 and not answer.hits:
        return "No passage has the quoted words." if answer.phrases else "No case of the index passes these filters."
    if not answer.hits:
        return f"Nothing found among {count(answer.n_cases, 'case')}."
    found = [f"{len(answer.named)} named"] if answer.named else []
    if answer.stance_model is None:
        found += [f"{count(len(answer.unjudged), 'case')} found, not judged"] if answer.unjudged else []
    else:
        of = (("supporting", answer.supporting), ("refuting", answer.refuting), ("undecided", answer.undecided))
        found += [f"{len(hits)} {name}" for name, hits in of]
    looked = f", from {count(answer.n_cases, 'case')}" if answer.n_cases else ""  # what is quoted, others said of it
    return f"{', '.join(found)}{looked}."


def _paragraphs(text: str) -> list[Span]:
    spans, start = [], 0
    for paragraph in text.split("\n\n"):
        spans.append(Span(start, start + len(paragraph)))
        start += len(paragraph) + 2
    return [span for span in spans if text[span.start : span.end].strip()]
