"""Work spread over processes, and Ctrl-C while they start."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from embertown.core.pool import cores, spread

ROOT = Path(__file__).parents[2]
SCRIPT = """
import time
from embertown.core.pool import spread

def work(number):
    time.sleep(0.02)
    return number

if __name__ == "__main__":
    print("ready", flush=True)
    try:
        list(spread(work, range(100_000), 2))
    except KeyboardInterrupt:
        raise SystemExit(130) from None
"""


def square(number: int) -> int:
    return number * number


def test_results_come_in_the_tasks_order() -> None:
    assert list(spread(square, range(9), 1)) == list(spread(square, range(9), 2)) == [n * n for n in range(9)]
    assert cores() >= 1


@pytest.mark.skipif(os.name != "posix", reason="sends signals to a group of processes")
@pytest.mark.parametrize("seconds", [0.0, 0.03, 0.1, 0.3])
def test_ctrl_c_while_processes_start_ends_without_a_word(seconds: float, tmp_path: Path) -> None:
    """As a terminal does it: to all processes at once, whatever they are doing."""
    script = tmp_path / "script.py"
    script.write_text(SCRIPT, encoding="utf-8")
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([sys.executable, script], env=env, start_new_session=True, **streams) as process:  # type: ignore[call-overload]
        process.stdout.readline()
        time.sleep(seconds)
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, b"")
