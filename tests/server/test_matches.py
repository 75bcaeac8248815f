"""Rematches, and matches of several games: seats stay, the start passes on, scores carry over."""

from __future__ import annotations

from embertown.games import GameRecord
from tests.server.client import Live, Server, id_of, seated, until


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
    again = lives[1].guest.live(tables.pop())
    assert again.mine == [1]
    assert again.status == "playing"
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
        live.ask(type="stand_in", seat=0, bot="greedy")
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
