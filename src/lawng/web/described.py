"""What `/openapi.json` says, in the words of the page for programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple


class Row(NamedTuple):
    """A parameter or a field."""

    name: str
    schema: Mapping[str, Any]
    required: bool
    about: str


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


def parameters_of(operation: Mapping[str, Any]) -> list[Row]:
    """The parameters of an operation."""
    found = operation.get("parameters", ())
    return [Row(one["name"], one["schema"], one.get("required", False), one.get("description", "")) for one in found]


def properties_of(schema: Mapping[str, Any]) -> list[Row]:
    """The fields of a record; those of an answer are always there."""
    found = schema.get("properties", {})
    return [Row(name, one, False, one.get("description", "")) for name, one in found.items()]


def schema_of(answer: Mapping[str, Any]) -> str:
    """The name of the record that is answered, "" when none is."""
    schema = answer.get("content", {}).get("application/json", {}).get("schema", {})
    return type_name(schema) if "$ref" in schema else ""
