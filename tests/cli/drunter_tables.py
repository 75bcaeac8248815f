"""Games of Drunter & Drüber as tests of the command line need them."""

from __future__ import annotations

from typing import Any

import embertown
from embertown.drunter.game import DrunterState

DEAL: dict[str, Any] = {
    "tiles": [
        {"wall": [6, 6, 3], "road": [3, 3, 1], "river": [3, 3, 2]},
        {"wall": [6, 6, 3], "road": [3, 3, 2], "river": [3, 3, 1]},
    ],
    "objectives": [["inn"], ["church"]],
}


def started(**options: bool) -> DrunterState:
    """A game in which both have every tile; Anne's objective is the inn."""
    game = embertown.load("drunter", 2, **options)
    deal = DEAL | ({"objectives": [["inn", "school"], ["church", "ones"]]} if options.get("variant") else {})
    return game.start(seed=1, first=0, seats=["Anne", "Karl"], deal=deal)  # type: ignore[return-value]


def voting(**options: bool) -> DrunterState:
    """Anne proposes a wall over an outhouse and a museum."""
    return started(**options).play("lay wall A1 B1-D1").play("lay road O1 N1").play("lay wall A1 D2-D4")


def choosing() -> DrunterState:
    """A path is blocked, and both have to choose (D9.2)."""
    state = started(variant=True, no_votes=True)
    for text in ("lay wall A1 B1-D1", "lay wall A1 D2", "lay wall A1 C2-B2", "lay wall A1 B3", "lay wall A1 A3"):
        state.play(text)
    return state.play("lay wall A1 A2")
