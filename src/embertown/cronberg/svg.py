"""Cronberg as a picture: an engraved map of the town, as one self-contained SVG.

The pieces are symbols with ids that begin with `cronberg-`, the same in every drawing, so that several may
stand on one page. Colours are CSS variables (`--cb-text` …) on the class `cronberg` with the theme's name; the
class `night` beside them lights the lamps.

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
from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np

from embertown.core.drawing import Dress, fitted, number, plain_text, seat_letters, seat_names, tell, write
from embertown.core.game import Outcome
from embertown.core.jit import has_bit
from embertown.cronberg import svg_panels as panels
from embertown.cronberg import svg_parts as parts
from embertown.cronberg.board import Board
from embertown.cronberg.rules import NOTHING, TURNS, Phase, Position
from embertown.cronberg.svg_style import DEFAULT_THEME, MORE_RULES, PEN, building_name, dress_of

_APOTHEM = 366.0  # from the town's middle to the inside of the score track
OUTSKIRTS = 0.33  # wall and towers, in sides of a triangle


def draw(
    board: Board,
    position: Position,
    *,
    names: Sequence[str] = (),
    theme: str = DEFAULT_THEME,
    title: str | None = None,
    subtitle: str | None = None,
    called: Mapping[str, str] | None = None,
    night: bool = False,
    marks: Collection[str] = (),
    labels: bool = False,
    width: int | None = None,
    language: str = "en",
    ended: Outcome | None = None,
) -> str:
    """A position as an SVG.

    `names` are the players' by seat; `marks` are triangles and crossings to ring; `labels` writes the names
    of crossings and free triangles; `width` is in pixels, else the drawing fills what it is put in; `title` and
    `subtitle` are the theme's where not given; `called` are the edition's own names of its rhombi, in this language;
    `ended` is how a game ended before its rules ended it.
    """
    dress = dress_of(theme, language, called)
    title = dress.title if title is None else title
    shown = seat_names(names, int(position.players))
    players = panels.players_of(board, position, shown, seat_letters(shown), ended)
    going_on = _status(board, position, players, dress)
    height = panels.BELOW + panels.stock_height(board)
    content = [
        PEN.opening((panels.WIDTH, height), dress.theme, night=night, width=width),
        tell(plain_text(title) or "Cronberg"),
        tell(_description(board, position, players, dress, going_on), "desc"),
        symbols(board, theme=theme, night=night),
        _paper(height),
        panels.ornaments(len(shown), dress),
        panels.heading(title, dress.subtitle if subtitle is None else subtitle),
        panels.track(dress),
        _town(board, position, players, dress, marks, labels),
        panels.markers(players),
        panels.plates(players),
        panels.status(going_on),
        panels.stock(board, position, dress),
    ]
    return "".join(content) + "</svg>"


def symbols(board: Board, *, theme: str = DEFAULT_THEME, night: bool = False) -> str:
    """All that drawings of this board refer to, as one `<defs>`: style sheet, patterns, pieces, buildings."""
    dress = dress_of(theme)
    files = [*(parts.art_of(kind, dress) for kind in board.kinds), parts.GENERIC]
    pictures = "".join(PEN.art(name) for name in dict.fromkeys(files))
    return f"<defs>{PEN.style_sheet(dress.theme, night=night, more=MORE_RULES)}{parts.piece_symbols()}{pictures}</defs>"


def _paper(height: float) -> str:
    size = f'width="{number(panels.WIDTH)}" height="{number(height)}"'
    return f'<rect {size} class="cb-f-paper"/><rect {size} filter="url(#cronberg-stains)" opacity=".6"/>'


# ---- the town


def _town(
    board: Board, position: Position, players: panels.Players, dress: Dress, marks: Collection[str], labels: bool
) -> str:
    scale = _APOTHEM / (board.side * math.sqrt(3) / 2 + OUTSKIRTS) / parts.UNIT
    x, y = panels.MIDDLE
    layers = [
        parts.wall(board),
        *_blocks(board, position, dress, labels),
        *_plazas(board, position, labels),
        *_rhombi(board, position, dress),
        parts.marks_on(board, marks, [board.places[place].triangles for place, _, _ in _laid(position)]),
        *_tokens(board, position, players.letters),
    ]
    return f'<g transform="translate({number(x)} {number(y)}) scale({scale:.4g})">' + "".join(layers) + "</g>"


def _blocks(board: Board, position: Position, dress: Dress, labels: bool) -> Iterable[str]:
    for index, name in enumerate(board.triangles):
        if has_bit(position.free, index):
            yield parts.block(board, name, dress, active=has_bit(position.active, index), label=labels)


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


def _rhombi(board: Board, position: Position, dress: Dress) -> Iterable[str]:
    for place, turn, kind in _laid(position):
        numbers = board.numbers[kind]
        shown = [numbers[(corner + 2 * turn) % 4] for corner in range(4)]
        x, y, degrees = parts.rhomb_place(board, place)
        where = f' transform="translate({number(x)} {number(y)})"'
        yield parts.rhomb((board.kinds[kind], shown), degrees, dress, where)


def _tokens(board: Board, position: Position, letters: Sequence[str]) -> Iterable[str]:
    for seat, letter in enumerate(letters):
        for name in _crossings_in(board, position.tokens[seat]):
            yield PEN.token(seat, letter, parts.place(board, name))


def _crossings_in(board: Board, mask: np.uint64) -> list[str]:
    return [name for index, name in enumerate(board.crossings) if has_bit(mask, index)]


# ---- in words


def _status(board: Board, position: Position, players: panels.Players, dress: Dress) -> str:
    say = dress.words
    names = [fitted(name, 330, 32) for name in players.names]
    if players.over:
        won = [names[seat] for seat in sorted(players.lit)]
        if not won:
            return say["abandoned"]
        return say["wins" if len(won) == 1 else "shared"].format(names=say["and"].join(won))
    in_hand = int(position.in_hand)
    drawn = "" if in_hand == NOTHING else building_name(board.kinds[in_hand], dress)
    return say[Phase(int(position.phase)).name.lower()].format(name=names[int(position.seat)], rhomb=drawn)


def _description(board: Board, position: Position, players: panels.Players, dress: Dress, going_on: str) -> str:
    """The position in words, for those who hear it."""
    say = dress.words
    told = [going_on + "."]
    for seat, name in enumerate(players.names):
        places = ", ".join(_crossings_in(board, position.tokens[seat])) or say["nothing"]
        score, supply = players.scores[seat], players.supply[seat]
        told.append(say["seat"].format(name=name, score=score, supply=supply, places=places))
    laid = [
        f"{building_name(board.kinds[kind], dress)} {'+'.join(board.places[place].triangles)}"
        for place, _, kind in _laid(position)
    ]
    told.append(say["laid"].format(rhombi=", ".join(laid) or say["nothing"]))
    active = [name for index, name in enumerate(board.triangles) if has_bit(position.active, index)]
    told.append(say["activated"].format(triangles=", ".join(active) or say["nothing"]))
    return " ".join(told)
