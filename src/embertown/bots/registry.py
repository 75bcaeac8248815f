"""Bots by name: those that come along, and those that other packages offer by the entry-point group `embertown.bots`.

Naming bots imports none of them, so that help texts can list them at no cost.

>>> bot_names()[:2]
('random', 'greedy')
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Any

from embertown.core.errors import UnknownBot, UnusableBot, shorten, shown

if TYPE_CHECKING:
    from embertown.bots.contract import Bot

GROUP = "embertown.bots"
"""The entry-point group by which other packages offer bots."""

BUILT_IN = {
    "random": "embertown.bots.random_bot:RandomBot",
    "greedy": "embertown.bots.greedy:GreedyBot",
    "apprentice": "embertown.bots.levels:apprentice",
    "journeyman": "embertown.bots.levels:journeyman",
    "foreman": "embertown.bots.levels:foreman",
    "master": "embertown.bots.levels:master",
    "grandmaster": "embertown.bots.levels:grandmaster",
    "network": "embertown.bots.network_bot:NetworkBot",
    "master-without-beliefs": "embertown.bots.levels:master_without_beliefs",
    "network-search": "embertown.bots.levels:network_search",
    "grandmaster-without-network": "embertown.bots.levels:grandmaster_without_network",
}
"""By name: the module, and what in it gives the bot when called without arguments."""


def bot_names() -> tuple[str, ...]:
    """The names of all bots: first those that come along, then those of other packages, in alphabetical order."""
    others = {entry.name for entry in _offered(tuple(sys.path))} - set(BUILT_IN)
    return (*BUILT_IN, *sorted(others))


def bot(name: str) -> Bot:
    """A bot by its name; an unknown name is an error that lists the names.

    >>> bot("random").name
    'random'
    """
    if name in BUILT_IN:  # such a name can't be taken, whoever offers it
        return built_in(name)()
    offered = [entry for entry in _offered(tuple(sys.path)) if entry.name == name]
    if not offered:
        raise UnknownBot(name, bot_names())
    if len(offered) > 1:
        raise UnusableBot(name, f"{' and '.join(map(_source, offered))} offer a bot of the same name")
    return _made_by(offered[0])


@lru_cache(maxsize=1)
def _offered(path: tuple[str, ...]) -> tuple[EntryPoint, ...]:
    """What is installed, for a `sys.path`: looking through all packages takes some milliseconds."""
    del path
    return tuple(sorted(entry_points(group=GROUP), key=lambda entry: (entry.name, entry.value)))


def built_in(name: str) -> Callable[..., Bot]:
    """What gives a bot that comes along: a class or a function, some of which take more than nothing (a clock, say)."""
    module, _, attribute = BUILT_IN[name].partition(":")
    found: Callable[..., Bot] = getattr(import_module(module), attribute)
    return found


def _made_by(entry: EntryPoint) -> Bot:
    """The bot that an entry point gives; other people's code may fail in any way."""
    try:
        made: Any = entry.load()()
    except Exception as problem:
        reason = shorten(f"{type(problem).__name__}: {problem}", 200)
        raise UnusableBot(entry.name, f"{_source(entry)} can't be loaded: {reason}") from problem
    if not callable(getattr(made, "choose", None)):
        raise UnusableBot(entry.name, f"{_source(entry)} gives {shown(made)}, which has no method choose")
    found: Bot = made
    return found


def _source(entry: EntryPoint) -> str:
    """Where an entry point comes from: the package, and what it names."""
    package = "" if entry.dist is None else f"{entry.dist.name} "
    return f"{package}({entry.value})"
