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


def serve_command(port: int, folder: Path, showing: float = 0.0) -> list[str]:
    """The command that starts it; a bot's move is shown so many seconds at least."""
    return [sys.executable, str(Path(__file__).resolve()), str(port), str(folder), str(showing)]


def serve(port: str, folder: str, showing: str) -> None:
    """Run it as a host does, but for the limits of rates: all players come from one address here."""
    from embertown.server.serving import make_server
    from embertown.server.settings import Settings

    make_server(Settings(folder=Path(folder), port=int(port), showing=float(showing), limits=False)).run()


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def wait_until_healthy(url: str, process: subprocess.Popen[bytes], output: Path) -> None:
    """Until the server answers; a server that ends instead, or never answers, is told with what it said."""
    patience = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < patience and process.poll() is None:
        try:
            with urllib.request.urlopen(url, timeout=PATIENCE_SECONDS):
                return
        except (urllib.error.URLError, OSError):
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


if __name__ == "__main__":
    serve(*sys.argv[1:])
