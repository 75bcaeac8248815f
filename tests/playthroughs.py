"""Golden playthroughs: whole games as readable text, made the same way for every game.

`python -m tests.playthroughs` writes all of them, and the perft counts, anew; read the difference before you commit it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from embertown.core.chance import SeededChance

Chooser = Callable[[Any, int], tuple[int, int]]
"""Whose action it is, and which: from a state and the number of the decision."""


def choose_any(state: Any, step: int) -> tuple[int, int]:
    """A fixed way of choosing: any seat that is waited for, any of its legal actions."""
    chance = SeededChance("golden")
    seat = state.waiting[chance.pick(f"seat {step}", [1] * len(state.waiting))]
    actions = state.legal_actions_of(seat)
    return seat, actions[chance.pick(f"action {step}", [1] * len(actions))]


def play(game: Any, name: str, choose: Chooser, decisions: int = 10_000) -> Any:
    """A game played for so many decisions, or to its end."""
    state = game.start(seed=f"golden {name}")
    for step in range(decisions):
        if state.is_over:
            break
        seat, action = choose(state, step)
        state.play(action, seat)
    return state


def playthrough(game: Any, name: str, choose: Chooser, describe: Callable[[Any], list[str]]) -> str:
    """A whole game as readable text: every decision, what was legal, what followed, where it led."""
    state = game.start(seed=f"golden {name}")
    lines = [f"game: {game!r}", f"edition_sha256: {game.edition.sha256}", f"first: {state.heading.first}"]
    lines += [f"deal: {state.heading.deal}"] if state.heading.deal else []
    lines.append("")
    for step in range(10_000):
        if state.is_over:
            break
        seat, action = choose(state, step)
        legal, text = len(state.legal_actions_of(seat)), state.text(action)
        foretold = state.preview(action) if seat == state.seat else None
        state.play(action, seat)
        outcome = f" -> {state.drawn}" if text == "draw" else ""
        lines.append(f"{step:3} seat {seat}: {text}{outcome}   [{legal} legal]")
        lines += describe(foretold) if foretold is not None else []
        if step % 10 == 9:
            lines.append(f"    = {state.position_text()}")
    lines += ["", f"position: {state.position_text()}"]
    lines += [f"    final: {score}" for score in state.final_scoring()]
    outcome = state.outcome
    lines += [f"outcome: {outcome.end.value}, winners {list(outcome.winners)}, scores {list(outcome.scores)}"]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write everything anew."""
    from tests.cronberg import playthroughs as cronberg
    from tests.drunter import playthroughs as drunter

    for room in (cronberg, drunter):
        room.GOLDEN.mkdir(exist_ok=True)
        for name, game in room.kinds().items():
            text = playthrough(game, name, room.choose, room.described)
            (room.GOLDEN / f"{name}.txt").write_text(text, encoding="utf-8")
        parts = []
        for name, state in room.perft_states().items():
            counts = room.perft(state, room.PERFT_DEPTH)
            parts.append(f'[{name}]\nposition = "{state.position_text()}"\ncounts = {counts}\n')
            print(name, counts)
        room.PERFT.write_text("\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
