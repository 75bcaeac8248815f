"""A position, an action and its consequences as plain values, for pages that draw the game and know no rule.

Everything here is ready for JSON: dicts with names as keys, lists, texts, whole numbers, true, false and null. Squares
and pieces go by name. Only what the position holds is told, so that of a view's position nothing comes out that its
seat may not know: an objective or a vote that is hidden is null.

>>> import embertown
>>> view = embertown.load("drunter", players=2).start(seed=7, first=0).play("lay wall A1 B1").view(1)
>>> facts = view.facts()
>>> facts["phase"], facts["seat"], facts["gangs"]["A1"], facts["laid"]
('laying', 1, 'B1', [{'kind': 'wall', 'gang': 'A1', 'squares': ['B1'], 'under': []}])
>>> facts["objectives"]
[[None], ['town-hall']]
>>> view.described(view.action("lay wall A1 C1"))
{'text': 'lay wall A1 C1', 'kind': 'lay', 'tile': 'wall', 'gang': 'A1', 'squares': ['C1'], 'under': []}
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from embertown.core.game import End, Outcome
from embertown.core.jit import box
from embertown.core.record import as_values
from embertown.drunter.board import BORDER, KINDS, NOWHERE, ROW, ROWS, Board, Tile
from embertown.drunter.consequences import (
    Consequences,
    blocked_between,
    cards_of,
    covered_by,
    final_scoring,
    split_lay,
    tile_of,
    vote_of,
)
from embertown.drunter.rules import (
    ALL_CARDS,
    FIRST_CHOICE,
    FIRST_VOTE,
    HIDDEN,
    OBJECTIVES,
    OBJECTIVES_EACH,
    PASS,
    POSITION,
    SAY_NO,
    UNKNOWN,
    Phase,
    Position,
)
from embertown.drunter.text import action_text

KEPT_BOARDS = 64
"""How many boards' tables are kept at hand; one more is made anew in a millisecond."""
KEPT_TILES = 4096
"""How many tiles, with their texts, are kept at hand for a board."""

_PHASES = {int(phase): phase.name.lower() for phase in Phase}
_VOTE = (int(Phase.VOTING), int(Phase.JEEIIN))
_HANDS = tuple(cards_of(hand) for hand in range(ALL_CARDS + 1))
_WORDS = {HIDDEN: None, UNKNOWN: None, 0: "no", 1: "yes"}


class _Tables(NamedTuple):
    """What a board's numbers mean, looked up once."""

    lots: tuple[tuple[str, int, int], ...]  # buildings and outhouses in reading order, with their rows and bits
    texts: dict[int, str]  # by action, of those that are no tiles
    lays: dict[tuple[int, int, int], tuple[str, Tile]]  # by action, the gang's square and the bridges in its line


@lru_cache(KEPT_BOARDS)
def _tables(board: Board) -> _Tables:
    numbers = {name: board.number_of[name] for name in board.squares if name in {*board.buildings, *board.outhouses}}
    lots = tuple((name, number // ROW, number % ROW + BORDER) for name, number in numbers.items())
    return _Tables(lots, {}, {})


# ---- a position


def facts_of(
    board: Board, position: Position, laid: Sequence[Tile], waiting: Sequence[int], outcome: Outcome | None
) -> dict[str, Any]:
    """All that a drawing of this position needs; a change of one thing changes its key alone."""
    players, over = int(position["players"]), outcome is not None
    covered = position["covered"][ROWS].tolist()
    gangs = position["gangs"].tolist()
    return {
        "phase": _PHASES[Phase.OVER if over else int(position["phase"])],
        "seat": None if over else int(position["seat"]),
        "waiting": [*waiting],
        "scores": position["scores"][:players].tolist(),
        "gangs": {
            name: None if square == NOWHERE else board.square_of[square]
            for name, square in zip(board.gangs, gangs, strict=True)
        },
        "tiles": [dict(zip(KINDS, counts, strict=True)) for counts in position["tiles"][:players].tolist()],
        "cards": [[*_HANDS[hand]] for hand in position["hands"][:players].tolist()],
        "laid": [tile_facts(tile) for tile in laid],
        "covered": [name for name, row, bit in _tables(board).lots if covered[row] >> bit & 1],
        **_under_vote(board, position, players),
        **_objectives(position, players),
        "outcome": None if outcome is None else as_values(outcome),
        "final": _final(board, position, outcome),
    }


def tile_facts(tile: Tile) -> dict[str, Any]:
    """A tile: its kind, its gang's corner, its squares, and the middles of the bridges passed under before it."""
    return {"kind": tile.kind, "gang": tile.gang, "squares": [*tile.squares], "under": [*tile.under]}


def _under_vote(board: Board, position: Position, players: int) -> dict[str, Any]:
    """The tile under vote with its proposer, and the votes so far (D6): cards that are not known are null."""
    phase = int(position["phase"])
    if phase not in _VOTE:
        return {"proposal": None, "votes": None}
    tile = tile_of(board, position, int(position["proposal"]))
    proposal = {"seat": int(position["layer"]), **tile_facts(tile), "covers": [*covered_by(board, tile)]}
    cast, said = position["votes"][:players].tolist(), position["said"][:players].tolist()
    revealed = vote_of(position) if phase == Phase.JEEIIN else None
    votes = {
        "voted": [cards != 0 for cards in cast],
        "cards": [
            None if cards == 0 or word == HIDDEN else [*_HANDS[cards]] for cards, word in zip(cast, said, strict=True)
        ],
        "said": [_WORDS[word] for word in said],
        "yes": None if revealed is None else revealed.yes,
        "no": None if revealed is None else revealed.no,
    }
    return {"proposal": proposal, "votes": votes}


def _objectives(position: Position, players: int) -> dict[str, Any]:
    """By seat: the objectives dealt, whether the real one is chosen, and which it is; null for what is not known."""
    each = OBJECTIVES_EACH if int(position["variant"]) else 1
    dealt = position["objectives"][:players, :each].tolist()
    chosen = position["chosen"][:players].tolist()
    return {
        "objectives": [[None if card < 0 else OBJECTIVES[card] for card in cards] for cards in dealt],
        "has_chosen": [card != UNKNOWN for card in chosen],
        "chosen": [None if card < 0 else OBJECTIVES[card] for card in chosen],
    }


def _final(board: Board, position: Position, outcome: Outcome | None) -> list[dict[str, Any]] | None:
    """What every seat scored, item by item (D8.1); None where the game was not played out."""
    if outcome is None or outcome.end is not End.COMPLETE:
        return None
    return [as_values(score) for score in final_scoring(board, position)]


# ---- an action


def described(board: Board, position: Position, action: int) -> dict[str, Any]:
    """An action: its text, its kind (`lay`, `pass`, `vote`, `jeeiin`, `choose`), and its squares, cards or card."""
    if 0 <= action < PASS:
        text, (kind, gang, squares, under) = _lay(board, position, action)
        return {"text": text, "kind": "lay", "tile": kind, "gang": gang, "squares": [*squares], "under": [*under]}
    texts = _tables(board).texts
    said = texts.get(action)
    if said is None:
        said = texts[action] = action_text(board, position, action)
    if action == PASS:
        return {"text": said, "kind": "pass"}
    if action < SAY_NO:
        return {"text": said, "kind": "vote", "cards": [*_HANDS[action - FIRST_VOTE]]}
    if action < FIRST_CHOICE:
        return {"text": said, "kind": "jeeiin", "says": "no" if action == SAY_NO else "yes"}
    return {"text": said, "kind": "choose", "objective": OBJECTIVES[action - FIRST_CHOICE]}


def _lay(board: Board, position: Position, action: int) -> tuple[str, Tile]:
    """The text and the tile of an action, kept by what they depend on: the gang's square and bridges in its line."""
    gang, direction, length = split_lay(action)
    held = box(position, POSITION)
    square = held["gangs"].item(gang)
    if square == NOWHERE or held["room"].item(0, gang, direction) < length:
        action_text(board, position, action)  # refuses, with a reason
    line = square // ROW if direction & 1 else square % ROW
    key = action, square, held["under"].item(0, direction & 1, line)
    lays = _tables(board).lays
    found = lays.get(key)
    if found is None:
        if len(lays) >= KEPT_TILES:
            lays.clear()
        found = lays[key] = action_text(board, position, action), tile_of(board, position, action)
    return found


def foretold(found: Consequences) -> dict[str, Any]:
    """What a tile would bring about, if it were accepted where it needs a vote; of anything else nothing is said."""
    return {
        "tile": None if found.tile is None else tile_facts(found.tile),
        "covers": [*found.covers],
        "needs_vote": found.needs_vote,
        "blocked": [*found.blocked],
    }


# ---- what an action brought about


def of_tile(board: Board, tile: Tile, before: Position, after: Position) -> dict[str, Any] | None:
    """What a tile brought about that was laid or put to the vote; None where it covers and removes nothing."""
    covers, blocked = covered_by(board, tile), blocked_between(board, before, after)
    if not covers and not blocked:
        return None
    return {"covers": [*covers], "needs_vote": int(after["phase"]) == Phase.VOTING, "blocked": [*blocked]}


def of_vote(board: Board, counted: Position, after: Position) -> dict[str, Any]:
    """How a vote went that is over (D6): `counted` holds all cards and words."""
    vote = vote_of(counted)
    return {
        "yes": vote.yes,
        "no": vote.no,
        "passed": vote.passed,
        "cards": [[*cards] for cards in vote.cards],
        "said": [*vote.said],
        "blocked": [*blocked_between(board, counted, after)],
    }
