"""What an action brought about, told from the positions before and after it (C6, C7, C8).

The numbers behind a score are read off the rhombi on the board; the points themselves come from the kernels.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from embertown.core.jit import box
from embertown.cronberg import doors, rules
from embertown.cronberg.board import Board
from embertown.cronberg.rules import Position


@dataclass(frozen=True, slots=True)
class Scored:
    """A token that scored when its crossing was closed (C6)."""

    seat: int
    at: str
    numbers: tuple[int, ...]
    points: int


@dataclass(frozen=True, slots=True)
class Driven:
    """A token that a guard drove away (C7.2)."""

    seat: int
    at: str


@dataclass(frozen=True, slots=True)
class FinalScore:
    """A token that scored at the end (C8.2)."""

    seat: int
    at: str
    numbers: tuple[int, ...]
    coat: bool
    parks: int
    points: int


@dataclass(frozen=True, slots=True)
class Consequences:
    """All that followed from one action; `final` is None while the game goes on."""

    scored: tuple[Scored, ...] = ()
    activated: tuple[str, ...] = ()
    driven: tuple[Driven, ...] = ()
    final: tuple[FinalScore, ...] | None = None
    scores: tuple[int, ...] = ()


def between(board: Board, before: Position, after: Position) -> Consequences:
    """What happened from one position to the next."""
    masks = np.zeros((3, rules.MAX_PLAYERS), np.uint64)
    doors.told(box(before, rules.POSITION), box(after, rules.POSITION), masks)
    activated, scored, driven = masks.tolist()
    return Consequences(
        scored=tuple(_scored(board, after, scored)),
        activated=tuple(board.triangles[triangle] for triangle in members(activated[0])),
        driven=tuple(Driven(seat, board.crossings[crossing]) for crossing, seat in _by_crossing(driven)),
        final=final_scoring(board, after) if int(after["phase"]) == rules.Phase.OVER else None,
        scores=scores_of(after),
    )


def is_eventful(before: Position, after: Position) -> bool:
    """Whether a rhomb closed or activated anything: else tokens and active triangles are what they were."""
    return bool(before["active"] != after["active"]) or before["tokens"].tobytes() != after["tokens"].tobytes()


def scores_of(position: Position) -> tuple[int, ...]:
    """The scores, by seat."""
    return tuple(position["scores"][: position["players"]].tolist())


def numbers_at(board: Board, position: Position, crossing: str) -> tuple[int, ...]:
    """The numbers that point at a crossing, high to low, as printed (C6.3)."""
    found = []
    placed = int(position["placed"])
    kinds, wheres = position["rhombi"][:placed].tolist(), position["where"][:placed].tolist()
    for kind, where in zip(kinds, wheres, strict=True):
        place, turn = divmod(where, rules.TURNS)
        corners = board.places[place].corners
        if crossing in corners:
            found.append(board.numbers[kind][(corners.index(crossing) + 2 * turn) % 4])
    return tuple(sorted(found, reverse=True))


def final_scoring(board: Board, position: Position) -> tuple[FinalScore, ...]:
    """What the tokens on the board are worth at the end, in reading order; those that score nothing left out (C8.2)."""
    found = []
    for crossing, seat in tokens_of(position):
        coat = bool(rules.has_active_coat(board.arrays, position, crossing))
        parks = int(rules.active_parks(board.arrays, position, crossing))
        if coat or parks:
            name = board.crossings[crossing]
            points = int(rules.final_points(board.arrays, position, crossing))
            found.append(FinalScore(seat, name, numbers_at(board, position, name), coat, parks, points))
    return tuple(found)


def tokens_of(position: Position) -> list[tuple[int, int]]:
    """The tokens on the board as (crossing, seat), in reading order."""
    return _by_crossing(position["tokens"].tolist())


def members(mask: Any) -> Iterator[int]:
    """The indices of a mask's set bits, in ascending order.

    >>> list(members(0b1010))
    [1, 3]
    """
    rest = int(mask)
    while rest:
        yield (rest & -rest).bit_length() - 1
        rest &= rest - 1


def _scored(board: Board, after: Position, masks: list[int]) -> list[Scored]:
    found = []
    for crossing, seat in _by_crossing(masks):
        name = board.crossings[crossing]
        found.append(Scored(seat, name, numbers_at(board, after, name), int(after.sums[crossing])))
    return found


def _by_crossing(masks: list[int]) -> list[tuple[int, int]]:
    """From masks of crossings by seat: crossing and seat, in reading order."""
    return sorted((crossing, seat) for seat, mask in enumerate(masks) for crossing in members(mask))
