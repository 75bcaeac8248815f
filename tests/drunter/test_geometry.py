"""Geometry and artwork: with the facts they are all that a page needs, and they lie where our pictures have them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings

from embertown.core.drawing import number
from embertown.core.errors import UnknownTheme
from embertown.core.theme import Theme
from embertown.drunter.game import DrunterGame
from embertown.drunter.svg import symbols
from tests.conftest import JIT_OFF
from tests.drunter import playthroughs
from tests.drunter.test_facts import WORTH
from tests.strategies_drunter import drunter_games

THEMES = Theme.shipped("embertown.drunter")
OWN = Path(__file__).parents[1] / "editions" / "hamlet.toml"
EDITIONS: tuple[str | Path, ...] = ("schilda", OWN)


# ---- the board


def check_geometry(game: DrunterGame) -> None:
    geometry, board = game.geometry(), game.board
    assert json.loads(json.dumps(geometry)) == geometry
    assert (geometry["edition"], geometry["edition_sha256"]) == (game.edition.id, game.edition.sha256)
    squares = {square["name"]: (square["x"], square["y"]) for square in geometry["squares"]}
    assert list(squares) == list(board.squares)
    for name, (x, y) in squares.items():
        column, row = ord(name[0]) - ord("A"), int(name[1:]) - 1
        assert (x, y) == ((column + 0.5) * geometry["unit"], (row + 0.5) * geometry["unit"])
    left, top, width, height = geometry["view_box"]
    assert left < 0
    assert top < 0
    assert (left + width, top + height) > (geometry["width"] * 100, geometry["height"] * 100)
    cells = dict(zip(board.squares, (cell for row in game.edition.board.rows for cell in row), strict=True))
    letters = {"town-hall": "T", "fire-station": "F", "school": "S", "inn": "I", "museum": "M", "church": "C"}
    told = {house["at"]: letters[house["kind"]] + str(house["value"]) for house in geometry["buildings"]}
    told |= dict.fromkeys(geometry["outhouses"], "oo")
    told |= {gang["name"]: {"wall": "W", "road": "R", "river": "V"}[gang["kind"]] for gang in geometry["gangs"]}
    assert told == {name: cell for name, cell in cells.items() if cell != "."}
    assert geometry["tiles"] == game.edition.tiles.model_dump()


@pytest.mark.parametrize("edition", EDITIONS)
def test_geometry_of_editions(edition: str | Path) -> None:
    check_geometry(DrunterGame(2, edition))


@settings(max_examples=3 if JIT_OFF else 30)
@given(game=drunter_games())
def test_geometry_of_random_editions(game: dict[str, Any]) -> None:
    check_geometry(DrunterGame(game["players"], game["edition"]))


def test_cards_tell_what_they_count() -> None:
    cards = {card["name"]: (card["yes"], card["no"]) for card in DrunterGame(2).geometry()["cards"]}
    assert cards == WORTH | {"jeeiin": (2, 2)}


# ---- drawn from plain values


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("decisions", [0, 60, 10_000])
def test_buildings_stand_where_pictures_have_them(theme: str, decisions: int) -> None:
    state = playthroughs.play("base-4", decisions)
    facts, picture = state.facts(), state.svg(theme=theme)
    geometry, artwork = state.game.geometry(), state.game.artwork(theme)
    where = {square["name"]: square for square in geometry["squares"]}
    houses = re.findall(r'<g class="dr-building" data-kind="([a-z-]+)" data-value="(\d)">(.*?)</g>', picture)
    drawn = {(kind, int(value)): content for kind, value, content in houses}
    standing = [house for house in geometry["buildings"] if house["at"] not in facts["covered"]]
    assert set(drawn) == {(house["kind"], house["value"]) for house in standing}
    for house in standing:
        content, square = drawn[house["kind"], house["value"]], where[house["at"]]
        assert f'href="#{artwork["pictures"][house["kind"]]}"' in content
        assert f" {number(square['x'])} {number(square['y'] + 40)})" in content, "it leans around its foot"
    assert picture.count('class="dr-buried"') == len(facts["covered"])
    assert picture.count('class="dr-gang"') == sum(square is not None for square in facts["gangs"].values())
    assert picture.count('class="dr-blocked"') == sum(square is None for square in facts["gangs"].values())
    assert artwork["meadow"] in picture


# ---- artwork


@pytest.mark.parametrize("theme", THEMES)
def test_artwork_holds_all_that_pictures_refer_to(theme: str) -> None:
    artwork = DrunterGame(4).artwork(theme)
    assert json.loads(json.dumps(artwork)) == artwork
    defined = {*artwork["symbols"], *re.findall(r'id="([^"]+)"', artwork["defs"])}
    for name in ("base-4", "variant-3"):
        for decisions in (40, 10_000):
            picture = playthroughs.play(name, decisions).svg(theme=theme)
            assert set(re.findall(r'(?:href="|url\()#([^")]+)', picture)) <= defined
    assert {*artwork["pictures"].values(), *(seat["symbol"] for seat in artwork["seats"])} <= set(artwork["symbols"])
    for path in artwork["paths"].values():
        assert {f"drunter-{piece}-{path}" for piece in ("run", "stub", "left", "right", "open")} <= defined


@pytest.mark.parametrize("theme", THEMES)
def test_nothing_is_lost_when_artwork_is_taken_apart(theme: str) -> None:
    game = DrunterGame(2)
    artwork, whole = game.artwork(theme), symbols(game.board, theme=theme)
    parts = [*artwork["symbols"].values(), artwork["defs"], artwork["style"], "<defs><style></style></defs>"]
    assert sorted("".join(parts).replace("\n", "")) == sorted(whole.replace("\n", ""))
    for name, symbol in artwork["symbols"].items():
        assert ElementTree.fromstring(symbol).get("id") == name
    ElementTree.fromstring(f"<defs>{artwork['defs']}</defs>")


def test_a_theme_brings_its_colours_and_names() -> None:
    artwork = DrunterGame(2).artwork("old-west")
    theme = Theme.find("embertown.drunter", "old-west")
    assert (artwork["day"], artwork["night"], artwork["classes"]) == (theme.day, theme.night, "drunter old-west")
    assert artwork["names"]["town-hall"]["de"] == "Saloon"
    assert DrunterGame(2).artwork()["names"]["town-hall"] == {
        "en": "town hall",
        "de": "Rathaus",
        "fr": "hôtel de ville",
    }
    cards = [card["piece"] for card in DrunterGame(2).geometry()["cards"]]
    assert set(cards) <= set(artwork["names"])


def test_an_unknown_theme_is_refused() -> None:
    with pytest.raises(UnknownTheme):
        DrunterGame(2).artwork("moon")
