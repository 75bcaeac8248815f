"""Who begins (C2.3, D2.4): by lot, or the seat that the host says; it changes no shuffle, and passes on in a match."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from embertown.games import GameRecord
from embertown.server import fair
from embertown.server.importing import brought_in, whole_record
from tests.server.client import Guest, Live, Server, id_of, serving, until


def began(live: Live) -> int:
    return next(int(text[6:]) for text in live.texts if text.startswith("first "))


def played_out(guest: Guest, game: str, players: int, **wish: Any) -> dict[str, Any]:
    """The record of a game that bots play to its end."""
    made = guest.make(game, ["greedy"] * players, **wish)
    until(lambda: guest.get(f"/api/tables/{made['table']}").json()["status"] == "over")
    record: dict[str, Any] = guest.get(f"/api/tables/{made['table']}/record").json()
    return record


@pytest.mark.parametrize(("game", "players"), [("cronberg", 2), ("drunter", 4)])
def test_every_seat_can_be_chosen(server: Server, game: str, players: int) -> None:
    guest = server.guest("Anna")
    for seat in range(players):
        live = guest.live(guest.make(game, ["me"] * players, first=seat)["table"])
        assert (began(live), live.waiting, live.table["table"]["first"]) == (seat, [seat], seat)


def test_nobody_chosen_is_by_lot(server: Server) -> None:
    guest = server.guest("Anna")
    tables = [guest.make("cronberg", ["me"] * 4, first=None)["table"] for _ in range(40)]
    lives = [guest.live(table) for table in tables]
    assert {live.table["table"]["first"] for live in lives} == {None}
    assert len({began(live) for live in lives}) > 1, "four seats, forty lots"


@pytest.mark.parametrize("first", [2, 3])
def test_a_seat_that_is_not_there_can_not_begin(server: Server, first: int) -> None:
    guest = server.guest("Anna")
    answer = guest.post("/api/tables", {"game": "cronberg", "seats": ["me", "me"], "first": first})
    assert (answer.status_code, answer.json()["code"]) == (422, "no_such_seat")
    assert f"seat {first + 1}" in answer.json()["sentence"]
    assert guest.get("/api/tables/mine").json() == []


def test_a_table_with_a_chosen_start_begins_at_once(server: Server) -> None:
    """It follows no other: nobody is waited for once all sit, though nobody but the host has sent entropy."""
    host, friend = server.guest("Anna"), server.guest("Ben")
    made = host.make("cronberg", ["me", "open"], first=1, entropy="of Anna")
    friend.claim(made["links"][1])
    live = friend.live(made["table"])
    assert (live.status, live.waiting) == ("playing", [1])


def test_in_a_match_the_start_passes_on_from_the_chosen_seat(server: Server) -> None:
    guest = server.guest("Anna")
    live = guest.live(guest.make("drunter", ["me", "greedy", "greedy"], games=2, first=2)["table"])
    assert began(live) == 2
    live.ask(type="resign", seat=0)
    live.wait_for(lambda it: it.of("next") and it.of("next")[-1]["table"])
    following = guest.live(str(live.of("next")[-1]["table"]))
    assert following.status == "open", "it follows another: entropy is waited for"
    assert following.table["table"]["first"] == 0
    following.ask(type="entropy", seat=0, entropy="game 2")
    following.wait_for(lambda it: it.status == "playing")
    assert began(following) == 0


@pytest.mark.parametrize(("game", "players"), [("cronberg", 3), ("drunter", 3)])
def test_the_shuffles_are_proven_and_the_lot_is_not_claimed(server: Server, game: str, players: int) -> None:
    """Whoever begins, the same seed deals and draws; that no lot was drawn is remarked, and `by_lot` refuses."""
    guest = server.guest("Anna")
    for seat in range(players):
        told = played_out(guest, game, players, first=seat)
        record = GameRecord.from_dict(told)
        proven = fair.verify(record)
        assert record.first == seat
        if not proven.first_by_lot:
            assert any("the table said who begins" in remark for remark in proven.remarks)
            with pytest.raises(fair.Unproven, match="first: is"):
                fair.verify(record, by_lot=True)
        made = brought_in(json.dumps(told), "x", "2026-11-16T01:02:03.004Z")
        assert whole_record(made.table()).to_dict() == told, "out and in again, the same game"
        assert not made.row.follows


def test_it_is_kept_over_a_restart(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as running:
        host = running.guest("Anna")
        made = host.make("cronberg", ["me", "open"], first=1)
    with serving(tmp_path / "data") as running:
        friend = running.guest("Ben")
        friend.claim(made["links"][1])
        live = friend.live(made["table"])
        assert (id_of(live), live.waiting) == (made["table"], [1])
