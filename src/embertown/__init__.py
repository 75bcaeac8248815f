"""Embertown: two board games about rebuilding a burnt-down town, for people and for programs.

>>> import embertown
>>> state = embertown.load("cronberg", players=3).start(seed=7)
>>> len(state.legal_actions)
38

Knows: the names that other programs rely on, and where they live.
May import: every room, but only when a name is asked for: importing `embertown` alone costs next to nothing.
Never: code of its own beyond that.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from embertown.bots import bot as bot
    from embertown.core.chance import SeededChance as SeededChance
    from embertown.core.errors import EmbertownError as EmbertownError
    from embertown.core.errors import IllegalMove as IllegalMove
    from embertown.core.match import Match as Match
    from embertown.games import GameRecord as GameRecord
    from embertown.games import load as load

_HOMES = {
    "load": "embertown.games",
    "GameRecord": "embertown.games",
    "bot": "embertown.bots",
    "SeededChance": "embertown.core.chance",
    "Match": "embertown.core.match",
    "EmbertownError": "embertown.core.errors",
    "IllegalMove": "embertown.core.errors",
}

__all__ = [*_HOMES, "__version__"]  # noqa: PLE0604


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'embertown' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
