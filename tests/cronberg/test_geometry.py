"""Geometry and artwork: with the facts they are all that a page needs, and they lie where our pictures have them."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings

from embertown.core.drawing import number
from embertown.core.errors import UnknownTheme
from embertown.core.theme import Theme
from embertown.cronberg.edition import CronbergEdition
from embertown.cronberg.game import CronbergGame, CronbergState
from embertown.cronberg.svg import symbols
from tests.conftest import JIT_OFF
from tests.cronberg import playthroughs
from tests.strategies import cronberg_editions

THEMES = Theme.shipped("embertown.cronberg")
OWN = Path(__file__).parents[1] / "editions" / "few-rhombi.toml"
EDITIONS: tuple[str | Path, ...] = (*CronbergEdition.shipped(), OWN)


def at(thing: dict[str, Any]) -> str:
    return f"translate({number(thing['x'])} {number(thing['y'])})"


# ---- the board


def check_geometry(game: CronbergGame) -> None:
    geometry, board = game.geometry(), game.board
    assert json.loads(json.dumps(geometry)) == geometry
    where = {crossing["name"]: (crossing["x"], crossing["y"]) for crossing in geometry["crossings"]}
    assert list(where) == list(board.crossings)
    assert [triangle["name"] for triangle in geometry["triangles"]] == list(board.triangles)
    left, top, width, height = geometry["view_box"]
    assert all(left < x < left + width and top < y < top + height for x, y in where.values())
    for triangle in geometry["triangles"]:
        corners = [where[name] for name in triangle["corners"]]
        sides = [math.dist(corners[i], corners[i - 1]) for i in range(3)]
        assert sides == pytest.approx([geometry["unit"]] * 3, abs=0.2)
        middle = [sum(axis) / 3 for axis in zip(*corners, strict=True)]
        assert (triangle["x"], triangle["y"]) == pytest.approx(middle, abs=0.1)
        assert triangle["points_up"] == (sum(y > triangle["y"] for _, y in corners) == 2)
    assert [tuple(place["on"]) for place in geometry["places"]] == [place.triangles for place in board.places]
    for place in geometry["places"]:
        check_place(place, where)
    assert [strip["name"] for strip in geometry["strips"]] == sorted({name[0] for name in board.triangles})


def check_place(place: dict[str, Any], where: dict[str, tuple[float, float]]) -> None:
    """The corners go clockwise from the one that a rhomb turned by so many degrees from upright points at."""
    x, y = place["x"], place["y"]
    turns = [math.degrees(math.atan2(where[name][0] - x, y - where[name][1])) % 360 for name in place["corners"]]
    assert turns == pytest.approx([(place["turn"] + 90 * corner) % 360 for corner in range(4)], abs=0.5)


@pytest.mark.parametrize("edition", EDITIONS)
def test_geometry_of_editions(edition: str | Path) -> None:
    game = CronbergGame(2, edition)
    check_geometry(game)
    geometry = game.geometry()
    assert (geometry["edition"], geometry["edition_sha256"]) == (game.edition.id, game.edition.sha256)
    for kind in geometry["kinds"]:
        rhomb = game.edition.rhombi[kind["name"]]
        assert (kind["count"], kind["numbers"]) == (rhomb.count, rhomb.numbers)
        assert set(kind["names"]) == {"en", "de", "fr"}
        assert kind["turning_matters"] == (rhomb.numbers[:2] != rhomb.numbers[2:])


@settings(max_examples=3 if JIT_OFF else 30)
@given(edition=cronberg_editions())
def test_geometry_of_random_editions(edition: dict[str, Any]) -> None:
    check_geometry(CronbergGame(2, edition))


def test_symbols_of_triangles_are_told_by_name() -> None:
    game = CronbergGame(2)
    names = {"P": "park", "G": "guard", "C": "coat", "-": "plain"}
    told = {triangle["name"]: triangle["symbol"] for triangle in game.geometry()["triangles"]}
    assert told == {name: names[symbol] for name, symbol in game.board.symbol_of.items()}


# ---- drawn from plain values


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", ["cronberg-1726-4", "cronberg-quarters-3"])
def test_facts_geometry_and_artwork_make_the_picture(name: str, theme: str) -> None:
    state = playthroughs.play(name)
    facts, picture = state.facts(), state.svg(theme=theme)
    geometry, artwork = state.game.geometry(), state.game.artwork(theme)
    assert geometry["wall"]["svg"] in picture
    for piece in (*rhombi(facts, geometry, artwork), *blocks(facts, geometry), *plazas(facts, geometry)):
        assert piece in picture
    assert picture.count('class="cb-rhomb"') - len(geometry["kinds"]) == len(facts["rhombi"]), "the others are stock"
    where = {crossing["name"]: crossing for crossing in geometry["crossings"]}
    for crossing, seat in facts["tokens"].items():
        symbol = artwork["seats"][seat]["symbol"]
        assert f'<g class="cb-token" transform="{at(where[crossing])}"><use href="#{symbol}"/>' in picture


def rhombi(facts: dict[str, Any], geometry: dict[str, Any], artwork: dict[str, Any]) -> list[str]:
    places = {tuple(place["on"]): place for place in geometry["places"]}
    found = []
    for laid in facts["rhombi"]:
        place, kind = places[tuple(laid["on"])], laid["kind"]
        turned = 1 if laid["head"] == place["corners"][2] else 0
        drawn = artwork["rhombi"][kind][str(place["turn"])][turned]
        found.append(drawn.replace(f'data-kind="{kind}"', f'data-kind="{kind}" transform="{at(place)}"'))
    return found


def blocks(facts: dict[str, Any], geometry: dict[str, Any]) -> list[str]:
    covered = {triangle for laid in facts["rhombi"] for triangle in laid["on"]}
    found = []
    for triangle in geometry["triangles"]:
        if triangle["name"] not in covered:
            where = at(triangle) + ("" if triangle["points_up"] else "rotate(180)")
            found.append(f'<use href="#cronberg-block-{triangle["symbol"]}" transform="{where}"/>')
            if triangle["name"] in facts["activated"]:
                found.append(f'<use href="#cronberg-glow" transform="{where}"/>')
    return found


def plazas(facts: dict[str, Any], geometry: dict[str, Any]) -> list[str]:
    found = []
    for crossing in geometry["crossings"]:
        symbol = "barred" if crossing["name"] in facts["barred"] else "plaza"
        moved = f' transform="{at(crossing)}"' if crossing["x"] or crossing["y"] else ""
        found.append(f'<use href="#cronberg-{symbol}"{moved}/>')
    return found


# ---- artwork


@pytest.mark.parametrize("theme", THEMES)
def test_artwork_holds_all_that_pictures_refer_to(theme: str) -> None:
    game = CronbergGame(4)
    artwork = game.artwork(theme)
    assert json.loads(json.dumps(artwork)) == artwork
    state: CronbergState = playthroughs.play("cronberg-1726-4")
    picture = state.svg(theme=theme)
    defined = {*artwork["symbols"], *re.findall(r'id="([^"]+)"', artwork["defs"])}
    assert set(re.findall(r'(?:href="|url\()#([^")]+)', picture)) <= defined
    assert {*artwork["pictures"].values(), *(seat["symbol"] for seat in artwork["seats"])} <= set(artwork["symbols"])


@pytest.mark.parametrize("theme", THEMES)
def test_nothing_is_lost_when_artwork_is_taken_apart(theme: str) -> None:
    game = CronbergGame(2)
    artwork, whole = game.artwork(theme), symbols(game.board, theme=theme)
    parts = [*artwork["symbols"].values(), artwork["defs"], artwork["style"]]
    assert all(part in whole for part in (*artwork["symbols"].values(), artwork["style"]))
    frame = "<defs><style></style></defs>"
    assert sorted("".join(["".join(parts), frame]).replace("\n", "")) == sorted(whole.replace("\n", ""))
    for name, symbol in artwork["symbols"].items():
        assert ElementTree.fromstring(symbol).get("id") == name
    ElementTree.fromstring(f"<defs>{artwork['defs']}</defs>")


def test_a_theme_brings_its_colours_and_names() -> None:
    artwork = CronbergGame(2).artwork("beach")
    theme = Theme.find("embertown.cronberg", "beach")
    assert (artwork["day"], artwork["night"], artwork["classes"]) == (theme.day, theme.night, "cronberg beach")
    assert artwork["names"]["church"]["en"] == "ice-cream stall"
    assert artwork["pictures"]["church"] == "cronberg-art-ice-cream-stall"
    assert CronbergGame(2).artwork()["theme"] == "town"
    assert CronbergGame(2).artwork()["names"]["city-hall"]["de"] == "Rathaus"


def test_an_unknown_theme_is_refused() -> None:
    with pytest.raises(UnknownTheme):
        CronbergGame(2).artwork("moon")
