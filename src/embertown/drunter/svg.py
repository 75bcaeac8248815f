"""Drunter & Drüber as a picture: the crooked town, as one self-contained SVG.

The pieces are symbols with ids that begin with `drunter-`, the same in every drawing, so that several may stand on one
page. Colours are CSS variables (`--dr-text` …) on the class `drunter` with the theme's name; the class `night` beside
them lights the lamps. Only what the position holds is drawn: an objective that is not known lies face down, and so does
every card in a vote under way.

>>> import numpy as np
>>> tiles = {"wall": (12, 12, 6), "road": (6, 6, 3), "river": (6, 6, 3)}
>>> from embertown.drunter.rules import POSITION, UNKNOWN, set_up
>>> rows = [list("W...R"), list("....."), ["T3", ".", "oo", ".", "."], list("....."), list("V...W")]
>>> board = Board(rows, tiles)
>>> position = np.zeros(1, POSITION)[0]
>>> position.objectives[:], position.tiles[:] = UNKNOWN, 2
>>> set_up(board.arrays, position, 2, 0)
>>> picture = draw(board, position, [], names=["Karl", "Ulla"])
>>> picture[:4], picture.count('class="dr-gang"'), "Karl to move" in picture
('<svg', 4, True)
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from embertown.core.drawing import Dress, fitted, number, plain_text, seat_letters, seat_names, tell
from embertown.core.game import Outcome
from embertown.drunter import svg_panels as panels
from embertown.drunter import svg_parts as parts
from embertown.drunter.board import BUILDINGS, DIRECTIONS, KINDS, LENGTHS, NOWHERE, STEPS, Board, Tile
from embertown.drunter.rules import (
    CARDS,
    OBJECTIVES,
    OBJECTIVES_EACH,
    UNKNOWN,
    Phase,
    Position,
    counts_for,
    first_square,
)
from embertown.drunter.svg_panels import Scene
from embertown.drunter.svg_style import DEFAULT_THEME, MORE_RULES, PEN, SIDE, card_id


def draw(
    board: Board,
    position: Position,
    laid: Sequence[Tile],
    *,
    names: Sequence[str] = (),
    theme: str = DEFAULT_THEME,
    night: bool = False,
    marks: Collection[str] = (),
    labels: bool = False,
    width: int | None = None,
    language: str = "en",
    title: str | None = None,
    called: Mapping[str, str] | None = None,
    ended: Outcome | None = None,
) -> str:
    """A position as an SVG.

    `laid` are the tiles in the order of laying; `names` are the players' by seat; `marks` are squares to ring; `labels`
    writes the names of free squares; `width` is in pixels, else the drawing fills what it is put in;
    `title` is the theme's where not given; `called` are the edition's own names, in this language; `ended` is how a
    game ended before its rules ended it.
    """
    shown = seat_names(names, int(position.players))
    dress = Dress.of(PEN, theme, language, called)
    title = dress.title if title is None else title
    scene = Scene(board, position, shown, seat_letters(shown), dress, ended)
    size = panels.WIDTH, panels.sheet_height(board, len(shown))
    going_on = status_of(scene)
    content = [
        PEN.opening(size, dress.theme, night=night, width=width),
        tell(plain_text(title)),
        tell(description(scene, laid, going_on), "desc"),
        symbols(board, theme=theme, night=night),
        _paper(size[1]),
        panels.heading(title, dress.subtitle),
        panels.frame(board),
        _town(scene, laid, marks, labels),
        panels.status(board, going_on),
        panels.plates(scene),
    ]
    return "".join(content) + "</svg>"


def symbols(board: Board, *, theme: str = DEFAULT_THEME, night: bool = False) -> str:  # noqa: ARG001 - as its sister
    """All that drawings refer to, as one `<defs>`: style sheet, patterns, pieces, pictures."""
    dress = Dress.of(PEN, theme)
    pictures = "".join(PEN.art(name) for name in parts.pictures(dress))
    sheet = PEN.style_sheet(dress.theme, night=night, more=MORE_RULES)
    return f"<defs>{sheet}{PEN.common()}{PEN.token_symbols()}{parts.piece_symbols(dress)}{pictures}</defs>"


def _paper(height: float) -> str:
    size = f'width="{number(panels.WIDTH)}" height="{number(height)}"'
    return f'<rect {size} class="dr-f-paper"/><rect {size} filter="url(#drunter-stains)" opacity=".6"/>'


# ---- the town


def _town(scene: Scene, laid: Sequence[Tile], marks: Collection[str], labels: bool) -> str:
    board, dress = scene.board, scene.dress
    (x, y), scale = panels.town_place(board), panels.square_size(board) / SIDE
    tiles = parts.placed(board, laid)
    covered = {square for tile in laid for square in tile.squares}
    layers = [
        parts.meadow(board, dress),
        *_houses(scene, covered),
        *(parts.square_names(board, set(board.squares) - covered - set(board.gangs)) if labels else ()),
        *(parts.card(board, tile) for tile in tiles),
        *(parts.buried(board, square, dress) for square in _lots(board) if square in covered),
        *(parts.passages(board, tile, dress) for tile in tiles),
        *(parts.start(board, corner, dress) for corner in board.gangs),
        *(parts.path_of(board, tile, dress) for tile in tiles),
        *_counted(scene),
        *_gangs(scene, tiles),
        *_proposed(scene, laid),
        parts.marks_on(board, marks),
    ]
    return f'<g transform="translate({number(x)} {number(y)}) scale({scale:.4g})">' + "".join(layers) + "</g>"


def _lots(board: Board) -> list[str]:
    """The squares that something stands on at the start."""
    return [name for name in board.squares if name in board.buildings or name in board.outhouses]


def _houses(scene: Scene, covered: Collection[str]) -> Iterable[str]:
    for square in _lots(scene.board):
        if square not in covered:
            house = parts.building if square in scene.board.buildings else parts.outhouse
            yield house(scene.board, square, scene.dress)


def _gangs(scene: Scene, tiles: Sequence[parts.Placed]) -> Iterable[str]:
    board = scene.board
    ends = parts.ends_of(board, tiles)
    for corner, place in zip(board.gangs, scene.position.gangs, strict=True):
        square, step = ends[corner]
        if place == NOWHERE:
            yield parts.blocked(board, square, step)
        else:
            yield parts.gang(board, corner, board.square_of[int(place)], step, scene.dress)


def _counted(scene: Scene) -> Iterable[str]:
    """In the end, whoever scores a building has their token on it."""
    if scene.phase != Phase.OVER:
        return
    for square, (kind, value) in scene.board.buildings.items():
        seats = [seat for seat in range(len(scene.names)) if _counts(scene, seat, BUILDINGS.index(kind), value)]
        x, y = parts.middle(scene.board, square)
        for turn, seat in enumerate(seats):
            yield PEN.token(seat, scene.letters[seat], (x - 33, y + 33 - turn * 25), 1.1, "dr-scored")


def _counts(scene: Scene, seat: int, kind: int, value: int) -> bool:
    objective = int(scene.position.chosen[seat])
    return objective >= 0 and bool(counts_for(scene.board.arrays, scene.position, objective, kind, value))


# ---- the vote


def proposal_of(board: Board, position: Position) -> Tile | None:
    """The tile under vote."""
    action = int(position.proposal)
    if action == UNKNOWN or position.phase not in (Phase.VOTING, Phase.JEEIIN):
        return None
    rest, length = divmod(action, len(LENGTHS))
    index, direction = divmod(rest, len(DIRECTIONS))
    start, step = int(first_square(position, index, direction)), STEPS[direction]
    squares = tuple(board.square_of[start + step * count] for count in range(length + 1))
    under = tuple(board.square_of[square] for square in range(int(position.gangs[index]) + step, start, step))
    gang = board.gangs[index]
    return Tile(board.kind_of_gang[gang], gang, squares, under)


def _proposed(scene: Scene, laid: Sequence[Tile]) -> Iterable[str]:
    tile = proposal_of(scene.board, scene.position)
    if tile is not None:
        yield parts.ghost(scene.board, parts.placed(scene.board, [*laid, tile])[-1], scene.dress)


# ---- in words


def status_of(scene: Scene) -> str:
    """What is going on, in a line."""
    say, position = scene.dress.words, scene.position
    names = [fitted(name, 330, 31) for name in scene.names]
    lit = say["and"].join(names[seat] for seat in scene.lit)
    tile = proposal_of(scene.board, position)
    if scene.is_over and not scene.lit:
        return say["abandoned"]
    if scene.is_over:
        return say["wins" if len(scene.lit) == 1 else "shared"].format(names=lit)
    if tile is not None and scene.phase == Phase.VOTING:
        return say["voting"].format(tile=_tile_words(scene, tile))
    if scene.phase == Phase.JEEIIN:
        counted = [panels.votes_of(position, seat) for seat in range(len(names))]
        tally = say["tally"].format(yes=sum(yes for yes, _ in counted), no=sum(no for _, no in counted))
        return f"{say['jeeiin'].format(name=lit, card=scene.dress.name('jeeiin'))} ({tally})"
    return say["choosing" if scene.phase == Phase.CHOOSING else "laying"].format(name=lit, names=lit)


def _tile_words(scene: Scene, tile: Tile) -> str:
    first, last = tile.squares[0], tile.squares[-1]
    return f"{scene.dress.name(tile.kind)} {first}" + ("" if first == last else f"–{last}")


def description(scene: Scene, laid: Sequence[Tile], going_on: str) -> str:
    """The position in words, for those who hear it: only what the position holds."""
    say = scene.dress.words
    told = [going_on + "."]
    told += _vote_words(scene)
    told += [_seat_words(scene, seat) for seat in range(len(scene.names))]
    told.append(say["gangs"].format(gangs=", ".join(_gang_words(scene))))
    told.append(say["laid"].format(tiles=", ".join(_tile_words(scene, tile) for tile in laid) or say["nothing"]))
    covered = {square for tile in laid for square in tile.squares}
    standing = [
        f"{scene.dress.name(kind)} {value} {square}"
        for square, (kind, value) in scene.board.buildings.items()
        if square not in covered
    ]
    told.append(say["standing"].format(buildings=", ".join(standing) or say["nothing"]))
    return " ".join(told)


def _vote_words(scene: Scene) -> list[str]:
    say, position = scene.dress.words, scene.position
    tile = proposal_of(scene.board, position)
    if tile is None:
        return []
    told = [say["proposed"].format(name=scene.names[int(position.layer)], tile=_tile_words(scene, tile))]
    voted = [name for seat, name in enumerate(scene.names) if position.votes[seat] != 0]
    if scene.phase == Phase.VOTING:
        return [*told, say["voted"].format(names=", ".join(voted) or say["nothing"])]
    return told + [f"{name}: {_cards_in(scene, int(position.votes[seat]))}." for seat, name in enumerate(scene.names)]


def _seat_words(scene: Scene, seat: int) -> str:
    say, position, name = scene.dress.words, scene.position, scene.names[seat]
    if scene.phase == Phase.OVER:
        real = scene.dress.name(OBJECTIVES[int(position.chosen[seat])]) if position.chosen[seat] >= 0 else say["secret"]
        return say["scored"].format(name=name, score=int(position.scores[seat]), objective=real)
    goals = [int(goal) for goal in position.objectives[seat, : OBJECTIVES_EACH if position.variant else 1]]
    objective = ", ".join(scene.dress.name(OBJECTIVES[goal]) if goal >= 0 else say["secret"] for goal in goals)
    held = [
        f"{int(position.tiles[seat, row, length - 1])}× {scene.dress.name(kind)} {length}"
        for row, kind in enumerate(KINDS)
        for length in LENGTHS
        if position.tiles[seat, row, length - 1]
    ]
    tiles, cards = ", ".join(held) or say["nothing"], _cards_in(scene, int(position.hands[seat]))
    return say["seat"].format(name=name, tiles=tiles, cards=cards, objective=objective)


def _cards_in(scene: Scene, cards: int) -> str:
    named = [scene.dress.name(card_id(card)) for index, card in enumerate(CARDS) if cards >> index & 1]
    return ", ".join(named) or scene.dress.words["nothing"]


def _gang_words(scene: Scene) -> Iterable[str]:
    for corner, place in zip(scene.board.gangs, scene.position.gangs, strict=True):
        where = scene.dress.words["gone"] if place == NOWHERE else scene.board.square_of[int(place)]
        yield f"{scene.dress.name(scene.board.kind_of_gang[corner])} {corner}: {where}"
