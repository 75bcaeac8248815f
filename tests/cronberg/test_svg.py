"""The drawing: well-formed, self-contained, complete, and safe whatever the names are."""

import re
import tomllib
from collections import Counter
from importlib import resources
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from embertown.core.drawing import signed
from embertown.core.jit import next_random, popcount
from embertown.core.theme import Theme
from embertown.cronberg import playout, rules, svg_parts
from embertown.cronberg.board import Board
from embertown.cronberg.rules import POSITION, Phase, Position
from embertown.cronberg.svg import draw, symbols
from embertown.cronberg.svg_style import PEN, dress_of
from tests.strategies import cronberg_editions

SVG = "{http://www.w3.org/2000/svg}"
EDITIONS = ("cronberg-1726", "cronberg-quarters")
THEMES = Theme.shipped("embertown.cronberg")
HOSTILE = ("<script>alert('&\"')</script>", "x" * 200, "\x00]]>\u202e\n", "漢字の長い名前がここにあります")


def edition(name: str) -> dict[str, Any]:
    file = resources.files("embertown.cronberg") / "editions" / f"{name}.toml"
    return tomllib.loads(file.read_text("utf-8"))


def board_of(found: dict[str, Any]) -> Board:
    rhombi = {kind: (rhomb.get("count", 1), rhomb["numbers"]) for kind, rhomb in found["rhombi"].items()}
    return Board(found["board"]["triangles"], found["board"]["tokens"], rhombi)


def played(board: Board, steps: int, players: int = 4, seed: int = 7) -> Position:
    """A position after some steps at random; every draw and every placement is a step."""
    position: Position = np.zeros(1, POSITION)[0]
    rules.set_up(board.arrays, position, players, 0)
    state = np.uint64(seed)
    for _ in range(steps):
        if rules.is_over(position):
            break
        state = np.uint64(next_random(state))
        if position.phase == Phase.CHANCE:
            rules.apply_outcome(position, playout.random_outcome(board.arrays, position, state))
        else:
            rules.apply(board.arrays, position, playout.random_action(board.arrays, position, state))
    return position


def parsed(picture: str) -> ET.Element:
    root = ET.fromstring(picture)
    ids = Counter(found for element in root.iter() if (found := element.get("id")))
    assert max(ids.values()) == 1
    references = set(re.findall(r"url\(#([^)]*)\)", picture)) | set(re.findall(r'href="#([^"]*)"', picture))
    assert references <= set(ids)
    assert all(name.startswith("cronberg-") for name in ids)
    assert "http" not in picture.replace("http://www.w3.org/2000/svg", "")
    return root


def of_class(root: ET.Element, name: str) -> list[ET.Element]:
    return [element for element in root.iter() if name in element.get("class", "").split()]


def texts(element: ET.Element) -> list[str]:
    return ["".join(text.itertext()) for text in element.iter(f"{SVG}text")]


def rhombi_on_board(root: ET.Element) -> list[ET.Element]:
    return [group for group in of_class(root, "cb-rhomb") if group.get("transform")]


BOARDS = {name: board_of(edition(name)) for name in EDITIONS}


@pytest.mark.parametrize("steps", [0, 35, 60, 1000])
@pytest.mark.parametrize("name", EDITIONS)
def test_a_position_is_drawn_whole(name: str, steps: int) -> None:
    board = BOARDS[name]
    position = played(board, steps)
    root = parsed(picture := draw(board, position, names=["Karl", "Ulla", "Gerd", "Anne"], labels=True))
    assert len(picture.encode()) < 200_000
    assert len(of_class(root, "cb-token")) == sum(popcount(mask) for mask in position.tokens)
    assert len(rhombi_on_board(root)) == position.placed
    for group, kind in zip(rhombi_on_board(root), position.rhombi, strict=False):
        shown = [int(text.replace("\N{MINUS SIGN}", "-")) for text in texts(group)]
        assert sorted(shown) == sorted(board.numbers[kind])
        assert group.get("data-kind") == board.kinds[kind]
    for score in position.scores:
        assert signed(int(score)) in texts(root)


def test_every_number_stands_in_its_corner() -> None:
    """Each number counts for the crossing that it is nearest to: the sums are those of the rules (C6.3)."""
    board = BOARDS["cronberg-quarters"]
    position = played(board, 1000, players=3, seed=4)
    sums: Counter[str] = Counter()
    for group in rhombi_on_board(parsed(draw(board, position))):
        middle = [float(part) for part in re.findall(r"-?[\d.]+", group.get("transform", ""))]
        near = sorted(board.crossings, key=lambda name: _distance(board, name, middle))[:4]
        for text in group.iter(f"{SVG}text"):
            size = float(text.get("font-size", "0"))
            at = middle[0] + float(text.get("x", "0")), middle[1] + float(text.get("y", "0")) - 0.34 * size
            corner = min(near, key=lambda name: _distance(board, name, at))
            sums[corner] += int((text.text or "").replace("\N{MINUS SIGN}", "-"))
    assert [sums[name] for name in board.crossings] == list(position.sums[: len(board.crossings)])


def _distance(board: Board, crossing: str, at: Any) -> float:
    x, y = svg_parts.place(board, crossing)
    return float((x - at[0]) ** 2 + (y - at[1]) ** 2)


@settings(max_examples=40, deadline=None)
@given(
    found=cronberg_editions(),
    steps=st.integers(0, 80),
    players=st.integers(2, 4),
    night=st.booleans(),
    theme=st.sampled_from(THEMES),
)
def test_any_edition_can_be_drawn(found: dict[str, Any], steps: int, players: int, night: bool, theme: str) -> None:
    board = board_of(found)
    if len(board.crossings) > 64:
        return
    position = played(board, steps, players)
    marks = [*board.triangles, *board.crossings]
    root = parsed(draw(board, position, night=night, labels=True, marks=marks, theme=theme))
    assert len(of_class(root, "cb-token")) == sum(popcount(mask) for mask in position.tokens)
    assert len(rhombi_on_board(root)) == position.placed


@given(found=cronberg_editions())
@settings(max_examples=60, deadline=None)
def test_the_wall_follows_every_edge_with_one_triangle(found: dict[str, Any]) -> None:
    board = board_of(found)
    sides = Counter(frozenset(corners) - {corner} for corners in board.corners_of.values() for corner in corners)
    rings = svg_parts.outline(board)
    walked = [frozenset(pair) for ring in rings for pair in zip(ring, [*ring[1:], ring[0]], strict=True)]
    assert Counter(walked) == Counter(side for side, count in sides.items() if count == 1)


def test_hostile_names_are_shown_harmlessly() -> None:
    board = BOARDS["cronberg-1726"]
    picture = draw(board, played(board, 30), names=HOSTILE, title=HOSTILE[0], subtitle=HOSTILE[2])
    root = parsed(picture)
    assert "<script" not in picture
    assert not list(root.iter(f"{SVG}script"))
    assert all(len(text) <= 60 for text in texts(root))
    assert "xxxx…" in picture


def test_same_position_same_picture_and_two_on_a_page() -> None:
    board = BOARDS["cronberg-1726"]
    assert draw(board, played(board, 40)) == draw(board, played(board, 40))
    assert symbols(board) in draw(board, played(board, 20))
    parsed(f'<svg xmlns="http://www.w3.org/2000/svg">{symbols(board)}</svg>')


def test_night_width_marks_and_languages_change_the_picture() -> None:
    board = BOARDS["cronberg-1726"]
    position = played(board, 40)
    day = draw(board, position)
    others = [
        draw(board, position, night=True),
        draw(board, position, width=700),
        draw(board, position, marks=["A1", "a1", "no such place"]),
        draw(board, position, language="de"),
        draw(board, position, labels=True),
        draw(board, position, theme="beach"),
    ]
    assert len({day, *others}) == 7
    assert 'class="cronberg town night"' in others[0]
    assert ' width="700" height="' in others[1]
    assert draw(board, position, language="tlh") == day


def test_who_is_to_act_and_who_won() -> None:
    board = BOARDS["cronberg-1726"]
    position = played(board, 10, players=2)
    name = ("Karl", "Ulla")[position.seat]
    assert f"{name} " in " ".join(texts(parsed(draw(board, position, names=["Karl", "Ulla"]))))
    over = played(board, 1000, players=2)
    over.scores[:2] = (12, 12)
    assert "Karl and Ulla share the win" in draw(board, over, names=["Karl", "Ulla"])
    over.scores[:2] = (-3, 131)
    picture = draw(board, over, names=["Karl", "Ulla"])
    assert "Ulla wins" in picture
    assert {"\N{MINUS SIGN}3", "131"} <= set(texts(parsed(picture)))
    assert {"\N{MINUS SIGN}60", "+120"} <= set(texts(parsed(picture))), "the rounds of the track"


def test_it_says_in_words_what_it_shows() -> None:
    board = BOARDS["cronberg-1726"]
    position = played(board, 40)
    root = parsed(draw(board, position, names=["Karl"]))
    assert root.get("role") == "img"
    assert root.findtext(f"{SVG}title") == "Cronberg"
    told = root.findtext(f"{SVG}desc") or ""
    assert "Karl: 0 points" in told
    place = board.places[int(position.where[0]) // 2]
    assert "+".join(place.triangles) in told


@pytest.mark.parametrize("name", EDITIONS)
def test_every_building_has_its_own_picture(name: str) -> None:
    pictures = [PEN.art(kind) for kind in edition(name)["rhombi"]]
    assert all(pictures)
    assert len({picture.split(">", 1)[1] for picture in pictures}) == len(pictures)
    for kind, picture in zip(edition(name)["rhombi"], pictures, strict=True):
        assert ET.fromstring(picture).get("id") == f"cronberg-art-{kind}"


def test_beach_has_its_own_pictures_and_falls_back_where_it_has_none() -> None:
    dress = dress_of("beach")
    kinds = edition("cronberg-1726")["rhombi"]
    assert not {svg_parts.art_of(kind, dress) for kind in kinds} & {*kinds, svg_parts.GENERIC}
    assert svg_parts.art_of("courthouse", dress) == "courthouse"
    assert svg_parts.art_of("stable", dress) == svg_parts.GENERIC


def test_names_come_from_the_theme_then_the_edition() -> None:
    board = BOARDS["cronberg-1726"]
    position = played(board, 40)
    called = {"city-hall": "Town <hall>", "church": "Minster", "market": "Fair"}
    town, beach = (draw(board, position, theme=theme, called=called) for theme in ("town", "beach"))
    assert "Town &lt;hall&gt;" in town
    assert "Minster" in town
    assert "Minster" not in beach
    assert "Ice-cream stall" in beach
    assert "Cronberg-sur-Mer" in draw(board, position, theme="beach", language="fr")


@pytest.mark.parametrize("theme", THEMES)
def test_pictures_use_only_colours_of_the_theme(theme: str) -> None:
    known = set(Theme.find("embertown.cronberg", theme).day)
    for name, board in BOARDS.items():
        body = draw(board, played(board, 30), theme=theme).split("</style>")[1]
        used = {part for classes in re.findall(r'class="([^"]*)"', body) for part in classes.split()}
        assert {part[5:] for part in used if re.match(r"cb-[fs]-", part)} <= known, name


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("light", ["day", "night"])
@pytest.mark.parametrize(
    ("ink", "ground"),
    [
        *(("text", ground) for ground in ("paper", "card", "pebble")),
        *(("label", ground) for ground in ("park", "guard", "coat", "plain", "plaza")),
        *(
            ("faint", "paper"),
            ("ontower", "turret"),
            ("onyard", "court"),
            ("ongloom", "gloom"),
            ("onyard", "wall"),
        ),
    ],
)
def test_writing_stands_out(theme: str, light: str, ink: str, ground: str) -> None:
    colours = Theme.find("embertown.cronberg", theme).colours(night=light == "night")
    light_of = [_luminance(colours[name]) for name in (ink, ground)]
    assert (max(light_of) + 0.05) / (min(light_of) + 0.05) >= 4.5


def _luminance(colour: str) -> float:
    channels = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
