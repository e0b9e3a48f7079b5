"""The word lists of the contradiction algorithm, one home for each."""

from __future__ import annotations

NOTS = frozenset({"not"})
BE = frozenset("be is are was were am been being".split())
DO = {"did": "VBD", "does": "VBZ", "do": "VBP"}
"""Auxiliary to the tag of the form that takes its place."""
DO_FOR = {tag: word for word, tag in DO.items()}
MODALS = frozenset("can could may must shall should will would ought need".split())
WEAK_MODALS = frozenset({"might"})
"""Both "might" and "might not" can hold: no contradiction."""

SUBJECT_PAIRS = {
    "no": "some", "some": "no",
    "none": "some", "no one": "someone", "someone": "no one", "nobody": "somebody", "somebody": "nobody",
    "nothing": "something", "something": "nothing", "neither": "either", "either": "neither",
}  # fmt: skip
"""Contradictable indefinite pronouns and determiners (A.1.5, step 1); `some` standing alone becomes `none`."""

UNIVERSALS = frozenset("all every everyone everybody everything".split())
"""Contradicted by a "not" before them: "not all X" is the exact opposite, "all X are not" is ambiguous."""
QUANTIFIERS = frozenset(
    "all every everyone everybody everything each both most many much some something someone somebody few fewer several "
    "any anyone anybody anything either neither no none nothing nobody certain numerous various half".split()
)
"""Subjects that "not" in the verb phrase does not contradict, or only in one of two readings."""

NEGATIVES = frozenset(
    "not never no none nothing nobody nowhere neither nor hardly scarcely barely rarely seldom n't cannot".split()
)
FOCUS = frozenset("only even merely just simply".split())
"""Words whose scope under "not" is not what they had without it ("not only ... but also")."""
NEGATIVE_POLARITY = frozenset(
    "any anyone anybody anything anywhere ever yet anymore either whatsoever until much longer nor".split()
)
"""Words that need a negation around them: without it the sentence is ungrammatical or says something else."""
LICENSERS = frozenset(
    "without against if whether unless before than deny denies denied denying refuse refused refuses fail failed fails "
    "prohibit prohibits prohibited bar bars barred preclude precludes precluded prevent prevents forbid forbids lack "
    "lacked lacks doubt absent free immune prior unlike".split()
)
"""Words that license negative polarity by themselves."""
POSITIVE_POLARITY = frozenset("some something someone somebody somewhat too sometimes well".split())
"""Words that do not fall under a "not" before them."""

SENTENCE_ADVERBS = frozenset(
    "also therefore thus hence then accordingly consequently nevertheless nonetheless however moreover likewise "
    "similarly otherwise further furthermore instead still apparently presumably arguably concededly".split()
)
"""Adverbs that stand outside the negation: "was therefore not valid"."""
