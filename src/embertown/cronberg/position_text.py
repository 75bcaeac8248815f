"""Positions as one line of text, and back; a position that no game can reach is refused.

`cronberg:cronberg-1726 players=2 turn=0 hand=- scores=0,0 tokens=d4/- rhombi=church@A2+A3`: tokens by seat with /
between them, rhombi in reading order, with ^ and a crossing where turning matters. `hand` is the rhomb drawn and not
yet placed.
"""

from __future__ import annotations

import re

import numpy as np

from embertown.core.errors import IllegalMove, ImpossiblePosition, MalformedText, shorten
from embertown.cronberg import rules
from embertown.cronberg.board import Board
from embertown.cronberg.consequences import scores_of, tokens_of
from embertown.cronberg.rules import NOTHING, POSITION, TURNS, Phase, Position
from embertown.cronberg.text import GAME, find_crossing, find_place, head_of, turn_of

EMPTY = "-"
MAX_SCORE = 10_000_000

_RHOMB = re.compile(r"([a-z][a-z0-9-]*)@([A-Z]\d{1,2})\+([A-Z]\d{1,2})(?:\^([a-z]\d{1,2}))?", re.ASCII)
_POSITION = re.compile(
    r"cronberg:(?P<edition>\S+) players=(?P<players>\d) turn=(?P<turn>\d|-) hand=(?P<hand>\S+)"
    r" scores=(?P<scores>[-\d,]+) tokens=(?P<tokens>[a-z\d,/-]+) rhombi=(?P<rhombi>\S+)",
    re.ASCII,
)


def position_text(board: Board, edition_id: str, position: Position) -> str:
    """A position as one line."""
    tokens = tokens_of(position)
    of_seats = [
        ",".join(board.crossings[crossing] for crossing, owner in tokens if owner == seat) or EMPTY
        for seat in range(position.players)
    ]
    hand = EMPTY if position.in_hand == NOTHING else board.kinds[position.in_hand]
    turn = EMPTY if rules.is_over(position) else int(position.seat)
    return (
        f"{GAME}:{edition_id} players={position.players} turn={turn} hand={hand}"
        f" scores={','.join(map(str, scores_of(position)))} tokens={'/'.join(of_seats)}"
        f" rhombi={','.join(_rhombi_texts(board, position)) or EMPTY}"
    )


def _rhombi_texts(board: Board, position: Position) -> list[str]:
    """The rhombi on the board in reading order: how they came there is not part of a position."""
    laid = sorted(zip(position.where[: position.placed], position.rhombi[: position.placed], strict=True))
    texts = []
    for where, kind in laid:
        first, second = board.places[where // TURNS].triangles
        head = head_of(board, kind, int(where))
        texts.append(f"{board.kinds[kind]}@{first}+{second}" + (f"^{head}" if head else ""))
    return texts


def parse_position(board: Board, edition_id: str, players: int, text: str) -> Position:
    """A position from its text; `ImpossiblePosition` where no game can reach it."""
    match = _POSITION.fullmatch(" ".join(str(text).split()))
    if match is None:
        raise MalformedText(
            f"{shorten(repr(str(text)))} is no position; right would be: cronberg:{edition_id} players=2 turn=0 hand=-"
            " scores=0,0 tokens=-/- rhombi=-"
        )
    if match["edition"] != edition_id or int(match["players"]) != players:
        raise MalformedText(
            f"the position is of {shorten(match['edition'])} with {match['players']} players;"
            f" right would be: {edition_id} with {players}"
        )
    position: Position = np.zeros(1, POSITION)[0]
    rules.set_up(board.arrays, position, players, _seat(match["turn"], players))
    open_at_first = position.open & ~position.barred
    _set_scores(position, match["scores"])
    _take_in_hand(board, position, match["hand"])
    _lay_rhombi(board, position, match["rhombi"])
    _stand_tokens(board, position, match["tokens"])
    _set_phase(position, match["turn"])
    if position.in_hand != NOTHING or rules.can_draw(position):
        lost = open_at_first & (~position.open | position.barred)
        _check_turns(position, int(lost).bit_count())
    return position


def _seat(turn: str, players: int) -> int:
    seat = 0 if turn == EMPTY else int(turn)
    if seat >= players:
        raise MalformedText(f"turn is {turn}; right would be: 0 to {players - 1}, or - when the game is over")
    return seat


def _set_scores(position: Position, text: str) -> None:
    try:
        scores = [int(score) for score in text.split(",")]
    except ValueError:
        raise MalformedText(f"scores is {shorten(text)}; right would be: numbers with commas between them") from None
    if len(scores) != position.players or any(abs(score) > MAX_SCORE for score in scores):
        raise MalformedText(f"scores is {shorten(text)}; right would be: {position.players} numbers of a sane size")
    position.scores[: position.players] = scores


def _take_in_hand(board: Board, position: Position, name: str) -> None:
    if name == EMPTY:
        return
    kind = _kind(board, name)
    rules.apply_outcome(position, kind)


def _kind(board: Board, name: str) -> int:
    if name not in board.kind_index:
        raise MalformedText(
            f"no rhomb is called {shorten(repr(name))}; right would be one of: {', '.join(board.kinds)}"
        )
    return board.kind_index[name]


def _lay_rhombi(board: Board, position: Position, text: str) -> None:
    for part in [] if text == EMPTY else text.split(","):
        match = _RHOMB.fullmatch(part)
        if match is None:
            raise MalformedText(
                f"rhomb {shorten(part)} can't be read; right would be: church@A1+A2, or church@A1+A2^b1"
            )
        kind = _kind(board, match[1])
        if board.turning_matters(kind) != (match[4] is not None):
            raise MalformedText(
                f"rhomb {part} can't be read; right would be: ^ and a crossing exactly where turning matters (C1.4)"
            )
        try:
            place = find_place(board, match[2], match[3])
            turn = turn_of(board, place, match[4]) if match[4] else 0
        except IllegalMove as error:  # a rhomb that no move puts there
            raise ImpossiblePosition(error.sentence(), error.rule) from None
        if position.bag[kind] == 0:
            raise ImpossiblePosition(f"there are more rhombi {match[1]} than the edition has", "C1.4")
        if not rules.is_place_free(position, place):
            raise ImpossiblePosition(f"rhomb {part} overlaps another one", "C5.2")
        position.bag[kind] -= 1
        position.left -= 1
        rules.cover(board.arrays, position, kind, place * TURNS + turn)
        rules.close(position, np.uint64(rules.closed_by(board.arrays, position, place)))
    # a compiled kernel's mask arrives as an int of Python's, and as such the next one would take it for signed
    uncoverable = np.uint64(rules.uncoverable(board.arrays, position, position.free))
    rules.activate(board.arrays, position, uncoverable)


def _stand_tokens(board: Board, position: Position, text: str) -> None:
    seats = text.split("/")
    if len(seats) != position.players:
        raise MalformedText(f"tokens is {shorten(text)}; right would be: {position.players} lists with / between them")
    for seat, part in enumerate(seats):
        for name in [] if part == EMPTY else part.split(","):
            crossing = find_crossing(board, name)
            _refuse_token(board, position, seat, crossing)
            position.seat, turn = seat, int(position.seat)
            rules.place_token(position, crossing)
            position.seat = turn


def _refuse_token(board: Board, position: Position, seat: int, crossing: int) -> None:
    """A token stands only where it could have been placed and would have stayed (C4)."""
    name = board.crossings[crossing]
    index = np.uint64(1) << np.uint64(crossing)
    if rules.occupied(position) & index:
        raise ImpossiblePosition(f"two tokens stand on {name}", "C4.1")
    if position.supply[seat] == 0:
        raise ImpossiblePosition(f"seat {seat} has more than {board.tokens} tokens", "C1.5")
    if not position.open & index:
        raise ImpossiblePosition(f"the token on {name} touches no free triangle and would have scored", "C4.4")
    if position.barred & index:
        raise ImpossiblePosition(f"the token on {name} touches an activated guard", "C7.2")


def _set_phase(position: Position, turn: str) -> None:
    """Whose turn it is must agree with whether anybody can still act (C8.1)."""
    in_hand = position.in_hand != NOTHING
    if in_hand and not rules.has_free_place(position):
        raise ImpossiblePosition("a rhomb is drawn and no place is left for it", "C3.3")
    over = not in_hand and bool(rules.is_stuck(position))
    if over != (turn == EMPTY):
        wrong = "nobody can act, so the game is over: turn=-" if over else "the game is not over: turn must be a seat"
        raise ImpossiblePosition(wrong, "C8.1")
    position.phase = Phase.OVER if over else Phase.PLACEMENT if in_hand else Phase.CHOICE


def _check_turns(position: Position, gone: int) -> None:
    """While rhombi can be drawn nobody passes, so every turn left a rhomb or a token (C3.2).

    All seats have had the same number of turns, those between the first and the one to act one more. A seat has
    had at least as many turns as it has tokens on the board; beyond the rhombi and the tokens there, a turn can only
    have gone into a token that scored or was driven away since: at most `gone`, as no crossing sends off a second one.
    """
    players, turn = int(position.players), int(position.seat)
    standing = [int(position.tokens[seat]).bit_count() for seat in range(players)]
    least = int(position.placed) + sum(standing)
    for first in range(players):
        ahead = (turn - first) % players
        for rounds in range(least // players + gone + 1):
            turns = [rounds + ((seat - first) % players < ahead) for seat in range(players)]
            if least <= sum(turns) <= least + gone and all(t >= s for t, s in zip(turns, standing, strict=True)):
                return
    raise ImpossiblePosition("rhombi and tokens do not add up to turns taken in order", "C3.1")
