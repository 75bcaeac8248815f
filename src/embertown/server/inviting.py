"""Links, looked at before they are used: who invites, to what, and whether the link opens anything any more.

A link's secret tells what it gives anyway: whoever holds it could sit down and see the same. One that is used up tells
nothing, but to the guest who sits there by it.
"""

from __future__ import annotations

from typing import Literal

import sqlalchemy as sa

from embertown.core.locale import LANGUAGES
from embertown.games import game_class
from embertown.server.drawing_shapes import InLanguages
from embertown.server.errors import Refused
from embertown.server.forms import Invitation, SeatSummary
from embertown.server.offered import in_languages
from embertown.server.store import queries
from embertown.server.store.rows import LinkRow, SeatedTable, Status, TableRow

OWN = "own"
"""The id of an edition that has none."""


def unused(link: LinkRow | None) -> LinkRow:
    """A link that still opens something; else `Refused`."""
    if link is None:
        raise Refused("link_unknown", status=404)
    if link.used_at is not None:
        raise Refused("link_used", status=410)
    return link


def check_seat(link: LinkRow, status: Status, guest: str | None, bot: str | None) -> None:
    """Whether somebody can still sit down by a link at a seat with this guest or bot; else `Refused`."""
    if status not in ("open", "playing"):
        raise Refused("table_ended", status=410)
    is_open = guest is None and bot is None
    if not is_open and (guest is None or guest != link.made_by):
        raise Refused("seat_taken")  # a seat moves by its own player's link alone


def to_seat(connection: sa.Connection, hashed: str, mine: str | None) -> Invitation:
    """What a one-time link leads to, as a guest may know it."""
    link = queries.link(connection, hashed)
    found = None if link is None else queries.hosted_table(connection, link.table_id)
    if link is None or found is None:
        raise Refused("link_unknown", status=404)
    seated, host = found
    seat = seated.seats[link.seat]
    if mine is not None and seat.guest_id == mine:
        return _told(seated, host, mine, "seat", link.seat)
    check_seat(unused(link), seated.table.status, seat.guest_id, seat.bot)
    return _told(seated, host, mine, "seat" if seat.guest_id is None else "move", link.seat)


def to_watch(connection: sa.Connection, table_id: str, mine: str | None) -> Invitation:
    """What a link for watching leads to; whether a guest may watch was asked before."""
    found = queries.hosted_table(connection, table_id)
    if found is None:
        raise Refused("no_such_table", status=404)
    return _told(*found, mine, "watch", None)


def _told(
    seated: SeatedTable, host: str | None, mine: str | None, kind: Literal["seat", "move", "watch"], seat: int | None
) -> Invitation:
    row = seated.table
    seats = seats_of(seated, mine)
    is_host = mine is not None and row.host_guest == mine
    may_go = kind == "watch" or row.public or is_host or any(each.yours for each in seats)
    return Invitation(
        kind=kind,
        seat=seat,
        host=host,
        yours=is_host,
        table=row.id if may_go else None,
        title=row.title or "",
        game=row.game,
        edition=edition_of(row),
        edition_title=_title(row),
        options=row.options,
        first=row.first,
        games=row.match_games or 1,
        pace=row.pace,
        clock=row.clock,
        status=row.status,
        seats=seats,
    )


def seats_of(seated: SeatedTable, mine: str | None) -> list[SeatSummary]:
    """Who sits where, as a guest sees it."""
    return [
        SeatSummary(
            name=each.name,
            bot=each.bot,
            person=each.guest_id is not None,
            yours=mine is not None and each.guest_id == mine,
        )
        for each in seated.seats
    ]


def edition_of(row: TableRow) -> str:
    """The id of the edition that is played."""
    return row.edition if isinstance(row.edition, str) else str(row.edition.get("edition", {}).get("id", OWN))


def _title(row: TableRow) -> InLanguages | None:
    """What the edition is called: one that comes along, by our catalogues; any other, by itself."""
    if isinstance(row.edition, str):
        return in_languages(row.game, "editions", row.edition)
    edition = game_class(row.game).edition_model.find(row.edition)
    names = {language: edition.title(language) for language in LANGUAGES}
    default = names["en"]
    if default is None:
        return None
    return InLanguages(en=default, de=names["de"] or default, fr=names["fr"] or default)
