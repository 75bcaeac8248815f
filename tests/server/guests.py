"""Guests of a real server, as browsers and as programs, and the tables that they make."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

import httpx
import websockets.sync.client as ws

TIMEOUT = 60.0
"""Seconds for an answer, or a message that is waited for."""


class Place:
    """Where a server is found; everyone who came is let go at the end."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._open = ExitStack()

    def __enter__(self) -> Place:
        return self

    def __exit__(self, *what: object) -> None:
        self._open.close()

    def _client(self, **headers: str) -> httpx.Client:
        return self._open.enter_context(httpx.Client(base_url=self.address, headers=headers, timeout=TIMEOUT))

    def guest(self, name: str) -> httpx.Client:
        """A new guest, as a browser of the server's own page."""
        client = self._client(origin=self.address)
        assert client.post("/api/guests", json={"name": name}).status_code == 201
        return client

    def program(self, client: httpx.Client) -> httpx.Client:
        """A program that plays for a guest."""
        token = client.post("/api/tokens", json={"label": "test"}).json()["token"]
        return self._client(authorization=f"Bearer {token}")

    def live(self, client: httpx.Client | None, table: str) -> ws.ClientConnection:
        """The live connection of a guest, or of nobody in particular, to a table."""
        headers = {"origin": self.address}
        if client is not None:
            headers["cookie"] = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
        address = self.address.replace("http", "ws", 1)
        connection = ws.connect(f"{address}/api/tables/{table}/live", additional_headers=headers)
        return self._open.enter_context(connection)


def make_table(client: httpx.Client, game: str, *seats: str, **more: Any) -> dict[str, Any]:
    """A new table: its id and the tokens of its links."""
    answer = client.post("/api/tables", json={"game": game, "seats": seats, **more})
    assert answer.status_code == 201, answer.text
    return dict(answer.json())
