"""The board in a terminal: a compact coloured picture that loses nothing without colour.

Where things stand: a crossing is its name and a sign (`d4○`), with the player's letter where a token stands
(`d4●K`). Every triangle, free or covered, has its name in the middle of its broad line; a free one has its
symbol in its point. A rhomb's numbers always have a sign, each beside the crossing that it points at (C6.3).

>>> from embertown.cronberg import rules
>>> board = Board(["PG---", "--C----", "-------", "-----"], tokens=4, rhombi={"church": (4, (6, 3, 6, 3))})
>>> position = np.zeros(1, rules.POSITION)[0]
>>> rules.set_up(board.arrays, position, 2, 0)
>>> rules.apply_outcome(position, 0)
>>> rules.place_rhomb(board.arrays, position, rules.TURNS * board.place_index["A4", "A5"])
>>> print("\\n".join(render(board, position).plain.splitlines()[:7]))
a             a1○═════════a2○═════════a3·
              ╱ ♣ ╲  A2   ╱ - ╲+6 A4   +3 ╲
A           ╱  A1   ╲ ‡ ╱  A3   ╲ +3   A5 +6╲
b       b1○─────────b2○─────────b3○─────────b4○
        ╱ - ╲  B2   ╱ ▽ ╲  B4   ╱ - ╲  B6   ╱ - ╲
B     ╱  B1   ╲ - ╱  B3   ╲ - ╱  B5   ╲ - ╱  B7   ╲
c c1○─────────c2○─────────c3○─────────c4○─────────c5○
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from rich.text import Text

from embertown.core.locale import DEFAULT_LANGUAGE
from embertown.core.terminal import (
    FAINT,
    SEAT_STYLES,
    SHAPES,
    TURN,
    WINNER,
    Canvas,
    Cell,
    Player,
    Speech,
    joined,
    printable,
    seated,
)
from embertown.cronberg.board import COAT, GUARD, PARK, PLAIN, Board, Place
from embertown.cronberg.rules import NOTHING, TURNS, Phase, Position
from embertown.cronberg.text import GAME

__all__ = ["SEAT_STYLES", "SHAPES", "legend", "render", "rhomb_line"]

# ---- signs and colours: every sign differs from the others without its colour

OPEN, CLOSED, BARRED = "○", "·", "×"
"""A crossing without a token: one may come (C4), all around is covered, or a guard forbids it (C7.2)."""

SIGNS = {PARK: "♣", GUARD: "‡", COAT: "▽", PLAIN: "-"}
SIGN_STYLES = {PARK: "bold green", GUARD: "bold red", COAT: "bold #B8860B", PLAIN: ""}
ACTIVE_STYLES = {
    PARK: "#000000 on #B9DE9A",
    GUARD: "#000000 on #F2A693",
    COAT: "#000000 on #F2D66B",
    PLAIN: "#000000 on #D0D0D0",
}

LIGHT_BLOCK, DARK_BLOCK = "#F3E3BD", "#4B3832"
BLOCK_STYLES = {1: f"#6B5836 on {LIGHT_BLOCK}", -1: f"#CDBBAE on {DARK_BLOCK}"}
"""A rhomb's ground and the names on it, by the sign of what its numbers make together."""
NUMBER_STYLES = {
    (1, 1): f"bold #000000 on {LIGHT_BLOCK}",
    (1, -1): f"bold #A3150B on {LIGHT_BLOCK}",
    (-1, 1): f"bold #FFD75F on {DARK_BLOCK}",
    (-1, -1): f"bold #FFFFFF on {DARK_BLOCK}",
}
"""A number by its rhomb's sign and its own."""

WALL, STREET, MARGIN, MARKED = "bold", "dim", "bold", "bold reverse"
MINUS = "−"

# ---- measures, in columns and lines

UNIT = 12  # between two crossings of a row
STEP = 3  # between two rows of crossings
PANEL = 78  # the lines below the board
GAP = 2  # between its columns

# ---- the public functions


def render(
    board: Board,
    position: Position,
    *,
    names: Sequence[str] = (),
    marks: Collection[str] = (),
    labels: bool = True,
    language: str = DEFAULT_LANGUAGE,
    called: Mapping[str, str] | None = None,
) -> Text:
    """The board, then the players, the rhomb in hand and the rhombi left.

    `names` are the players' by seat; `marks` are crossings and triangles to point out, such as the last move:
    `>d4●K<`, `>C5<`. Without `labels` only what is marked has its name, besides the letters at the margin. `called`
    are the names of the rhombi in this language; one that has none is called by its id.
    Side 3 fits 80 columns, side 4 fits 101; a narrower terminal needs `console.print(…, no_wrap=True)`.
    """
    speech = _Speech(GAME, language, called=called or {})
    players = seated(int(position.players), names, nameless=speech.words["player"])
    canvas = _Picture(board, position, [player.letter for player in players], frozenset(marks), labels).draw()
    lines = [*canvas.lines(), Text(), *_player_lines(board, position, players, speech)]
    if position.in_hand != NOTHING:
        lines += [Text(), *_hand_lines(board, int(position.in_hand), speech)]
    lines += [Text(), *_left_lines(board, position, speech)]
    return joined(lines)


def rhomb_line(
    board: Board, kind: int, *, language: str = DEFAULT_LANGUAGE, called: Mapping[str, str] | None = None
) -> Text:
    """A kind of rhomb on one line: its name, its numbers and which corners they stand at.

    >>> church, inn = (6, 3, 6, 3), (4, -2, 3, 2)
    >>> board = Board(["PPPPP", "GGGGGGG", "CCCCCCC", "-----"], 4, {"church": (2, church), "inn": (1, inn)})
    >>> print(rhomb_line(board, 0))
    church: sharp +6, blunt +3
    >>> print(rhomb_line(board, 1))
    inn: sharp +4, blunt −2, sharp +3, blunt +2 (clockwise)
    """
    return _told_rhomb("rhomb", board, kind, _Speech(GAME, language, called=called or {}))


def legend(language: str = DEFAULT_LANGUAGE) -> Text:
    """What the signs mean.

    >>> print(legend().plain.splitlines()[0])
    ○ free crossing   · closed: all around is covered   × barred by a guard
    """
    speech = Speech(GAME, language, "legend")
    park, guard, coat = (Text(SIGNS[symbol], SIGN_STYLES[symbol]) for symbol in (PARK, GUARD, COAT))
    active, mark = Text(f"*{SIGNS[PARK]}*", ACTIVE_STYLES[PARK]), Text(">d4<", MARKED)
    return joined(
        [
            speech.tell("crossings", open=OPEN, closed=CLOSED, barred=BARRED),
            speech.tell("tokens", token=Text(f"{SHAPES[0]}K", SEAT_STYLES[0]), mark=mark),
            speech.tell("triangles", park=park, guard=guard, active=active),
            speech.tell("coats", coat=coat, plain=SIGNS[PLAIN]),
            speech.tell("numbers", plus=_chip(6), minus=_chip(-3)),
        ]
    )


@dataclass(frozen=True)
class _Speech(Speech):
    """The words below the board, and what the rhombi are called."""

    called: Mapping[str, str] = field(default_factory=dict)

    def name_of(self, kind: str) -> str:
        """A rhomb's name as it may be shown."""
        return printable(self.called.get(kind) or kind.replace("-", " "))


# ---- the board


@dataclass
class _Picture:
    """One position of one board, being drawn."""

    board: Board
    position: Position
    letters: Sequence[str]
    marks: frozenset[str]
    labels: bool

    def __post_init__(self) -> None:
        rows = 2 * self.board.side
        self.left = 4 if self.board.side < 4 else 2  # side 4 just fits 100 columns
        self.canvas = Canvas(STEP * rows + 1, self.left + UNIT * rows + 3)
        self.laid = list(_laid(self.board, self.position))
        self.rhomb_on = {name: rhomb for rhomb in self.laid for name in rhomb.place.triangles}

    def draw(self) -> Canvas:
        self._draw_margin()
        self._draw_edges()
        for name in self.board.triangles:
            self._draw_triangle(name)
        for rhomb in self.laid:
            self._draw_numbers(rhomb)
        for name in self.board.crossings:
            self._draw_crossing(name)
        return self.canvas

    # where things stand

    def _crossing_cell(self, name: str) -> Cell:
        row, index = ord(name[0]) - ord("a"), int(name[1:]) - 1
        return Cell(STEP * row, self.left + UNIT * index + UNIT // 2 * abs(self.board.side - row))

    def _apex(self, triangle: str) -> str:
        """The corner that has no other in its row."""
        corners = self.board.corners_of[triangle]
        rows = [corner[0] for corner in corners]
        return next(corner for corner in corners if rows.count(corner[0]) == 1)

    def _narrow(self, triangle: str) -> Cell:
        """The middle of the line near the apex: 3 characters fit."""
        apex = self._crossing_cell(self._apex(triangle))
        strip = ord(triangle[0]) - ord("A")
        return Cell(apex.y + 1 if apex.y == STEP * strip else apex.y - 1, apex.x)

    def _broad(self, triangle: str) -> Cell:
        """The middle of the other line: 7 characters fit."""
        narrow = self._narrow(triangle)
        apex = self._crossing_cell(self._apex(triangle))
        return Cell(narrow.y + (narrow.y - apex.y), narrow.x)

    def _number_cell(self, place: Place, crossing: str) -> Cell:
        """Where the number that points at this crossing begins, on a rhomb at this place."""
        owners = [name for name in place.triangles if crossing in self.board.corners_of[name]]
        if len(owners) == 1:
            return self._sharp_cell(owners[0], crossing)
        if owners[0][0] != owners[1][0]:  # the rhomb stands upright: on the row that it straddles
            at = self._crossing_cell(crossing)
            return Cell(at.y, at.x + 3 if at.x < self._narrow(owners[0]).x else at.x - 5)
        tip, other = owners if self._apex(owners[0]) == crossing else owners[::-1]
        narrow = self._narrow(tip)
        return Cell(narrow.y, narrow.x if self._narrow(other).x > narrow.x else narrow.x - 1)

    def _sharp_cell(self, triangle: str, crossing: str) -> Cell:
        if self._apex(triangle) == crossing:
            narrow = self._narrow(triangle)
            return Cell(narrow.y, narrow.x - 1)
        broad = self._broad(triangle)
        return Cell(broad.y, broad.x - 3 if self._crossing_cell(crossing).x < broad.x else broad.x + 2)

    # edges

    def _draw_margin(self) -> None:
        """The letters of the rows and strips that exist."""
        for row in {name[0] for name in self.board.crossings}:
            self.canvas.put(Cell(STEP * (ord(row) - ord("a")), 0), row, MARGIN)
        for strip in {name[0] for name in self.board.triangles}:
            self.canvas.put(Cell(STEP * (ord(strip) - ord("A")) + 2, 0), strip, MARGIN)

    def _draw_edges(self) -> None:
        by_edge: dict[tuple[str, str], list[str]] = {}
        for name, (first, second, third) in self.board.corners_of.items():
            for edge in ((first, second), (first, third), (second, third)):
                by_edge.setdefault(edge, []).append(name)
        for (start, end), beside in by_edge.items():
            self._draw_edge(self._crossing_cell(start), self._crossing_cell(end), beside)

    def _draw_edge(self, start: Cell, end: Cell, beside: Sequence[str]) -> None:
        """The wall, a street, or nothing between the two halves of one rhomb."""
        rhombi = [self.rhomb_on.get(name) for name in beside]
        joined = rhombi[0] if len(rhombi) == 2 and rhombi[0] is rhombi[1] else None
        style = BLOCK_STYLES[joined.sign] if joined else WALL if len(beside) == 1 else STREET
        if start.y == end.y:
            char = " " if joined else "═" if len(beside) == 1 else "─"
            inset = 2 if joined else 1
            self.canvas.put(Cell(start.y, start.x + inset), char * (UNIT + 1 - 2 * inset), style)
            return
        way = 1 if end.x > start.x else -1
        char = " " if joined else "╲" if way > 0 else "╱"
        for line in (1, 2):
            self.canvas.put(Cell(start.y + line, start.x + 2 * way * line), char, style)

    # triangles

    def _draw_triangle(self, name: str) -> None:
        narrow, broad = self._narrow(name), self._broad(name)
        style = self._ground(name)
        self.canvas.put(Cell(narrow.y, narrow.x - 1), self._sign(name), self._sign_style(name))
        self.canvas.put(Cell(broad.y, broad.x - 3), " " * 7, style)
        if self.labels or name in self.marks:
            self._put_name(Cell(broad.y, self._name_start(name)), name, style)

    def _is_active(self, name: str) -> bool:
        return _has(self.position.active, self.board.triangle_index[name])

    def _ground(self, name: str) -> str:
        if name in self.rhomb_on:
            return BLOCK_STYLES[self.rhomb_on[name].sign]
        return ACTIVE_STYLES[self.board.symbol_of[name]] if self._is_active(name) else ""

    def _sign(self, name: str) -> str:
        """The symbol of a free triangle, between stars where it is activated."""
        if name in self.rhomb_on:
            return "   "
        sign = SIGNS[self.board.symbol_of[name]]
        return f"*{sign}*" if self._is_active(name) else f" {sign} "

    def _sign_style(self, name: str) -> str:
        ground = self._ground(name)
        return f"bold {ground}" if ground else SIGN_STYLES[self.board.symbol_of[name]]

    def _name_start(self, name: str) -> int:
        """The column of the name: in the middle, one aside where a number stands beside it."""
        middle = self._broad(name).x
        apex = self._apex(name)
        for corner in self.rhomb_on[name].sharp if name in self.rhomb_on else ():
            if corner in self.board.corners_of[name] and corner != apex:
                return middle if self._crossing_cell(corner).x < middle else middle + 1 - len(name)
        return middle - 1

    def _draw_numbers(self, rhomb: _Laid) -> None:
        for crossing, number in rhomb.numbers.items():
            style = NUMBER_STYLES[rhomb.sign, _sign(number)]
            self.canvas.put(self._number_cell(rhomb.place, crossing), _signed(number), style)

    def _put_name(self, at: Cell, name: str, style: str) -> None:
        marked = name in self.marks
        self.canvas.put(at, name, MARKED if marked else style)
        if marked:
            self.canvas.put(Cell(at.y, at.x - 1), ">", MARKED)
            self.canvas.put(Cell(at.y, at.x + len(name)), "<", MARKED)

    # crossings

    def _draw_crossing(self, name: str) -> None:
        at = self._crossing_cell(name)
        marked = name in self.marks
        sign, style = self._crossing_sign(self.board.crossing_index[name])
        if self.labels or marked:
            plain = FAINT if sign == CLOSED else ""
            self.canvas.put(Cell(at.y, at.x - 2), name, MARKED if marked else plain)
        self.canvas.put(at, sign, style)
        if marked:
            self.canvas.put(Cell(at.y, at.x - 3), ">", MARKED)
            self.canvas.put(Cell(at.y, at.x + len(sign)), "<", MARKED)

    def _crossing_sign(self, index: int) -> tuple[str, str]:
        for seat in range(int(self.position.players)):
            if _has(self.position.tokens[seat], index):
                return SHAPES[seat] + self.letters[seat], SEAT_STYLES[seat]
        if _has(self.position.barred, index):
            return BARRED, SIGN_STYLES[GUARD]
        return (OPEN, "bold") if _has(self.position.open, index) else (CLOSED, FAINT)


@dataclass(frozen=True)
class _Laid:
    """A rhomb on the board: its place and the number that points at each of its crossings."""

    place: Place
    numbers: Mapping[str, int]

    @property
    def sign(self) -> int:
        return _sign(sum(self.numbers.values()))

    @property
    def sharp(self) -> tuple[str, str]:
        return self.place.corners[0], self.place.corners[2]


def _laid(board: Board, position: Position) -> Iterable[_Laid]:
    """The rhombi on the board, as `rules.cover` laid them."""
    for index in range(int(position.placed)):
        place, turn = divmod(int(position.where[index]), TURNS)
        yield _laid_at(board.places[place], board.numbers[int(position.rhombi[index])], turn)


def _laid_at(place: Place, numbers: Sequence[int], turn: int) -> _Laid:
    """A rhomb turned by 180 degrees has its numbers two corners on."""
    turned = [numbers[(corner + 2 * turn) % 4] for corner in range(4)]
    return _Laid(place, dict(zip(place.corners, turned, strict=True)))


def _has(mask: np.uint64, index: int) -> bool:
    return bool(int(mask) >> index & 1)


# ---- the lines below the board


def _player_lines(board: Board, position: Position, players: Sequence[Player], speech: Speech) -> list[Text]:
    """Name, what they do, points and tokens: what matters most comes first, where no narrow terminal cuts it off."""
    doing = [_doing(position, player.seat, speech) for player in players]
    columns = [
        _column(Text(player.name) for player in players),
        _column(Text(words) for words in doing),
        _column(_points(int(position.scores[player.seat]), speech) for player in players),
    ]
    lead = WINNER if position.phase == Phase.OVER else TURN
    lines = []
    for player, words, *cells in zip(players, doing, *columns, strict=True):
        style = "bold" if words else ""
        line = Text.assemble((f"{lead if words else ' '} ", "bold"), player.chip)
        for cell, cell_style in zip(cells, (style, style, ""), strict=True):
            cell.stylize_before(cell_style)
            line.append(" ").append_text(cell)
        supply = int(position.supply[player.seat])
        lines.append(line.append(f"  {speech.say('tokens', supply=supply, tokens=board.tokens)}"))
    return lines


def _column(cells: Iterable[Text]) -> list[Text]:
    """Cells of one width."""
    found = list(cells)
    width = max(cell.cell_len for cell in found)
    return [cell.append(" " * (width - cell.cell_len)) for cell in found]


def _points(score: int, speech: Speech) -> Text:
    number = Text(f"{score:>4}".replace("-", MINUS), "bold")
    return speech.tell("point" if abs(score) == 1 else "points", score=number)


def _doing(position: Position, seat: int, speech: Speech) -> str:
    """What the player does who is to act, or who has won; nothing for others."""
    phase = Phase(int(position.phase))
    best = max(int(score) for score in position.scores[: position.players])
    is_told = position.scores[seat] == best if phase is Phase.OVER else position.seat == seat
    return speech.say(phase.name.lower()) if is_told else ""


_LYING = (
    "      ╱1╲            ╱~4~~~~1╱    ╲1~~~~2~╲",
    "    4~~~~2         ╱3~~~~2~╱        ╲~4~~~~3╲",
    "      ╲3╱      ",
)
"""A rhomb upright, leaning right and leaning left: 1 to 4 are its numbers, ~ is its ground."""


def _hand_lines(board: Board, kind: int, speech: _Speech) -> list[Text]:
    """The rhomb in hand as it may lie; `Place` says which corner is the first."""
    lines = [_lying_line(board.numbers[kind], line) for line in _LYING]
    if board.turning_matters(kind):
        lines[-1].append(f"    {speech.say('turned')}", FAINT)
    else:
        lines[-1].rstrip()
    return [_told_rhomb("hand", board, kind, speech), *lines]


def _told_rhomb(key: str, board: Board, kind: int, speech: _Speech) -> Text:
    name = Text(speech.name_of(board.kinds[kind]), "bold")
    return speech.tell(key, rhomb=name, corners=_corners(board, kind, speech))


def _corners(board: Board, kind: int, speech: Speech) -> Text:
    """The numbers of a kind and which corners they stand at; two of them where the others are the same."""
    told = enumerate(_told_numbers(board, kind))
    line = Text(", ").join(
        speech.tell("blunt" if corner % 2 else "sharp", number=_chip(number)) for corner, number in told
    )
    return speech.tell("clockwise", corners=line) if board.turning_matters(kind) else line


def _told_numbers(board: Board, kind: int) -> Sequence[int]:
    return board.numbers[kind] if board.turning_matters(kind) else board.numbers[kind][:2]


def _lying_line(numbers: Sequence[int], template: str) -> Text:
    line, ground = Text(), _sign(sum(numbers))
    for char in template:
        if char.isdigit():
            line.append_text(_chip(numbers[int(char) - 1], ground))
        elif char == "~":
            line.append(" ", BLOCK_STYLES[ground])
        else:
            line.append(char)
    return line


def _left_lines(board: Board, position: Position, speech: _Speech) -> list[Text]:
    """The rhombi not yet drawn, by kind, in columns."""
    left = int(position.left)
    if left == 0:
        return [Text(speech.say("none-left"))]
    entries = [_left_entry(board, position, kind, speech) for kind in range(len(board.kinds)) if position.bag[kind]]
    one, many = ("unused-last", "unused") if position.phase == Phase.OVER else ("last", "left")
    return [Text(speech.say(one if left == 1 else many, count=left)), *_columns(entries)]


def _left_entry(board: Board, position: Position, kind: int, speech: _Speech) -> Text:
    entry = Text(f"{position.bag[kind]}× " if max(board.counts) > 1 else "")
    entry.append(speech.name_of(board.kinds[kind]))
    for number in _told_numbers(board, kind):
        entry.append(" ").append_text(_chip(number))
    return entry


def _columns(entries: Sequence[Text]) -> list[Text]:
    """Entries in as many equal columns as fit, to be read line by line."""
    width = max(entry.cell_len for entry in entries) + GAP
    across = max(1, (PANEL + GAP) // width)
    lines = []
    for start in range(0, len(entries), across):
        line = Text()
        for entry in entries[start : start + across]:
            line.append_text(entry).append(" " * (width - entry.cell_len))
        line.rstrip()
        lines.append(line)
    return lines


# ---- numbers and text


def _signed(number: int) -> str:
    """A number in two characters, always with a sign.

    >>> _signed(8), _signed(-4)
    ('+8', '−4')
    """
    return f"{'+' if number > 0 else MINUS}{abs(number)}"


def _sign(number: int) -> int:
    return 1 if number >= 0 else -1


def _chip(number: int, ground: int | None = None) -> Text:
    """A number on its rhomb's ground, by default on a ground of its own sign."""
    sign = _sign(number)
    return Text(_signed(number), NUMBER_STYLES[ground or sign, sign])
