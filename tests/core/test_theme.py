"""Themes: names in three languages, the same colours by day and by night, pictures that exist."""

from typing import Any

import pytest

from embertown.core.drawing import Dress, Pen
from embertown.core.errors import MalformedFile, UnknownTheme
from embertown.core.files import validate
from embertown.core.locale import LANGUAGES, catalogue
from embertown.core.theme import Theme

ROOMS = {"cronberg": "embertown.cronberg", "drunter": "embertown.drunter"}
WORN = [(game, theme) for game, room in ROOMS.items() for theme in Theme.shipped(room)]


def theme_file() -> dict[str, Any]:
    said = {"en": "Town", "de": "Stadt", "fr": "Ville"}
    return {
        "theme": {"id": "plain", "game": "cronberg", "version": 1},
        "title": said,
        "names": {"park": said},
        "day": {"paper": "#ffffff"},
        "night": {"paper": "#000000"},
        "art": {"church": "chapel"},
    }


def test_each_game_has_two_themes() -> None:
    assert WORN == [("cronberg", "beach"), ("cronberg", "town"), ("drunter", "old-west"), ("drunter", "schilda")]


@pytest.mark.parametrize(("game", "theme"), WORN)
def test_a_theme_is_what_its_file_says(game: str, theme: str) -> None:
    found = Theme.find(ROOMS[game], theme)
    assert (found.theme.id, found.theme.game) == (theme, game)
    assert found.colours() == found.day
    assert found.colours(night=True) == found.night


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("game", "theme"), WORN)
def test_every_piece_has_a_name_in_every_dress(game: str, theme: str, language: str) -> None:
    dress = Dress.of(Pen(ROOMS[game], game, ""), theme, language)
    pieces = {*catalogue(game, "en")["pieces"], *dress.theme.names}
    assert all(dress.name(piece) for piece in pieces)
    other = theme in ("beach", "old-west")
    assert set(catalogue(game, "en")["pieces"]) <= set(dress.theme.names) or not other


@pytest.mark.parametrize("section", ["pieces", "drawing"])
@pytest.mark.parametrize("game", ROOMS)
def test_catalogues_speak_of_the_same_things_in_all_languages(game: str, section: str) -> None:
    first, *others = (catalogue(game, language)[section] for language in LANGUAGES)
    assert all(list(first) == list(other) for other in others)


def test_names_come_from_the_theme_then_the_edition_then_the_catalogue() -> None:
    pen = Pen(ROOMS["cronberg"], "cronberg", "cb")
    assert Dress.of(pen, "beach", "en", {"park": "Common"}).name("park") == "palm grove"
    assert Dress.of(pen, "town", "en", {"park": "Common"}).name("park") == "Common"
    assert Dress.of(pen, "town", "de").name("park") == "Park"
    assert Dress.of(pen, "town", "de").name("corn-exchange") == "corn exchange"
    assert Dress.of(pen, "town", "tlh").words == Dress.of(pen, "town").words


def test_an_unknown_theme_names_those_there_are() -> None:
    for name in ("Beach", "../themes/beach", "", "schilda"):
        with pytest.raises(UnknownTheme, match="beach, town"):
            Theme.find(ROOMS["cronberg"], name)


@pytest.mark.parametrize(
    ("table", "key", "value"),
    [
        ("theme", "id", "No Id"),
        ("theme", "version", 2),
        ("title", "fr", ""),
        ("title", "fr", "Ville\x1b[2J"),
        ("day", "paper", "#fff"),
        ("day", "paper", "url(http://example.org)"),
        ("day", "ink", "#000000"),
        ("names", "park", {"en": "park"}),
        ("art", "church", "../chapel"),
        ("sounds", "bell", "ding"),
    ],
)
def test_a_malformed_theme_is_refused(table: str, key: str, value: object) -> None:
    data = theme_file()
    assert validate(Theme, data, "plain.toml").name_of("park", "de") == "Stadt"
    data.setdefault(table, {})[key] = value
    with pytest.raises(MalformedFile, match=r"plain\.toml"):
        validate(Theme, data, "plain.toml")
