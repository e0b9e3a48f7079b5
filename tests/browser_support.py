"""A headless Chromium for the tests of the web page, one for the whole run."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS = "--no-sandbox --disable-gpu --disable-background-networking --disable-component-update --disable-sync --no-first-run"

PATIENCE = 60_000
"""Milliseconds: how long anything may take on a slow machine."""


def chromium() -> str | None:
    """The program: `LAWNG_CHROMIUM`, else the first of the usual names."""
    return os.environ.get("LAWNG_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


@contextmanager
def headless() -> Iterator[Browser]:
    """A browser. Skips the test where there is none, or fails it when `LAWNG_BROWSER` is `required`."""
    program = chromium()
    if program is None:
        reason = "no Chromium found: install one, or name it in LAWNG_CHROMIUM"
        pytest.fail(reason) if os.environ.get("LAWNG_BROWSER") == "required" else pytest.skip(reason)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS.split())
        expect.set_options(timeout=PATIENCE)
        yield browser
        browser.close()


@contextmanager
def page_of(browser: Browser, **options: Any) -> Iterator[Page]:
    """A page in a context of its own; whatever the browser complains of, or asks of another place, fails the test."""
    complaints: list[str] = []
    with browser.new_context(**options) as context:
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: complaints.append(f"error: {error}"))
        page.on("dialog", lambda dialog: complaints.append(f"dialog: {dialog.message}"))
        page.on("request", lambda request: _known(request.url, complaints))
        yield page
    assert complaints == []


def _known(url: str, complaints: list[str]) -> None:
    if not url.startswith(("http://127.0.0.1:", "data:", "about:")):
        complaints.append(f"request to {url}")
