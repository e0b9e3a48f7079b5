"""Versions of installed libraries."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


def library_version(name: str) -> str | None:
    """Version of an installed library, None when it is not there."""
    try:
        return version(name)
    except PackageNotFoundError:
        return None
