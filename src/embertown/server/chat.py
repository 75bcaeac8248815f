"""Talking at a table: durable lines, rate limits, muting, and reports to the host of the server."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress

from embertown.core.edition import no_control_characters
from embertown.server import messages, wire
from embertown.server.errors import Refused
from embertown.server.hall import Hall
from embertown.server.identity import Guest
from embertown.server.messages import ChatLine, ChatMessage, MutedFacts
from embertown.server.room import Connection, Room
from embertown.server.store import changes, queries
from embertown.server.store.errors import Conflict
from embertown.server.store.rows import ChatRow
from embertown.server.store.writer import Write

SHOWN_ON_ENTRY = 50
"""Lines that are told to one who comes."""


def line_facts(said: ChatRow) -> ChatLine:
    """A line as it travels: who wrote it is told by name and seat, never by an id."""
    return {"line": said.number, "seat": said.seat, "name": said.name, "text": said.text, "at": said.at}


def muted_facts(lines: Iterable[ChatRow]) -> list[MutedFacts]:
    """The authors of lines that are not heard, as they travel: by name and seat, like those of any line."""
    authors: dict[str | None, MutedFacts] = {}
    for said in lines:
        before = authors.get(said.guest_id, {"lines": []})["lines"]
        authors[said.guest_id] = {"lines": [*before, said.number], "seat": said.seat, "name": said.name}
    return list(authors.values())


class Chat:
    """The chat of all tables."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall

    async def say(self, room: Room, guest: Guest, wish: messages.Say) -> int:
        """Write a line, and tell it once it is durable."""
        try:
            text = no_control_characters(wish.text.strip())
        except ValueError:
            text = ""
        if not text:
            raise Refused("nothing_said", status=422)
        seats = room.table.seats_of(guest.id)
        async with room.lock:
            self.hall.check_alive(room)
            table_id = room.table.row.id
            before = await self.hall.database.read(queries.line_of_sender, table_id, guest.id, wish.id)
            if before is not None:
                return before
            is_first = not await self.hall.database.read(queries.has_said, table_id, guest.id)
            number = room.chat_number + 1
            seat = seats[0] if seats else None
            said = ChatRow(table_id, number, guest.id, seat, guest.name, text, self.hall.now(), wish.id)
            await self.hall.writer.write(Write((changes.chat_row(said),)))
            room.chat_number = number
            message: ChatMessage = {"type": "chat", "lines": [line_facts(said)]}
            encoded = wire.encode(message)
            for connection in list(room.connections):
                if guest.id not in connection.muted:
                    connection.send(encoded)
                elif is_first:  # muted elsewhere; whoever writes on makes no work for who is deaf to it
                    await self._tell(room, connection, [])
        return number

    async def history(self, room: Room, connection: Connection) -> None:
        """The last lines, to one who comes."""
        if room.chat_number == 0:
            return
        after = max(0, room.chat_number - SHOWN_ON_ENTRY)
        lines = await self.hall.database.read(queries.chat_after, room.table.row.id, after)
        await self._tell(room, connection, [each for each in lines if each.guest_id not in connection.muted])

    async def _tell(self, room: Room, connection: Connection, lines: Sequence[ChatRow]) -> None:
        """Lines, and who is not heard here: nobody could be heard again who is not shown."""
        table_id, authors = room.table.row.id, sorted(connection.muted)
        unheard = await self.hall.database.read(queries.lines_by, table_id, authors) if authors else []
        message: ChatMessage = {
            "type": "chat",
            "lines": [line_facts(each) for each in lines],
            "muted": muted_facts(unheard),
        }
        if connection in room.connections:  # it may have gone on to another table meanwhile
            connection.send(wire.encode(message))

    async def _author(self, room: Room, line: int) -> str:
        lines = await self.hall.database.read(queries.chat_after, room.table.row.id, line - 1, 1)
        author = lines[0].guest_id if lines and lines[0].number == line else None
        if author is None:
            raise Refused("no_such_line", status=404, line=line)
        return author

    async def mute(self, room: Room, connection: Connection, guest: Guest, wish: messages.Mute) -> None:
        """Hear no more from a line's author, at any table; or again, with what was not heard meanwhile."""
        author = await self._author(room, wish.line)
        if author == guest.id:
            raise Refused("own_line")
        change = changes.mute(guest.id, author) if wish.muted else (changes.unmute(guest.id, author),)
        await self.hall.writer.write(Write((), change))
        everywhere = [(other, each) for other in self.hall.rooms.values() for each in other.connections]
        for where, each in {(room, connection), *(found for found in everywhere if found[1].guest == guest.id)}:
            each.muted.add(author) if wish.muted else each.muted.discard(author)
            table_id = where.table.row.id
            again = [] if wish.muted else await self.hall.database.read(queries.lines_by, table_id, (author,))
            await self._tell(where, each, again[-SHOWN_ON_ENTRY:])

    async def report(self, room: Room, guest: Guest, wish: messages.Report) -> None:
        """Tell the host of the server; once, however often it is sent."""
        if wish.line is not None:
            await self._author(room, wish.line)
        row = changes.report_row(room.table.row.id, guest.id, wish.text, self.hall.now(), wish.line, wish.id)
        with suppress(Conflict):  # it was sent before
            await self.hall.writer.write(Write((row,)))
