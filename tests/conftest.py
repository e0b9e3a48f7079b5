"""Corpora and indexes that several files of tests read, each made once in a session; no test may change them."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from lawng.index.reader import Index
    from study_support import Made


# the same examples on each run and no clock: another profile (--hypothesis-profile default) looks for new ones
settings.register_profile("house", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("house")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--other-processor", type=int, metavar="SEED", help="simulate another processor's rounding")


def pytest_configure(config: pytest.Config) -> None:
    if (seed := config.getoption("--other-processor")) is not None:
        from other_processor import simulate

        simulate(seed)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files with the most slow tests first: a process that begins one when the other has ended is waited for."""
    slow = Counter(item.path for item in items if item.get_closest_marker("slow"))
    items.sort(key=lambda item: -slow[item.path])


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test reads or changes what the user's own searches kept; the processes of one run share what they keep."""
    base = tmp_path_factory.getbasetemp()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LAWNG_CACHE", str((base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "lawng-cache"))
        # who tests the models that come with lawng asks for them: what they say is no business of other tests
        patch.setenv("LAWNG_MODELS", str(base / "no-models"))
        yield


@pytest.fixture(scope="session")
def sample_place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of the bundled sample for searches."""
    # imported here: who runs tests of another room does not wait for the index's libraries
    from lawng.index.writer import index_corpus
    from retrieval_support import sample_corpus
    from search_support import ENCODER

    place = tmp_path_factory.mktemp("sample") / "index"
    index_corpus(sample_corpus(), place, ENCODER)
    return place


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """The small corpus of the studies and its build."""
    from study_support import make_small

    return make_small(tmp_path_factory.mktemp("small"))


@pytest.fixture(scope="session")
def small_index(small: Made, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    """An index of the small corpus."""
    from lawng.index.reader import Index
    from lawng.index.writer import index_corpus
    from study_support import ENCODER

    place = tmp_path_factory.mktemp("small-index") / "index"
    index_corpus(small.corpus, place, ENCODER)
    index = Index.open(place, ENCODER)
    yield index
    index.close()
