"""What happens by itself: clocks run out, players are gone, seats come back; and what happens though nobody waits."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from embertown.server import messages
from embertown.server.app import put_together
from embertown.server.hall import Hall
from embertown.server.identity import hash_of
from embertown.server.keys import Keys
from embertown.server.making import Wanted
from embertown.server.room import Room
from embertown.server.services import Services
from embertown.server.settings import Settings
from embertown.server.store import queries
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
    assert live.texts[-2:] == ["flag", f"seat {live.seat}: bot foreman"]
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


# ---- callers that are gone


class Ear:
    """Somebody who follows a table, and keeps what they hear."""

    is_program = False

    def __init__(self, guest: str | None = None, viewer: int | None = None) -> None:
        self.guest, self.viewer = guest, viewer
        self.muted: set[str] = set()
        self.heard: list[dict[str, Any]] = []

    def send(self, text: str) -> None:
        self.heard.append(json.loads(text))

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
        goes, writes, stays = Ear(), Ear(), Ear()
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
        assert stays.heard[-1]["spectators"] == 1
        hall.leave(room, stays)
        assert hall.rooms == {}
        assert hall.connections == 0
        database.close()

    asyncio.run(leaving())


def test_a_caller_that_is_cancelled_takes_nothing_back(tmp_path: Path) -> None:
    """A decision on its way to the disk is told to everyone when it is there, whether or not its sender still waits."""

    async def play() -> None:
        settings = Settings(folder=tmp_path)
        services = put_together(settings, Keys.at(tmp_path), Database.open(settings.database_address))
        await services.writer.start()
        try:
            await cancelled(services)
        finally:
            await services.driver.stop()
            await services.writer.stop()
            services.database.close()

    asyncio.run(play())


async def cancelled(services: Services) -> None:
    guests = [(await services.guests.create(name))[0] for name in ("Anna", "Ben")]
    made = await services.maker.make(guests[0], Wanted("cronberg", ["me", "open"]))
    await services.maker.claim(guests[1], hash_of(made.links[1]), None)
    room = await services.hall.room(made.table)
    seat = room.table.waiting[0]
    ear = Ear(guests[1 - seat].id, 1 - seat)
    services.hall.enter(room, ear)
    before = room.table.number
    wish = messages.Play(id="m1", type="play", seat=seat, number=before + 1, action="token d4")
    playing = asyncio.create_task(services.hall.play(room, guests[seat].id, wish))
    while services.writer.waiting == 0 and not playing.done():
        await asyncio.sleep(0)
    playing.cancel()
    with suppress(asyncio.CancelledError):
        await playing
    assert playing.cancelled()
    while not any(message["type"] == "entries" for message in ear.heard):
        await asyncio.sleep(0.001)
    logged = await services.database.read(queries.entries, made.table, before)
    assert [entry.text for entry in logged] == ["token d4"]
    assert await services.hall.play(room, guests[seat].id, wish) == before + 1  # a repeat is answered as it was
    assert room.table.number == before + 1
