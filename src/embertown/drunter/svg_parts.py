"""The town: its squares, houses, tiles, bridges and gangs; a square's side is a hundred units.

A tile is drawn lying to the east and turned: a card, a piece of path for each square, and on its last square the piece
that leads on to the next tile. A path under a bridge is drawn before the bridges are.

>>> lane([(0, 0), (50, 0), (50, 50)])
'M0 0L22 0A28 28 0 0 1 50 28L50 50'
>>> lane([(0, 0), (50, 0), (50, 50)], aside=10)
'M0 10L22 10A18 18 0 0 1 40 28L40 50'
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from embertown.core.drawing import Dress, Vector, number, rect, write
from embertown.drunter.board import BUILDINGS, KINDS, ROW, Board, Tile
from embertown.drunter.svg_style import PEN, SIDE

_HALF = SIDE / 2
_BEND = 28.0  # the radius of a path's bend
_WAVE = 12.5  # half a wave's length: a square's side is a whole number of waves
BRIDGE = 3
_AHEAD = 14.0  # how far from the middle of its square a cart stands
_HOUSE = 109.0  # houses lean over their squares

STARTS = {kind: f"{kind}-start" for kind in KINDS}
PICTURED = (*BUILDINGS, "outhouse", "gang", *STARTS.values())
"""The pieces that have a picture."""
OPEN, AHEAD, LEFT, RIGHT = "open", "ahead", "left", "right"
_WAYS: dict[str, tuple[tuple[Vector, ...], ...]] = {
    "run": (((0, 0), (SIDE, 0)),),
    "stub": (((0, 0), (_HALF, 0)),),
    LEFT: (((0, 0), (_HALF, 0), (_HALF, -_HALF)),),
    RIGHT: (((0, 0), (_HALF, 0), (_HALF, _HALF)),),
    OPEN: (((0, 0), (SIDE, 0)), ((_HALF, -_HALF), (_HALF, _HALF))),
}
_TURNS = {(1, 0): 0, (0, 1): 90, (-1, 0): 180, (0, -1): -90}


# ---- how paths are built


class Layer(NamedTuple):
    """A stroke along a path, or beside it."""

    colour: str
    width: float
    dash: str = ""
    aside: float = 0
    opacity: float = 1
    wavy: bool = False


PATHS: dict[str, tuple[Layer, ...]] = {
    "rampart": (
        Layer("line", 53),
        Layer("stonework", 49),
        Layer("merlon", 49, "8.3 8.367"),
        Layer("line", 34),
        Layer("walk", 30),
        Layer("line", 30, ".9 11.6", opacity=0.28),
        Layer("walk", 16),
        Layer("line", 15, ".9 11.6", opacity=0.28),
        Layer("line", 0.9, opacity=0.3),
    ),
    "cart-road": (
        Layer("line", 49),
        Layer("clay", 45),
        Layer("rut", 5, "21 4", 10.5),
        Layer("rut", 5, "16 9", -10.5),
        Layer("tuft", 2.4, "3 17"),
        Layer("rut", 2, "2 12.667", 19, 0.7),
        Layer("rut", 2, "3 17", -19, 0.7),
    ),
    "stream": (
        Layer("line", 54),
        Layer("bank", 50),
        Layer("stream", 42),
        Layer("wave", 2.6, "25 25", -11, wavy=True),
        Layer("wave", 2.6, "0 12.5 25 12.5", 0, wavy=True),
        Layer("wave", 2.6, "25 25", 11, wavy=True),
    ),
    "rails": (
        Layer("line", 51),
        Layer("stonework", 48),
        Layer("merlon", 48, "1.6 8.4", opacity=0.4),
        Layer("line", 40, "9 11"),
        Layer("timber", 37, "6.4 13.6"),
        Layer("line", 7, aside=11),
        Layer("line", 7, aside=-11),
        Layer("walk", 3.4, aside=11),
        Layer("walk", 3.4, aside=-11),
    ),
}


def lane(points: Sequence[Vector], aside: float = 0) -> str:
    """A way along these points, which turns by right angles with round bends, or one to its right hand."""
    steps = [_unit(here, there) for here, there in pairwise(points)]
    path = f"M{_at(points[0], steps[0], 0, aside)}"
    for corner, before, after in zip(points[1:-1], steps, steps[1:], strict=False):
        clockwise = before[0] * after[1] - before[1] * after[0] > 0
        radius = _BEND - aside if clockwise else _BEND + aside
        arc = f"A{number(radius)} {number(radius)} 0 0 {int(clockwise)} "
        path += f"L{_at(corner, before, -_BEND, aside)}{arc}{_at(corner, after, _BEND, aside)}"
    return f"{path}L{_at(points[-1], steps[-1], 0, aside)}"


def _unit(here: Vector, there: Vector) -> Vector:
    length = math.dist(here, there)
    return (there[0] - here[0]) / length, (there[1] - here[1]) / length


def _at(point: Vector, step: Vector, along: float, aside: float) -> str:
    x, y = _beside(point, step, along, aside)
    return f"{number(x)} {number(y)}"


def _beside(point: Vector, step: Vector, along: float, aside: float) -> Vector:
    return point[0] + step[0] * along - step[1] * aside, point[1] + step[1] * along + step[0] * aside


def ripple(points: Sequence[Vector], aside: float) -> str:
    """A wavy line beside a way; bends are cut short.

    >>> ripple([(0, 0), (25, 0)], 0)
    'M0 0Q6.2 -5 12.5 0Q18.8 5 25 0'
    """
    path, swing = "", 5.0
    for here, there in pairwise(points):
        step = _unit(here, there)
        for wave in range(round(math.dist(here, there) / _WAVE)):
            if not path:
                path = f"M{_at(here, step, 0, aside)}"
            crest = _at(here, step, (wave + 0.5) * _WAVE, aside - swing)
            path += f"Q{crest} {_at(here, step, (wave + 1) * _WAVE, aside)}"
            swing = -swing
    return path


def strokes(path: str, ways: Sequence[Sequence[Vector]]) -> str:
    """A path of this kind along all of these ways."""
    return "".join(_stroke(layer, ways) for layer in PATHS[path])


def _stroke(layer: Layer, ways: Sequence[Sequence[Vector]]) -> str:
    drawn = "".join(ripple(way, layer.aside) if layer.wavy else lane(way, layer.aside) for way in ways)
    dash = f' stroke-dasharray="{layer.dash}"' if layer.dash else ""
    pale = f' stroke-opacity="{layer.opacity}"' if layer.opacity != 1 else ""
    flow = " dr-flow" if layer.wavy else ""
    return f'<path d="{drawn}" class="dr-n dr-s-{layer.colour}{flow}" stroke-width="{layer.width}"{dash}{pale}/>'


# ---- symbols


def piece_symbols(dress: Dress) -> str:
    """Cards, paths and bridges, in this dress."""
    built = [_cards(kind) for kind in KINDS]
    for path in dict.fromkeys(dress.picture(kind) for kind in KINDS):
        built += [PEN.symbol(f"{name}-{path}", strokes(path, ways)) for name, ways in _WAYS.items()]
    built += [PEN.symbol(f"span-{kind}", _span(colour)) for kind, colour in _SPANS.items()]
    return "".join(built)


def pictures(dress: Dress) -> list[str]:
    """The files of all pictures that drawings in this dress may need."""
    return list(dict.fromkeys(dress.picture(piece) for piece in PICTURED))


def _cards(kind: str) -> str:
    """A tile's ground by its length; a bridge stands on two squares and leaves the middle one free."""
    return "".join(PEN.symbol(f"card-{kind}-{length}", _card(kind, length)) for length in (1, 2, BRIDGE))


def _card(kind: str, length: int) -> str:
    blocks = [(0.0, 1.0), (2.0, 1.0)] if length == BRIDGE else [(0.0, float(length))]
    parts = []
    if length == BRIDGE:
        parts.append(f'<path d="M{SIDE + 25} -50h50V50h-50z" class="dr-f-lane"/>')
        parts.append(f'<path d="M{SIDE + 25} -50V50m50-100V50" class="dr-n dr-s-edge" stroke-dasharray="4 5"/>')
    for dx, dy, look in ((2, 4, 'fill="#1a1008" fill-opacity=".35"'), (0, 0, f'class="dr-f-{kind}ground dr-s-line"')):
        for start, squares in blocks:
            box = start * SIDE + 2.5 + dx, -47.5 + dy, squares * SIDE - 5, SIDE - 5
            parts.append(rect(box, 11, f'{look} stroke-width="2.4"'))
    return "".join(parts)


_SPANS = {"wall": "stonework", "road": "wood", "river": "stone"}


def _span(colour: str) -> str:
    """The hump of a bridge on its middle square: its two faces folded out, each with the arch, and the bent deck."""
    faces = "".join(f'<g transform="scale(1 {side})">{_face(colour)}</g>' for side in (1, -1))
    bends = "".join(
        f'<path d="M{50 + 13 * step} -21q{number(4.5 * step)} 21 0 42" class="dr-n dr-s-line" stroke-opacity=".34" '
        'stroke-width="2"/>'
        for step in (-3, -2, -1, 1, 2, 3)
    )
    light = '<ellipse cx="50" rx="19" ry="20" fill="#fff" fill-opacity=".22"/>'
    return f'<g transform="translate({SIDE} 0)">{faces}{light}{bends}</g>'


def _face(colour: str) -> str:
    ink = 'class="dr-n dr-s-line"'
    return (
        '<path d="M24 47.5V46a26 19 0 0 1 52 0v1.5z" class="dr-f-hollow" fill-opacity=".72"/>'
        '<path d="M-6 22.5Q50 31 106 22.5V34L97 47.5H77V46a27 17 0 0 0-54 0v1.5H3L-6 34z" '
        f'class="dr-f-{colour} dr-s-line" stroke-width="2.4" stroke-linejoin="round"/>'
        f'<path d="M23 46a27 17 0 0 1 54 0" {ink} stroke-width="5" stroke-dasharray="1.5 6" stroke-opacity=".7"/>'
        f'<path d="M-6 24Q50 33 106 24" {ink} stroke-width="6.5"/>'
        f'<path d="M-5 24Q50 33 105 24" class="dr-n dr-s-{colour}" stroke-width="3.2"/>'
    )


# ---- squares


def middle(board: Board, square: str) -> Vector:
    """Where the middle of a square lies."""
    row, column = divmod(board.number_of[square], ROW)
    return (column + 0.5) * SIDE, (row + 0.5) * SIDE


def meadow(board: Board, dress: Dress) -> str:
    """Open ground, squares, nothing on them yet."""
    wide, high = board.width * SIDE, board.height * SIDE
    size = f'width="{number(wide)}" height="{number(high)}"'
    lines = "".join(f"M{number(SIDE * column)} 0V{number(high)}" for column in range(1, board.width))
    lines += "".join(f"M0 {number(SIDE * row)}H{number(wide)}" for row in range(1, board.height))
    return (
        f'<rect {size} class="dr-f-meadow"/><rect {size} fill="url(#drunter-{dress.picture("meadow")})"/>'
        f'<path d="{lines}" class="dr-n dr-s-grid" stroke-width="2" stroke-dasharray="6 8"/>'
    )


def picture(piece: str, dress: Dress, at: Vector, size: float = SIDE, more: str = "") -> str:
    """A piece's picture around a point."""
    x, y = number(at[0] - size / 2), number(at[1] - size / 2)
    box = f'x="{x}" y="{y}" width="{number(size)}" height="{number(size)}"'
    return f'<use href="#drunter-art-{dress.picture(piece)}" {box}{more}/>'


def building(board: Board, square: str, dress: Dress) -> str:
    """A building that stands, with its value on a sign."""
    kind, value = board.buildings[square]
    x, y = middle(board, square)
    lean = (board.number_of[square] * 7 % 5 - 2) * 1.6
    house = picture(kind, dress, (x, y - 4), _HOUSE)
    house = f'<g transform="rotate({number(lean)} {number(x)} {number(y + 40)})">{house}</g>'
    sign = PEN.use("sign", x + 29, y + 28) + write(str(value), x + 29, y + 39.5, 34, "dr-num dr-f-onsign")
    return f'<g class="dr-building" data-kind="{kind}" data-value="{value}">{house}{sign}</g>'


def buried(board: Board, square: str, dress: Dress) -> str:
    """What is left of a covered house: a trace on the tile above it."""
    kind = "outhouse" if square in board.outhouses else board.buildings[square][0]
    return picture(kind, dress, middle(board, square), SIDE * 0.92, ' opacity=".3" class="dr-buried"')


def outhouse(board: Board, square: str, dress: Dress) -> str:
    """An outhouse that stands."""
    x, y = middle(board, square)
    lean = (board.number_of[square] * 5 % 7 - 3) * 2
    hut = picture("outhouse", dress, (x, y))
    return f'<g class="dr-outhouse" transform="rotate({lean} {number(x)} {number(y)})">{hut}</g>'


def start(board: Board, square: str, dress: Dress) -> str:
    """A corner square, where a path starts."""
    return picture(STARTS[board.kind_of_gang[square]], dress, middle(board, square))


def square_names(board: Board, free: Collection[str]) -> Iterable[str]:
    """The names of the squares that nothing stands on, in their upper left corners."""
    for name in board.squares:
        if name in free:
            x, y = middle(board, name)
            yield write(name, x - 45, y - 26, 25, "dr-sans dr-f-label dr-haloed")


def marks_on(board: Board, marks: Collection[str]) -> str:
    """Rings around marked squares."""
    return "".join(PEN.use("mark", *middle(board, name)) for name in board.squares if name in marks)


# ---- tiles


def direction_of(board: Board, tile: Tile, before: str) -> Vector:
    """The way a tile points, from the square that its path came from."""
    here, there = middle(board, before), middle(board, tile.squares[-1])
    return _unit(here, there)


class Placed(NamedTuple):
    """A tile, where its path came from, and where it goes next."""

    tile: Tile
    before: str
    after: str | None


def placed(board: Board, laid: Sequence[Tile]) -> list[Placed]:
    """The tiles with the squares before and after them, in the order of laying."""
    at = {gang: gang for gang in board.gangs}
    found: list[Placed] = []
    last: dict[str, int] = {}
    for index, tile in enumerate(laid):
        found.append(Placed(tile, at[tile.gang], None))
        if tile.gang in last:
            found[last[tile.gang]] = found[last[tile.gang]]._replace(after=tile.squares[0])
        last[tile.gang], at[tile.gang] = index, tile.squares[-1]
    return found


def ends_of(board: Board, tiles: Sequence[Placed]) -> dict[str, tuple[str, Vector]]:
    """The square that each gang's path has come to, and the way that it came."""
    ends: dict[str, tuple[str, Vector]] = {gang: (gang, (0, 0)) for gang in board.gangs}
    return ends | {at.tile.gang: (at.tile.squares[-1], direction_of(board, at.tile, at.before)) for at in tiles}


def _turned(board: Board, at: Placed, content: str) -> str:
    """Something drawn lying to the east, from the edge where the tile starts."""
    step = direction_of(board, at.tile, at.before)
    x, y = middle(board, at.tile.squares[0])
    turn = _TURNS[round(step[0]), round(step[1])]
    where = f"translate({number(x - step[0] * _HALF)} {number(y - step[1] * _HALF)})"
    return f'<g transform="{where}{f"rotate({turn})" if turn else ""}">{content}</g>'


def card(board: Board, at: Placed) -> str:
    """A tile's ground."""
    return _turned(board, at, PEN.use(f"card-{at.tile.kind}-{len(at.tile.squares)}"))


def path_of(board: Board, at: Placed, dress: Dress) -> str:
    """A tile's path, with the mark on its start."""
    kind, length = at.tile.kind, len(at.tile.squares)
    path = dress.picture(kind)
    runs = [PEN.use(f"run-{path}", SIDE * square) for square in range(length - 1)]
    leads = exit_of(board, at)
    last = PEN.use(f"{'run' if leads == AHEAD else leads}-{path}", SIDE * (length - 1))
    span = PEN.use(f"span-{kind}") if length == BRIDGE else ""
    return _turned(board, at, "".join([*runs, last, span, PEN.use(f"plaque-{path}")]))


def exit_of(board: Board, at: Placed) -> str:
    """Where the next tile lies, as seen from this one; open to all sides where there is none yet."""
    if at.after is None:
        return OPEN
    came = direction_of(board, at.tile, at.before)
    goes = _unit(middle(board, at.tile.squares[-1]), middle(board, at.after))
    turn = came[0] * goes[1] - came[1] * goes[0]
    if round(turn) == 0:
        return AHEAD
    return RIGHT if turn > 0 else LEFT


def passages(board: Board, at: Placed, dress: Dress) -> str:
    """The path that leads to a tile: out of its corner, and under bridges."""
    step, path = direction_of(board, at.tile, at.before), dress.picture(at.tile.kind)
    turn, parts = _TURNS[round(step[0]), round(step[1])], []
    if at.before in board.gangs:
        parts.append(PEN.use(f"stub-{path}", *middle(board, at.before), turn=turn))
    for square in at.tile.under:
        x, y = middle(board, square)
        parts.append(PEN.use(f"run-{path}", x - step[0] * _HALF, y - step[1] * _HALF, turn=turn))
    return "".join(parts)


def ghost(board: Board, at: Placed, dress: Dress) -> str:
    """A tile under vote."""
    ends = [middle(board, square) for square in (at.tile.squares[0], at.tile.squares[-1])]
    (left, right), (top, low) = (sorted(end[axis] for end in ends) for axis in (0, 1))
    box = left - _HALF + 2, top - _HALF + 2, right - left + SIDE - 4, low - top + SIDE - 4
    parts = [
        f'<g opacity=".5">{card(board, at)}{path_of(board, at, dress)}</g>',
        rect(box, 13, 'class="dr-n dr-s-lamp" stroke-width="9"'),
        rect(box, 13, 'class="dr-n dr-s-line" stroke-width="3.4" stroke-dasharray="11 7"'),
        PEN.use("ask", (left + right) / 2, (top + low) / 2),
    ]
    return '<g class="dr-ghost">' + "".join(parts) + "</g>"


def gang(board: Board, corner: str, square: str, step: Vector, dress: Dress) -> str:
    """A gang's cart on its square, moved on a bit, so that the mark on a tile's start is seen."""
    x, y = middle(board, square)
    at = x + step[0] * _AHEAD, y + step[1] * _AHEAD
    disc = PEN.use(f"spot-{board.kind_of_gang[corner]}", *at)
    return f'<g class="dr-gang" data-gang="{corner}">{disc}{picture("gang", dress, at, 66)}</g>'


def blocked(board: Board, square: str, step: Vector) -> str:
    """The sign at the end of a path whose gang is gone."""
    x, y = middle(board, square)
    return f'<g class="dr-blocked">{PEN.use("blocked", x + step[0] * _AHEAD, y + step[1] * _AHEAD)}</g>'
