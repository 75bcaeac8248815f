"""Mistakes as people make them: a search that overlooks some of what it found, and takes the best of the rest.

What is left is still something that was thought about, so a mistake is a good move missed, not a senseless one made.

>>> import embertown
>>> from embertown.bots.cronberg_search import CronbergSearch
>>> view = embertown.load("cronberg", players=2).start(seed=7, first=0).view(0)
>>> found, seen = (
...     Overlooking(CronbergSearch(), share).choose(view, simulations=100, seed=1).reasons for share in (0.0, 0.5)
... )
>>> set(seen.considered) < set(found.considered)
True
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from embertown.bots.contract import Bot, Choice, Considered
from embertown.core.chance import SeededChance
from embertown.core.game import View

PARTS = 1_000_000
"""Shares are drawn as whole numbers of this many parts."""


class Overlooking:
    """A search whose every finding goes unnoticed in a share of the cases, by lot."""

    def __init__(self, search: Bot, share: float) -> None:
        self.search, self.share, self.name = search, share, search.name

    def choose(
        self, view: View[Any], *, seconds: float | None = None, simulations: int | None = None, seed: int = 0
    ) -> Choice:
        """The best that is noticed; where nothing is, the best after all."""
        found = self.search.choose(view, seconds=seconds, simulations=simulations, seed=seed)
        seen = tuple(each for each in found.reasons.considered if not self._is_overlooked(view, each, seed))
        if not seen:
            return found
        action = seen[0].action
        line = found.reasons.line if action == found.action else (view.text(action),)
        return Choice(action, replace(found.reasons, considered=seen, line=line))

    def _is_overlooked(self, view: View[Any], one: Considered, seed: int) -> bool:
        overlooked = round(self.share * PARTS)
        lot = f"overlook {len(view.log)} {view.viewer} {one.action}"
        return SeededChance(seed).pick(lot, [overlooked, PARTS - overlooked]) == 0
