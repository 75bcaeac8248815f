"""What a bot is: one signature."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

from embertown.core.game import View


@dataclass(frozen=True, slots=True)
class Choice:
    """An action, and why."""

    action: int
    reasons: dict[str, Any] = field(default_factory=dict)


class Bot(Protocol):
    """Chooses for the seat that a view belongs to. The same view, budget in simulations and seed: the same choice."""

    name: str

    def choose(
        self, view: View[Any], *, seconds: float | None = None, simulations: int | None = None, seed: int = 0
    ) -> Choice:
        """An action for the seat that acts in the view."""
