"""The configuration: defaults, file, options, and mistakes that are all named at once."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from lawng.config import Config, load_config, options, to_toml
from lawng.errors import ConfigError


def test_what_is_printed_reads_back_the_same(tmp_path: Path) -> None:
    config = load_config(given={"neutral.top_k": 7, "split.method": "time", "neutral.embedder": "a/b"})
    (tmp_path / "c.toml").write_text(to_toml(config))
    assert load_config(tmp_path / "c.toml") == config


def test_defaults_print_as_toml_with_every_section() -> None:
    assert set(tomllib.loads(to_toml(Config()))) == {option.section for option in options()}


def test_options_win_over_the_file(tmp_path: Path) -> None:
    (tmp_path / "c.toml").write_text("[neutral]\ntop_k = 7\n[balance]\nanalysis_tokens = 9\n")
    config = load_config(tmp_path / "c.toml", {"neutral.top_k": 8})
    assert (config.neutral.top_k, config.balance.analysis_tokens) == (8, 9)


@pytest.mark.parametrize(
    ("toml", "says"),
    [
        ('[neutral]\ntop_k = "30"\n', "neutral.top_k: expected a whole number, found '30'"),
        ("[neutral]\ntop_k = 0\n", "neutral.top_k: 0 is not 1 or more"),
        ("[neutral]\ntop_k = true\n", "neutral.top_k: expected a whole number, found True"),
        ("[neutral]\ntopk = 30\n", "neutral.topk: no such option, did you mean neutral.top_k?"),
        ("[difficulty]\nmax_overlap = 1.5\n", "difficulty.max_overlap: 1.5 is not between 0 and 1"),
        ('[split]\nmethod = "random"\n', "split.method: 'random' is not one of case, paper, time"),
        ("seed = 3\n", "seed: no such option"),
        ("[neutral\n", "not TOML"),
    ],
)
def test_each_mistake_is_named(tmp_path: Path, toml: str, says: str) -> None:
    path = tmp_path / "c.toml"
    path.write_text(toml)
    with pytest.raises(ConfigError) as caught:
        load_config(path)
    assert says in str(caught.value)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_all_mistakes_are_named_at_once() -> None:
    with pytest.raises(ConfigError) as caught:
        load_config(given={"neutral.top_k": "x", "engine.workers": 0, "nothing.here": 1})
    for path in ("neutral.top_k", "engine.workers", "nothing.here"):
        assert path in str(caught.value)


def test_a_missing_file_is_a_known_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        load_config(tmp_path / "none.toml")


def test_flags_are_unique() -> None:
    flags = [option.limits["flag"] for option in options()]
    assert len(flags) == len(set(flags))
