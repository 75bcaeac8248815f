"""The pictures of a training: every figure is in them, and what is likelier is larger."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from embertown.bots.network import NetworkWeights
from embertown.core.errors import MalformedFile
from embertown.cronberg import observation
from embertown.training.cronberg_game import read_board
from embertown.training.plot import curves, first_tokens, heat_map, read_metrics

BOARD = read_board("cronberg-1726")


def one_crossing(name: str) -> NetworkWeights:
    """A network that knows nothing but one crossing."""
    shapes = {"entry.weight": (observation.OBSERVATION, 4), "entry.bias": (4,), "values.weight": (4, 8)}
    shapes |= {"values.bias": (8,), "policy.weight": (4, observation.ACTIONS), "policy.bias": (observation.ACTIONS,)}
    arrays = {key: np.zeros(shape, np.float16) for key, shape in shapes.items()}
    arrays["policy.bias"][BOARD.crossing_index[name]] = 3
    return NetworkWeights(arrays, {})


def test_curves_go_through_all_that_was_measured() -> None:
    rows = [{"steps": 1e6 * n, "entropy": 3.0 - n, "value_loss": 0.1 * n} for n in range(1, 4)]
    rows += [{"steps": 2e6, "2_against_random": [0.5, 0.1]}, {"steps": 4e6, "2_against_random": [1.0, 0.0]}]
    picture = curves(rows, "cronberg & co")
    ElementTree.fromstring(picture)
    lines = re.findall(r'd="M([^"Z]*)" fill="none"', picture)
    assert sorted(line.count("L") + 1 for line in lines) == [2, 3, 3]
    assert "447 159L820 84" in lines, "half of the share in the middle, all of it at the end"
    assert "against itself" not in picture


def test_a_liked_crossing_is_liked_in_all_ways() -> None:
    """Asked in all its ways, a network that knows one slot likes all crossings that come to lie there."""
    chances, drawing = first_tokens(one_crossing("a1"), BOARD, players=3)
    corners = {"a1", "a4", "d1", "d7", "g1", "g4"}
    assert sum(chances.values()) == pytest.approx(1, abs=1e-5)
    assert {name for name, chance in chances.items() if chance > 0.05} == corners
    assert 0 < drawing < 0.1
    picture = heat_map(one_crossing("a1"), BOARD, players=3)
    ElementTree.fromstring(picture)
    sizes = sorted(float(size) for size in re.findall(r' r="([0-9.]+)"', picture))
    assert sizes[-6:] == [34.0] * 6
    assert sizes[-7] < 30


def test_files_that_are_no_metrics(tmp_path: Path) -> None:
    with pytest.raises(MalformedFile, match="holds no figures"):
        read_metrics(tmp_path / "metrics.jsonl")


WITHOUT = "import sys; sys.modules['torch'] = None; from embertown.training.__main__ import main; sys.exit(main())"


def test_without_torch_the_command_says_what_to_install() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "embertown[train]" in done.stderr
