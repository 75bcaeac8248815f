"""Cronberg as a picture: an engraved map of the town, as one self-contained SVG.

The pieces are symbols with ids that begin with `cronberg-`, the same in every drawing, so that several may
stand on one page. Colours are CSS variables (`--cb-text` …) on the class `cronberg`; the class `night` beside
it lights the lamps.

>>> import numpy as np
>>> from embertown.cronberg.rules import POSITION, set_up
>>> board = Board(["PPPPP", "GGGGGGG", "CCCCCCC", "-----"], tokens=4, rhombi={"church": (4, (6, 3, 6, 3))})
>>> position = np.zeros(1, POSITION)[0]
>>> set_up(board.arrays, position, 2, 0)
>>> picture = draw(board, position, names=["Karl", "Ulla"])
>>> picture[:4], picture.count('class="cb-token"'), "Karl to move" in picture
('<svg', 0, True)
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence

import numpy as np

from embertown.core.jit import has_bit
from embertown.cronberg import svg_panels as panels
from embertown.cronberg import svg_parts as parts
from embertown.cronberg.board import Board
from embertown.cronberg.rules import NOTHING, TURNS, Phase, Position
from embertown.cronberg.svg_style import (
    DAY,
    NIGHT,
    building_name,
    fitted,
    number,
    plain_text,
    seat_letters,
    seat_names,
    style_sheet,
    words,
    write,
)

_APOTHEM = 366.0  # from the town's middle to the inside of the score track
_OUTSKIRTS = 0.33  # wall and towers, in sides of a triangle


def draw(
    board: Board,
    position: Position,
    *,
    names: Sequence[str] = (),
    title: str = "Cronberg",
    subtitle: str = "anno 1726",
    night: bool = False,
    marks: Collection[str] = (),
    labels: bool = False,
    width: int | None = None,
    language: str = "en",
) -> str:
    """A position as an SVG.

    `names` are the players' by seat; `marks` are triangles and crossings to ring; `labels` writes the names
    of crossings and free triangles; `width` is in pixels, else the drawing fills what it is put in.
    """
    shown = seat_names(names, int(position.players))
    players = panels.players_of(board, position, shown, seat_letters(shown))
    going_on = _status(board, position, players, language)
    height = panels.BELOW + panels.stock_height(board)
    content = [
        _opening(height, night, width),
        panels.write_title(plain_text(title) or "Cronberg"),
        _description(board, position, players, going_on, language),
        symbols(board, night=night),
        _paper(height),
        panels.ornaments(len(shown)),
        panels.heading(title, subtitle),
        panels.track(players),
        _town(board, position, players, marks, labels),
        panels.plates(players),
        panels.status(going_on),
        panels.stock(board, position, language),
    ]
    return "".join(content) + "</svg>"


def symbols(board: Board, *, night: bool = False) -> str:
    """All that drawings of this board refer to, as one `<defs>`: style sheet, patterns, pieces, buildings."""
    kinds = [*dict.fromkeys(board.kinds), parts.GENERIC]
    pictures = "".join(parts.art(kind) for kind in dict.fromkeys(kinds))
    light = NIGHT if night else DAY
    return f"<defs>{style_sheet(light)}{parts.piece_symbols()}{pictures}</defs>"


def _opening(height: float, night: bool, width: int | None) -> str:
    size = "" if width is None else f' width="{width}" height="{round(width * height / panels.WIDTH)}"'
    light = "cronberg night" if night else "cronberg"
    box = f'viewBox="0 0 {number(panels.WIDTH)} {number(height)}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" role="img" class="{light}" {box}{size}>'


def _paper(height: float) -> str:
    size = f'width="{number(panels.WIDTH)}" height="{number(height)}"'
    return f'<rect {size} class="cb-f-paper"/><rect {size} filter="url(#cronberg-stains)" opacity=".6"/>'


# ---- the town


def _town(
    board: Board, position: Position, players: panels.Players, marks: Collection[str], labels: bool
) -> str:
    scale = _APOTHEM / (board.side * math.sqrt(3) / 2 + _OUTSKIRTS) / parts.UNIT
    x, y = panels.MIDDLE
    layers = [
        parts.wall(board),
        *_blocks(board, position, labels),
        *_plazas(board, position, labels),
        *_rhombi(board, position),
        parts.marks_on(board, marks, [board.places[place].triangles for place, _, _ in _laid(position)]),
        *_tokens(board, position, players.letters),
    ]
    return f'<g transform="translate({number(x)} {number(y)}) scale({scale:.4g})">' + "".join(layers) + "</g>"


def _blocks(board: Board, position: Position, labels: bool) -> Iterable[str]:
    for index, name in enumerate(board.triangles):
        if has_bit(position.free, index):
            yield parts.block(board, name, has_bit(position.active, index), labels)


def _plazas(board: Board, position: Position, labels: bool) -> Iterable[str]:
    for index, name in enumerate(board.crossings):
        x, y = parts.place(board, name)
        yield parts.plaza(x, y, has_bit(position.barred, index))
        if labels:
            yield write(name, x, y + 5, 14.5, "cb-sans cb-mid cb-f-label")


def _laid(position: Position) -> Iterable[tuple[int, int, int]]:
    """The rhombi laid: place, turn and kind, in the order of placing."""
    for index in range(int(position.placed)):
        place, turn = divmod(int(position.where[index]), TURNS)
        yield place, turn, int(position.rhombi[index])


def _rhombi(board: Board, position: Position) -> Iterable[str]:
    for place, turn, kind in _laid(position):
        numbers = board.numbers[kind]
        shown = [numbers[(corner + 2 * turn) % 4] for corner in range(4)]
        x, y, degrees = parts.rhomb_place(board, place)
        where = f' transform="translate({number(x)} {number(y)})"'
        yield parts.rhomb((board.kinds[kind], shown), degrees, where)


def _tokens(board: Board, position: Position, letters: Sequence[str]) -> Iterable[str]:
    for seat, letter in enumerate(letters):
        for name in _crossings_in(board, position.tokens[seat]):
            yield parts.token(seat, letter, parts.place(board, name))


def _crossings_in(board: Board, mask: np.uint64) -> list[str]:
    return [name for index, name in enumerate(board.crossings) if has_bit(mask, index)]


# ---- in words


def _status(board: Board, position: Position, players: panels.Players, language: str) -> str:
    say = words(language)
    names = [fitted(name, 330, 32) for name in players.names]
    if players.over:
        won = [names[seat] for seat in sorted(players.lit)]
        return say["wins" if len(won) == 1 else "shared"].format(names=say["and"].join(won))
    in_hand = int(position.in_hand)
    drawn = "" if in_hand == NOTHING else building_name(board.kinds[in_hand], language)
    return say[Phase(int(position.phase)).name.lower()].format(name=names[int(position.seat)], rhomb=drawn)


def _description(
    board: Board, position: Position, players: panels.Players, going_on: str, language: str
) -> str:
    """The position in words, for those who hear it."""
    say = words(language)
    told = [going_on + "."]
    for seat, name in enumerate(players.names):
        places = ", ".join(_crossings_in(board, position.tokens[seat])) or say["nothing"]
        score, supply = players.scores[seat], players.supply[seat]
        told.append(say["seat"].format(name=name, score=score, supply=supply, places=places))
    laid = [
        f"{building_name(board.kinds[kind], language)} {'+'.join(board.places[place].triangles)}"
        for place, _, kind in _laid(position)
    ]
    told.append(say["laid"].format(rhombi=", ".join(laid) or say["nothing"]))
    active = [name for index, name in enumerate(board.triangles) if has_bit(position.active, index)]
    told.append(say["activated"].format(triangles=", ".join(active) or say["nothing"]))
    return panels.write_title(" ".join(told)).replace("title>", "desc>")
