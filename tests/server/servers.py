"""Real servers in processes of their own: started, asked, told to stop, killed and started again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from tests.cli.helpers import command, environment, heeding

READY_WITHIN = 600.0
"""Seconds: on a machine without a cache the kernels compile first."""
ENDS_WITHIN = 60.0
LOOK_EVERY = 0.02


def wait_for(happens: Callable[[], Any], within: float = ENDS_WITHIN, what: str = "it") -> Any:
    """What comes of it, as soon as it is true."""
    end = time.monotonic() + within
    while not (found := happens()):
        assert time.monotonic() < end, f"{what} did not happen within {within:g} s"
        time.sleep(LOOK_EVERY)
    return found


class ServerProcess:
    """`embertown serve` on a data folder, at a port that was free."""

    def __init__(self, folder: Path, *flags: object, **settings: str) -> None:
        self.folder, self.flags, self.settings = folder, flags, settings
        self.process: subprocess.Popen[bytes] | None = None
        self.address = ""
        self.log = folder.parent / f"{folder.name}.log"
        """What it says on both streams, of all its starts."""

    # ---- starting

    def launch(self) -> subprocess.Popen[bytes]:
        """Start it, and wait for nothing."""
        words = command("serve", "--folder", self.folder, "--port", 0, *self.flags)
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                heeding(words), stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment(**self.settings)
            )
        return self.process

    def start(self) -> ServerProcess:
        """Start it, and wait until all is well."""
        self.launch()
        self.wait_until_listening()
        self.wait_until_healthy()
        return self

    def wait_until_listening(self) -> None:
        """Until it has said where it runs; its own early end fails the test."""
        self.address = wait_for(self._told_address, READY_WITHIN, "an address")

    def _told_address(self) -> str:
        assert self.process is not None
        assert self.process.poll() is None, f"the server ended with {self.process.returncode}: {self.said()}"
        try:
            told = json.loads((self.folder / "server.lock").read_bytes())
        except (OSError, ValueError):
            return ""
        return (told["address"] or "") if told["pid"] == self.process.pid else ""

    def wait_until_healthy(self) -> None:
        """Until `/healthz` says that all is well."""
        wait_for(lambda: self.healthz()[0] == 200, READY_WITHIN, "a healthy server")

    def healthz(self) -> tuple[int, dict[str, Any]]:
        """What the server says of itself."""
        assert self.process is not None
        assert self.process.poll() is None, f"the server ended with {self.process.returncode}: {self.said()}"
        answer = httpx.get(f"{self.address}/healthz", timeout=ENDS_WITHIN)
        return answer.status_code, answer.json()

    # ---- stopping

    def send(self, number: int = signal.SIGTERM) -> None:
        """Send a signal."""
        assert self.process is not None
        self.process.send_signal(number)

    def wait(self) -> int:
        """The exit code, once it has ended."""
        assert self.process is not None
        return self.process.wait(ENDS_WITHIN)

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Have it stop in order; its exit code."""
        self.send(number)
        return self.wait()

    def kill(self) -> None:
        """End it then and there (-9)."""
        assert self.process is not None
        self.process.kill()
        self.process.wait(ENDS_WITHIN)

    def end(self) -> None:
        """Whatever it does, it does not outlive its test."""
        if self.process is not None and self.process.poll() is None:
            self.kill()

    # ---- asking

    def said(self) -> str:
        """All that it wrote."""
        return self.log.read_text(encoding="utf-8") if self.log.exists() else ""

    def client(self, **how: Any) -> httpx.Client:
        """Somebody who asks as its own page does, with cookies of their own."""
        headers = {"origin": self.address, **how.pop("headers", {})}
        return httpx.Client(base_url=self.address, headers=headers, timeout=ENDS_WITHIN, **how)

    @property
    def admin_key(self) -> str:
        """What opens the host's own requests."""
        key: str = json.loads((self.folder / "keys.json").read_bytes())["admin"]
        return key

    def admin(self) -> httpx.Client:
        """Somebody who asks as the host."""
        return httpx.Client(
            base_url=self.address, headers={"authorization": f"Bearer {self.admin_key}"}, timeout=ENDS_WITHIN
        )


@contextmanager
def served(folder: Path, *flags: object, **settings: str) -> Iterator[ServerProcess]:
    """A server that runs, for as long as the block does."""
    server = ServerProcess(folder, *flags, **settings)
    try:
        yield server.start()
    finally:
        server.end()


def is_alive(pid: int) -> bool:
    """Whether a process of this number runs."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
