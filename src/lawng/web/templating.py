"""The templates, with escaping always on, and the words that they use; and `/openapi.json` in words for `/docs`."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from lawng.clauses.meaning.explained import label
from lawng.corpus.courts import jurisdiction_name
from lawng.corpus.names import short_name
from lawng.index.treated import said_by, shortened
from lawng.text.printable import count, printable
from lawng.web import clause_wording, links, wording

STATIC = Path(__file__).parent / "static"


def render(name: str, values: Mapping[str, Any]) -> str:
    """A page from its template."""
    return _environment().get_template(name).render(values)


@cache
def static_url(name: str) -> str:
    """The address of a static file, with a digest, so that a browser can keep it for as long as it is the same."""
    return f"/static/{name}?v={hashlib.sha256((STATIC / name).read_bytes()).hexdigest()[:12]}"


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
    for module in (links, wording, clause_wording):
        environment.globals |= {name: value for name, value in vars(module).items() if _offered(value, module)}
    environment.globals |= {"case_name": short_name, "said_by": said_by, "static": static_url}
    environment.globals |= {"schema_of": schema_of, "type_name": type_name, "count": count}
    environment.globals |= {"part_label": label, "shortened": shortened}
    environment.filters |= {"jurisdiction_name": jurisdiction_name, "part_name": wording.part_name, "as_it_is": str}
    return environment


def _shown(value: object) -> object:
    """What a template puts into a page: texts as they may be shown, and what is marked as HTML stays so."""
    return type(value)(printable(value)) if isinstance(value, str) else value


def _offered(value: object, module: object) -> bool:
    return callable(value) and getattr(value, "__module__", "") == getattr(module, "__name__", None)


def type_name(schema: Mapping[str, Any]) -> str:
    """The type of a schema in a few words.

    >>> type_name({"anyOf": [{"type": "array", "items": {"$ref": "#/components/schemas/Hit"}}, {"type": "null"}]})
    'list of Hit, or null'
    >>> type_name({"type": "integer", "minimum": 1, "maximum": 50, "default": 10})
    'integer, 1 to 50, default 10'
    """
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return ", or ".join(type_name(one) for one in schema["anyOf"])
    if schema.get("type") == "array":
        return f"list of {type_name(schema.get('items', {}))}"
    limits = f", {schema['minimum']} to {schema['maximum']}" if "maximum" in schema else ""
    default = f", default {schema['default']}" if schema.get("default") not in (None, "") else ""
    return f"{schema.get('type', 'any')}{limits}{default}"


def schema_of(answer: Mapping[str, Any]) -> str:
    """The name of the record that is answered, "" when none is."""
    schema = answer.get("content", {}).get("application/json", {}).get("schema", {})
    return type_name(schema) if "$ref" in schema else ""
