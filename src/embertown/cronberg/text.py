"""Actions as text, and back.

`token d4` · `draw` · `pass` · `place C5+C6`, with ` ^d3` where turning matters: the crossing that the rhomb's
first number points at.
"""

from __future__ import annotations

import re

from embertown.core.errors import AmbiguousText, IllegalMove, MalformedText, shorten, shown
from embertown.cronberg.board import Board, reading_order
from embertown.cronberg.rules import (
    DRAW,
    FIRST_PLACEMENT,
    FIRST_TOKEN,
    NOTHING,
    PASS,
    TURNS,
    Position,
)

GAME = "cronberg"
HOW_TO_WRITE = "token d4, draw, pass, place C5+C6, or place C5+C6 ^d3 where turning matters"

_PLACE = re.compile(r"([A-Z]\d{1,2})\+([A-Z]\d{1,2})(?: ?\^([a-z]\d{1,2}))?", re.ASCII)


def check_number(board: Board, action: int) -> None:
    """Refuse a number that no action on this board has."""
    token = FIRST_TOKEN <= action < FIRST_TOKEN + len(board.crossings)
    placement = FIRST_PLACEMENT <= action < FIRST_PLACEMENT + len(board.places) * TURNS
    if not token and not placement and action not in (DRAW, PASS):
        raise MalformedText(f"no action on this board has the number {shown(action)}")


def action_text(board: Board, position: Position, action: int) -> str:
    """An action as text, canonical: triangles in reading order, the head exactly where turning matters."""
    check_number(board, action)
    if action == DRAW:
        return "draw"
    if action == PASS:
        return "pass"
    if action < DRAW:
        return f"token {board.crossings[action - FIRST_TOKEN]}"
    place, turn = divmod(action - FIRST_PLACEMENT, TURNS)
    first, second = board.places[place].triangles
    in_hand = int(position["in_hand"])
    if in_hand != NOTHING and not board.turning_matters(in_hand):
        return f"place {first}+{second}"
    return f"place {first}+{second} ^{_head(board, place, turn)}"


def parse_action(board: Board, position: Position, text: str) -> int:
    """The action that a text means; blanks around and between words do not matter, the order of triangles neither."""
    word, _, rest = " ".join(str(text).split()).partition(" ")
    if word == "token":
        return FIRST_TOKEN + find_crossing(board, rest)
    if word == "place":
        return _parse_placement(board, position, rest)
    if word in ("draw", "pass") and not rest:
        return DRAW if word == "draw" else PASS
    raise MalformedText(f"{shorten(repr(str(text)))} is no action; right would be: {HOW_TO_WRITE}")


def _parse_placement(board: Board, position: Position, rest: str) -> int:
    match = _PLACE.fullmatch(rest)
    if match is None:
        raise MalformedText(f"{shorten(repr('place ' + rest))} can't be read; right would be: place C5+C6")
    place = find_place(board, match[1], match[2])
    in_hand = int(position["in_hand"])
    if in_hand == NOTHING or not board.turning_matters(in_hand):
        turn = 0 if match[3] is None else turn_of(board, place, match[3])
        return FIRST_PLACEMENT + place * TURNS + (0 if in_hand != NOTHING else turn)
    if match[3] is None:
        first, second = board.places[place].triangles
        heads = " or ".join(f"^{head}" for head in board.sharp_corners(first, second))
        raise AmbiguousText(
            f"turning the {board.kinds[in_hand]} matters (C1.4); right would be: place {first}+{second} {heads}"
        )
    return FIRST_PLACEMENT + place * TURNS + turn_of(board, place, match[3])


def find_place(board: Board, first: str, second: str) -> int:
    """The place of two triangles, in either order; they must share an edge (C5.1)."""
    for name in (first, second):
        if name not in board.triangle_index:
            raise MalformedText(
                f"no triangle is called {name!r} here; right would be: {board.triangles[0]} to {board.triangles[-1]}"
            )
    pair = (first, second) if reading_order(first) < reading_order(second) else (second, first)
    if pair not in board.place_index:
        raise IllegalMove(GAME, "not_neighbours", "C5.1", (first, second), {"first": first, "second": second})
    return board.place_index[pair]


def turn_of(board: Board, place: int, head: str) -> int:
    """The turn in which the first number points at `head`, a sharp corner (C1.4)."""
    first, second = board.places[place].triangles
    heads = board.sharp_corners(first, second)
    if head not in heads:
        details = {"head": head, "first": first, "second": second, "heads": ", ".join(heads)}
        raise IllegalMove(GAME, "not_a_sharp_corner", "C1.4", (head,), details)
    return heads.index(head)


def _head(board: Board, place: int, turn: int) -> str:
    """The crossing that the first number points at: the first sharp corner, or turned, the other one."""
    return board.places[place].corners[2 * turn]


def find_crossing(board: Board, name: str) -> int:
    """The crossing of this name."""
    if name not in board.crossing_index:
        raise MalformedText(
            f"no crossing is called {shorten(repr(name))} here;"
            f" right would be: {board.crossings[0]} to {board.crossings[-1]}"
        )
    return board.crossing_index[name]


def head_of(board: Board, kind: int, where: int) -> str | None:
    """Where a rhomb's first number points at, where turning matters; else None."""
    if not board.turning_matters(kind):
        return None
    return _head(board, *divmod(where, TURNS))
