"""Views of an example: which premise a model is shown, and whether the hypothesis with it or one of them alone.

A data set of `lawng build` has a premise in four lengths (`PREMISES`); data of others have one, which is shown for all.
"""

from __future__ import annotations

SHORT, LONG = "short", "long"
FILTERED = "bm25-"
"""Before the name of a view: the five paragraphs of it that BM25 finds for the hypothesis."""
ONLY, HYPOTHESIS = "only-", "hypothesis"
"""Views of the artefact baselines (LawngNLI, table 12): the premise alone, the hypothesis alone."""
COLUMNS = {
    SHORT: "premise_short",
    LONG: "premise_long_prepended",
    f"{FILTERED}{SHORT}": "premise_bm25_short",
    f"{FILTERED}{LONG}": "premise_bm25_long",
}
"""Of a build's data set. Long premises have their last paragraphs copied to their front, as the paper's (A.1.9)."""
PREMISES = tuple(COLUMNS)
VIEWS = (*PREMISES, HYPOTHESIS, *(f"{ONLY}{premise}" for premise in PREMISES))


def premise_of(view: str) -> str:
    """Which premise a view shows, or would show.

    >>> [premise_of(view) for view in ("bm25-long", "only-long", "hypothesis")]
    ['bm25-long', 'long', 'short']
    """
    return SHORT if view == HYPOTHESIS else view.removeprefix(ONLY)


def shown(view: str, premise: str, hypothesis: str) -> tuple[str, str]:
    """Premise and hypothesis as a view has them, what it leaves out as "".

    >>> shown("only-short", "A rule.", "It holds."), shown("hypothesis", "A rule.", "It holds.")
    (('A rule.', ''), ('', 'It holds.'))
    """
    return "" if view == HYPOTHESIS else premise, "" if view.startswith(ONLY) else hypothesis
