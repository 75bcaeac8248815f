"""What a GPU does with many cells: products with their neighbours, what is seen of all of them together; in Triton.

What lies between the layers of a grid is large: a GPU spends its time on moving it, not on the arithmetic. So a product
fetches neighbours as it goes instead of laying them side by side first, and brings along what is added and cut off.
The same in plain words of torch, for the CPU, is in `network`; a test compares them.

x is [n, cells, numbers] throughout, a table [cells, neighbours] says which cell each sees (the number of cells: none).
"""

from __future__ import annotations

import os
from typing import Any

import torch
import triton
import triton.language as tl
from torch import Tensor

from embertown.core.errors import BadArgument

NARROWEST = 16
"""Products of fewer numbers are filled up to so many."""
MOST_NUMBERS = 2**31
"""Kernels count numbers in 32 bits."""
FEW_WARPS, NUMBERS_AT_ONCE = 2, 512
"""What is summed up over cells: so many warps of threads for so many numbers of a cell, of several rows."""
SPLITS = 64
"""The rows that weights learn from are cut into so many parts, whose sums are added up."""
ROWS_AT_ONCE = [
    triton.Config({"ROWS": rows}, num_warps=warps, num_stages=stages)
    for rows, warps, stages in ((64, 4, 3), (128, 4, 3), (128, 8, 3))
]
"""What is tried; the quickest is kept. Triton's interpreter, for tests without a GPU, measures nothing."""
if os.environ.get("TRITON_INTERPRET") == "1":
    ROWS_AT_ONCE = ROWS_AT_ONCE[:1]


@triton.autotune(ROWS_AT_ONCE, key=["COMING", "GOING"])
@triton.jit
def _product(  # type: ignore[no-untyped-def]
    x,
    weight,
    added,
    table,
    found,
    rows,
    added_step,
    CELLS: tl.constexpr,
    AROUND: tl.constexpr,
    COMING: tl.constexpr,
    GOING: tl.constexpr,
    WIDE_IN: tl.constexpr,
    WIDE_OUT: tl.constexpr,
    POSITIVE: tl.constexpr,
    ROWS: tl.constexpr,
):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    is_row, cell = row < rows, row % CELLS
    first, coming, going = row - cell, tl.arange(0, WIDE_IN), tl.arange(0, WIDE_OUT)
    is_in, is_out = (coming < COMING)[None, :], (going < GOING)[None, :]
    about = row // CELLS * added_step
    total = tl.load(added + about[:, None] * GOING + going[None, :], mask=is_row[:, None] & is_out, other=0.0)
    total = total.to(tl.float32)
    for way in tl.static_range(AROUND):
        seen = tl.load(table + cell * AROUND + way, mask=is_row, other=CELLS)
        there = (seen < CELLS)[:, None] & is_in
        numbers = tl.load(x + (first + seen)[:, None] * COMING + coming[None, :], mask=there, other=0.0)
        at = way * COMING * GOING + coming[:, None] * GOING + going[None, :]
        total = tl.dot(numbers, tl.load(weight + at, mask=(coming < COMING)[:, None] & is_out, other=0.0), total)
    if POSITIVE:
        total = tl.maximum(total, 0.0)
    tl.store(found + row[:, None] * GOING + going[None, :], total.to(found.dtype.element_ty), is_row[:, None] & is_out)


@triton.autotune(ROWS_AT_ONCE, key=["COMING", "GOING"])
@triton.jit
def _lesson(  # type: ignore[no-untyped-def]
    x,
    wanted,
    table,
    parts,
    rows,
    share,
    CELLS: tl.constexpr,
    AROUND: tl.constexpr,
    COMING: tl.constexpr,
    GOING: tl.constexpr,
    WIDE_IN: tl.constexpr,
    WIDE_OUT: tl.constexpr,
    ROWS: tl.constexpr,
):
    way, split = tl.program_id(0), tl.program_id(1)
    coming, going = tl.arange(0, WIDE_IN), tl.arange(0, WIDE_OUT)
    is_in, is_out = (coming < COMING)[None, :], (going < GOING)[None, :]
    total = tl.zeros((WIDE_IN, WIDE_OUT), tl.float32)
    for start in range(split * share, (split + 1) * share, ROWS):
        row = start + tl.arange(0, ROWS)
        is_row, cell = (row < rows) & (row < (split + 1) * share), row % CELLS
        seen = tl.load(table + cell * AROUND + way, mask=is_row, other=CELLS)
        there = (seen < CELLS)[:, None] & is_in
        numbers = tl.load(x + (row - cell + seen)[:, None] * COMING + coming[None, :], mask=there, other=0.0)
        change = tl.load(wanted + row[:, None] * GOING + going[None, :], mask=is_row[:, None] & is_out, other=0.0)
        total = tl.dot(tl.trans(numbers), change, total)
    at = (split * AROUND + way) * COMING * GOING + coming[:, None] * GOING + going[None, :]
    tl.store(parts + at, total, mask=(coming < COMING)[:, None] & is_out)


@triton.jit
def _passed_on(  # type: ignore[no-untyped-def]
    wanted,
    found,
    passed,
    sums,
    count,
    CELLS: tl.constexpr,
    GOING: tl.constexpr,
    WIDE_OUT: tl.constexpr,
    POSITIVE: tl.constexpr,
    AT_ONCE: tl.constexpr,
):
    n, going = tl.program_id(0) * AT_ONCE + tl.arange(0, AT_ONCE), tl.arange(0, WIDE_OUT)
    there = (n < count)[:, None] & (going < GOING)[None, :]
    first = (n.to(tl.int64) * CELLS * GOING)[:, None] + going[None, :]
    total = tl.zeros((AT_ONCE, WIDE_OUT), tl.float32)
    for cell in tl.static_range(CELLS):
        at = first + cell * GOING
        change = tl.load(wanted + at, mask=there, other=0.0)
        if POSITIVE:
            change = tl.where(tl.load(found + at, mask=there, other=0.0) > 0, change, 0.0)
            tl.store(passed + at, change, mask=there)
        total += change.to(tl.float32)
    tl.store(sums + n[:, None] * GOING + going[None, :], total, mask=there)


@triton.jit
def _seen_together(  # type: ignore[no-untyped-def]
    x,
    mean,
    largest,
    which,
    count,
    CELLS: tl.constexpr,
    NUMBERS: tl.constexpr,
    WIDE: tl.constexpr,
    AT_ONCE: tl.constexpr,
):
    n, number = tl.program_id(0) * AT_ONCE + tl.arange(0, AT_ONCE), tl.arange(0, WIDE)
    there = (n < count)[:, None] & (number < NUMBERS)[None, :]
    first = (n.to(tl.int64) * CELLS * NUMBERS)[:, None] + number[None, :]
    total, where = tl.zeros((AT_ONCE, WIDE), tl.float32), tl.zeros((AT_ONCE, WIDE), tl.int32)
    most = tl.full((AT_ONCE, WIDE), float("-inf"), tl.float32)
    for cell in tl.static_range(CELLS):
        seen = tl.load(x + first + cell * NUMBERS, mask=there, other=0.0).to(tl.float32)
        total += seen
        where = tl.where(seen > most, cell, where)
        most = tl.maximum(seen, most)
    out = n[:, None] * NUMBERS + number[None, :]
    tl.store(mean + out, total / CELLS, mask=there)
    tl.store(largest + out, most, mask=there)
    tl.store(which + out, where.to(tl.int16), mask=there)


def _filled(numbers: int) -> int:
    """So many numbers a product has that has at least these."""
    enough: int = max(NARROWEST, triton.next_power_of_2(numbers))
    return enough


def _at_once(wide: int) -> int:
    """So many rows a program looks at, cell after cell: enough for its threads, and nobody waits for another's."""
    return max(1, NUMBERS_AT_ONCE // wide)


@torch.library.custom_op("embertown::around", mutates_args=())
def _around(
    x: Tensor,
    weight: Tensor,
    added: Tensor,
    table: Tensor,
    back: Tensor,  # noqa: ARG001 (it is for what is learned from it)
    positive: bool,
) -> Tensor:
    (n, cells, coming), (ways, _, going) = x.shape, weight.shape
    x, weight, added, rows = x.contiguous(), weight.contiguous(), added.contiguous(), n * cells
    if rows * max(coming, going) >= MOST_NUMBERS:
        most = (MOST_NUMBERS - 1) // (cells * max(coming, going))
        raise BadArgument(f"{n:,} rows at once are too many; right would be: at most {most:,}")
    found = x.new_empty((n, cells, going))
    sizes = (cells, ways, coming, going, _filled(coming), _filled(going), positive)
    step = int(added.shape[0] > 1)
    _product[lambda it: (triton.cdiv(rows, it["ROWS"]),)](x, weight, added, table, found, rows, step, *sizes)
    return found


@_around.register_fake
def _(x: Tensor, weight: Tensor, added: Tensor, table: Tensor, back: Tensor, positive: bool) -> Tensor:  # noqa: ARG001
    return x.new_empty((x.shape[0], x.shape[1], weight.shape[2]))


@torch.library.custom_op("embertown::around_lesson", mutates_args=())
def _around_lesson(x: Tensor, wanted: Tensor, table: Tensor) -> Tensor:
    """What the weights are to change by, for every way to a neighbour."""
    (n, cells, coming), going, ways = x.shape, wanted.shape[2], table.shape[1]
    rows = n * cells
    parts = torch.empty((SPLITS, ways, coming, going), dtype=torch.float32, device=x.device)
    sizes = (cells, ways, coming, going, _filled(coming), _filled(going))
    _lesson[(ways, SPLITS)](x.contiguous(), wanted.contiguous(), table, parts, rows, triton.cdiv(rows, SPLITS), *sizes)
    return parts.sum(0).to(x.dtype)


@_around_lesson.register_fake
def _(x: Tensor, wanted: Tensor, table: Tensor) -> Tensor:
    return x.new_empty((table.shape[1], x.shape[2], wanted.shape[2]))


@torch.library.custom_op("embertown::passed_on", mutates_args=())
def _pass_on(wanted: Tensor, found: Tensor, positive: bool) -> tuple[Tensor, Tensor]:
    """What of a change goes on past the cutting off, and its sum over cells."""
    n, cells, going = wanted.shape
    wanted = wanted.contiguous()
    passed = torch.empty_like(wanted) if positive else wanted.new_empty(0)
    sums = torch.empty((n, going), dtype=torch.float32, device=wanted.device)
    wide = _filled(going)
    at_once = _at_once(wide)
    _passed_on[(triton.cdiv(n, at_once),)](
        wanted, found, passed, sums, n, cells, going, wide, positive, at_once, num_warps=FEW_WARPS
    )
    return passed, sums


@_pass_on.register_fake
def _(wanted: Tensor, found: Tensor, positive: bool) -> tuple[Tensor, Tensor]:  # noqa: ARG001
    passed = torch.empty_like(wanted) if positive else wanted.new_empty(0)
    return passed, wanted.new_empty((wanted.shape[0], wanted.shape[2]), dtype=torch.float32)


def _keep(ctx: Any, inputs: tuple[Any, ...], output: Tensor) -> None:
    x, weight, added, table, back, positive = inputs
    ctx.save_for_backward(x, weight, table, back, output if positive else output[:0])
    ctx.positive, ctx.added = positive, (added.shape[0], added.dtype)


def _learn_around(ctx: Any, wanted: Tensor) -> tuple[Tensor | None, ...]:
    x, weight, table, back, found = ctx.saved_tensors
    passed, sums = _pass_on(wanted, found, ctx.positive)
    passed = passed if ctx.positive else wanted
    count, kind = ctx.added
    added = (sums if count > 1 else sums.sum(0, keepdim=True)).to(kind)
    turned = weight.transpose(1, 2)
    before = None
    if ctx.needs_input_grad[0]:
        before = _around(passed, turned, passed.new_zeros((1, turned.shape[2])), back, table, False)
    return before, _around_lesson(x, passed, table), added, None, None, None


_around.register_autograd(_learn_around, setup_context=_keep)


def around(x: Tensor, weight: Tensor, added: Tensor, tables: tuple[Tensor, Tensor], positive: bool) -> Tensor:
    """A product of every cell's neighbours with `weight` [neighbours, numbers, numbers], and what is `added`.

    That is [n, numbers] or one row for all. Where it must be `positive`, less than nothing is cut off. Of the `tables`
    the second says by whom a cell is seen.
    """
    found: Tensor = _around(x, weight, added, *tables, positive)
    return found


@torch.library.custom_op("embertown::together", mutates_args=())
def _together(x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    n, cells, numbers = x.shape
    mean, largest = x.new_empty((n, numbers)), x.new_empty((n, numbers))
    which = torch.empty((n, numbers), dtype=torch.int16, device=x.device)
    wide = _filled(numbers)
    at_once = _at_once(wide)
    _seen_together[(triton.cdiv(n, at_once),)](
        x.contiguous(), mean, largest, which, n, cells, numbers, wide, at_once, num_warps=FEW_WARPS
    )
    return mean, largest, which


@_together.register_fake
def _(x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    mean = x.new_empty((x.shape[0], x.shape[2]))
    return mean, torch.empty_like(mean), torch.empty_like(mean, dtype=torch.int16)


def _keep_which(ctx: Any, inputs: tuple[Tensor], output: tuple[Tensor, Tensor, Tensor]) -> None:
    ctx.save_for_backward(output[2])
    ctx.cells = inputs[0].shape[1]


def _learn_together(ctx: Any, mean: Tensor, largest: Tensor, _: Tensor) -> Tensor:
    (which,) = ctx.saved_tensors
    is_largest = torch.arange(ctx.cells, device=which.device)[:, None] == which[:, None]
    changed: Tensor = mean[:, None] / ctx.cells + torch.where(is_largest, largest[:, None], 0.0)
    return changed


_together.register_autograd(_learn_together, setup_context=_keep_which)


def together(x: Tensor) -> tuple[Tensor, Tensor]:
    """Of all cells: the mean of each number, and the largest."""
    mean, largest, _ = _together(x)
    return mean, largest
