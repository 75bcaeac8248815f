"""The kernels for a GPU's products with neighbours say what torch's plain words say; Triton's interpreter runs them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

pytest.importorskip("torch")
pytest.importorskip("triton")


class Case(NamedTuple):
    """A product with neighbours."""

    rows: int
    cells: int
    coming: int
    going: int
    one_each: bool
    """Whether there is a row to be added for every position, or one for all."""
    positive: bool


CASES = [
    Case(3, 37, 5, 20, one_each=True, positive=True),
    Case(3, 37, 32, 16, one_each=False, positive=False),
    Case(2, 37, 17, 3, one_each=False, positive=True),
    Case(7, 16, 24, 40, one_each=True, positive=False),
    Case(1, 16, 16, 16, one_each=True, positive=True),
    Case(41, 16, 5, 20, one_each=True, positive=True),
]
SEEN_TOGETHER = [(3, 37, 5), (2, 16, 32), (1, 1, 16), (41, 7, 16)]
"""Rows, cells, numbers; 41 rows are more than a program looks at, and no multiple of that."""
CLOSE = 1e-5
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def apart() -> dict[str, dict[str, float]]:
    """How far things are apart, by case; found elsewhere, for Triton asks once whether to interpret."""
    words = [sys.executable, "-m", "tests.training.cells_interpreted"]
    ran = subprocess.run(
        words, cwd=ROOT, env={**os.environ, "TRITON_INTERPRET": "1"}, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    found: dict[str, dict[str, float]] = json.loads(ran.stdout.splitlines()[-1])
    return found


@pytest.mark.parametrize("case", CASES, ids=repr)
def test_a_product_with_neighbours_and_what_is_learned_from_it(case: Case, apart: dict[str, dict[str, float]]) -> None:
    assert apart[repr(case)].keys() == {"found", "x", "weight", "added"}
    assert max(apart[repr(case)].values()) < CLOSE


@pytest.mark.parametrize("sizes", SEEN_TOGETHER, ids=repr)
def test_what_is_seen_of_all_cells_together(sizes: tuple[int, int, int], apart: dict[str, dict[str, float]]) -> None:
    assert max(apart[repr(sizes)].values()) < CLOSE
