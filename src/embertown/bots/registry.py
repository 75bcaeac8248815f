"""Bots by name."""

from __future__ import annotations

from collections.abc import Callable

from embertown.bots.contract import Bot
from embertown.bots.greedy import GreedyBot
from embertown.bots.random_bot import RandomBot
from embertown.core.errors import UnknownBot

BOTS: dict[str, Callable[[], Bot]] = {"random": RandomBot, "greedy": GreedyBot}


def bot_names() -> tuple[str, ...]:
    """The names of all bots."""
    return tuple(BOTS)


def bot(name: str) -> Bot:
    """A bot by its name; an unknown name is an error that lists the names.

    >>> bot("random").name
    'random'
    """
    if name not in BOTS:
        raise UnknownBot(name, BOTS)
    return BOTS[name]()
