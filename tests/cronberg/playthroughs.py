"""Golden playthroughs and perft: what is written down in `golden/` and `perft.toml`, and how it is made.

`python -m tests.cronberg.playthroughs` writes both anew; read the difference before you commit it.
"""

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

HERE = Path(__file__).parent
GOLDEN = HERE / "golden"
PERFT = HERE / "perft.toml"
PLAYERS = (2, 3, 4)
PERFT_DEPTH = 4
MIDDLES = {"early": (12, 2), "middle": (35, 3), "late": (56, 4)}
"""By name: after how many decisions of a playthrough, and for how many players."""


def kinds() -> list[tuple[str, int]]:
    """Every edition that ships with every number of players."""
    return [(edition, players) for edition in CronbergEdition.shipped() for players in PLAYERS]


# ---- playthroughs


def chooser(state: CronbergState, step: int) -> int:
    """A fixed way of choosing that reaches tokens, draws and all sorts of placements."""
    actions = state.legal_actions
    if rules.DRAW in actions and SeededChance("golden").pick(f"draw {step}", [1, 2]):
        return rules.DRAW
    return actions[SeededChance("golden").pick(f"action {step}", [1] * len(actions))]


def play(edition: str, players: int, decisions: int = 10_000) -> CronbergState:
    state: Any = CronbergGame(players, edition).start(seed=f"golden {edition} {players}")
    for step in range(decisions):
        if state.is_over:
            break
        state.play(chooser(state, step))
    return state


def playthrough(edition: str, players: int) -> str:
    """A whole game as readable text: every decision, what was legal, what followed, where it led."""
    game = CronbergGame(players, edition)
    state: Any = game.start(seed=f"golden {edition} {players}")
    lines = [f"game: {game!r}", f"edition_sha256: {game.edition.sha256}", f"first: {state.seat}", ""]
    for step in range(10_000):
        if state.is_over:
            break
        seat, action = state.seat, chooser(state, step)
        legal, text, found = len(state.legal_actions), state.text(action), state.preview(action)
        state.play(action)
        outcome = f" -> {state.drawn}" if text == "draw" else ""
        lines.append(f"{step:3} seat {seat}: {text}{outcome}   [{legal} legal]")
        lines += described(found)
        if step % 10 == 9:
            lines.append(f"    = {state.position_text()}")
    lines += ["", f"position: {state.position_text()}"]
    lines += [f"outcome: {state.outcome.end.value}, winners {list(state.outcome.winners)}, scores {list(state.scores)}"]
    return "\n".join(lines) + "\n"


def described(found: Consequences) -> list[str]:
    lines = [f"    scored: seat {s.seat} at {s.at}: {list(s.numbers)} = {s.points}" for s in found.scored]
    lines += [f"    activated: {' '.join(found.activated)}"] if found.activated else []
    lines += [f"    driven: seat {d.seat} from {d.at}" for d in found.driven]
    lines += [
        f"    final: seat {f.seat} at {f.at}: {list(f.numbers)} coat={f.coat} parks={f.parks} = {f.points}"
        for f in found.final or ()
    ]
    return lines


# ---- perft


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


def perft_positions() -> dict[str, str]:
    """The positions counted from: each edition's empty board and three in the middle of a game."""
    found = {}
    for edition in CronbergEdition.shipped():
        found[f"{edition}-empty"] = play(edition, 2, 0).position_text()
        for name, (decisions, players) in MIDDLES.items():
            found[f"{edition}-{name}"] = play(edition, players, decisions).position_text()
    return found


def perft_table() -> dict[str, Any]:
    return tomllib.loads(PERFT.read_text(encoding="utf-8"))


def state_of(text: str) -> CronbergState:
    """The state of a position's text."""
    edition, players = text.split(maxsplit=1)[0].removeprefix("cronberg:"), int(text.split("players=")[1][0])
    return CronbergGame(players, edition).position(text)


def main() -> None:
    GOLDEN.mkdir(exist_ok=True)
    for edition, players in kinds():
        (GOLDEN / f"{edition}-{players}.txt").write_text(playthrough(edition, players), encoding="utf-8")
    parts = []
    for name, text in perft_positions().items():
        counts = perft(state_of(text), PERFT_DEPTH)
        parts.append(f'[{name}]\nposition = "{text}"\ncounts = {counts}\n')
        print(name, counts)
    PERFT.write_text("\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
