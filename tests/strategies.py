"""Hypothesis strategies shared by the test suite."""

from typing import Any

from hypothesis import strategies as st

MOST_TRIANGLES = 64  # C1.3
MOST_RHOMBI = 64  # C1.4
STRIPS = {2: (5, 7, 7, 5), 3: (7, 9, 11, 11, 9, 7), 4: (9, 11, 13, 15, 15, 13, 11, 9)}
PALETTES = ("P", "PGC-", "PG", "PPPGC", "PC", "PGC", "C", "G", "-", "PG-", "GGGP", "PPPPPPGC-")
NUMBERS = tuple(number for size in range(1, 9) for number in (size, -size))  # C1.4
# Out of alphabetical order, so that nothing can rely on it.
NAMES = ("inn", "church", "city-hall", "b", "smithy-2", "a", "mill", "x9", "weigh-house-of-the-town", "k-1")


def _cut(cells: list[bool], start: int) -> list[bool]:
    """Leave out what is beyond C1.3's limit, counting from ``start`` and round; at least one stays."""
    order = [(start + place) % len(cells) for place in range(len(cells))]
    kept = [place for place in order if cells[place]][:MOST_TRIANGLES] or [start % len(cells)]
    return [place in kept for place in range(len(cells))]


@st.composite
def cronberg_boards(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a board of any side: whole, with holes, or crumbled into regions. Shrinks to fewer triangles."""
    side = draw(st.sampled_from((2, 3, 4)))
    palette = draw(st.sampled_from(PALETTES))
    holes = draw(st.sampled_from((1, 0, 2, 3, 4, 5, 6, 7)))  # eighths of the board left out, about
    total = sum(STRIPS[side])
    start = draw(st.integers(0, total - 1))
    noise = draw(st.binary(min_size=total, max_size=total))
    kept = _cut([byte >= 32 * holes for byte in noise], start)
    cells = [palette[byte % len(palette)] if kept[place] else "." for place, byte in enumerate(noise)]
    text = "".join(cells)
    ends = [sum(STRIPS[side][: strip + 1]) for strip in range(2 * side)]
    triangles = [text[end - length : end] for end, length in zip(ends, STRIPS[side], strict=True)]
    return {"side": side, "tokens": draw(st.integers(1, 8)), "triangles": triangles}


@st.composite
def cronberg_numbers(draw: st.DrawFn) -> list[int]:
    """Draw a rhomb's numbers: alike when turned, sharp or blunt corners alike, or four different (C1.4)."""
    shape = draw(st.sampled_from(("alike", "sharp differ", "blunt differ", "four", "any")))
    if shape == "any":
        return draw(st.lists(st.sampled_from(NUMBERS), min_size=4, max_size=4))
    if shape == "four":
        return draw(st.lists(st.sampled_from(NUMBERS), min_size=4, max_size=4, unique=True))
    sharp, blunt, step = (draw(st.integers(low, 15)) for low in (0, 0, 1))
    other_sharp = (sharp + step) % 16 if shape == "sharp differ" else sharp
    other_blunt = (blunt + step) % 16 if shape == "blunt differ" else blunt
    return [NUMBERS[place] for place in (sharp, blunt, other_sharp, other_blunt)]


@st.composite
def cronberg_rhombi(draw: st.DrawFn, triangles: int) -> dict[str, dict[str, Any]]:
    """Draw 1 to 10 kinds: single rhombi, a few of each, or as many as the board may need and more."""
    kinds = draw(st.lists(cronberg_numbers(), min_size=1, max_size=len(NAMES)))
    rhombi: dict[str, dict[str, Any]] = {
        name: {"numbers": numbers} for name, numbers in zip(NAMES, kinds, strict=False)
    }
    amount = draw(st.sampled_from(("single", "few", "plenty", "all")))
    if amount == "single":
        return rhombi  # no `count`: 1
    for rhomb in rhombi.values():
        rhomb["count"] = draw(st.integers(1, 6))
    total = sum(rhomb["count"] for rhomb in rhombi.values())
    wanted = {"few": total, "plenty": max(total, (triangles + 1) // 2), "all": MOST_RHOMBI}[amount]
    rhombi[NAMES[0]]["count"] += wanted - total
    return rhombi


@st.composite
def cronberg_editions(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a valid edition of Cronberg, as parsed from its file."""
    board = draw(cronberg_boards())
    triangles = sum(cell != "." for strip in board["triangles"] for cell in strip)
    return {
        "edition": {"id": "random", "game": "cronberg", "version": 1},
        "board": board,
        "rhombi": draw(cronberg_rhombi(triangles)),
    }
