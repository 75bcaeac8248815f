"""What an action brought about, told from the positions before and after it (D4, D5, D6, D8)."""

from __future__ import annotations

from dataclasses import dataclass

from embertown.core.jit import box
from embertown.drunter import doors, rules
from embertown.drunter.board import (
    BUILDINGS,
    DIRECTIONS,
    LENGTHS,
    NOWHERE,
    STEPS,
    VALUES,
    Board,
    Tile,
    reading_order,
)
from embertown.drunter.rules import CARDS, FIRST_LAY, OBJECTIVES, POSITION, UNKNOWN, Position


@dataclass(frozen=True, slots=True)
class Vote:
    """How a vote went (D6); `cards` and `said` by seat."""

    cards: tuple[tuple[str, ...], ...]
    said: tuple[str | None, ...]
    yes: int
    no: int

    @property
    def passed(self) -> bool:
        """Whether the tile stays; the count is the kernels', which let yes win ties (D6.3)."""
        return self.yes >= self.no


@dataclass(frozen=True, slots=True)
class FinalScore:
    """What a seat's objective was worth at the end (D8.1); `tiebreak`: the other card's worth in the variant (D9.3)."""

    seat: int
    objective: str
    uncovered: tuple[str, ...]
    points: int
    tiebreak: int | None


@dataclass(frozen=True, slots=True)
class Consequences:
    """What a tile would bring about; of a pass, a vote or a choice nothing is said."""

    tile: Tile | None = None
    covers: tuple[str, ...] = ()
    """Buildings and outhouses under the tile."""
    needs_vote: bool = False
    blocked: tuple[str, ...] = ()
    """Gangs removed, by the corner they started from."""


def split_lay(action: int) -> tuple[int, int, int]:
    """The gang, the direction and the length of a tile's action."""
    rest, length = divmod(action - FIRST_LAY, len(LENGTHS))
    gang, direction = divmod(rest, len(DIRECTIONS))
    return gang, direction, length + 1


def tile_of(board: Board, position: Position, action: int) -> Tile:
    """The tile that a legal action lays."""
    gang, direction, length = split_lay(action)
    square = int(position["gangs"][gang]) + STEPS[direction]
    first = int(doors.first_square(box(position, POSITION), gang, direction))
    under = []
    while square != first:
        under.append(board.square_of[square])
        square += STEPS[direction]
    squares = tuple(board.square_of[first + step * STEPS[direction]] for step in range(length))
    corner = board.gangs[gang]
    return Tile(board.kind_of_gang[corner], corner, squares, tuple(under))


def covered_by(board: Board, tile: Tile) -> tuple[str, ...]:
    """The buildings and outhouses that a tile covers, in reading order."""
    return tuple(sorted((s for s in tile.squares if s in board.buildings or s in board.outhouses), key=reading_order))


def blocked_between(board: Board, before: Position, after: Position) -> tuple[str, ...]:
    """The gangs that were removed (D4.6)."""
    stood, stand = before["gangs"].tolist(), after["gangs"].tolist()
    return tuple(
        name for name, was, now in zip(board.gangs, stood, stand, strict=True) if was != NOWHERE and now == NOWHERE
    )


def cards_of(mask: int) -> tuple[str, ...]:
    """Vote cards by name, in their order.

    >>> cards_of(0b10000001)
    ('ja', 'jeeiin')
    """
    return tuple(card for index, card in enumerate(CARDS) if mask >> index & 1)


def vote_of(position: Position) -> Vote:
    """A vote all of whose cards, and words on Jeeiin, are in the position."""
    words = {UNKNOWN: None, 0: "no", 1: "yes"}
    players = range(position.players)
    return Vote(
        cards=tuple(cards_of(int(position.votes[seat])) for seat in players),
        said=tuple(words[int(position.said[seat])] for seat in players),
        yes=int(rules.yes_votes(position)),
        no=int(rules.no_votes(position)),
    )


def final_scoring(board: Board, position: Position) -> tuple[FinalScore, ...]:
    """What every seat scores, once all cards are known."""
    found = []
    for seat in range(position.players):
        chosen = int(position.chosen[seat])
        other = int(rules.other_objective(position, seat))
        tiebreak = int(rules.points_of(board.arrays, position, other)) if position.variant else None
        points = int(rules.points_of(board.arrays, position, chosen))
        found.append(FinalScore(seat, OBJECTIVES[chosen], uncovered(board, position, chosen), points, tiebreak))
    return tuple(found)


def uncovered(board: Board, position: Position, objective: int) -> tuple[str, ...]:
    """The buildings that count for an objective, in reading order (D8.1, D9.4)."""
    names = [
        board.square_of[int(board.arrays.building[kind, value - 1])]
        for kind in range(len(BUILDINGS))
        for value in VALUES
        if rules.counts_for(board.arrays, position, objective, kind, value)
    ]
    return tuple(sorted(names, key=reading_order))
