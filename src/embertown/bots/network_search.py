"""A search that a network helps: alone, and with a word on it, where the network does not know the game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from embertown.bots.contract import Bot, Choice
from embertown.core.game import View


class NetworkSearch:
    """Searches with a network, by number of players, one without, and who says which of them has to choose."""

    def __init__(self, name: str, helped: Mapping[int, Bot], alone: Bot, is_unknown: Callable[[Any], str]) -> None:
        self.name, self.helped, self.alone, self.is_unknown = name, helped, alone, is_unknown

    def choose(
        self, view: View[Any], *, seconds: float | None = None, simulations: int | None = None, seed: int = 0
    ) -> Choice:
        """What the search finds with the network's help, or without it."""
        reason = self.is_unknown(view)
        search = self.alone if reason else self.helped[view.game.players]
        found = search.choose(view, seconds=seconds, simulations=simulations, seed=seed)
        if not reason or found.reasons.because:
            return found
        return Choice(found.action, replace(found.reasons, because=f"{reason}: searched without it"))
