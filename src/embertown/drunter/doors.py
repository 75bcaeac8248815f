"""Kernels for callers in Python: records come in arrays of one, which numba recognises far quicker (`jit.box`)."""

from __future__ import annotations

import numpy as np

from embertown.core.jit import kernel
from embertown.drunter import rules


@kernel
def refusal(board: np.ndarray, position: np.ndarray, seat: int, action: int) -> int:
    """Why this seat may not do this (`rules.refusal`)."""
    return rules.refusal(board[0], position[0], seat, action)


@kernel
def legal_actions(board: np.ndarray, position: np.ndarray, seat: int, actions: np.ndarray) -> int:
    """Write this seat's legal actions and say how many there are (`rules.legal_actions`)."""
    return rules.legal_actions(board[0], position[0], seat, actions)


@kernel
def apply(board: np.ndarray, position: np.ndarray, seat: int, action: int) -> None:
    """Do a legal action of this seat (`rules.apply`)."""
    rules.apply(board[0], position[0], seat, action)


@kernel
def settle(board: np.ndarray, position: np.ndarray, accepted: bool) -> None:
    """Suppose how the vote ends: the tile is laid, or it is the next player's turn; nobody's card is spent (D6.4)."""
    proposal = int(position[0].proposal)
    rules.clear_vote(position[0])
    if not accepted:
        rules.next_turn(position[0])
        return
    gang, direction, length = rules.gang_of(proposal), rules.direction_of(proposal), rules.length_of(proposal)
    rules.lay_tile(board[0], position[0], gang, direction, length)


@kernel
def waiting(position: np.ndarray, seats: np.ndarray) -> int:
    """Write the seats that may act now, in turn order from the layer, and say how many there are."""
    count = 0
    for step in range(position[0].players):
        seat = (position[0].layer + step) % position[0].players
        if rules.is_waiting(position[0], seat):
            seats[count] = seat
            count += 1
    return count


@kernel
def first_square(position: np.ndarray, gang: int, direction: int) -> int:
    """The square where a tile would start (`rules.first_square`)."""
    return rules.first_square(position[0], gang, direction)
