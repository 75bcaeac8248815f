"""Bots: a seat's view in, an action out.

Knows: how to choose from what a seat may know.
May import: games, cronberg, drunter, core.
Never: a state, a secret, global randomness.
"""

from embertown.bots.contract import Bot, Choice, Considered, Reasons
from embertown.bots.registry import bot, bot_names

__all__ = ["Bot", "Choice", "Considered", "Reasons", "bot", "bot_names"]
