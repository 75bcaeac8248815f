"""Drunter & Drüber in self-play: boards and options, what only the critic sees, how games are judged; without torch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from embertown.core.chance import SeededChance
from embertown.drunter import rules
from embertown.drunter.edition import DrunterEdition
from embertown.drunter.game import DrunterGame
from embertown.drunter.memory import MEMORY
from embertown.drunter.observation import FRAME, OBSERVATION, memory_of
from embertown.training.drunter_game import (
    HIDDEN,
    OPTIONS,
    SECRETS,
    STAKES,
    TRUTHS,
    layouts,
    made_up_board,
    observe_all,
    read_board,
)
from embertown.training.games import training_game
from embertown.training.kernels import GROUP, SHARE, one_game
from embertown.training.selfplay import SelfPlay
from tests.conftest import JIT_OFF
from tests.small_drunter import FIVE, begin, play, put, small

GAME = training_game("drunter")


def row_of(state: Any, seat: int) -> np.ndarray:
    row = np.full(GAME.row, np.nan, np.float32)
    memory = np.zeros(1, MEMORY)
    memory[0] = memory_of(state.view(None))[0]
    observe_all(state.board.arrays, state._position.copy(), memory[0], seat, 0, row)
    assert np.isnan(row[OBSERVATION + SECRETS :]).all()
    return row[: OBSERVATION + SECRETS]


@pytest.mark.kernel
def test_secrets_stand_behind_what_is_seen_and_nowhere_else() -> None:
    state: Any = DrunterGame(3, variant=True).start(seed=4)
    for _ in range(4 if JIT_OFF else 70):
        if state.is_over:
            break
        seat = state.waiting[0]
        twin = state.view(seat).sample(SeededChance(len(state.log)))
        mine, other = row_of(state, seat), row_of(twin, seat)
        assert np.array_equal(mine[:OBSERVATION], other[:OBSERVATION])
        same = state.heading.deal == twin.heading.deal
        assert same or not np.array_equal(mine[OBSERVATION:], other[OBSERVATION:])
        state.play(state.legal_actions_of(seat)[len(state.log) % len(state.legal_actions_of(seat))], seat)


@pytest.mark.kernel
def test_a_rounds_parts_need_nothing_of_each_other() -> None:
    """A GPU's threads do them in any order, and at once: each alone, from what rounds before it wrote.

    Where two of them write in one place they write the same, and all together it is what is seen.
    """
    games, lots = SelfPlay(GAME, 4, GROUP, seed=5, variety=0.5), np.random.default_rng(1)
    for step in range(1 if JIT_OFF else 90):
        if step % 6 == 0:
            seen_by_parts(games, index=step % GROUP)
        masks = games.arrays.masks
        games.arrays.answers[:] = (lots.random(masks.shape) * masks).argmax(axis=1)
        games.advance()


def seen_by_parts(games: SelfPlay, index: int) -> None:
    """What is seen in one game, put together from the parts of each round, is what is seen at once."""
    arrays = games.arrays
    layout, position = arrays.layout_of[index // GROUP], arrays.positions[index]
    told = arrays.boards[layout], position, arrays.memories[index], int(arrays.seats[index]), arrays.symmetries[layout]
    row, before = np.full(GAME.row, -7.0, np.float32), position.tobytes()
    for looking in GAME.kernels.rounds:
        together, written = row.copy(), np.zeros(len(row), bool)
        for part in range(looking.parts):
            alone = row.copy()
            looking.observe(*told, part, alone)
            changed = alone != row
            twice = changed & written
            assert np.array_equal(together[twice], alone[twice]), f"part {part} of {looking.observe}"
            written |= changed
            together[changed] = alone[changed]
        row = together
    assert np.array_equal(row[: OBSERVATION + SECRETS], arrays.observations[index, : OBSERVATION + SECRETS])
    assert position.tobytes() == before, "whoever looks at it at the same time would see something else"


@pytest.mark.kernel
def test_the_critic_sees_cards_and_votes() -> None:
    """Seat 2 looks: seat 0 comes first, then seat 1. Kinds are counted from the church, which is the last."""
    state = begin(small(put(FIVE, B1="oo", C1="M5"), players=3), "inn", "museum", "church")
    play(state, "wall A1 B1-C1", "1: vote neee")
    row = row_of(state, 2)
    secrets = row[OBSERVATION:STAKES].reshape(3, HIDDEN)
    inn, museum = (3 + 1) % 6, (4 + 1) % 6
    assert np.flatnonzero(secrets[0]).tolist() == [inn, 21]
    assert np.flatnonzero(secrets[1]).tolist() == [museum, 20, 21, 23]
    assert secrets[1, 20] == pytest.approx(5 / 15)
    assert secrets[1, 23] == pytest.approx(1)
    assert not secrets[2].any()
    truths = row[TRUTHS:].reshape(3, -1)
    assert np.argwhere(truths).tolist() == [[0, inn], [1, museum]]
    stakes = row[STAKES:TRUTHS].reshape(3, FRAME)
    assert np.argwhere(stakes).tolist() == [[1, 2]], "the museum on C1"


@pytest.mark.parametrize("variety", [0.0, 0.25])
def test_layouts_have_their_shares(variety: float) -> None:
    found = layouts(3, variety, seed=1)
    main = read_board("schilda").box[0].tobytes()
    on_main = np.array([board.tobytes() == main for board in found.boards])
    assert found.weights.sum() == pytest.approx(1)
    assert found.weights[~on_main].sum() == pytest.approx(variety)
    variant = found.starts["variant"] == 1
    assert found.weights[variant].sum() == pytest.approx(1 - OPTIONS[0][1])
    assert set(found.symmetries[on_main].tolist()) == {0, 1, 2, 3}
    assert found.starts[0].tobytes() == DrunterGame(3).batch_start().tobytes()
    last = DrunterGame(3, variant=True, no_votes=True).batch_start()
    assert found.starts[-1].tobytes() == last.tobytes()


def test_made_up_boards_are_editions() -> None:
    lots = np.random.Generator(np.random.PCG64(1))
    main = read_board("schilda")
    boards = [made_up_board(main, lots) for _ in range(8)]
    for board in boards:
        text = "\n".join(" ".join(row) for row in board.rows)
        header = {"id": "made-up", "game": "drunter", "version": 1}
        tiles = {kind: list(counts) for kind, counts in board.tiles.items()}
        edition = DrunterEdition.from_dict({"edition": header, "board": {"squares": text}, "tiles": tiles})
        assert len(edition.layout.buildings) == 30
        assert sorted(board.kind_of_gang.values()) == ["river", "road", "wall", "wall"]
        assert board.arrays.tobytes() == edition.layout.arrays.tobytes()
    assert len({board.rows for board in boards}) == 8


@pytest.mark.kernel
@pytest.mark.parametrize("players", [2] if JIT_OFF else [2, 4])
def test_games_are_played_to_their_ends_and_judged(players: int) -> None:
    """Shares of the win are those of the rules, ties in the variant broken by the other card (D9.3)."""
    games, lots, ended = SelfPlay(GAME, players, GROUP, seed=3, variety=0.5), np.random.default_rng(1), 0
    for _ in range(2 if JIT_OFF else 200):
        masks = games.arrays.masks
        assert masks.any(axis=1).all()
        assert np.isfinite(games.arrays.observations).all()
        games.arrays.answers[:] = (lots.random(masks.shape) * masks).argmax(axis=1)
        games.advance()
        over = games.arrays.done == 1
        ended += int(over.sum())
        shares = games.arrays.outcomes[over, SHARE : SHARE + players]
        scores = games.arrays.scores[over, :players]
        assert np.allclose(shares.sum(axis=1), 0, atol=1e-5)
        best = scores == scores.max(axis=1, keepdims=True)
        assert (shares[~best] == shares.min(axis=1, keepdims=True).repeat(players, axis=1)[~best]).all()
    assert JIT_OFF or ended > GROUP


@pytest.mark.kernel
def test_games_that_wander_are_dealt_and_end() -> None:
    """What speed is measured by: an undealt game would be passes without end."""
    found, blank = layouts(3, 0.0, seed=1), np.zeros(1, GAME.memory)
    work, memory, steps = np.zeros(1, rules.POSITION), np.zeros(1, GAME.memory), 150 if JIT_OFF else 3000
    wander = one_game(GAME).wander
    ended = wander(found.boards[0], found.starts[0], blank[0], work, memory, np.uint64(1), steps)
    assert ended in range(steps // 150, steps // 70)


def test_ties_are_broken_by_the_other_card_d9_3() -> None:
    position = np.zeros(1, rules.POSITION)
    board = small(put(FIVE, C3="T3", D3="S3", B3="I1")).board
    position["players"], position["variant"], position["phase"] = 2, 1, rules.Phase.OVER
    position["covered"] = board.arrays.outside
    position["objectives"][0, :2] = [[0, 3], [2, 4]]
    position["chosen"][0, :2], position["scores"][0, :2] = [0, 2], [3, 3]
    won = [bool(GAME.kernels.is_winner(board.arrays, position[0], seat)) for seat in range(2)]
    assert won == [True, False], "the inn is worth 1, the museum nothing"
