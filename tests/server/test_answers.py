"""What requests are answered with where something is wrong with them, with the store, or with an old cookie."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing

import httpx
import pytest
from itsdangerous import TimestampSigner

from embertown.server.identity import COOKIE, Guests
from embertown.server.keys import Keys
from embertown.server.store.database import Database
from embertown.server.store.writer import Writer
from tests.conftest import JIT_OFF
from tests.server.client import Refusal, Server

pytestmark = pytest.mark.skipif(JIT_OFF, reason="a server plays with compiled kernels")

A_DAY = 24 * 3600


def aged(server: Server, cookie: str, days: float) -> str:
    """The same guest's cookie, as it was given so many days ago."""
    database = Database.open_to_read(server.database)
    try:
        keys = Keys.at(server.folder)
        guests = Guests(database, Writer(database), keys, clock=lambda: time.time() - days * A_DAY)
        signer: TimestampSigner = guests._signer
        return signer.sign(cookie.partition(".")[0]).decode("ascii")
    finally:
        database.close()


@pytest.mark.parametrize(("days", "renewed"), [(0, False), (29, False), (31, True), (399, True)])
def test_who_comes_back_keeps_a_cookie_that_lasts(server: Server, days: float, renewed: bool) -> None:
    guest = server.guest("Anna")
    old = aged(server, guest.http.cookies[COOKIE], days)
    answer = httpx.get(f"{server.base}/api/me", headers={"cookie": f"{COOKIE}={old}"}, trust_env=False)
    assert (answer.status_code, answer.json()["name"]) == (200, "Anna")
    assert (COOKIE in answer.cookies) == renewed
    if renewed:
        fresh = answer.cookies[COOKIE]
        again = httpx.get(f"{server.base}/api/me", headers={"cookie": f"{COOKIE}={fresh}"}, trust_env=False)
        assert again.json()["name"] == "Anna"
        assert COOKIE not in again.cookies


def test_a_cookie_that_is_too_old_opens_nothing(server: Server) -> None:
    old = aged(server, server.guest("Anna").http.cookies[COOKIE], 401)
    assert httpx.get(f"{server.base}/api/me", headers={"cookie": f"{COOKIE}={old}"}, trust_env=False).status_code == 401


@pytest.mark.parametrize("body", [b"[" * 100_000, b"\xff\xfe", b'{"name": '])
def test_a_body_that_can_t_be_read_is_called_that(server: Server, body: bytes) -> None:
    headers = {"content-type": "application/json"}
    answer = httpx.post(f"{server.base}/api/guests", content=body, headers=headers, trust_env=False)
    assert answer.status_code in (400, 422)
    assert answer.json()["code"] == "malformed_request"


def test_what_is_wrong_is_said_in_the_language_asked_for(server: Server) -> None:
    guest = server.guest("Anna")
    table = guest.make("cronberg", ["me", "me"])["table"]
    actions, bots = set(), set()
    for language in ("en", "de", "fr"):
        live = guest.live(table, language=language)
        with pytest.raises(Refusal) as refusal:
            live.play("tokn a1", seat=live.waiting[0])
        assert refusal.value.code == "malformed"
        assert "'tokn a1'" in refusal.value.message["sentence"]
        actions.add(refusal.value.message["sentence"])
        wish = {"game": "cronberg", "seats": ["me", "wizard"]}
        answer = guest.request("POST", "/api/tables", json=wish, headers={"accept-language": language})
        assert "'wizard'" in answer.json()["sentence"]
        bots.add(answer.json()["sentence"])
    assert len(actions) == len(bots) == 3


def test_what_can_t_be_stored_is_no_fault_of_the_request(server: Server) -> None:
    """Another program keeps the database for longer than the server waits for it."""
    guest = server.guest("Anna")
    live = guest.live(guest.make("cronberg", ["me", "me"])["table"])
    with closing(sqlite3.connect(server.database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        answer = server.stranger().post("/api/guests", {"name": "Ben"})
        assert (answer.status_code, answer.json()["code"]) == (503, "not_stored")
        assert live.refused(type="say", text="hello") == "not_stored"
        other.execute("ROLLBACK")
    assert live.ask(type="say", text="hello")["number"] == 1
