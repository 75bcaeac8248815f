"""Every refusal of C3 to C5, through `state.play`: code, rule, places, a sentence in each language, nothing changed."""

import pickle
import string
from collections.abc import Callable
from typing import Any

import pytest

from embertown.core.chance import SeededChance
from embertown.core.errors import BadArgument, IllegalMove, MalformedText
from embertown.core.locale import LANGUAGES, catalogue, translate
from embertown.cronberg.rules import FIRST_PLACEMENT, Refusal
from embertown.games import load

KINDS = {"inn": {"numbers": [2, 1, 2, 1]}, "mill": {"numbers": [1, 2, 3, 4]}, "barn": {"numbers": [1, 1, 1, 1]}}


def row(symbols: str = "PPPPP", tokens: int = 2, kinds: int = 3) -> Any:
    """A game for two on five triangles in a row: A1 to A5."""
    edition = {
        "edition": {"id": "row", "game": "cronberg", "version": 1},
        "board": {"side": 2, "tokens": tokens, "triangles": [symbols, "." * 7, "." * 7, "." * 5]},
        "rhombi": dict(list(KINDS.items())[:kinds]),
    }
    return load("cronberg", 2, edition)


def at(game: Any, turn: str = "0", hand: str = "-", tokens: str = "-/-", rhombi: str = "-") -> Any:
    text = f"cronberg:row players=2 turn={turn} hand={hand} scores=0,0 tokens={tokens} rhombi={rhombi}"
    return game.position(text, SeededChance(1))


TWO_LAID = "inn@A1+A2,barn@A3+A4"
REFUSALS: dict[str, tuple[Callable[[], Any], str | int, int | None, str, str, tuple[str, ...]]] = {
    # what: the state, the action, the seat, the code, the rule, the places
    "C3.1 place before drawing": (lambda: at(row()), "place A1+A2", None, "nothing_drawn", "C3.1", ("A1", "A2")),
    "C3.2 pass though able": (lambda: at(row()), "pass", None, "may_not_pass", "C3.2", ()),
    "C3.2 pass though able to draw only": (
        lambda: at(row(tokens=1), tokens="a1/a2"),
        "pass",
        None,
        "may_not_pass",
        "C3.2",
        (),
    ),
    "C3.2 pass though able to place a token only": (
        lambda: at(row(), rhombi=TWO_LAID),
        "pass",
        None,
        "may_not_pass",
        "C3.2",
        (),
    ),
    "C3.3 a token with a rhomb in hand": (
        lambda: at(row(), hand="mill"),
        "token a1",
        None,
        "must_place",
        "C3.3",
        ("a1",),
    ),
    "C3.3 draw again": (lambda: at(row(), hand="mill"), "draw", None, "must_place", "C3.3", ()),
    "C3.3 pass with a rhomb in hand": (lambda: at(row(), hand="mill"), "pass", None, "must_place", "C3.3", ()),
    "C3.3 no rhomb left": (
        lambda: at(row(kinds=1), "1", rhombi="inn@A1+A2"),
        "draw",
        None,
        "no_rhomb_left",
        "C3.3",
        (),
    ),
    "C3.3 no place left": (lambda: at(row(), rhombi=TWO_LAID), "draw", None, "no_place_left", "C3.3", ()),
    "C4.1 no token left": (
        lambda: at(row(tokens=1), tokens="a1/a2"),
        "token b4",
        None,
        "no_token_left",
        "C4.1",
        ("b4",),
    ),
    "C4.1 an own token there": (
        lambda: at(row(), tokens="a1/a2"),
        "token a1",
        None,
        "crossing_occupied",
        "C4.1",
        ("a1",),
    ),
    "C4.1 another's token there": (
        lambda: at(row(), tokens="a1/a2"),
        "token a2",
        None,
        "crossing_occupied",
        "C4.1",
        ("a2",),
    ),
    "C4.2 no free triangle": (
        lambda: at(row(), "1", rhombi="inn@A1+A2"),
        "token a1",
        None,
        "crossing_closed",
        "C4.2",
        ("a1",),
    ),
    "C4.3 a guard": (lambda: at(row("G.PPP")), "token b1", None, "crossing_guarded", "C4.3", ("b1",)),
    "C5.1 triangles apart": (
        lambda: at(row(), hand="barn"),
        "place A1+A3",
        None,
        "not_neighbours",
        "C5.1",
        ("A1", "A3"),
    ),
    "C5.1 a triangle twice": (
        lambda: at(row(), hand="barn"),
        "place A1+A1",
        None,
        "not_neighbours",
        "C5.1",
        ("A1", "A1"),
    ),
    "C5.2 one covered": (
        lambda: at(row(), "1", "barn", rhombi="inn@A1+A2"),
        "place A2+A3",
        None,
        "triangle_covered",
        "C5.2",
        ("A2",),
    ),
    "C5.2 both covered": (
        lambda: at(row(), "1", "barn", rhombi="inn@A1+A2"),
        "place A1+A2",
        None,
        "triangle_covered",
        "C5.2",
        ("A1", "A2"),
    ),
    "C1.4 a blunt corner": (
        lambda: at(row(), hand="mill"),
        "place A1+A2 ^a1",
        None,
        "not_a_sharp_corner",
        "C1.4",
        ("a1",),
    ),
    "C1.4 turned for nothing": (
        lambda: at(row(), hand="barn"),
        FIRST_PLACEMENT + 1,
        None,
        "turn_is_the_same",
        "C1.4",
        ("A1", "A2"),
    ),
    "C2.3 another's turn": (lambda: at(row()), "token a1", 1, "not_your_turn", "C2.3", ()),
    "C8.1 over by the rules": (
        lambda: at(row(tokens=1), "-", tokens="a3/b4", rhombi=TWO_LAID),
        "token b3",
        None,
        "game_over",
        "C8.1",
        ("b3",),
    ),
    "C8.1 a pass after the end": (
        lambda: at(row(tokens=1), "-", tokens="a3/b4", rhombi=TWO_LAID),
        "pass",
        1,
        "game_over",
        "C8.1",
        (),
    ),
    "C8.1 over by leaving": (lambda: at(row()).abandon(), "token a1", 0, "game_over", "C8.1", ()),
}


@pytest.mark.kernel
@pytest.mark.parametrize("what", REFUSALS)
def test_refusal_has_code_rule_places_and_changes_nothing(what: str) -> None:
    begin, action, seat, code, rule, places = REFUSALS[what]
    state = begin()
    before = state._position.tobytes(), state.log, state.outcome, state.legal_actions
    with pytest.raises(IllegalMove) as caught:
        state.play(action, seat)
    error = caught.value
    assert (error.game, error.code, error.rule, error.places) == ("cronberg", code, rule, places)
    assert (state._position.tobytes(), state.log, state.outcome, state.legal_actions) == before
    assert str(error) == f"{error.sentence('en')} ({rule})"
    sentences = [error.sentence(language) for language in LANGUAGES]
    assert len(set(sentences)) == len(LANGUAGES)
    for sentence in sentences:
        assert sentence.endswith(".")
        assert not set(sentence) & set("{}")
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.code, again.places, again.details) == (str(error), code, places, error.details)
    assert [again.sentence(language) for language in LANGUAGES] == sentences


def test_sentences_name_what_they_speak_of() -> None:
    def sentences(what: str) -> list[str]:
        begin, action, seat, *_ = REFUSALS[what]
        with pytest.raises(IllegalMove) as caught:
            begin().play(action, seat)
        return [caught.value.sentence(language) for language in LANGUAGES]

    for what, names in {
        "C3.3 draw again": ["mill"],
        "C4.3 a guard": ["b1"],
        "C4.2 no free triangle": ["a1"],
        "C5.1 triangles apart": ["A1", "A3"],
        "C5.2 one covered": ["A2"],
        "C5.2 both covered": ["A1, A2"],
        "C1.4 a blunt corner": ["a1", "A1", "A2", "a2, b1"],
        "C1.4 turned for nothing": ["barn"],
        "C2.3 another's turn": ["2", "1"],
    }.items():
        for sentence in sentences(what):
            assert all(name in sentence for name in names), sentence


def test_every_refusal_that_there_is_was_reached() -> None:
    reached = {code for *_, code, _, _ in REFUSALS.values()}
    codes = {reason.name.lower() for reason in Refusal} - {"none", "no_such_action"}
    assert reached == codes | {"not_neighbours", "not_a_sharp_corner", "not_your_turn"}
    supposed = {"kind_used_up"}  # of what is only supposed: tests/server/test_trying.py
    assert reached | supposed == set(catalogue("cronberg", "en")["refusals"])
    for _, _, _, code, rule, _ in REFUSALS.values():
        if code in codes:
            assert Refusal[code.upper()].rule == rule


def test_an_action_that_is_not_there_is_malformed_and_not_refused() -> None:
    for number in (-1, 7, 63, 66 + 2 * 4, 66 + 255, 10_000):
        with pytest.raises(MalformedText, match=str(number)):
            at(row()).play(number)


@pytest.mark.parametrize(
    "begin", [lambda: at(row(), hand="mill"), lambda: at(row(tokens=1), "-", tokens="a3/b4", rhombi=TWO_LAID)]
)
def test_an_action_that_is_not_there_is_no_crash_in_any_phase(begin: Callable[[], Any]) -> None:
    for number in (7, 63, 66 + 2 * 4, 66 + 255, 10_000, 2**70, -(2**70)):
        with pytest.raises((MalformedText, IllegalMove)):
            begin().play(number)


@pytest.mark.parametrize("seat", [-1, 2, "0", True, 0.0])
def test_a_seat_that_is_not_there_is_a_bad_argument(seat: Any) -> None:
    with pytest.raises(BadArgument, match="right would be: 0 to 1"):
        at(row()).play("draw", seat)


# ---- the catalogues


def placeholders(sentence: str) -> set[str | None]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence)} - {None}


@pytest.mark.parametrize("language", LANGUAGES)
def test_catalogues_have_the_same_keys_and_placeholders(language: str) -> None:
    english, other = catalogue("cronberg", "en"), catalogue("cronberg", language)
    assert {table: list(english[table]) for table in english} == {table: list(other[table]) for table in other}
    for table, sentences in english.items():
        for key, sentence in sentences.items():
            assert placeholders(other[table][key]) == placeholders(sentence), key
            assert other[table][key].strip()


@pytest.mark.parametrize("language", ["xx", "", "EN", "../de", "de/../fr"])
def test_an_unknown_language_answers_in_english(language: str) -> None:
    assert translate("cronberg", "refusals.game_over", language) == "The game is over."
    assert IllegalMove("cronberg", "game_over", "C8.1").sentence(language) == "The game is over."
