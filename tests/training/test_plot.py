"""The pictures of a training: every figure is in them, and what is likelier is larger."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from embertown.bots.network import NetworkWeights
from embertown.core.errors import MalformedFile
from embertown.cronberg import observation
from embertown.cronberg.grid import GRID
from embertown.training.checkpoint import read_metrics
from embertown.training.cronberg_game import read_board
from embertown.training.plot import curves, first_tokens, heat_map
from tests.networks import indifferent

BOARD = read_board("cronberg-1726")


def who_likes_corners() -> NetworkWeights:
    """A network that knows nothing but how many triangles are free around a crossing: the fewer, the better."""
    arrays = indifferent(GRID)
    arrays["straight.weight"][observation.FREE_AROUND, 0] = -30
    arrays["straight.bias"][0] = 15
    return NetworkWeights(arrays, {}, GRID)


def test_curves_go_through_all_that_was_measured() -> None:
    rows = [{"steps": 1e6 * n, "entropy": 3.0 - n, "value_loss": 0.1 * n} for n in range(1, 4)]
    rows += [{"steps": 2e6, "2_against_random": [0.5, 0.1]}, {"steps": 4e6, "2_against_random": [1.0, 0.0]}]
    picture = curves(rows, "cronberg & co")
    ElementTree.fromstring(picture)
    lines = re.findall(r'd="M([^"Z]*)" fill="none"', picture)
    assert sorted(line.count("L") + 1 for line in lines) == [2, 3, 3]
    assert "447 159L820 84" in lines, "half of the share in the middle, all of it at the end"
    assert "against itself" not in picture


def test_figures_of_no_steps_at_all_are_drawn() -> None:
    ElementTree.fromstring(curves([{"steps": 0, "entropy": 3.0}], "cronberg"))


def test_what_is_liked_is_large() -> None:
    chances = first_tokens(who_likes_corners(), BOARD, players=3, games=64)
    corners = {"a1", "a4", "d1", "d7", "g1", "g4"}
    assert sum(chances.values()) == pytest.approx(1, abs=1e-5)
    assert {name for name, chance in chances.items() if chance > 0.05} == corners
    picture = heat_map(who_likes_corners(), BOARD, players=3, games=64)
    ElementTree.fromstring(picture)
    sizes = sorted(float(size) for size in re.findall(r' r="([0-9.]+)"', picture))
    assert sizes[-1] == 34.0
    assert sizes[-7] < sizes[-6]


def test_files_that_are_no_metrics(tmp_path: Path) -> None:
    with pytest.raises(MalformedFile, match="holds no figures"):
        read_metrics(tmp_path / "metrics.jsonl")


WITHOUT = "import sys; sys.modules['torch'] = None; from embertown.training.__main__ import main; sys.exit(main())"


def test_without_torch_the_command_says_what_to_install() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "embertown[train]" in done.stderr
