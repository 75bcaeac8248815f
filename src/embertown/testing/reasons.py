"""The form of a bot's reasons: figures for every seat, shares that sum to 1, actions that are legal.

Beliefs about a player with one hidden card sum to 1, too; with two hidden cards, as in the variant, to 2.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from embertown.bots.contract import Choice, Considered, Reasons
from embertown.core.errors import shown
from embertown.testing.promises import Promise, hold
from embertown.testing.questions import Question

TOLERANCE = 1e-6
"""By how much shares may miss their sum of 1."""


def check_form(choice: Choice, question: Question, simulations: int | None = None) -> None:
    """Raise `BrokenPromise` where the reasons for a choice are not well-formed."""
    reasons = choice.reasons
    _hold(isinstance(reasons, Reasons), f"the reasons are {shown(reasons)}, and not Reasons", question)
    _hold(isinstance(reasons.because, str), f"because is {shown(reasons.because)}, and not a text", question)
    _check_simulations(reasons, simulations, question)
    for considered in reasons.considered:
        _check_considered(considered, question)
    _check_together(choice, question)
    _check_line(choice, question)
    _check_beliefs(reasons, question)


def _hold(kept: bool, what: str, question: Question) -> None:
    hold(kept, Promise.REASONS, what, question.where())


def _check_simulations(reasons: Reasons, simulations: int | None, question: Question) -> None:
    made = reasons.simulations
    _hold(_is_count(made), f"simulations is {shown(made)}, and not a count", question)
    within = simulations is None or reasons.exact or made <= simulations
    _hold(within, f"{made} simulations were made, and {simulations} were allowed", question)


def _check_considered(considered: Considered, question: Question) -> None:
    players, action = question.state.game.players, considered.action
    _hold(action in question.state.legal_actions_of(question.seat), f"considered {action} is not legal", question)
    _hold(_is_count(considered.visits), f"visits of {action} are {shown(considered.visits)}, and not a count", question)
    _hold(_are_shares(considered.win_share, players), f"win_share of {action} is {considered.win_share}", question)
    points = considered.points
    _hold(len(points) == players and all(map(_is_finite, points)), f"points of {action} are {points}", question)


def _check_together(choice: Choice, question: Question) -> None:
    """Once each, the chosen action first, the rest in the order of visits; exact ones are in the order of value."""
    reasons = choice.reasons
    actions = [each.action for each in reasons.considered]
    _hold(len(set(actions)) == len(actions), f"considered has an action twice: {actions}", question)
    first = choice.action not in actions or actions[0] == choice.action
    _hold(first, f"considered begins with {actions[:1]} and the action is {choice.action}", question)
    visits = [each.visits for each in reasons.considered if each.action != choice.action]
    in_order = reasons.exact or visits == sorted(visits, reverse=True)
    _hold(in_order, f"considered is not in the order of visits: {visits}", question)


def _check_line(choice: Choice, question: Question) -> None:
    line, text = choice.reasons.line, question.state.text(choice.action)
    _hold(all(isinstance(entry, str) for entry in line), f"the line is {shown(line)}, and not texts", question)
    _hold(not line or line[0] == text, f"the line begins with {shown(line[:1])} and the action is {text!r}", question)


def _check_beliefs(reasons: Reasons, question: Question) -> None:
    beliefs, players = reasons.beliefs, question.state.game.players
    if not beliefs:
        return
    _hold(len(beliefs) == players, f"there are {len(beliefs)} beliefs, and not one for each seat", question)
    _hold(beliefs[question.seat] is None, "there is a belief about the bot's own cards", question)
    for seat, belief in enumerate(beliefs):
        if belief is not None:
            named = all(isinstance(name, str) for name in belief)
            likely = _are_parts(belief.values(), len(belief))
            sums = likely and _is_number_of_cards(sum(belief.values()))
            _hold(named and sums, f"the belief about seat {seat} is {shown(belief, 200)}", question)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_finite(value: object) -> bool:
    return isinstance(value, int | float) and math.isfinite(value)


def _are_shares(values: Iterable[object], count: int) -> bool:
    """Whether these are so many numbers from 0 to 1 that sum to 1."""
    parts = list(values)
    return _are_parts(parts, count) and abs(sum(parts) - 1) <= TOLERANCE  # type: ignore[arg-type]


def _are_parts(values: Iterable[object], count: int) -> bool:
    """Whether these are so many numbers from 0 to 1."""
    parts = list(values)
    return len(parts) == count and all(
        isinstance(value, int | float) and -TOLERANCE <= value <= 1 + TOLERANCE for value in parts
    )


def _is_number_of_cards(total: float) -> bool:
    """Whether likelihoods sum to a whole number: somebody with two cards has each of two with certainty."""
    return total > TOLERANCE and abs(total - round(total)) <= TOLERANCE
