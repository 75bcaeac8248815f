"""The kernels' own promises: layout, bit helpers, random numbers, the board's arrays."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from embertown.core import jit
from embertown.cronberg import playout, rules
from embertown.cronberg.board import BOARD, MAX_PLACES, Board
from embertown.cronberg.edition import CronbergEdition
from tests.strategies import cronberg_editions

pytestmark = pytest.mark.kernel

words = st.integers(0, 2**64 - 1)


def test_no_byte_of_a_position_belongs_to_no_field() -> None:
    """Such bytes are not copied, so equal positions would not be equal as bytes."""
    fields = rules.POSITION.fields
    assert fields is not None
    assert sum(field[0].itemsize for field in fields.values()) == rules.POSITION.itemsize
    assert rules.POSITION.isalignedstruct
    assert BOARD.isalignedstruct


@given(words)
def test_bits(value: int) -> None:
    mask = np.uint64(value)
    indices = [index for index in range(64) if value >> index & 1]
    assert jit.popcount(mask) == len(indices)
    assert jit.lowest_bit(mask) == (indices[0] if indices else 64)
    assert [jit.nth_bit(mask, n) for n in range(len(indices))] == indices
    assert all(jit.has_bit(mask, index) for index in indices)
    if value:
        assert int(jit.without_lowest(mask)) == value & (value - 1)


def split_mix(state: int) -> int:
    """The published SplitMix64, in plain integers."""
    every = (1 << 64) - 1
    state = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9 & every
    state = (state ^ (state >> 27)) * 0x94D049BB133111EB & every
    return state ^ (state >> 31)


@given(words, st.integers(1, 2**20))
def test_random_numbers(seed: int, bound: int) -> None:
    assert int(jit.next_random(np.uint64(seed))) == (seed + 0x9E3779B97F4A7C15) % 2**64
    assert jit.random_below(np.uint64(seed), bound) == (split_mix(seed) >> 32) * bound >> 32


@given(cronberg_editions())
def test_the_boards_arrays_agree_with_its_names(edition: dict[str, Any]) -> None:
    board: Board = CronbergEdition.from_dict(edition).layout
    arrays = board.arrays
    assert len(board.places) <= MAX_PLACES
    for index, place in enumerate(board.places):
        assert [board.crossings[c] for c in arrays.points_at[index]] == list(place.corners)
        assert {t for t in range(64) if int(arrays.covered_by[index]) >> t & 1} == {
            board.triangle_index[name] for name in place.triangles
        }
        overlapping = int(arrays.overlapping[index, 0]) | int(arrays.overlapping[index, 1]) << 64
        assert {i for i in range(128) if overlapping >> i & 1} == {
            i for i, other in enumerate(board.places) if set(other.triangles) & set(place.triangles)
        }


@given(st.integers(0, 2**31 - 1), st.integers(2, 4))
def test_random_actions_are_legal_and_cover_all(seed: int, players: int) -> None:
    """`random_action` picks what `legal_actions` lists, and nothing else."""
    board = CronbergEdition.find("cronberg-quarters").layout
    position: Any = np.zeros(1, rules.POSITION)[0]
    rules.set_up(board.arrays, position, players, 0)
    state, found = np.uint64(seed), np.empty(rules.ACTIONS, np.int64)
    chooser = random.Random(seed)
    for _ in range(chooser.randrange(30)):
        if not rules.is_over(position):
            state = np.uint64(playout.play_random_turn(board.arrays, position, state))
    if rules.is_over(position):
        return
    if chooser.random() < 0.5 and rules.can_draw(position):
        rules.apply(board.arrays, position, rules.DRAW)
        rules.apply_outcome(position, playout.random_outcome(board.arrays, position, state))
    legal = found[: rules.legal_actions(board.arrays, position, found)].tolist()
    assert all((rules.refusal(board.arrays, position, a) == rules.Refusal.NONE) == (a in legal) for a in range(-1, 330))
    for step in range(20):
        assert playout.random_action(board.arrays, position, np.uint64(seed + step)) in legal
