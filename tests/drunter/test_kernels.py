"""The kernels' own promises: layout of the position, squares as lines, random play."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from embertown.drunter import playout, rules
from embertown.drunter.board import BOARD, LENGTHS, STEPS
from embertown.drunter.edition import DrunterEdition
from embertown.drunter.game import DrunterGame
from tests.strategies_drunter import drunter_editions

pytestmark = pytest.mark.kernel


def test_no_byte_of_a_position_belongs_to_no_field() -> None:
    """Such bytes are not copied, so equal positions would not be equal as bytes."""
    fields = rules.POSITION.fields
    assert fields is not None
    assert sum(field[0].itemsize for field in fields.values()) == rules.POSITION.itemsize
    assert rules.POSITION.isalignedstruct
    assert BOARD.isalignedstruct


@given(drunter_editions())
def test_lines_agree_with_squares(edition: dict[str, Any]) -> None:
    """Each square is covered, or has an outhouse, in its row as in its column, and names go both ways."""
    board = DrunterEdition.from_dict(edition).layout
    position: Any = np.zeros(1, rules.POSITION)[0]
    position.covered[:] = board.arrays.outside
    for name, number in board.number_of.items():
        assert board.square_of[number] == name
        assert rules.is_covered(position, number) == (name in board.gangs)
        assert rules.has_outhouse(board.arrays, number) == (name in board.outhouses)
    for number in random.Random(1).sample(sorted(board.square_of), 10):
        rules.cover(position, number)
        assert rules.is_covered(position, number)
        column, row = number % 32, number // 32
        assert int(position.covered[0, column]) >> row + 3 & 1
        assert int(position.covered[1, row]) >> column + 3 & 1


@given(seed=st.integers(0, 10**6), steps=st.integers(0, 100), players=st.integers(2, 4), variant=st.booleans())
def test_room_is_what_fits_and_random_actions_are_legal(seed: int, steps: int, players: int, variant: bool) -> None:
    state = DrunterGame(players, variant=variant).start(seed=seed)
    chooser = random.Random(seed)
    for _ in range(steps):
        if not state.is_over:
            state.play(chooser.choice(state.legal_actions))
    position, board = state._position, state.board
    covered = {square for tile in state.laid for square in tile.squares} | set(board.gangs)
    for gang in range(4):
        if position.gangs[gang] < 0:
            continue
        for direction in range(4):
            first = rules.first_square(position, gang, direction)
            ahead = [board.square_of.get(first + step * STEPS[direction]) for step in range(len(LENGTHS))]
            free = [square is not None and square not in covered for square in ahead]
            assert position.room[gang, direction] == (free.index(False) if False in free else len(LENGTHS))
    for seat in state.waiting:
        for n in range(10):
            action = playout.random_action(board.arrays, position, seat, np.uint64(seed * 100 + n))
            assert action in state.legal_actions_of(seat)


def test_refusal_and_legal_actions_agree() -> None:
    chooser = random.Random(3)
    for options in ({}, {"variant": True}, {"several_cards": True}):
        state = DrunterGame(3, **options).start(seed=5)
        while not state.is_over and len(state.log) < 25:
            for seat in range(3):
                refused = [
                    rules.refusal(state.board.arrays, state._position, seat, action) for action in range(rules.ACTIONS)
                ]
                legal = [action for action, reason in enumerate(refused) if reason == rules.Refusal.NONE]
                assert tuple(legal) == tuple(state.legal_actions_of(seat))
            seat = chooser.choice(state.waiting)
            state.play(chooser.choice(state.legal_actions_of(seat)), seat)


@pytest.mark.parametrize("variant", [False, True])
def test_deals_in_the_kernels_are_even_and_reach_every_card(variant: bool) -> None:
    """D2.1, D2.2: every tile is dealt, each seat has as many of a length, no objective twice."""
    game = DrunterGame(3, variant=variant)
    found = set()
    for seed in range(120):
        position = game.batch_start()
        playout.deal(game.board.arrays, position, np.uint64(seed * 7919))
        assert position.tiles[:3].sum(axis=0).tolist() == [list(game.board.tiles[k]) for k in ("wall", "road", "river")]
        assert {tuple(position.tiles[seat].sum(axis=0).tolist()) for seat in range(3)} == {(8, 8, 4)}
        cards = [int(card) for card in position.objectives[:3].ravel() if card >= 0]
        assert len(cards) == len(set(cards)) == (6 if variant else 3)
        found |= {(seat, int(position.objectives[seat, 0])) for seat in range(3)}
    assert len(found) == 3 * (10 if variant else 6)
