"""A position, an action and its consequences as plain values, for pages that draw the game and know no rule.

Everything here is ready for JSON: dicts with names as keys, lists, texts, whole numbers, true, false and null. Places
and pieces go by name. Nobody may know the order of the rhombi, and no position holds it, so all seats get the same.

>>> import embertown
>>> state = embertown.load("cronberg", players=2).start(seed=7, first=0).play("token d4").play("draw")
>>> facts = state.facts()
>>> facts["phase"], facts["seat"], facts["drawn"], facts["tokens"], facts["supply"]
('placement', 1, 'cemetery', {'d4': 0}, [3, 4])
>>> state.described(state.action("place C5+C6"))
{'text': 'place C5+C6', 'kind': 'place', 'on': ['C5', 'C6'], 'head': None}
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from embertown.core.game import End, Outcome
from embertown.core.jit import box
from embertown.core.record import as_values
from embertown.cronberg.board import Board
from embertown.cronberg.consequences import (
    KEPT_BOARDS,
    Consequences,
    final_scoring,
    members,
    part,
    pointed_at,
)
from embertown.cronberg.rules import (
    DRAW,
    FIRST_PLACEMENT,
    FIRST_TOKEN,
    NOTHING,
    POSITION,
    TURNS,
    Phase,
    Position,
)
from embertown.cronberg.text import action_text

_PHASES = {int(phase): phase.name.lower() for phase in Phase}


class _Tables(NamedTuple):
    """What a board's numbers mean, looked up once."""

    pairs: tuple[tuple[str, str], ...]  # by where a rhomb lies, place and turn: its triangles …
    heads: tuple[str, ...]  # … the crossing that its first number points at …
    pointed: tuple[tuple[str, ...], ...]  # … and those that all its numbers point at, in their order
    turning: tuple[bool, ...]  # by kind: whether turning matters (C1.4)
    texts: dict[tuple[int, bool], str]  # by action, and whether turning matters to it


@lru_cache(KEPT_BOARDS)
def _tables(board: Board) -> _Tables:
    pointed = pointed_at(board)
    return _Tables(
        pairs=tuple(place.triangles for place in board.places for _ in range(TURNS)),
        heads=tuple(crossings[0] for crossings in pointed),
        pointed=pointed,
        turning=tuple(board.turning_matters(kind) for kind in range(len(board.kinds))),
        texts={},
    )


# ---- a position


def facts_of(board: Board, position: Position, outcome: Outcome | None) -> dict[str, Any]:
    """All that a drawing of this position needs; a change of one thing changes its key alone."""
    held = box(position, POSITION)
    players, in_hand = held["players"].item(), held["in_hand"].item()
    seat = None if outcome is not None else held["seat"].item()
    return {
        "phase": _PHASES[Phase.OVER if outcome is not None else held["phase"].item()],
        "seat": seat,
        "waiting": [] if seat is None else [seat],
        "scores": held["scores"][0, :players].tolist(),
        "supply": held["supply"][0, :players].tolist(),
        "tokens": _tokens(board, held),
        "drawn": None if in_hand == NOTHING else board.kinds[in_hand],
        **_laid(board, held),
        "rhombi_left": _left(board, held),
        "activated": [board.triangles[triangle] for triangle in members(held["active"].item())],
        "barred": [board.crossings[crossing] for crossing in members(held["barred"].item())],
        "outcome": None if outcome is None else as_values(outcome),
        "final": _final(board, position, outcome),
    }


def facts_after(
    board: Board, before: Position, known: dict[str, Any], position: Position, outcome: Outcome | None
) -> dict[str, Any]:
    """The same, with the very parts of `known`, the facts of a position before, that have not changed.

    Most of a position stays as it is, and what is only looked up and compared costs more than a move.
    """
    if outcome is not None:
        return facts_of(board, position, outcome)
    old, new, held = before.tobytes(), position.tobytes(), box(position, POSITION)
    players, in_hand, seat = held["players"].item(), held["in_hand"].item(), held["seat"].item()
    found = known | {
        "phase": _PHASES[held["phase"].item()],
        "seat": seat,
        "waiting": [seat],
        "drawn": None if in_hand == NOTHING else board.kinds[in_hand],
        "outcome": None,
        "final": None,
    }
    if old[_SCORES] != new[_SCORES]:
        found["scores"] = held["scores"][0, :players].tolist()
    if old[_SUPPLY] != new[_SUPPLY]:
        found["supply"] = held["supply"][0, :players].tolist()
    if old[_TOKENS] != new[_TOKENS]:
        found["tokens"] = _tokens(board, held)
    if old[_BAG] != new[_BAG]:
        found["rhombi_left"] = _left(board, held)
    if old[_ACTIVE] != new[_ACTIVE]:
        found["activated"] = [board.triangles[triangle] for triangle in members(held["active"].item())]
    if old[_BARRED] != new[_BARRED]:
        found["barred"] = [board.crossings[crossing] for crossing in members(held["barred"].item())]
    if old[_PLACED] != new[_PLACED] or old[_RHOMBI] != new[_RHOMBI] or old[_WHERE] != new[_WHERE]:
        found |= _laid_after(board, old, known, new, held)
    return found


_SCORES, _SUPPLY, _TOKENS, _BAG = part("scores"), part("supply"), part("tokens"), part("bag")
_ACTIVE, _BARRED = part("active"), part("barred")
_PLACED, _RHOMBI, _WHERE = part("placed"), part("rhombi"), part("where")


def _left(board: Board, held: np.ndarray) -> dict[str, int]:
    """By kind, how many rhombi are to be drawn."""
    return dict(zip(board.kinds, held["bag"][0].tolist(), strict=False))


def _tokens(board: Board, held: np.ndarray) -> dict[str, int]:
    """The seat of each token, by crossing."""
    return {
        board.crossings[crossing]: seat
        for seat, mask in enumerate(held["tokens"][0].tolist())
        for crossing in members(mask)
    }


def _laid(board: Board, held: np.ndarray) -> dict[str, Any]:
    """The rhombi in the order of placing; by crossing, the numbers that point at it, high to low (C6.3)."""
    placed = held["placed"].item()
    rhombi: list[dict[str, Any]] = []
    numbers: dict[str, list[int]] = {}
    for kind, where in zip(held["rhombi"][0, :placed].tolist(), held["where"][0, :placed].tolist(), strict=True):
        rhombi.append(_rhomb(board, kind, where))
        _point(board, numbers, kind, where)
    return {"rhombi": rhombi, "numbers": numbers}


def _laid_after(board: Board, old: bytes, known: dict[str, Any], new: bytes, held: np.ndarray) -> dict[str, Any]:
    """The same, where it is what is `known` and one rhomb more; else anew."""
    last = held["placed"].item() - 1
    before = len(known["rhombi"])
    if last != before or old[_RHOMBI][:last] != new[_RHOMBI][:last] or old[_WHERE][:last] != new[_WHERE][:last]:
        return _laid(board, held)
    kind, where = held["rhombi"][0, last].item(), held["where"][0, last].item()
    numbers = dict(known["numbers"])
    _point(board, numbers, kind, where)
    return {"rhombi": [*known["rhombi"], _rhomb(board, kind, where)], "numbers": numbers}


def _rhomb(board: Board, kind: int, where: int) -> dict[str, Any]:
    """A rhomb on the board: its kind, its triangles, and where turning matters, its head (C1.4)."""
    tables = _tables(board)
    head = tables.heads[where] if tables.turning[kind] else None
    return {"kind": board.kinds[kind], "on": [*tables.pairs[where]], "head": head}


def _point(board: Board, numbers: dict[str, list[int]], kind: int, where: int) -> None:
    """Add a rhomb's numbers to those that point at its crossings; the lists themselves may be others' too."""
    for crossing, number in zip(_tables(board).pointed[where], board.numbers[kind], strict=True):
        numbers[crossing] = sorted((*numbers.get(crossing, ()), number), reverse=True)


def _final(board: Board, position: Position, outcome: Outcome | None) -> list[dict[str, Any]] | None:
    """What the tokens scored at the end, item by item (C8.2); None where the game was not played out."""
    if outcome is None or outcome.end is not End.COMPLETE:
        return None
    return [as_values(score) for score in final_scoring(board, position)]


# ---- an action


def described(board: Board, position: Position, action: int) -> dict[str, Any]:
    """An action: its text, its kind (`token`, `draw`, `place`, `pass`) and its places."""
    tables = _tables(board)
    if action >= FIRST_PLACEMENT:
        headed = is_headed(board, position)
        text = _text(board, position, action, headed)
        where = action - FIRST_PLACEMENT
        return {
            "text": text,
            "kind": "place",
            "on": [*tables.pairs[where]],
            "head": tables.heads[where] if headed else None,
        }
    text = _text(board, position, action)
    if action >= DRAW:
        return {"text": text, "kind": "draw" if action == DRAW else "pass"}
    return {"text": text, "kind": "token", "crossing": board.crossings[action - FIRST_TOKEN]}


def is_headed(board: Board, position: Position) -> bool:
    """Whether a placement is told with its head: turning the drawn rhomb matters (C1.4), or none is drawn."""
    in_hand: int = box(position, POSITION)["in_hand"].item()
    return in_hand == NOTHING or _tables(board).turning[in_hand]


def _text(board: Board, position: Position, action: int, headed: bool = False) -> str:
    """An action's text, kept by what it depends on."""
    texts = _tables(board).texts
    text = texts.get((action, headed))
    if text is None:
        text = texts[action, headed] = action_text(board, position, action)
    return text


def foretold(found: Consequences) -> dict[str, Any]:
    """What an action would bring about; `final` is None where the game would go on."""
    return {**brought_about(found), "scores": [*found.scores]}


def brought_about(found: Consequences) -> dict[str, Any]:
    """What an action brought about, item by item; `final` is None where the game goes on."""
    return {
        "scored": [as_values(scored) for scored in found.scored],
        "activated": [*found.activated],
        "driven": [as_values(driven) for driven in found.driven],
        "final": None if found.final is None else [as_values(score) for score in found.final],
    }
