"""The registry: which games there are, and many of them at once.

Knows: every game by its name.
May import: cronberg, drunter, core.
Never: a rule, or a game's secrets.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from embertown.games.registry import GAMES as GAMES
    from embertown.games.registry import GameRecord as GameRecord
    from embertown.games.registry import game_class as game_class
    from embertown.games.registry import load as load

__all__ = ["GAMES", "GameRecord", "game_class", "load"]


def __getattr__(name: str) -> Any:
    """The registry's names, fetched late: batches on a GPU machine need NumPy and numba, and nothing else."""
    if name not in __all__:
        raise AttributeError(f"module 'embertown.games' has no attribute {name!r}")
    return getattr(import_module("embertown.games.registry"), name)
