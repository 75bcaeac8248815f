"""The arena: bots play each other until it is clear who is better.

>>> results = play(Tournament("cronberg", ["greedy", "random"], seed=1), games=20, jobs=1)
>>> found = standings(results).pairings[0]
>>> found.contestant, found.others, found.games
('greedy', ('random',), 20)

Knows: schedules, results files, and what can and can't be concluded from them.
May import: bots, games, core.
Never: a rule, global randomness, a figure without its uncertainty.
"""

from embertown.arena.contestant import Contestant
from embertown.arena.figures import Standings, standings
from embertown.arena.playing import Played
from embertown.arena.results import Results
from embertown.arena.run import play
from embertown.arena.sequential import Evidence, Verdict
from embertown.arena.tournament import Schedule, Tournament
from embertown.core.errors import BotFault

__all__ = [
    "BotFault",
    "Contestant",
    "Evidence",
    "Played",
    "Results",
    "Schedule",
    "Standings",
    "Tournament",
    "Verdict",
    "play",
    "standings",
]
