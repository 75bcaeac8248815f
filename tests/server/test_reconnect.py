"""A server that is killed in the middle: what was acknowledged is there, and everything goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from embertown.games import GameRecord
from tests.server.client import Guest, Live, ServerProcess, id_of, seated


@pytest.mark.parametrize("game", ["cronberg", "drunter"])
def test_killed_and_started_again_it_goes_on_where_it_was(tmp_path: Path, game: str) -> None:
    server = ServerProcess(tmp_path / "data")
    try:
        server.start()
        server.wait()
        lives = seated(server, game, 2, ("greedy",))
        lives[0].ask(type="say", text="before")
        acknowledged = [play_one(lives) for _ in range(8)]
        lives[0].ask(type="stand_in", seat=0, bot="greedy", id="away")  # a bot is due when it comes back
        known = {live.guest: (live.number, dict(enumerate(live.texts))) for live in lives}
        table = id_of(lives[0])
        guests = [live.guest for live in lives]
        server.kill()
        server.start()
        server.wait()
        back = [guest.live(table, since=0) for guest in guests]
        for live in back:
            number, texts = known[live.guest]
            assert live.number >= number
            revealed = {index: text for index, text in texts.items() if not text.endswith("(hidden)")}
            assert {index: live.texts[index] for index in revealed} == revealed
            assert live.of("chat")[0]["lines"][0]["text"] == "before"
        for who, wish, number in acknowledged:
            assert back[who].ask(**wish)["number"] == number, "a repeat is answered as before"
        assert back[0].ask(type="stand_in", seat=0, bot="greedy", id="away")["number"]
        numbers = [each["number"] for each in back[0].table["log"]]
        assert numbers == list(range(1, len(numbers) + 1))
        finish(back)
        record = GameRecord.from_json(guests[0].get(f"/api/tables/{table}/record").text)
        record.replay()
    finally:
        server.stop()


def play_one(lives: list[Live]) -> tuple[int, dict[str, object], int]:
    """The next decision of a person: who, the message, and the number it got."""
    while True:
        for who, live in enumerate(lives):
            live.caught_up()
            if live.seat in live.waiting and live.seat in live.turns:
                action = live.turns[live.seat]["legal"][0]["text"]
                wish = {"type": "play", "seat": live.seat, "number": live.number + 1, "action": action}
                wish["id"] = live.new_id()
                number = live.ask(**wish)["number"]
                live.caught_up()
                return who, wish, number


def finish(lives: list[Live]) -> None:
    """Bots play both seats to the end."""
    for live in lives:
        live.ask(type="stand_in", seat=live.seat, bot="greedy")
    lives[0].wait_for(lambda it: it.status == "over")


def test_who_comes_before_the_waking_does_not_pay_for_the_time_away(tmp_path: Path) -> None:
    """The clocks are resumed by whatever reads the table first."""
    server = ServerProcess(tmp_path / "data")
    try:
        server.start()
        server.wait()
        lives = seated(server, "cronberg", 2, clock={"total": 600, "per_move": 300})
        table, guest = id_of(lives[0]), lives[0].guest
        server.kill()
        server.start()
        live = early(guest, table)
        assert "clock resumed" in live.texts
        assert not [text for text in live.texts if text == "flag"]
    finally:
        server.stop()


def early(guest: Guest, table: str) -> Live:
    """As soon as the server listens, long before the bots are warm."""
    return guest.live(table)
