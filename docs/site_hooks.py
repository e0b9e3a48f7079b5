"""What the documentation site makes of the pages as the repository has them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

_LINK = re.compile(r"\[([^\]]+)\]\(([^)#\s]+\.md)\)")


def on_config(config: Any) -> Any:
    """The navigation: the headings and links of the index, in its order."""
    text = (Path(config.docs_dir) / "index.md").read_text(encoding="utf-8")
    sections = re.findall(r"^## (.+)\n((?:(?!^## ).*\n?)*)", text, re.MULTILINE)
    inside = [(heading, _LINK.findall(lines)) for heading, lines in sections]
    pages = [{heading: [{_title(name): page} for name, page in links if page[:2] != ".."]} for heading, links in inside]
    config.nav = [{"Start": "index.md"}, *pages]
    return config


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Files of the repository outside the documentation have no page here: they are named, without a link."""
    up = re.escape("../" * (page.file.src_uri.count("/") + 1))
    return re.sub(rf"\[([^\]]*)\]\({up}[^)]*\)", r"\1", markdown)


def _title(name: str) -> str:
    return name[0].upper() + name[1:]
