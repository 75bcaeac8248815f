"""Who plays: a bot by name, with or without a budget for each move."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.metadata import entry_points

import numpy as np

from embertown.bots.budget import Budget
from embertown.bots.registry import BUILT_IN, GROUP
from embertown.core.errors import BadArgument, shown

SEPARATOR = ":"
WISH = "a bot's name, or with a budget: NAME:10000 (simulations a move), NAME:0.5s (seconds a move), NAME:10000:0.5s"
SIMULATIONS = re.compile(r"[0-9]{1,12}")
SECONDS = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,6})?)s")


@dataclass(frozen=True, slots=True)
class Contestant:
    """A bot and its budget for each move; without one it thinks for as long as suits it.

    >>> str(Contestant.parsed("greedy:10000")), Contestant.parsed("greedy:0.50s").seconds
    ('greedy:10000', 0.5)
    """

    bot: str
    simulations: int | None = None
    seconds: float | None = None

    @classmethod
    def parsed(cls, text: str) -> Contestant:
        """A contestant from `NAME`, `NAME:SIMULATIONS`, `NAME:SECONDSs`, or both.

        Whether there is such a bot is seen when it plays: results can be read without it.
        """
        name, *budget = text.split(SEPARATOR)
        numbers = [int(part) for part in budget if SIMULATIONS.fullmatch(part)]
        times = [float(found[1]) for part in budget if (found := SECONDS.fullmatch(part))]
        if not name or len(numbers) + len(times) != len(budget) or max(len(numbers), len(times)) > 1:
            raise BadArgument(f"a contestant is {shown(text)}; right would be: {WISH}")
        contestant = cls(name, numbers[0] if numbers else None, times[0] if times else None)
        Budget(contestant.seconds, contestant.simulations)
        return contestant

    @property
    def version(self) -> str | None:
        """The version of the other package that offers the bot; None for one that comes along, or is not there."""
        offered = () if self.bot in BUILT_IN else entry_points(group=GROUP, name=self.bot)
        return next((entry.dist.version for entry in offered if entry.dist is not None), None)

    def __str__(self) -> str:
        simulations = "" if self.simulations is None else f"{SEPARATOR}{self.simulations}"
        if self.seconds is None:
            return f"{self.bot}{simulations}"
        return f"{self.bot}{simulations}{SEPARATOR}{np.format_float_positional(self.seconds, trim='-')}s"
