"""What an action brought about, told from the positions before and after it (C6, C7, C8).

The numbers behind a score are read off the rhombi on the board; the points themselves come from the kernels.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from embertown.core.jit import box
from embertown.cronberg import doors, rules
from embertown.cronberg.board import Board
from embertown.cronberg.rules import Position

KEPT_MASKS = 4096
"""Most masks of a position are those of the position before."""
KEPT_BOARDS = 64
"""How many boards' tables are kept at hand; one more is made anew in a millisecond."""


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
    if not is_eventful(before, after):
        return Consequences(scores=scores_of(after))
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
    """Whether tokens or active triangles are not what they were, or the game is over: else nothing can be told."""
    old, new = before.tobytes(), after.tobytes()
    return old[_ACTIVE] != new[_ACTIVE] or old[_TOKENS] != new[_TOKENS] or new[_PHASE] == rules.Phase.OVER


def part(field: str) -> slice:
    """Where a field lies in the bytes of a position."""
    assert rules.POSITION.fields is not None
    dtype, offset = rules.POSITION.fields[field][:2]
    return slice(offset, offset + dtype.itemsize)


_ACTIVE, _TOKENS, _PHASE = part("active"), part("tokens"), part("phase").start


def scores_of(position: Position) -> tuple[int, ...]:
    """The scores, by seat."""
    return tuple(position["scores"][: position["players"]].tolist())


def numbers_at(board: Board, position: Position, *crossings: str) -> list[tuple[int, ...]]:
    """By crossing, the numbers that point at it, high to low, as printed (C6.3)."""
    found: dict[str, list[int]] = {crossing: [] for crossing in crossings}
    pointed, placed = pointed_at(board), int(position["placed"])
    kinds, wheres = position["rhombi"][:placed].tolist(), position["where"][:placed].tolist()
    for kind, where in zip(kinds, wheres, strict=True):
        for crossing, number in zip(pointed[where], board.numbers[kind], strict=True):
            if crossing in found:
                found[crossing].append(number)
    return [tuple(sorted(found[crossing], reverse=True)) for crossing in crossings]


@lru_cache(KEPT_BOARDS)
def pointed_at(board: Board) -> tuple[tuple[str, ...], ...]:
    """By where a rhomb lies, place and turn: the crossings that its numbers point at, in their order (C6.3)."""
    return tuple(
        tuple(place.corners[(number + 2 * turn) % 4] for number in range(4))
        for place in board.places
        for turn in range(rules.TURNS)
    )


def final_scoring(board: Board, position: Position) -> tuple[FinalScore, ...]:
    """What the tokens on the board are worth at the end, in reading order; those that score nothing left out (C8.2)."""
    worth = np.empty((len(board.crossings), 3), np.int64)
    doors.final_scoring(board.box, box(position, rules.POSITION), worth)
    values = worth.tolist()
    tokens = [(crossing, seat) for crossing, seat in tokens_of(position) if values[crossing][0] or values[crossing][1]]
    names = [board.crossings[crossing] for crossing, _ in tokens]
    found = []
    for (crossing, seat), name, numbers in zip(tokens, names, numbers_at(board, position, *names), strict=True):
        coat, parks, points = values[crossing]
        found.append(FinalScore(seat, name, numbers, bool(coat), parks, points))
    return tuple(found)


def tokens_of(position: Position) -> list[tuple[int, int]]:
    """The tokens on the board as (crossing, seat), in reading order."""
    return _by_crossing(position["tokens"].tolist())


@lru_cache(KEPT_MASKS)
def members(mask: int) -> tuple[int, ...]:
    """The indices of a mask's set bits, in ascending order.

    >>> members(0b1010)
    (1, 3)
    """
    found, rest = [], int(mask)
    while rest:
        found.append((rest & -rest).bit_length() - 1)
        rest &= rest - 1
    return tuple(found)


def _scored(board: Board, after: Position, masks: list[int]) -> list[Scored]:
    tokens = _by_crossing(masks)
    if not tokens:
        return []
    names, sums = [board.crossings[crossing] for crossing, _ in tokens], after["sums"].tolist()
    return [
        Scored(seat, name, numbers, sums[crossing])
        for (crossing, seat), name, numbers in zip(tokens, names, numbers_at(board, after, *names), strict=True)
    ]


def _by_crossing(masks: list[int]) -> list[tuple[int, int]]:
    """From masks of crossings by seat: crossing and seat, in reading order."""
    return sorted((crossing, seat) for seat, mask in enumerate(masks) for crossing in members(mask))
