"""Making tables, and sitting down at them: by those who make them, by links, and at public ones."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from embertown.bots.registry import bot_names
from embertown.core.errors import UnknownBot, UnknownEdition, UnknownOption
from embertown.core.game import Game
from embertown.games import game_class
from embertown.server import fair, inviting
from embertown.server.errors import Refused
from embertown.server.hall import Hall
from embertown.server.identity import Guest, checked_name, new_secret
from embertown.server.room import Room
from embertown.server.settings import Settings
from embertown.server.store import changes, queries
from embertown.server.store.rows import LinkRow, SeatRow, TableRow
from embertown.server.store.writer import Write
from embertown.server.table import Sitting

ID_ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"
ID_LENGTH = 12
MOST_UNFINISHED = 100
"""Tables of one guest that are not over."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a table shall be."""

    game: str
    seats: Sequence[str]
    """By seat: `me`, `open`, or the name of a bot."""
    edition: str | dict[str, Any] | None = None
    options: dict[str, bool] | None = None
    public: bool = False
    pace: Literal["live", "days"] = "live"
    clock: dict[str, float | None] | None = None
    games: int = 1
    autostart: bool = True
    title: str = ""
    entropy: str | None = None
    names: Sequence[str | None] = ()
    """By seat: what the people at one device are called, for seats called `me`; the guest's name else."""
    first: int | None = None
    """The seat that begins (C2.3, D2.4); None: by lot."""


@dataclass(frozen=True, slots=True)
class Made:
    """A table that was made, and the links to it: shown once, only their hashes are kept."""

    table: str
    links: dict[int, str]
    """By open seat: the token of its link."""
    watch: str | None
    """The token of the link for watching; None where everybody may."""


def new_id() -> str:
    """The id of a table: it names it, and opens nothing."""
    return "".join(secrets.choice(ID_ALPHABET) for _ in range(ID_LENGTH))


class Maker:
    """Makes tables."""

    def __init__(self, hall: Hall, settings: Settings) -> None:
        self.hall, self.settings = hall, settings

    async def make(self, guest: Guest, wanted: Wanted) -> Made:
        """A new table of a guest, who sits at every seat called `me`."""
        game = self._game(wanted)
        if wanted.first is not None and wanted.first >= game.players:
            raise Refused("no_such_seat", status=422, seat=wanted.first, players=game.players)
        if wanted.entropy is not None:
            fair.checked_entropy(wanted.entropy)
            if "me" not in wanted.seats:
                raise Refused("entropy_without_seat", status=422)
        names = [*wanted.names, *[None] * len(wanted.seats)]
        seats = [self._sitting(each, guest, name) for each, name in zip(wanted.seats, names, strict=False)]
        await self._check_room_for_more(guest)
        match = (new_id(), 1, wanted.games) if wanted.games > 1 else (None, None, None)
        watch, watch_hash = (None, None) if wanted.public else new_secret()
        row = self._row(game, wanted, guest.id, match, watch_hash)
        links, rows = self._links(row.id, [seat for seat, each in enumerate(seats) if each.is_open], guest.id)
        await self.hall.writer.write(changes.new_table(row, self._seated(row.id, seats), rows))
        room = await self.hall.room(row.id)
        async with room.lock:
            await self._open(room, guest, wanted.entropy)
        return Made(row.id, links, watch)

    def _game(self, wanted: Wanted) -> Game:
        """What is to be played: of texts only ids of shipped editions, no files of the server's."""
        kind, options = game_class(wanted.game), wanted.options or {}
        if isinstance(wanted.edition, str) and wanted.edition not in kind.edition_model.shipped():
            raise UnknownEdition(wanted.edition, kind.edition_model.shipped())
        for name in options:
            if name not in kind.option_names:
                raise UnknownOption(name, kind.option_names)
        return kind(len(wanted.seats), wanted.edition, **options)

    def _sitting(self, wanted: str, guest: Guest, name: str | None) -> Sitting:
        if wanted == "open":
            return Sitting()
        if wanted == "me":
            return Sitting(guest.id, guest.name if name is None else checked_name(name), None)
        if wanted not in bot_names():
            raise UnknownBot(wanted, bot_names())
        return Sitting(None, wanted, wanted)

    async def _check_room_for_more(self, guest: Guest) -> None:
        """Not more than the server takes, nor more of one guest's than anybody plays at."""
        counts = await self.hall.database.read(queries.count_by_status)
        if counts.get("open", 0) + counts.get("playing", 0) >= self.settings.most_tables:
            raise Refused("server_full", status=503, most=self.settings.most_tables)
        if self.settings.limits:
            unfinished = await self.hall.database.read(queries.unfinished_of_host, guest.id)
            if unfinished >= MOST_UNFINISHED:
                raise Refused("too_many_unfinished", status=429, most=MOST_UNFINISHED)

    def _row(
        self,
        game: Game,
        wanted: Wanted,
        host: str | None,
        match: tuple[str | None, int | None, int | None],
        watch_hash: str | None,
        *,
        follows: bool = False,
        start_scores: Sequence[int] | None = None,
    ) -> TableRow:
        seed, now = fair.new_seed(), self.hall.now()
        return TableRow(
            id=new_id(),
            game=game.name,
            edition=game.edition.reference(),
            options=dict(game.options),
            players=game.players,
            first=wanted.first,
            start_scores=list(start_scores or (0,) * game.players),
            public=wanted.public,
            pace=wanted.pace,
            clock=wanted.clock,
            match_id=match[0],
            match_game=match[1],
            match_games=match[2],
            host_guest=host,
            status="open",
            created_at=now,
            changed_at=now,
            seed=seed,
            commitment=fair.commitment(seed),
            watch_hash=watch_hash,
            next_id=None,
            bots=any(each not in ("me", "open") for each in wanted.seats),
            title=wanted.title or game.edition.title("en") or game.name,
            autostart=wanted.autostart,
            follows=follows,
        )

    def _links(self, table: str, seats: Sequence[int], maker: str | None) -> tuple[dict[int, str], list[LinkRow]]:
        """A one-time link for each seat."""
        links, rows = {}, []
        for seat in seats:
            links[seat], hashed = new_secret()
            rows.append(LinkRow(hashed, table, seat, self.hall.now(), made_by=maker))
        return links, rows

    def _seated(self, table: str, seats: Sequence[Sitting]) -> list[SeatRow]:
        return [SeatRow(table, number, each.guest, each.name, each.bot) for number, each in enumerate(seats)]

    async def _open(self, room: Room, guest: Guest | None, entropy: str | None) -> None:
        """The first entries: who sits where; and the start, where nothing is missing."""
        table, now = room.table, self.hall.now()
        written = []
        for seat, sitting in enumerate(list(table.seats)):
            if sitting.guest is not None and sitting.bot is not None:  # the entry of a bot does not tell for whom
                written += table.sit(seat, Sitting(sitting.guest, sitting.name), now)
            written += table.sit(seat, sitting, now, guest=None if guest is None else guest.id)
        for seat in table.seats_of(None if guest is None else guest.id)[:1]:
            if entropy is not None:
                written += table.add_entropy(
                    seat, fair.checked_entropy(entropy), now, None if guest is None else guest.id
                )
        await self.hall.commit(room, written)
        await self.hall.begin_if_due(room)

    # ---- sitting down

    async def claim(self, guest: Guest, hashed: str, entropy: str | None) -> tuple[str, int]:
        """Take the seat that a one-time link leads to; also one that is taken, for that is how a seat moves."""
        link = inviting.unused(await self.hall.database.read(queries.link, hashed))
        room = await self.hall.room(link.table_id)
        async with room.lock:
            self.hall.check_alive(room)
            link = inviting.unused(await self.hall.database.read(queries.link, hashed))  # another may have been faster
            table = room.table
            sitting = table.seats[link.seat]
            inviting.check_seat(link, table.status, sitting.guest, sitting.bot)
            used = changes.use_link(hashed, self.hall.now())
            bot = sitting.bot if sitting.guest is not None else None
            checked = None if entropy is None or table.status != "open" else fair.checked_entropy(entropy)
            await self.hall.sit(room, link.seat, Sitting(guest.id, guest.name, bot), checked, (used,))
        return link.table_id, link.seat

    async def join(self, guest: Guest, room: Room, seat: int | None, entropy: str | None) -> int:
        """Sit down at a public table."""
        async with room.lock:
            self.hall.check_alive(room)
            table = room.table
            if not table.row.public:
                raise Refused("not_public", status=403)
            if table.status != "open":
                raise Refused("already_started")
            free = [number for number, each in enumerate(table.seats) if each.is_open]
            if not free or (seat is not None and seat not in free):
                raise Refused("seat_taken")
            chosen = free[0] if seat is None else seat
            checked = None if entropy is None else fair.checked_entropy(entropy)
            await self.hall.sit(room, chosen, Sitting(guest.id, guest.name, None), checked)
        return chosen

    async def leave(self, guest: Guest, room: Room, seat: int) -> None:
        """Get up: before the start the seat is open again, later a bot stands in."""
        async with room.lock:
            self.hall.check_alive(room)
            self.hall.check_seat(room, guest.id, seat)
            if room.table.status == "open":
                await self.hall.sit(room, seat, Sitting(), None)
            elif room.table.status == "playing":
                await self.hall.put_bot(room, seat, self.settings.stand_in, guest.id)

    async def new_link(self, guest: Guest, room: Room, seat: int) -> str:
        """A fresh link: to an own seat, for another device; or, for who made the table, to one that is open."""
        table = room.table
        own = seat in table.seats_of(guest.id)
        opens = seat < table.row.players and table.seats[seat].is_open and table.row.host_guest == guest.id
        if not own and not opens:
            raise Refused("not_your_seat", status=403, seat=seat)
        links, rows = self._links(table.row.id, [seat], guest.id)
        await self.hall.writer.write(Write((), (changes.void_links(table.row.id, seat, self.hall.now()),)))
        await self.hall.writer.write(Write(tuple(map(changes.link_row, rows))))
        return links[seat]

    # ---- once more

    async def next_of_match(self, room: Room) -> None:
        """The next game of a match: scores carry over where the game says so, the start passes on."""
        table = room.table
        assert table.state is not None
        row = table.row
        scores = table.state.scores if table.game.carries_scores else None
        match = (row.match_id, (row.match_game or 1) + 1, row.match_games)
        await self._follow(room, match, scores)

    async def again(self, room: Room, guest: Guest) -> None:
        """A rematch, once all people want it."""
        async with room.lock:
            self.hall.check_alive(room)
            table = room.table
            mine = table.seats_of(guest.id)
            if not mine:
                raise Refused("not_your_seat", status=403, seat=0)
            if table.status not in ("over", "aborted"):
                raise Refused("not_over")
            room.again |= set(mine)
            if room.next_table is None and room.again >= set(table.people):
                games = table.row.match_games
                await self._follow(room, (None, None, None) if games is None else (new_id(), 1, games), None)
        room.tell_next()

    async def _follow(
        self, room: Room, match: tuple[str | None, int | None, int | None], scores: Sequence[int] | None
    ) -> None:
        """A table with the same seats, the start one seat further on; under the room's lock."""
        table, old = room.table, room.table.row
        wanted = Wanted(
            old.game,
            [each.bot or "me" for each in table.seats],
            public=old.public,
            pace=old.pace,
            clock=old.clock,
            title=old.title or "",
            first=((table.first_told or 0) + 1) % old.players,
        )
        row = self._row(table.game, wanted, old.host_guest, match, old.watch_hash, follows=True, start_scores=scores)
        new = changes.new_table(row, self._seated(row.id, table.seats))
        await self.hall.writer.write(Write(new.rows, (changes.set_next(old.id, row.id),)))
        room.next_table = row.id
        following = await self.hall.room(row.id)
        async with following.lock:
            await self._open(following, None, None)
