"""Chance that does as it is told."""

from __future__ import annotations

from typing import Any

from embertown.core.chance import StatedChance


class Puppet(StatedChance):
    """A source that says what it is told to say next."""

    def __init__(self) -> None:
        super().__init__({})
        self.next = 0

    def pick(self, label: str, weights: Any) -> int:  # noqa: ARG002
        return self.next
