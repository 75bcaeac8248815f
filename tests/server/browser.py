"""A real Chromium, driven through its DevTools protocol: enough to open pages, click, read and take pictures."""

from __future__ import annotations

import base64
import itertools
import json
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import websockets.sync.client as ws

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--no-first-run",
    "--remote-debugging-port=0",
    "--lang=en",
    "--window-size=1200,850",
)
WITHIN = 60.0
LOOK_EVERY = 0.05
LARGEST = 2**26


class Refused(Exception):
    """The browser could not do it, for example because the page is just being left."""


class Page:
    """One tab."""

    def __init__(self, connection: ws.ClientConnection) -> None:
        self.connection, self._ids = connection, itertools.count(1)
        self.problems: list[str] = []
        """What the page's console complained of: refused by the policy, or failed in the script."""
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """One command, and its result."""
        number = next(self._ids)
        self.connection.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            told = json.loads(self.connection.recv(timeout=WITHIN))
            if told.get("id") == number:
                if "error" in told:
                    raise Refused(told["error"])
                return dict(told["result"])
            self._note(told)

    def _note(self, event: dict[str, Any]) -> None:
        if event["method"] == "Runtime.exceptionThrown":
            self.problems.append(json.dumps(event["params"]["exceptionDetails"]))
        if event["method"] == "Log.entryAdded" and event["params"]["entry"]["level"] == "error":
            self.problems.append(event["params"]["entry"]["text"])

    def go(self, address: str) -> None:
        """Open an address."""
        self.call("Page.navigate", url=address)

    def read(self, expression: str) -> Any:
        """The value of an expression in the page."""
        found = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def wait(self, expression: str) -> Any:
        """The value of an expression, as soon as it is true; while a page loads there may be nothing to read."""
        end = time.monotonic() + WITHIN
        safe = f"(() => {{try {{return {expression}}} catch {{return null}}}})()"
        while True:
            with suppress(Refused):
                if found := self.read(safe):
                    return found
            assert time.monotonic() < end, f"{expression} did not become true; {self.problems}"
            time.sleep(LOOK_EVERY)

    def click(self, selector: str) -> None:
        """Press the mouse in the middle of an element, as a person does."""
        found = json.dumps(selector)
        self.wait(f"document.querySelector({found}).checkVisibility()")
        box = self.read(
            f"(() => {{const e = document.querySelector({found}); e.scrollIntoView({{block: 'nearest'}});"
            "const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]})()"
        )
        where = {"x": box[0], "y": box[1], "button": "left", "clickCount": 1}
        self.call("Input.dispatchMouseEvent", type="mousePressed", **where)
        self.call("Input.dispatchMouseEvent", type="mouseReleased", **where)

    def picture(self, file: Path) -> None:
        """Keep what the page looks like."""
        file.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))


@contextmanager
def chromium(folder: Path) -> Iterator[Page]:
    """A browser with one tab and nothing remembered."""
    assert CHROMIUM is not None
    with (folder.parent / f"{folder.name}.log").open("wb") as log:
        process = subprocess.Popen([CHROMIUM, *FLAGS, f"--user-data-dir={folder}"], stdout=log, stderr=log)
        try:
            yield from _tab(folder)
        finally:
            process.terminate()
            process.wait(WITHIN)


def _tab(folder: Path) -> Iterator[Page]:
    port, end = folder / "DevToolsActivePort", time.monotonic() + WITHIN
    while not port.exists() or not port.read_text(encoding="utf-8").strip():
        assert time.monotonic() < end, "the browser did not start"
        time.sleep(LOOK_EVERY)
    number = port.read_text(encoding="utf-8").split()[0]
    tabs = httpx.get(f"http://127.0.0.1:{number}/json", timeout=WITHIN).json()
    address = next(each["webSocketDebuggerUrl"] for each in tabs if each["type"] == "page")
    with ws.connect(address, max_size=LARGEST, origin=None) as connection:
        yield Page(connection)
