"""The board in a terminal: a compact coloured picture that loses nothing without colour.

Every square has three characters. A tile is one patch of wall, road or river; a small arrow in the gap before its start
square says where its path came from. The middle of a bridge is an arrow both ways: the way that leads under it. A gang
stands on its path's end square and is called by the corner that it started from.

>>> from embertown.drunter import rules
>>> tiles = {"wall": (12, 12, 6), "road": (6, 6, 3), "river": (6, 6, 3)}
>>> rows = ["W . . . R", "T3 . . . .", ". . oo . .", ". . . . .", "V . . . W"]
>>> board = Board([row.split() for row in rows], tiles)
>>> position = np.zeros(1, rules.POSITION)[0]
>>> position.tiles[:2] = 1
>>> rules.set_up(board.arrays, position, 2, 0)
>>> rules.apply(board.arrays, position, 0, rules.lay_action(0, 1, 3))
>>> picture = render(board, position, [Tile("wall", "A1", ("B1", "C1", "D1"))], marks=("B1", "C1", "D1"))
>>> print("\\n".join(picture.plain.splitlines()[:9]))
    A   B   C   D   E
      ┌───────────┐
 1 ▓▣▓▸▓▓▓▓)↕(▓▓A1│═E1  1
      └───────────┘
 2  T3  ·   ·   ·   ·   2
<BLANKLINE>
 3  ·   ·   ♥   ·   ·   3
<BLANKLINE>
 4  ·   ·   ·   ·   ·   4
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from rich.cells import set_cell_size
from rich.text import Text

from embertown.core.locale import DEFAULT_LANGUAGE, translate
from embertown.core.terminal import FAINT, TURN, WINNER, Canvas, Cell, Player, Speech, joined, printable, seated
from embertown.drunter import rules
from embertown.drunter.board import (
    BUILDING_LETTERS,
    CORNER_LETTERS,
    KINDS,
    LENGTHS,
    NOWHERE,
    OPEN_GROUND,
    OUTHOUSE,
    Board,
    Tile,
)
from embertown.drunter.consequences import cards_of, covered_by, tile_of, uncovered
from embertown.drunter.rules import BLANK, BRIDGE, CARDS, JEEIIN, NO, OBJECTIVES, UNKNOWN, YES, Phase, Position
from embertown.drunter.text import GAME

# ---- signs and colours: every sign differs from the others without its colour

FILLS = {"wall": ("▓▓▓", "▓▓▓"), "road": ("═══", "║ ║"), "river": ("≈≈≈", "≈≈≈")}
"""A square of a tile that lies across the board, and of one that lies up and down."""
BRIDGES = (")↕(", "(↔)")
"""The middle of a bridge, likewise: the arrow is the way under it (D4.4)."""
ARROWS = {(-1, 0): "▴", (0, 1): "▸", (1, 0): "▾", (0, -1): "◂"}
GROUND, HEART, CORNER, BLOCKED, GHOST, OWN = "·", "♥", "▣", "×", "░", "*"

TILE_COLOURS = {"wall": ("#7B5B4C", "#D8BFB2"), "road": ("#6A5A2C", "#EFE0A8"), "river": ("#1565A8", "#BFE0F7")}
TILE_STYLES = {kind: f"{ink} on {ground}" for kind, (ink, ground) in TILE_COLOURS.items()}
SIGN_STYLES = {kind: f"bold #000000 on {ground}" for kind, (_, ground) in TILE_COLOURS.items()}
"""Bridges and corners."""
BLOCKED_STYLES = {kind: f"bold #B00000 on {ground}" for kind, (_, ground) in TILE_COLOURS.items()}
GANG, ARROW, BUILDING, DANGER, MARGIN = "bold #FFFFFF on #A3123F", "bold", "bold", "bold red", "bold"
HEART_STYLE, OWN_STYLE, MARKED, PROPOSED = "bold magenta", "bold underline", "bold #D55E00", "bold magenta"

SOLID, DASHED = ("─", "│"), ("╌", "╎")
JOINTS = {3: "│", 12: "─", 10: "┌", 6: "┐", 9: "└", 5: "┘", 11: "├", 7: "┤", 14: "┬", 13: "┴", 15: "┼"}
"""Where lines of a frame meet, by the sum of those that do: 1 from above, 2 below, 4 the left, 8 the right."""

# ---- measures, in columns and lines

PITCH, STEP, INNER = 4, 2, 3  # from square to square, across and down; the characters of a square
LEFT, TOP = 3, 2  # where the first square begins
PANEL = 80  # the lines below the board
LONGEST_NAME = 14
LONGEST_PIECE = 24
GAP = "  "


# ---- the public functions


def render(
    board: Board,
    position: Position,
    laid: Sequence[Tile],
    *,
    names: Sequence[str] = (),
    viewer: int | None = None,
    marks: Collection[str] = (),
    language: str = DEFAULT_LANGUAGE,
    called: Mapping[str, str] | None = None,
) -> Text:
    """The board, then the gangs, the players, what is known of objectives, and the vote under way.

    `laid` are the tiles on the board in the order they were laid; `names` are the players' by seat; `marks` are
    squares to frame, such as the last move. Of other seats than `viewer` nothing secret is shown; for None, all that
    the position knows, except the cards of a vote under way. `called` are the edition's own names of pieces and cards
    in this language. 15 columns fit 66 characters, 26 fit 110; a narrower terminal needs
    `console.print(…, no_wrap=True)`.
    """
    speech = _Speech(GAME, language, called=called or {})
    players = seated(int(position.players), names, LONGEST_NAME, speech.words["player"])
    panel = _Panel(board, position, players, viewer, speech)
    picture = _Picture(board, position, laid, frozenset(marks), panel.own_buildings())
    return joined([*picture.draw().lines(), Text(), *panel.lines(picture.ends)])


def legend(language: str = DEFAULT_LANGUAGE) -> Text:
    """What the signs mean.

    >>> print(legend().plain.splitlines()[0])
    T3 town hall, value 3   F fire station   S school   I inn   M museum   C church
    """
    speech, names = Speech(GAME, language, "legend"), _Speech(GAME, language)
    gap = Text("   ")
    across, upright = (Text(bridge, SIGN_STYLES["wall"]) for bridge in BRIDGES)
    bridge = speech.tell("bridge", name=names.name_of("bridge"), across=across, upright=upright)
    kinds = [Text.assemble((fills[0], TILE_STYLES[kind]), f" {names.name_of(kind)}") for kind, fills in FILLS.items()]
    lines = [
        *_wrapped(*_legend_of_buildings(speech, names), gap="   "),
        speech.tell(
            "outhouse",
            heart=Text(HEART, HEART_STYLE),
            name=names.name_of("outhouse"),
            corner=Text(CORNER, SIGN_STYLES["wall"]),
            ground=GROUND,
        ),
        gap.join([*kinds, speech.tell("arrow", arrow=Text("▸", ARROW))]),
        bridge,
        _legend_of_gangs(speech),
        speech.tell(
            "frames",
            last=Text("┌─┐", MARKED),
            proposed=Text(f"┌╌┐ {GHOST}", PROPOSED),
            own=Text(f"{OWN}T3", OWN_STYLE),
        ),
        Text(speech.say("below")),
    ]
    return joined(lines)


def _legend_of_buildings(speech: Speech, names: _Speech) -> tuple[Text, list[Text]]:
    """The first letter with a value, then the others."""
    first, *others = BUILDING_LETTERS.items()
    building = speech.say("building", name=names.name_of(first[1]))
    said = [Text.assemble((letter, BUILDING), f" {names.name_of(kind)}") for letter, kind in others]
    return Text.assemble((f"{first[0]}3", BUILDING), f" {building}"), said


def _legend_of_gangs(speech: Speech) -> Text:
    wall = "▓", TILE_STYLES["wall"]
    gang, blocked = Text.assemble(wall, ("A1", GANG)), Text.assemble(wall, (BLOCKED, BLOCKED_STYLES["wall"]), wall)
    return speech.tell("gang", gang=gang, blocked=blocked)


@dataclass(frozen=True)
class _Speech(Speech):
    """The words below the board, and what pieces and cards are called."""

    called: Mapping[str, str] = field(default_factory=dict)

    def name_of(self, piece: str) -> str:
        """A piece's own name in this edition, else the catalogue's."""
        key = "blank" if piece == CARDS[BLANK] else piece
        own = printable(self.called.get(key, ""), LONGEST_PIECE)
        return own or translate(GAME, f"pieces.{key}", self.language)

    def tile(self, tile: Tile) -> str:
        """A tile as it is typed, by its kind's name."""
        return tile.text.replace(tile.kind, self.name_of(tile.kind), 1)

    def cards(self, hand: int) -> Text:
        """Vote cards by their names."""
        return Text(" ".join(self.name_of(card) for card in cards_of(hand)), "bold")


# ---- the board


@dataclass(frozen=True)
class _Way:
    """A tile and the square that its path came from."""

    tile: Tile
    origin: str

    @property
    def squares(self) -> tuple[str, ...]:
        """From the origin, under bridges, to the tile's start."""
        return (self.origin, *self.tile.under, self.tile.squares[0])

    @property
    def is_upright(self) -> bool:
        """Whether it lies up and down."""
        return self.origin[0] == self.tile.squares[0][0]


def _ways(board: Board, laid: Iterable[Tile], ends: dict[str, str]) -> Iterator[_Way]:
    """The tiles as they were laid; `ends` becomes the end square of each path."""
    ends.update({gang: gang for gang in board.gangs})
    for tile in laid:
        yield _Way(tile, ends[tile.gang])
        ends[tile.gang] = tile.squares[-1]


@dataclass
class _Picture:
    """One position of one board, being drawn."""

    board: Board
    position: Position
    laid: Sequence[Tile]
    marks: frozenset[str]
    own: Collection[str]
    ends: dict[str, str] = field(default_factory=dict)
    """The end square of each gang's path."""

    def __post_init__(self) -> None:
        self.canvas = Canvas(STEP * self.board.height + TOP + 1, PITCH * self.board.width + LEFT + 3)
        self.ways = list(_ways(self.board, self.laid, self.ends))
        self.upright = {square: way.is_upright for way in self.ways for square in way.tile.squares}

    def draw(self) -> Canvas:
        self._draw_margin()
        for name in self.board.squares:
            self._draw_ground(name)
        for way in self.ways:
            self._draw_tile(way)
        for gang in self.board.gangs:
            self._draw_gang(gang)
        self._draw_frame(self.marks, SOLID, MARKED)
        for way in self.ways:
            self._draw_arrows(way, ARROW)
        if self.position.proposal != UNKNOWN:
            self._draw_ghost(tile_of(self.board, self.position, int(self.position.proposal)))
        return self.canvas

    # where things stand

    def _cell(self, name: str) -> Cell:
        row, column = _row_and_column(name)
        return Cell(TOP + STEP * row, LEFT + PITCH * column)

    def _gap(self, first: str, second: str) -> Cell:
        """The middle of the gap between two squares side by side."""
        one, other = self._cell(first), self._cell(second)
        if one.y == other.y:
            return Cell(one.y, max(one.x, other.x) - 1)
        return Cell(max(one.y, other.y) - 1, one.x + 1)

    # what stands there

    def _draw_margin(self) -> None:
        """Letters above and below, numbers left and right."""
        bottom, right = STEP * self.board.height + TOP, PITCH * self.board.width + LEFT + 1
        for name in self.board.squares:
            at = self._cell(name)
            self.canvas.put(Cell(0, at.x + 1), name[0], MARGIN)
            self.canvas.put(Cell(bottom, at.x + 1), name[0], MARGIN)
            self.canvas.put(Cell(at.y, 0), f"{name[1:]:>2}", MARGIN)
            self.canvas.put(Cell(at.y, right), name[1:], MARGIN)

    def _draw_ground(self, name: str) -> None:
        at, cell = self._cell(name), self.board.cell_of[name]
        if cell == OPEN_GROUND:
            self.canvas.put(Cell(at.y, at.x + 1), GROUND, FAINT)
        elif cell == OUTHOUSE:
            self.canvas.put(Cell(at.y, at.x + 1), HEART, HEART_STYLE)
        elif name in self.own:
            self.canvas.put(at, OWN + cell, OWN_STYLE)
        elif name in self.board.buildings:
            self.canvas.put(Cell(at.y, at.x + 1), cell, BUILDING)
        else:
            kind = CORNER_LETTERS[cell]
            self.canvas.put(at, FILLS[kind][0], TILE_STYLES[kind])
            self.canvas.put(Cell(at.y, at.x + 1), CORNER, SIGN_STYLES[kind])

    def _draw_tile(self, way: _Way) -> None:
        tile, style = way.tile, TILE_STYLES[way.tile.kind]
        fill = FILLS[tile.kind][way.is_upright]
        for name in tile.squares:
            self.canvas.put(self._cell(name), fill, style)
        self._fill_gaps(tile, fill, style)
        if len(tile.squares) == BRIDGE:
            self.canvas.put(self._cell(tile.squares[1]), BRIDGES[way.is_upright], SIGN_STYLES[tile.kind])

    def _fill_gaps(self, tile: Tile, fill: str, style: str) -> None:
        """Join the squares of a tile."""
        for first, second in pairwise(tile.squares):
            at = self._gap(first, second)
            if first[0] == second[0]:
                self.canvas.put(Cell(at.y, at.x - 1), fill, style)
            else:
                self.canvas.put(at, fill[0], style)

    def _draw_arrows(self, way: _Way, style: str) -> None:
        for first, second in pairwise(way.squares):
            one, other = self._cell(first), self._cell(second)
            step = int(np.sign(other.y - one.y)), int(np.sign(other.x - one.x))
            self.canvas.put(self._gap(first, second), ARROWS[step], style)

    def _draw_gang(self, gang: str) -> None:
        """The gang on its end square, or a sign that its path is blocked (D4.6)."""
        at, kind = self._cell(self.ends[gang]), self.board.kind_of_gang[gang]
        upright = self.upright.get(self.ends[gang], False)
        self.canvas.put(at, FILLS[kind][upright], TILE_STYLES[kind])
        if self.position.gangs[self.board.gangs.index(gang)] == NOWHERE:
            self.canvas.put(Cell(at.y, at.x + 1), BLOCKED, BLOCKED_STYLES[kind])
        else:
            self.canvas.put(Cell(at.y, at.x + INNER - len(gang)), gang, GANG)

    def _draw_ghost(self, tile: Tile) -> None:
        """A tile under vote: what it would cover stays to be seen."""
        for name in tile.squares:
            at = self._cell(name)
            for x in range(at.x, at.x + INNER):
                if self.canvas.chars[at.y][x] == " ":
                    self.canvas.put(Cell(at.y, x), GHOST, PROPOSED)
        self._fill_gaps(tile, GHOST * INNER, PROPOSED)
        self._draw_frame(tile.squares, DASHED, PROPOSED)
        self._draw_arrows(_Way(tile, self.ends[tile.gang]), PROPOSED)

    # frames

    def _draw_frame(self, names: Collection[str], lines: tuple[str, str], style: str) -> None:
        """A line around squares, in the gaps."""
        across, down = lines
        known = [_row_and_column(name) for name in names if name in self.board.number_of]
        sides = _sides(known)
        for row, column, is_level in sides:
            at = Cell(TOP + STEP * row, LEFT + PITCH * column)
            if is_level:
                self.canvas.put(Cell(at.y - 1, at.x), across * INNER, style)
            else:
                self.canvas.put(Cell(at.y, at.x - 1), down, style)
        for row in range(self.board.height + 1):
            for column in range(self.board.width + 1):
                joint = JOINTS.get(_joint(sides, row, column))
                if joint:
                    self.canvas.put(Cell(TOP + STEP * row - 1, LEFT + PITCH * column - 1), joint, style)


def _sides(squares: Iterable[tuple[int, int]]) -> set[tuple[int, int, bool]]:
    """The sides around squares but not between them: the upper (True) or left (False) side of a row and column.

    >>> sorted(_sides([(0, 0)]))
    [(0, 0, False), (0, 0, True), (0, 1, False), (1, 0, True)]
    """
    sides: set[tuple[int, int, bool]] = set()
    for row, column in squares:
        sides ^= {(row, column, True), (row + 1, column, True), (row, column, False), (row, column + 1, False)}
    return sides


def _joint(sides: Collection[tuple[int, int, bool]], row: int, column: int) -> int:
    """Which sides meet at the upper left corner of a square, as in `JOINTS`."""
    around = ((row - 1, column, False), (row, column, False), (row, column - 1, True), (row, column, True))
    return sum(1 << bit for bit, side in enumerate(around) if side in sides)


def _row_and_column(name: str) -> tuple[int, int]:
    return int(name[1:]) - 1, ord(name[0]) - ord("A")


# ---- the lines below the board


@dataclass(frozen=True)
class _Panel:
    """What is said below the board."""

    board: Board
    position: Position
    players: Sequence[Player]
    viewer: int | None
    speech: _Speech

    def lines(self, ends: Mapping[str, str]) -> list[Text]:
        players = [self._player_line(player) for player in self.players]
        return [
            *self._gang_lines(ends),
            Text(),
            self._heading(),
            *players,
            *self._objective_lines(),
            *self._vote_lines(),
        ]

    # gangs and players

    def _gang_lines(self, ends: Mapping[str, str]) -> list[Text]:
        entries = [self._gang_entry(gang, ends[gang]) for gang in self.board.gangs]
        return _wrapped(Text(self.speech.say("gangs")), entries)

    def _gang_entry(self, gang: str, end: str) -> Text:
        kind = self.board.kind_of_gang[gang]
        blocked = self.position.gangs[self.board.gangs.index(gang)] == NOWHERE
        return self.speech.tell(
            "blocked" if blocked else "gang",
            gang=Text(gang, GANG),
            sign=Text(FILLS[kind][0][0], TILE_STYLES[kind]),
            kind=self.speech.name_of(kind),
            cross=Text(BLOCKED, DANGER),
            square=end,
        )

    def _heading(self) -> Text:
        """A picture of each tile above how many there are."""
        line = Text(" " * (self._name_width() + self._status_width() + 5))
        for kind in KINDS:
            line.append(" ")
            for length, width in self._tile_widths():
                line.append(" " * (width - length)).append(FILLS[kind][0][0] * length, TILE_STYLES[kind])
        return line if self.position.no_votes else line.append("   ja  ne  ? ±2")

    def _name_width(self) -> int:
        return max(Text(player.name).cell_len for player in self.players)

    def _status_width(self) -> int:
        """What somebody does stands beside the name, where no narrow terminal cuts it off; with a blank before it."""
        widest = max(Text(self._status(player.seat)).cell_len for player in self.players)
        return widest + 1 if widest else 0

    def _tile_widths(self) -> list[tuple[int, int]]:
        """Each length and its column's width."""
        widest = [max(len(str(count)) for count in self.position.tiles[:, :, length - 1].flat) for length in LENGTHS]
        return [
            (length, max(length, digits) + 1 + (length == 1)) for length, digits in zip(LENGTHS, widest, strict=True)
        ]

    def _player_line(self, player: Player) -> Text:
        lead = self._lead(player.seat)
        name = set_cell_size(player.name, self._name_width())
        status = set_cell_size(f" {self._status(player.seat)}", self._status_width())
        line = Text.assemble((f"{lead} ", "bold"), player.chip, (f" {name}{status}", "bold" if lead.strip() else ""))
        for counts in self.position.tiles[player.seat]:
            line.append(" ")
            for count, (_, width) in zip(counts, self._tile_widths(), strict=True):
                line.append(f"{count or '·':>{width}}", "" if count else FAINT)
        if not self.position.no_votes:
            line.append(f"   {_hand(int(self.position.hands[player.seat]))}")
        line.rstrip()
        return line

    def _lead(self, seat: int) -> str:
        if self.position.phase == Phase.OVER:
            return WINNER if rules.is_winner(self.board.arrays, self.position, seat) else " "
        return TURN if rules.is_waiting(self.position, seat) else " "

    def _status(self, seat: int) -> str:
        """What a player has to do or has done, or their score."""
        phase = Phase(int(self.position.phase))
        if phase == Phase.OVER:
            score = int(self.position.scores[seat])
            return self.speech.say("point" if score == 1 else "points", score=f"{score:>2}")
        if rules.is_waiting(self.position, seat):
            return self.speech.say(_DUE[phase])
        return self.speech.say("voted") if phase == Phase.VOTING else ""

    # objectives

    def _known(self, seat: int) -> list[int]:
        """The objectives of a seat that may be shown, the real one first."""
        if self.viewer not in {None, seat} and self.position.phase != Phase.OVER:
            return []
        cards = [int(card) for card in self.position.objectives[seat] if card >= 0]
        return sorted(cards, key=lambda card: card != self.position.chosen[seat])

    def _is_settled(self, seat: int) -> bool:
        return bool(self.position.chosen[seat] >= 0)

    def own_buildings(self) -> set[str]:
        """The buildings that count for the viewer."""
        if self.viewer is None:
            return set()
        cards = self._known(self.viewer)
        cards = cards[:1] if self._is_settled(self.viewer) else cards
        return {name for card in cards for name in uncovered(self.board, self.position, card)}

    def _objective_lines(self) -> list[Text]:
        lines = []
        for player in self.players:
            known = self._known(player.seat)
            if known:
                full = self._objectives_of(player, known, labels=True)
                lines += full if len(full) == 1 else self._objectives_of(player, known, labels=False)
        return [Text(), *lines] if lines else []

    def _objectives_of(self, player: Player, known: Sequence[int], *, labels: bool) -> list[Text]:
        """What a player's cards are worth, on one line where they fit."""
        settled = self._is_settled(player.seat)
        head, entries = Text.assemble("  ", player.chip), []
        if player.seat == self.viewer:
            head.append(f" {self.speech.say('objective' if settled or len(known) == 1 else 'objectives')}")
        for index, card in enumerate(known):
            name = Text(self.speech.name_of(OBJECTIVES[card]), "" if index and settled else "bold")
            entry = name.append(self._worth(card, labels=labels), "not bold")
            entries.append(self.speech.tell("tie" if settled else "or", objective=entry) if index else entry)
        if settled and len(entries) > 1:
            entries[0].append(";", "not bold")
        if self.position.phase != Phase.OVER:
            entries[-1].append(f" {self.speech.say('now')}", "not bold")
        return _wrapped(head, entries, gap=" ")

    def _worth(self, card: int, *, labels: bool) -> str:
        names = uncovered(self.board, self.position, card) if labels else ()
        buildings = "".join(f" {cell}" for cell in sorted(self.board.cell_of[name] for name in names))
        return f"{buildings} = {rules.points_of(self.board.arrays, self.position, card)}"

    # the vote

    def _vote_lines(self) -> list[Text]:
        if self.position.proposal == UNKNOWN:
            return []
        after = self._cards_lines() if self.position.phase == Phase.JEEIIN else self._voted_lines()
        return [Text(), *self._proposal_lines(), *after]

    def _proposal_lines(self) -> list[Text]:
        tile = tile_of(self.board, self.position, int(self.position.proposal))
        proposer = self.players[int(self.position.layer)]
        name = Text.assemble(proposer.chip, f" {proposer.name}")
        head = self.speech.tell("proposes", name=name, tile=Text(self.speech.tile(tile), "bold"))
        *others, last = [self._covered_entry(name) for name in covered_by(self.board, tile)]
        return _wrapped(head, [*(entry.append(",") for entry in others), last], gap=" ")

    def _covered_entry(self, name: str) -> Text:
        cell = self.board.cell_of[name]
        sign = Text(HEART, HEART_STYLE) if cell == OUTHOUSE else Text(cell, BUILDING)
        return self.speech.tell("covered", sign=sign, square=name)

    def _voted_lines(self) -> list[Text]:
        """Who has voted, never what; only the viewer's own cards are shown."""
        voted = [player for player in self.players if self.position.votes[player.seat]]
        waiting = [player for player in self.players if not self.position.votes[player.seat]]
        own = 0 if self.viewer is None else int(self.position.votes[self.viewer])
        entries = [
            self.speech.tell(key, chips=_chips(players))
            for key, players in (("have-voted", voted), ("have-to-vote", waiting))
            if players
        ]
        entries += [self.speech.tell("your-cards", cards=self.speech.cards(own))] if own else []
        return _wrapped(entries[0], entries[1:])

    def _cards_lines(self) -> list[Text]:
        """After the reveal: everybody's cards, the count so far, and who says what Jeeiin is (D6.2)."""
        yes, no = rules.yes_votes(self.position), rules.no_votes(self.position)
        due = self.players[rules.next_to_say(self.position)]
        return [
            *_wrapped(Text(self.speech.say("cards")), [self._cards_entry(player) for player in self.players]),
            self.speech.tell(
                "says", yes=str(yes), no=str(no), chip=Text(*due.chip), card=self.speech.name_of(CARDS[JEEIIN])
            ),
        ]

    def _cards_entry(self, player: Player) -> Text:
        votes, said = int(self.position.votes[player.seat]), int(self.position.said[player.seat])
        entry = Text.assemble(player.chip, " ", self.speech.cards(votes))
        if votes >> JEEIIN & 1:
            entry.append(f" ({'?' if said == UNKNOWN else self.speech.say('yes' if said else 'no')})")
        return entry


_DUE = {Phase.LAYING: "lay", Phase.VOTING: "vote", Phase.JEEIIN: "say", Phase.CHOOSING: "choose"}


def _hand(hand: int) -> str:
    """The vote cards held: those of ja and ne by their votes, the blank one, Jeeiin.

    >>> _hand(rules.ALL_CARDS), _hand(0b01010101)
    ('123 123 ? ±2', '1·3 ·2· ? · ')
    """
    yes, no = (
        "".join(str(worth) if hand >> card & 1 else "·" for card, worth in enumerate(worths) if worth)
        for worths in (YES, NO)
    )
    return f"{yes} {no} {'?' if hand >> BLANK & 1 else '·'} {'±2' if hand >> JEEIIN & 1 else '· '}"


def _chips(players: Iterable[Player]) -> Text:
    return Text(" ").join(Text(*player.chip) for player in players)


def _wrapped(head: Text, entries: Iterable[Text], gap: str = GAP) -> list[Text]:
    """Entries after a word, on as many lines as they need."""
    lines = [head]
    for entry in entries:
        if lines[-1].cell_len + len(gap) + entry.cell_len > PANEL:
            lines.append(Text())
        lines[-1].append(gap).append_text(entry)
    return lines
