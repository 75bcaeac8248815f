"""What is gzipped, and what is not: everything that holds a secret."""

from __future__ import annotations

from pathlib import Path

import httpx
import orjson
import pytest

from embertown.games import load
from tests.conftest import JIT_OFF
from tests.server.client import Guest, Server

pytestmark = pytest.mark.skipif(JIT_OFF, reason="a server plays with compiled kernels")
RECORDS = sorted((Path(__file__).parents[1] / "records").glob("*.json"))
PLAIN = {"accept-encoding": "identity"}


def encoding(answer: httpx.Response) -> str:
    assert answer.is_success, answer.text
    return str(answer.headers.get("content-encoding", "identity"))


def both(guest: Guest, method: str, path: str, **sent: object) -> tuple[httpx.Response, httpx.Response]:
    """An answer as browsers ask for it, and to somebody who takes no gzip."""
    return guest.request(method, path, **sent), guest.request(method, path, headers=PLAIN, **sent)


def test_editions_and_what_spectators_see_are_packed(server: Server) -> None:
    guest = server.guest("Anna")
    table = guest.make("cronberg", ["me", "me"])["table"]
    shipped = f"/api/games/cronberg/editions/{load('cronberg').edition.id}"
    for path in (shipped, f"/api/tables/{table}/edition", f"/api/tables/{table}/replay"):
        packed, plain = both(guest, "GET", path)
        assert (encoding(packed), encoding(plain)) == ("gzip", "identity"), path
        assert packed.json() == plain.json()
        assert packed.headers["vary"] == plain.headers["vary"] == "accept-encoding"
        assert int(packed.headers["content-length"]) < int(plain.headers["content-length"]) / 2


def test_a_record_s_replay_is_packed(server: Server) -> None:
    packed, plain = both(
        server.guest("Anna"), "POST", "/api/records/replay", json=orjson.loads(RECORDS[0].read_bytes())
    )
    assert (encoding(packed), encoding(plain)) == ("gzip", "identity")
    assert packed.json() == plain.json()


def test_both_ways_have_tags_of_their_own(server: Server) -> None:
    guest = server.guest("Anna")
    path = f"/api/games/cronberg/editions/{load('cronberg').edition.id}"
    packed, plain = both(guest, "GET", path)
    tags = packed.headers["etag"], plain.headers["etag"]
    assert tags[0] != tags[1]
    for tag, known in zip(tags, ({}, PLAIN), strict=True):
        assert guest.request("GET", path, headers={**known, "if-none-match": tag}).status_code == 304
    assert guest.request("GET", path, headers={**PLAIN, "if-none-match": tags[0]}).status_code == 200


def test_what_holds_a_secret_is_not_packed(server: Server) -> None:
    guest = server.guest("Anna")
    table = guest.make("drunter", ["me", "me"])["table"]
    asked = [
        guest.request("POST", "/api/tables", json={"game": "drunter", "seats": ["me", "open"]}),
        guest.request("GET", "/api/me"),
        guest.request("POST", "/api/me/recovery"),
        guest.request("GET", "/api/tables/mine"),
        guest.request("GET", f"/api/tables/{table}/replay", params={"seat": 0}),
        guest.request("GET", f"/api/tables/{table}/record", params={"seat": 0}),
    ]
    assert [encoding(each) for each in asked] == ["identity"] * len(asked)


def test_the_stream_for_programs_is_not_packed(server: Server) -> None:
    guest = server.guest("Anna")
    token = guest.post("/api/tokens", {"label": "program"}).json()["token"]
    headers = {"authorization": f"Bearer {token}", "accept-encoding": "gzip"}
    with httpx.stream("GET", f"{server.base}/api/bot/events", headers=headers, trust_env=False) as stream:
        assert encoding(stream) == "identity"
