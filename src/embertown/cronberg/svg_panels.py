"""What stands around the town: the score track, the players' plates, the rhombi left, title and ornaments.

Everything here is in the sheet's own units: it is `WIDTH` wide, and the town's middle is `MIDDLE`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from embertown.core.drawing import (
    Dress,
    Vector,
    fitted,
    number,
    path_through,
    rect,
    signed,
    size_to_fit,
    tell,
    text_width,
    write,
)
from embertown.core.game import Outcome
from embertown.cronberg.board import Board
from embertown.cronberg.rules import NOTHING, Phase, Position
from embertown.cronberg.svg_parts import rhomb
from embertown.cronberg.svg_style import PEN, building_name

WIDTH = 1000.0
TRACK = 60
"""How many stones the score track has; a score beyond them walks on from the start."""

_RADIUS = 456.0  # from the middle to the track's corners
MIDDLE = (WIDTH / 2, 116 + _RADIUS * math.sqrt(3) / 2)
BELOW = MIDDLE[1] + _RADIUS * math.sqrt(3) / 2 + 128
"""Where the part below the town begins."""

_CARD = (212.0, 134.0)
_MARGIN = 14.0
_SIDE = TRACK // 6


@dataclass(frozen=True, slots=True)
class Players:
    """Who plays: what the plates say, in the order of the seats."""

    names: Sequence[str]
    letters: Sequence[str]
    scores: Sequence[int]
    supply: Sequence[int]
    tokens: int
    lit: frozenset[int]  # to act, or when all is over, those who won
    over: bool


def players_of(
    board: Board, position: Position, names: Sequence[str], letters: Sequence[str], ended: Outcome | None
) -> Players:
    """What a position, or how the game `ended` early, says of its players."""
    count = int(position.players)
    scores = [int(score) for score in position.scores[:count]]
    over = ended is not None or int(position.phase) == Phase.OVER
    best = max(scores, default=0)
    winners = frozenset(
        ended.winners if ended is not None else (seat for seat, score in enumerate(scores) if score == best)
    )
    supply = [int(left) for left in position.supply[:count]]
    lit = winners if over else frozenset([int(position.seat)])
    return Players(names, letters, scores, supply, board.tokens, lit, over)


# ---- the score track


def track(dress: Dress) -> str:
    """The road around the town with its numbered stones."""
    corners = [_stone(corner * _SIDE) for corner in range(6)]
    path = path_through(corners)
    roads = (("line", 46), ("track", 42.5), ("edge", 37), ("track", 35.5))
    parts = [
        f'<path d="{path}" class="cb-f-field cb-s-{name}" stroke-width="{width}" stroke-linejoin="round"/>'
        for name, width in roads
    ]
    parts.append(f'<path d="{path}" fill="url(#cronberg-hatch-{dress.picture("field")})"/>')
    parts += [_stone_with_number(score) for score in range(TRACK)]
    return "".join(parts)


def _stone(score: int) -> tuple[float, float]:
    """The middle of a stone: clockwise from the upper left corner."""
    corner, step = divmod(score % TRACK, _SIDE)
    ends = [math.radians(60 * (corner + more) - 120) for more in (0, 1)]
    (x, y), (there_x, there_y) = ((_RADIUS * math.cos(end), _RADIUS * math.sin(end)) for end in ends)
    part = step / _SIDE
    return MIDDLE[0] + x + (there_x - x) * part, MIDDLE[1] + y + (there_y - y) * part


def _stone_with_number(score: int) -> str:
    x, y = _stone(score)
    if score % _SIDE:
        stone = f'<circle cx="{number(x)}" cy="{number(y)}" r="16.5" class="cb-f-pebble cb-s-line"/>'
        return stone + write(str(score), x, y + 6, 17, "cb-sans cb-mid cb-f-text")
    return PEN.use("keep", x, y) + write(str(score), x, y + 8, 23, "cb-sans cb-bold cb-mid cb-f-ontower")


def markers(players: Players) -> str:
    """The players' markers on the road, with a sign from the second round on."""
    by_stone: dict[int, list[int]] = {}
    for seat, score in enumerate(players.scores):
        by_stone.setdefault(score % TRACK, []).append(seat)
    parts = []
    for stone, seats in sorted(by_stone.items()):
        x, y = _stone(stone)
        spread, scale = (0.0, 1.2) if len(seats) == 1 else (15.0, 0.95)
        for turn, seat in enumerate(seats):
            angle = math.tau * turn / len(seats) + math.pi * (0.75 if len(seats) == 4 else 1)
            at = x + spread * math.cos(angle), y + spread * math.sin(angle)
            parts.append(PEN.token(seat, players.letters[seat], at, scale, "cb-marker"))
            parts.append(_round(players.scores[seat], at, alone=len(seats) == 1))
    return "".join(parts)


def _round(score: int, marker: Vector, *, alone: bool) -> str:
    """What a stone's number does not say: a sign beside the marker, towards the town, from the second round on.

    >>> _round(59, (0, 0), alone=True), "+60" in _round(72, (0, 0), alone=True)
    ('', True)
    """
    rounds = score // TRACK
    if not rounds:
        return ""
    away = MIDDLE[0] - marker[0], MIDDLE[1] - marker[1]
    part = (40.0 if alone else 27.0) / math.hypot(*away)
    x, y = marker[0] + away[0] * part, marker[1] + away[1] * part
    size = 1.0 if alone else 0.62  # signs of those who share a stone have room beside each other
    text = ("+" if rounds > 0 else "") + signed(rounds * TRACK)
    wide = 12 * (len(text) + 1) * size
    plate = rect((x - wide / 2, y - 13 * size, wide, 26 * size), 8 * size, 'class="cb-f-turret cb-s-line"')
    return plate + write(text, x, y + 6.5 * size, 19 * size, "cb-sans cb-bold cb-mid cb-f-ontower")


# ---- plates


_NAME_ROOM, _NAME_BESIDE_SIGN = 138.0, 101.0


class _Corner(NamedTuple):
    x: float
    y: float


def _corner(seat: int) -> _Corner:
    """Where a seat's plate stands: clockwise from the upper left, as around a table."""
    right, low = WIDTH - _MARGIN - _CARD[0], BELOW - _MARGIN - _CARD[1]
    return _Corner(right if seat in (1, 2) else _MARGIN, low if seat >= 2 else _MARGIN)


def plates(players: Players) -> str:
    """A plate for every player; light falls on whoever is to act, or has won."""
    return "".join(_plate(players, seat) for seat in range(len(players.names)))


def _plate(players: Players, seat: int) -> str:
    at, lit = _corner(seat), seat in players.lit
    ground = _plate_ground(lit)
    sign = _sign(players.over) if lit else ""
    room = _NAME_BESIDE_SIGN if lit else _NAME_ROOM
    size = size_to_fit(players.names[seat], room, 25, 18)
    name = fitted(players.names[seat], room, size)
    content = [
        ground,
        PEN.token(seat, players.letters[seat], (33, 35), 1.25, "cb-badge"),
        write(name, 58, 35 + size * 0.34, size, "cb-sans cb-bold cb-f-text"),
        sign,
        write(signed(players.scores[seat]), 20, 113, 54, "cb-serif cb-bold cb-f-text"),
        _supply(players, seat),
    ]
    return f'<g transform="translate({number(at.x)} {number(at.y)})">' + "".join(content) + "</g>"


def _sign(over: bool) -> str:
    """A laurel for who has won, a lantern for who is to act: clear of the name."""
    return PEN.use("laurel", 183, 35, scale=0.84) if over else PEN.use("lantern", 180, 35)


def _plate_ground(lit: bool) -> str:
    width, height = number(_CARD[0]), number(_CARD[1])
    inner = f'width="{number(_CARD[0] - 12)}" height="{number(_CARD[1] - 12)}"'
    halo = '<ellipse cx="106" cy="67" rx="150" ry="112" fill="url(#cronberg-halo)"/>' if lit else ""
    edge = 'cb-s-lamp" stroke-width="5"' if lit else 'cb-s-edge" stroke-width="2"'
    return (
        f'{halo}<rect width="{width}" height="{height}" rx="9" class="cb-f-card {edge}/>'
        f'<rect x="6" y="6" {inner} rx="5" class="cb-n cb-s-edge" stroke-width="1"/>'
    )


def _supply(players: Players, seat: int) -> str:
    """The tokens of a seat: those in supply in colour, an empty place for each on the board."""
    start = 40 + text_width(signed(players.scores[seat])) * 54 * 0.95
    columns = 4 if players.tokens > 4 or start < 108 else 2
    rows = math.ceil(players.tokens / columns)
    step = min(25.0, (204 - start) / columns)
    parts = []
    for index in range(players.tokens):
        row, column = divmod(index, columns)
        x = 204 - step * (columns - column) + step / 2 - 4
        y = 94 + (row - (rows - 1) / 2) * 27
        if index < players.supply[seat]:
            parts.append(PEN.use(f"token-{seat}", x, y, scale=step / 34))
        else:
            parts.append(f'<circle cx="{number(x)}" cy="{number(y)}" r="5" class="cb-n cb-s-edge" stroke-width="1.8"/>')
    return "".join(parts)


# ---- title, what is going on, ornaments


def heading(title: str, subtitle: str) -> str:
    """The title between the upper plates."""
    title, subtitle = fitted(title, 900, 24), fitted(subtitle, 420, 24)
    size = size_to_fit(title, 470 / 1.16, 58)
    y = 30 + size * 0.38
    spacing = f' letter-spacing="{number(size * 0.12)}"'
    middle = WIDTH / 2
    flourish = 20 + text_width(subtitle) * 12
    return (
        write(title, middle + size * 0.06, y, size, "cb-serif cb-mid cb-f-text", more=spacing)
        + (
            write(subtitle, middle, 85, 24, "cb-serif cb-mid cb-f-faint", more=' font-style="italic"')
            if subtitle
            else ""
        )
        + PEN.use("flourish", middle - flourish, 78)
        + PEN.use("flourish", middle + flourish, 78, turn=180)
    )


def status(text: str) -> str:
    """What is going on, between the lower plates."""
    size = size_to_fit(text, 500, 32)
    return write(text, WIDTH / 2, BELOW - 52, size, "cb-serif cb-mid cb-f-text")


def ornaments(seats: int, dress: Dress) -> str:
    """A compass rose and hills where no plate stands."""
    parts = []
    if seats < 4:
        parts.append(PEN.use("rose", 96, BELOW - 96))
    if seats < 3:
        parts.append(PEN.use(dress.picture("hills"), WIDTH - 112, BELOW - 70))
    return "".join(parts)


# ---- the rhombi left


class _Grid(NamedTuple):
    """How the rhombi left are laid out: by columns, a rhomb's size, how far apart."""

    columns: int
    scale: float
    step: tuple[float, float]
    counted: bool


_HAND = 224.0  # the column for the pile and the rhomb in hand


def _grid(board: Board) -> _Grid:
    counted = max(board.counts) > 1
    columns = 4 if counted and len(board.kinds) <= 12 else 5
    wide = (WIDTH - 2 * _MARGIN - _HAND) / columns
    scale = min(0.92, (wide - (48 if counted else 6)) / 152)
    return _Grid(columns, scale, (wide, scale * 88 + 10), counted)


def stock_height(board: Board) -> float:
    """How high the part below the town is."""
    grid = _grid(board)
    return max(216.0, math.ceil(len(board.kinds) / grid.columns) * grid.step[1] + 34)


def stock(board: Board, position: Position, dress: Dress) -> str:
    """The pile, the rhomb in hand, and the rhombi left by kind; those that are gone are pale."""
    height = stock_height(board) - _MARGIN
    frame = (
        f'<rect x="{_MARGIN}" width="{WIDTH - 2 * _MARGIN}" height="{number(height)}" rx="9" '
        'class="cb-f-card cb-s-edge" stroke-width="2"/>'
        f'<path d="M{_MARGIN + _HAND} 14v{number(height - 28)}" class="cb-s-edge" stroke-width="1.5"/>'
    )
    content = frame + _hand(board, position, height, dress) + "".join(_kinds_left(board, position, dress))
    return f'<g transform="translate(0 {number(BELOW)})">{content}</g>'


def _kinds_left(board: Board, position: Position, dress: Dress) -> Iterable[str]:
    grid = _grid(board)
    rows = math.ceil(len(board.kinds) / grid.columns)
    top = (stock_height(board) - _MARGIN - rows * grid.step[1]) / 2
    for index, kind in enumerate(board.kinds):
        row, column = divmod(index, grid.columns)
        left = int(position.bag[index])
        x = _MARGIN + _HAND + 8 + grid.step[0] * column + 76 * grid.scale
        y = top + grid.step[1] * (row + 0.5)
        pale = "" if left else ' opacity=".28"'
        name = tell(f"{building_name(kind, dress)} ×{left}")
        drawn = rhomb((kind, board.numbers[index]), -60, dress)
        count = write(f"×{left}", 80, 9, 26, "cb-sans cb-bold cb-f-text") if grid.counted else ""
        where = f"translate({number(x)} {number(y)}) scale({grid.scale:.3g})"
        yield f'<g transform="{where}"{pale}>{name}{drawn}{count}</g>'


def _hand(board: Board, position: Position, height: float, dress: Dress) -> str:
    """The rhomb drawn, under the lamp, or the pile of those left, face down."""
    middle, left, in_hand = _MARGIN + _HAND / 2, int(position.left), int(position.in_hand)
    y = height / 2 - 22
    below = f"{left} {dress.words['left']}"
    if in_hand == NOTHING:
        pile = "".join(PEN.use("back", middle, y + 8 - 5 * card, turn=-60) for card in range(min(left, 5)))
        return pile + write(below, middle, y + 92, 26, "cb-serif cb-mid cb-f-text")
    kind = board.kinds[in_hand]
    halo = f'<ellipse cx="{middle}" cy="{number(y)}" rx="118" ry="92" fill="url(#cronberg-halo)"/>'
    drawn = rhomb((kind, board.numbers[in_hand]), -60, dress)
    name = fitted(building_name(kind, dress), _HAND - 16, 24)
    return (
        f'{halo}<g transform="translate({middle} {number(y - 6)}) scale(1.25)">{drawn}</g>'
        + write(name, middle, y + 78, 24, "cb-serif cb-bold cb-mid cb-f-text")
        + write(below, middle, y + 104, 21, "cb-serif cb-mid cb-f-text")
    )
