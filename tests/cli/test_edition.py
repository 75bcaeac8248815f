"""`embertown edition`: what ships, what is in a file, what is wrong with it, what is worth knowing."""

from __future__ import annotations

from pathlib import Path

import pytest

from embertown.cli.cronberg_edition import most_rhombi
from embertown.cronberg.board import Board
from embertown.cronberg.edition import CronbergEdition
from embertown.drunter.edition import DrunterEdition
from tests.cli.helpers import run

HEAD = '[edition]\nid = "{id}"\ngame = "cronberg"\nversion = 1\n'


def edition_file(
    folder: Path, strips: list[str], count: int = 20, name: str = "mine", numbers: str = "[6, 3, 6, 3]"
) -> Path:
    file = folder / "mine.toml"
    board = f"[board]\nside = {len(strips) // 2}\ntokens = 4\ntriangles = {strips}\n"
    rhombi = f"[rhombi]\nchurch = {{ count = {count}, numbers = {numbers} }}\n"
    file.write_text(HEAD.format(id=name) + board + rhombi, encoding="utf-8")
    return file


WHOLE = ["PGPPG", "PCPPCPP", "PPGPPGP", "PPCPP"]


def test_list_names_all_that_ship() -> None:
    result = run("edition", "list")
    assert result.code == 0
    for model in (CronbergEdition, DrunterEdition):
        for name in model.shipped():
            assert f" {name} " in result.out
            assert model.find(name).sha256[:12] in result.out


def test_an_edition_that_ships_is_described() -> None:
    result = run("edition", "check", "cronberg-1726")
    assert result.code == 0
    edition = CronbergEdition.find("cronberg-1726")
    assert edition.sha256 in result.out
    assert "triangles  54: " in result.out
    assert "crossings  37" in result.out
    assert "places     72" in result.out
    assert "rhombi     28" in result.out
    assert " 3 × cemetery   −8  −4  −8  −4" in result.out
    assert "note:" not in result.out


def test_several_at_once(tmp_path: Path) -> None:
    result = run("edition", "check", "cronberg-quarters", edition_file(tmp_path, WHOLE))
    assert result.code == 0
    assert "cronberg-quarters: right" in result.out
    assert "mine: right" in result.out


@pytest.mark.parametrize(
    ("strips", "count", "name", "note"),
    [
        (WHOLE, 11, "mine", "11 rhombi are fewer than the 12 that fit: when the last is placed"),
        (["P.PPG", "P..PCPP", "PPGPPGP", "PPCPP"], 20, "mine", "isolated, so activated from the start (C7.1): A1"),
        (
            ["G.PPG", "P..PCPP", "PPGPPGP", "PPCPP"],
            20,
            "mine",
            "guards A1 are active: no token ever goes on a1, b1, b2",
        ),
        (["P....", ".......", ".......", "....."], 1, "mine", "no two triangles share an edge"),
        (WHOLE, 20, "cronberg-1726", "an edition that ships has the id cronberg-1726 too"),
    ],
)
def test_what_is_worth_knowing(strips: list[str], count: int, name: str, note: str, tmp_path: Path) -> None:
    result = run("edition", "check", edition_file(tmp_path, strips, count, name))
    assert result.code == 0
    assert f"note: {note}" in result.out


def test_an_edition_with_enough_rhombi_has_no_note(tmp_path: Path) -> None:
    assert "note:" not in run("edition", "check", edition_file(tmp_path, WHOLE, 12)).out


@pytest.mark.parametrize(
    ("strips", "numbers", "said"),
    [
        (WHOLE[:-1], "[6, 3, 6, 3]", "board"),
        (["PGPP", *WHOLE[1:]], "[6, 3, 6, 3]", "strip A) is 4 long; right would be: 5 (C1.1)"),
        (["PGPPX", *WHOLE[1:]], "[6, 3, 6, 3]", "has 'X' at 5; right would be: one of"),
        (WHOLE, "[6, 3, 6]", "has 3 numbers; right would be: 4"),
        (WHOLE, "[6, 3, 6, 0]", "is 0; right would be: a number from -8 to 8 without 0 (C1.4)"),
    ],
)
def test_a_broken_edition_is_told_with_its_place(strips: list[str], numbers: str, said: str, tmp_path: Path) -> None:
    file = edition_file(tmp_path, strips, numbers=numbers)
    result = run("edition", "check", file)
    assert result.code == 1
    assert result.err.startswith(f"embertown: {file}: ")
    assert said in result.err
    assert result.err.count("\n") == 1


@pytest.mark.parametrize(
    "content", [b"", b"x = ", b"\xff", b"edition = 3", b'[edition]\nid = "a"\ngame = "chess"\nversion = 1\n']
)
def test_what_is_no_edition_is_told(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "x.toml"
    file.write_bytes(content)
    result = run("edition", "check", file)
    assert result.code == 1
    assert str(file) in result.err


def test_most_rhombi_of_the_board_of_the_box_c1_1() -> None:
    assert most_rhombi(CronbergEdition.find("cronberg-1726").layout) == 27


def test_most_rhombi_where_triangles_compete_for_a_neighbour() -> None:
    """B1, B3 and C2 share no edge with each other, only with B2: one rhomb fits."""
    board = Board([".....", "PPP....", ".......", "....."], 4, {"church": (1, (6, 3, 6, 3))})
    assert (len(board.places), most_rhombi(board)) == (2, 1)


# ---- Drunter & Drüber

SQUARES = ["W  .  I1 .  R", ".  S2 oo T3 .", ".  F1 .  C2 .", ".  M2 .  I3 .", "V  .  S1 .  W"]


def drunter_file(
    folder: Path, rows: list[str], tiles: str = "wall = [4, 0, 0]\nroad = [2, 0, 0]\nriver = [6, 0, 0]"
) -> Path:
    file = folder / "mine.toml"
    squares = "\n".join(rows)
    head = '[edition]\nid = "mine"\ngame = "drunter"\nversion = 1\n'
    file.write_text(f'{head}[board]\nsquares = """\n{squares}\n"""\n[tiles]\n{tiles}\n', encoding="utf-8")
    return file


def test_an_edition_of_drunter_that_ships_is_described() -> None:
    result = run("edition", "check", "schilda")
    assert result.code == 0
    assert DrunterEdition.find("schilda").sha256 in result.out
    for line in (
        "size       15 × 10 squares",
        "corners    A1 wall, O1 road, A10 river, O10 wall",
        "buildings  30",
        "  town-hall    1 on A6, 2 on N8, 3 on J2, 4 on E8, 5 on I5",
        "outhouses  17",
        "tiles      60 (of length 1, 2, 3)",
        "  wall         12  12   6",
        "players    2, 3 or 4",
    ):
        assert f"  {line}\n" in result.out
    assert "note:" not in result.out


@pytest.mark.parametrize(
    ("rows", "tiles", "note"),
    [
        (SQUARES, "wall = [4, 0, 0]", "there are no road tiles: nothing ever leaves E1 (D4.1)"),
        (SQUARES, "wall = [4, 0, 0]", "the tiles can't be dealt evenly to 3 players (D2.2)"),
        (
            ["W . . . R", *SQUARES[1:-1], "W . . . W"],
            "river = [12, 0, 0]",
            "no corner starts a river: its 12 tiles can never",
        ),
        (
            ["W . . . R", *SQUARES[1:-1], "W . . . W"],
            "wall = [11, 0, 0]\nriver = [1, 0, 0]",
            "no corner starts a river: its only tile can never be laid (D4.1)",
        ),
        (
            [row.replace("oo", ". ") for row in SQUARES],
            "wall = [4, 0, 0]",
            "there are no outhouses, so there is never a vote",
        ),
        (
            SQUARES,
            "wall = [4, 0, 0]",
            "the kinds are not worth the same, of 15 at most (D1.2): town-hall 3, fire-station 1",
        ),
        (
            [row.replace("M2", ". ") for row in SQUARES],
            "wall = [4, 0, 0]",
            "there is no museum: whoever draws that objective",
        ),
        (SQUARES, "wall = [0, 12, 12]", "the tiles need 60 squares and the board has 21: some are never laid (D7.1)"),
    ],
)
def test_what_is_worth_knowing_of_drunter(rows: list[str], tiles: str, note: str, tmp_path: Path) -> None:
    result = run("edition", "check", drunter_file(tmp_path, rows, tiles))
    assert result.code == 0, result.err
    assert f"note: {note}" in result.out


def test_a_broken_edition_of_drunter_is_told_with_its_place(tmp_path: Path) -> None:
    file = drunter_file(tmp_path, [SQUARES[0].replace("R", "X"), *SQUARES[1:]])
    result = run("edition", "check", file)
    assert result.code == 1
    assert "E1 is 'X'; right would be: W wall, R road or V river" in result.err
