"""The empty board and the artwork as plain values, for pages: in the same coordinates, and the same, as in pictures.

The upper left corner of the town is (0, 0), a square's side a hundred units, x to the right, y down (`svg_parts`).

>>> import embertown
>>> geometry = embertown.load("drunter").geometry()
>>> geometry["squares"][0], geometry["gangs"][0]
({'name': 'A1', 'x': 50.0, 'y': 50.0}, {'name': 'A1', 'kind': 'wall'})
>>> geometry["buildings"][0]
{'at': 'G1', 'kind': 'inn', 'value': 1}
"""

from __future__ import annotations

from typing import Any

from embertown.core.artwork import dressed
from embertown.core.drawing import Dress
from embertown.core.locale import DEFAULT_LANGUAGE, LANGUAGES, catalogue
from embertown.drunter import svg
from embertown.drunter import svg_panels as panels
from embertown.drunter import svg_parts as parts
from embertown.drunter.board import KINDS, Board
from embertown.drunter.edition import DrunterEdition
from embertown.drunter.rules import CARDS, JEEIIN, JEEIIN_WORTH, NO, OBJECTIVES, YES
from embertown.drunter.svg_style import DEFAULT_THEME, PEN, SIDE, card_id

_DECIMALS = 1
"""As in pictures."""


def geometry(edition: DrunterEdition) -> dict[str, Any]:
    """Everything that a drawing of the empty board needs."""
    board = edition.layout
    return {
        "game": PEN.game,
        "edition": edition.id,
        "edition_sha256": edition.sha256,
        "title": {language: edition.title(language) for language in LANGUAGES},
        "view_box": _view_box(board),
        "unit": SIDE,
        "width": board.width,
        "height": board.height,
        "squares": [{"name": name, **_middle(board, name)} for name in board.squares],
        "buildings": [{"at": name, "kind": kind, "value": value} for name, (kind, value) in board.buildings.items()],
        "outhouses": [*board.outhouses],
        "gangs": [{"name": name, "kind": board.kind_of_gang[name]} for name in board.gangs],
        "tiles": {kind: [*counts] for kind, counts in board.tiles.items()},
        "bridge": parts.BRIDGE,
        "cards": [_card(index) for index in range(len(CARDS))],
        "objectives": [*OBJECTIVES],
    }


def _middle(board: Board, square: str) -> dict[str, float]:
    x, y = parts.middle(board, square)
    return {"x": x, "y": y}


def _view_box(board: Board) -> list[float]:
    """Left, top, width and height of the town with the frame around it, which holds the names of columns and rows."""
    frame = panels.BAND * SIDE / panels.square_size(board)
    box = -frame, -frame, board.width * SIDE + 2 * frame, board.height * SIDE + 2 * frame
    return [round(value, _DECIMALS) for value in box]


def _card(index: int) -> dict[str, Any]:
    """A vote card: what it counts (D6.2, D6.3), Jeeiin for either side; `piece` is its name in lists of names."""
    either = JEEIIN_WORTH if index == JEEIIN else 0
    card = CARDS[index]
    return {"name": card, "piece": card_id(card), "yes": YES[index] + either, "no": NO[index] + either}


# ---- artwork


def artwork(edition: DrunterEdition, theme: str | None) -> dict[str, Any]:
    """Symbols, colours and names in a theme, and which symbol stands for what."""
    board, name = edition.layout, DEFAULT_THEME if theme is None else theme

    def dress_in(language: str) -> Dress:
        return Dress.of(PEN, name, language, edition.called(language))

    dress = dress_in(DEFAULT_LANGUAGE)
    pictures = {piece: f"{PEN.game}-art-{dress.picture(piece)}" for piece in parts.PICTURED}
    pieces = catalogue(PEN.game, DEFAULT_LANGUAGE)["pieces"]
    return {
        **dressed(PEN, svg.symbols(board, theme=name), dress_in, pieces, pictures),
        "paths": {kind: dress.picture(kind) for kind in KINDS},
        "meadow": parts.meadow(board, dress),
    }
