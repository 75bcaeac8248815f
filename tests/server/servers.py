"""Real servers in processes of their own: started, asked, told to stop, killed and started again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

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


class Live:
    """One end of a live connection."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.sent = 0

    def send(self, kind: str, **what: Any) -> str:
        """Send a message; its id."""
        self.sent += 1
        self.socket.send(json.dumps({"type": kind, "id": f"m{self.sent}", **what}))
        return f"m{self.sent}"

    def next(self) -> dict[str, Any]:
        """The next message."""
        message: dict[str, Any] = json.loads(self.socket.recv(timeout=ENDS_WITHIN))
        return message

    def until(self, kind: str, **what: Any) -> dict[str, Any]:
        """The next message of this kind with these values; those before it are passed over."""
        while True:
            message = self.next()
            if message["type"] == kind and all(message.get(key) == value for key, value in what.items()):
                return message
            assert message["type"] != "bye" or kind == "bye", message

    def decide(self, turn: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        """Do the first thing that one may; the number that it got, and the next turn, in whatever order they come."""
        action, number = turn["legal"][0]["text"], turn["number"] + 1
        asked = self.send("play", seat=turn["seat"], number=number, action=action)
        got: int | None = None
        following: dict[str, Any] | None = None
        while got is None or following is None:
            message = self.next()
            assert message["type"] not in ("refusal", "bye"), message
            if message["type"] == "answer" and message["id"] == asked:
                got = message["number"]
            elif message["type"] == "turn":
                following = message
        return got, following


class ServerProcess:
    """`embertown serve` on a data folder, at a port that was free."""

    def __init__(self, folder: Path, *flags: object, **settings: str) -> None:
        self.folder, self.flags, self.settings = folder, flags, settings
        self.process: subprocess.Popen[bytes] | None = None
        self.address = ""
        self._clients: list[httpx.Client] = []
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

    def start(self, *, warm: bool = True) -> ServerProcess:
        """Start it, and wait until all is well; with `warm` False only until it listens, which is much sooner."""
        self.launch()
        self.wait_until_listening()
        if warm:
            self.wait_until_healthy()
        else:
            wait_for(self._listens, what="an answer")
        return self

    def _listens(self) -> bool:
        with suppress(httpx.TransportError):
            return bool(self.healthz())
        return False

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
        """Whatever it does, it does not outlive its test, nor do those who ask it."""
        for client in self._clients:
            client.close()
        if self.process is not None and self.process.poll() is None:
            self.kill()

    # ---- asking

    def said(self) -> str:
        """All that it wrote."""
        return self.log.read_text(encoding="utf-8") if self.log.exists() else ""

    def join(self, name: str) -> httpx.Client:
        """A new guest."""
        guest = self.client()
        answer = guest.post("/api/guests", json={"name": name})
        assert answer.status_code == 201, answer.text
        return guest

    @contextmanager
    def live(self, table: str, client: httpx.Client | None = None, watch: str | None = None) -> Iterator[Live]:
        """A live connection to a table, greeted."""
        cookies = {} if client is None else client.cookies
        headers = {"origin": self.address, "cookie": "; ".join(f"{name}={value}" for name, value in cookies.items())}
        address = f"{self.address.replace('http', 'ws', 1)}/api/tables/{table}/live"
        with connect(address, additional_headers=headers, open_timeout=ENDS_WITHIN, proxy=None) as socket:
            live = Live(socket)
            with suppress(ConnectionClosed):  # some are told goodbye before they have said hello
                live.send("hello", protocol=1, **({} if watch is None else {"watch": watch}))
            yield live

    @contextmanager
    def events(self, token: str) -> Iterator[Iterator[dict[str, Any]]]:
        """What a program is told, line by line, until the server ends it."""
        headers = {"authorization": f"Bearer {token}"}
        with httpx.stream("GET", f"{self.address}/api/bot/events", headers=headers, timeout=ENDS_WITHIN) as stream:
            assert stream.status_code == 200
            yield (json.loads(line) for line in stream.iter_lines() if line)

    def client(self, **how: Any) -> httpx.Client:
        """Somebody who asks as its own page does, with cookies of their own."""
        headers = {"origin": self.address, **how.pop("headers", {})}
        self._clients.append(httpx.Client(base_url=self.address, headers=headers, timeout=ENDS_WITHIN, **how))
        return self._clients[-1]

    @property
    def admin_key(self) -> str:
        """What opens the host's own requests."""
        key: str = json.loads((self.folder / "keys.json").read_bytes())["admin"]
        return key

    def admin(self) -> httpx.Client:
        """Somebody who asks as the host."""
        return self.client(headers={"authorization": f"Bearer {self.admin_key}"})


@contextmanager
def served(folder: Path, *flags: object, warm: bool = True, **settings: str) -> Iterator[ServerProcess]:
    """A server that runs, for as long as the block does."""
    server = ServerProcess(folder, *flags, **settings)
    try:
        yield server.start(warm=warm)
    finally:
        server.end()


def is_alive(pid: int) -> bool:
    """Whether a process of this number runs."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
