"""The templates, with escaping always on, and the words that they use."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, pass_environment

from lawng.corpus.jurisdiction import name_of
from lawng.printable import printable
from lawng.web import described, links, showing, wording

STATIC = Path(__file__).parent / "static"


def render(name: str, values: Mapping[str, Any]) -> str:
    """A page from its template."""
    return _environment().get_template(name).render(values)


def static_url(name: str) -> str:
    """The address of a static file, with a digest, so that a browser can keep it for as long as it is the same."""
    return f"/static/{name}?v={_digest(name)}"


@cache
def _digest(name: str) -> str:
    return hashlib.sha256((STATIC / name).read_bytes()).hexdigest()[:12]


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("lawng.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        finalize=_shown,
    )
    for module in (described, links, showing, wording):
        environment.globals |= {name: value for name, value in vars(module).items() if _offered(value, module)}
    environment.globals["static"] = static_url
    environment.filters |= {"jurisdiction_name": name_of, "part_name": wording.part_name, "as_it_is": str}
    environment.filters["words_of"] = _words_of
    return environment


def _shown(value: object) -> object:
    """What a template puts into a page: texts as they may be shown, and what is marked as HTML stays so."""
    return type(value)(printable(value)) if isinstance(value, str) else value


def _offered(value: object, module: object) -> bool:
    return callable(value) and getattr(value, "__module__", "") == getattr(module, "__name__", None)


@pass_environment
def _words_of(environment: Environment, value: str, words: str) -> str:
    return str(environment.filters[words](value))
