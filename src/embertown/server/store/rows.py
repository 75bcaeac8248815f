"""Rows as they are read: one frozen dataclass a table of the schema, its fields in the order of the columns."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

Status = Literal["open", "playing", "over", "aborted", "closed"]
Pace = Literal["live", "days"]


@dataclass(frozen=True, slots=True)
class GuestRow:
    """A guest: who plays, without registration."""

    id: str
    name: str | None
    language: str
    recovery_hash: str | None
    created_at: str
    seen_at: str
    banned_at: str | None = None
    ban_reason: str | None = None
    webhook: str | None = None


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table: what is played and how; everything else about its game stands in its entries."""

    id: str
    game: str
    edition: str | dict[str, Any]
    options: dict[str, Any]
    players: int
    first: int | None
    start_scores: Any
    public: bool
    pace: Pace
    clock: dict[str, Any] | None
    match_id: str | None
    match_game: int | None
    match_games: int | None
    host_guest: str | None
    status: Status
    created_at: str
    changed_at: str
    seed: bytes = field(repr=False)
    """The secret of fair shuffles."""
    commitment: str
    watch_hash: str | None = None
    next_id: str | None = None
    bots: bool = False
    title: str | None = None
    autostart: bool = True
    """Whether the game begins by itself when the last seat is taken."""
    follows: bool = False
    """Whether it is a rematch, or a later game of a match."""


@dataclass(frozen=True, slots=True)
class EntryRow:
    """One numbered entry of a table's log."""

    table_id: str
    number: int
    seat: int | None
    text: str
    at: str
    by: str | None = None
    guest_id: str | None = None
    sender: str | None = None


@dataclass(frozen=True, slots=True)
class SeatRow:
    """Who sits where now: a guest, a bot, a bot that stands in for a guest, or nobody."""

    table_id: str
    seat: int
    guest_id: str | None = None
    name: str | None = None
    bot: str | None = None
    away_bot: bool = False


@dataclass(frozen=True, slots=True)
class LinkRow:
    """A one-time link to a seat, by its hash."""

    hash: str
    table_id: str
    seat: int
    created_at: str
    used_at: str | None = None
    made_by: str | None = None


@dataclass(frozen=True, slots=True)
class TokenRow:
    """A token of the bot API, by its hash."""

    hash: str
    guest_id: str
    label: str
    created_at: str
    revoked_at: str | None = None


@dataclass(frozen=True, slots=True)
class PushRow:
    """A browser's subscription to Web Push."""

    endpoint: str
    guest_id: str
    p256dh: str
    auth: str
    created_at: str


@dataclass(frozen=True, slots=True)
class ChatRow:
    """One thing said at a table."""

    table_id: str
    number: int
    guest_id: str | None
    seat: int | None
    name: str | None
    text: str
    at: str
    sender: str | None = None


@dataclass(frozen=True, slots=True)
class ReportRow:
    """Something that a guest reported to the host of the server."""

    id: int
    table_id: str
    chat_number: int | None
    guest_id: str | None
    text: str
    at: str
    closed_at: str | None = None
    sender: str | None = None


@dataclass(frozen=True, slots=True)
class SeatedTable:
    """A table with its seats, in their order."""

    table: TableRow
    seats: tuple[SeatRow, ...]


@dataclass(frozen=True, slots=True)
class LoadedTable(SeatedTable):
    """A table with its seats and its whole log: all that its game is rebuilt from."""

    entries: tuple[EntryRow, ...]
