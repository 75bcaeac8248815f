"""The checks behind `python3 dev.py test`, in their order. The first failure ends the run."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
import venv
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

Install = Callable[[Path, Iterable[object]], None]

LINES_COVERED = 95  # per cent of src/embertown without the commands
WHEEL_GAMES = 20
ANSWERS_WITHIN = 30.0
"""Seconds."""
WEB_BUILD = Path("tools") / "webbuild.py"
ADDRESS = re.compile(r"http://[0-9.]+:[0-9]+")
LOADED = re.compile(r'(?:src|href)="(/[^"]+)"')
"""What a document loads from its own server."""


class CheckFailed(Exception):
    """A check did not pass; what it printed says why."""


@dataclass(frozen=True)
class House:
    """The checkout and the Python its checks run with."""

    root: Path
    python: Path
    install: Install
    pytest_options: tuple[str, ...]

    def run(self, *command: object, cwd: Path | None = None, **settings: str) -> None:
        """Run one command of a check."""
        words = [str(word) for word in command]
        # Away from the checkout nothing may lead back to it.
        inherited = {key: value for key, value in os.environ.items() if cwd is None or key != "PYTHONPATH"}
        done = subprocess.run(words, cwd=cwd or self.root, env=inherited | settings, check=False)
        if done.returncode:
            raise CheckFailed(f"exit status {done.returncode}: {' '.join(words)}")

    def module(self, *words: object, **settings: str) -> None:
        """Run a module of the development environment."""
        self.run(self.python, "-m", *words, cwd=None, **settings)


def ruff_check(house: House) -> None:
    house.module("ruff", "check")


def ruff_format(house: House) -> None:
    house.module("ruff", "format", "--check")


def types(house: House) -> None:
    house.module("mypy")


def imports(house: House) -> None:
    cache = house.root / ".cache" / "import-linter"
    house.run(program(house.python, "lint-imports"), "--no-logo", "--cache-dir", cache)


def page_source(house: House) -> None:
    """The page's types, its style and its unit tests."""
    house.run(house.python, WEB_BUILD, "check")


def page_built(house: House) -> None:
    """The page itself, where its sources changed, and a Chromium to look at it."""
    house.run(house.python, WEB_BUILD)
    house.run(house.python, Path("tools") / "chromium.py")


def tests_plain(house: House) -> None:
    shutil.rmtree(house.root / ".cache" / "coverage", ignore_errors=True)  # an earlier run's lines
    pytest(house)


def tests_without_jit(house: House) -> None:
    pytest(house, "-m", "kernel", NUMBA_DISABLE_JIT="1")


def tests_with_bounds_checks(house: House) -> None:
    pytest(house, "-m", "kernel", NUMBA_BOUNDSCHECK="1")


def pytest(house: House, *options: str, **settings: str) -> None:
    (house.root / ".cache" / "coverage").mkdir(parents=True, exist_ok=True)
    spread = ("-n", "auto", "--maxprocesses", "4", "--dist", "worksteal")
    words = ("-q", *spread, *options, *house.pytest_options)
    house.module("coverage", "run", "-m", "pytest", *words, **settings)


def coverage(house: House) -> None:
    house.module("coverage", "combine", "--quiet")
    house.module("coverage", "report", f"--fail-under={LINES_COVERED}")


def wheel(house: House) -> None:
    """Build the wheel, install it in a new environment far from here, and play with it."""
    with temporary_folder() as name:
        away = Path(name)
        house.module("hatchling", "build", "--target", "wheel", "--directory", away)
        (built,) = away.glob("*.whl")
        python = new_environment(away / "venv")
        house.install(python, [built])
        embertown = program(python, "embertown")
        games = away / "games.jsonl"
        choice = ("--players", 2, "--bots", "random", "--games", WHEEL_GAMES, "--seed", 1)
        house.run(embertown, "simulate", "cronberg", *choice, "--out", games.name, cwd=away)
        house.run(embertown, "check", games.name, cwd=away)
        written = len(games.read_text(encoding="utf-8").splitlines())
        if written != WHEEL_GAMES:
            raise CheckFailed(f"{games.name} has {written} lines, not {WHEEL_GAMES}")
        for game in ("cronberg", "drunter"):  # its weights came along
            few = ("--bots", "network,random", "--games", 1, "--seed", 1, "--out", f"{game}.jsonl")
            house.run(embertown, "simulate", game, *few, cwd=away)
        serves_its_page(embertown, away)


def serves_its_page(embertown: Path, away: Path) -> None:
    """A server from the wheel answers with the page, and with all that the page names."""
    words = [str(embertown), "serve", "--folder", str(away / "data"), "--port", "0", "--bots", "1"]
    clean = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    with subprocess.Popen(words, cwd=away, env=clean, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            told = server.stdout.readline()
            address = ADDRESS.search(told)
            if address is None:
                raise CheckFailed(f"the server did not say where it is: {told!r}")
            loaded = LOADED.findall(answer(address[0] + "/"))
            if not any(name.endswith(".js") for name in loaded):
                raise CheckFailed(f"the page loads no script: {loaded}")
            for name in loaded:
                answer(address[0] + name)
        finally:
            server.terminate()


def answer(address: str) -> str:
    """What is found at an address; anything but success fails the check."""
    try:
        with urllib.request.urlopen(address, timeout=ANSWERS_WITHIN) as found:
            content: bytes = found.read()
    except OSError as problem:
        raise CheckFailed(f"{address}: {problem}") from None
    return content.decode("utf-8", errors="replace")


def docs(house: House) -> None:
    with temporary_folder() as site:
        house.module("mkdocs", "build", "--quiet", "--strict", "--site-dir", site, NO_MKDOCS_2_WARNING="1")


def new_environment(folder: Path) -> Path:
    """An empty environment; its Python."""
    venv.create(folder, symlinks=os.name != "nt")
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def program(python: Path, name: str) -> Path:
    """A program next to a Python."""
    return python.with_name(f"{name}.exe" if os.name == "nt" else name)


def temporary_folder() -> AbstractContextManager[str]:
    return tempfile.TemporaryDirectory(prefix="embertown-")


QUICK: tuple[tuple[str, Callable[[House], None]], ...] = (
    ("ruff check", ruff_check),
    ("ruff format", ruff_format),
    ("types (mypy)", types),
    ("imports (import-linter)", imports),
    ("page: types, style, unit tests", page_source),
    ("page: build", page_built),
    ("tests", tests_plain),
)
SLOW: tuple[tuple[str, Callable[[House], None]], ...] = (
    ("kernel tests without the JIT", tests_without_jit),
    ("kernel tests with bounds checks", tests_with_bounds_checks),
    ("coverage", coverage),
    ("wheel in a clean environment", wheel),
    ("docs", docs),
)


def run_all(root: Path, python: Path, install: Install, *, quick: bool, pytest_options: list[str]) -> int:
    """Run the checks; the exit status for the shell."""
    house = House(root, python, install, tuple(pytest_options))
    began = time.monotonic()
    for name, check in QUICK if quick else QUICK + SLOW:
        print(f"\n== {name}", flush=True)
        started = time.monotonic()
        try:
            check(house)
        except CheckFailed as failure:
            print(f"\nFAILED: {name} ({failure})", file=sys.stderr)
            return 1
        print(f"-- {name}: {time.monotonic() - started:.1f} s", flush=True)
    left_out = " (without the slow ones)" if quick else ""
    print(f"\nAll checks passed{left_out} in {time.monotonic() - began:.0f} s.")
    return 0
