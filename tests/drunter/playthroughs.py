"""Drunter & Drüber's golden playthroughs (`golden/`) and perft counts (`perft.toml`)."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import numpy as np

from embertown.drunter import rules
from embertown.drunter.consequences import Consequences
from embertown.drunter.game import DrunterGame, DrunterState
from tests import playthroughs
from tests.playthroughs import choose_any as choose

__all__ = ["GOLDEN", "PERFT", "PERFT_DEPTH", "choose", "described", "kinds", "perft", "perft_states", "perft_table"]

HERE = Path(__file__).parent
GOLDEN = HERE / "golden"
PERFT = HERE / "perft.toml"
PERFT_DEPTH = 4
MIDDLES = {"early": ("base-2", 8), "middle": ("several-cards-4", 60), "late": ("variant-3", 66)}
"""By name: which playthrough, and after how many decisions."""


def kinds() -> dict[str, DrunterGame]:
    """Base game for every number of players, the variant, the variant without votes, several cards."""
    return {
        "base-2": DrunterGame(2),
        "base-3": DrunterGame(3),
        "base-4": DrunterGame(4),
        "variant-3": DrunterGame(3, variant=True),
        "variant-no-votes-2": DrunterGame(2, variant=True, no_votes=True),
        "several-cards-4": DrunterGame(4, several_cards=True),
    }


def play(name: str, decisions: int = 10_000) -> DrunterState:
    """A playthrough, or its beginning."""
    state: DrunterState = playthroughs.play(kinds()[name], name, choose, decisions)
    return state


def described(found: Consequences) -> list[str]:
    lines = [f"    under: {' '.join(found.tile.under)}"] if found.tile and found.tile.under else []
    lines += [f"    covers: {' '.join(found.covers)}"] if found.covers else []
    lines += ["    needs a vote"] if found.needs_vote else []
    return lines + ([f"    blocked: {' '.join(found.blocked)}"] if found.blocked else [])


# ---- perft


def perft_states() -> dict[str, DrunterState]:
    """What is counted from: the empty board and three positions in the middle of a game."""
    found = {"empty": play("base-2", 0)}
    return found | {name: play(kind, decisions) for name, (kind, decisions) in MIDDLES.items()}


def perft_table() -> dict[str, Any]:
    return tomllib.loads(PERFT.read_text(encoding="utf-8"))


def perft(state: DrunterState, depth: int) -> list[int]:
    """How many ways there are to play on, for each depth, in the fixed order of seats."""
    counts = [0] * depth
    _count(state.board.arrays, state._position, 0, counts)
    return counts


def _count(board: Any, position: Any, depth: int, counts: list[int]) -> None:
    seat = rules.first_waiting(position)
    if seat < 0:
        return
    found = np.empty(rules.ACTIONS, np.int64)
    actions = found[: rules.legal_actions(board, position, seat, found)].tolist()
    counts[depth] += len(actions)
    if depth + 1 == len(counts):
        return
    for action in actions:
        after = position.copy()
        rules.apply(board, after, seat, action)
        _count(board, after, depth + 1, counts)
