"""What is equal goes by lot: from the seed, and from how far the game has come."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from embertown.core.chance import SeededChance
from embertown.core.game import View


def any_of(view: View[Any], actions: Sequence[int], seed: int) -> int:
    """One of these actions, each as likely as any other."""
    return actions[SeededChance(seed).pick(f"choice {len(view.log)}", [1] * len(actions))]


def best_of(view: View[Any], worth: Mapping[int, Any], seed: int) -> int:
    """The action that is worth most, of equals any."""
    best = max(worth.values())
    return any_of(view, [action for action, value in worth.items() if value == best], seed)
