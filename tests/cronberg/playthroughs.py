"""Cronberg's golden playthroughs (`golden/`) and perft counts (`perft.toml`)."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import numpy as np

from embertown.core.chance import SeededChance
from embertown.cronberg import rules
from embertown.cronberg.consequences import Consequences
from embertown.cronberg.edition import CronbergEdition
from embertown.cronberg.game import CronbergGame, CronbergState
from tests import playthroughs

HERE = Path(__file__).parent
GOLDEN = HERE / "golden"
PERFT = HERE / "perft.toml"
PERFT_DEPTH = 4
MIDDLES = {"early": (12, 2), "middle": (35, 3), "late": (56, 4)}
"""By name: after how many decisions of a playthrough, and for how many players."""


def kinds() -> dict[str, CronbergGame]:
    """Every edition that ships with every number of players."""
    games = [CronbergGame(players, edition) for edition in CronbergEdition.shipped() for players in (2, 3, 4)]
    return {f"{game.edition.id}-{game.players}": game for game in games}


def choose(state: Any, step: int) -> tuple[int, int]:
    """A fixed way of choosing that draws more often than not: tokens alone would make dull games."""
    if rules.DRAW in state.legal_actions and SeededChance("golden").pick(f"draw {step}", [1, 2]):
        return state.seat, rules.DRAW
    return playthroughs.choose_any(state, step)


def play(name: str, decisions: int = 10_000) -> CronbergState:
    """A playthrough, or its beginning."""
    state: CronbergState = playthroughs.play(kinds()[name], name, choose, decisions)
    return state


def described(found: Consequences) -> list[str]:
    lines = [f"    scored: seat {s.seat} at {s.at}: {list(s.numbers)} = {s.points}" for s in found.scored]
    lines += [f"    activated: {' '.join(found.activated)}"] if found.activated else []
    return lines + [f"    driven: seat {d.seat} from {d.at}" for d in found.driven]


# ---- perft


def perft_states() -> dict[str, CronbergState]:
    """What is counted from: each edition's empty board and three positions in the middle of a game."""
    found = {}
    for edition in CronbergEdition.shipped():
        found[f"{edition}-empty"] = play(f"{edition}-2", 0)
        for name, (decisions, players) in MIDDLES.items():
            found[f"{edition}-{name}"] = play(f"{edition}-{players}", decisions)
    return found


def perft_table() -> dict[str, Any]:
    return tomllib.loads(PERFT.read_text(encoding="utf-8"))


def perft(state: CronbergState, depth: int) -> list[int]:
    """How many ways there are to play on, for each depth; draw, outcome and placement count one depth each."""
    counts = [0] * depth
    _count(state.board.arrays, state._position, 0, counts)
    return counts


def _count(board: Any, position: Any, depth: int, counts: list[int]) -> None:
    if position.phase == rules.Phase.CHANCE:
        outcomes = [kind for kind in range(board.kinds) if position.bag[kind] > 0]
    else:
        found = np.empty(rules.ACTIONS, np.int64)
        outcomes = found[: rules.legal_actions(board, position, found)].tolist()
    counts[depth] += len(outcomes)
    if depth + 1 == len(counts):
        return
    for outcome in outcomes:
        after = position.copy()
        if position.phase == rules.Phase.CHANCE:
            rules.apply_outcome(after, outcome)
        else:
            rules.apply(board, after, outcome)
        _count(board, after, depth + 1, counts)
