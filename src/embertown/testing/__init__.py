"""Contract tests for bots, also for other people's; they need nothing but Embertown itself.

Knows: what a bot promises, and how to find out that it does not keep to it.
May import: bots, games, core.
Never: a rule of a game, or a word about how well a bot plays.
"""

from embertown.testing.bots import (
    check_bot,
    check_deadline,
    check_elsewhere,
    check_global_randomness,
    check_legal,
    check_pickling,
    check_reasons,
    check_repeatable,
    check_secrets,
    check_unknown_game,
    check_view_unchanged,
)
from embertown.testing.promises import BrokenPromise
from embertown.testing.questions import Question, kinds_of, questions

__all__ = [
    "BrokenPromise",
    "Question",
    "check_bot",
    "check_deadline",
    "check_elsewhere",
    "check_global_randomness",
    "check_legal",
    "check_pickling",
    "check_reasons",
    "check_repeatable",
    "check_secrets",
    "check_unknown_game",
    "check_view_unchanged",
    "kinds_of",
    "questions",
]
