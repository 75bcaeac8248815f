"""What a network sees: from views alone, turned and mirrored with the board, and its answers are the legal actions."""

from __future__ import annotations

import math

import numpy as np
import pytest

from embertown.core.chance import SeededChance
from embertown.core.errors import BadArgument
from embertown.cronberg import observation, rules
from embertown.cronberg.board import Board, Point, reading_order
from embertown.cronberg.game import CronbergGame, CronbergState
from embertown.cronberg.rules import DRAW, FIRST_PLACEMENT, PASS, POSITION, TURNS
from tests.conftest import JIT_OFF

EDITIONS = ("cronberg-1726", "cronberg-quarters")
WAYS = range(0, observation.WAYS, 5 if JIT_OFF else 1)
GAMES = 1 if JIT_OFF else 6


def lots(seed: int) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(seed))


def played(state: CronbergState, actions: int, seed: int) -> CronbergState:
    """Some actions on, each by lot."""
    chance = lots(seed)
    for _ in range(actions):
        if not state.is_over:
            state.play(int(chance.choice(state.legal_actions)))
    return state


@pytest.mark.kernel
@pytest.mark.parametrize("players", [2, 3, 4])
def test_equal_views_give_equal_observations(players: int) -> None:
    """Whatever chance has in store, and however the position came about."""
    game = CronbergGame(players, "cronberg-quarters")
    state = played(game.start(seed=players, first=1), 20, seed=1)
    other = state.view(0).sample(SeededChance(99))
    set_up = game.position(state.position_text())
    for seat in range(players):
        seen = observation.observation(state.view(seat))
        assert state.view(seat) == other.view(seat)
        assert np.array_equal(seen, observation.observation(other.view(seat)))
        assert np.array_equal(seen, observation.observation(set_up.view(seat)))


@pytest.mark.kernel
def test_every_difference_is_seen() -> None:
    """A token, a draw, what was drawn, where it lies, which way round."""
    game = CronbergGame(3, "cronberg-quarters")
    texts = ["", "token d4", "token d5", "draw|city-hall|", "draw|church|", "draw|church|place A1+A2 ^a2"]
    texts += ["draw|church|place A1+A2 ^b1", "draw|church|place A2+A3 ^a1"]
    rows = []
    for text in texts:
        state = game.start(seed=1, first=0)
        for part in text.split("|"):
            if part in state.board.kinds:
                state.suppose(f"drawn {part}")
            elif part:
                state.play(part)
        rows.append(tuple(observation.observation(state.view(state.seat)).tolist()))
    assert len(set(rows)) == len(texts)


@pytest.mark.kernel
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_answers_are_the_legal_actions_in_every_way_that_the_board_lies(edition: str, players: int) -> None:
    game = CronbergGame(players, edition)
    ways = observation.symmetries(game.board)
    mask, actions = np.zeros((1, observation.ACTIONS), np.uint8), np.zeros(observation.ACTIONS, np.int64)
    for seed in range(GAMES):
        state, chance = game.start(seed=seed), lots(seed)
        while not state.is_over:
            position = state.view(state.seat).position_array()
            for way in WAYS:
                symmetry = ways[way : way + 1]
                observation.mask_many(game.board.box, position, symmetry, mask)
                observation.actions_of(game.board.box, position, symmetry, actions)
                assert sorted(actions[mask[0] == 1].tolist()) == list(state.legal_actions)
            state.play(int(chance.choice(state.legal_actions)))


class Scripted:
    """Chance that gives the kind it is told."""

    def __init__(self, board: Board) -> None:
        self.board, self.kind = board, 0

    def pick(self, label: str, weights: list[int]) -> int:
        del label
        index = self.board.kinds_by_name.index(self.kind)
        assert weights[index] > 0
        return index


@pytest.mark.kernel
@pytest.mark.parametrize("edition", EDITIONS)
def test_steps_are_the_game(edition: str) -> None:
    """A whole game by `step`, the same by `play`: after every decision the same position."""
    game = CronbergGame(3, edition)
    source = Scripted(game.board)
    state, chance, random = game.start(chance=source, first=0), lots(4), np.uint64(12345)
    position, memory = state.view(0).position_array(), np.zeros(1, observation.MEMORY)
    decisions = 0
    while not state.is_over:
        action = int(chance.choice(state.legal_actions))
        assert observation.acting_seat(position[0]) == state.seat
        random = np.uint64(
            observation.step(game.board.arrays, position[0], memory[0], state.seat, action, np.uint64(random))
        )
        source.kind = int(position[0].in_hand)
        state.play(action)
        assert position.tobytes() == state.view(0).position_array().tobytes()
        decisions += 1
    assert decisions > 30
    assert rules.is_over(position[0])


# ---- symmetry: the same game on a moved board, moved by points and names and nothing else


def moved_point(point: Point, way: int) -> Point:
    x, y = (-point.x, point.y) if way >= 6 else point
    turn = complex(x, y) * complex(math.cos(way % 6 * math.pi / 3), math.sin(way % 6 * math.pi / 3))
    return Point(turn.real, turn.imag)


def nearest(point: Point, points: dict[str, Point]) -> str:
    return min(points, key=lambda name: math.dist(points[name], point))


class Moved:
    """A board, turned and mirrored as an edition of its own."""

    def __init__(self, board: Board, way: int) -> None:
        middles = {name: board.middle_of(name) for name in board.triangles}
        self.triangle = {name: nearest(moved_point(middles[name], way), middles) for name in board.triangles}
        points = dict(board.point_of)
        self.crossing = {name: nearest(moved_point(points[name], way), points) for name in board.crossings}
        symbols = {self.triangle[name]: board.symbol_of[name] for name in board.triangles}
        cells = iter(symbols[name] for name in board.triangles)
        strips = ["".join(next(cells) for _ in strip) for strip in board.strips]
        mirrored = [(n[0], n[3], n[2], n[1]) if way >= 6 else n for n in board.numbers]
        rhombi = {kind: (count, n) for kind, count, n in zip(board.kinds, board.counts, mirrored, strict=True)}
        self.old, self.board = board, Board(strips, board.tokens, rhombi)

    def action(self, action: int, kind: int) -> int:
        if action in {DRAW, PASS}:
            return action
        if action < DRAW:
            return self.board.crossing_index[self.crossing[self.old.crossings[action]]]
        place, turn = divmod(action - FIRST_PLACEMENT, TURNS)
        first, second = sorted((self.triangle[name] for name in self.old.places[place].triangles), key=reading_order)
        index = self.board.place_index[first, second]
        head = self.crossing[self.old.places[place].corners[2 * turn]]
        turned = self.board.places[index].corners[0] != head
        return FIRST_PLACEMENT + index * TURNS + (turned and self.board.turning_matters(kind))


@pytest.mark.kernel
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("way", WAYS)
def test_a_moved_board_looks_like_the_board_lying_that_way(edition: str, way: int) -> None:
    game = CronbergGame(2, edition)
    moved = Moved(game.board, way)
    state, chance = game.start(seed=way, first=0), lots(way)
    there = np.zeros(1, POSITION)
    rules.set_up(moved.board.arrays, there[0], 2, 0)
    lying = observation.symmetries(game.board)[way : way + 1]
    straight = observation.symmetries(moved.board)[:1]
    rows = np.zeros((2, 1, observation.OBSERVATION), np.float32)
    masks = np.zeros((2, 1, observation.ACTIONS), np.uint8)
    while not state.is_over:
        here = state.view(state.seat).position_array()
        for index, (board, position, symmetry) in enumerate(
            ((game.board, here, lying), (moved.board, there, straight))
        ):
            observation.observe_many(board.box, position, symmetry, rows[index])
            observation.mask_many(board.box, position, symmetry, masks[index])
        assert np.allclose(rows[0], rows[1], atol=1e-6)
        assert np.array_equal(masks[0], masks[1])
        action = int(chance.choice(state.legal_actions))
        rules.apply(moved.board.arrays, there[0], moved.action(action, int(here[0].in_hand)))
        state.play(action)
        if action == DRAW:
            rules.apply_outcome(there[0], int(state.view(0).position_array()[0].in_hand))


@pytest.mark.kernel
def test_boards_that_lie_in_the_hexagon_and_one_that_does_not() -> None:
    rhombi = {"any": (4, (2, 1, 2, 1))}
    small = Board(["PPPPP", "GGGGGGG", "CCCCCCC", "-----"], 2, rhombi)
    cut = Board(["." * 7, "PCPPCPPPP", "CPPGPPPGPCP", "PGPCPPPCPPG", "PPPPGPPGP", "GPCPPCP"], 2, rhombi)
    large = Board(["-" * 9, "-" * 11, *("." * length for length in (13, 15, 15, 13, 11, 9))], 2, rhombi)
    for board in (small, cut):
        assert observation.fits(board)
        for way in observation.symmetries(board):
            crossings = way.crossing_at[way.crossing_at != observation.NOWHERE].tolist()
            assert sorted(crossings) == list(range(len(board.crossings)))
            assert sum(way.action_at >= FIRST_PLACEMENT) == TURNS * len(board.places)
    assert not observation.fits(large)
    with pytest.raises(BadArgument, match="side 3"):
        observation.symmetries(large)
