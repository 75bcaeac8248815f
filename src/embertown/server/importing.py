"""Tables as records and records as tables.

A table's record, whole, holds all that its game is; a table made from it gives the same record again, and an
unfinished game goes on: people take their seats by links, bots that are known here play on.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa

from embertown.bots.registry import bot_names
from embertown.core.errors import BrokenRecord, MalformedRecord
from embertown.core.game import State
from embertown.core.record import SeatOfRecord
from embertown.games import GameRecord
from embertown.server import entries as log
from embertown.server import fair
from embertown.server.entries import LogEntry
from embertown.server.errors import Refused
from embertown.server.identity import new_secret
from embertown.server.making import new_id
from embertown.server.store import changes, queries
from embertown.server.store.rows import EntryRow, LinkRow, SeatRow, Status, TableRow
from embertown.server.store.writer import Write
from embertown.server.table import Table, rebuilt

WHOLE = "the whole record, as `embertown export` writes it"
RESIGNED, ABANDONED = "resigned", "abandoned"
"""How a game may end early, in its record."""
NO_PROOF = ""
"""The commitment of a table whose shuffles were not its server's."""


# ---- out


def whole_record(table: Table) -> GameRecord:
    """All of a game, secrets too; where it goes on, also the seed, so that it can go on elsewhere by the same shuffles.

    `Refused` where the game has not begun.
    """
    record = table.record(whole=True)
    if record.fair is None or record.fair.seed is not None:
        return record
    told = record.to_dict()
    told["fair"]["seed"] = table.row.seed.hex()
    return GameRecord.from_dict(told)


def record_of(connection: sa.Connection, table_id: str) -> GameRecord:
    """The whole record of a stored table; `Refused` where there is none."""
    loaded = queries.load_table(connection, table_id)
    if loaded is None:
        raise Refused("no_such_table", status=404)
    return whole_record(rebuilt(loaded))


# ---- in


@dataclass(frozen=True, slots=True)
class Brought:
    """A table made from a record, not yet stored, and the links to it: shown once, only their hashes are kept."""

    row: TableRow
    seats: tuple[SeatRow, ...]
    entries: tuple[LogEntry, ...]
    link_rows: tuple[LinkRow, ...] = ()
    links: dict[int, str] = field(default_factory=dict)
    """By seat that waits for a person: the token of its link."""
    watch: str | None = None
    """The token of the link for watching; None where everybody may."""
    remarks: tuple[str, ...] = ()
    """What was left out, and why."""

    def table(self) -> Table:
        """The table as it will be rebuilt."""
        return Table(self.row, self.seats, self.entries)

    def write(self) -> Write:
        """What stores it."""
        rows = [
            EntryRow(self.row.id, each.number, each.seat, each.text, each.at, each.by, each.guest, each.sender)
            for each in self.entries
        ]
        return changes.new_table(self.row, self.seats, self.link_rows, rows)


def brought_in(text: str, where: str, now: str, *, public: bool = False) -> Brought:
    """A table made from a record's JSON; `where` names it in errors, `now` is when it is brought in.

    A record that can't be read, is against the rules, proves nothing though it says so, or hides what a table has to
    know is refused with its place.
    """
    record = GameRecord.from_json(text, where)
    try:
        state = record.replay()
        _refuse_secrets(state, where)
        has_proof = _check_proof(record)
    except BrokenRecord as error:
        raise BrokenRecord(error.where, error.rule, error.wrong, error.right, where) from None
    except fair.Unproven as error:
        raise type(error)(error.where, error.wrong, error.right, where) from None
    made = _Making(record, state, now, has_proof=has_proof, public=public).made()
    _check_the_same(made, record, where, has_proof=has_proof)
    return made


def _refuse_secrets(state: State[Any], where: str) -> None:
    """Cards that a viewer did not know: without them a game can't be rebuilt. (Unknown votes are cast anew.)"""
    for seat, cards in enumerate((state.heading.deal or {}).get("objectives", ())):
        if cards is None:
            raise MalformedRecord(where, f"deal.objectives[{seat}]", "is not told", WHOLE)


def _check_proof(record: GameRecord) -> bool:
    """Whether the record proves its shuffles; one that claims to and does not is refused."""
    if record.fair is None or record.fair.seed is None:
        return False
    fair.verify(record)
    return True


def _check_the_same(made: Brought, record: GameRecord, where: str, *, has_proof: bool) -> None:
    """The table gives the record again, or it is not made."""
    found, right = whole_record(made.table()).to_dict(), record.to_dict()
    if not has_proof:
        right.pop("fair", None)
    for key in right.keys() | found.keys():
        if found.get(key) != right.get(key):
            wrong = f"would come out as {json.dumps(found.get(key), ensure_ascii=False)[:200]}"
            raise MalformedRecord(where, key, wrong, "a record of a game that a table can hold")


class _Making:
    """One table in the making."""

    def __init__(self, record: GameRecord, state: State[Any], now: str, *, has_proof: bool, public: bool) -> None:
        self.record, self.state, self.now, self.has_proof, self.public = record, state, now, has_proof, public
        self.id = new_id()
        self.is_over = record.end is not None
        self.entries: list[LogEntry] = []

    def made(self) -> Brought:
        """The table."""
        watch, watch_hash = (None, None) if self.public else new_secret()
        seats = tuple(self._seat(number, each) for number, each in enumerate(self.record.seats))
        links, rows = self._links([each.seat for each in seats if each.bot is None and not self.is_over])
        self._write_entries()
        left_out = self.record.fair is not None and not self.has_proof
        remarks = ("its proof is left out, as its seed is not told",) if left_out else ()
        row = self._row(watch_hash, bots=any(each.bot for each in seats))
        return Brought(row, seats, tuple(self.entries), tuple(rows), links, watch, remarks)

    def _seat(self, number: int, told: SeatOfRecord) -> SeatRow:
        """Bots that are known here play on; every other seat waits for a person."""
        bot = told.bot if self.is_over or told.bot in bot_names() else None
        return SeatRow(self.id, number, None, told.name, bot)

    def _links(self, seats: Sequence[int]) -> tuple[dict[int, str], list[LinkRow]]:
        links, rows = {}, []
        for seat in seats:
            links[seat], hashed = new_secret()
            rows.append(LinkRow(hashed, self.id, seat, self.now))
        return links, rows

    def _row(self, watch_hash: str | None, *, bots: bool) -> TableRow:
        record, game = self.record, self.state.game
        proof = record.fair if self.has_proof else None
        match = record.match
        return TableRow(
            id=self.id,
            game=game.name,
            edition=game.edition.reference(),
            options=dict(game.options),
            players=game.players,
            first=record.first,
            start_scores=list(record.start_scores),
            public=self.public,
            pace="days",
            clock=None,
            match_id=None if match is None else match.id,
            match_game=None if match is None else match.game,
            match_games=None,
            host_guest=None,
            status=self._status(),
            created_at=self.now,
            changed_at=self.now,
            seed=fair.new_seed() if proof is None or proof.seed is None else bytes.fromhex(proof.seed),
            commitment=NO_PROOF if proof is None else proof.commitment,
            watch_hash=watch_hash,
            bots=bots and not self.is_over,
            title=game.edition.title("en") or game.name,
        )

    def _status(self) -> Status:
        if not self.is_over:
            return "playing"
        return "aborted" if self.record.end == ABANDONED else "over"

    # ---- the log

    def _write_entries(self) -> None:
        """Who sat where, what the record says besides, the beginning, the game, and an early end."""
        for seat, each in enumerate(self.record.seats):
            self._note(None, log.seat_text(seat, each.name, each.bot))
        entropy = self.record.fair.entropy if self.record.fair is not None and self.has_proof else ()
        sent = [(seat, log.entropy_text(one)) for seat, one in enumerate(entropy) if one is not None]
        beginning = log.beginning(self.record.first, self.state.heading.deal)
        before = len(self.entries) + 1 + len(sent) + len(beginning)
        self._note(None, log.brought_text(self._besides(before)))
        for seat, text in sent:
            self._note(seat, text)
        for text in beginning:
            self._note(None, text)
        for entry in self.state.log:
            self._note(entry.seat, entry.text, entry.by)
        self._write_end()

    def _besides(self, before: int) -> dict[str, Any]:
        """What the record says besides the game: seats, `match`, `meta`, and by the number of an entry its remarks."""
        remarks = {}
        for number, entry in enumerate(self.state.log, before + 1):
            told = {key: value for key in ("note", "at") if (value := getattr(entry, key)) is not None}
            if told:
                remarks[str(number)] = told
        extra = {key: value for key, value in self.record.heading_extra().items() if key != "fair"}
        seats = [each.model_dump() for each in self.record.seats]
        return {"seats": seats, "extra": extra, "remarks": remarks, "to": before + len(self.state.log)}

    def _write_end(self) -> None:
        if self.record.end == RESIGNED:
            for seat in sorted(set(range(len(self.record.seats))) - set(self.record.winners or ())):
                self._note(seat, log.RESIGN)
        elif self.record.end == ABANDONED:
            self._note(None, log.ABORT)

    def _note(self, seat: int | None, text: str, by: str | None = None) -> None:
        self.entries.append(LogEntry(len(self.entries) + 1, seat, text, self.now, by))
