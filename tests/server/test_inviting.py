"""Links, looked at before they are used: who invites and to what; and that looking gives nothing more than the link."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest

from embertown.core.locale import LANGUAGES, catalogue
from embertown.server.limits import RATES, Kind
from tests.server.client import Guest, Server, serving

TITLE = {language: catalogue("drunter", language)["editions"]["schilda"] for language in LANGUAGES}
CLOCK = {"total": 900.0, "per_move": None}


def look(guest: Guest, token: str, language: str = "en") -> httpx.Response:
    return guest.request("GET", "/api/claims", headers={"embertown-link": token, "accept-language": language})


def told(guest: Guest, token: str) -> dict[str, Any]:
    answer = look(guest, token)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def refused(guest: Guest, token: str) -> tuple[int, str]:
    answer = look(guest, token)
    assert answer.json().keys() == {"code", "rule", "places", "sentence"}, "nothing of the table is told"
    return answer.status_code, answer.json()["code"]


def test_a_stranger_sees_who_invites_and_to_what(server: Server) -> None:
    host = server.guest("Anna")
    wish = {"options": {"variant": True}, "pace": "days", "clock": CLOCK, "games": 3, "first": 2, "title": "Friday"}
    made = host.make("drunter", ["me", "open", "greedy"], **wish)
    assert told(server.stranger(), made["links"][1]) == {
        "kind": "seat",
        "seat": 1,
        "host": "Anna",
        "yours": False,
        "table": None,
        "title": "Friday",
        "game": "drunter",
        "edition": "schilda",
        "edition_title": TITLE,
        "options": {"variant": True},
        "first": 2,
        "games": 3,
        "pace": "days",
        "clock": CLOCK,
        "status": "open",
        "seats": [
            {"name": "Anna", "bot": None, "person": True, "yours": False},
            {"name": None, "bot": None, "person": False, "yours": False},
            {"name": "greedy", "bot": "greedy", "person": False, "yours": False},
        ],
    }


def test_looking_uses_nothing_up(server: Server) -> None:
    host, friend = server.guest("Anna"), server.guest("Ben")
    made = host.make("cronberg", ["me", "open"])
    for _ in range(3):
        assert told(friend, made["links"][1])["seat"] == 1
    assert friend.get("/api/tables/mine").json() == []
    assert friend.get(f"/api/tables/{made['table']}").status_code == 404, "a look opens no table"
    assert friend.claim(made["links"][1]).json() == {"table": made["table"], "seat": 1}


def test_a_link_that_opens_nothing_says_so(server: Server) -> None:
    host, friend, late = (server.guest(name) for name in ("Anna", "Ben", "Cleo"))
    made = host.make("cronberg", ["me", "open", "open"])
    assert refused(late, "x" * 32) == (404, "link_unknown")
    assert refused(late, "") == (404, "link_unknown")
    assert refused(late, made["links"][1][:-1]) == (404, "link_unknown")
    assert refused(late, made["table"]) == (404, "link_unknown"), "an id opens nothing"
    assert refused(late, made["watch"]) == (404, "link_unknown")
    friend.claim(made["links"][1])
    assert refused(late, made["links"][1]) == (410, "link_used")
    host.post(f"/api/tables/{made['table']}/links", {"seat": 2})
    assert refused(late, made["links"][2]) == (410, "link_used")


def test_after_the_end_nobody_sits_down(server: Server) -> None:
    host, late = server.guest("Anna"), server.guest("Ben")
    made = host.make("cronberg", ["me", "open"])
    host.live(made["table"]).ask(type="abort")
    assert refused(late, made["links"][1]) == (410, "table_ended")
    assert late.claim(made["links"][1]).json()["code"] == "table_ended"


def test_who_sits_there_by_it_finds_the_table_again(server: Server) -> None:
    """Also by a link that is used up: it may be all that they kept."""
    host, friend = server.guest("Anna"), server.guest("Ben")
    made = host.make("cronberg", ["me", "open"])
    assert told(host, made["links"][1])["table"] == made["table"]
    assert told(host, made["links"][1])["yours"]
    friend.claim(made["links"][1])
    again = told(friend, made["links"][1])
    assert (again["table"], again["seats"][1]["yours"], again["yours"]) == (made["table"], True, False)
    assert refused(host, made["links"][1]) == (410, "link_used")


def test_a_seat_that_moves_is_told_as_such(server: Server) -> None:
    host = server.guest("Anna")
    made = host.make("cronberg", ["me", "open"])
    token = host.post(f"/api/tables/{made['table']}/links", {"seat": 0}).json()["token"]
    found = told(server.stranger(), token)
    assert (found["kind"], found["seat"], found["seats"][0]["name"]) == ("move", 0, "Anna")


def test_a_seat_that_was_given_away_otherwise_is_taken(server: Server) -> None:
    """At a public table somebody else may be faster than the one who has the link."""
    host, fast, late = (server.guest(name) for name in ("Anna", "Ben", "Cleo"))
    made = host.make("cronberg", ["me", "open"], public=True, autostart=False)
    assert told(late, made["links"][1])["table"] == made["table"], "everybody may go there"
    fast.post(f"/api/tables/{made['table']}/join", {"seat": 1})
    assert refused(late, made["links"][1]) == (409, "seat_taken")


def test_a_link_for_watching_tells_the_same(server: Server) -> None:
    host, watcher = server.guest("Anna"), server.stranger()
    made = host.make("cronberg", ["me", "open"])
    address = f"/api/tables/{made['table']}/invitation"
    found = watcher.get(address, watch=made["watch"]).json()
    assert (found["kind"], found["seat"], found["host"], found["table"]) == ("watch", None, "Anna", made["table"])
    for wrong in (None, "x" * 32, made["links"][1]):
        answer = watcher.get(address, watch=wrong)
        assert (answer.status_code, answer.json()["code"]) == (404, "no_such_table")


def test_no_id_and_no_secret_is_told(server: Server) -> None:
    host, friend = server.guest("Anna"), server.guest("Ben")
    made = host.make("drunter", ["me", "open", "open"])
    friend.claim(made["links"][1])
    text = look(server.stranger(), made["links"][2]).text
    for secret in (made["table"], made["watch"], *made["links"].values(), host.facts["recovery"]):
        assert secret not in text


@pytest.mark.parametrize(("language", "word"), [("en", "used"), ("de", "verbraucht"), ("fr", "servi")])
def test_it_is_said_in_the_readers_language(server: Server, language: str, word: str) -> None:
    host, friend = server.guest("Anna"), server.guest("Ben")
    made = host.make("cronberg", ["me", "open"])
    friend.claim(made["links"][1])
    assert word in look(server.stranger(), made["links"][1], language).json()["sentence"]


def test_nobody_tries_links_for_ever(tmp_path: Path) -> None:
    with serving(tmp_path / "data", limits=True) as running:
        stranger = running.stranger()
        burst = RATES[Kind.LINKS, "address"].burst
        answers = [look(stranger, f"{number:032d}") for number in range(burst)]
        assert {(each.status_code, each.json()["code"]) for each in answers} == {(404, "link_unknown")}
        while len(answers) < 4 * burst and answers[-1].status_code != 429:  # a slow machine gives time for some more
            answers.append(look(stranger, "x" * 32))
        assert answers[-1].json()["code"] == "too_many_links"
