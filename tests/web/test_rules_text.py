"""The rules page's texts: every rule of the manual with its number, in three languages that say the same."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from embertown.core.locale import catalogue
from tests.web.texts import GAMES, LANGUAGES, REFERENCE, WEB, known, read, rules, sections, stated, strings

EACH = pytest.mark.parametrize(("language", "game"), [(language, game) for language in LANGUAGES for game in GAMES])
NUMBER = re.compile(r"(?<![\w.])[−]?\d+(?!\.\d)")
TRANSLATED = pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
STEPS = range(5, 9)


def in_order(number: str) -> tuple[int, ...]:
    return tuple(int(part) for part in number[1:].split("."))


def test_the_manual_is_read() -> None:
    """Else all that follows would compare nothing."""
    assert (stated("cronberg")[0], stated("cronberg")[-1], len(sections("cronberg"))) == ("C1.1", "C8.5", 8)
    assert (stated("drunter")[0], stated("drunter")[-1], len(sections("drunter"))) == ("D1.1", "D9.5", 9)


@EACH
def test_every_rule_is_there_once_and_in_order(language: str, game: str) -> None:
    page = read("rules", language, game)
    numbers = [rule["id"] for part in page["sections"] for rule in part["rules"]]
    assert numbers == list(stated(game))
    assert [part["id"] for part in page["sections"]] == list(sections(game))
    assert all(in_order(first) < in_order(second) for first, second in pairwise(numbers))
    assert all(rule["id"].partition(".")[0] == part["id"] for part in page["sections"] for rule in part["rules"])


@pytest.mark.parametrize("game", GAMES)
def test_sections_are_called_as_in_the_manual(game: str) -> None:
    titles = {part["id"]: part["title"] for part in read("rules", "en", game)["sections"]}
    assert titles == sections(game)


@EACH
def test_nothing_is_empty_and_sentences_end(language: str, game: str) -> None:
    page = read("rules", language, game)
    told = [*rules(language, game).values(), page["intro"], *(step["text"] for step in page["short"])]
    assert [text for text in told if not re.search(r"[.!?)]$", text)] == []
    titles = [page["title"], *(part["title"] for part in [*page["sections"], *page["short"]])]
    assert all(title.strip() == title != "" for title in titles)


@EACH
@pytest.mark.parametrize("kind", ["rules", "tutorial"])
def test_markup_is_emphasis_and_references_alone(kind: str, language: str, game: str) -> None:
    """And what is emphasised stands between two asterisks, without a blank inside."""
    for text in strings(read(kind, language, game)):
        assert re.search(r"[<>`_\[\]{}#]|\*\*", text) is None, text
        assert "*" not in re.sub(r"\*\S(?:[^*]*\S)?\*", "", text), text


@EACH
@pytest.mark.parametrize("kind", ["rules", "tutorial"])
def test_references_lead_to_rules(kind: str, language: str, game: str) -> None:
    """Only with a dot is it a reference: C4 is a place in both games."""
    found = {number for text in strings(read(kind, language, game)) for number in REFERENCE.findall(text)}
    assert found
    assert found <= known()


@TRANSLATED
@pytest.mark.parametrize("game", GAMES)
def test_a_translated_rule_has_the_same_references_and_numbers(language: str, game: str) -> None:
    english, other = rules("en", game), rules(language, game)
    for number, text in english.items():
        assert sorted(REFERENCE.findall(other[number])) == sorted(REFERENCE.findall(text)), number
        assert sorted(NUMBER.findall(other[number])) == sorted(NUMBER.findall(text)), number


@TRANSLATED
@pytest.mark.parametrize("game", GAMES)
def test_a_translated_picture_has_the_same_numbers(language: str, game: str) -> None:
    for first, second in zip(
        read("rules", "en", game)["sections"], read("rules", language, game)["sections"], strict=True
    ):
        assert first.get("picture", {}).get("src") == second.get("picture", {}).get("src")
        if "picture" in first:
            alts = (first["picture"]["alt"], second["picture"]["alt"])
            english, other = (set(NUMBER.findall(alt)) for alt in alts)
            assert english == other, first["id"]


@EACH
def test_pieces_are_called_as_in_refusals(language: str, game: str) -> None:
    """Whoever follows a refusal to its rule finds the same words there."""
    told = " ".join(rules(language, game).values()).lower()
    pieces = {key: name for key, name in catalogue(game, language)["pieces"].items() if not key.endswith("-start")}
    stems = {
        key: name.lower()[:-1] if language == "de" and name.endswith("e") else name.lower()
        for key, name in pieces.items()
    }
    plain = {"plain"}  # only of editions: its adjective is declined
    assert {key for key, stem in stems.items() if stem not in told} <= plain


@EACH
def test_pictures_are_there_and_told(language: str, game: str) -> None:
    shown = [part["picture"] for part in read("rules", language, game)["sections"] if "picture" in part]
    assert len(shown) >= 5
    for picture in shown:
        assert (WEB / "public" / picture["src"].removeprefix("/")).is_file(), picture["src"]
        assert picture["src"].startswith("/rules/")
        assert len(picture["alt"]) > 40


def test_every_picture_is_shown() -> None:
    parts = [part for game in GAMES for part in read("rules", "en", game)["sections"]]
    shown = {part["picture"]["src"].rpartition("/")[2] for part in parts if "picture" in part}
    assert {file.name for file in (WEB / "public" / "rules").iterdir()} == shown


@pytest.mark.parametrize("game", GAMES)
def test_the_short_way_has_the_same_few_steps_in_all_languages(game: str) -> None:
    steps = {len(read("rules", language, game)["short"]) for language in LANGUAGES}
    assert len(steps) == 1
    assert steps.pop() in STEPS
