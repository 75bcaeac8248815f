"""Actions and positions as text: all that can happen can be written and read again, and nothing else can."""

from contextlib import suppress
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from embertown.core.chance import SeededChance
from embertown.core.errors import (
    AmbiguousText,
    EmbertownError,
    IllegalMove,
    ImpossiblePosition,
    MalformedText,
    NoChance,
    NoRecord,
    NothingToUndo,
)
from embertown.cronberg.rules import ACTIONS, POSITION
from embertown.games import load
from tests.conftest import JIT_OFF
from tests.strategies import cronberg_editions

TOLD_BY_ORDER = {"rhombi", "where"}
"""Fields of a position that depend on the order of placing, which a text does not keep."""


def walk(state: Any, random: Random, draws: float) -> Any:
    """The states of a random game, in which a rhomb is drawn with this chance where it may be."""
    yield state
    while not state.is_over:
        actions = [state.text(action) for action in state.legal_actions]
        tokens = [text for text in actions if text.startswith("token")]
        if "draw" in actions and (not tokens or random.random() < draws):
            state.play("draw")
        else:
            state.play(random.choice(tokens or actions))
        yield state


def same_but_for_order(one: Any, other: Any) -> None:
    for name in set(POSITION.names) - TOLD_BY_ORDER:
        if name == "seat" and one.is_over:
            continue  # nobody's turn
        assert (one._position[name] == other._position[name]).all(), name
    assert sorted(one.rhombi) == sorted(other.rhombi)


def check_text_of_position(state: Any) -> None:
    text = state.position_text()
    again = state.game.position(text)
    assert again.position_text() == text
    same_but_for_order(state, again)
    assert again.legal_actions == state.legal_actions
    assert (again.scores, again.waiting, again.drawn) == (state.scores, state.waiting, state.drawn)
    assert again.final_scoring() == state.final_scoring()
    assert state.view(0).position_text() == text


def check_text_of_actions(state: Any) -> None:
    for action in state.legal_actions:
        text = state.text(action)
        assert state.action(text) == action
        assert state.action(f"  {text.replace(' ', '   ')}\n") == action
        if text.startswith("place"):
            pair, _, head = text.removeprefix("place ").partition(" ")
            first, second = pair.split("+")
            assert state.action(f"place {second}+{first} {head}") == action
            assert (head != "") == state.board.turning_matters(state.board.kind_index[state.drawn])


# ---- all that can happen


@pytest.mark.kernel
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("edition", ["cronberg-1726", "cronberg-quarters"])
def test_every_action_and_position_of_random_games_reads_again(edition: str, players: int) -> None:
    random = Random(f"{edition} {players}")
    game = load("cronberg", players, edition)
    for number in range(1 if JIT_OFF else 4):
        state = game.start(seed=number, start_scores=[random.randint(-500, 500) for _ in range(players)])
        for step, here in enumerate(walk(state, random, 0.2 + 0.2 * number)):
            if not JIT_OFF or step % 5 == 0:
                check_text_of_actions(here)
                check_text_of_position(here)
        check_text_of_position(state)


@pytest.mark.kernel
@settings(max_examples=10 if JIT_OFF else 120)
@given(cronberg_editions(), st.integers(2, 4), st.integers(0, 10**6), st.sampled_from([0.02, 0.1, 0.3, 0.5, 0.8, 1.0]))
def test_c1_to_c8_no_position_that_a_game_reaches_is_called_impossible(
    edition: dict[str, Any], players: int, seed: int, draws: float
) -> None:
    game = load("cronberg", players, edition)
    state = game.start(seed=seed)
    for step, here in enumerate(walk(state, Random(seed), draws)):
        if not JIT_OFF or step % 5 == 0:
            check_text_of_position(here)
        if step % 7 == 0:
            check_text_of_actions(here)
    check_text_of_position(state)


@pytest.mark.kernel
def test_a_position_with_a_pass_reads_again() -> None:
    """Passes come late and are rare: one token each, and one triangle that stays."""
    edition = tiny()
    edition["board"] |= {"tokens": 1, "triangles": ["PPPPP", *edition["board"]["triangles"][1:]]}
    game = load("cronberg", 3, edition)
    passes = 0
    for seed in range(40):
        for state in walk(game.start(seed=seed), Random(seed), 0.3):
            check_text_of_position(state)
            passes += [state.text(action) for action in state.legal_actions] == ["pass"]
    assert passes > 5


def test_any_integer_is_an_action_or_malformed() -> None:
    state = load("cronberg", 2).start(seed=1)
    names = set()
    for number in range(-3, ACTIONS + 3):
        with suppress(MalformedText):
            names.add(state.text(number))
    assert len(names) == 37 + 2 + 72 * 2


@pytest.mark.parametrize("action", [1.0, None, True, b"token a1", ["token a1"]])
def test_what_is_neither_number_nor_text_is_no_action(action: Any) -> None:
    with pytest.raises(MalformedText, match="a whole number or a text"):
        load("cronberg", 2).start(seed=1).play(action)


# ---- actions not written right


MALFORMED_ACTIONS = (
    *("", " ", "tok", "token", "token z9", "token A1", "token a01", "token a1 b1", "tokend4", "Token a1", "token a٤"),
    *("draw church", "drawn church", "pass a1", "place", "place A1", "place A1+", "place A1+A2+A3", "place A1 A2"),
    *("place a1+a2", "place A1+Z9", "place A1+A99", "place A1+A2 d4", "place A1+A2 ^", "place A1+A2 ^^b1"),
    *("place A1 + A2", "place A1+A٢", "\0", "token a1\0", "\x1b[2J", "\ud800", "🜂", "x" * 10_000),
)


@pytest.mark.parametrize("text", MALFORMED_ACTIONS)
def test_malformed_actions(text: str) -> None:
    for edition in ("cronberg-1726", "cronberg-quarters"):
        start = load("cronberg", 2, edition).start(seed=1)
        for state in (start, start.copy().play("draw")):
            before = state.position_text(), state.log
            with pytest.raises(MalformedText) as caught:
                state.play(text)
            assert not isinstance(caught.value, AmbiguousText)
            assert "right would be" in str(caught.value)
            assert len(str(caught.value)) < 250
            str(caught.value).encode()
            assert (state.position_text(), state.log) == before


@given(st.text(max_size=12) | st.from_regex(r"(token|place|draw|pass) [a-zA-Z0-9+^ ]{0,12}", fullmatch=True))
def test_any_text_is_an_action_or_an_error_of_ours(text: str) -> None:
    state = load("cronberg", 2, "cronberg-quarters").start(seed=1).play("draw")
    try:
        action = state.action(text)
    except EmbertownError as error:
        str(error).encode()
    else:
        assert state.action(state.text(action)) == action


def test_c1_4_a_placement_without_head_is_ambiguous_where_turning_matters() -> None:
    state = load("cronberg", 2, "cronberg-quarters").start(seed=1).play("draw")
    with pytest.raises(AmbiguousText, match=r"place A1\+A2 \^a2 or \^b1"):
        state.play("place A2+A1")
    assert state.action("place A1+A2 ^a2") != state.action("place A1+A2^b1")


def test_c1_4_a_head_may_be_given_where_turning_changes_nothing() -> None:
    state = load("cronberg", 2).start(seed=1).play("draw")
    assert state.action("place A1+A2 ^a2") == state.action("place A1+A2 ^b1") == state.action("place A1+A2")
    with pytest.raises(IllegalMove, match=r"C1\.4"):
        state.action("place A1+A2 ^a1")


# ---- positions not written right

START = "cronberg:cronberg-1726 players=2 turn=0 hand=- scores=0,0 tokens=-/- rhombi=-"


@pytest.mark.parametrize(
    "text",
    ["", "x", "cronberg", START + " more=1", START.replace(" hand=-", ""), START.replace("cronberg:", "drunter:")]
    + [START.replace("cronberg-1726", other) for other in ("cronberg-quarters", "x" * 5_000, "\x1b[2J")]
    + [START.replace("players=2", f"players={other}") for other in ("3", "0", "22", "x", "٢")]
    + [START.replace("turn=0", f"turn={other}") for other in ("2", "9", "-1", "", "٠")]
    + [START.replace("hand=-", f"hand={other}") for other in ("mosque", "Church", "church,church", "")]
    + [START.replace("0,0", other) for other in ("0", "0,0,0", "0,", "1-1,0", "--1,0", "٠,0", "9" * 5_000 + ",0")]
    + [START.replace("0,0", "99999999,0"), START.replace("0,0", "1.5,0")]
    + [START.replace("-/-", other) for other in ("-", "-/-/-", "a1/", "z9/-", "a1,,a2/-", "A1/-", "a1;b1/-", "//")]
    + [
        START.replace("rhombi=-", f"rhombi={other}")
        for other in ("church", "church@A1", "church@A1+A2,", "@A1+A2", ",")
    ]
    + [START.replace("rhombi=-", f"rhombi={other}") for other in ("church@A1+A2^a2", "mosque@A1+A2", "church@A1+Z9")],
)
def test_malformed_positions(text: str) -> None:
    with pytest.raises(MalformedText) as caught:
        load("cronberg", 2).position(text)
    assert "right would be" in str(caught.value)
    assert len(str(caught.value)) < 300
    assert str(caught.value).isprintable()


def test_c1_4_a_rhomb_of_a_position_has_its_head_exactly_where_turning_matters() -> None:
    start = START.replace("cronberg-1726", "cronberg-quarters").replace("turn=0", "turn=1")
    game = load("cronberg", 2, "cronberg-quarters")
    assert game.position(start.replace("rhombi=-", "rhombi=inn@A1+A2^b1")).rhombi[0].head == "b1"
    with pytest.raises(MalformedText, match=r"C1\.4"):
        game.position(start.replace("rhombi=-", "rhombi=inn@A1+A2"))


@given(st.data())
def test_any_mutilated_position_is_read_or_refused(data: st.DataObject) -> None:
    game = load("cronberg", 3, "cronberg-quarters")
    state = game.start(seed=data.draw(st.integers(0, 3)))
    steps = data.draw(st.integers(0, 60))
    for step, _ in enumerate(walk(state, Random(steps), 0.5)):
        if step == steps:
            break
    text = state.position_text()
    for _ in range(data.draw(st.integers(1, 3))):
        start, length = data.draw(st.integers(0, len(text))), data.draw(st.integers(0, 3))
        text = (
            text[:start] + data.draw(st.text(alphabet="abgABG0123459,/-@+^= \0", max_size=3)) + text[start + length :]
        )
    try:
        found = game.position(text)
    except (MalformedText, ImpossiblePosition) as error:
        str(error).encode()
    else:
        check_text_of_position(found)


# ---- positions that no game reaches


def tiny() -> dict[str, Any]:
    """Side 2; A1 to A5 in a row, then nothing; two kinds."""
    return {
        "edition": {"id": "tiny", "game": "cronberg", "version": 1},
        "board": {"side": 2, "tokens": 2, "triangles": ["PGPPP", "." * 7, "." * 7, "." * 5]},
        "rhombi": {"inn": {"numbers": [2, 1, 2, 1]}, "mill": {"numbers": [1, 2, 3, 4]}, "barn": {"numbers": [1] * 4}},
    }


def tiny_text(turn: str = "0", hand: str = "-", tokens: str = "-/-", rhombi: str = "-") -> str:
    return f"cronberg:tiny players=2 turn={turn} hand={hand} scores=0,0 tokens={tokens} rhombi={rhombi}"


IMPOSSIBLE: dict[str, tuple[str, str, str]] = {
    "C5.2 rhombi overlap": (tiny_text(rhombi="inn@A1+A2,barn@A2+A3"), "C5.2", "overlaps"),
    "C5.1 a rhomb on triangles apart": (tiny_text(turn="1", rhombi="inn@A1+A3"), "C5.1", "share no edge"),
    "C1.4 a head on a blunt corner": (tiny_text(turn="1", rhombi="mill@A1+A2^a1"), "C1.4", "no sharp corner"),
    "C1.4 more of a kind than there are": (tiny_text(rhombi="inn@A1+A2,inn@A3+A4"), "C1.4", "more rhombi inn"),
    "C2.1 a kind in hand that is not left": (
        tiny_text(turn="1", hand="inn", rhombi="inn@A1+A2"),
        "C1.4",
        "more rhombi inn",
    ),
    "C3.3 a rhomb in hand and no place": (tiny_text(hand="barn", rhombi="inn@A1+A2,mill@A3+A4^b2"), "C3.3", "no place"),
    "C4.4 a token on a closed crossing": (tiny_text(tokens="a1/-", rhombi="inn@A1+A2"), "C4.4", "token on a1"),
    "C7.2 a token beside an activated guard": (
        tiny_text("1", tokens="-/a1", rhombi="inn@A3+A4"),
        "C7.2",
        "token on a1",
    ),
    "C4.1 two tokens of two seats on a crossing": (tiny_text(tokens="a1/a1"), "C4.1", "two tokens stand on a1"),
    "C4.1 two tokens of one seat on a crossing": (tiny_text(tokens="a1,a1/-"), "C4.1", "two tokens stand on a1"),
    "C1.5 too many tokens": (tiny_text(tokens="a1,a2,a3/b1,b2"), "C1.5", "seat 0 has more than 2"),
    "C8.1 over though somebody can act": (tiny_text(turn="-"), "C8.1", "not over"),
    "C8.1 over with a rhomb in hand": (tiny_text(turn="-", hand="inn"), "C8.1", "not over"),
    "C8.1 not over though nobody can act": (
        tiny_text(tokens="b4,a3/b3", rhombi="inn@A1+A2,mill@A3+A4^b2"),
        "C8.1",
        "nobody can act",
    ),
    "C3.1 two tokens to none": (tiny_text(tokens="a1,a2/-"), "C3.1", "turns taken in order"),
    "C3.1 one token, and the seat that placed it to act": (
        tiny_text("1", tokens="-/a1"),
        "C3.1",
        "turns taken in order",
    ),
}


@pytest.mark.kernel
@pytest.mark.parametrize("what", IMPOSSIBLE)
def test_impossible_positions_are_refused_with_the_rule(what: str) -> None:
    text, rule, wrong = IMPOSSIBLE[what]
    if what == "C7.2 a token beside an activated guard":  # A1 and A2 stay free; only the second is a guard
        edition = {**tiny(), "board": {"side": 2, "tokens": 2, "triangles": ["G.PPP", "." * 7, "." * 7, "." * 5]}}
    else:
        edition = tiny()
    with pytest.raises(ImpossiblePosition) as caught:
        load("cronberg", 2, edition).position(text)
    assert caught.value.rule == rule
    assert wrong in caught.value.what
    assert str(caught.value).endswith(f"({rule})")


@pytest.mark.parametrize(
    "text",
    [
        tiny_text(),
        tiny_text("1"),
        tiny_text("1", tokens="a1/-"),
        tiny_text("0", tokens="-/a1"),
        tiny_text(hand="inn"),
        tiny_text("0", tokens="a1/a2"),
        tiny_text("1", rhombi="inn@A1+A2"),
        tiny_text("0", rhombi="inn@A1+A2"),
        tiny_text("1", tokens="a3,b4/-", rhombi="inn@A1+A2"),
        tiny_text("1", tokens="a3/-", rhombi="inn@A1+A2"),
    ],
)
def test_c3_1_positions_like_those_that_are_possible_are_not_refused(text: str) -> None:
    state = load("cronberg", 2, tiny()).position(text)
    assert state.position_text() == text


def test_turns_do_not_count_crossings_that_are_not_there() -> None:
    """With one rhomb laid, only a1 can have sent a token off: seat 0 can't have had four turns to none of seat 1."""
    text = START.replace("-/-", "c1,c2,c3,c4/-").replace("rhombi=-", "rhombi=church@A1+A2")
    with pytest.raises(ImpossiblePosition, match=r"C3\.1"):
        load("cronberg", 2).position(text)


# ---- a state from a position


def test_a_state_from_a_position_plays_on_but_has_no_past() -> None:
    game = load("cronberg", 2)
    text = game.start(seed=1, first=0).play("token d4").position_text()
    state = game.position(text, SeededChance(3))
    with pytest.raises(NothingToUndo):
        state.undo()
    with pytest.raises(NoRecord):
        state.record()
    with pytest.raises(NoRecord):
        state.view(0).record()
    state.play("draw")
    with pytest.raises(NoRecord):
        state.record()
    assert state.drawn == game.position(text, SeededChance(3)).play("draw").drawn
    with pytest.raises(NoChance, match="draw 1"):
        game.position(text).play("draw")
