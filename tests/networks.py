"""Networks that have learned nothing: their opinions are firm and mean nothing."""

from __future__ import annotations

import numpy as np

from embertown.bots.network import NetworkWeights, Sizes, shapes
from embertown.core.grid import Grid

SIZES = Sizes(width=8, wide=16, judges=4, depth=1, narrow=8, ground_depth=1)


def made_up(grid: Grid, seed: int = 1, scale: float = 0.3) -> dict[str, np.ndarray]:
    """Weights by lot."""
    lots = np.random.Generator(np.random.PCG64(seed))
    return {name: lots.normal(0, scale, shape).astype(np.float16) for name, shape in shapes(grid, SIZES).items()}


def indifferent(grid: Grid) -> dict[str, np.ndarray]:
    """Weights that are all 0."""
    return {name: np.zeros_like(array) for name, array in made_up(grid).items()}


def network_by_lot(grid: Grid, seed: int = 1) -> NetworkWeights:
    """A network of made-up weights."""
    return NetworkWeights(made_up(grid, seed), {}, grid)
