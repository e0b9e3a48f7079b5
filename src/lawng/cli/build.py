"""`lawng build`, `lawng config` and `lawng build booqa`: every option of their configurations is on them."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from lawng.cli.options import CORPUS
from lawng.cli.talk import emit, say
from lawng.config import BooqaConfig, Config, Option, load_config, options, read_config, to_toml

FILE = Annotated[Path | None, typer.Option("--config", help="A TOML file of options.")]


def _parameter(option: Option) -> inspect.Parameter:
    default = "not set" if option.default is None else str(option.default)
    about = f"{option.limits['about']} Default: {default}."
    flag = typer.Option(option.limits["flag"], help=about, rich_help_panel=option.section)
    kind: Any = option.kind | None
    name, place = _parameter_name(option), inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(name, place, default=None, annotation=Annotated[kind, flag])


def _parameter_name(option: Option) -> str:
    return option.path.replace(".", "_")


def _with_options(config: type) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A command with a parameter for each option of a configuration, where Typer looks for parameters."""

    def with_them(command: Callable[..., None]) -> Callable[..., None]:
        own = [p for p in inspect.signature(command, eval_str=True).parameters.values() if p.kind is not p.VAR_KEYWORD]
        every = [*own, *(_parameter(option) for option in options(config))]
        command.__signature__ = inspect.Signature(every)  # type: ignore[attr-defined]
        return command

    return with_them


def _by_path(given: dict[str, Any], config: type) -> dict[str, Any]:
    by_name = {_parameter_name(option): option.path for option in options(config)}
    return {by_name[name]: value for name, value in given.items() if value is not None}


@_with_options(Config)
def build(
    corpus: CORPUS,
    output: Annotated[Path, typer.Option("-o", "--output", help="Where the build goes.")],
    config_file: FILE = None,
    replace: Annotated[bool, typer.Option("--replace", help="Replace a build of another corpus.")] = False,
    **given: Any,
) -> None:
    """Build the data set from a corpus: citations, filters, negation, labels, premises.

    A killed build goes on where it was, and stages whose inputs are unchanged are not run again.

    Example: lawng build corpus -o build --seed 7 --split paper
    """
    from lawng.lawngnli.build import build_dataset

    result = build_dataset(corpus, output, _config(config_file, given), say, replace_other=replace)
    folder = result.folder
    say((folder / "funnel.txt").read_text(encoding="utf-8"))
    rows = ", ".join(f"{n:,} {split}" for split, n in result.rows.items())
    say(f"The data set is in {folder / 'data'} ({rows}), its card in {folder / 'README.md'}.")
    if not any(result.rows.values()):
        say(f"It is empty: the funnel shows where the corpus's citations went. Next: lawng rejects {folder}")
        return
    say(f"Next: lawng stats {folder}; lawng show {folder} --random 1 --corpus {corpus}; lawng rejects {folder}")


@_with_options(Config)
def config(config_file: FILE = None, **given: Any) -> None:
    """Print the configuration in effect as TOML, a file to start from.

    Example: lawng config --split time > lawng.toml
    """
    emit(to_toml(_config(config_file, given)))


@_with_options(BooqaConfig)
def booqa(
    news: Annotated[Path, typer.Argument(help="Dated articles: a file or a folder.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="Where the build goes.")],
    config_file: FILE = None,
    replace: Annotated[bool, typer.Option("--replace", help="Replace a build of other news.")] = False,
    **given: Any,
) -> None:
    """Build BoOQA from dated news: is a proposition true, given what its context window says?

    News are JSON lines, NewsCrawl, CLUE news or Reuters-21578. A killed build goes on where it was, and stages whose
    inputs are unchanged are not run again.

    Example: lawng build booqa news -o questions --min-articles 3 --min-predicates 3 --min-pairs 5
    """
    from lawng.directional.booqa.build import build_booqa

    config = read_config(BooqaConfig, config_file, _by_path(given, BooqaConfig))
    result = build_booqa(news, output, config, say, replace_other=replace)
    say((output / "funnel.txt").read_text(encoding="utf-8"))
    rows = ", ".join(f"{n:,} {split}" for split, n in result.questions.items())
    say(f"The questions are in {output / 'data'} ({rows}), their card in {output / 'README.md'}.")
    if not any(result.questions.values()):
        say("There are none: the funnel shows where they went; lower thresholds may leave some.")
    say(f"Next: lawng funnel {output}; lawng rejects {output}")


def _config(path: Path | None, given: dict[str, Any]) -> Config:
    return load_config(path, _by_path(given, Config))
