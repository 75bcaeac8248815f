"""Bots: a seat's view in, an action out.

Knows: how to choose from what a seat may know.
May import: games, cronberg, drunter, core.
Never: a state, a secret, global randomness.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from embertown.bots.registry import bot, bot_names

if TYPE_CHECKING:
    from embertown.bots.contract import Bot as Bot
    from embertown.bots.contract import Choice as Choice
    from embertown.bots.contract import Considered as Considered
    from embertown.bots.contract import Reasons as Reasons

_OF_THE_CONTRACT = ("Bot", "Choice", "Considered", "Reasons")

__all__ = [*_OF_THE_CONTRACT, "bot", "bot_names"]  # noqa: PLE0604


def __getattr__(name: str) -> Any:
    """The contract's names, fetched late: to name the bots, nobody has to load a game."""
    if name not in _OF_THE_CONTRACT:
        raise AttributeError(f"module 'embertown.bots' has no attribute {name!r}")
    return getattr(import_module("embertown.bots.contract"), name)
