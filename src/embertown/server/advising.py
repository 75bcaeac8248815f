"""Hints: what a network or a short search would do, for a person who asks at their turn and plays against no other.

A hint comes from the seat's own view, is thought of where bots think, and changes nothing: it stands in no log. Against
people nobody gets one: they play against each other, not against each other's networks. Bots do not mind, and whoever
plays all seats at one device helps or harms nobody else.
"""

from __future__ import annotations

import logging
from typing import Any

from embertown.core.errors import BotFault
from embertown.core.game import View
from embertown.server import wire
from embertown.server.errors import Refused
from embertown.server.hall import Hall, Stale
from embertown.server.messages import AskHint
from embertown.server.room import Connection, Room
from embertown.server.thinking import Thinkers

logger = logging.getLogger("embertown.server")


class Adviser:
    """Answers who asks for a hint."""

    def __init__(self, hall: Hall, thinkers: Thinkers) -> None:
        self.hall, self.thinkers = hall, thinkers

    async def view_for(self, room: Room, connection: Connection, wish: AskHint) -> View[Any]:
        """What the seat knows that a hint is asked for; `Refused` where there is none to be had."""
        async with room.lock:
            self._check(room, connection, wish)
            assert room.table.state is not None
            return room.table.state.view(wish.seat)

    async def advised(self, room: Room, connection: Connection, wish: AskHint, view: View[Any]) -> str:
        """The hint, as it travels; what was allowed when it was asked for has to be so still."""
        try:
            advice = await self.thinkers.hint(view)
        except BotFault as fault:
            logger.warning("table %s: no hint for seat %d: %s", room.table.row.id, wish.seat, fault)
            raise Refused("no_hint", status=503) from None
        async with room.lock:
            self._check(room, connection, wish)
        return wire.encode(wire.hint(wish.id, wish.seat, wish.number, advice))

    def _check(self, room: Room, connection: Connection, wish: AskHint) -> None:
        table = room.table
        self.hall.check_alive(room)
        self.hall.check_seat(room, connection.guest, wish.seat)
        if not room.gives_hints(connection):
            raise Refused("hint_among_people", status=403)
        if not room.sees_with(connection, wish.seat):
            raise Refused("look_first", seat=wish.seat)
        if table.status != "playing":
            raise Refused("not_playing")
        if table.seats[wish.seat].bot is not None:
            raise Refused("bot_plays", seat=wish.seat)
        if not table.is_fresh(wish.seat, wish.number + 1):
            raise Stale(table.told(table.viewer(wish.seat), wish.number), table.number)
        if wish.seat not in table.waiting:
            raise Refused("hint_too_early", seat=wish.seat)
