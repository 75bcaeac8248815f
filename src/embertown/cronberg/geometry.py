"""The empty board and the artwork as plain values, for pages: in the same coordinates, and the same, as in pictures.

The town's middle is (0, 0), a triangle's side a hundred units, x to the right, y down (`svg_parts`).

>>> import embertown
>>> geometry = embertown.load("cronberg").geometry()
>>> geometry["crossings"][0], geometry["triangles"][0]["corners"], geometry["triangles"][0]["symbol"]
({'name': 'a1', 'x': -150.0, 'y': -259.8}, ['a1', 'b1', 'b2'], 'park')
>>> geometry["kinds"][0]["names"]["de"]
'Rathaus'
"""

from __future__ import annotations

from typing import Any

from embertown.core.artwork import dressed
from embertown.core.drawing import Dress
from embertown.core.locale import DEFAULT_LANGUAGE, LANGUAGES, catalogue
from embertown.cronberg import svg
from embertown.cronberg import svg_parts as parts
from embertown.cronberg.board import PLAIN, Board
from embertown.cronberg.edition import CronbergEdition
from embertown.cronberg.rules import TURNS
from embertown.cronberg.svg_style import DEFAULT_THEME, PEN, dress_of

_TURNED_BY = (-60, 0, 60)
"""How a rhomb may lie, in degrees from its first corner pointing up (`svg_parts.rhomb`)."""
_DECIMALS = 1
"""As in pictures."""


def geometry(edition: CronbergEdition) -> dict[str, Any]:
    """Everything that a drawing of the empty board needs."""
    board = edition.layout
    return {
        "game": PEN.game,
        "edition": edition.id,
        "edition_sha256": edition.sha256,
        "title": {language: edition.title(language) for language in LANGUAGES},
        "view_box": _view_box(board),
        "unit": parts.UNIT,
        "tokens": board.tokens,
        "crossings": [{"name": name, **_point(*parts.place(board, name))} for name in board.crossings],
        "triangles": [_triangle(board, name) for name in board.triangles],
        "places": [_place(board, index) for index in range(len(board.places))],
        "strips": _strips(board),
        "wall": {"rings": parts.outline(board), "svg": parts.wall(board)},
        "kinds": [_kind(edition, kind) for kind in board.kinds],
    }


def _point(x: float, y: float) -> dict[str, float]:
    return {"x": round(x, _DECIMALS) + 0.0, "y": round(y, _DECIMALS) + 0.0}  # without a minus before 0


def _view_box(board: Board) -> list[float]:
    """Left, top, width and height of the town with its wall."""
    xs, ys = zip(*(parts.place(board, name) for name in board.crossings), strict=True)
    beyond = svg.OUTSKIRTS * parts.UNIT
    left, top = min(xs) - beyond, min(ys) - beyond
    box = left, top, max(xs) + beyond - left, max(ys) + beyond - top
    return [round(value, _DECIMALS) for value in box]


def _triangle(board: Board, name: str) -> dict[str, Any]:
    middle = board.middle_of(name)
    return {
        "name": name,
        "symbol": parts.KINDS_OF_BLOCK[board.symbol_of[name]],
        **_point(middle.x * parts.UNIT, middle.y * parts.UNIT),
        "corners": [*board.corners_of[name]],
        "points_up": parts.points_up(board, name),
    }


def _place(board: Board, index: int) -> dict[str, Any]:
    """Where a rhomb may lie: a head that is the third corner turns it around (C1.4)."""
    x, y, turn = parts.rhomb_place(board, index)
    triangles, corners = board.places[index]
    return {"on": [*triangles], **_point(x, y), "turn": turn, "corners": [*corners]}


def _strips(board: Board) -> list[dict[str, Any]]:
    """The strips' letters, each with a point for it at the left end, outside the wall."""
    found: dict[str, dict[str, Any]] = {}
    for name in board.triangles:
        letter = name[0]
        if letter not in found:
            corners = [parts.place(board, corner) for corner in board.corners_of[name]]
            top, low = min(y for _, y in corners), max(y for _, y in corners)
            left = min(x for x, _ in corners)
            found[letter] = {"name": letter, **_point(left - svg.OUTSKIRTS * parts.UNIT, (top + low) / 2)}
    return list(found.values())


def _kind(edition: CronbergEdition, kind: str) -> dict[str, Any]:
    board = edition.layout
    index = board.kind_index[kind]
    numbers = board.numbers[index]
    return {
        "name": kind,
        "names": edition.names_of(kind),
        "count": board.counts[index],
        "numbers": [*numbers],
        "turning_matters": board.turning_matters(index),
        "dark": parts.is_dark(numbers),
    }


# ---- artwork


def artwork(edition: CronbergEdition, theme: str | None) -> dict[str, Any]:
    """Symbols, colours and names in a theme, and every rhomb as it is drawn."""
    board, name = edition.layout, DEFAULT_THEME if theme is None else theme

    def dress_in(language: str) -> Dress:
        return dress_of(name, language, edition.called(language))

    dress = dress_in(DEFAULT_LANGUAGE)
    blocks = [kind for symbol, kind in parts.KINDS_OF_BLOCK.items() if symbol != PLAIN]
    pictures = {kind: f"{PEN.game}-sign-{dress.picture(kind)}" for kind in blocks}
    pictures |= {kind: f"{PEN.game}-art-{parts.art_of(kind, dress)}" for kind in board.kinds}
    pieces = [*catalogue(PEN.game, DEFAULT_LANGUAGE)["pieces"], *board.kinds]
    return {
        **dressed(PEN, svg.symbols(board, theme=name), dress_in, pieces, pictures),
        "rhombi": {kind: _rhombi(board, kind, dress) for kind in board.kinds},
    }


def _rhombi(board: Board, kind: str, dress: Dress) -> dict[str, list[str]]:
    """A rhomb around (0, 0), by the degrees of its place: with its head at the place's first corner, and turned."""
    numbers = board.numbers[board.kind_index[kind]]
    turned = [[numbers[(corner + 2 * turn) % 4] for corner in range(4)] for turn in range(TURNS)]
    return {str(degrees): [parts.rhomb((kind, shown), degrees, dress) for shown in turned] for degrees in _TURNED_BY}
