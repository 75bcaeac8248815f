"""How much the page loads, and how soon a board is seen: `python3 dev.py bench page`.

A real Chromium with nothing remembered opens the start page, and a table of each game by its watch link. Sizes are
those that travelled (gzipped where the server does that). The time is the browser's own, from the beginning of the
navigation to the first frame with a board in it; the server runs on the same machine. The table is Markdown.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import httpx
from _serving import HEALTH, free_port, serve_command, wait_until_healthy
from playwright.sync_api import Browser, Response, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tools import chromium, webbuild  # noqa: E402

SCRIPT_BAR = 150.0
"""kB of JavaScript that a first load may have, gzipped."""
KB = 1000
GAMES = ("cronberg", "drunter")
KINDS = {"script": "JavaScript", "stylesheet": "CSS", "font": "fonts"}
BOARD = "svg[role=application]"
SEEN = f"""
window.boardSeen = new Promise((seen) => {{
  const look = () =>
    document.querySelector('{BOARD}') ? requestAnimationFrame(seen) : requestAnimationFrame(look);
  requestAnimationFrame(look);
}});
"""
"""Promises when the first frame with a board in it began, in milliseconds since the navigation."""
PATIENCE_MS = 60_000


class Loaded(NamedTuple):
    """One visit."""

    sizes: Counter[str]
    """kB by kind."""
    seconds: float | None
    """Until a board was seen; None where none is."""


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--visits", type=int, default=5, help="how often each page is opened")
    visits = parser.parse_args().visits
    webbuild.build()
    with server() as address, opened() as browser:
        pages = {"start page": "/", **{f"table, {game}": watch_link(address, game) for game in GAMES}}
        print("| first load | JavaScript | CSS | fonts | all | first board, median (best) |\n" + "| --- " * 6 + "|")
        most = 0.0
        for name, path in pages.items():
            seen = [visit(browser, address, path) for _ in range(visits)]
            print(row(name, seen))
            most = max(most, seen[0].sizes["JavaScript"])
    verdict = "kept" if most < SCRIPT_BAR else "MISSED"
    print(f"\nJavaScript on first load: {most:.1f} kB at most; bar {SCRIPT_BAR:.0f} kB: {verdict}.")


def row(name: str, seen: list[Loaded]) -> str:
    """One line of the table."""
    sizes = seen[0].sizes
    times = [each.seconds for each in seen if each.seconds is not None]
    shown = f"{statistics.median(times):.2f} s ({min(times):.2f} s)" if times else "–"
    kinds = " | ".join(f"{sizes[kind]:.1f} kB" for kind in KINDS.values())
    return f"| {name} | {kinds} | {sum(sizes.values()):.1f} kB | {shown} |"


@contextmanager
def server() -> Iterator[str]:
    """Our server, warm; its address."""
    with tempfile.TemporaryDirectory(prefix="embertown-") as name:
        folder, port = Path(name), free_port()
        output = folder / "server.log"
        with (
            output.open("wb") as log,
            subprocess.Popen(serve_command(port, folder / "data"), stdout=log, stderr=log) as process,
        ):
            try:
                address = f"http://127.0.0.1:{port}"
                wait_until_healthy(address + HEALTH, process, output)
                yield address
            finally:
                process.terminate()


def watch_link(address: str, game: str) -> str:
    """A new table, for somebody who watches it."""
    with httpx.Client(base_url=address, headers={"origin": address}) as guest:
        guest.post("/api/guests", json={"name": "Bench"}).raise_for_status()
        made = guest.post("/api/tables", json={"game": game, "seats": ["me", "greedy"]}).raise_for_status().json()
    return f"/table/{made['table']}#watch={made['watch']}"


@contextmanager
def opened() -> Iterator[Browser]:
    """A Chromium."""
    found = chromium.find() or chromium.fetch()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=found.path, args=list(chromium.FLAGS), env={**os.environ, **found.settings}
        )
        yield browser
        browser.close()


def visit(browser: Browser, address: str, path: str) -> Loaded:
    """Open a page with nothing remembered."""
    context = browser.new_context(base_url=address, viewport={"width": 1280, "height": 800})
    context.add_init_script(SEEN)
    page = context.new_page()
    answers: list[Response] = []

    def note(answer: Response) -> None:  # Playwright wants to mark it, so that no method of a list will do
        answers.append(answer)

    page.on("response", note)
    page.goto(path, wait_until="networkidle" if path == "/" else "load")
    seconds = None
    if path != "/":
        page.locator(BOARD).wait_for(timeout=PATIENCE_MS)
        seconds = page.evaluate("window.boardSeen") / 1000
    page.evaluate("document.fonts.ready.then(() => true)")
    sizes: Counter[str] = Counter()
    for answer in answers:
        kind = KINDS.get(answer.request.resource_type, "other")
        sizes[kind] += int(answer.headers.get("content-length", 0)) / KB  # type: ignore[assignment]
    context.close()
    return Loaded(sizes, seconds)


if __name__ == "__main__":
    main()
