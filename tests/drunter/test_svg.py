"""The drawing: well-formed, self-contained, complete, safe whatever the names are, and silent about secrets."""

import random
import re
import tomllib
from collections import Counter
from collections.abc import Callable
from importlib import resources
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from embertown.core.drawing import Dress
from embertown.core.jit import next_random
from embertown.core.theme import Theme
from embertown.drunter import playout, rules, svg_parts
from embertown.drunter.board import BUILDINGS, KINDS, NOWHERE, STEPS, Board, Tile
from embertown.drunter.rules import CARDS, PASS, POSITION, UNKNOWN, Phase, Position
from embertown.drunter.svg import draw, proposal_of, symbols
from embertown.drunter.svg_style import PEN
from tests.strategies_drunter import drunter_games

SVG = "{http://www.w3.org/2000/svg}"
THEMES = Theme.shipped("embertown.drunter")
HOSTILE = ("<script>alert('&\"')</script>", "x" * 200, "\x00]]>\u202e\n", "漢字の長い名前がここにあります")
NAMES = ("Karl", "Ulla", "Gerd", "Anne")
FOREVER = 2000


def board_of(found: dict[str, Any]) -> Board:
    return Board([line.split() for line in found["board"]["squares"].strip().splitlines()], found["tiles"])


def schilda() -> Board:
    file = resources.files("embertown.drunter") / "editions" / "schilda.toml"
    return board_of(tomllib.loads(file.read_text("utf-8")))


BOARD = schilda()
Stop = Callable[[Position], bool]


def started(board: Board = BOARD, players: int = 4, seed: int = 1, **options: int) -> Position:
    """A position at the start, dealt at random."""
    position: Position = np.zeros(1, POSITION)[0]
    for option, value in options.items():
        position[option] = value
    chance = random.Random(seed)
    for length in range(3):
        pool = [row for row, kind in enumerate(KINDS) for _ in range(board.tiles[kind][length])]
        chance.shuffle(pool)
        for place, row in enumerate(pool):
            position.tiles[place % players, row, length] += 1
    each = 2 if position.variant else 1
    cards = list(range(len(rules.OBJECTIVES) if position.variant else len(BUILDINGS)))
    chance.shuffle(cards)
    position.objectives[:] = UNKNOWN
    for seat in range(players):
        position.objectives[seat, :each] = cards[seat * each : (seat + 1) * each]
    rules.set_up(board.arrays, position, players, 0)
    return position


def tile_of(board: Board, position: Position, action: int) -> Tile:
    """The tile that an action would lay here."""
    rest, more = divmod(action, 3)
    gang, direction = divmod(rest, 4)
    first, step = int(rules.first_square(position, gang, direction)), STEPS[direction]
    squares = tuple(board.square_of[first + step * count] for count in range(more + 1))
    under = tuple(board.square_of[square] for square in range(int(position.gangs[gang]) + step, first, step))
    return Tile(board.kind_of_gang[board.gangs[gang]], board.gangs[gang], squares, under)


def play_on(
    board: Board, position: Position, steps: int = FOREVER, seed: int = 7, until: Stop | None = None
) -> list[Tile]:
    """Play at random; the tiles laid."""
    laid: list[Tile] = []
    state = np.uint64(seed)
    for _ in range(steps):
        if rules.is_over(position) or (until is not None and until(position)):
            break
        state = np.uint64(next_random(state))
        seat = rules.first_waiting(position)
        action = int(playout.random_action(board.arrays, position, seat, state))
        lays = action if action < PASS else int(position.proposal)
        tile = tile_of(board, position, lays) if lays >= 0 else None
        left = position.tiles.sum()
        rules.apply(board.arrays, position, seat, action)
        if tile is not None and position.tiles.sum() < left:
            laid.append(tile)
    return laid


def in_phase(phase: Phase, **options: int) -> tuple[Position, list[Tile]]:
    """A position in this phase; in a vote, the first has voted."""
    for seed in range(1, 100):
        position = started(BOARD, 4, seed, **options)
        laid = play_on(BOARD, position, seed=seed, until=lambda now: now.phase == phase and len(set(now.gangs)) > 2)
        if position.phase == phase:
            return position, laid
    raise AssertionError(phase)


def parsed(picture: str) -> ET.Element:
    root = ET.fromstring(picture)
    ids = Counter(found for element in root.iter() if (found := element.get("id")))
    assert max(ids.values()) == 1
    references = set(re.findall(r"url\(#([^)]*)\)", picture)) | set(re.findall(r'href="#([^"]*)"', picture))
    assert references <= set(ids)
    assert all(name.startswith("drunter-") for name in ids)
    assert "http" not in picture.replace("http://www.w3.org/2000/svg", "")
    return root


def of_class(root: ET.Element, name: str) -> list[ET.Element]:
    return [element for element in root.iter() if name in element.get("class", "").split()]


def texts(element: ET.Element) -> list[str]:
    return ["".join(text.itertext()) for text in element.iter(f"{SVG}text")]


def body(picture: str) -> str:
    """A drawing without its symbols."""
    return picture.partition("<defs>")[0] + picture.partition("</defs>")[2]


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("steps", [0, 20, 60, FOREVER])
@pytest.mark.parametrize("players", [2, 4])
def test_a_position_is_drawn_whole(players: int, steps: int, theme: str) -> None:
    position = started(players=players)
    laid = play_on(BOARD, position, steps)
    root = parsed(picture := draw(BOARD, position, laid, names=NAMES, labels=True, theme=theme))
    assert len(picture.encode()) < 200_000
    covered = {square for tile in laid for square in tile.squares}
    standing = {square: lot for square, lot in BOARD.buildings.items() if square not in covered}
    shown = Counter((house.get("data-kind"), texts(house)[0]) for house in of_class(root, "dr-building"))
    assert shown == Counter((kind, str(value)) for kind, value in standing.values())
    assert len(of_class(root, "dr-outhouse")) == len(set(BOARD.outhouses) - covered)
    assert len(of_class(root, "dr-buried")) == len(covered & {*BOARD.buildings, *BOARD.outhouses})
    there = [corner for corner, place in zip(BOARD.gangs, position.gangs, strict=True) if place != NOWHERE]
    assert [cart.get("data-gang") for cart in of_class(root, "dr-gang")] == there
    assert len(of_class(root, "dr-blocked")) == 4 - len(there)
    assert len(of_class(root, "dr-plate")) == players
    for kind in KINDS:
        plaque = f'href="#drunter-plaque-{Dress.of(PEN, theme).picture(kind)}"'
        assert picture.count(plaque) == sum(tile.kind == kind for tile in laid) + _proposes(position, kind)


def _proposes(position: Position, kind: str) -> bool:
    tile = proposal_of(BOARD, position)
    return tile is not None and tile.kind == kind


@settings(max_examples=40, deadline=None)
@given(
    game=drunter_games(),
    steps=st.integers(0, 120),
    night=st.booleans(),
    theme=st.sampled_from(THEMES),
    language=st.sampled_from(["en", "de", "fr"]),
)
def test_any_edition_can_be_drawn(game: dict[str, Any], steps: int, night: bool, theme: str, language: str) -> None:
    board = board_of(game["edition"])
    position = started(board, game["players"], **{option: int(on) for option, on in game["options"].items()})
    laid = play_on(board, position, steps)
    how: dict[str, Any] = {"night": night, "theme": theme, "language": language}
    root = parsed(draw(board, position, laid, labels=True, marks=board.squares, **how))
    assert len(of_class(root, "dr-gang")) == sum(place != NOWHERE for place in position.gangs)


def test_paths_hang_together() -> None:
    """A tile leads on to where the next one of its path starts."""
    position = started(players=3, seed=1, variant=1)
    laid = play_on(BOARD, position)
    for at in svg_parts.placed(BOARD, laid):
        onward = [tile for tile in laid[laid.index(at.tile) + 1 :] if tile.gang == at.tile.gang]
        assert at.after == (onward[0].squares[0] if onward else None)
        leads = svg_parts.exit_of(BOARD, at)
        assert (leads == svg_parts.OPEN) == (not onward)
    assert any(tile.under for tile in laid)
    assert any(len(tile.squares) == svg_parts.BRIDGE for tile in laid)


def test_hostile_names_are_shown_harmlessly() -> None:
    for phase in (Phase.LAYING, Phase.VOTING, Phase.JEEIIN):
        position, laid = in_phase(phase)
        picture = draw(BOARD, position, laid, names=HOSTILE)
        root = parsed(picture)
        assert "<script" not in picture
        assert not list(root.iter(f"{SVG}script"))
        assert all(len(text) <= 90 for text in texts(root))
        assert "xxxx…" in picture


def test_same_position_same_picture_and_two_on_a_page() -> None:
    laid = play_on(BOARD, position := started(), 50)
    assert play_on(BOARD, again := started(), 50) == laid
    assert draw(BOARD, position, laid) == draw(BOARD, again, laid)
    for theme in THEMES:
        shared = symbols(BOARD, theme=theme, night=True)
        assert shared in draw(BOARD, started(), [], theme=theme, night=True)
        parsed(f'<svg xmlns="http://www.w3.org/2000/svg">{shared}</svg>')


def test_night_theme_width_marks_and_languages_change_the_picture() -> None:
    position = started()
    laid = play_on(BOARD, position, 30)
    day = draw(BOARD, position, laid)
    others = [
        draw(BOARD, position, laid, night=True),
        draw(BOARD, position, laid, width=700),
        draw(BOARD, position, laid, marks=["A2", "no such place"]),
        draw(BOARD, position, laid, language="de"),
        draw(BOARD, position, laid, labels=True),
        draw(BOARD, position, laid, theme="old-west"),
    ]
    assert len({day, *others}) == 7
    assert 'class="drunter schilda night"' in others[0]
    assert ' width="700" height="' in others[1]
    assert {"Crooked Creek", "Yeeep"} <= set(texts(parsed(others[5])))
    assert draw(BOARD, position, laid, language="tlh") == day


# ---- secrets


def test_objectives_that_are_not_known_lie_face_down() -> None:
    position = started(variant=1)
    laid = play_on(BOARD, position, 10)
    known = draw(BOARD, position, laid)
    assert body(known).count('href="#drunter-goal-back"') == 0
    drawn = set()
    for shift in (0, 1):
        other = started(variant=1)
        play_on(BOARD, other, 10)
        other.objectives[1:] = np.roll(other.objectives[1:], shift)
        other.objectives[1:] = UNKNOWN
        drawn.add(draw(BOARD, other, laid))
    assert len(drawn) == 1
    hidden = drawn.pop()
    assert body(hidden).count('href="#drunter-goal-back"') == 6
    assert hidden.count("secret") == 6


def test_no_chosen_objective_is_told_before_it_is_known() -> None:
    position, laid = in_phase(Phase.CHOOSING, variant=1)
    position.chosen[:] = (UNKNOWN, UNKNOWN, rules.HIDDEN, UNKNOWN)
    position.objectives[2] = UNKNOWN
    picture = draw(BOARD, position, laid, names=NAMES)
    assert "Choosing an objective: Karl and Ulla and Anne" in texts(parsed(picture))
    assert body(picture).count('href="#drunter-pin"') == 0
    assert body(picture).count('href="#drunter-goal-back"') == 2
    position.chosen[0] = position.objectives[0, 1]
    assert body(draw(BOARD, position, laid)).count('href="#drunter-pin"') == 1


def test_a_vote_under_way_shows_who_voted_and_never_what() -> None:
    position, laid = in_phase(Phase.VOTING)
    position.votes[:] = 0
    drawn = set()
    for cards in range(1, 256):
        position.votes[1] = cards
        drawn.add(draw(BOARD, position, laid, names=NAMES))
    assert len(drawn) == 1
    root = parsed(picture := drawn.pop())
    assert len(of_class(root, "dr-ballot")) == 1
    assert len(of_class(root, "dr-ghost")) == 1
    assert not of_class(root, "dr-card-played")
    assert "Voted: Ulla." in picture
    tile = proposal_of(BOARD, position)
    assert tile is not None
    assert set(tile.squares) & set(BOARD.outhouses)


def test_after_the_reveal_the_cards_are_seen() -> None:
    position, laid = in_phase(Phase.JEEIIN)
    root = parsed(draw(BOARD, position, laid, names=NAMES))
    played = Counter(card.get("data-card") for card in of_class(root, "dr-card-played"))
    cards = [("blank" if card == "?" else card, 1 << index) for index, card in enumerate(CARDS)]
    assert played == Counter(name for name, bit in cards for vote in position.votes if int(vote) & bit)
    assert played["jeeiin"] >= 1
    assert len(of_class(root, "dr-ghost")) == 1
    position.said[rules.next_to_say(position)] = 1
    yes, no = rules.yes_votes(position), rules.no_votes(position)
    assert f"yes {yes} : {no} no" in draw(BOARD, position, laid)


def test_cards_held_and_gone() -> None:
    position = started()
    position.hands[0] = 0b0100_0001
    root = parsed(draw(BOARD, position, [], names=NAMES))
    plate = of_class(root, "dr-plate")[0]
    assert [card.get("data-card") for card in of_class(plate, "dr-card-held")] == ["ja", "blank"]
    assert len(of_class(plate, "dr-card-gone")) == 6


# ---- in words, in the end


def test_who_is_to_act_and_who_won() -> None:
    position = started(players=2)
    assert "Karl to move" in draw(BOARD, position, [], names=NAMES)
    laid = play_on(BOARD, position)
    assert "wins" in draw(BOARD, position, laid, names=NAMES) or "share" in draw(BOARD, position, laid, names=NAMES)
    position.scores[:2] = (12, 12)
    assert "Karl and Ulla share the win" in draw(BOARD, position, laid, names=NAMES)
    position.scores[:2] = (3, 15)
    picture = draw(BOARD, position, laid, names=NAMES)
    assert "Ulla wins" in picture
    assert {"3", "15"} <= set(texts(parsed(picture)))


@pytest.mark.parametrize("score", [3, 15, 131])
def test_the_winners_sign_stands_clear_of_the_score(score: int) -> None:
    position = started(players=2)
    laid = play_on(BOARD, position)
    position.scores[:2] = (score, 0)
    plate = of_class(parsed(draw(BOARD, position, laid, names=NAMES)), "dr-plate")[0]
    number = next(each for each in plate.iter(f"{SVG}text") if each.text == str(score))
    cap = next(each for each in plate.iter(f"{SVG}use") if each.get("href") == "#drunter-cap")
    found = re.search(r"translate\(([\d.]+)", cap.get("transform", "")) or re.match(r"([\d.]+)", cap.get("x", ""))
    assert found is not None
    half, digit = 36, 0.5  # of the cap; how wide a digit is at least
    assert float(found[1]) + half < float(number.get("x", "")) - digit * float(number.get("font-size", "")) * len(
        str(score)
    )


@pytest.mark.parametrize("variant", [0, 1])
@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_all_objectives_are_written_alike(variant: int, language: str) -> None:
    root = parsed(draw(BOARD, started(variant=variant), [], names=NAMES, language=language))
    written = [text for card in of_class(root, "dr-goal") for text in card.iter(f"{SVG}text")]
    assert len({text.get("font-size") for text in written}) == 1


def test_in_the_end_tokens_stand_on_what_counts() -> None:
    position = started(variant=1, seed=3)
    laid = play_on(BOARD, position)
    root = parsed(draw(BOARD, position, laid, names=NAMES))
    counted = Counter(texts(token)[0] for token in of_class(root, "dr-scored"))
    for seat, letter in enumerate("KUGA"):
        objective = int(position.chosen[seat])
        worth = [
            rules.counts_for(BOARD.arrays, position, objective, BUILDINGS.index(kind), value)
            for kind, value in BOARD.buildings.values()
        ]
        assert counted[letter] == sum(worth)


def test_it_says_in_words_what_it_shows() -> None:
    position = started()
    laid = play_on(BOARD, position, 30)
    root = parsed(draw(BOARD, position, laid, names=NAMES))
    assert root.get("role") == "img"
    assert root.findtext(f"{SVG}title") == "Schilda"
    told = root.findtext(f"{SVG}desc") or ""
    assert "Karl: tiles" in told
    assert all(tile.squares[0] in told for tile in laid)


# ---- pictures and colours


@pytest.mark.parametrize("theme", THEMES)
def test_everything_has_its_own_picture(theme: str) -> None:
    files = svg_parts.pictures(Dress.of(PEN, theme))
    assert len(files) == len(BUILDINGS) + 2 + len(KINDS)
    pictures = [PEN.art(file) for file in files]
    assert all(pictures)
    assert len({picture.split(">", 1)[1] for picture in pictures}) == len(pictures)
    assert [ET.fromstring(picture).get("id") for picture in pictures] == [f"drunter-art-{file}" for file in files]


def test_the_old_west_shares_only_the_outhouse() -> None:
    west, home = (svg_parts.pictures(Dress.of(PEN, theme)) for theme in ("old-west", "schilda"))
    assert set(west) & set(home) == {"outhouse"}


@pytest.mark.parametrize("theme", THEMES)
def test_pictures_use_only_colours_of_the_theme(theme: str) -> None:
    known = set(Theme.find("embertown.drunter", theme).day)
    position, laid = in_phase(Phase.JEEIIN)
    text = draw(BOARD, position, laid, theme=theme).split("</style>")[1]
    used = {name for classes in re.findall(r'class="([^"]*)"', text) for name in classes.split()}
    assert {name[5:] for name in used if re.match(r"dr-[fs]-", name)} <= known


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("light", ["day", "night"])
@pytest.mark.parametrize(
    ("ink", "ground"),
    [
        *(("text", ground) for ground in ("paper", "plate")),
        *(("on" + ground, ground) for ground in ("fence", "sign", "yes", "no", "blank", "both", "goal", "back")),
        *(("faint", "paper"), ("label", "meadow")),
    ],
)
def test_writing_stands_out(theme: str, light: str, ink: str, ground: str) -> None:
    colours = Theme.find("embertown.drunter", theme).colours(night=light == "night")
    light_of = [_luminance(colours[name]) for name in (ink, ground)]
    assert (max(light_of) + 0.05) / (min(light_of) + 0.05) >= 4.5


def _luminance(colour: str) -> float:
    channels = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
