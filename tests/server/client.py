"""A client for tests: real servers in threads, guests with cookies, and live connections that keep every byte.

A connection is read when it is asked: `caught_up` sends a ping and reads up to its answer, so that all that the server
had said before is there. Whoever made a change is answered in the same breath in which all others are told of it; so
after an answer everyone only has to catch up.
"""

from __future__ import annotations

import contextlib
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import uvicorn
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from embertown.server.app import create_guarded_app
from embertown.server.entries import LogEntry
from embertown.server.frames import LiveProtocol
from embertown.server.messages import MAX_MESSAGE
from embertown.server.settings import Settings

SOON = 60.0
"""Seconds until which something must have happened: machines are busy at times."""
WARM_WITHIN = 600.0
"""Seconds until a server is ready: where no kernel was compiled before, all are."""


def until(condition: Callable[[], Any], what: str = "it", within: float = SOON, every: float = 0.01) -> Any:
    """Wait for something that comes by itself."""
    ends = time.monotonic() + within
    while time.monotonic() < ends:
        found = condition()
        if found:
            return found
        time.sleep(every)
    raise AssertionError(f"{what} did not happen within {within} s")


# ---- servers


@contextlib.contextmanager
def serving(folder: Path, **settings: Any) -> Iterator[Server]:
    """A server in a thread, on a port of its own."""
    given = {"showing": 0.0, "limits": False, "bot_processes": 1, **settings}
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        config = uvicorn.Config(
            create_guarded_app(Settings(folder=folder, port=port, **given)),
            ws=LiveProtocol,
            ws_max_size=2 * MAX_MESSAGE,
            ws_per_message_deflate=False,
            ws_ping_interval=None,  # both ends would draw from `random` in threads, while Hypothesis watches it
            log_config=None,
            log_level="warning",
        )
        running = uvicorn.Server(config)
        thread = threading.Thread(target=running.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        server = Server(port, folder)
        try:
            until(lambda: running.started or not thread.is_alive(), "starting")
            assert thread.is_alive(), "the server ended while it started"
            server.wait()
            yield server
        finally:
            server.close()
            running.should_exit = True
            thread.join()


class Server:
    """Where a server listens."""

    def __init__(self, port: int, folder: Path) -> None:
        self.port, self.folder = port, folder
        self.base = f"http://127.0.0.1:{port}"
        self._open: list[Guest] = []

    @property
    def database(self) -> Path:
        return self.folder / "embertown.sqlite"

    def wait(self) -> None:
        """Until it is warm."""
        until(self.answers, "starting", WARM_WITHIN)
        healthy = lambda: self._status("/healthz") == 200  # noqa: E731
        until(healthy, "getting ready", WARM_WITHIN, every=0.05)

    def answers(self) -> bool:
        """Whether there is somebody."""
        with contextlib.suppress(httpx.TransportError):
            return self._status("/api/push") == 200
        return False

    def _status(self, path: str) -> int:
        return httpx.get(self.base + path, trust_env=False, timeout=SOON).status_code

    def guest(self, name: str = "Anna") -> Guest:
        """Somebody new."""
        guest = Guest(self, name)
        self._open.append(guest)
        return guest

    def stranger(self) -> Guest:
        """Somebody without a name."""
        guest = Guest(self, None)
        self._open.append(guest)
        return guest

    def close(self) -> None:
        for guest in self._open:
            guest.close()
        self._open.clear()


# ---- guests


class Guest:
    """Somebody with a cookie, and every answer that they got."""

    def __init__(self, server: Server, name: str | None) -> None:
        self.server, self.name = server, name
        self.http = httpx.Client(base_url=server.base, headers={"origin": server.base}, timeout=SOON, trust_env=False)
        self._kept = contextlib.ExitStack()
        self.received: list[bytes] = []
        self.lives: list[Live] = []
        self.facts: dict[str, Any] = {}
        if name is not None:
            self.facts = self.post("/api/guests", {"name": name}).json()

    def close(self) -> None:
        self._kept.close()
        self.http.close()

    def request(self, method: str, path: str, **how: Any) -> httpx.Response:
        answer = self.http.request(method, path, **how)
        self.received.append(answer.content)
        return answer

    def get(self, path: str, **params: Any) -> httpx.Response:
        return self.request("GET", path, params={name: value for name, value in params.items() if value is not None})

    def post(self, path: str, body: Any = None) -> httpx.Response:
        return self.request("POST", path, json=body)

    def make(self, game: str, seats: list[str], **wish: Any) -> dict[str, Any]:
        """A table; as the server tells it, with links by seat."""
        answer = self.post("/api/tables", {"game": game, "seats": seats, **wish})
        assert answer.status_code == 201, answer.text
        made: dict[str, Any] = answer.json()
        return {**made, "links": {int(seat): token for seat, token in made["links"].items()}}

    def claim(self, token: str, **wish: Any) -> httpx.Response:
        return self.post("/api/claims", {"token": token, **wish})

    def live(self, table: str, **hello: Any) -> Live:
        """Follow a table; greeted already."""
        live = self.connect(table)
        live.send(type="hello", protocol=1, **hello)
        live.caught_up()
        return live

    def connect(self, table: str) -> Live:
        """A connection that has said nothing yet."""
        cookie = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        headers = {"origin": self.server.base} | ({"cookie": cookie} if cookie else {})
        address = f"ws://127.0.0.1:{self.server.port}/api/tables/{table}/live"
        opened = connect(
            address,
            additional_headers=headers,
            proxy=None,
            max_size=None,
            max_queue=None,
            compression=None,
            ping_interval=None,
        )
        live = Live(self._kept.enter_context(opened), self)
        self.lives.append(live)
        return live


class Refusal(AssertionError):
    """What was asked for was refused."""

    def __init__(self, message: dict[str, Any]) -> None:
        super().__init__(f"{message['code']}: {message['sentence']}")
        self.code: str = message["code"]
        self.message = message


class Live:
    """A connection to a table: everything that it was told, raw and read, and what follows from it."""

    def __init__(self, opened: ClientConnection, guest: Guest) -> None:
        self.socket, self.guest = opened, guest
        self.raw: list[str] = []
        self.messages: list[dict[str, Any]] = []
        self.ids = 0
        self.table: dict[str, Any] = {}
        """The table as a page would hold it."""
        self.turns: dict[int, dict[str, Any]] = {}
        self.is_closed = False

    # ---- out

    def new_id(self) -> str:
        """New among all messages of the guest."""
        self.guest.facts["ids"] = self.guest.facts.get("ids", 0) + 1
        return f"m{self.guest.facts['ids']}"

    def send(self, **message: Any) -> str:
        """Send a message, without waiting for an answer; its id."""
        message.setdefault("id", self.new_id())
        self.socket.send(json.dumps(message))
        return str(message["id"])

    def ask(self, **message: Any) -> dict[str, Any]:
        """Send a message and read up to its answer; `Refusal` where it is refused."""
        asked = self.send(**message)
        while True:
            told = self.next()
            if told.get("id") == asked:
                if told["type"] == "refusal":
                    raise Refusal(told)
                return told

    def refused(self, **message: Any) -> str:
        """The code with which a message is refused."""
        try:
            told = self.ask(**message)
        except Refusal as refusal:
            return refusal.code
        raise AssertionError(f"{message} was not refused: {told}")

    def play(self, action: str, seat: int | None = None, **how: Any) -> int:
        """Decide; the number that it got."""
        acting = self.seat if seat is None else seat
        number: int = self.ask(type="play", seat=acting, action=action, **{"number": self.number + 1, **how})["number"]
        self.caught_up()
        return number

    # ---- in

    def next(self) -> dict[str, Any]:
        """The next message."""
        text = self.socket.recv(timeout=SOON)
        assert isinstance(text, str)
        self.raw.append(text)
        message: dict[str, Any] = json.loads(text)
        self.messages.append(message)
        self.take(message)
        return message

    def caught_up(self) -> list[dict[str, Any]]:
        """All that came since the last time."""
        before, asked = len(self.messages), self.send(type="ping")
        while True:
            told = self.next()
            if (
                told["type"] == "bye"
                or (told["type"] == "pong" and told["id"] == asked)
                or (told["type"] == "refusal" and told["id"] == asked)
            ):
                return self.messages[before:-1]

    def wait_for(self, condition: Callable[[Live], Any]) -> Any:
        """Read on until something is so."""
        while not (found := condition(self)):
            self.next()
        return found

    def to_the_end(self) -> tuple[list[dict[str, Any]], int | None]:
        """All that still comes until the server ends the connection, and the code with which it does."""
        before = len(self.messages)
        try:
            while True:
                self.next()
        except ConnectionClosed as closed:
            return self.messages[before:], None if closed.rcvd is None else closed.rcvd.code

    def take(self, message: dict[str, Any]) -> None:
        """What a page would do with a message."""
        kind = message["type"]
        if kind == "table":
            same = self.table and self._eyes(self.table) == self._eyes(message)
            known = {each["number"]: each for each in self.table["log"]} if same else {}
            known |= {each["number"]: each for each in message["entries"]}
            self.table = {**message, "log": [known[number] for number in sorted(known)]}
            self.turns.clear()
        elif kind == "entries":
            known = {each["number"]: each for each in self.table["log"]} | {
                each["number"]: each for each in message["entries"]
            }
            facts = {**(self.table["facts"] or {}), **message["changes"]} or None
            for entry in message["entries"]:
                if entry["text"].startswith("takeback to "):
                    _take_back(known, int(entry["text"].split()[-1]), entry["number"])
            told = {key: message[key] for key in ("status", "number", "clocks", "fair") if key in message}
            self.table = {**self.table, **told, "facts": facts, "log": [known[number] for number in sorted(known)]}
        elif kind == "turn":
            self.turns[message["seat"]] = message
        elif kind == "seats":
            self.table |= {"seats": message["seats"], "spectators": message["spectators"]}

    @staticmethod
    def _eyes(table: dict[str, Any]) -> tuple[Any, Any]:
        return table["table"]["id"], table["viewer"]

    @property
    def number(self) -> int:
        return int(self.table["number"])

    @property
    def status(self) -> str:
        return str(self.table["status"])

    @property
    def texts(self) -> list[str]:
        return [each["text"] for each in self.table["log"]]

    @property
    def mine(self) -> list[int]:
        return [seat for seat, each in enumerate(self.table["seats"]) if each["yours"]]

    @property
    def seat(self) -> int:
        (seat,) = self.mine
        return seat

    @property
    def waiting(self) -> list[int]:
        return list(self.table["facts"]["waiting"]) if self.status == "playing" else []

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [each for each in self.messages if each["type"] == kind]

    def close(self) -> None:
        self.socket.close()


def _take_back(known: dict[int, dict[str, Any]], kept: int, taken: int) -> None:
    """Decisions between two numbers do not stand any more."""
    for number in range(kept + 1, taken):
        entry = known[number]
        if not LogEntry(number, entry["seat"], entry["text"], "").is_of_table:
            known[number] = {**entry, "stands": False}


def seated(server: Server, game: str, players: int, bots: tuple[str, ...] = (), **wish: Any) -> list[Live]:
    """A game under way: so many people, each on a connection of their own, and these bots after them."""
    host = server.guest("Player 0")
    made = host.make(game, ["me", *["open"] * (players - 1), *bots], **wish)
    guests = [host]
    for seat in range(1, players):
        guests.append(server.guest(f"Player {seat}"))
        assert guests[-1].claim(made["links"][seat]).status_code == 200
    lives = [guest.live(made["table"]) for guest in guests]
    for live in lives:
        live.caught_up()
    return lives


def id_of(live: Live) -> str:
    return str(live.table["table"]["id"])
