"""Actions and positions as text, and back.

Actions: `lay wall A1 B1-D1` (kind, the corner its path started from, first and last square; `lay wall A1 B1` for length
1) · `pass` · `vote nee`, with several cards `vote ne+neee` · `jeeiin yes` · `choose school`. A position is one line of
`key=value` parts.
"""

from __future__ import annotations

import re

from embertown.core.errors import IllegalMove, MalformedText, shown
from embertown.core.jit import box
from embertown.core.locale import LANGUAGES, translate
from embertown.drunter import doors, rules
from embertown.drunter.board import DIRECTIONS, KINDS, LENGTHS, NOWHERE, ROW, STEPS, Board
from embertown.drunter.consequences import cards_of, split_lay, tile_of
from embertown.drunter.rules import (
    ACTIONS,
    CARDS,
    FIRST_CHOICE,
    FIRST_VOTE,
    OBJECTIVES,
    PASS,
    POSITION,
    SAY_NO,
    SAY_YES,
    Position,
    Refusal,
)

GAME = "drunter"
HOW_TO_WRITE = "lay wall A1 B1-D1, pass, vote nee, jeeiin yes, or choose school"
HOW_TO_LAY = "lay wall A1 B1-D1, or lay wall A1 B1"
_LAY = re.compile(r"([a-z]+) ([A-Z]\d{1,2}) ([A-Z]\d{1,2})(?:-([A-Z]\d{1,2}))?", re.ASCII)


def piece(name: str) -> dict[str, str]:
    """What a piece is called in every language, for the sentence of a refusal."""
    return {language: translate(GAME, f"pieces.{name}", language) for language in LANGUAGES}


def check_number(action: int) -> None:
    """Refuse a number that no action has."""
    if not 0 <= action < ACTIONS or action == FIRST_VOTE:
        raise MalformedText(f"no action has the number {shown(action)}")


def action_text(board: Board, position: Position, action: int) -> str:
    """An action as text. A tile has one only where it fits."""
    check_number(action)
    if action < PASS:
        gang, direction, length = split_lay(action)
        if position["gangs"][gang] == NOWHERE or position["room"][gang, direction] < length:
            raise MalformedText(f"the tile with the number {action} fits nowhere here, so it has no text")
        return f"lay {tile_of(board, position, action).text}"
    if action == PASS:
        return "pass"
    if action < SAY_NO:
        return "vote " + "+".join(cards_of(action - FIRST_VOTE))
    if action in (SAY_NO, SAY_YES):
        return "jeeiin yes" if action == SAY_YES else "jeeiin no"
    return f"choose {OBJECTIVES[action - FIRST_CHOICE]}"


def parse_action(board: Board, position: Position, text: str) -> int:
    """The action that a text means; blanks around and between words do not matter."""
    word, _, rest = " ".join(str(text).split()).partition(" ")
    if word == "lay":
        return _parse_lay(board, position, rest)
    if word == "vote" and rest:
        return FIRST_VOTE + _parse_cards(rest)
    if word == "choose" and rest:
        return FIRST_CHOICE + _index(rest, OBJECTIVES, "objective")
    if word == "jeeiin" and rest in ("yes", "no"):
        return SAY_YES if rest == "yes" else SAY_NO
    if word == "pass" and not rest:
        return PASS
    raise MalformedText(f"{shown(text)} is no action; right would be: {HOW_TO_WRITE}")


def _index(name: str, names: tuple[str, ...], what: str) -> int:
    if name not in names:
        raise MalformedText(f"no {what} is called {shown(name)}; right would be one of: {', '.join(names)}")
    return names.index(name)


def _parse_cards(text: str) -> int:
    mask = 0
    for name in text.split("+"):
        card = 1 << _index(name.strip(), CARDS, "vote card")
        if mask & card:
            raise MalformedText(f"{shown(text)} names a card twice; right would be: each card once (D1.4)")
        mask |= card
    return mask


def _parse_lay(board: Board, position: Position, rest: str) -> int:
    match = _LAY.fullmatch(rest)
    if match is None:
        raise MalformedText(f"{shown('lay ' + rest)} can't be read; right would be: {HOW_TO_LAY}")
    kind, gang_name, first, last = match[1], match[2], match[3], match[4] or match[3]
    _index(kind, KINDS, "kind of tile")
    gang = _index(gang_name, board.gangs, "gang's corner")
    for name in (first, last):
        if name not in board.number_of:
            raise MalformedText(
                f"no square is called {name!r} here; right would be: {board.squares[0]} to {board.squares[-1]}"
            )
    if board.kind_of_gang[gang_name] != kind:
        details = {"gang": gang_name, "kind": piece(kind), "right": piece(board.kind_of_gang[gang_name])}
        raise IllegalMove(GAME, "other_kind", "D4.1", (gang_name,), details)
    if position["gangs"][gang] == NOWHERE:
        raise IllegalMove(GAME, "gang_removed", Refusal.GANG_REMOVED.rule, (gang_name,), {"gang": gang_name})
    return _find_lay(board, position, gang, first, last)


def _find_lay(board: Board, position: Position, gang: int, first: str, last: str) -> int:
    """The direction and length that lead over these squares (D4.2)."""
    here, start, end = int(position["gangs"][gang]), board.number_of[first], board.number_of[last]
    direction = _direction(here, start)
    details = {"gang": board.gangs[gang], "square": board.square_of[here], "first": first, "last": last}
    if direction is None:
        raise IllegalMove(GAME, "not_at_the_gang", "D4.2", (board.square_of[here], first), details)
    steps = (end - start) // STEPS[direction]
    if end != start + steps * STEPS[direction] or _direction(here, end) != direction or not 0 <= steps < len(LENGTHS):
        raise IllegalMove(GAME, "not_straight", "D4.2", (first, last), details)
    following = int(doors.first_square(box(position, POSITION), gang, direction))
    if start != following:
        _refuse_start(board, position, range(following, start, STEPS[direction]), details)
    return int(rules.lay_action(gang, direction, steps + 1))


def _direction(here: int, there: int) -> int | None:
    """The direction in which a square lies straight ahead, or None."""
    down, right = there // ROW - here // ROW, there % ROW - here % ROW
    if (down == 0) == (right == 0):
        return None
    return DIRECTIONS.index(("south" if down > 0 else "north") if down else ("east" if right > 0 else "west"))


def _refuse_start(board: Board, position: Position, skipped: range, details: dict[str, str]) -> None:
    """A tile that starts neither next to its gang nor just beyond the bridges across its way (D4.2, D4.4)."""
    if rules.is_covered(position, board.number_of[details["first"]]):
        raise IllegalMove(GAME, "square_covered", "D4.3", (details["first"],), details | {"square": details["first"]})
    across = 0 if abs(skipped.step) == 1 else 1
    for square in (board.square_of[number] for number in skipped):
        if rules.is_bridge_across(position, board.number_of[square], across):
            raise IllegalMove(GAME, "bridge_along", Refusal.BRIDGE_ALONG.rule, (square,), details | {"square": square})
    raise IllegalMove(GAME, "not_at_the_gang", "D4.2", (details["square"], details["first"]), details)
