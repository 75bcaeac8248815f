"""Many games at once: equal in every mode and on every device."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from embertown.core.errors import BadArgument
from embertown.cronberg.game import CronbergGame
from embertown.drunter.game import DrunterGame
from embertown.games.batch import play_batch
from tests.conftest import JIT_OFF

GAMES = 4 if JIT_OFF else 200

KNOWN = {  # the first games of seed 1: the same with the JIT, without it and with bounds checks
    "cronberg-1726": (
        CronbergGame(2),
        [[19, -35], [13, 64], [-19, 31]],
        [40, 37, 34],
    ),
    "cronberg-quarters": (
        CronbergGame(4, "cronberg-quarters"),
        [[12, 3, 43, 22], [52, 32, 26, 42], [17, 20, 26, 17]],
        [47, 50, 48],
    ),
    "drunter": (DrunterGame(2), [[1, 9], [4, 3], [5, 6]], [92, 88, 94]),
    "drunter-variant": (DrunterGame(3, variant=True), [[5, 9, 6], [5, 4, 4], [8, 4, 13]], [105, 108, 104]),
    "drunter-several-cards": (
        DrunterGame(4, several_cards=True),
        [[3, 1, 8, 5], [5, 4, 11, 3], [2, 15, 12, 5]],
        [114, 93, 93],
    ),
}


@pytest.mark.kernel
@pytest.mark.parametrize("name", KNOWN)
def test_known_games(name: str) -> None:
    game, scores, turns = KNOWN[name]
    batch = play_batch(game, 3, seed=1)
    assert batch.scores.tolist() == scores
    assert batch.turns.tolist() == turns


@pytest.mark.kernel
@pytest.mark.parametrize("name", KNOWN)
def test_a_game_does_not_depend_on_how_many_are_played(name: str) -> None:
    game = KNOWN[name][0]
    many, few = play_batch(game, GAMES, seed=5), play_batch(game, GAMES // 2, seed=5)
    assert (many.scores[: GAMES // 2] == few.scores).all()
    assert (many.turns[: GAMES // 2] == few.turns).all()
    assert not np.array_equal(play_batch(game, GAMES, seed=6).scores, many.scores)


SIMULATED = """
import numpy as np
from embertown.games import load
from embertown.games.batch import play_batch
for game in (
    load("cronberg", 2),
    load("cronberg", 4, "cronberg-quarters"),
    load("drunter", 2),
    load("drunter", 3, variant=True, several_cards=True),
):
    cpu, gpu = (play_batch(game, 130, 3, device) for device in ("cpu", "gpu"))
    assert np.array_equal(cpu.scores, gpu.scores) and np.array_equal(cpu.turns, gpu.turns)
print("equal")
"""


def test_the_same_kernels_play_the_same_games_on_a_simulated_gpu() -> None:
    """More than one block of threads, the last one not full."""
    settings = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1"}
    done = subprocess.run([sys.executable, "-c", SIMULATED], env=settings, capture_output=True, text=True, check=False)
    assert done.stdout == "equal\n", done.stderr


IMPORTED = """
import sys
for name in ("pydantic", "rich", "typer"):
    sys.modules[name] = None
import embertown.cronberg.playout, embertown.drunter.playout, embertown.games.batch
print("needs only NumPy and numba")
"""


def test_the_kernels_need_only_numpy_and_numba() -> None:
    done = subprocess.run([sys.executable, "-c", IMPORTED], capture_output=True, text=True, check=False)
    assert done.stdout == "needs only NumPy and numba\n", done.stderr


@pytest.mark.parametrize(
    ("change", "message"),
    [({"seed": -1}, "seed is -1"), ({"games": 0}, "games is 0"), ({"device": "abacus"}, "cpu or gpu")],
)
def test_bad_arguments(change: dict[str, int], message: str) -> None:
    with pytest.raises(BadArgument, match=message):
        play_batch(CronbergGame(2), **{"games": 1, "seed": 1, **change})
