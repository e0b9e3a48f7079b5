"""What relation extraction knows of a language: labels of dependencies, and its closed classes of words.

Labels are those of spaCy's pipelines: ClearNLP's (English), Stanford's (Chinese) and Universal Dependencies' say the
same here and stand in one table. Verbs that decide whether their complement is so are the classes of Karttunen 1971
("Implicative verbs") and Nairn et al. 2006.
"""

from __future__ import annotations

from dataclasses import dataclass

from lawng.errors import InputError

Words = frozenset[str]


def _words(text: str) -> Words:
    return frozenset(text.split())


SUBJECT = _words("nsubj nsubj:xsubj")
PASSIVE_SUBJECT = _words("nsubjpass nsubj:pass")
OBJECT = _words("dobj obj")
EXTENT = _words("npadvmod nmod:range obl:npmod obl:unmarked")
"""A noun phrase without a preposition that says how much: "rose 5 percent"."""
INDIRECT = _words("dative iobj")
COMPLEMENT = _words("attr acomp oprd")
AGENT = _words("agent obl:agent")
PREPOSITION = _words("prep agent dative")
"""A preposition that heads its phrase, as in ClearNLP's scheme."""
PREPOSITION_OBJECT = _words("pobj")
OBLIQUE = _words("obl nmod:prep nmod obl:agent obl:arg")
"""A noun that heads its preposition (`CASE`), as in Universal Dependencies."""
CASE = _words("case")
COPULA = _words("cop")
EXPLETIVE = _words("expl")
MARK = _words("mark advmod")
ADVERB = _words("advmod")
PARTICLE = _words("prt compound:prt compound:vc advmod:rcomp")
PARTICLES = _words("away back up down out off over around along aside apart together forward through")
"""Adverbs that make a phrasal verb with the verb before them (Quirk et al. 1985, 16.2)."""
AUXILIARY = _words("aux auxpass aux:pass aux:modal aux:prtmod")
PASSIVE_AUXILIARY = _words("auxpass aux:pass")
NEGATION = _words("neg")
OPEN_COMPLEMENT = _words("xcomp")
CLAUSE = _words("ccomp xcomp")
ADVERBIAL = _words("advcl advcl:loc")
RELATIVE = _words("relcl acl:relcl")
MODIFYING_CLAUSE = _words("acl")
APPOSITION = _words("appos")
POSSESSOR = _words("poss nmod:poss nmod:assmod")
LEFT_MODIFIERS = _words(
    "amod compound nummod nmod poss quantmod compound:nn amod:ordmod nmod:assmod nmod:poss name flat neg advmod nn case"
)
"""What stands before a noun and belongs to its phrase."""
COMPOUND = _words("compound compound:nn")
NUMERAL = _words("nummod")
TIMES = _words("DATE TIME")
"""Types of entities."""
FINITE = _words("VBD VBP VBZ")
"""Tags."""
PAST_PARTICIPLE = "VBN"
PARTICIPLES = frozenset({"VBG", PAST_PARTICIPLE})


@dataclass(frozen=True, slots=True)
class Language:
    """The closed classes of a language, in lemmas."""

    joiner: str
    """What stands between the words of a predicate."""
    be: str
    of: str
    """The preposition of possession: "X's head" is "head of X"."""
    to: str
    """The preposition of the indirect object."""
    dropped: Words
    """Articles and other words that an argument is written without."""
    negators: Words
    agents: Words
    """Prepositions of the agent of a passive."""
    light: Words
    """Verbs whose object says what is done (Jespersen's light verbs): never without it in a predicate."""
    modals: Words
    """Auxiliaries that tell what may, must or will be."""
    disjunction: Words
    adversative: Words
    nonsubsective: Words
    """Adjectives whose noun need not be so (Kamp 1975): "former", "alleged"."""
    conditions: Words
    """Words that begin a clause which is not said to be so."""
    hypotheses: Words
    """Those of them that make what the main clause says one too: "if"."""
    privatives: Words
    """Prepositions whose clause is said not to be so: "without paying"."""
    unrealised: Words
    """Prepositions whose clause need not be so: "instead of paying", "before paying"."""
    implicative: Words
    """Verbs whose infinitive is so when they are: "manage to"."""
    counterfactive: Words
    """Verbs whose infinitive is not so when they are: "fail to"."""
    attitudes: Words
    """Verbs that do not say whether their clause is so: "believe", "hope", "allege"."""
    adverbial_nouns: Words
    """Nouns that a relative clause modifies as when, where, why or how: "the day he left"."""
    approximators: Words = frozenset()
    """Adverbs by which a verb is not, or not quite, so: "almost", "hardly", "seldom"."""
    eschewing: Words = frozenset()
    """Verbs whose gerund is not so when they are: "escape being bought", with their particle "rule_out"."""
    one_way: Words = frozenset()
    """Counterfactive verbs that say nothing where they are denied: "did not rule out"."""
    hedges: Words = frozenset()
    """Adverbs by which a verb need not be so: "allegedly", "perhaps"."""
    additives: Words = frozenset()
    """Words after a negator by which it denies nothing: "not only"."""
    scarce: Words = frozenset()
    """Quantifiers that, without an article, say how little there is: "few banks"."""
    inverted: Words = frozenset()
    """Auxiliaries that make a clause a condition where they stand before its subject: "had he won"."""
    relative: Words = frozenset()
    """Words that stand between a relative clause and its noun."""
    object_marker: str = ""
    """The auxiliary that an object follows before its verb."""
    prepositions_before: bool = False
    """Whether prepositions stand before their verb as a rule; else one that does sets a scene: "in addition"."""
    owner_first: bool = False
    """Whether a predicate names the owner's preposition before the noun: 是的总裁."""


ENGLISH = Language(
    joiner=" ",
    be="be",
    of="of",
    to="to",
    dropped=_words("a an the this that these those such its their his her my our your whose any each every some all "
                   "both another other which what 's ’s"),
    negators=_words("not no never n't neither nor none without longer"),
    agents=_words("by"),
    light=_words("have take make give do get put pay"),
    modals=_words("can could may might must shall should will would ought need"),
    disjunction=_words("or nor"),
    adversative=_words("but"),
    nonsubsective=_words("former previous past future prospective alleged potential possible probable putative "
                         "supposed so-called would-be fake false ex erstwhile onetime apparent"),
    conditions=_words("if unless whether lest until"),
    hypotheses=_words("if unless"),
    privatives=_words("without"),
    unrealised=_words("before against instead rather than for from of to despite about toward towards"),
    implicative=_words("manage continue begin start happen get proceed dare bother remember hasten come prove turn "
                       "use cause force compel lead help"),
    counterfactive=_words("fail refuse decline neglect forget avoid omit cease stop deny prevent"),
    attitudes=_words("believe think expect hope wish want suspect doubt deny fear guess suppose assume imagine "
                     "predict forecast anticipate estimate consider propose recommend suggest demand request require "
                     "insist argue contend allege claim assert speculate dispute seem appear intend plan seek ask "
                     "wonder urge delay postpone put_off hold_off"),
    adverbial_nouns=_words("day date time moment hour week month year way manner reason place"),
    approximators=_words("almost nearly hardly barely scarcely seldom rarely"),
    eschewing=_words("escape evade resist forgo forego abandon rule_out give_up call_off"),
    one_way=_words("deny prevent refuse decline rule_out call_off"),
    hedges=_words("allegedly reportedly purportedly supposedly ostensibly seemingly apparently presumably perhaps "
                  "maybe possibly probably potentially conceivably"),
    additives=_words("only just merely simply solely"),
    scarce=_words("few"),
    inverted=_words("had were"),
)  # fmt: skip
CHINESE = Language(
    joiner="",
    be="是",
    of="的",
    to="给",
    dropped=_words("这 那 这个 那个 这些 那些 该 此 其 某 各 每 的 之"),
    negators=_words("不 没 没有 未 无 非 别 未能 不曾 未曾 从未"),
    agents=_words("被 由 遭 让"),
    light=_words("进行 作 作出 做 做出 加以 给予 予以 有"),
    modals=_words("会 能 能够 可 可以 可能 应 应该 应当 必须 须 将 将会 要 得 该 需 需要 愿意 肯"),
    disjunction=_words("或 或者 还是 抑或"),
    adversative=_words("但 但是 而 而是"),
    nonsubsective=_words("前 前任 所谓 未来 涉嫌"),
    conditions=_words("如果 若 假如 要是 倘若 只要 除非 是否 万一 一旦"),
    hypotheses=_words("如果 若 假如 要是 倘若 只要 除非 万一 一旦"),
    privatives=frozenset(),
    unrealised=frozenset(),
    implicative=_words("开始 继续 设法 得以 使 让 令"),
    counterfactive=_words("拒绝 停止 避免 忘记 拒 禁止 防止"),
    attitudes=_words("认为 相信 希望 想 想要 计划 打算 预计 期望 怀疑 "
                     "否认 担心 猜测 假设 建议 要求 声称 指控 企图 试图 考虑 同意 决定 准备"),
    adverbial_nouns=_words("时候 时 日子 地方 原因 方式"),
    hedges=_words("据称 据说 据传 也许 或许 大概 恐怕 似乎 疑似"),
    additives=_words("仅 仅仅 只 光 单"),
    relative=_words("的"),
    object_marker="把",
    prepositions_before=True,
    owner_first=True,
)  # fmt: skip
_LANGUAGES = {"en": ENGLISH, "zh": CHINESE}


def language_of(code: str) -> Language:
    """What is known of a language, by its ISO 639-1 code.

    Raises InputError for another than English and Chinese.
    """
    if code not in _LANGUAGES:
        raise InputError(f"relations of language {code!r} are not extracted; name a pipeline for en or zh")
    return _LANGUAGES[code]
