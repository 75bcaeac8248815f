"""Kernels for callers in Python: records come in arrays of one, which numba recognises far quicker (`jit.box`)."""

from __future__ import annotations

import numpy as np

from embertown.core.jit import kernel
from embertown.cronberg import rules


@kernel
def refusal(board: np.ndarray, position: np.ndarray, action: int) -> int:
    """Why the seat to act may not do this (`rules.refusal`)."""
    return rules.refusal(board[0], position[0], action)


@kernel
def legal_actions(board: np.ndarray, position: np.ndarray, actions: np.ndarray) -> int:
    """Write the legal actions and say how many there are (`rules.legal_actions`)."""
    return rules.legal_actions(board[0], position[0], actions)


@kernel
def apply(board: np.ndarray, position: np.ndarray, action: int) -> None:
    """Do a legal action (`rules.apply`)."""
    rules.apply(board[0], position[0], action)


@kernel
def apply_outcome(position: np.ndarray, kind: int) -> None:
    """The rhomb drawn is of this kind (`rules.apply_outcome`)."""
    rules.apply_outcome(position[0], kind)


@kernel
def final_scoring(board: np.ndarray, position: np.ndarray, found: np.ndarray) -> None:
    """By crossing: whether it touches an activated coat of arms, how many parks, and what a token there scores."""
    for crossing in range(len(found)):
        found[crossing, 0] = rules.has_active_coat(board[0], position[0], crossing)
        found[crossing, 1] = rules.active_parks(board[0], position[0], crossing)
        found[crossing, 2] = rules.final_points(board[0], position[0], crossing)


@kernel
def told(before: np.ndarray, after: np.ndarray, masks: np.ndarray) -> None:
    """What happened from one position to the next: triangles activated; by seat, tokens scored and tokens driven."""
    masks[0, 0] = rules.activated_triangles(before[0], after[0])
    for seat in range(after[0].players):
        masks[1, seat] = rules.scored_tokens(before[0], after[0], seat)
        masks[2, seat] = rules.driven_tokens(before[0], after[0], seat)
