"""Make the pictures of the web page in docs/images, from an index of the bundled sample.

    python docs/make_screenshots.py demo/index [--model FOLDER]

It starts `lawng serve` on loopback and looks at it with headless Chromium (`LAWNG_CHROMIUM` names another program).
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import quote_plus

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

IMAGES = Path(__file__).parent / "images"
ARGUMENT = "An anonymous tip can create reasonable suspicion even though it predicts nothing."
DESK = {"viewport": {"width": 1280, "height": 900}}
PHONE = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2}
PICTURES: dict[str, tuple[str, dict[str, Any]]] = {
    "start": ("start", DESK),
    "results": ("search", DESK),
    "opinion": ("opinion", DESK),
    "treatment": ("search", DESK),
    "dark": ("search", DESK | {"color_scheme": "dark"}),
    "phone": ("search", PHONE),
    "phone-opinion": ("opinion", PHONE),
}
"""By name: which page, and how it is looked at."""
MOST_BYTES = 250_000


def main() -> None:
    """Make every picture."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("index")
    parser.add_argument("--model", default="lawng-judge", help="stance model, or none")
    given = parser.parse_args()
    program = os.environ.get("LAWNG_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    with served(given.index, given.model) as url, sync_playwright() as playwright:
        arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        browser = playwright.chromium.launch(executable_path=program, args=arguments)
        addresses = addresses_of(browser, url)
        for name, (page, options) in PICTURES.items():
            print(shoot(browser, addresses[page], options, IMAGES / f"web-{name}.png"))
        browser.close()


def addresses_of(browser: Browser, url: str) -> dict[str, str]:
    """The address of each page that is shown; the opinion is where the first hit leads."""
    search = f"{url}search?q={quote_plus(ARGUMENT)}"
    page = browser.new_page()
    page.goto(search)
    link = page.locator("article.hit h3 a").first.get_attribute("href") or ""
    page.close()
    return {"start": url, "search": search, "opinion": url.rstrip("/") + link}


def shoot(browser: Browser, url: str, options: dict[str, Any], file: Path) -> str:
    """One picture, and what was made."""
    with browser.new_context(**options) as context:
        page = context.new_page()
        page.goto(url)
        taken = Image.open(BytesIO(page.screenshot()))
    taken.convert("RGB").quantize(64, dither=Image.Dither.NONE).save(file, optimize=True)  # text needs few colours
    size = file.stat().st_size
    if size > MOST_BYTES:
        raise SystemExit(f"{file}: {size:,} bytes, {MOST_BYTES:,} is the limit")
    return f"{file}: {size:,} bytes"


@contextmanager
def served(index: str, model: str) -> Iterator[str]:
    """A server on a free port, for as long as the block lasts; gives its address."""
    command = [str(Path(sys.executable).with_name("lawng")), "serve", index, "--port", "0", "--model", model]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        try:
            yield next(m[1] for line in server.stderr or () if (m := re.search(r" at (http://\S+)", line)))
        finally:
            server.terminate()


if __name__ == "__main__":
    main()
