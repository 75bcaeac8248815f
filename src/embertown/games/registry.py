"""Games by name. Each is imported when it is first asked for."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from embertown.core.edition import Edition
from embertown.core.errors import UnknownGame
from embertown.core.game import Game
from embertown.core.record import GameRecord

__all__ = ["GAMES", "GameRecord", "game_class", "load", "record_class"]

GAMES = {
    "cronberg": ("embertown.cronberg.game", "CronbergGame", "embertown.cronberg.record", "CronbergRecord"),
    "drunter": ("embertown.drunter.game", "DrunterGame", "embertown.drunter.record", "DrunterRecord"),
}
"""By name: where the game's class and its record's class live."""


def game_class(name: str) -> type[Game]:
    """The class of a game; an unknown name is an error that lists the names."""
    if str(name) not in GAMES:
        raise UnknownGame(str(name), GAMES)
    module, attribute, *_ = GAMES[name]
    return getattr(import_module(module), attribute)  # type: ignore[no-any-return]


def record_class(name: str) -> type[GameRecord]:
    """The class of a game's records."""
    *_, module, attribute = GAMES[name]
    return getattr(import_module(module), attribute)  # type: ignore[no-any-return]


def load(
    name: str, players: int | None = None, edition: str | Path | dict[str, Any] | Edition | None = None, **options: bool
) -> Game:
    """A game with its players, edition and options.

    >>> load("cronberg", players=3).edition.id
    'cronberg-1726'
    """
    return game_class(name)(players, edition, **options)


for _name in GAMES:
    GameRecord.readers[_name] = lambda name=_name: record_class(name)  # type: ignore[misc]
