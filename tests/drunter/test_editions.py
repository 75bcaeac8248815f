"""Editions: all that the rules allow are read; all else is refused with file, key, what is wrong, what is right."""

from __future__ import annotations

import copy
import hashlib
import json
import tomllib
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embertown.core.chance import StatedChance
from embertown.core.errors import BadArgument, MalformedEdition, UnknownEdition, UnknownOption
from embertown.drunter.edition import DrunterEdition
from embertown.drunter.game import DrunterGame
from embertown.games import load
from tests.falsify import changed
from tests.small_drunter import FIVE, PLENTY, put
from tests.strategies_drunter import BUILDINGS, drunter_editions

SCHILDA = "1b3dc8e2712f7d3f4f02ccf56c2a114be111e2cc1fd3e5857027ee554f872a11"
GOOD = """
[edition]
id = "mine"
game = "drunter"
version = 1

[board]
squares = '''
W  .  oo .  R
.  T3 .  C5 .
.  .  .  .  .
.  oo F3 .  I1
V  .  .  .  W
'''

[tiles]
wall = [4, 4, 4]
river = [2, 2, 2]
"""
Place = tuple[str | int, ...]


def good() -> dict[str, Any]:
    return tomllib.loads(GOOD)


def rows_of(squares: str) -> list[list[str]]:
    return [line.split() for line in squares.strip().splitlines()]


def board(height: int, width: int, cell: str = ".") -> list[list[str]]:
    """A board of this size with walls in its corners."""
    rows = [[cell] * width for _ in range(height)]
    for row in (0, -1):
        for column in (0, -1):
            rows[row][column] = "W"
    return rows


# ---- what is right


def test_the_shipped_edition_has_the_hash_that_records_know() -> None:
    assert DrunterEdition.shipped() == ("schilda",)
    edition = DrunterEdition.find("schilda")
    assert (edition.id, edition.sha256, edition.reference()) == ("schilda", SCHILDA, "schilda")
    layout = edition.layout
    assert (layout.width, layout.height, len(layout.outhouses)) == (15, 10, 17), "D1.1, D1.2"
    assert sorted(layout.buildings.values()) == sorted((kind, value) for kind, value in set(layout.buildings.values()))
    assert len(layout.buildings) == 30
    assert [layout.total(length) for length in (1, 2, 3)] == [24, 24, 12], "D1.3"
    assert sorted(layout.kind_of_gang.values()) == ["river", "road", "wall", "wall"]
    assert layout.kind_of_gang["A1"] == layout.kind_of_gang["O10"] == "wall", "in opposite corners"


@given(drunter_editions())
def test_d1_every_edition_within_the_rules_is_read(data: dict[str, Any]) -> None:
    edition = DrunterEdition.from_dict(data)
    assert edition.to_dict() == data, "nothing added, nothing left out"
    assert edition.reference() == data
    rows = rows_of(data["board"]["squares"])
    # the hash again, by the words of the design
    text = json.dumps({"board": {"squares": rows}, "tiles": data["tiles"]}, sort_keys=True, separators=(",", ":"))
    assert edition.sha256 == hashlib.sha256(text.encode()).hexdigest()
    # rows of cells are the same edition
    twin = DrunterEdition.from_dict({**data, "board": {"squares": rows}})
    assert (twin.sha256, twin.layout.cell_of) == (edition.sha256, edition.layout.cell_of)
    for players in (2, 3, 4):
        state = load("drunter", players, data).start(seed=1)
        shares = [[sum(counts[n] for counts in hand.values()) for n in range(3)] for hand in state.tiles]
        assert all(share == shares[0] for share in shares), "D2.2"


@pytest.mark.parametrize(("height", "width"), [(5, 5), (5, 26), (26, 5), (26, 26), (10, 15)])
@pytest.mark.parametrize("cell", [".", "oo"])
def test_d1_1_the_limits_themselves_are_allowed(height: int, width: int, cell: str) -> None:
    data = changed(good(), ("board", "squares"), board(height, width, cell))
    game = DrunterGame(2, data)
    assert len(game.board.squares) == height * width
    assert len(game.board.outhouses) == (height * width - 4 if cell == "oo" else 0)
    assert game.board.squares[-1] == f"{chr(ord('A') + width - 1)}{height}"
    state = game.start(seed=1)
    last = game.board.squares[-1]
    assert state.gangs[last] == last


@pytest.mark.parametrize("corners", ["WWWW", "RRRR", "VVVV", "WRVW", "RVRV", "VWRR"])
def test_d1_1_corners_are_any_of_the_three(corners: str) -> None:
    squares = put(FIVE, A1=corners[0], E1=corners[1], A5=corners[2], E5=corners[3])
    kinds = {"W": "wall", "R": "road", "V": "river"}
    data = {**good(), "board": {"squares": squares}, "tiles": PLENTY}
    assert list(DrunterGame(2, data).board.kind_of_gang.values()) == [kinds[letter] for letter in corners]


def test_d1_2_any_values_of_a_kind_and_any_number_of_outhouses() -> None:
    for cells in ([], ["T5"], ["T1", "T5"], list(BUILDINGS)):
        rows = board(8, 8, "oo")
        for number, cell in enumerate(cells):
            rows[1 + number // 6][1 + number % 6] = cell
        found = DrunterEdition.from_dict(changed(good(), ("board", "squares"), rows)).layout.buildings
        assert len(found) == len(cells)


@pytest.mark.parametrize(
    ("tiles", "players"),
    [
        ({"wall": [2, 0, 0]}, (2,)),
        ({"wall": [1, 0, 0], "road": [1, 0, 0]}, (2,)),
        ({"wall": [3, 6, 0]}, (3,)),
        ({"wall": [4, 0, 8]}, (2, 4)),
        ({"wall": [12, 12, 12]}, (2, 3, 4)),
        ({"river": [200, 200, 200]}, (2, 4)),
    ],
)
def test_d2_2_any_mix_of_tiles_that_can_be_dealt_evenly(tiles: dict[str, list[int]], players: tuple[int, ...]) -> None:
    data = changed(good(), ("tiles",), tiles)
    for number in (2, 3, 4):
        if number in players:
            assert DrunterGame(number, data).start(seed=1).tiles
        else:
            with pytest.raises(BadArgument, match=rf"can't be dealt evenly to {number} players \(D2.2\)"):
                DrunterGame(number, data)


def test_what_play_depends_on_changes_the_hash_and_nothing_else() -> None:
    edition = DrunterEdition.from_dict(good())
    hashes = {edition.sha256}
    for place, value in (
        (("board", "squares"), GOOD.split("'''")[1].replace("oo", ". ", 1)),
        (("board", "squares"), GOOD.split("'''")[1].replace("T3", "T4", 1)),
        (("tiles", "wall"), [4, 4, 2]),
        (("tiles", "road"), [2, 2, 2]),
    ):
        hashes.add(DrunterEdition.from_dict(changed(good(), place, value)).sha256)
    assert len(hashes) == 5
    same = changed(changed(good(), ("edition", "id"), "twin"), ("board", "squares"), rows_of(GOOD.split("'''")[1]))
    assert DrunterEdition.from_dict(same).sha256 == edition.sha256


def test_an_edition_is_found_by_path_text_or_dict(tmp_path: Path) -> None:
    path = tmp_path / "Mine own.toml"
    path.write_bytes(b"\xef\xbb\xbf" + ("# Schilda, été\r\n" + GOOD.replace("\n", "\r\n")).encode())
    for wanted in (path, str(path), good(), DrunterEdition.from_dict(good())):
        assert load("drunter", 2, wanted).edition.sha256 == DrunterEdition.from_dict(good()).sha256


def test_an_edition_given_whole_stays_whole() -> None:
    """Also where it is like a shipped one: a record comes out as it went in."""
    shipped = DrunterEdition.find("schilda")
    assert DrunterEdition.from_dict(shipped.to_dict()).reference() == shipped.to_dict()


# ---- what is wrong in it

SQUARES: Place = ("board", "squares")
ROWS = rows_of(FIVE)
WRONG: list[tuple[str, Place, Any, str, str, str]] = [
    # what, place, value, the key told, in what is wrong, in what is right
    ("D1.1 four rows", SQUARES, board(4, 9), "board.squares", "has 4 rows", "5 to 26"),
    ("D1.1 27 rows", SQUARES, board(27, 9), "board.squares", "has 27 rows", "5 to 26"),
    ("D1.1 rows of four", SQUARES, board(9, 4), "board.squares", "has rows of 4 squares", "5 to 26"),
    ("D1.1 rows of 27", SQUARES, board(9, 27), "board.squares", "has rows of 27 squares", "5 to 26"),
    ("D1.1 no rows", SQUARES, [], "board.squares", "has 0 rows", "5 to 26"),
    ("D1.1 no text", SQUARES, "", "board.squares", "has 0 rows", "5 to 26"),
    ("D1.1 a text of one word", SQUARES, "W", "board.squares", "has 1 rows", "5 to 26"),
    ("D1.1 a row too short", SQUARES, [*ROWS[:2], ROWS[2][:4], *ROWS[3:]], "board.squares", "row 3 has 4", "5, as in"),
    ("D1.1 a row too long", SQUARES, [*ROWS[:3], [*ROWS[3], "."], ROWS[4]], "board.squares", "row 4 has 6", "5, as in"),
    ("D1.1 an empty row", SQUARES, FIVE.replace("\n. .", "\n\n. .", 1), "board.squares", "row 2 has 0", "5, as in"),
    ("D1.1 no corner", SQUARES, put(FIVE, A1="."), "board.squares", "A1 is '.'", "W wall, R road or V river"),
    ("D1.1 a building in a corner", SQUARES, put(FIVE, E5="T1"), "board.squares", "E5 is 'T1'", "W wall, R road"),
    ("D1.1 an outhouse in a corner", SQUARES, put(FIVE, A5="oo"), "board.squares", "A5 is 'oo'", "V river"),
    ("D1.1 a small corner", SQUARES, put(FIVE, E1="w"), "board.squares", "E1 is 'w'", "W wall"),
    ("D1.2 a wall in the middle", SQUARES, put(FIVE, C3="W"), "board.squares", "C3 is 'W'", "T F S I M C"),
    ("D1.2 a corner's letter beside it", SQUARES, put(FIVE, B1="R"), "board.squares", "B1 is 'R'", "oo outhouse"),
    ("D1.2 a value of 6", SQUARES, put(FIVE, C3="T6"), "board.squares", "C3 is 'T6'", "1 to 5"),
    ("D1.2 a value of 0", SQUARES, put(FIVE, C3="T0"), "board.squares", "C3 is 'T0'", "1 to 5"),
    ("D1.2 a value of 12", SQUARES, put(FIVE, C3="T12"), "board.squares", "C3 is 'T12'", "1 to 5"),
    ("D1.2 no value", SQUARES, put(FIVE, C3="T"), "board.squares", "C3 is 'T'", "1 to 5"),
    ("D1.2 an Arabic value", SQUARES, put(FIVE, C3="T٣"), "board.squares", "C3 is 'T٣'", "1 to 5"),
    ("D1.2 another kind", SQUARES, put(FIVE, C3="X3"), "board.squares", "C3 is 'X3'", "T F S I M C"),
    ("D1.2 a small kind", SQUARES, put(FIVE, C3="t3"), "board.squares", "C3 is 't3'", "T F S I M C"),
    ("D1.2 half an outhouse", SQUARES, put(FIVE, C3="o"), "board.squares", "C3 is 'o'", "oo outhouse"),
    (
        "D1.2 a building twice",
        SQUARES,
        put(FIVE, B2="T3", D4="T3"),
        "board.squares",
        "D4 is 'T3', and so is B2",
        "once",
    ),
    ("D1.2 a huge cell", SQUARES, put(FIVE, C3="x" * 5_000), "board.squares", "C3 is 'xxx", "T F S I M C"),
    ("D1.2 a cell that acts", SQUARES, put(FIVE, C3="\x1b[2J"), "board.squares", r"'\x1b[2J'", "T F S I M C"),
    ("D1.2 half a character", SQUARES, put(FIVE, C3="\ud800"), "board.squares", r"\ud800", ""),
    ("a huge text", SQUARES, ". " * 5_000, "board.squares", "has 10000 characters", "8000"),
    ("a number for squares", SQUARES, 5, "board.squares", "is 5", "a text with a row a line"),
    ("rows as texts", SQUARES, FIVE.strip().splitlines(), "board.squares", "is ['W . . . R'", "rows of cells"),
    ("numbers as cells", SQUARES, [[1] * 5] * 5, "board.squares", "is [[1, 1", "rows of cells"),
    ("no squares", SQUARES, ..., "board.squares", "is missing", "to give it"),
    ("D1.3 two numbers", ("tiles", "wall"), [1, 2], "tiles.wall", "has 2 numbers", "3, of length 1, 2 and 3"),
    ("D1.3 four numbers", ("tiles", "wall"), [2] * 4, "tiles.wall", "has 4 numbers", "3, of length 1, 2 and 3"),
    ("D1.3 a number for three", ("tiles", "wall"), 4, "tiles.wall", "is 4", "list"),
    ("D1.3 less than none", ("tiles", "wall"), [-2, 4, 4], "tiles.wall[0]", "is -2", "0"),
    ("D1.3 far too many", ("tiles", "wall"), [4, 4, 202], "tiles.wall[2]", "is 202", "200"),
    ("D1.3 beyond writing", ("tiles", "wall"), [10**5000, 4, 4], "tiles.wall[0]", "too large to show", "200"),
    ("D1.3 a truth", ("tiles", "wall"), [True, 4, 4], "tiles.wall[0]", "is True", "integer"),
    ("D1.3 a fraction", ("tiles", "wall"), [4, 4.0, 4], "tiles.wall[1]", "is 4.0", "integer"),
    ("D1.3 a text", ("tiles", "wall"), [4, 4, "4"], "tiles.wall[2]", "is '4'", "integer"),
    ("D1.3 another kind", ("tiles", "rail"), [2, 2, 2], "tiles.rail", "not a key", "leave it out"),
    ("D1.3 no tiles at all", ("tiles",), {}, "tiles", "has no tiles", "one or more (D1.3)"),
    ("D1.3 nought of each", ("tiles",), {"wall": [0, 0, 0]}, "tiles", "has no tiles", "one or more (D1.3)"),
    ("D2.2 for nobody", ("tiles",), {"wall": [1, 0, 0]}, "tiles", "has [1, 0, 0]", "2, 3 or 4 players"),
    ("D2.2 no number suits all", ("tiles",), {"wall": [2, 3, 0]}, "tiles", "has [2, 3, 0]", "(D2.2)"),
    ("another game", ("edition", "game"), "cronberg", "edition", "game is 'cronberg'", "'drunter'"),
    ("version 2", ("edition", "version"), 2, "edition.version", "is 2", "1, the version"),
    ("version true", ("edition", "version"), True, "edition.version", "is True", "integer"),
    ("a capital in an id", ("edition", "id"), "Mine", "edition.id", "'Mine'", "[a-z]"),
    ("an id too long", ("edition", "id"), "a" * 41, "edition.id", "'aaa", "{0,39}"),
    *((f"no {key}", (key,), ..., key, "is missing", "to give it") for key in ("edition", "board", "tiles")),
    *((f"no {key}", ("edition", key), ..., f"edition.{key}", "is missing", "") for key in ("id", "game", "version")),
    ("an unknown table", ("theme",), {}, "theme", "not a key", "leave it out"),
    ("an unknown key of edition", ("edition", "title"), "x", "edition.title", "not a key", "leave it out"),
    ("an unknown key of board", ("board", "side"), 5, "board.side", "not a key", "leave it out"),
    ("an unknown key that acts", ("\x1b[2J",), 1, "\x1b[2J", "not a key", "leave it out"),
]


@pytest.mark.parametrize(("place", "value", "key", "wrong", "right"), [w[1:] for w in WRONG], ids=[w[0] for w in WRONG])
def test_an_edition_against_the_rules_is_refused(place: Place, value: Any, key: str, wrong: str, right: str) -> None:
    data = changed(good(), place, value)
    with pytest.raises(MalformedEdition) as caught:
        DrunterEdition.from_dict(data, "my.toml")
    error = caught.value
    assert (error.file, error.key) == ("my.toml", key)
    assert wrong in error.wrong
    assert right in error.right
    assert str(error).startswith("my.toml: ")
    assert str(error).isprintable()
    assert len(str(error)) < 300
    with pytest.raises(MalformedEdition):
        load("drunter", 2, data)


@pytest.mark.parametrize("data", [None, 5, [], "x", {}, {1: 2}, {"edition": {None: 1}}])
def test_what_is_no_edition_at_all_is_refused(data: object) -> None:
    with pytest.raises(MalformedEdition):
        DrunterEdition.from_dict(data, "my.toml")


@pytest.mark.parametrize(
    "name", ["", "no-such", "x" * 5_000, "a\0b", "\ud800", "../schilda", "SCHILDA", "cronberg-1726"]
)
def test_a_name_that_nothing_answers_to_is_refused(name: str) -> None:
    with pytest.raises(UnknownEdition, match="schilda"):
        load("drunter", 2, name)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4) | st.dates() | st.binary(max_size=2),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)
CELLS = st.lists(st.lists(st.sampled_from((*"WRV.", "oo", "T1", "T2", "C5", "x")), min_size=4, max_size=6), max_size=6)


@given(drunter_editions(), st.data())
def test_any_mutated_edition_is_read_or_refused(edition: dict[str, Any], data: st.DataObject) -> None:
    places: list[Place] = [
        *((table,) for table in edition),
        *((table, key) for table in edition for key in edition[table]),
        *(("tiles", kind, n) for kind in edition["tiles"] for n in range(3)),
    ]
    place = data.draw(st.sampled_from(places))
    value = data.draw(st.just(...) | VALUES | CELLS)
    mutated = changed(edition, place, value)
    try:
        found = DrunterEdition.from_dict(copy.deepcopy(mutated), "my.toml")
    except MalformedEdition as error:
        str(error).encode()
        return
    assert found.to_dict() == mutated
    assert found.layout.squares
    for players in (2, 3, 4):
        with suppress(BadArgument):
            assert DrunterGame(players, mutated).start(seed=1).position_text()


# ---- the front door


@pytest.mark.parametrize("players", [0, 1, 5, -2, "2", True, 2.0])
def test_players_out_of_range_are_refused(players: Any) -> None:
    with pytest.raises(BadArgument, match="right would be: 2 to 4"):
        load("drunter", players)


def test_options_are_true_or_false_known_and_fit_together() -> None:
    with pytest.raises(UnknownOption, match="there is: variant, several_cards, no_votes"):
        load("drunter", 2, fast=True)
    for value in (1, "yes", None):
        with pytest.raises(BadArgument, match="True or False"):
            load("drunter", 2, variant=value)  # type: ignore[arg-type]
    with pytest.raises(BadArgument, match=r"D9\.5"):
        load("drunter", 2, no_votes=True)
    assert load("drunter", 2, variant=False).options == {}


def test_the_order_in_which_options_are_given_does_not_matter() -> None:
    one = load("drunter", 2, variant=True, several_cards=True)
    other = load("drunter", 2, several_cards=True, variant=True)
    assert one == other
    assert hash(one) == hash(other)
    text = one.start(seed=1).position_text()
    assert other.position(text).position_text() == text


@pytest.mark.parametrize("label", ["tile 1 1", "tile 3 12", "objective 1", "objective 2"])
@pytest.mark.parametrize("index", [-1, 6, 99])
def test_d2_a_source_of_chance_that_gives_what_is_not_there_is_refused(label: str, index: int) -> None:
    game = DrunterGame(2)
    fair = game.start(seed=1)
    with pytest.raises(BadArgument, match=label):
        game.start(chance=StatedChance({label: index}, fair.chance))
