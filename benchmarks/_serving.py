"""Our server as a process of its own, for the benchmarks that need one.

python benchmarks/_serving.py PORT FOLDER SHOWING
"""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import NamedTuple

PATIENCE_SECONDS = 120
HEALTH = "/healthz"


class Used(NamedTuple):
    """What a server's processes have used so far."""

    megabytes: float
    seconds: float


WARMING = b'"warming"'
"""In what our server says of its health: it is not ready yet."""


def serve_command(port: int, folder: Path, showing: float = 0.0) -> list[str]:
    """Our server as a host starts it, but for the limits of rates: all players come from one address here."""
    where = ["--port", str(port), "--folder", str(folder)]
    return [sys.executable, "-m", "embertown", "serve", *where, "--showing", str(showing), "--no-limits"]


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def wait_until_healthy(url: str, process: subprocess.Popen[bytes], output: Path, *, warm: bool = True) -> None:
    """Until the server answers, and is `warm`; one that ends instead, or never answers, is told with what it said."""
    patience = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < patience and process.poll() is None:
        try:
            with urllib.request.urlopen(url, timeout=PATIENCE_SECONDS) as answer:
                if not warm or WARMING not in answer.read():  # kernels that compile beside it would be measured too
                    return
        except (urllib.error.URLError, OSError):
            pass
        time.sleep(0.05)
    sys.exit(f"The server did not come up ({process.args!r}):\n{output.read_text('utf-8')}")


def family(pid: int) -> list[int]:
    """A process and those that it started, with theirs; the process alone where there is no /proc."""
    found, waiting = [], [pid]
    while waiting:
        found.append(waiting.pop())
        for children in Path("/proc", str(found[-1]), "task").glob("*/children"):
            with contextlib.suppress(OSError):  # it may have ended
                waiting += map(int, children.read_text("ascii").split())
    return found


def resources(*processes: int) -> Used:
    """Memory and processor time of processes, together; nothing where there is no /proc."""
    megabytes = seconds = 0.0
    for process in processes:
        with contextlib.suppress(OSError):
            fields = Path("/proc", str(process), "stat").read_text("ascii").rpartition(")")[2].split()
            seconds += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
            megabytes += int(fields[21]) * os.sysconf("SC_PAGE_SIZE") / (1 << 20)
    return Used(megabytes, seconds)
