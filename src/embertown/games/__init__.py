"""The registry: which games there are, and many of them at once.

Knows: every game by its name.
May import: cronberg, core.
Never: a rule, or a game's secrets.
"""

from embertown.games.registry import GAMES, GameRecord, game_class, load

__all__ = ["GAMES", "GameRecord", "game_class", "load"]
