"""What happens by itself: clocks run out, players are gone, seats come back."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from embertown.server.hall import Hall
from embertown.server.room import Room
from embertown.server.store.database import Database
from embertown.server.store.writer import Writer
from tests.server.client import Server, id_of, seated, serving
from tests.server.tables import Play


@pytest.fixture(scope="module")
def impatient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that soon gives up on who is gone, and whose bots take their time."""
    with serving(tmp_path_factory.mktemp("impatient") / "data", away=0.2, showing=20.0) as running:
        yield running


def test_who_is_gone_is_replaced_and_has_the_seat_back_with_its_turn(impatient: Server) -> None:
    lives = seated(impatient, "cronberg", 2)
    gone = next(live for live in lives if live.seat in live.waiting)
    other = lives[1 - gone.seat]
    seat = gone.seat
    gone.close()
    other.wait_for(lambda it: it.table["seats"][seat]["bot"])
    assert other.table["seats"][seat]["person"]
    back = gone.guest.live(id_of(gone))
    assert not back.turns
    assert back.refused(type="play", seat=seat, number=back.number + 1, action="draw") == "bot_plays"
    back.ask(type="stand_in", seat=seat, bot=None)
    back.caught_up()
    assert back.turns[seat]["legal"], "told what there is to do, though nothing was played meanwhile"
    back.play(back.turns[seat]["legal"][0]["text"])


def test_a_clock_that_runs_out_gives_the_seat_to_a_bot(impatient: Server) -> None:
    lives = seated(impatient, "cronberg", 2, clock={"total": 1, "per_move": None})
    live = next(each for each in lives if each.seat in each.waiting)
    live.wait_for(lambda it: "flag" in it.texts and it.table["seats"][live.seat]["bot"])
    assert live.texts[-2:] == ["flag", f"seat {live.seat}: bot journeyman"]
    assert live.status == "playing"
    live.ask(type="stand_in", seat=live.seat, bot=None)
    live.caught_up()
    assert live.table["clocks"][live.seat]["total"] > 30
    live.play(live.turns[live.seat]["legal"][0]["text"])
    other = lives[1 - live.seat]
    other.caught_up()
    assert other.table["clocks"][other.seat]["total"] == 1


def test_a_table_over_days_waits(impatient: Server) -> None:
    lives = seated(impatient, "cronberg", 2, pace="days")
    gone = next(live for live in lives if live.seat in live.waiting)
    live = seated(impatient, "cronberg", 2)
    away = next(each for each in live if each.seat in each.waiting)
    gone.close()
    away.close()
    here = live[1 - away.seat]
    here.wait_for(lambda it: it.table["seats"][away.seat]["bot"])  # this one was replaced, later than the other left
    other = lives[1 - gone.seat]
    other.caught_up()
    assert other.table["seats"][gone.seat]["bot"] is None


class Listener:
    """Somebody who follows a table and keeps what is said."""

    def __init__(self, guest: str | None = None) -> None:
        self.guest, self.viewer, self.muted = guest, None, set[str]()
        self.heard: list[str] = []

    def send(self, text: str) -> None:
        self.heard.append(text)

    def close(self, code: str) -> None:
        raise AssertionError(code)


def test_who_leaves_while_something_is_written_changes_nothing_before_it_is(tmp_path: Path) -> None:
    """What is due is found out from a table in memory, which runs ahead of the disk under the lock."""

    async def leaving() -> None:
        database = Database.open(tmp_path / "tables.db")
        hall = Hall(database, Writer(database))
        room = Room(Play.begun(0, 1).table)
        hall.rooms[room.table.row.id] = room
        states: list[tuple[bool, int]] = []
        hall.on_change = lambda each: states.append((each.lock.locked(), len(each.connections)))
        goes, writes, stays = Listener(), Listener(), Listener()
        for each in (goes, writes, stays):
            async with room.lock:
                hall.enter(room, each)
        states.clear()
        async with room.lock:
            hall.leave(room, writes)
            await asyncio.sleep(0)
            assert states == []
        while not states:
            await asyncio.sleep(0)
        assert states == [(True, 2)], "under the lock, when it is free"
        await asyncio.sleep(0)
        hall.leave(room, goes)
        assert states == [(True, 2), (False, 1)]
        assert json.loads(stays.heard[-1])["spectators"] == 1
        hall.leave(room, stays)
        assert hall.rooms == {}
        assert hall.connections == 0
        database.close()

    asyncio.run(leaving())
