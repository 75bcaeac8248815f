"""The terminal board is read back from its plain text, by the rules that its docstring gives to people."""

import io
import re
import tomllib
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

import embertown.drunter
from embertown.core.jit import next_random
from embertown.core.locale import LANGUAGES, translate
from embertown.drunter import playout, rules
from embertown.drunter.board import BUILDINGS, KINDS, NOWHERE, Board, Tile
from embertown.drunter.consequences import cards_of, tile_of, uncovered
from embertown.drunter.rules import ALL_CARDS, CARDS, HIDDEN, OBJECTIVES, UNKNOWN, Phase, Position
from embertown.drunter.terminal import ARROWS, BRIDGES, FILLS, legend, render
from tests.strategies_drunter import drunter_games

SCHILDA = Path(embertown.drunter.__file__).parent / "editions" / "schilda.toml"
NAMES = ("Karl", "Ulla", "Gerd", "Anne")
GROUND = {" · ": ".", " ♥ ": "oo"}
FILL_OF = {char: kind for kind, fills in FILLS.items() for char in "".join(fills).replace(" ", "")}
WAY_OF = {arrow: step for step, arrow in ARROWS.items()}


def board_of(edition: dict[str, Any]) -> Board:
    rows = [line.split() for line in edition["board"]["squares"].strip().splitlines()]
    return Board(rows, edition["tiles"])


@pytest.fixture(scope="module", name="schilda")
def _schilda() -> Board:
    return board_of(tomllib.loads(SCHILDA.read_text(encoding="utf-8")))


# ---- games to look at


def start(board: Board, players: int, **options: bool) -> Position:
    """Tiles in front of everybody, objectives in order."""
    position: Position = np.zeros(1, rules.POSITION)[0]
    for option, value in options.items():
        position[option] = value
    dealt = 0
    for kind, name in enumerate(KINDS):
        for length, count in enumerate(board.tiles[name]):
            for _ in range(count):
                position.tiles[dealt % players, kind, length] += 1
                dealt += 1
    position.objectives[:] = UNKNOWN
    for seat in range(players):
        position.objectives[seat, 0] = seat
        position.objectives[seat, 1] = seat + 6 if position.variant else UNKNOWN
    rules.set_up(board.arrays, position, players, 0)
    return position


def dealt(board: Board, game: dict[str, Any]) -> Position:
    """The start of a game that a strategy drew."""
    position: Position = np.zeros(1, rules.POSITION)[0]
    for option, value in game["options"].items():
        position[option] = value
    position.objectives[:] = UNKNOWN
    for seat in range(game["players"]):
        for kind, name in enumerate(KINDS):
            position.tiles[seat, kind] = game["deal"]["tiles"][seat][name]
        for index, card in enumerate(game["deal"]["objectives"][seat]):
            position.objectives[seat, index] = OBJECTIVES.index(card)
    rules.set_up(board.arrays, position, game["players"], game["first"])
    return position


def play(board: Board, position: Position, actions: int, seed: int, until: Phase | None = None) -> list[Tile]:
    """So many actions at random, or until a phase comes; the tiles laid."""
    laid, state, pending = [], np.uint64(seed), None
    for _ in range(actions):
        if position.phase in {Phase.OVER, until}:
            break
        seat = int(rules.first_waiting(position))
        action = int(playout.random_action(board.arrays, position, seat, state))
        state = np.uint64(next_random(state))
        if action < rules.PASS:
            pending = tile_of(board, position, action)
        rules.apply(board.arrays, position, seat, action)
        if pending and rules.is_covered(position, board.number_of[pending.squares[0]]):
            laid.append(pending)
            pending = None
    return laid


def moment(board: Board, phase: Phase, players: int = 3, **options: bool) -> tuple[Position, list[Tile]]:
    """Some game that waits for this."""
    for seed in range(1, 200):
        position = start(board, players, **options)
        laid = play(board, position, 2000, seed, until=phase)
        if position.phase == phase:
            return position, laid
    raise AssertionError(f"{phase} never came")


def called(piece: str, language: str = "en") -> str:
    """A piece or a card as its catalogue calls it."""
    return translate("drunter", f"pieces.{'blank' if piece == '?' else piece}", language)


# ---- reading


class Read:
    """What a person finds on the board: three characters for each square, and what stands in the gaps between."""

    def __init__(self, board: Board, plain: str) -> None:
        self.board = board
        width = 4 * board.width + 6
        self.lines = [line.ljust(width) for line in plain.splitlines()[: 2 * board.height + 3]]

    def at(self, row: int, column: int) -> str:
        return self.lines[2 + 2 * row][3 + 4 * column :][:3]

    def square(self, name: str) -> str:
        return self.at(*row_and_column(name))

    def gap(self, first: str, second: str) -> str:
        """One character between neighbours in a row, three in a column."""
        (row, column), (_, right) = sorted([row_and_column(first), row_and_column(second)])
        if column != right:
            return self.lines[2 + 2 * row][6 + 4 * column]
        return self.lines[3 + 2 * row][3 + 4 * column :][:3]

    def joined(self, name: str) -> frozenset[str]:
        """The squares that are one patch with this one."""
        patch, todo = {name}, [name]
        while todo:
            here = todo.pop()
            for other in neighbours(self.board, here):
                if other not in patch and self.gap(here, other)[0] in FILL_OF:
                    patch.add(other)
                    todo.append(other)
        return frozenset(patch)


def row_and_column(name: str) -> tuple[int, int]:
    return int(name[1:]) - 1, ord(name[0]) - ord("A")


def neighbours(board: Board, name: str) -> list[str]:
    row, column = row_and_column(name)
    around = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    return [board.squares[r * board.width + c] for r, c in around if 0 <= r < board.height and 0 <= c < board.width]


def check(board: Board, position: Position, laid: list[Tile], marks: tuple[str, ...] = ()) -> None:
    """Everything that the position says can be read back."""
    text = render(board, position, laid, names=NAMES, marks=marks)
    read = Read(board, text.plain)
    check_margin(board, read)
    check_ground(board, position, read, laid)
    check_tiles(read, laid)
    check_gangs(board, position, read, laid)
    assert max(map(cell_len, text.plain.splitlines())) <= max(80, 4 * board.width + 6)


def check_margin(board: Board, read: Read) -> None:
    letters = {3 + 4 * column + 1: chr(ord("A") + column) for column in range(board.width)}
    for line in (read.lines[0], read.lines[-1]):
        assert {x: char for x, char in enumerate(line) if char != " "} == letters
    for row in range(board.height):
        line = read.lines[2 + 2 * row]
        assert line[:2].strip() == line[4 * board.width + 4 :].strip() == str(row + 1)


def check_ground(board: Board, position: Position, read: Read, laid: list[Tile]) -> None:
    covered = {square for tile in laid for square in tile.squares} | set(board.gangs)
    proposed = tile_of(board, position, int(position.proposal)).squares if position.proposal != UNKNOWN else ()
    for name in set(board.squares) - covered:
        assert ("░" in read.square(name)) == (name in proposed)
        sign = read.square(name).replace("░", " ")
        assert GROUND.get(sign, sign.strip()) == board.cell_of[name], name


def check_tiles(read: Read, laid: list[Tile]) -> None:
    ends: dict[str, str] = {}
    for tile in laid:
        assert all(read.joined(name) == set(tile.squares) for name in tile.squares), tile
        assert {FILL_OF[char] for name in tile.squares for char in read.square(name) if char in FILL_OF} <= {tile.kind}
        origin = ends.get(tile.gang, tile.gang)
        (row, column), (down, right) = row_and_column(origin), row_and_column(tile.squares[0])
        way = (np.sign(down - row), np.sign(right - column))
        for first, second in pairwise((origin, *tile.under, tile.squares[0])):
            assert WAY_OF[read.gap(first, second).strip(" ─╌")] == way, tile
        if len(tile.squares) == 3:
            assert read.square(tile.squares[1]) == BRIDGES[origin[0] == tile.squares[0][0]]
        ends[tile.gang] = tile.squares[-1]


def check_gangs(board: Board, position: Position, read: Read, laid: list[Tile]) -> None:
    for index, gang in enumerate(board.gangs):
        end = next((tile.squares[-1] for tile in reversed(laid) if tile.gang == gang), gang)
        if position.gangs[index] == NOWHERE:
            assert read.square(end)[1] == "×"
        else:
            assert board.square_of[int(position.gangs[index])] == end
            assert read.square(end).endswith(gang)
        if end != gang:
            assert read.square(gang)[1] == "▣"
            assert FILL_OF[read.square(gang)[0]] == board.kind_of_gang[gang]


# ---- the shipped edition


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("actions", [0, 1, 20, 60, 2000])
def test_everything_can_be_read_back(schilda: Board, players: int, actions: int) -> None:
    position = start(schilda, players)
    laid = play(schilda, position, actions, seed=actions + players)
    check(schilda, position, laid)
    check(schilda, position, laid, schilda.squares)


def test_schilda_fits_a_terminal(schilda: Board) -> None:
    for seed in range(40):
        position = start(schilda, 4, variant=seed % 2 == 1, several_cards=seed % 3 == 0)
        laid = play(schilda, position, 6 * seed, seed)
        lines = render(schilda, position, laid, names=["W" * 99] * 4, viewer=1).plain.splitlines()
        assert len(lines) <= 36
        assert max(map(cell_len, lines)) <= 80


def test_the_way_under_a_bridge(schilda: Board) -> None:
    position = start(schilda, 2)
    laid = play(schilda, position, 2000, seed=1)
    read = Read(schilda, render(schilda, position, laid).plain)
    for name in schilda.squares:
        ways = [rules.is_bridge_across(position, schilda.number_of[name], direction) for direction in (0, 1)]
        assert ["↕" in read.square(name), "↔" in read.square(name)] == ways


def test_a_path_that_passed_under_a_bridge_has_arrows_on_both_sides() -> None:
    board = Board([list("W....R"), *[list("......")] * 4, list("V....W")], {"wall": (9, 9, 9), "road": (9, 9, 9)})
    position, laid = start(board, 2), []
    for gang, direction, length in ((0, 2, 1), (0, 1, 3), (1, 3, 2), (1, 3, 1), (1, 2, 2)):
        action = int(rules.lay_action(gang, direction, length))
        laid.append(tile_of(board, position, action))
        rules.apply(board.arrays, position, int(position.seat), action)
    assert laid[-1] == Tile("road", "F1", ("C3", "C4"), under=("C2",))
    lines = render(board, position, laid).plain.splitlines()
    assert [line[12] for line in lines[3:6]] == ["▾", "↕", "▾"]


def test_marks_are_framed(schilda: Board) -> None:
    position = start(schilda, 2)
    lines = render(schilda, position, [], marks=("C4", "D4", "E4", "no-such-square", "Z99")).plain.splitlines()
    assert lines[7].strip() == "┌───────────┐"
    assert "│ ♥   M4  · │" in lines[8]
    assert lines[9].strip() == "└───────────┘"
    assert not set("┌│└") & set(render(schilda, position, []).plain)


# ---- the lines below the board


def below(board: Board, position: Position, laid: list[Tile], **settings: Any) -> list[str]:
    return render(board, position, laid, names=NAMES, **settings).plain.split("\nGangs:")[1].splitlines()


def test_gangs_and_players_at_the_start(schilda: Board) -> None:
    position = start(schilda, 2)
    position.hands[1] = ALL_CARDS & ~(1 << CARDS.index("jaa") | 1 << CARDS.index("jeeiin"))
    assert below(schilda, position, [], viewer=1) == [
        "  A1 ▓ wall at A1  O1 ═ road at O1  A10 ≈ river at A10  O10 ▓ wall at O10",
        "",
        "                   ▓ ▓▓ ▓▓▓   ═ ══ ═══   ≈ ≈≈ ≈≈≈   ja  ne  ? ±2",
        "► ●K Karl to lay   6  6   3   3  3   2   3  3   1   123 123 ? ±2",
        "  ■U Ulla          6  6   3   3  3   1   3  3   2   1·3 123 ? ·",
        "",
        "  ■U your objective: fire station F1 F2 F3 F4 F5 = 15 now",
    ]


def test_tiles_and_hands_of_everybody(schilda: Board) -> None:
    position = start(schilda, 4)
    laid = play(schilda, position, 70, seed=4)
    lines = below(schilda, position, laid)
    for seat, line in enumerate(lines[3:7]):
        words = line.replace("►", " ").replace(" to lay ", " ").replace(" to vote ", " ").split()
        assert [int(word.replace("·", "0")) for word in words[2:11]] == position.tiles[seat].ravel().tolist()
        ja, ne, blank, either = words[11:15]
        held = [*("123"[n] == ja[n] for n in range(3)), *("123"[n] == ne[n] for n in range(3))]
        assert [*held, blank == "?", either == "±2"] == [int(position.hands[seat]) >> n & 1 for n in range(8)]


def test_a_blocked_path_is_told(schilda: Board) -> None:
    position, laid = moment(schilda, Phase.CHOOSING, variant=True)
    gang = next(index for index in range(4) if position.gangs[index] == NOWHERE)
    end = next(tile.squares[-1] for tile in reversed(laid) if tile.gang == schilda.gangs[gang])
    assert re.search(rf"{schilda.gangs[gang]} . \w+ × {end}", below(schilda, position, laid)[0])


def test_the_end_has_scores_and_stars(schilda: Board) -> None:
    for seed in range(1, 9):
        position = start(schilda, 3, variant=seed % 2 == 0)
        laid = play(schilda, position, 5000, seed)
        lines = below(schilda, position, laid, viewer=0)
        for seat in range(3):
            assert lines[3 + seat].startswith("★") == rules.is_winner(schilda.arrays, position, seat)
            assert re.search(rf"{NAMES[seat]} +{position.scores[seat]} points? ", lines[3 + seat])
            objective = called(OBJECTIVES[int(position.chosen[seat])])
            assert re.search(rf"{objective}( [A-Z]\d)* = {position.scores[seat]}\b", lines[7 + seat])
        assert "►" not in "".join(lines)
        assert "now" not in "".join(lines)


def test_names_are_shown_safely(schilda: Board) -> None:
    names = ("a\nb\x1b[31m", "[bold]x", "", "市長")
    plain = render(schilda, start(schilda, 4), [], names=names).plain
    assert all(name in plain for name in ("●A ab[31m", "■B [bold]x", "▲C Player C", "◆D 市長"))
    assert "\x1b" not in plain


# ---- the vote


def test_a_proposal_is_a_ghost(schilda: Board) -> None:
    position, laid = moment(schilda, Phase.VOTING)
    check(schilda, position, laid)
    tile = tile_of(schilda, position, int(position.proposal))
    lines = below(schilda, position, laid)
    proposer = int(position.layer)
    said = next(line for line in lines if "proposes" in line)
    assert said.startswith(f"{'●■▲'[proposer]}{NAMES[proposer][0]} {NAMES[proposer]} proposes {tile.text} over ")
    for name in tile.squares:
        assert (f"♥ at {name}" in said) == (name in schilda.outhouses)
        assert (f"{schilda.cell_of[name]} at {name}" in said) == (name in schilda.buildings)
    assert "╎" in render(schilda, position, laid).plain


def test_a_vote_under_way_says_who_has_voted_and_never_what(schilda: Board) -> None:
    position, laid = moment(schilda, Phase.VOTING, several_cards=True)
    seen = set()
    for cards in range(1, ALL_CARDS + 1):
        position.votes[:2] = cards, ALL_CARDS + 1 - cards
        seen |= {(viewer, render(schilda, position, laid, viewer=viewer).plain) for viewer in (None, 2)}
    assert len(seen) == 2
    lines = below(schilda, position, laid, viewer=2)
    assert lines[-1] == "Voted: ●K ■U  Still to vote: ▲G"
    assert [line[10:17].strip() for line in lines[3:6]] == ["voted", "voted", "to vote"]
    assert below(schilda, position, laid, viewer=1)[-1] == "Voted: ●K ■U  Still to vote: ▲G  You played: Ja"


def test_after_the_reveal_the_cards_are_shown(schilda: Board) -> None:
    for several in (False, True):
        position, laid = moment(schilda, Phase.JEEIIN, several_cards=several)
        lines = " ".join(below(schilda, position, laid)).split("Cards:")[1]
        for seat in range(3):
            cards = " ".join(called(card) for card in cards_of(int(position.votes[seat])))
            assert f"{'●■▲'[seat]}{NAMES[seat][0]} {cards}" in lines
        seat = int(rules.next_to_say(position))
        count = f"{rules.yes_votes(position)} yes, {rules.no_votes(position)} no"
        assert f"{count}; {'●■▲'[seat]}{NAMES[seat][0]} says what Jeeiin counts as" in lines
        assert "Jeeiin (?)" in lines


def test_what_jeeiin_was_said_to_be(schilda: Board) -> None:
    position, laid = moment(schilda, Phase.JEEIIN)
    seat = int(rules.next_to_say(position))
    position.votes[:3] = 1 << rules.JEEIIN
    position.layer = seat
    for word, said in ((0, "no"), (1, "yes")):
        position.said[seat] = word
        assert f"{NAMES[seat][0]} Jeeiin ({said})" in "".join(below(schilda, position, laid))


def test_without_votes_there_are_no_cards(schilda: Board) -> None:
    lines = below(schilda, start(schilda, 2, variant=True, no_votes=True), [])
    assert not any("±2" in line or "ja" in line for line in lines[:5])


# ---- secrets


def redacted(position: Position, viewer: int) -> Position:
    """What the viewer may know."""
    public: Position = position.copy()
    for seat in range(position.players):
        if seat == viewer or position.phase == Phase.OVER:
            continue
        public.objectives[seat] = UNKNOWN
        public.chosen[seat] = UNKNOWN if position.chosen[seat] == UNKNOWN else HIDDEN
        if position.phase == Phase.VOTING and position.votes[seat]:
            public.votes[seat] = ALL_CARDS
    return public


def check_secrets(board: Board, position: Position, laid: list[Tile]) -> None:
    """The picture for a viewer is the same whether the position has secrets of others or not."""
    for viewer in range(position.players):
        public = redacted(position, viewer)
        assert render(board, position, laid, viewer=viewer) == render(board, public, laid, viewer=viewer)


def test_unknown_objectives_are_not_shown(schilda: Board) -> None:
    position = start(schilda, 4, variant=True)
    spectator = position.copy()
    spectator.objectives[:] = UNKNOWN
    plain = render(schilda, spectator, []).plain
    assert not any(called(word) in plain for word in OBJECTIVES)
    plain = render(schilda, redacted(position, 3), [], viewer=3).plain
    assert {word for word in OBJECTIVES if called(word) in plain} == {BUILDINGS[3], OBJECTIVES[9]}


def test_buildings_that_count_for_the_viewer_have_a_star(schilda: Board) -> None:
    position = start(schilda, 4)
    laid = play(schilda, position, 80, seed=6)
    plain = render(schilda, position, laid, viewer=2).plain
    expected = {schilda.cell_of[name] for name in uncovered(schilda, position, 2)}
    assert set(re.findall(r"\*(\w\d)", plain)) == expected
    assert "*" not in render(schilda, position, laid).plain


@pytest.mark.parametrize("phase", [Phase.VOTING, Phase.JEEIIN, Phase.CHOOSING, Phase.OVER])
def test_secrets_in_every_phase(schilda: Board, phase: Phase) -> None:
    position, laid = moment(schilda, phase, variant=True, several_cards=True)
    for _ in range(3):
        check_secrets(schilda, position, laid)
        laid += play(schilda, position, 1, seed=2)


# ---- colour is never needed


def test_without_colour_the_text_is_the_same(schilda: Board) -> None:
    position, laid = moment(schilda, Phase.JEEIIN)
    text = render(schilda, position, laid, names=NAMES, viewer=0)
    out = io.StringIO()
    Console(file=out, width=80, color_system=None).print(text)
    assert [line.rstrip() for line in out.getvalue().splitlines()] == text.plain.splitlines()


def test_signs_differ_without_colour() -> None:
    signs = [*"▓═≈", *ARROWS.values(), "↕", "↔", "·", "♥", "▣", "×", "░", "*", *"●■▲◆"]
    assert len(set(signs)) == len(signs)
    assert all(cell_len(sign) == 1 for sign in signs)


def test_a_narrow_terminal_cuts_off_and_does_not_wrap(schilda: Board) -> None:
    text = render(schilda, start(schilda, 2), [])
    out = io.StringIO()
    Console(file=out, width=40, color_system=None).print(text, no_wrap=True)
    assert len(out.getvalue().splitlines()) == len(text.plain.splitlines())


def test_legend_explains_every_sign() -> None:
    plain = legend().plain
    signs = (*BRIDGES, "▓▓▓", "═══", "≈≈≈", "▸", "♥", "▣", "·", "▓×▓", "▓A1", "░", "┌─┐", "*T3", "±2")
    assert all(sign in plain for sign in signs)
    assert all(called(word) in plain for word in (*BUILDINGS, *KINDS))
    for language in LANGUAGES:
        lines = legend(language).plain.splitlines()
        assert all(called(word, language) in "\n".join(lines) for word in (*BUILDINGS, *KINDS, "outhouse", "bridge"))
        assert max(map(cell_len, lines)) <= 80


def test_an_unknown_language_is_answered_in_english(schilda: Board) -> None:
    position = start(schilda, 2)
    assert render(schilda, position, [], language="xx") == render(schilda, position, [])


# ---- languages and narrow terminals


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("de", ["Bautrupps:", "Mauer auf A1", " legt ", "dein Ziel: Feuerwache F1"]),
        ("fr", ["Équipes :", "rempart en A1", " à poser ", "ton objectif : caserne des pompiers F1"]),
    ],
)
def test_words_and_names_are_in_the_language(schilda: Board, language: str, said: list[str]) -> None:
    plain = render(schilda, start(schilda, 2), [], viewer=1, language=language).plain
    assert [words for words in said if words not in plain] == []
    assert not any(word in plain for word in ("wall", "fire", "now", "Player"))


def test_an_edition_may_call_pieces_otherwise(schilda: Board) -> None:
    position, laid = moment(schilda, Phase.JEEIIN)
    names = {"wall": "hedge", "jeeiin": "Perhaps", "fire-station": "bake\x1bhouse", "blank": "none"}
    plain = render(schilda, position, laid, viewer=1, called=names).plain
    assert all(word in plain for word in ("hedge at ", "says what Perhaps counts as", "your objective: bakehouse"))
    assert not any(word in plain for word in ("wall", "fire station", "Jeeiin", "\x1b"))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("phase", list(Phase))
def test_what_matters_is_not_cut_off_at_60_columns(schilda: Board, phase: Phase, language: str) -> None:
    position, laid = moment(schilda, phase, variant=True, several_cards=True)
    picture = render(schilda, position, laid, names=["W" * 99] * 3, viewer=1, language=language).plain
    assert max(map(cell_len, picture.splitlines())) <= 80
    for line in (line for line in picture.splitlines() if line[:1] in {"►", "★"} and line[2:3]):
        status = line[20:].split("  ")[0]
        assert re.fullmatch(r"( ?\d+ points?| ?\d+ Punkte?|[a-zäàé ]+)", status), line
        assert 20 + len(status) <= 60


# ---- any edition


@settings(deadline=None, max_examples=60)
@given(drunter_games(), st.integers(0, 150), st.integers(1, 2**63))
def test_any_edition(game: dict[str, Any], actions: int, seed: int) -> None:
    board = board_of(game["edition"])
    position = dealt(board, game)
    laid = play(board, position, actions, seed)
    before = position.copy()
    check(board, position, laid)
    check(board, position, laid, board.squares)
    check_secrets(board, position, laid)
    assert render(board, position, laid) == render(board, position, laid)
    assert position == before
