"""Compares the kernels of `embertown.training.cells` with torch's plain words; run by Triton's interpreter.

`python -m tests.training.cells_interpreted`, with TRITON_INTERPRET=1, tells as JSON by case how far things are apart.
"""

from __future__ import annotations

import json
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from embertown.core.grid import Grid
from embertown.cronberg.grid import GRID
from embertown.drunter.grid import AROUND
from embertown.training import cells
from embertown.training.network import beside_each_other, pooled, seen_by
from tests.training.test_cells import CASES, SEEN_TOGETHER, Case

SQUARES = Grid(4, 4, AROUND, np.zeros((1, 16), np.int64), np.zeros((0, 16), np.int64), 1, 0)
GRIDS = {each.cells.size: each for each in (GRID, SQUARES)}
"""By how many cells they have: the one with hexagons, the other with squares."""
SPLITS = 3


class Both(NamedTuple):
    """The same said twice."""

    kernels: Tensor
    plain: Tensor


def around(case: Case) -> dict[str, Both]:
    """What comes out, and what everything is to change by."""
    grid, lots = GRIDS[case.cells], torch.Generator().manual_seed(1)
    ways, added_rows = len(grid.neighbours), case.rows if case.one_each else 1
    seen_from, back = (torch.from_numpy(table).int() for table in (grid.seen_from, seen_by(grid)))
    shapes = {
        "x": (case.rows, case.cells, case.coming),
        "weight": (ways, case.coming, case.going),
        "added": (added_rows, case.going),
    }
    given = {name: torch.randn(shape, generator=lots) for name, shape in shapes.items()}
    wanted = torch.randn((case.rows, case.cells, case.going), generator=lots)

    def kernels(x: Tensor, weight: Tensor, added: Tensor) -> Tensor:
        return cells.around(x, weight, added, (seen_from, back), case.positive)

    def plain(x: Tensor, weight: Tensor, added: Tensor) -> Tensor:
        found = beside_each_other(x, seen_from) @ weight.flatten(0, 1) + added[:, None]
        return functional.relu(found) if case.positive else found

    return compared(kernels, plain, given, wanted)


def together(rows: int, count: int, numbers: int) -> dict[str, Both]:
    """The same of what is seen of all cells; some are alike, and all of one number are below nothing."""
    lots = torch.Generator().manual_seed(2)
    x = torch.randn((rows, count, numbers), generator=lots)
    x[:, :, 0] = -1 - x[:, :, 0].abs()
    wanted = torch.randn((rows, 2 * numbers), generator=lots)

    def kernels(x: Tensor) -> Tensor:
        mean, largest = cells.together(x)
        return torch.cat((mean, largest.clamp_min(0)), 1)

    return compared(kernels, pooled, {"x": x}, wanted)


def compared(kernels: object, plain: object, given: dict[str, Tensor], wanted: Tensor) -> dict[str, Both]:
    """What both find, and what they would change of all that is given."""
    found: list[dict[str, Tensor]] = []
    for way in (kernels, plain):
        leaves = {name: tensor.clone().requires_grad_() for name, tensor in given.items()}
        result = way(**leaves)  # type: ignore[operator]
        result.backward(wanted)
        found.append({"found": result.detach(), **{name: leaf.grad for name, leaf in leaves.items()}})
    return {name: Both(*(each[name] for each in found)) for name in found[0]}


def apart(both: dict[str, Both]) -> dict[str, float]:
    """The largest difference, against the largest number."""
    return {name: float((a - b).abs().max() / b.abs().max()) for name, (a, b) in both.items()}


def main() -> None:
    """All cases."""
    cells.SPLITS = SPLITS
    found = {repr(case): apart(around(case)) for case in CASES}
    found |= {repr(sizes): apart(together(*sizes)) for sizes in SEEN_TOGETHER}
    print(json.dumps(found))


if __name__ == "__main__":
    main()
