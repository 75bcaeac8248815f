"""A server that is killed in the middle: what was acknowledged is there, and everything goes on."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from embertown.games import GameRecord
from tests.server.client import Live, Server, id_of, seated, serving
from tests.server.servers import served


class Evening:
    """Two people and a bot in the middle of a game; one has just given the seat to a bot."""

    def __init__(self, server: Server, game: str) -> None:
        self.lives = seated(server, game, 2, ("greedy",))
        self.lives[0].ask(type="say", text="before")
        self.acknowledged = [play_one(self.lives) for _ in range(8)]
        self.lives[0].ask(type="stand_in", seat=0, bot="greedy", id="away")  # a bot is due when the server comes back
        self.known = [(live.number, dict(enumerate(live.texts))) for live in self.lives]
        self.table = id_of(self.lives[0])
        self.guests = [live.guest for live in self.lives]

    def goes_on(self) -> None:
        """All is there, repeats are answered as before, and the game can be played to its end."""
        back = [guest.live(self.table) for guest in self.guests]
        for live, (number, texts) in zip(back, self.known, strict=True):
            assert live.number >= number
            seen = {index: text for index, text in texts.items() if not text.endswith("(hidden)")}
            assert {index: live.texts[index] for index in seen} == seen
            assert live.of("chat")[0]["lines"][0]["text"] == "before"
        for who, wish, number in self.acknowledged:
            assert back[who].ask(**wish)["number"] == number
        assert back[0].ask(type="stand_in", seat=0, bot="greedy", id="away")["number"]
        numbers = [each["number"] for each in back[0].table["log"]]
        assert numbers == list(range(1, len(numbers) + 1))
        for live in back:
            live.ask(type="stand_in", seat=live.seat, bot="greedy")
        back[0].wait_for(lambda it: it.status == "over")
        GameRecord.from_json(self.guests[0].get(f"/api/tables/{self.table}/record").text).replay()


def play_one(lives: list[Live]) -> tuple[int, dict[str, Any], int]:
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


def test_killed_and_started_again_all_tables_go_on_where_they_were(tmp_path: Path) -> None:
    with served(tmp_path / "data", "--bots", 1, "--no-limits", "--showing", 0) as process:
        port = int(process.address.rpartition(":")[2])
        process.flags += ("--port", port)  # when it comes back it is found where it was
        server = Server(port, process.folder)
        evenings = [Evening(server, game) for game in ("cronberg", "drunter")]
        timed = seated(server, "cronberg", 2, clock={"total": 600, "per_move": 300})[0]
        process.kill()
        process.start(warm=False)
        early = timed.guest.live(id_of(timed))  # long before the bots are warm and the tables woken
        assert early.texts[-1] == "clock resumed", "the time away is not charged to who comes first"
        process.wait_until_healthy()
        for evening in evenings:
            evening.goes_on()
        early.caught_up()
        assert early.texts.count("clock resumed") == 1
        assert "flag" not in early.texts
        server.close()


def test_what_was_sent_before_a_restart_is_not_done_again(tmp_path: Path) -> None:
    """Who does not know whether a message arrived sends it again, to a server that knows only what it stored."""
    start, said = {"type": "start", "id": "b1"}, {"type": "say", "id": "s1", "text": "hello"}
    report = {"type": "report", "id": "r1", "text": "look at this"}
    with serving(tmp_path / "data") as first:
        host = first.guest("Host")
        table = host.make("cronberg", ["me", "me"], autostart=False)["table"]
        code = host.facts["recovery"]
        live = host.live(table)
        answers = [live.ask(**each) for each in (start, said, report)]
    with serving(tmp_path / "data") as second:
        again = second.stranger()
        assert again.post("/api/recover", {"code": code}).status_code == 200
        back = again.live(table)
        assert [back.ask(**each) for each in (start, said, report)] == answers
        assert back.texts.count("start") == 1
        assert back.ask(type="say", id="s2", text="hello")["number"] == 2
        with closing(sqlite3.connect(second.database)) as database:
            assert database.execute("SELECT text FROM chat").fetchall() == [("hello",), ("hello",)]
            assert database.execute("SELECT text FROM reports").fetchall() == [("look at this",)]
