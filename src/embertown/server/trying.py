"""Trying moves: what if? From what a viewer may know, hypothetical actions are played and forgotten again.

Where a game has secrets, a whole state is made up that fits the view: what the viewer does not know has no part in it,
and what was made up is not told.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from embertown.core.chance import SeededChance
from embertown.core.game import Face, State, View
from embertown.server.forms import Tried, TriedEntry, TriedTurn
from embertown.server.wire import FEW

SUPPOSED = SeededChance("suppose")
"""What is drawn where nobody says what: always the same, so that a step back and forth leads to the same place."""


def from_view(view: View[Any]) -> State[Any]:
    """A state that fits what a viewer knows, to be played on; made of the view alone."""
    return view.sample(SUPPOSED)


def from_revealed(state: State[Any]) -> State[Any]:
    """A state of a game without secrets left, to be played on; its own source of chance has no part in it."""
    found = state.copy()
    found.chance = SUPPOSED
    return found


def tried(start: State[Any], viewer: int | None, actions: Sequence[str], *, at: int, whole: bool) -> Tried:
    """What hypothetical actions lead to: whoever is waited for plays them, the viewer before others.

    `IllegalMove` for the first that is against the rules. `start` is changed: it must be the caller's own.
    """
    before = len(start.log)
    for action in actions:
        start.suppose(action, viewer if viewer in start.waiting else None)
    face: Face[Any] = start if whole else start.supposed_view(viewer)
    return {
        "game": start.game.name,
        "viewer": viewer,
        "at": at,
        "whole": whole,
        "facts": start.whole_facts() if whole else face.facts(),
        "entries": _entries(start, face, before),
        "turns": [_turn(face, seat) for seat in face.waiting],
        "suppositions": [*start.suppositions],
    }


def _entries(state: State[Any], face: Face[Any], before: int) -> list[TriedEntry]:
    """What was supposed, as the viewer may be told it."""
    results = state.results(before)
    return [
        {"seat": entry.seat, "text": entry.text, "result": results.get(index)}
        for index, entry in enumerate(face.log)
        if index >= before
    ]


def _turn(face: Face[Any], seat: int) -> TriedTurn:
    legal = face.legal_actions_of(seat)
    turn: TriedTurn = {"seat": seat, "legal": [face.described(action) for action in legal]}
    if len(legal) <= FEW and seat == face.seat:
        turn["previews"] = [face.foretold(action) for action in legal]
    return turn
