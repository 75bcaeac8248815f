"""Rematches, and matches of several games: seats stay, the start passes on, scores carry over."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from embertown.games import GameRecord
from embertown.server import fair
from tests.server.client import Live, Server, id_of, seated, serving, until


def next_table(live: Live) -> str:
    live.wait_for(lambda it: it.of("next") and it.of("next")[-1]["table"])
    return str(live.of("next")[-1]["table"])


def test_a_rematch_begins_when_all_have_asked_and_the_start_passes_on(server: Server) -> None:
    lives = seated(server, "drunter", 2, ("random",), options={"variant": True})
    assert lives[0].refused(type="rematch") == "not_over"
    lives[0].ask(type="resign", seat=0)
    first = next(int(text[6:]) for text in lives[0].texts if text.startswith("first "))
    lives[0].ask(type="rematch")
    lives[1].caught_up()
    assert lives[1].of("next")[-1] == {"type": "next", "table": None, "asked": [0]}
    lives[1].ask(type="rematch")
    tables = {next_table(live) for live in lives}
    assert len(tables) == 1
    table = tables.pop()
    again = lives[1].guest.live(table)
    assert again.mine == [1]
    assert again.status == "open"
    for seat, live in enumerate(lives):
        live.guest.live(table).ask(type="entropy", seat=seat, entropy=f"of seat {seat}")
    again.wait_for(lambda it: it.status == "playing")
    assert again.table["table"]["options"] == {"variant": True}
    assert f"first {(first + 1) % 3}" in again.texts
    assert again.table["fair"]["commitment"] != lives[0].table["fair"]["commitment"]
    assert lives[0].guest.live(id_of(lives[0])).table["next"] == id_of(again)


def test_a_match_of_three_games_carries_the_scores_and_passes_the_start_on(server: Server) -> None:
    guest = server.guest("Anna")
    made = guest.make("cronberg", ["me", "greedy", "random"], games=3)
    live = guest.live(made["table"])
    scores, first = [0, 0, 0], None
    for game in (1, 2, 3):
        assert live.table["table"]["match"]["game"] == game
        began = next(int(text[6:]) for text in live.texts if text.startswith("first "))
        assert first is None or began == (first + 1) % 3
        first = began
        if game == 1:
            live.ask(type="stand_in", seat=0, bot="greedy")  # and goes on to: entropy is waited for from nobody
        live.wait_for(lambda it: it.status == "over")
        record = guest.get(f"/api/tables/{id_of(live)}/record").json()
        GameRecord.from_dict(record).replay()
        assert record.get("start_scores", [0, 0, 0]) == scores
        scores = record["scores"]
        if game < 3:
            following = next_table(live)
            live.close()
            live = guest.live(following)
            assert live.mine == [0]
    assert live.table["next"] is None
    assert until(lambda: guest.get(f"/api/tables/{id_of(live)}").json()["status"] == "over")


def ended(lives: list[Live]) -> str:
    """The table of a rematch, after a game that was given up."""
    lives[0].ask(type="resign", seat=0)
    for live in lives:
        live.ask(type="rematch")
    return next_table(lives[0])


def test_what_players_add_after_the_commitment_decides_a_rematch(server: Server) -> None:
    lives = seated(server, "cronberg", 2)
    again = [live.guest.live(table) for table in [ended(lives)] for live in lives]
    published = again[0].table["fair"]
    assert published["entropy"] == [None, None]
    assert again[0].refused(type="entropy", seat=1, entropy="for another") == "not_your_seat"
    assert again[0].refused(type="entropy", seat=0, entropy="two\nlines") == "bad_entropy"
    wish = {"type": "entropy", "id": "e1", "seat": 0, "entropy": "my dice: 3 6 1"}
    number = again[0].ask(**wish)["number"]
    assert again[0].ask(**wish)["number"] == number
    assert again[0].refused(type="entropy", seat=0, entropy="other dice") == "entropy_sent"
    again[1].caught_up()
    assert again[1].status == "open", "the other is waited for"
    assert again[1].table["fair"]["entropy"] == ["my dice: 3 6 1", None]
    again[1].ask(type="entropy", seat=1, entropy="mine: 2 2")
    again[0].wait_for(lambda it: it.status == "playing")
    assert again[0].refused(type="entropy", seat=0, entropy="late") == "already_started"
    for live in again:
        live.ask(type="stand_in", seat=live.seat, bot="greedy")
    again[0].wait_for(lambda it: it.status == "over")
    record = GameRecord.from_dict(again[0].guest.get(f"/api/tables/{id_of(again[0])}/record").json())
    proven = fair.verify(record, published=published["commitment"], sent="my dice: 3 6 1")
    assert proven.entropy == ("my dice: 3 6 1", "mine: 2 2")
    assert proven.draws > 0
    with pytest.raises(fair.Unproven):
        fair.verify(record, sent="other dice")


def test_the_next_game_of_a_match_waits_for_entropy(server: Server) -> None:
    guest = server.guest("Anna")
    live = guest.live(guest.make("cronberg", ["me", "greedy"], games=2, entropy="game 1")["table"])
    live.ask(type="resign", seat=0)
    following = guest.live(next_table(live))
    assert following.status == "open"
    following.ask(type="entropy", seat=0, entropy="game 2")
    following.wait_for(lambda it: it.status == "playing")
    following.ask(type="resign", seat=0)
    record = guest.get(f"/api/tables/{id_of(following)}/record").json()
    assert record["fair"]["entropy"] == ["game 2", None]


def test_who_leaves_takes_the_entropy_along(server: Server) -> None:
    host = server.guest("Host")
    made = host.make("cronberg", ["me", "open", "open"], entropy="host's")
    gone, other = server.guest("Gone"), server.guest("Other")
    gone.claim(made["links"][1], entropy="of one who left")
    gone.post(f"/api/tables/{made['table']}/leave", {"seat": 1})
    link = host.post(f"/api/tables/{made['table']}/links", {"seat": 1}).json()["token"]
    assert other.claim(link).status_code == 200
    assert host.live(made["table"]).table["fair"]["entropy"] == ["host's", None, None]


def test_a_rematch_begins_without_those_who_are_absent(tmp_path: Path) -> None:
    with serving(tmp_path / "data", gather=0.3) as impatient:
        lives = seated(impatient, "cronberg", 2)
        again = lives[0].guest.live(ended(lives))
        again.wait_for(lambda it: it.status == "playing")
        assert again.table["fair"]["entropy"] == [None, None]


def test_a_rematch_that_waits_begins_after_a_restart(tmp_path: Path) -> None:
    with serving(tmp_path / "data", gather=3600.0) as first:
        lives = seated(first, "cronberg", 2)
        table = ended(lives)
        waiting = lives[0].guest.live(table)
        waiting.ask(type="entropy", seat=0, entropy="before the restart")
        assert waiting.status == "open"
    with serving(tmp_path / "data", gather=0.0) as second:

        def begun() -> bool:
            with closing(sqlite3.connect(second.database)) as database:
                found = database.execute("SELECT status FROM tables WHERE id = ?", (table,)).fetchone()
            return bool(found == ("playing",))

        assert until(begun), "nobody asked for the table"
