"""The live connection to a table: one WebSocket, messages in order, slow readers let go."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from embertown.core.errors import EmbertownError
from embertown.core.game import View
from embertown.core.locale import DEFAULT_LANGUAGE
from embertown.server import messages, wire
from embertown.server.errors import Refused, refusal
from embertown.server.hall import Stale
from embertown.server.identity import Guest
from embertown.server.limits import Kind, TooMany, address_key, guest_key
from embertown.server.messages import AnswerMessage, AnyIncoming, ByeMessage, Hello, PongMessage, RefusalMessage
from embertown.server.room import Room
from embertown.server.services import Services
from embertown.server.sockets import Gone, Socket

logger = logging.getLogger("embertown.server")

HELLO_WITHIN = 15.0
"""Seconds for the first message."""
MOST_UNSENT = 500
"""Messages that may wait for a slow reader."""
HINT_RETRY_S = 1.0
"""When to ask for the next hint while one is thought of."""
GIVE_WAY_AT = 16
"""Unsent messages at which others, and what is to be sent here, come first."""
HANDLERS = {
    "hello": "_hello_again",
    "go": "_go",
    "look": "_look",
    "play": "_play",
    "preview": "_preview",
    "hint": "_hint",
    "start": "_start",
    "entropy": "_entropy",
    "resign": "_resign",
    "abort": "_abort",
    "takeback": "_takeback",
    "stand_in": "_stand_in",
    "say": "_say",
    "mute": "_mute",
    "report": "_report",
    "rematch": "_rematch",
}
"""By a message's type: the method that does what it asks for."""
ANSWERED_OTHERWISE = (messages.Play, messages.Preview, messages.AskHint)
"""These are answered on the way, or later."""
CLOSED_POLITELY = 1000
CLOSED_FOR_CAUSE = 4000


class LiveConnection:
    """One WebSocket: hands messages over without waiting, sends them in order."""

    is_program = False

    def __init__(self, services: Services, socket: Socket, guest: Guest | None) -> None:
        self.services, self.socket, self.person = services, socket, guest
        self.guest = None if guest is None else guest.id
        self.keys = [address_key(socket.host)] if guest is None else [address_key(socket.host), guest_key(guest.id)]
        """Under which its messages are counted."""
        self.room: Room | None = None
        """The table that it follows."""
        self.viewer: int | None = None
        self.muted: set[str] = set()
        self.language = DEFAULT_LANGUAGE if guest is None else guest.language
        self.batch = False
        self._unsent: deque[str] = deque()
        self._outbox = services.hall.outbox
        self._is_due = False  # whether the outbox knows of it
        self._is_behind = False  # whether `deliver` sends, and others wait
        self._wake = asyncio.Event()
        self._ending: Refused | None = None
        self._advising: asyncio.Task[None] | None = None  # what thinks of a hint, while others are heard

    # ---- out

    def send(self, text: str) -> None:
        """Hand over a message; a reader who is far behind is let go, and comes back for what it missed."""
        if len(self._unsent) >= MOST_UNSENT:
            self.close("too_slow")
            return
        self._unsent.append(text)
        if not self._is_due:
            self._is_due = True
            self._outbox.add(self)

    def send_now(self) -> None:
        """Send what is handed over; `deliver` does it where something has to be waited for."""
        self._is_due = False
        while self._unsent and not self._is_behind and self.socket.is_ready:
            self.socket.send_now(self._next_frame())
        if self._unsent:
            self._wake.set()

    def close(self, code: str) -> None:
        """End the connection, with a reason, after what is unsent."""
        self._end_with(Refused(code))

    def _end_with(self, error: Refused) -> None:
        if self._ending is None:
            self._ending = error
            self._wake.set()

    async def deliver(self) -> None:
        """Send what has to wait for a slow reader, until the connection is to end."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            self._is_behind = True
            while self._unsent:
                await self.socket.send_text(self._next_frame())
            self._is_behind = False
            if self._ending is not None:
                await self.end(self._ending)
                return

    def _next_frame(self) -> str:
        """The next message; where the client takes several at once, all that wait."""
        if not self.batch or len(self._unsent) == 1:
            return self._unsent.popleft()
        together = f"[{','.join(self._unsent)}]"
        self._unsent.clear()
        return together

    def refuse(self, asked: str | None, error: EmbertownError) -> None:
        """Say no, and why."""
        told = refusal(error, self.language)
        self.services.metrics.refused(told["code"])
        message: RefusalMessage = {"type": "refusal", "id": asked, **told}  # type: ignore[typeddict-item]
        if isinstance(error, Stale):
            message["missed"] = error.missed
        if isinstance(error, Refused) and error.retry_after is not None:
            message["retry_after"] = round(error.retry_after, 1)
        self.send(wire.encode(message))

    async def end(self, error: Refused) -> None:
        """Say why, and close."""
        message: ByeMessage = {"type": "bye", "code": error.code, "sentence": error.sentence(self.language)}
        await self.socket.send_text(wire.encode(message))
        await self.socket.close(CLOSED_FOR_CAUSE, error.code)

    def answer(self, asked: str, number: int | None) -> None:
        """Say that it is done, and durable."""
        message: AnswerMessage = {"type": "answer", "id": asked, "number": number}
        self.send(wire.encode(message))

    # ---- in

    async def serve(self, table_id: str) -> None:
        """The whole life of the connection, after it was accepted."""
        sender = asyncio.get_running_loop().create_task(self.deliver())
        try:
            await self._greet(table_id)
            while self._ending is None:
                await self._next_message()
                if len(self._unsent) > GIVE_WAY_AT:  # messages that came together are handled without a pause
                    await asyncio.sleep(0)
        except Gone:
            pass
        except EmbertownError as error:
            self.refuse(None, error)
            self._end_with(error if isinstance(error, Refused) else Refused("refused"))
        finally:
            if self.room is not None:
                self.services.hall.leave(self.room, self)
            await self._finish(sender)

    async def _finish(self, sender: asyncio.Task[None]) -> None:
        if self._ending is not None and self.socket.is_open:
            with suppress(Exception):
                await asyncio.wait_for(asyncio.shield(sender), 5.0)
        if self._advising is not None:
            self._advising.cancel()
        sender.cancel()
        with suppress(asyncio.CancelledError, Exception):
            await sender

    async def _greet(self, table_id: str) -> None:
        """The first message tells what is known already; the answer is what was missed."""
        try:
            hello = messages.read(await asyncio.wait_for(self.socket.receive(), HELLO_WITHIN))
        except TimeoutError:
            raise Refused("hello_expected", status=400) from None
        if not isinstance(hello, Hello):
            raise Refused("hello_expected", status=400)
        if hello.protocol != messages.PROTOCOL:
            raise Refused("other_protocol", status=400, right=messages.PROTOCOL)
        self.language, self.batch = hello.language, hello.batch
        room = await self._watched(table_id, hello.watch)
        if self.guest is not None:
            self.muted = set(await self.services.database.read(self.services.queries.muted_by, self.guest))
        await self._enter(room, hello.since)

    async def _watched(self, table_id: str, token: str | None) -> Room:
        """A table that may be seen here."""
        room = await self.services.hall.room(table_id)
        self.services.access.check_watching(room.table, self.guest, token)
        return room

    async def _enter(self, room: Room, since: int) -> None:
        """Follow a table from now on, and hear what was missed."""
        async with room.lock:  # what is being written is not told before it is durable
            self.services.hall.check_alive(room)
            mine = room.table.seats_of(self.guest)
            self.viewer = mine[0] if len(mine) == 1 else None
            self.send(room.whole(self, since, self.services.hall.clock()))
            self.services.hall.enter(room, self)
            self.room = room
        room.tell_turns(self)
        await self.services.chat.history(room, self)

    async def _next_message(self) -> None:
        data = await self.socket.receive()
        room = self.room
        assert room is not None
        asked: str | None = None
        try:
            self._check_rate(Kind.MESSAGES)
            message = messages.read(data)
            asked = message.id
            await self._handle(room, message)
        except messages.Unreadable as error:
            self.refuse(error.asked, error)
        except EmbertownError as error:
            self.refuse(asked, error)
        except (Gone, asyncio.CancelledError):
            raise
        except Exception:
            logger.exception("a message could not be handled")
            self.refuse(asked, Refused("internal_error", status=500))

    def _check_rate(self, kind: Kind) -> None:
        self.services.limits.check(kind, *self.keys)

    async def _handle(self, room: Room, message: AnyIncoming) -> None:
        if isinstance(message, messages.Ping):
            pong: PongMessage = {"type": "pong", "id": message.id}
            self.send(wire.encode(pong))
            return
        if self.person is None:
            raise Refused("guests_only", status=401)
        handler: Callable[[Room, Any], Awaitable[int | None]] = getattr(self, HANDLERS[message.type])
        if (self.guest, message.id) in room.answers:
            self.answer(message.id, room.answers[self.guest, message.id])
            return
        number = await handler(room, message)
        if not isinstance(message, ANSWERED_OTHERWISE):
            room.keep_answer(self.guest, message.id, number)
            self.answer(message.id, number)

    async def _hello_again(self, room: Room, message: Hello) -> None:  # noqa: ARG002
        raise Refused("hello_once", status=400)

    async def _go(self, room: Room, message: messages.Go) -> None:
        """Follow another table; where that fails half way, the client has to connect anew."""
        other = await self._watched(message.table, message.watch)
        self.services.hall.leave(room, self)
        self.room = None
        try:
            await self._enter(other, message.since)
        except Refused as error:
            self._end_with(error)
            raise

    async def _look(self, room: Room, message: messages.Look) -> None:
        """See with the eyes of an own seat: its secrets are sent on this request alone."""
        async with room.lock:
            if message.seat is not None:
                self.services.hall.check_seat(room, self.guest, message.seat)
            self.viewer = message.seat
            self.send(room.whole(self, 0, self.services.hall.clock()))
        room.tell_turns(self)

    async def _play(self, room: Room, message: messages.Play) -> int:
        return await self.services.hall.play(
            room,
            self._me.id,
            message,
            lambda number: self.answer(message.id, number),
            sees=room.sees_with(self, message.seat),
        )

    async def _preview(self, room: Room, message: messages.Preview) -> None:
        if not room.sees_with(self, message.seat):
            raise Refused("look_first", seat=message.seat)
        async with room.lock:
            self.send(self.services.hall.previews(room, self._me.id, message))

    async def _hint(self, room: Room, message: messages.AskHint) -> None:
        """Have a hint thought of, one at a time; messages that come meanwhile do not wait for it."""
        self._check_rate(Kind.HINTS)
        if self._advising is not None and not self._advising.done():
            raise TooMany(Kind.HINTS, HINT_RETRY_S)
        view = await self.services.adviser.view_for(room, self, message)
        self._advising = asyncio.get_running_loop().create_task(self._advise(room, message, view))

    async def _advise(self, room: Room, message: messages.AskHint, view: View[Any]) -> None:
        try:
            self.send(await self.services.adviser.advised(room, self, message, view))
        except EmbertownError as error:
            self.refuse(message.id, error)
        except Exception:
            logger.exception("a hint could not be thought of")
            self.refuse(message.id, Refused("internal_error", status=500))

    async def _start(self, room: Room, message: messages.Start) -> int:
        return await self.services.hall.start(room, self._me.id, message.id)

    async def _entropy(self, room: Room, message: messages.Entropy) -> int:
        return await self.services.hall.add_entropy(room, self._me.id, message)

    async def _resign(self, room: Room, message: messages.Resign) -> int:
        return await self.services.hall.resign(room, self._me.id, message, self.services.settings.stand_in)

    async def _abort(self, room: Room, message: messages.Abort) -> int:
        return await self.services.hall.abort(room, self._me.id, message.id)

    async def _takeback(self, room: Room, message: messages.Takeback) -> int | None:
        return await self.services.hall.take_back(room, self._me.id, message)

    async def _stand_in(self, room: Room, message: messages.StandIn) -> int:
        self.services.access.check_bot(message.bot)
        return await self.services.hall.stand_in(room, self._me.id, message)

    async def _say(self, room: Room, message: messages.Say) -> int:
        self._check_rate(Kind.CHAT)
        return await self.services.chat.say(room, self._me, message)

    async def _mute(self, room: Room, message: messages.Mute) -> None:
        await self.services.chat.mute(room, self, self._me, message)

    async def _report(self, room: Room, message: messages.Report) -> None:
        self._check_rate(Kind.CHAT)
        await self.services.chat.report(room, self._me, message)

    async def _rematch(self, room: Room, message: messages.Rematch) -> None:  # noqa: ARG002
        await self.services.maker.again(room, self._me)

    @property
    def _me(self) -> Guest:
        assert self.person is not None
        return self.person
