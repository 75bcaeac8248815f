"""dev.py answers a wrong command line with help, and installs nothing for it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def dev(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "dev.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)


@pytest.mark.parametrize("arguments", [(), ("help",), ("--help",)])
def test_help(arguments: tuple[str, ...]) -> None:
    done = dev(*arguments)
    assert done.returncode == 0
    assert "python3 dev.py play" in done.stdout


@pytest.mark.parametrize("arguments", [("plya",), ("setup", "now"), ("test", "--fast")])
def test_a_wrong_command_line_gets_help(arguments: tuple[str, ...]) -> None:
    done = dev(*arguments)
    assert done.returncode == 2
    assert "python3 dev.py play" in done.stderr


@pytest.mark.parametrize("arguments", [(), ("no-such-benchmark",)])
def test_bench_lists_the_benchmarks(arguments: tuple[str, ...]) -> None:
    done = dev("bench", *arguments)
    assert done.returncode == 2
    for file in (ROOT / "benchmarks").glob("[!_]*.py"):
        assert file.stem in done.stderr


def test_help_names_every_verb() -> None:
    shown = dev().stdout
    for verb in ("play", "test", "setup", "bench", "soak"):
        assert f"python3 dev.py {verb}" in shown
