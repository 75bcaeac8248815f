"""Two ways to run the command line: in this process, and as people do."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from embertown.cli.app import app
from embertown.cli.screen import WARMING_UP

ROOT = Path(__file__).resolve().parents[2]
RECORDS = ROOT / "tests" / "records"
DEADLINE = 120.0
"""Seconds after which a test gives up waiting: kernels may have to compile first."""

TO_THE_END = "list\n2\nlist\n1\n" * 200
"""Tokens and draws, and where a rhomb scores, the best places or nearly: enough of them for any game."""
TILES_TO_THE_END = "\nlist\n1\n" * 200
"""The first of what is listed, and Enter wherever the keyboard is handed over."""


class Result:
    """What a command said and how it ended."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out = code, out
        self.err = err.replace(f"{WARMING_UP}\n", "")  # said or not, as kernels had to compile or not

    @property
    def said(self) -> str:
        """Both streams."""
        return self.out + self.err

    def __repr__(self) -> str:
        return f"Result({self.code}, {self.out!r}, {self.err!r})"


def run(*words: object, typed: str | None = None, **settings: str) -> Result:
    """A command in this process, with these settings in its environment."""
    runner = CliRunner(env=settings)
    result = runner.invoke(app, [str(word) for word in words], input=typed, catch_exceptions=False)
    return Result(result.exit_code, result.stdout, result.stderr)


def environment(**settings: str) -> dict[str, str]:
    """This environment, in which `embertown` can be imported whether it is installed or not."""
    paths = [str(ROOT / "src"), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in paths if path), **settings}


def unmeasured(env: dict[str, str]) -> dict[str, str]:
    """An environment for processes that are interrupted, or that have very many threads.

    Coverage holds a lock for moments at any place of a program; an exception that a signal raises just there leaves it
    locked, and the process waits for itself for ever. A simulated GPU has many threads, and takes minutes with it.
    """
    return {name: value for name, value in env.items() if not name.startswith("COVERAGE_PROCESS_")}


def command(*words: object) -> list[str]:
    """The command line for a process of its own."""
    return [sys.executable, "-m", "embertown", *(str(word) for word in words)]


def run_process(*words: object, typed: str = "", **settings: str) -> Result:
    """A command in a process of its own."""
    done = subprocess.run(
        command(*words),
        input=typed.encode(),
        capture_output=True,
        env=environment(**settings),
        timeout=DEADLINE,
        check=False,
    )
    return Result(done.returncode, done.stdout.decode(), done.stderr.decode())


HEED_SIGNALS = """
import os, signal, sys
for name in ("SIGINT", "SIGTERM", "SIGHUP"):
    if name in signal.Signals.__members__:
        signal.signal(signal.Signals[name], signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])
"""
"""Before a command: tests may run where signals are ignored (nohup, in the background), and commands inherit that."""


def heeding(words: list[str]) -> list[str]:
    """A command that hears signals, wherever the tests run."""
    return [sys.executable, "-c", HEED_SIGNALS, *words] if os.name == "posix" else words


@contextmanager
def running(*words: object, **how: Any) -> Iterator[subprocess.Popen[bytes]]:
    """A command under way; it never outlives its test."""
    settings: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "env": environment(), **how}
    settings["env"] = unmeasured(settings["env"])
    with subprocess.Popen(heeding(command(*words)), **settings) as process:
        try:
            yield process
        finally:
            process.kill()


def wait_until(happens: Callable[[], bool], process: subprocess.Popen[bytes]) -> None:
    """Wait for something that a process does; its early end or the deadline fails the test."""
    end = time.monotonic() + DEADLINE
    while not happens():
        assert time.monotonic() < end, "nothing happened in time"
        with suppress(subprocess.TimeoutExpired):
            process.wait(0.01)
            assert happens(), "the process ended early"


def record_of(path: Path) -> dict[str, object]:
    """A record as JSON values."""
    data: dict[str, object] = json.loads(path.read_text(encoding="utf-8"))
    return data


def rest_of(leader: int) -> bytes:
    """What a process still writes to its terminal, until it is gone; then the terminal is closed."""
    seen = b""
    try:
        while chunk := os.read(leader, 65536):
            seen += chunk
    except OSError:  # the terminal is gone: so is the process
        pass
    os.close(leader)
    return seen
