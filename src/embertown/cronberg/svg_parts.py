"""The pieces of the drawing: blocks, rhombi, tokens, plazas, the wall; a triangle's side is a hundred units.

>>> from embertown.cronberg.svg_style import dress_of
>>> rhomb(("church", (6, 3, 6, 3)), 60, dress_of("town")).count("<text")
4
>>> "cronberg-art-generic" in rhomb(("stable", (-2, 3, 1, 1)), 0, dress_of("town"))
True
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from embertown.core.drawing import Dress, Vector, number, path_through, plain_text, safe_token, signed, write
from embertown.cronberg.board import (
    BEYOND,
    COAT,
    GUARD,
    PARK,
    PLAIN,
    Board,
    corners_of_triangle,
    triangle_name,
)
from embertown.cronberg.svg_style import PEN

UNIT = 100.0
"""The side of a triangle."""

GENERIC = "generic"
KINDS_OF_BLOCK = {PARK: "park", GUARD: "guard", COAT: "coat", PLAIN: "plain"}

_STREET, _CUT, _EAVES = (
    3.0,
    17.5,
    5.0,
)  # half a street, the corner that a plaza takes, the roofs around a yard
_WALL_OFF, _WALL_THICK = 21.0, 9.0
_HEIGHT = UNIT * math.sqrt(3) / 2


# ---- paths


def block_path(corners: Sequence[Vector], inset: float, cut: float) -> str:
    """A polygon, given clockwise, drawn in by `inset`, with a round bite of radius `cut` at every corner."""
    along = math.sqrt(cut * cut - inset * inset)
    parts: list[str] = []
    for here, there in zip(corners, [*corners[1:], corners[0]], strict=True):
        length = math.dist(here, there)
        way = (there[0] - here[0]) / length, (there[1] - here[1]) / length
        inward = -way[1] * inset, way[0] * inset
        start = here[0] + way[0] * along + inward[0], here[1] + way[1] * along + inward[1]
        end = there[0] - way[0] * along + inward[0], there[1] - way[1] * along + inward[1]
        lead = f"A{number(cut)} {number(cut)} 0 0 0 " if parts else "M"
        parts.append(f"{lead}{number(start[0])} {number(start[1])}L{number(end[0])} {number(end[1])}")
    first = parts[0][1 : parts[0].index("L")]
    return "".join(parts) + f"A{number(cut)} {number(cut)} 0 0 0 {first}Z"


_TRIANGLE: tuple[Vector, ...] = ((0, -_HEIGHT * 2 / 3), (UNIT / 2, _HEIGHT / 3), (-UNIT / 2, _HEIGHT / 3))
_RHOMB: tuple[Vector, ...] = ((0, -_HEIGHT), (UNIT / 2, 0), (0, _HEIGHT), (-UNIT / 2, 0))


# ---- symbols


def art_of(kind: str, dress: Dress) -> str:
    """The file that holds the picture of a kind of building; a plain house for those that have none.

        >>> from embertown.cronberg.svg_style import dress_of
    >>> [art_of(kind, dress_of("beach")) for kind in ("church", "stable")]
    ['ice-cream-stall', 'generic']
    """
    found = dress.picture(kind)
    return found if PEN.art(found) else GENERIC


def piece_symbols() -> str:
    """Blocks, rhombi, tokens and plazas as symbols, with what they are filled with."""
    return "".join([PEN.common(), _block_symbols(), _rhomb_symbols(), PEN.token_symbols()])


def _block_symbols() -> str:
    outline = block_path(_TRIANGLE, _STREET, _CUT)
    inner = block_path(_TRIANGLE, _STREET + 2.5, _CUT + 2.5)
    symbols = [PEN.symbol("glow", _glow(outline)), PEN.symbol("block-mark", _mark(outline))]
    for kind in KINDS_OF_BLOCK.values():
        ground = f'<path d="{outline}" class="cb-f-{kind} cb-s-line" stroke-width="1.4"/>'
        hatch = f'<path d="{inner}" fill="url(#cronberg-hatch-{kind})"/>'
        symbols.append(PEN.symbol(f"block-{kind}", ground + hatch))
    return "".join(symbols)


def _glow(outline: str) -> str:
    rings = "".join(
        f'<path d="{outline}" class="cb-n cb-s-lamp" stroke-width="{width}" stroke-opacity="{opacity}"/>'
        for width, opacity in ((11, 0.25), (7, 0.45), (3.4, 1))
    )
    return f'<path d="{outline}" fill="url(#cronberg-light)"/>{rings}'


def _mark(outline: str) -> str:
    return f'<path d="{outline}" class="cb-n cb-s-mark" stroke-width="3.4" stroke-dasharray="7 4"/>'


def _rhomb_symbols() -> str:
    outline = block_path(_RHOMB, _STREET, _CUT)
    ridge = block_path(_RHOMB, _STREET + _EAVES / 2, _CUT + _EAVES / 2)
    yard = block_path(_RHOMB, _STREET + _EAVES, _CUT + 1.2)
    symbols = [PEN.symbol("rhomb-mark", _mark(outline))]
    for name, roof, ground in (("rhomb", "eaves", "court"), ("rhomb-dark", "slates", "gloom")):
        content = (
            f'<path d="{outline}" transform="translate(1.6 2.6)" fill="#1a1008" fill-opacity=".35"/>'
            f'<path d="{outline}" class="cb-f-{roof} cb-s-line" stroke-width="1.6"/>'
            f'<path d="{ridge}" class="cb-n cb-s-line" stroke-opacity=".55" stroke-width="{_EAVES}" '
            'stroke-dasharray=".9 5.1"/>'
            f'<path d="{yard}" class="cb-f-{ground} cb-s-line" stroke-width="1"/>'
        )
        symbols.append(PEN.symbol(name, content))
        symbols.append(PEN.symbol(f"{name}-corner", f'<path d="{_corner_path()}" class="cb-f-{ground}"/>'))
    return "".join(symbols)


def _corner_path() -> str:
    """The yard in the upper sharp corner of a rhomb: ground for a number of the other sign."""
    inset, cut, deep = _STREET + _EAVES, _CUT + 1.2, 29.0
    slope = math.tan(math.radians(30))
    side = inset / math.cos(math.radians(30))
    along = math.sqrt(cut * cut - inset * inset)
    x, y = along / 2 - inset * math.sqrt(3) / 2, -_HEIGHT + along * math.sqrt(3) / 2 + inset / 2
    wide = (_HEIGHT - deep) * slope - side
    left, right = f"{number(-x)} {number(y)}", f"{number(x)} {number(y)}"
    low = f"L{number(wide)} {number(-deep)}Q0 {number(-deep + 7)} {number(-wide)} {number(-deep)}Z"
    return f"M{left}A{number(cut)} {number(cut)} 0 0 0 {right}{low}"


# ---- pieces put down


class _Layout(NamedTuple):
    """Where a rhomb's numbers stand, clockwise from its first corner, and its building, around its middle."""

    corners: tuple[Vector, Vector, Vector, Vector]
    picture: Vector
    width: float


_UPRIGHT = _Layout(((0, -44), (20.5, 4.5), (0, 44), (-20.5, 4.5)), (0, -18.5), 46)
_FALLING = _Layout(((-42, -24.5), (3, -23), (42, 24.5), (-3, 23)), (0, 0), 43)
_RISING = _Layout(((42, -24.5), (3, 23), (-42, 24.5), (-3, -23)), (0, 0), 43)
_LAYOUTS = {-60: _FALLING, 0: _UPRIGHT, 60: _RISING}
_SHARP_SIZE, _BLUNT_SIZE = 27.0, 20.0


def rhomb(kind: tuple[str, Sequence[int]], turn: int, dress: Dress, more: str = "") -> str:
    """A rhomb around (0, 0): its first corner points up, turned clockwise by -60, 0 or 60 degrees.

    The numbers go clockwise from that corner; the building and the numbers stand upright all the same.
    """
    name, numbers = kind
    dark = is_dark(numbers)
    ground = PEN.use("rhomb-dark" if dark else "rhomb", turn=turn)
    layout = _LAYOUTS[turn]
    parts = [
        f'<g class="cb-rhomb" data-kind="{safe_token(name)}"{more}>',
        ground,
        _picture(name, layout, dark, dress),
    ]
    for corner, value in enumerate(numbers):
        odd = (value < 0) != dark
        size = _BLUNT_SIZE if corner % 2 else _SHARP_SIZE
        if odd and corner % 2:
            parts.append(_plate(value, layout.corners[corner], size))
        elif odd:
            parts.append(PEN.use(f"rhomb{'-dark' if value < 0 else ''}-corner", turn=turn + 90 * corner))
        parts.append(_corner_number(value, layout.corners[corner], size))
    return "".join(parts) + "</g>"


def is_dark(numbers: Sequence[int]) -> bool:
    """Whether a rhomb lies on dark ground: most of its numbers are negative, or they weigh more.

    >>> is_dark((-8, 2, -3, 4)), is_dark((6, -2, 4, 3))
    (True, False)
    """
    below = sum(value < 0 for value in numbers)
    return below > 2 or (below == 2 and sum(numbers) < 0)


def _plate(value: int, at: Vector, size: float) -> str:
    """The ground of a number in a blunt corner whose sign is not that of its rhomb."""
    width, height = (1.26 if value < 0 else 0.9) * size, 0.94 * size
    return (
        f'<rect x="{number(at[0] - width / 2)}" y="{number(at[1] - height / 2)}" width="{number(width)}" '
        f'height="{number(height)}" rx="6" class="cb-f-{"gloom" if value < 0 else "court"}"/>'
    )


def _corner_number(value: int, at: Vector, size: float) -> str:
    ink = "cb-f-ongloom" if value < 0 else "cb-f-onyard"
    fixed = f' textLength="{number(size * 1.04)}" lengthAdjust="spacingAndGlyphs"' if value < 0 else ""
    return write(signed(value), at[0], at[1] + size * 0.34, size, f"cb-num {ink}", more=fixed)


def _picture(name: str, layout: _Layout, dark: bool, dress: Dress) -> str:
    kind = art_of(name, dress)
    height = layout.width * 0.7
    x, y = layout.picture[0] - layout.width / 2, layout.picture[1] - height / 2
    box = f'x="{number(x)}" y="{number(y)}" width="{number(layout.width)}" height="{number(height)}"'
    outlined = ' class="cb-ongloom"' if dark else ""
    shown = f'<use href="#cronberg-art-{kind}" {box}{outlined}/>'
    if kind != GENERIC:
        return shown
    letters = "".join(part[0] for part in plain_text(name).split("-") if part)[:3].upper()
    size = layout.width * 0.27
    return shown + write(letters, 0, layout.picture[1] + size * 0.72, size, "cb-sans cb-bold cb-mid cb-f-onyard")


# ---- the wall


def outline(board: Board) -> list[list[str]]:
    """The board's rims as rings of crossings, the town always on the right hand: clockwise around it.

    >>> outline(Board(["PP...", ".......", ".......", "....."], 1, {"inn": (1, (1, 1, 1, 1))}))
    [['a1', 'a2', 'b2', 'b1']]
    """
    ways = {way for name in board.triangles for way in _ways_around(board, name)}
    rim = {way for way in ways if (way[1], way[0]) not in ways}
    rings = []
    for start in sorted(rim):
        if start in rim:
            rings.append(_ring(board, rim, start))
    return rings


def _ways_around(board: Board, triangle: str) -> list[tuple[str, str]]:
    middle = board.middle_of(triangle)
    around = sorted(
        board.corners_of[triangle],
        key=lambda name: math.atan2(board.point_of[name].y - middle.y, board.point_of[name].x - middle.x),
    )
    return list(zip(around, [*around[1:], around[0]], strict=True))


def _ring(board: Board, rim: set[tuple[str, str]], way: tuple[str, str]) -> list[str]:
    """Follow the rim and take it away; where two rings touch, turn right as sharply as can be."""
    ring = []
    while way in rim:
        rim.remove(way)
        ring.append(way[0])
        onward = [other for other in rim if other[0] == way[1]]
        if onward:
            before = way
            way = max(onward, key=lambda other: _bend(board, before, other))
    return ring


def _bend(board: Board, before: tuple[str, str], after: tuple[str, str]) -> float:
    """By how much the way turns, clockwise positive, between -180 and 180 degrees."""
    first, second = (
        math.atan2(board.point_of[b].y - board.point_of[a].y, board.point_of[b].x - board.point_of[a].x)
        for a, b in (before, after)
    )
    return (second - first + math.pi) % math.tau - math.pi


def wall(board: Board) -> str:
    """The city wall around every rim, with its walk and battlements; a tower wherever it turns outwards."""
    rings = outline(board)
    path = "".join(path_through(place(board, name) for name in ring) for ring in rings)
    outer = 2 * (_WALL_OFF + _WALL_THICK)
    inner = 2 * _WALL_OFF
    strokes = (
        ("cb-s-line", outer + 5, ' stroke-dasharray="5 4"'),
        ("cb-s-line", outer, ""),
        ("cb-s-masonry", outer - 3, ""),
        ("cb-s-line", inner + 3, ""),
        ("cb-s-street", inner, ""),
    )
    layers = [
        f'<path d="{path}" class="cb-f-street {name}" stroke-width="{number(width)}"{more}/>'
        for name, width, more in strokes
    ]
    built = [*layers, *_towers(board, rings), *_keeps(board)]
    return '<g stroke-linejoin="round">' + "".join(built) + "</g>"


def _towers(board: Board, rings: Sequence[Sequence[str]]) -> Iterable[str]:
    passed = [name for ring in rings for name in ring]
    for ring in rings:
        for before, here, after in zip([ring[-1], *ring[:-1]], ring, [*ring[1:], ring[0]], strict=True):
            if _bend(board, (before, here), (here, after)) > 0.1 and passed.count(here) == 1:
                yield PEN.use("tower", *_beyond(board, before, here, after))


def _keeps(board: Board) -> Iterable[str]:
    """A keep wherever a single triangle inside the town is left out."""
    neighboured = {frozenset(way) for name in board.triangles for way in _ways_around(board, name)}
    for strip, line in enumerate(board.strips):
        for step, symbol in enumerate(line, start=1):
            corners = corners_of_triangle(triangle_name(strip, step), board.side)
            sides = [frozenset(corners) - {corner} for corner in corners]
            if symbol == BEYOND and neighboured.issuperset(sides):
                points = [place(board, corner) for corner in corners]
                yield PEN.use("tower", sum(x for x, _ in points) / 3, sum(y for _, y in points) / 3, scale=2.1)


def _beyond(board: Board, before: str, here: str, after: str) -> Vector:
    """The middle of the wall outside a corner."""
    x, y = place(board, here)
    ways = [(x - place(board, name)[0], y - place(board, name)[1]) for name in (before, after)]
    out = ways[0][0] + ways[1][0], ways[0][1] + ways[1][1]
    far = (_WALL_OFF + _WALL_THICK / 2) / math.hypot(*out)
    return x + out[0] * far, y + out[1] * far


def place(board: Board, crossing: str) -> Vector:
    """Where a crossing lies, in this module's units."""
    point = board.point_of[crossing]
    return point.x * UNIT, point.y * UNIT


# ---- the town


def block(board: Board, triangle: str, dress: Dress, *, active: bool, label: bool) -> str:
    """A triangle not covered: its ground and its sign, aglow when it is activated; its name if wanted."""
    kind = KINDS_OF_BLOCK[board.symbol_of[triangle]]
    middle = board.middle_of(triangle)
    x, y = middle.x * UNIT, middle.y * UNIT
    turn = 0 if points_up(board, triangle) else 180
    parts = [PEN.use(f"block-{kind}", x, y, turn=turn)]
    if active:
        parts.append(PEN.use("glow", x, y, turn=turn))
    aside = (-3 if turn else 3) if not label else (5 if turn else -6)
    if kind != "plain":
        sunk = 2 if kind == "park" else 0
        parts.append(PEN.use(f"sign-{dress.picture(kind)}", x, y + aside + sunk, scale=0.74 if label else 0.92))
    if label:
        parts.append(write(triangle, x, y + (-14.5 if turn else 24), 14, "cb-sans cb-mid cb-f-label"))
    return "".join(parts)


def points_up(board: Board, triangle: str) -> bool:
    """Whether a triangle stands on its base."""
    first, second, _ = board.corners_of[triangle]
    return first[0] != second[0]


def plaza(x: float, y: float, barred: bool) -> str:
    """A crossing: a small round plaza, crossed out where a guard lets nobody in."""
    return PEN.use("barred" if barred else "plaza", x, y)


def marks_on(board: Board, marks: Collection[str], laid: Iterable[tuple[str, str]]) -> str:
    """Rings around the marked crossings and triangles; one around a rhomb if both of its triangles are."""
    parts, rest = [], set(marks)
    for pair in laid:
        if rest.issuperset(pair):
            rest -= set(pair)
            x, y, turn = rhomb_place(board, board.place_index[pair])
            parts.append(PEN.use("rhomb-mark", x, y, turn=turn))
    for triangle in (name for name in board.triangles if name in rest):
        middle = board.middle_of(triangle)
        turn = 0 if points_up(board, triangle) else 180
        parts.append(PEN.use("block-mark", middle.x * UNIT, middle.y * UNIT, turn=turn))
    parts += [PEN.use("plaza-mark", *place(board, name)) for name in board.crossings if name in rest]
    return "".join(parts)


def rhomb_place(board: Board, index: int) -> tuple[float, float, int]:
    """The middle of a place, and by how many degrees a rhomb on it is turned: -60, 0 or 60."""
    first, _, third, _ = (place(board, name) for name in board.places[index].corners)
    slant = first[0] - third[0]
    turn = 0 if abs(slant) < 1 else (60 if slant > 0 else -60)
    return (first[0] + third[0]) / 2, (first[1] + third[1]) / 2, turn
