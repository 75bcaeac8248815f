"""Self-play on the games' kernels: on a simulated GPU as on the CPU, going on as if never stopped; without torch."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from embertown.core.errors import BadArgument, UnknownGame
from embertown.training.games import training_game
from embertown.training.kernels import GROUP, MARGIN, SHARE
from embertown.training.selfplay import SelfPlay
from tests.cli.helpers import unmeasured
from tests.conftest import JIT_OFF

GAME = training_game("cronberg")
STEPS = 8 if JIT_OFF else 150


def answer_by_lot(games: SelfPlay, lots: np.random.Generator) -> None:
    masks = games.arrays.masks
    games.arrays.answers[:] = (lots.random(masks.shape) * masks).argmax(axis=1)
    games.advance()


@pytest.mark.kernel
@pytest.mark.parametrize("players", [2, 3, 4])
def test_there_is_always_an_answer_and_every_end_is_judged(players: int) -> None:
    games, lots, ended = SelfPlay(GAME, players, GROUP, seed=3, variety=0.5), np.random.default_rng(1), 0
    for _ in range(STEPS):
        answer_by_lot(games, lots)
        assert games.arrays.masks.any(axis=1).all()
        assert np.isfinite(games.arrays.observations).all()
        over = games.arrays.done == 1
        ended += int(over.sum())
        shares = games.arrays.outcomes[:, SHARE : SHARE + players]
        scores = games.arrays.scores[over, :players]
        winners = scores == scores.max(axis=1, keepdims=True)
        won = winners / winners.sum(axis=1, keepdims=True)
        assert np.allclose(shares[over], (won * players - 1) / (players - 1), atol=1e-6)
        margins = games.arrays.outcomes[over, MARGIN : MARGIN + players]
        for seat in range(players):
            rival = np.delete(scores, seat, axis=1).max(axis=1)
            assert np.allclose(margins[:, seat], np.tanh((scores[:, seat] - rival) / 30), atol=1e-5)
        assert not games.arrays.outcomes[~over].any()
    assert JIT_OFF or ended > GROUP


@pytest.mark.kernel
def test_what_is_kept_goes_on_as_if_never_stopped() -> None:
    first, lots = SelfPlay(GAME, 3, GROUP, seed=3, variety=0.2), np.random.default_rng(1)
    for _ in range(STEPS // 2):
        answer_by_lot(first, lots)
    second = SelfPlay(GAME, 3, GROUP, seed=3, variety=0.2)
    second.go_on(first.kept())
    for games in (first, second):
        again = np.random.default_rng(2)
        for _ in range(STEPS // 2):
            answer_by_lot(games, again)
    for name in ("positions", "randoms", "observations", "masks", "outcomes"):
        assert getattr(first.arrays, name).tobytes() == getattr(second.arrays, name).tobytes()


@pytest.mark.kernel
def test_seeds_and_games_go_apart() -> None:
    one, other = (SelfPlay(GAME, 2, GROUP, seed=seed) for seed in (1, 2))
    for games in (one, other):
        for _ in range(STEPS):
            answer_by_lot(games, np.random.default_rng(5))
    assert one.arrays.positions.tobytes() != other.arrays.positions.tobytes()
    assert len({position.tobytes() for position in one.arrays.positions}) > GROUP // 2


SIMULATED = """
from embertown.training import device
from embertown.training.agree import disagreement
from embertown.training.games import training_game
device.THREADS_PER_BLOCK = 32
assert disagreement(training_game({game!r}), players={players}, games=64, steps={steps}, device="simulated") == ""
print("equal")
"""


@pytest.mark.parametrize(("game", "players", "steps"), [("cronberg", 3, 1), ("drunter", 3, 0)])
def test_the_same_kernels_play_the_same_games_on_a_simulated_gpu(game: str, players: int, steps: int) -> None:
    """More than one block of threads. Without the JIT: the simulator's arrays can't go into compiled code.

    Drunter & Drüber's positions are looked at in rounds, a thread for each part: that they come to what the CPU sees
    in games that are under way says as much as any further step, which takes the simulator half a minute.
    """
    settings = unmeasured({**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"})
    words = SIMULATED.format(game=game, players=players, steps=steps)
    done = subprocess.run([sys.executable, "-c", words], env=settings, capture_output=True, text=True, check=False)
    assert done.stdout == "equal\n", done.stderr


IMPORTED = """
import sys
for name in ("pydantic", "rich", "typer", "torch"):
    sys.modules[name] = None
import embertown.training.agree, embertown.training.cronberg_game
print("needs only NumPy and numba")
"""


def test_self_play_needs_only_numpy_and_numba() -> None:
    done = subprocess.run([sys.executable, "-c", IMPORTED], capture_output=True, text=True, check=False)
    assert done.stdout == "needs only NumPy and numba\n", done.stderr


@pytest.mark.parametrize(
    ("change", "message"),
    [({"players": 5}, "players are 5"), ({"count": 63}, "multiple of 64"), ({"device": "abacus"}, "cpu, cuda")],
)
def test_bad_arguments(change: dict[str, int], message: str) -> None:
    with pytest.raises(BadArgument, match=message):
        SelfPlay(GAME, **{"players": 2, "count": GROUP, "seed": 1, **change})


def test_unknown_games_and_games_that_do_not_fit() -> None:
    with pytest.raises(UnknownGame, match="cronberg"):
        training_game("chess")
    kept = SelfPlay(GAME, 2, GROUP, seed=1).kept()
    with pytest.raises(BadArgument, match="do not fit"):
        SelfPlay(GAME, 2, 2 * GROUP, seed=1).go_on(kept)
