"""The word lists of the contradiction algorithm, one home for each, and verb forms by lemminflect."""

from __future__ import annotations

from functools import lru_cache


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


BE = _words("be is are was were am been being")
DO = {"did": "VBD", "does": "VBZ", "do": "VBP"}
"""Auxiliary to the tag of the form that takes its place."""
DO_FOR = {tag: word for word, tag in DO.items()}
HAVE = {"has": "VBZ", "have": "VBP", "had": "VBD"}
"""A form of "have" to its tag."""
FINITE_TAGS = frozenset({"VBD", "VBZ", "VBP", "MD"})
MODALS = _words("can could may must shall should will would ought need")
WEAK_MODALS = frozenset({"might"})
"""Both "might" and "might not" can hold: no contradiction."""

AUXILIARIES = BE | frozenset(DO) | MODALS | _words("have has had might")
PLURALS = _words("we they you police")
"""Subjects that take a plural verb whatever their tag."""
POSSIBLE = _words(
    "be have constitute facilitate create result cause lead affect raise stimulate involve suggest indicate exist "
    "become reflect influence render impair promote encourage well appear seem tend prove contribute chill deter "
    "cover strike"
)
"""Verbs with which "may" tells a possibility, and "may not" another one, rather than a permission and its lack."""

SUBJECT_PAIRS = {
    "no": "some", "some": "no",
    "none": "some", "no one": "someone", "someone": "no one", "nobody": "somebody", "somebody": "nobody",
    "nothing": "something", "something": "nothing", "neither": "either", "either": "neither",
}  # fmt: skip
"""Contradictable indefinite pronouns and determiners (A.1.5, step 1); `some` standing alone becomes `none`."""

UNIVERSALS = _words("all every everyone everybody everything")
"""Contradicted by a "not" before them: "not all X" is the exact opposite, "all X are not" is ambiguous."""
QUANTIFIERS = _words(
    "all every everyone everybody everything each both most many much some something someone somebody few fewer "
    "several any anyone anybody anything either neither no none nothing nobody numerous various"
)
"""Subjects that "not" in the verb phrase does not contradict, or only in one of two readings."""

NEGATIVES = _words(
    "not never no none nothing nobody nowhere neither nor hardly scarcely barely rarely seldom n't cannot"
)
FOCUS = _words("only even merely just simply solely")
"""Words whose scope under "not" is not what they had without it ("not only ... but also")."""
CONDITIONS = _words("if when where after because by upon on with as for in through until once")
"""What makes "only" a condition: "may sue only if" is not contradicted by "may not sue only if"."""
NEGATIVE_POLARITY = _words(
    "any anyone anybody anything anywhere ever yet anymore either whatsoever until much longer nor"
)
"""Words that need a negation around them: without it the sentence is ungrammatical or says something else."""
DEGREES = _words("as too how very")
"""Words after which "much" is a degree, which needs no negation: "as much his duty"."""
LICENSERS = _words(
    "without against if whether unless before than deny denies denied denying refuse refused refuses fail failed "
    "fails prohibit prohibits prohibited bar bars barred preclude precludes precluded prevent prevents forbid "
    "forbids lack lacked lacks doubt absent free immune prior unlike"
)
"""Words that license negative polarity by themselves."""
POSITIVE_POLARITY = _words("some something someone somebody somewhat too sometimes well little few")
"""Words that do not fall under a "not" before them."""

SENTENCE_ADVERBS = _words(
    "also therefore thus hence then accordingly consequently nevertheless nonetheless however moreover likewise "
    "similarly otherwise further furthermore instead still apparently presumably arguably concededly"
)
"""Adverbs that stand outside the negation: "was therefore not valid"."""

INSTITUTIONS = _words(
    "court courts judge judges justice justices jury jurors panel magistrate congress legislature government state "
    "states united board commission agency department secretary president police officer officers prosecutor "
    "prosecution counsel statute statutes law laws act acts clause amendment constitution rule rules regulation "
    "regulations ordinance city county order bank employer company it he she they we"
)
"""Subjects that deny, grant and hold, rather than being denied, granted and held."""
PERSONS = _words(
    "party parties plaintiff plaintiffs person persons people man men woman women citizen citizens child children "
    "parent parents owner owners holder holders seller sellers buyer buyers employers insurer insurers lender "
    "lenders lawyer lawyers attorney attorneys taxpayer taxpayers voter voters juror juries witness witnesses "
    "individual individuals one who i you union unions corporation corporations municipality municipalities tribunal "
    "tribunals association associations authority authorities official officials legislatures agencies administrator "
    "petitioner petitioners prisoner prisoners debtor debtors creditor creditors landlord landlords carrier carriers "
    "companies cities counties nation student students teacher teachers public commissioner director school schools "
    "banks commissions officer judge prosecutor employer seaman seamen customer customers consumer consumers user "
    "users executor"
)
"""With the institutions, the subjects to which something is permitted."""
PERSONAL_SUFFIXES = ("ee", "ant", "ist", "ian")
DEFINITE = _words("the this that these those such both")
"""Determiners with which a subject is one known thing, or a known number of things."""
SHARES = _words(
    "majority minority number handful couple half third quarter dozen dozens scores hundreds thousands millions "
    "billions plenty lots"
)
"""Nouns of quantity before "of": what many did, many others may not have done."""
GIVING = _words("deny grant award accord afford refuse")
"""Verbs whose passive keeps an object: "petitioner denied relief" is no finite clause."""
RESTRAINING = _words("order allow permit limit restrict confine sentence convict require detain arrest charge keep")
"""Verbs whose passive keeps an infinitive: "prisoners permitted to read"."""
NAMING = _words("held deemed found considered termed called named labeled labelled styled declared adjudged")
"""Past tenses that before an adjective are participles in headlines: "search held unreasonable"."""
INTRANSITIVE = _words(
    "err appeal act apply appear argue consent die differ exist expire happen interfere occur participate plead "
    "proceed rely remain reside result suffer testify vary vest vote survive prevail object refer relate belong "
    "consist depend derive stem amount inure attach accrue lapse end continue operate cooperate comply conform "
    "contribute agree disagree respond react flee live move turn divide work travel look point seem last cease "
    "inquire assent petition conspire serve dissent acquiesce function lie matter"
)
"""Verbs whose past tense without an object is no passive participle."""
JUDICIAL_GERUNDS = _words(
    "holding finding noting stating explaining concluding rejecting upholding affirming reversing discussing "
    "implying suggesting observing recognizing describing approving applying striking invalidating declining "
    "refusing dismissing denying granting vacating remanding distinguishing construing interpreting reaffirming "
    "emphasizing reasoning determining deciding indicating assuming listing citing collecting adopting overruling "
    "sustaining reviewing requiring allowing permitting analyzing comparing treating considering rendering arguing "
    "reiterating acknowledging questioning addressing setting quoting summarizing expressing characterizing "
    "criticizing disapproving evaluating examining tracing relating recounting defining cautioning deferring "
    "seeking ordering continuing using assessing refuting"
)
"""First words of parentheticals that are verb phrases without a clause (A.1.5)."""
EDITORIAL = _words("hereinafter hereafter dictum semble same i. e. i.e. e.g. i.e., e.g., viz. viz.,")
"""First words of notes by the editor rather than statements about the case."""
CLAIMS = _words("claim claims argument contention allegation assertion challenge finding holding")
"""Nouns that begin a headline about what was claimed: "claim that X held nonjusticiable"."""
IDIOMS = _words("means way wise event circumstances more less longer other")
"""Nouns with which "no" is an idiom that "some" does not contradict: "by no means"."""
OPENERS = _words(
    "a an the this that these those such it he she they we there here his her its their our one two three four "
    "five some all each every neither either both none nothing something someone nobody somebody no not any many "
    "most several few much more less only even also thus therefore in on at by under upon after before without "
    "absent for to of with from as during between among through within against despite when where if whether "
    "because since while although though unless until once how why what who which and but or nor so"
)
"""Words that are capitalised only because they begin a sentence, and that bear no article."""
TOUCHED = _words(
    "not no never none do does did any some either or neither nor one nobody somebody someone nothing something "
    "still longer sometimes need needs to at point"
)
"""Words that a negation may add, take away or change."""

FINITE_AUXILIARIES = _words(
    "is are was were am has have had do does did can could may might must shall should will would"
)
"""Words that are finite verbs wherever they stand, but for "to have" and nouns such as "the will"."""
SUBORDINATORS = _words(
    "if when where whenever wherever while whereas although though because since as after before once unless until "
    "till lest whether insofar inasmuch provided supposing"
)
"""Words that open a subordinate clause; some of them also govern a noun."""
WH_WORDS = _words("who whom whose which what whatever whichever whoever why how whence whereby wherein")
RELATIVES = _words("that who whom whose which where")
PREPOSITIONS = _words(
    "about above across after against along amid among around as at before behind below beneath beside besides between "
    "beyond by concerning despite during except for from in inside into like near notwithstanding of off on onto out "
    "outside over past pending per regarding respecting since than through throughout till toward towards under unlike "
    "until unto upon via with within without"
)
DETERMINERS = _words("the a an this these those its his her their our my your every each another such")
SUBJECT_PRONOUNS = _words("he she they we i it you")
LIGHT_ADVERBS = _words("here now indeed perhaps again long already often thereby therein thereof thereto herein")
"""Adverbs without "-ly" that may stand before or after an auxiliary."""
STRICT_POLARITY = NEGATIVE_POLARITY - _words("any anyone anybody anything anywhere")
"""What needs a negation even under a "may" of free choice."""


@lru_cache(maxsize=4096)
def base_form(word: str, tag: str) -> str | None:
    """The base of a finite verb form, or None when the form is not one that its base would take.

    >>> base_form("held", "VBD"), base_form("found", "VBD"), base_form("requires", "VBZ")
    ('hold', 'find', 'require')
    """
    from lemminflect import getLemma

    lemmas = [lemma for lemma in getLemma(word.lower(), "VERB") if word.lower() in forms(lemma, tag)]
    changed = [lemma for lemma in lemmas if lemma != word.lower()]
    return next(iter(changed or lemmas), None)


@lru_cache(maxsize=4096)
def is_only_verb(word: str) -> bool:
    """Whether the dictionary knows the word as a form of a verb and as nothing else.

    >>> is_only_verb("deprives"), is_only_verb("claims")
    (True, False)
    """
    from lemminflect import getAllLemmas

    return set(getAllLemmas(word.lower())) == {"VERB"} and word.lower() not in INSTITUTIONS


def is_verb(word: str) -> bool:
    """Whether the dictionary knows the word as a form of a verb.

    >>> is_verb("deprived"), is_verb("softcover")
    (True, False)
    """
    from lemminflect import getAllLemmas

    return "VERB" in getAllLemmas(word.lower())


@lru_cache(maxsize=4096)
def forms(lemma: str, tag: str) -> tuple[str, ...]:
    """All forms of a verb for a Penn tag, the usual one first; () when it has none.

    >>> forms("abuse", "VBD")
    ('abused',)
    """
    from lemminflect import getInflection

    return tuple(getInflection(lemma, tag))


def inflected(lemma: str, tag: str) -> str | None:
    """The usual form of a verb for a Penn tag, or None.

    >>> inflected("hold", "VBZ")
    'holds'
    """
    return lemma if tag == "VBP" else next(iter(forms(lemma, tag)), None)
