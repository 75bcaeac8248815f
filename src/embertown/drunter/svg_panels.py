"""What stands around the town: heading, frame, the players' plates with their tiles and cards.

Everything here is in the sheet's own units: it is `WIDTH` wide.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from string import ascii_uppercase

from embertown.core.drawing import Dress, Vector, fitted, number, rect, size_to_fit, tell, text_width, write
from embertown.core.game import Outcome
from embertown.drunter.board import KINDS, LENGTHS, Board
from embertown.drunter.rules import (
    BUILDING_OBJECTIVES,
    CARDS,
    JEEIIN,
    JEEIIN_WORTH,
    NO,
    OBJECTIVES,
    OBJECTIVES_EACH,
    YES,
    Phase,
    Position,
    is_waiting,
    is_winner,
)
from embertown.drunter.svg_parts import picture
from embertown.drunter.svg_style import PEN, SIDE, card_id

WIDTH = 1000.0
MARGIN = 14.0
BAND = 28.0
"""The frame around the town, with the names of columns and rows."""
TOP = 112.0
PLATE = ((WIDTH - 3 * MARGIN) / 2, 266.0)

_LARGEST_SQUARE, _HIGHEST_TOWN = 104.0, 960.0
_STATUS = 66.0
_CARD = (52.0, 70.0)
_GOAL = (88.0, 100.0)
_GOAL_WRITING = 14.0
_SCORE = 50.0
_WINNER = 46.0  # half a cap's width, and a gap
_TILE = 0.27  # tiles on plates, by those in town


@dataclass(frozen=True, slots=True)
class Scene:
    """What the drawing is of: a position, who plays, in which dress."""

    board: Board
    position: Position
    names: Sequence[str]
    letters: Sequence[str]
    dress: Dress
    ended: Outcome | None = None
    """How the game ended before its rules ended it."""

    @property
    def is_over(self) -> bool:
        """Whether nobody is to act any more."""
        return self.ended is not None or self.phase == Phase.OVER

    @property
    def phase(self) -> int:
        """What the game waits for."""
        return int(self.position.phase)

    @property
    def lit(self) -> list[int]:
        """The seats that light falls on: to act, or when all is over, those who won."""
        seats = range(len(self.names))
        if self.ended is not None:
            return list(self.ended.winners)
        if self.phase == Phase.OVER:
            return [seat for seat in seats if is_winner(self.board.arrays, self.position, seat)]
        return [seat for seat in seats if is_waiting(self.position, seat)]


# ---- the sheet


def square_size(board: Board) -> float:
    """The side of a square on the sheet."""
    room = WIDTH - 2 * MARGIN - 2 * BAND
    return min(room / board.width, _HIGHEST_TOWN / board.height, _LARGEST_SQUARE)


def town_place(board: Board) -> Vector:
    """Where the town's upper left corner lies."""
    return (WIDTH - board.width * square_size(board)) / 2, TOP + BAND


def below(board: Board) -> float:
    """Where the part below the town begins."""
    return TOP + 2 * BAND + board.height * square_size(board)


def sheet_height(board: Board, players: int) -> float:
    """How high the whole drawing is."""
    return below(board) + _STATUS + math.ceil(players / 2) * (PLATE[1] + MARGIN)


def heading(title: str, subtitle: str) -> str:
    """The title above the town."""
    middle = WIDTH / 2
    title, subtitle = fitted(title, 900, 52), fitted(subtitle, 600, 25)
    size = size_to_fit(title, 760, 58)
    aside = 26 + max(text_width(subtitle) * 12.5, text_width(title) * size * 0.6)
    spaced = f' letter-spacing="{number(size * 0.14)}"'
    return (
        write(title, middle + size * 0.07, 56, size, "dr-serif dr-mid dr-f-text", more=spaced)
        + write(subtitle, middle, 92, 25, "dr-serif dr-mid dr-f-faint", more=' font-style="italic"')
        + PEN.use("flourish", middle - aside, 58)
        + f'<g transform="translate({number(middle + aside)} 58) scale(-1 1)">{PEN.use("flourish")}</g>'
    )


def frame(board: Board) -> str:
    """The fence around the town, with letters for columns and numbers for rows on all four sides."""
    (x, y), side = town_place(board), square_size(board)
    wide, high = side * board.width, side * board.height
    around = wide + 2 * BAND, high + 2 * BAND
    parts = [
        rect((x - BAND + 3, y - BAND + 5, *around), 11, 'fill="#140c06" fill-opacity=".3"'),
        rect((x - BAND, y - BAND, *around), 11, 'class="dr-f-fence dr-s-line" stroke-width="2.5"'),
        rect((x - 3, y - 3, wide + 6, high + 6), 3, 'class="dr-n dr-s-line" stroke-width="2.5"'),
    ]
    look = "dr-sans dr-bold dr-mid dr-f-onfence"
    for column in range(board.width):
        at = x + (column + 0.5) * side
        parts += [write(ascii_uppercase[column], at, row, 18, look) for row in (y - 9, y + high + 21.5)]
    for row in range(board.height):
        at = y + (row + 0.5) * side + 6
        parts += [write(str(row + 1), column, at, 18, look) for column in (x - 15, x + wide + 15)]
    return "".join(parts)


def status(board: Board, text: str) -> str:
    """What is going on, below the town."""
    size = size_to_fit(text, WIDTH - 80, 31)
    return write(text, WIDTH / 2, below(board) + 44, size, "dr-serif dr-mid dr-f-text")


# ---- plates


def plates(scene: Scene) -> str:
    """A plate for every player; light falls on whoever is to act, or has won."""
    top, lit = below(scene.board) + _STATUS, scene.lit
    count = len(scene.names)
    parts = []
    for seat in range(count):
        row, column = divmod(_clockwise(seat, count), 2)
        alone = count % 2 and seat == 2
        x = (WIDTH - PLATE[0]) / 2 if alone else MARGIN + column * (PLATE[0] + MARGIN)
        where = f"translate({number(x)} {number(top + row * (PLATE[1] + MARGIN))})"
        parts.append(f'<g class="dr-plate" transform="{where}">{_plate(scene, seat, seat in lit)}</g>')
    return "".join(parts)


def _clockwise(seat: int, count: int) -> int:
    """Seats go around the table: with four, the third sits below the second."""
    return {2: 3, 3: 2}.get(seat, seat) if count == 4 else seat


def _plate(scene: Scene, seat: int, lit: bool) -> str:
    parts = [
        _ground(lit),
        PEN.token(seat, scene.letters[seat], (34, 36), 1.35),
        _name(scene, seat, 250 if scene.phase in (Phase.OVER, Phase.JEEIIN) else 320),
        _corner(scene, seat, lit),
        *_tiles(scene, seat),
        *_goals(scene, seat),
        *_hand(scene, seat),
    ]
    return "".join(parts)


def _ground(lit: bool) -> str:
    halo = rect((-9, -9, PLATE[0] + 18, PLATE[1] + 18), 18, 'class="dr-f-lamp" fill-opacity=".4"') if lit else ""
    edge = 'dr-s-lamp" stroke-width="6"' if lit else 'dr-s-edge" stroke-width="2"'
    line = (
        f'<path d="M14 62H{number(PLATE[0] - 14)}" class="dr-n dr-s-edge" stroke-width="1.5" stroke-dasharray="2 4"/>'
    )
    return halo + rect((0, 0, *PLATE), 11, f'class="dr-f-plate {edge}') + line


def _name(scene: Scene, seat: int, room: float) -> str:
    size = size_to_fit(scene.names[seat], room, 27, 20)
    return write(fitted(scene.names[seat], room, size), 62, 36 + size * 0.34, size, "dr-sans dr-bold dr-f-text")


def _corner(scene: Scene, seat: int, lit: bool) -> str:
    """At a plate's right: the score, a vote, or the light of whoever is to act."""
    right, position = PLATE[0] - 18, scene.position
    if scene.phase == Phase.OVER:
        score = write(
            str(int(position.scores[seat])), right, 52, _SCORE, "dr-serif dr-bold dr-f-text", more=' text-anchor="end"'
        )
        aside = _SCORE * text_width(str(int(position.scores[seat]))) + _WINNER  # clear of the number, however long
        return score + (PEN.use(scene.dress.picture("winner"), right - aside, 32) if lit else "")
    if scene.is_over:
        return PEN.use(scene.dress.picture("winner"), right - 28, 32) if lit else ""
    aside = 120 if scene.phase == Phase.JEEIIN else 20
    light = PEN.use(scene.dress.picture("turn"), right - aside, 33) if lit else ""
    if scene.phase == Phase.VOTING and position.votes[seat] != 0:
        return f'<g class="dr-ballot">{PEN.use("back", right - 24, 33, turn=9, scale=0.8)}</g>'
    return light + (_tally(position, seat, right) if scene.phase == Phase.JEEIIN else "")


def votes_of(position: Position, seat: int) -> tuple[int, int]:
    """A seat's yes and no after the reveal, Jeeiin as it was said."""
    cards = [card for card in range(len(CARDS)) if int(position.votes[seat]) >> card & 1]
    said = int(position.said[seat])
    yes = sum(YES[card] for card in cards) + (JEEIIN_WORTH if said == 1 else 0)
    no = sum(NO[card] for card in cards) + (JEEIIN_WORTH if said == 0 else 0)
    return yes, no


def _tally(position: Position, seat: int, right: float) -> str:
    """A seat's votes after the reveal: how many yes, how many no."""
    parts = []
    for index, (votes, look) in enumerate(zip(votes_of(position, seat), ("yes", "no"), strict=True)):
        x = right - 68 + index * 48
        pale = "" if votes else ' opacity=".35"'
        field = rect((x - 21, 14, 42, 38), 9, f'class="dr-f-{look} dr-s-line" stroke-width="1.8"')
        parts.append(f"<g{pale}>{field}{write(str(votes), x, 43, 29, f'dr-num dr-f-on{look}')}</g>")
    return "".join(parts)


# ---- tiles in front of a player


def _tiles(scene: Scene, seat: int) -> Iterable[str]:
    """A row for each kind of path; tiles that have run out are pale."""
    for row, kind in enumerate(KINDS):
        x, y = 14.0, 87 + row * 32
        for length in LENGTHS:
            count = int(scene.position.tiles[seat, row, length - 1])
            pale = "" if count else ' opacity=".28"'
            where = f"translate({number(x)} {number(y)}) scale({_TILE})"
            said = tell(f"{scene.dress.name(kind)} {length}: {count}")
            yield f'<g{pale}>{said}<g transform="{where}">{_small_tile(kind, length, scene.dress)}</g>'
            x += SIDE * _TILE * length
            yield (write(f"×{count}", x + 3, y + 7, 20, "dr-sans dr-bold dr-f-text") if count else "") + "</g>"
            x += 34


def _small_tile(kind: str, length: int, dress: Dress) -> str:
    path = dress.picture(kind)
    runs = [PEN.use(f"run-{path}", SIDE * square) for square in range(length)]
    return "".join([PEN.use(f"card-{kind}-{length}"), *runs, PEN.use(f"span-{kind}") if length == len(LENGTHS) else ""])


# ---- objectives


def _goals(scene: Scene, seat: int) -> Iterable[str]:
    """The objective cards, face up where they are known; the real one is pinned."""
    position = scene.position
    count = OBJECTIVES_EACH if position.variant else 1
    chosen = int(position.chosen[seat])
    for index in range(count):
        objective = int(position.objectives[seat, index])
        x = PLATE[0] - MARGIN - _GOAL[0] - (count - 1 - index) * (_GOAL[0] + 7)
        where = f"translate({number(x)} 68)"
        pale = ' opacity=".55"' if count > 1 and chosen >= 0 and objective != chosen else ""
        pinned = PEN.use("pin", _GOAL[0] / 2, 5) if count > 1 and objective == chosen >= 0 else ""
        drawn = _goal(scene, objective) if objective >= 0 else PEN.use("goal-back")
        yield f'<g class="dr-goal" transform="{where}"{pale}>{drawn}{pinned}</g>'


def _goal(scene: Scene, objective: int) -> str:
    name = scene.dress.name(OBJECTIVES[objective])
    lines = _goal_lines(name)
    middle, high = _GOAL[0] / 2, 42.0 if len(lines) == 1 else 36.0
    if objective < BUILDING_OBJECTIVES:
        shown = picture(OBJECTIVES[objective], scene.dress, (middle, high), 2 * high - 12)
    else:
        shown = PEN.use(f"goal-{OBJECTIVES[objective]}", middle, high, scale=high / 42)
    size = _goal_size(scene)
    written = [
        write(fitted(line, _GOAL[0], size), middle, 93 - row * 14, size, "dr-sans dr-bold dr-mid dr-f-ongoal")
        for row, line in enumerate(reversed(lines))
    ]
    return "".join([tell(name), PEN.use("goal"), shown, *written])


def _goal_lines(name: str) -> list[str]:
    return in_two(name) if text_width(name) * _GOAL_WRITING > _GOAL[0] - 6 else [name]


def _goal_size(scene: Scene) -> float:
    """The font size that fits every card of the game: all are written alike."""
    cards = OBJECTIVES if scene.position.variant else OBJECTIVES[:BUILDING_OBJECTIVES]
    lines = [line for card in cards for line in _goal_lines(scene.dress.name(card))]
    return min(size_to_fit(line, _GOAL[0] - 6, 17, 11.5) for line in lines)


def in_two(text: str) -> list[str]:
    """A text on two lines of about the same length, where it has a blank.

    >>> in_two("lowest of each kind"), in_two("museum")
    (['lowest of', 'each kind'], ['museum'])
    """
    blanks = [place for place, char in enumerate(text) if char == " "]
    if not blanks:
        return [text]
    best = min(blanks, key=lambda place: abs(place - len(text) / 2))
    return [text[:best], text[best + 1 :]]


# ---- vote cards


def _hand(scene: Scene, seat: int) -> Iterable[str]:
    """All eight vote cards: those held, those discarded (pale), those just revealed (raised into the light)."""
    position = scene.position
    revealed = int(position.votes[seat]) if scene.phase == Phase.JEEIIN else 0
    step = (PLATE[0] - 2 * MARGIN - _CARD[0]) / (len(CARDS) - 1)
    for index, card in enumerate(CARDS):
        played = bool(revealed >> index & 1)
        held = bool(int(position.hands[seat]) >> index & 1)
        where = f"translate({number(MARGIN + index * step)} {number(175 if played else 185)})"
        state = "played" if played else "held" if held else "gone"
        pale = "" if held else ' opacity=".3"'
        light = PEN.use("card-light") if played else ""
        said = _said(position, seat) if played and index == JEEIIN else ""
        drawn = f"{light}{vote_card(scene, card)}{said}{'' if held else PEN.use('struck')}"
        yield f'<g class="dr-card-{state}" data-card="{card_id(card)}" transform="{where}"{pale}>{drawn}</g>'


def _said(position: Position, seat: int) -> str:
    """What Jeeiin was said to count as, on its card."""
    if position.said[seat] < 0:
        return ""
    return PEN.use("face-jaa" if position.said[seat] == 1 else "face-nee", _CARD[0], 8, scale=0.8)


def vote_card(scene: Scene, card: str) -> str:
    """A vote card, face up: its word, its face, and as many dots as it has votes."""
    index, name = CARDS.index(card), scene.dress.name(card_id(card))
    look = "yes" if YES[index] else "no" if NO[index] else "both" if index == JEEIIN else "blank"
    size = size_to_fit(name, _CARD[0] + 3, 17.5, 10)
    written = write(fitted(name, _CARD[0] + 6, size), _CARD[0] / 2, 17, size, f"dr-sans dr-bold dr-mid dr-f-on{look}")
    weight = YES[index] + NO[index] + (JEEIIN_WORTH if index == JEEIIN else 0)
    dots = "".join(
        f'<circle cx="{number(_CARD[0] / 2 + (dot - (weight - 1) / 2) * 9)}" cy="62.5" r="3" class="dr-f-on{look}"/>'
        for dot in range(weight)
    )
    return f"{tell(name)}{PEN.use(f'card-{look}')}{written}{PEN.use(f'face-{card_id(card)}', _CARD[0] / 2, 39)}{dots}"
