"""A real server, a real Chromium, and visitors whose pages complain of nothing.

`page` is a desk, `phone` a telephone that is tapped; `visit` makes as many more as a test needs, each with cookies of
its own. Whatever the console calls an error, the content policy refuses, fails to load or leads to another origin fails
the test, unless the test says that it belongs there: `problems.expect("404")`.

Wait for what people see (`expect(locator)`), never for a time. `wait_for_function` takes functions (`() => …`) only:
for an expression it would need `eval`, which the policy refuses.

Playwright keeps a loop running in this thread while it lives, and nothing else can run one meanwhile: so the fixtures
end with this folder (package scope), and asynchronous tests stay out of it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.conftest import JIT_OFF
from tests.server.servers import ServerProcess, served
from tools import chromium, webbuild

ARTIFACTS = webbuild.ROOT / "artifacts"
SOON = 30_000
"""Milliseconds within which something must have happened: machines are busy at times."""
expect.set_options(timeout=SOON)
DESK = {"viewport": {"width": 1280, "height": 800}}
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
OWN_SCHEMES = frozenset({"data", "blob", "about"})
"""Addresses that lead nowhere."""
ENGLISH = "en-GB"

Visit = Callable[..., Page]
Picture = Callable[..., Path]
failed = pytest.StashKey[bool]()


class Problems:
    """What pages complained of."""

    def __init__(self, origin: str) -> None:
        self.origin = origin
        self.found: list[str] = []
        self.expected: list[re.Pattern[str]] = []

    def expect(self, pattern: str) -> None:
        """Complaints that this is found in belong to the test."""
        self.expected.append(re.compile(pattern))

    def unexpected(self) -> list[str]:
        """All others."""
        return [each for each in self.found if not any(pattern.search(each) for pattern in self.expected)]

    def watch(self, context: BrowserContext) -> None:
        """Listen to all pages of a context."""
        context.on("console", lambda said: self._note(f"{said.text} ({said.location['url']})", said.type == "error"))
        context.on("weberror", lambda error: self._note(str(error.error)))
        context.on("request", lambda asked: self._note(f"another origin: {asked.url}", self._leaves(asked.url)))
        context.on("requestfailed", lambda asked: self._note(f"not loaded: {asked.url}: {asked.failure}"))
        context.on("page", lambda page: page.on("websocket", self._connected))

    def _connected(self, socket: Any) -> None:
        self._note(f"another origin: {socket.url}", self._leaves(socket.url))

    def _leaves(self, address: str) -> bool:
        parts = urlsplit(address)
        return parts.scheme not in OWN_SCHEMES and parts.netloc != urlsplit(self.origin).netloc

    def _note(self, what: str, matters: bool = True) -> None:
        if matters and not what.endswith("net::ERR_ABORTED"):  # the page itself thought better of it
            self.found.append(what)


# ---- for as long as this folder's tests run


@pytest.fixture(scope="package", autouse=True)
def built() -> None:
    """The page as its sources are now."""
    if JIT_OFF:
        pytest.skip("a server plays with compiled kernels")
    if not webbuild.is_built():
        assert "PYTEST_XDIST_WORKER" not in os.environ, "the page is not built; right would be: tools/webbuild.py first"
        webbuild.build()


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """One server for all tests that do not stop it; its bots do not wait to be followed."""
    folder = tmp_path_factory.mktemp("browser") / "server"
    with served(folder, "--bots", 1, "--no-limits", "--showing", 0) as running:
        yield running


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """A Chromium."""
    found = chromium.find()
    if found is None:
        assert "PYTEST_XDIST_WORKER" not in os.environ, "no Chromium; right would be: tools/chromium.py first"
        found = chromium.fetch()
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(
            executable_path=found.path, args=list(chromium.FLAGS), env={**os.environ, **found.settings}
        )
        yield launched
        launched.close()


# ---- for one test


@pytest.fixture
def problems(server: ServerProcess) -> Problems:
    """What the pages of this test complain of."""
    return Problems(server.address)


@pytest.fixture
def visit(
    browser: Browser, server: ServerProcess, problems: Problems, request: pytest.FixtureRequest
) -> Iterator[Visit]:
    """Somebody new with a page of their own: `visit()`, `visit(phone=True, locale="de-DE", color_scheme="dark")`.

    What is given goes to Playwright's `new_context`; `base_url` leads to another server than the shared one.
    """
    contexts: list[BrowserContext] = []

    def come(*, phone: bool = False, **how: Any) -> Page:
        settings = {"base_url": server.address, "locale": ENGLISH, **(PHONE if phone else DESK), **how}
        context = browser.new_context(**settings)
        contexts.append(context)
        context.set_default_timeout(SOON)
        problems.watch(context)
        return context.new_page()

    yield come
    for number, context in enumerate(contexts):
        if request.node.stash.get(failed, False):
            for page in context.pages:
                page.screenshot(path=_artifact(f"failed-{request.node.name}-{number}"))
        context.close()
    assert not problems.unexpected(), "\n".join(["the pages complained:", *problems.unexpected()])


@pytest.fixture
def page(visit: Visit) -> Page:
    """Somebody at a desk."""
    return visit()


@pytest.fixture
def phone(visit: Visit) -> Page:
    """Somebody with a telephone."""
    return visit(phone=True)


@pytest.fixture
def others_page(visit: Visit) -> Page:
    """Somebody else at a desk, with a browser of their own."""
    return visit()


@pytest.fixture
def picture() -> Picture:
    """Keep what a page looks like: `picture(page, "home-night-phone")`, into artifacts/."""

    def take(page: Page, name: str, **how: Any) -> Path:
        path = _artifact(name)
        page.screenshot(path=path, **{"animations": "disabled", **how})
        return path

    return take


def _artifact(name: str) -> Path:
    ARTIFACTS.mkdir(exist_ok=True)
    return ARTIFACTS / f"{re.sub(r'[^A-Za-z0-9._-]+', '-', name)}.png"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Note whether a test failed, before its fixtures end."""
    report = yield
    if report.when == "call":
        item.stash[failed] = report.failed
    return report
