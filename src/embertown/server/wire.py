"""What leaves about a game, made here alone, from views alone.

Everything that a connection, a page, a record or a bot's program is told of a game is built by these functions from
`table.view(viewer)` and `table.told(viewer, …)`; no other module of the server reads a state for telling.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import orjson

from embertown.core.game import View
from embertown.server.messages import (
    PROTOCOL,
    ClockFacts,
    EntriesMessage,
    HintMessage,
    MatchFacts,
    Outgoing,
    PreviewsMessage,
    SeatFacts,
    TableFacts,
    TableMessage,
    TakebackWish,
    TurnMessage,
)
from embertown.server.table import Table
from embertown.server.thinking import Advice

FEW = 4
"""So many legal actions travel with their previews; of more they are sent on request."""

SHARE_DIGITS = 4
"""More would be said of a share than anybody knows."""

KEPT = 64
"""How many boards' actions are kept as they travel."""


def encode(message: Outgoing | dict[str, Any]) -> str:
    """A message as it travels."""
    return orjson.dumps(message).decode()


def heading(table: Table) -> TableFacts:
    """What was fixed when the table was made."""
    row = table.row
    match: MatchFacts | None = None
    if row.match_id is not None:
        match = {"id": row.match_id, "game": row.match_game or 1, "games": row.match_games or 1}
    return {
        "id": row.id,
        "title": row.title or "",
        "game": row.game,
        "edition": table.game.edition.reference(),
        "edition_sha256": table.game.edition.sha256,
        "options": dict(table.game.options),
        "players": row.players,
        "public": row.public,
        "pace": row.pace,
        "clock": row.clock,
        "match": match,
        "first": row.first,
        "created": row.created_at,
    }


def facts(table: Table, viewer: int | None) -> dict[str, Any] | None:
    """What there is to draw for a viewer."""
    view = table.view(table.viewer(viewer))
    return None if view is None else view.facts()


class Told(NamedTuple):
    """What a viewer was told last: its view, and the facts of that."""

    view: View[Any]
    facts: dict[str, Any]


def told(table: Table, viewer: int | None, before: Told | None = None) -> Told | None:
    """What there is to draw for a viewer; parts that are what they were are those of `before`."""
    view = table.view(table.viewer(viewer))
    if view is None:
        return None
    return Told(view, view.facts() if before is None else view.facts_after(before.view, before.facts))


def seats(table: Table, guest: str | None, here: Collection[str]) -> list[SeatFacts]:
    """Who sits where, as a guest sees it."""
    return [
        {
            "name": sitting.name,
            "bot": sitting.bot,
            "person": sitting.guest is not None,
            "yours": guest is not None and sitting.guest == guest,
            "here": sitting.guest in here,
        }
        for sitting in table.seats
    ]


def clocks(table: Table, now: float) -> list[ClockFacts] | None:
    """The seats' clocks."""
    return None if table.clocks is None else table.clocks.facts(table.on_clock, now)


def whole(
    table: Table,
    viewer: int | None,
    since: int,
    *,
    facts: dict[str, Any] | None,
    guest: str | None,
    here: Collection[str],
    spectators: int,
    takeback: TakebackWish | None,
    next_table: str | None,
    hints: bool,
    now: float,
) -> TableMessage:
    """The table for one who comes, or looks with other eyes."""
    message: TableMessage = {
        "type": "table",
        "protocol": PROTOCOL,
        "table": heading(table),
        "status": table.status,
        "viewer": viewer,
        "host": guest is not None and guest == table.row.host_guest,
        "seats": seats(table, guest, here),
        "spectators": spectators,
        "number": table.number,
        "entries": table.told(viewer, min(since, table.number)),
        "facts": facts,
        "clocks": clocks(table, now),
        "takeback": takeback,
        "fair": table.fair_facts(),
        "next": next_table,
        "hints": hints,
    }
    found = results(table, since)
    if found:
        message["results"] = found
    return message


def results(table: Table, since: int) -> dict[str, dict[str, Any]]:
    """What entries after a number brought about, by their numbers; the same for everyone."""
    return {str(number): result for number, result in table.results(since).items()}


def news(
    table: Table,
    viewer: int | None,
    since: int,
    before: Told | None,
    after: Told | None,
    now: float,
) -> EntriesMessage:
    """What is new since a number: entries, and the facts that are not what they were before."""
    message: EntriesMessage = {
        "type": "entries",
        "viewer": viewer,
        "status": table.status,
        "number": table.number,
        "entries": table.told(viewer, since),
        "changes": {} if after is None else after.facts if before is None else _changed(before.facts, after.facts),
    }
    found = results(table, since)
    if found:
        message["results"] = found
    running = clocks(table, now)
    if running is not None:
        message["clocks"] = running
    if before is None or table.status != "playing":
        message["fair"] = table.fair_facts()
    return message


def _changed(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """The facts that are not what they were."""
    return {
        key: value
        for key, value in after.items()
        if key not in before or (before[key] is not value and before[key] != value)
    }


def turn(table: Table, seat: int) -> TurnMessage | None:
    """What a seat that is waited for may do; None where it is not."""
    view = table.view(table.viewer(seat))
    if view is None or seat not in table.waiting:
        return None
    legal = view.legal_actions_of(seat)
    message: TurnMessage = {
        "type": "turn",
        "seat": seat,
        "number": table.number,
        "legal": _described(view, legal),
    }
    if len(legal) <= FEW:
        message["previews"] = [view.foretold(action) for action in legal]
    return message


def _described(view: View[Any], actions: Sequence[int]) -> list[Any]:
    """Actions as they travel; those that are told alike at many tables are written once."""
    alike = view.described_by
    if alike is None:
        return [view.described(action) for action in actions]
    kept = _kept(alike)
    try:
        return [kept[action] for action in actions]
    except KeyError:
        kept.update({each: orjson.Fragment(orjson.dumps(view.described(each))) for each in actions if each not in kept})
    return [kept[action] for action in actions]


@lru_cache(KEPT)
def _kept(alike: Hashable) -> dict[int, orjson.Fragment]:  # noqa: ARG001
    """What was written before, by action."""
    return {}


def previews(table: Table, seat: int, asked: str, actions: list[str]) -> PreviewsMessage:
    """What actions of a seat would bring about; raises `IllegalMove` for the first that is not legal."""
    view = table.view(table.viewer(seat))
    found = [] if view is None else [view.foretold(view.action(action)) for action in actions]
    return {"type": "previews", "id": asked, "number": table.number, "previews": found}


def hint(asked: str, seat: int, number: int, advice: Advice) -> HintMessage:
    """What a seat that asked is told: it was thought of from that seat's view."""
    return {
        "type": "hint",
        "id": asked,
        "seat": seat,
        "number": number,
        "best": [{"action": action, "share": round(share, SHARE_DIGITS)} for action, share in advice.best],
        "win_share": None if advice.win_share is None else round(advice.win_share, SHARE_DIGITS),
        "by": advice.by,
    }


def record(table: Table, viewer: int | None) -> dict[str, Any]:
    """The record as a viewer may know it."""
    return table.record(table.viewer(viewer)).to_dict()


def picture(table: Table, viewer: int | None, **how: Any) -> str:
    """The board as a viewer may see it, as SVG."""
    view = table.view(table.viewer(viewer))
    state = table.game.start(seed=0).view(None) if view is None else view
    return state.svg(**how)
