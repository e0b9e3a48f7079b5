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

AUXILIARIES = BE | frozenset(DO) | MODALS | frozenset("have has had might".split())
PLURALS = frozenset("we they you police".split())
"""Subjects that take a plural verb whatever their tag."""
POSSIBLE = frozenset(
    "be have constitute facilitate create result cause lead affect raise stimulate involve suggest indicate exist become "
    "reflect influence render impair promote encourage well appear seem tend prove contribute chill deter cover strike".split()
)
"""Verbs with which "may" tells a possibility, and "may not" another one, rather than a permission and its lack."""

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
    "any anyone anybody anything either neither no none nothing nobody numerous various".split()
)
"""Subjects that "not" in the verb phrase does not contradict, or only in one of two readings."""

NEGATIVES = frozenset(
    "not never no none nothing nobody nowhere neither nor hardly scarcely barely rarely seldom n't cannot".split()
)
FOCUS = frozenset("only even merely just simply solely".split())
"""Words whose scope under "not" is not what they had without it ("not only ... but also")."""
CONDITIONS = frozenset("if when where after because by upon on with as for in through until once".split())
"""What makes "only" a condition: "may sue only if" is not contradicted by "may not sue only if"."""
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
POSITIVE_POLARITY = frozenset("some something someone somebody somewhat too sometimes well little few".split())
"""Words that do not fall under a "not" before them."""

SENTENCE_ADVERBS = frozenset(
    "also therefore thus hence then accordingly consequently nevertheless nonetheless however moreover likewise "
    "similarly otherwise further furthermore instead still apparently presumably arguably concededly".split()
)
"""Adverbs that stand outside the negation: "was therefore not valid"."""

INSTITUTIONS = frozenset(
    "court courts judge judges justice justices jury jurors panel magistrate congress legislature government state states "
    "united board commission agency department secretary president police officer officers prosecutor prosecution "
    "counsel statute statutes law laws act acts clause amendment constitution rule rules regulation regulations "
    "ordinance city county order bank employer company it he she they we".split()
)
"""Subjects that deny, grant and hold, rather than being denied, granted and held."""
GIVING = frozenset("deny grant award accord afford refuse".split())
"""Verbs whose passive keeps an object: "petitioner denied relief" is no finite clause."""
RESTRAINING = frozenset("order allow permit limit restrict confine sentence convict require detain arrest charge keep".split())
"""Verbs whose passive keeps an infinitive: "prisoners permitted to read"."""
NAMING = frozenset("held deemed found considered termed called named labeled labelled styled declared adjudged".split())
"""Past tenses that before an adjective are participles in headlines: "search held unreasonable"."""
INTRANSITIVE = frozenset(
    "err appeal act apply appear argue consent die differ exist expire happen interfere occur participate plead proceed "
    "rely remain reside result suffer testify vary vest vote survive prevail object refer relate belong consist depend "
    "derive stem amount inure attach accrue lapse end continue operate cooperate comply conform contribute agree disagree "
    "respond react flee live move turn divide work travel look point seem last cease inquire assent petition conspire "
    "dissent acquiesce function lie matter".split()
)
"""Verbs whose past tense without an object is no passive participle."""
JUDICIAL_GERUNDS = frozenset(
    "holding finding noting stating explaining concluding rejecting upholding affirming reversing discussing implying "
    "suggesting observing recognizing describing approving applying striking invalidating declining refusing dismissing "
    "denying granting vacating remanding distinguishing construing interpreting reaffirming emphasizing reasoning "
    "determining deciding indicating assuming listing citing collecting adopting overruling sustaining reviewing "
    "requiring allowing permitting analyzing comparing treating considering rendering arguing reiterating acknowledging "
    "questioning addressing setting quoting summarizing expressing characterizing criticizing disapproving".split()
)
"""First words of parentheticals that are verb phrases without a clause (A.1.5)."""
EDITORIAL = frozenset("hereinafter hereafter dictum semble same i. e. i.e. e.g. i.e., e.g., viz. viz.,".split())
"""First words of notes by the editor rather than statements about the case."""
CLAIMS = frozenset("claim claims argument contention allegation assertion challenge finding holding".split())
"""Nouns that begin a headline about what was claimed: "claim that X held nonjusticiable"."""
IDIOMS = frozenset("means way wise event circumstances more less longer other".split())
"""Nouns with which "no" is an idiom that "some" does not contradict: "by no means"."""
