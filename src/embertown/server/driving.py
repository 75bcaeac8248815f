"""What happens at a table by itself: bots decide, clocks run out, players are gone, matches go on, people are told."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Sequence

from embertown.core.errors import EmbertownError
from embertown.server.clocks import seconds_of
from embertown.server.errors import Refused
from embertown.server.hall import Hall
from embertown.server.making import Maker
from embertown.server.notify import Notifier
from embertown.server.room import Room, Thought
from embertown.server.settings import Settings
from embertown.server.thinking import Thinkers

logger = logging.getLogger("embertown.server")

LAST_RESORT = "random"
"""Decides where a bot fails: a table must not stand still for ever."""
SEED_BITS = 48
CLOCK_TIMER = "clock"
AWAY_TIMER = "away"
START_TIMER = "start"


class Driver:
    """Sees to it, after every change of a table, that what is due happens."""

    def __init__(
        self,
        hall: Hall,
        maker: Maker,
        thinkers: Thinkers,
        notifier: Notifier,
        settings: Settings,
        warm: asyncio.Event,
    ) -> None:
        self.hall, self.maker, self.thinkers, self.notifier = hall, maker, thinkers, notifier
        self.settings, self.warm = settings, warm
        self._tasks: set[asyncio.Task[None]] = set()
        self._called: dict[str, set[str]] = {}
        """By table: the guests that were told elsewhere that it is their turn; also while it is not in memory."""
        hall.on_change, hall.on_idle = self.after_change, self.is_idle

    def after_change(self, room: Room) -> None:
        """Let what is due begin, and what is due no more end."""
        if room.is_dead:
            return
        self._let_bots_think(room)
        self._watch_clock(room)
        away = self._away(room)
        self._watch_for_gone_players(room, away)
        self._call_players(room, away)
        self._watch_start(room)
        if room.table.status == "over" and room.next_table is None and self._has_next_game(room):
            self.run(lambda: self._next_game(room))

    def is_idle(self, room: Room) -> bool:
        """Whether nothing is due at a table."""
        return not room.thoughts and not room.timers.keys() & {CLOCK_TIMER, START_TIMER}

    def run(self, work: Callable[[], Awaitable[None]]) -> None:
        """Let something happen in a task of its own, its failure logged."""

        async def safely() -> None:
            try:
                await work()
            except Refused as refused:
                logger.warning("%s", refused)
            except Exception:
                logger.exception("what was due at a table failed")

        task = asyncio.get_running_loop().create_task(safely())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def stop(self) -> None:
        """Nothing more happens by itself."""
        for room in list(self.hall.rooms.values()):
            room.stop()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # ---- bots

    def _let_bots_think(self, room: Room) -> None:
        table = room.table
        due = {seat: bot for seat in table.waiting if (bot := table.seats[seat].bot) is not None}
        for seat, thought in list(room.thoughts.items()):
            if due.get(seat) != thought.bot or not table.is_fresh(seat, thought.number + 1):
                thought.task.cancel()
                del room.thoughts[seat]
        for seat, bot in due.items():
            if seat not in room.thoughts:
                task = asyncio.get_running_loop().create_task(self._think(room, seat, bot, table.number))
                room.thoughts[seat] = Thought(table.number, bot, task)

    async def _think(self, room: Room, seat: int, bot: str, number: int) -> None:
        """Ask the bot, show that it thinks, and play what it says."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        room.tell_thinking(seat, bot, thinking=True)
        try:
            await self.warm.wait()  # people may be back before the bots are
            action = await self._ask(room, seat, bot)
            await asyncio.sleep(max(0.0, self.settings.showing - (loop.time() - began)))
            if self._thought_through(room, seat):
                await self.hall.play_bot(room, seat, bot, number, action)
        except EmbertownError as error:
            logger.warning("table %s: %s at seat %d: %s", room.table.row.id, bot, seat, error)
        finally:
            self._thought_through(room, seat)
            room.tell_thinking(seat, bot, thinking=False)

    def _thought_through(self, room: Room, seat: int) -> bool:
        """Whether the thought that ends now was still wanted; it stands in nobody's way any more."""
        thought = room.thoughts.get(seat)
        if thought is None or thought.task is not asyncio.current_task():
            return False
        del room.thoughts[seat]
        return True

    async def _ask(self, room: Room, seat: int, bot: str) -> str:
        """What a bot answers; where it fails, what the last resort does."""
        assert room.table.state is not None
        view = room.table.state.view(seat)
        seed = secrets.randbits(SEED_BITS)  # nobody can foresee a bot, and nothing of the shuffles is in it
        try:
            return (await self.thinkers.choose(view, bot, seed=seed)).action
        except EmbertownError as error:
            logger.warning("table %s: %s at seat %d failed: %s", room.table.row.id, bot, seat, error)
            return (await self.thinkers.choose(view, LAST_RESORT, seed=seed)).action

    # ---- clocks and players who are gone

    def _watch_clock(self, room: Room) -> None:
        table = room.table
        people = [] if table.clocks is None else [seat for seat in table.waiting if table.seats[seat].is_person]
        if table.clocks is None or not people:
            room.set_timer(CLOCK_TIMER, None)
            return
        left = min(table.clocks.seconds_left(seat, self.hall.clock()) for seat in people)
        room.set_timer(CLOCK_TIMER, self._later(left, lambda: self._flag(room)))

    async def _flag(self, room: Room) -> None:
        """Take the seats of those whose time is over."""
        async with room.lock:
            table = room.table
            for seat in table.waiting:
                if room.is_dead or table.clocks is None or not table.seats[seat].is_person:
                    continue
                if table.clocks.seconds_left(seat, self.hall.clock()) <= 0:
                    await self.hall.flag(room, seat, self.settings.stand_in)
            self._watch_clock(room)

    def _away(self, room: Room) -> list[int]:
        """The seats that are waited for and whose players are not there."""
        table = room.table
        people = [seat for seat in table.waiting if table.seats[seat].is_person]
        here = room.here if people else ()
        return [seat for seat in people if table.seats[seat].guest not in here]

    def _watch_for_gone_players(self, room: Room, away: Sequence[int]) -> None:
        if not away or not self._is_waited_for(room):
            room.set_timer(AWAY_TIMER, None)
        elif AWAY_TIMER not in room.timers:
            room.set_timer(AWAY_TIMER, self._later(self.settings.away, lambda: self._replace_gone(room)))

    def _is_waited_for(self, room: Room) -> bool:
        """Whether somebody sits at a live table, and waits."""
        return room.table.row.pace == "live" and bool({sitting.guest for sitting in room.table.seats} & room.here)

    async def _replace_gone(self, room: Room) -> None:
        room.set_timer(AWAY_TIMER, None)
        async with room.lock:
            for seat in self._away(room) if self._is_waited_for(room) else ():
                if not room.is_dead:
                    await self.hall.put_bot(room, seat, self.settings.stand_in)

    def _later(self, seconds: float, work: Callable[[], Awaitable[None]]) -> asyncio.TimerHandle:
        return asyncio.get_running_loop().call_later(max(0.0, seconds), lambda: self.run(work))

    # ---- telling people who are not here

    def _call_players(self, room: Room, away: Sequence[int]) -> None:
        """Tell those whose turn it is and who are not connected, once for each turn."""
        table = room.table
        due = {guest for seat in away if (guest := table.seats[seat].guest) is not None}
        called = self._called.pop(table.row.id, set())
        for guest in called - due:
            self.notifier.no_longer(guest, table.row.id)
        for guest in due - called:
            self.notifier.your_turn(guest, table.row.id, table.row.title or "", f"/table/{table.row.id}")
        if due:
            self._called[table.row.id] = due

    # ---- matches

    def _watch_start(self, room: Room) -> None:
        """Who sends no entropy can't keep the others from playing for ever, also after a crash."""
        table = room.table
        if not table.begins_by_itself:
            room.set_timer(START_TIMER, None)
        elif START_TIMER not in room.timers:
            patience = self.settings.gather if table.row.pace == "live" else self.settings.gather_days
            due = seconds_of(table.row.created_at) + (patience if table.follows else 0.0)
            room.set_timer(START_TIMER, self._later(due - self.hall.clock(), lambda: self._begin(room)))

    async def _begin(self, room: Room) -> None:
        async with room.lock:
            room.set_timer(START_TIMER, None)
            if not room.is_dead:
                await self.hall.begin_if_due(room, gathered=True)

    def _has_next_game(self, room: Room) -> bool:
        row = room.table.row
        is_complete = room.table.state is not None and room.table.state.outcome is not None
        return is_complete and row.match_game is not None and row.match_game < (row.match_games or 1)

    async def _next_game(self, room: Room) -> None:
        async with room.lock:
            if room.next_table is None:
                await self.maker.next_of_match(room)
        room.tell_next()
        if room.next_table is not None:
            await self.wake(room.next_table)

    async def wake(self, table_id: str) -> None:
        """Let what is due at a table begin, that nobody may have asked for."""
        room = await self.hall.room(table_id)
        async with room.lock:
            self.after_change(room)
