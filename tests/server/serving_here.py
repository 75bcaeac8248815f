"""A real server in a thread of this process, and guests who talk to it."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import websockets.sync.client as ws

from embertown.server.serving import make_server
from embertown.server.settings import Settings

READY_WITHIN = 300.0
"""Seconds for the kernels, should they not be compiled yet."""
LOOK_EVERY = 0.05


@dataclass
class Place:
    """Where a server is found."""

    address: str

    def guest(self, name: str) -> httpx.Client:
        """A new guest, as a browser of the server's own page."""
        client = httpx.Client(base_url=self.address, headers={"origin": self.address}, timeout=60)
        assert client.post("/api/guests", json={"name": name}).status_code == 201
        return client

    def program(self, client: httpx.Client) -> httpx.Client:
        """A program that plays for a guest."""
        token = client.post("/api/tokens", json={"label": "test"}).json()["token"]
        return httpx.Client(base_url=self.address, headers={"authorization": f"Bearer {token}"}, timeout=60)

    def live(self, client: httpx.Client | None, table: str) -> ws.ClientConnection:
        """The live connection of a guest, or of nobody in particular, to a table."""
        headers = {"origin": self.address}
        if client is not None:
            headers["cookie"] = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
        address = self.address.replace("http", "ws", 1)
        return ws.connect(f"{address}/api/tables/{table}/live", additional_headers=headers)


def make_table(client: httpx.Client, game: str, *seats: str, **more: Any) -> dict[str, Any]:
    """A table, once the server is warm."""
    until = time.monotonic() + READY_WITHIN
    while True:
        answer = client.post("/api/tables", json={"game": game, "seats": seats, **more})
        if answer.status_code != 503 or time.monotonic() > until:
            assert answer.status_code == 201, answer.text
            return dict(answer.json())
        time.sleep(LOOK_EVERY)


@contextmanager
def served(folder: Path, **more: Any) -> Iterator[Place]:
    """A server in a thread, without limits of rates and without waiting between a bot's moves."""
    how: dict[str, Any] = {"port": 0, "showing": 0.0, "limits": False, "bot_processes": 1, **more}
    server = make_server(Settings(folder=folder, **how))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        until = time.monotonic() + READY_WITHIN
        while not server.started and time.monotonic() < until:
            time.sleep(LOOK_EVERY)
        port = server.servers[0].sockets[0].getsockname()[1]
        yield Place(f"http://127.0.0.1:{port}")
    finally:
        server.should_exit = True
        thread.join(READY_WITHIN)
