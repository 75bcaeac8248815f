"""The terminal board is read back from its plain text, by the rules that its docstring gives to people."""

import io
import re
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

import embertown.cronberg
from embertown.core.jit import has_bit
from embertown.core.locale import LANGUAGES
from embertown.core.terminal import printable
from embertown.cronberg import playout, rules
from embertown.cronberg.board import Board
from embertown.cronberg.rules import Phase, Position
from embertown.cronberg.terminal import SHAPES, SIGNS, legend, render, rhomb_line
from tests.strategies import cronberg_editions

EDITIONS = Path(embertown.cronberg.__file__).parent / "editions"
NAMES = ("Karl", "Ulla", "Gerd", "Anne")
CROSSING = re.compile(r"(?<=[ ─═>])([a-i]\d)([○·×●■▲◆])([A-Z]?)")
TRIANGLE = re.compile(r"[A-H]\d+")
NUMBER = re.compile(r"[+−]\d")
PLAYERS = re.compile(r"\n\n(?=[ ►★] ●)")  # the lines of the players begin here


def board_of(edition: dict[str, Any]) -> Board:
    rhombi = {name: (rhomb.get("count", 1), rhomb["numbers"]) for name, rhomb in edition["rhombi"].items()}
    return Board(edition["board"]["triangles"], edition["board"]["tokens"], rhombi)


def shipped(name: str) -> Board:
    return board_of(tomllib.loads((EDITIONS / f"{name}.toml").read_text(encoding="utf-8")))


def start(board: Board, players: int) -> Position:
    position: Position = np.zeros(1, rules.POSITION)[0]
    rules.set_up(board.arrays, position, players, 0)
    return position


def played(board: Board, players: int, turns: int, seed: int, *, drawn: bool = False) -> Position:
    """So many turns at random, then a rhomb in hand if wanted and possible."""
    position, state = start(board, players), np.uint64(seed)
    for _ in range(turns):
        if position.phase == Phase.OVER:
            return position
        state = np.uint64(playout.play_random_turn(board.arrays, position, state))
    if drawn and position.phase == Phase.CHOICE and rules.can_draw(position):
        rules.apply(board.arrays, position, rules.DRAW)
        rules.apply_outcome(position, playout.random_outcome(board.arrays, position, state))
    return position


class Read:
    """What a person finds on the board: names, signs and numbers, each with its line and column."""

    def __init__(self, plain: str) -> None:
        self.lines = PLAYERS.split(plain)[0].splitlines()
        self.crossings: dict[str, tuple[int, int]] = {}
        self.signs: dict[str, str] = {}
        self.triangles: dict[str, tuple[int, int]] = {}
        self.numbers: dict[tuple[int, int], int] = {}
        for y, line in enumerate(self.lines):
            self._read_line(y, line)

    def _read_line(self, y: int, line: str) -> None:
        for match in CROSSING.finditer(" " + line):
            name, sign, letter = match.groups()
            assert name not in self.crossings
            self.crossings[name] = y, match.start(2) - 1
            self.signs[name] = sign + letter
        for match in TRIANGLE.finditer(line):
            if match.start() and line[match.start() - 1] not in SHAPES:
                assert match[0] not in self.triangles
                self.triangles[match[0]] = y, match.start()
        for match in NUMBER.finditer(line):
            self.numbers[y, match.start()] = int(match[0].replace("−", "-"))

    def pointing_at(self, crossing: str) -> list[int]:
        """The numbers within a line and five columns of a crossing."""
        y, x = self.crossings[crossing]
        return [n for (line, at), n in self.numbers.items() if abs(line - y) <= 1 and -5 <= at - x <= 4]

    def on(self, first: str, second: str) -> list[int]:
        """The numbers between the streets around two triangles that a rhomb covers."""
        if first[0] == second[0]:
            return [n for name in (first, second) for n in self._in_segment(*self.triangles[name])]
        y, x = self.triangles[first]
        around = range(y - 1, y + 4)
        return [n for (line, at), n in self.numbers.items() if line in around and -2 <= at - x <= 3]

    def _in_segment(self, y: int, x: int) -> list[int]:
        edges = [at for at, char in enumerate(self.lines[y]) if char in "╱╲"]
        low, high = max(at for at in edges if at < x), min(at for at in edges if at > x)
        return [n for (line, at), n in self.numbers.items() if line == y and low < at < high]


def check(board: Board, position: Position, marks: tuple[str, ...] = ()) -> None:
    """Everything that the position says can be read back."""
    text = render(board, position, names=NAMES, marks=marks)
    read = Read(text.plain)
    assert set(read.crossings) == set(board.crossings)
    assert set(read.triangles) == set(board.triangles)
    check_signs(board, position, read)
    check_numbers(board, position, read)
    assert max(map(cell_len, text.plain.splitlines())) <= (80 if board.side < 4 else 101)


def check_signs(board: Board, position: Position, read: Read) -> None:
    letters = NAMES if len({name[0] for name in NAMES[: position.players]}) == position.players else "ABCD"
    for index, name in enumerate(board.crossings):
        expected = "○" if has_bit(position.open, index) else "·"
        if has_bit(position.barred, index):
            expected = "×"
        for seat in range(position.players):
            if has_bit(position.tokens[seat], index):
                expected = SHAPES[seat] + letters[seat][0]
        assert read.signs[name] == expected, name


def check_numbers(board: Board, position: Position, read: Read) -> None:
    assert len(read.numbers) == 4 * position.placed
    for index, name in enumerate(board.crossings):
        numbers = read.pointing_at(name)
        assert sum(numbers) == position.sums[index], name
        assert sum(map(abs, numbers)) == position.sizes[index], name
    for kind, where in zip(position.rhombi[: position.placed], position.where, strict=False):
        triangles = board.places[where // rules.TURNS].triangles
        assert Counter(read.on(*triangles)) == Counter(board.numbers[kind]), triangles


def check_symbols(board: Board, position: Position) -> None:
    """Free triangles have their symbol in their point, between stars where they are activated."""
    plain = "\n".join(Read(render(board, position, names=NAMES).plain).lines)
    for symbol, sign in SIGNS.items():
        free, active = Counter[bool](), Counter[bool]()
        for index, name in enumerate(board.triangles):
            mine = board.symbol_of[name] == symbol and has_bit(position.free, index)
            active[mine and has_bit(position.active, index)] += 1
            free[mine] += 1
        assert plain.count(f"*{sign}*") == active[True]
        assert plain.count(f" {sign} ") == free[True] - active[True]


# ---- the shipped editions


@pytest.mark.parametrize("edition", ["cronberg-1726", "cronberg-quarters"])
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("turns", [0, 1, 15, 30, 500])
def test_everything_can_be_read_back(edition: str, players: int, turns: int) -> None:
    board = shipped(edition)
    position = played(board, players, turns, seed=turns + players)
    check(board, position)
    check_symbols(board, position)


def test_marks_hide_nothing() -> None:
    board = shipped("cronberg-quarters")
    for turns in (0, 20, 500):
        check(board, played(board, 4, turns, seed=3), (*board.crossings, *board.triangles))


def test_marks_are_seen_without_colour() -> None:
    board = shipped("cronberg-1726")
    plain = render(board, start(board, 2), marks=("d4", "C5", "no-such-place")).plain
    assert ">d4○<" in plain
    assert ">C5<" in plain
    assert plain.count(">") == plain.count("<") == 2


def test_without_labels_only_what_is_marked_has_a_name() -> None:
    board = shipped("cronberg-1726")
    position = played(board, 2, 20, seed=5)
    bare = render(board, position, labels=False, marks=("d4", "C5")).plain.split("\n\n")[0]
    labelled = render(board, position).plain.split("\n\n")[0]
    assert re.findall(r"[a-g]\d", bare) == ["d4"]
    assert re.findall(r"[A-G]\d", bare) == ["C5"]
    assert NUMBER.findall(bare) == NUMBER.findall(labelled)
    assert "".join(line[0] for line in bare.splitlines()).replace(" ", "") == "aAbBcCdDeEfFg"


def test_side_3_fits_a_terminal() -> None:
    board = shipped("cronberg-1726")
    for turns in range(0, 60, 7):
        lines = render(board, played(board, 4, turns, seed=turns, drawn=True), names=["W" * 99] * 4).plain.splitlines()
        assert len(lines) <= 34
        assert max(map(cell_len, lines)) <= 80


# ---- the lines below the board


def below(board: Board, position: Position, *names: str) -> str:
    return render(board, position, names=names).plain.split("\n\n", 1)[1]


def test_players_and_whose_turn_it_is() -> None:
    board = shipped("cronberg-1726")
    position = start(board, 2)
    rules.apply(board.arrays, position, 0)
    position.scores[1] = -7
    assert below(board, position, "Karl", "Ulla").splitlines()[:2] == [
        "  ●K Karl            0 points  3 of 4 tokens left",
        "► ■U Ulla to move   −7 points  4 of 4 tokens left",
    ]


def test_winners_have_a_star() -> None:
    board = shipped("cronberg-1726")
    position = played(board, 3, 500, seed=1)
    position.scores[:3] = 4, 9, 9
    lines = below(board, position, *NAMES[:3]).splitlines()[:3]
    assert [line[0] for line in lines] == [" ", "★", "★"]
    assert ["wins" in line for line in lines] == [False, True, True]
    assert "►" not in below(board, position)


def test_names_are_shown_safely() -> None:
    board = shipped("cronberg-1726")
    text = below(board, start(board, 4), "a\nb\x1b[31m", "[bold]x", "", "市長")
    assert "ab[31m" in text
    assert "[bold]x" in text
    assert "▲C Player C" in text
    assert "\x1b" not in text


def test_the_rhomb_in_hand_is_drawn_as_it_may_lie() -> None:
    """The three pictures have the numbers where a rhomb that is not turned gets them."""
    board = shipped("cronberg-quarters")
    position = start(board, 2)
    kind = board.kind_index["courthouse"]
    rules.apply(board.arrays, position, rules.DRAW)
    rules.apply_outcome(position, kind)
    hand = below(board, position).split("\n\n")[1].splitlines()
    assert hand[0] == "In hand: courthouse: sharp +6, blunt −2, sharp +4, blunt +3 (clockwise)"
    drawn = [NUMBER.findall(line) for line in hand[1:]]
    upright, right, left = (("C5", "D5"), ("A1", "A2"), ("A2", "A3"))
    for place, picture in (
        (upright, [drawn[0][:1], drawn[1][:2], drawn[2]]),
        (right, [drawn[0][1:3], drawn[1][2:4]]),
        (left, [drawn[0][3:], drawn[1][4:]]),
    ):
        corners = board.places[board.place_index[place]].corners
        numbers = dict(zip(corners, board.numbers[kind], strict=True))
        rows = [
            [f"{numbers[name]:+}".replace("-", "−") for name in sorted(corners) if name[0] == row] for row in "abcde"
        ]
        assert [row for row in rows if row] == picture


def test_rhombi_left_are_listed_by_kind() -> None:
    board = shipped("cronberg-1726")
    position = played(board, 2, 25, seed=8)
    text = below(board, position)
    assert f"Left to draw: {position.left} rhombi" in text
    for kind, name in enumerate(board.kinds):
        sharp, blunt = (f"{n:+}".replace("-", "−") for n in board.numbers[kind][:2])
        entry = f"{position.bag[kind]}× {name.replace('-', ' ')} {sharp} {blunt}"
        assert (entry in text) == (position.bag[kind] > 0)


def test_no_rhomb_left() -> None:
    board = Board(["P-PPP", "GGGGGGG", "CCCCCCC", "-----"], 1, {"inn": (1, (1, 2, 3, 4))})
    assert "No rhomb is left to draw." in below(board, played(board, 2, 500, seed=1))


# ---- languages and narrow terminals


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("de", ["ist am Zug", "3 von 4 Figuren übrig", "0 Punkte", "Noch zu ziehen: 28 Rauten", "Rathaus"]),
        ("fr", ["à jouer", "pions : 3 sur 4", "0 points", "À piocher : 28 losanges", "Rathaus"]),
        ("xx", ["to move", "3 of 4 tokens left", "0 points", "Left to draw: 28 rhombi", "Rathaus"]),
    ],
)
def test_words_are_in_the_language_and_rhombi_as_they_are_called(language: str, said: list[str]) -> None:
    board = shipped("cronberg-1726")
    position = start(board, 2)
    rules.apply(board.arrays, position, 0)
    plain = render(board, position, language=language, called={"city-hall": "Rathaus"}).plain
    assert [words for words in said if words not in plain] == []
    assert "city hall" not in plain


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_matters_is_not_cut_off_at_60_columns(language: str) -> None:
    board = shipped("cronberg-quarters")
    for turns, drawn in ((0, False), (9, True), (500, False)):
        position = played(board, 4, turns, seed=7, drawn=drawn)
        picture = render(board, position, names=["W" * 99] * 4, language=language).plain
        lines = PLAYERS.split(picture)[1].splitlines()
        (word,) = {line[23:].split("  ")[0].strip() for line in lines[:4] if line[0] in "►★"}
        assert word
        assert all(line.index(word) + len(word) <= 60 for line in lines[:4] if line[0] in "►★")
        assert max(map(cell_len, lines)) <= 80
    assert max(map(cell_len, legend(language).plain.splitlines())) <= 80


# ---- colour is never needed


@pytest.mark.parametrize("edition", ["cronberg-1726", "cronberg-quarters"])
def test_without_colour_the_text_is_the_same(edition: str) -> None:
    board = shipped(edition)
    text = render(board, played(board, 4, 25, seed=2, drawn=True), names=NAMES)
    out = io.StringIO()
    Console(file=out, width=80, color_system=None).print(text)
    assert [line.rstrip() for line in out.getvalue().splitlines()] == text.plain.splitlines()


def test_signs_differ_without_colour() -> None:
    signs = [*SHAPES, *SIGNS.values(), "○", "·", "×"]
    assert len(set(signs)) == len(signs)
    assert all(cell_len(sign) == 1 for sign in signs)


def test_a_narrow_terminal_cuts_off_and_does_not_wrap() -> None:
    board = shipped("cronberg-1726")
    text = render(board, start(board, 2))
    out = io.StringIO()
    Console(file=out, width=40, color_system=None).print(text, no_wrap=True)
    assert len(out.getvalue().splitlines()) == len(text.plain.splitlines())


def test_legend_explains_every_sign() -> None:
    plain = legend().plain
    assert all(sign in plain for sign in (*SIGNS.values(), SHAPES[0], "○", "·", "×", "═", ">", "*♣*"))
    assert max(map(cell_len, plain.splitlines())) <= 80


# ---- any edition


@settings(deadline=None, max_examples=60)
@given(cronberg_editions(), st.integers(2, 4), st.integers(0, 60), st.integers(0, 2**63), st.booleans())
def test_any_edition(edition: dict[str, Any], players: int, turns: int, seed: int, drawn: bool) -> None:
    board = board_of(edition)
    if len(board.crossings) > 64:
        return
    position = played(board, players, turns, seed, drawn=drawn)
    before = position.copy()
    check(board, position)
    check(board, position, (*board.crossings, *board.triangles))
    check_symbols(board, position)
    assert render(board, position) == render(board, position)
    assert position == before
    for kind, name in enumerate(board.kinds):
        line = rhomb_line(board, kind).plain
        assert line.startswith(f"{printable(name.replace('-', ' '))}: sharp ")
        assert "\n" not in line
