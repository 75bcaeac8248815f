"""Actions and positions as text: all that can happen can be written and read again, and nothing else can."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from embertown.core.chance import SeededChance
from embertown.core.errors import (
    EmbertownError,
    IllegalMove,
    ImpossiblePosition,
    MalformedText,
    NoChance,
    NoRecord,
    NothingToUndo,
)
from embertown.drunter.game import DrunterGame, DrunterState
from embertown.drunter.rules import ACTIONS, FIRST_VOTE, POSITION, Phase
from tests.conftest import JIT_OFF, examples
from tests.small_drunter import FIVE, begin, dealt, legal, play, put, small
from tests.strategies_drunter import drunter_games

FORGOTTEN = {"layer", "seat", "filler"}
"""Fields of a position that its text does not keep where nothing depends on them."""
SEEDS = st.integers(0, 2**32)


def started(game: dict[str, Any]) -> DrunterState:
    players, edition, options = game["players"], game["edition"], game["options"]
    return DrunterGame(players, edition, **options).start(seed=1, first=game["first"], deal=game["deal"])


def walk(state: DrunterState, chooser: random.Random) -> Iterator[DrunterState]:
    """The states of a random game, votes and choices in any order."""
    yield state
    while not state.is_over:
        seat = chooser.choice(state.waiting)
        state.play(chooser.choice(state.legal_actions_of(seat)), seat)
        yield state


def check_text_of_position(state: DrunterState) -> None:
    text = state.position_text()
    again = state.game.position(text)
    assert again.position_text() == text
    for name in set(POSITION.names) - FORGOTTEN:
        if name != "room" or not state.is_over:
            assert (state._position[name] == again._position[name]).all(), name
    assert (again.laid, again.waiting, again.scores) == (state.laid, state.waiting, state.scores)
    assert again.final_scoring() == state.final_scoring()
    assert again.outcome == state.outcome
    for seat in range(state.game.players):
        assert again.legal_actions_of(seat) == state.legal_actions_of(seat)


def check_text_of_view(state: DrunterState, viewer: int | None) -> None:
    view = state.view(viewer)
    again = state.game.position(view.position_text())
    assert again.position_text() == view.position_text()
    assert again.view(viewer).position_text() == view.position_text()
    assert (again.laid, again.waiting, again.cards, again.tiles) == (view.laid, view.waiting, view.cards, view.tiles)
    for seat in range(state.game.players):
        assert again.objectives_of(seat) == view.objectives_of(seat)
        assert again.legal_actions_of(seat) == view.legal_actions_of(seat)


def check_text_of_actions(state: DrunterState) -> None:
    for seat in state.waiting:
        for action in state.legal_actions_of(seat):
            text = state.text(action)
            assert state.action(text) == action
            assert state.action(f"  {text.replace(' ', '   ')}\n") == action
            word, _, rest = text.partition(" ")
            if word == "vote":
                assert state.action(f"vote {'+'.join(reversed(rest.split('+')))}") == action


# ---- all that can happen


@pytest.mark.kernel
@settings(max_examples=examples(30, 3))
@given(game=drunter_games(), seed=SEEDS)
def test_d1_to_d9_no_position_that_a_game_reaches_is_called_impossible(game: dict[str, Any], seed: int) -> None:
    chooser = random.Random(seed)
    for state in walk(started(game), chooser):
        often = 0.15 if state.phase is Phase.LAYING else 0.4
        if state.is_over or chooser.random() < often:
            check_text_of_position(state)
            check_text_of_view(state, chooser.choice((None, *range(game["players"]))))
        if chooser.random() < often / 3:
            check_text_of_actions(state)


@pytest.mark.kernel
@pytest.mark.parametrize("options", [{}, {"variant": True}, {"several_cards": True}], ids=str)
def test_every_action_and_position_of_a_game_of_schilda_reads_again(options: dict[str, bool]) -> None:
    chooser = random.Random(7)
    for state in walk(DrunterGame(3, **options).start(seed=7), chooser):
        if not JIT_OFF or chooser.random() < 0.1:
            check_text_of_position(state)
            check_text_of_actions(state)
            check_text_of_view(state, 1)


def test_any_integer_is_an_action_or_malformed() -> None:
    state = DrunterGame(2).start(seed=1)
    names = set()
    for number in range(-3, ACTIONS + 3):
        with suppress(MalformedText):
            names.add(state.text(number))
    assert len(names) == 4 * 2 * 3 + 1 + 255 + 2 + 10
    with pytest.raises(MalformedText):
        state.text(FIRST_VOTE)


@pytest.mark.parametrize("action", [1.0, None, True, b"pass", ["pass"], {}])
def test_what_is_neither_number_nor_text_is_no_action(action: Any) -> None:
    state = DrunterGame(2).start(seed=1)
    for use in (state.play, state.preview, state.view(0).preview):
        with pytest.raises(MalformedText, match="a whole number or a text"):
            use(action)


# ---- actions not written right


MALFORMED_ACTIONS = (
    *("", " ", "la", "lay", "lay wall", "lay wall A1", "lay wall A1 B1 C1", "lay wall A1 B1-", "lay wall A1 B1-C1-D1"),
    *("lay wall a1 b1", "Lay wall A1 B1", "lay Wall A1 B1", "lay rail A1 B1", "lay wall B1 C1", "lay wall A1 Z1"),
    *("lay wall A1 B0", "lay wall A1 B01", "lay wall A1 B11", "lay wall A1 B111", "lay wall A1 B٢", "lay wall A1,B1"),
    *("pass now", "vote", "vote yes", "vote Ja", "vote ja,ne", "vote ja+", "vote +ja", "vote ja+ja", "vote ja ne"),
    *("vote ??", "jeeiin", "jeeiin maybe", "jeeiin yes no", "choose", "choose hut", "choose Inn", "choose inn+church"),
    *(
        "vote (hidden)",
        "choose (hidden)",
        "\0",
        "pass\0",
        "\x1b[2J",
        "\ud800",
        "🜂",
        "x" * 10_000,
        "vote " + "ja+" * 5_000,
    ),
)


@pytest.mark.parametrize("text", MALFORMED_ACTIONS)
def test_malformed_actions(text: str) -> None:
    board = put(FIVE, B1="oo")
    for state in (begin(small(board)), begin(small(board)).play("lay wall A1 B1")):
        before = state.position_text(), state.log
        with pytest.raises(MalformedText) as caught:
            state.play(text)
        assert "right would be" in str(caught.value)
        assert len(str(caught.value)) < 250
        str(caught.value).encode()
        assert (state.position_text(), state.log) == before


@given(
    st.text(max_size=12)
    | st.from_regex(r"lay (wall|road|river) [A-F][1-6] [A-F][1-6](-[A-F][1-6])?", fullmatch=True)
    | st.from_regex(r"(vote|jeeiin|choose|pass) [a-z+? -]{0,12}", fullmatch=True)
)
def test_any_text_is_an_action_or_an_error_of_ours(text: str) -> None:
    state = begin(small())
    play(state, "wall A1 B1-D1", "river A5 A4-A3")
    try:
        action = state.action(text)
    except EmbertownError as error:
        str(error).encode()
        return
    with suppress(MalformedText):  # a tile that does not fit has no text
        assert state.action(state.text(action)) == action
    with suppress(IllegalMove):
        state.play(text)


# ---- positions not written right

ALL = "ja+jaa+jaaa+ne+nee+neee+?+jeeiin"
BOARD = put(FIVE, B1="oo", C3="T4")
GAME = small(BOARD, {"wall": [2, 1, 1], "road": [1, 1, 1], "river": [0, 0, 0]})
START = begin(GAME, "town-hall", "inn").position_text()
VARIANT = small(BOARD, {"wall": [2, 1, 1], "road": [1, 1, 1], "river": [0, 0, 0]}, variant=True)
START_OF_VARIANT = begin(VARIANT, "town-hall+school", "inn+ones").position_text()
HAND = "2.1.1+1.1.1+0.0.0"


def test_the_text_of_a_position_is_what_it_always_was() -> None:
    parts = START.split(" ")
    assert parts[:6] == ["drunter:small", "players=2", "options=-", "turn=0", "laid=-", f"tiles={HAND}/{HAND}"]
    assert parts[6:] == [f"cards={ALL}/{ALL}", "objectives=town-hall/inn", "chosen=-/-", "vote=-"]


def edited(start: str, **parts: str) -> str:
    """A position's text with other parts."""
    found = []
    for part in start.split(" "):
        key, _, _ = part.partition("=")
        found.append(f"{key}={parts.pop(key)}" if key in parts else part)
    assert not parts
    return " ".join(found)


@pytest.mark.parametrize(
    "text",
    ["", "x", "drunter", START + " more=1", START.replace(" turn=0", ""), START.replace("drunter:", "cronberg:")]
    + [START.replace(":small", f":{other}") for other in ("schilda", "x" * 5_000, "\x1b[2J")]
    + [edited(START, players=other) for other in ("3", "0", "22", "x", "٢")]
    + [edited(START, options=other) for other in ("variant", "fast", "", "x" * 5_000)]
    + [edited(START, turn=other) for other in ("2", "9", "-1", "", "٠")]
    + [edited(START, laid=other) for other in ("wall", "wall:A1", "wall:A1:B1-", "wall:A1:Z9", "rail:A1:B1", ",", "--")]
    + [edited(START, tiles=other) for other in ("-", HAND, f"{HAND}/{HAND}/{HAND}", f"{HAND}/2.1.1+1.1.1", f"{HAND}/")]
    + [
        edited(START, tiles=f"{HAND}/{other}")
        for other in (
            "2.1+1.1.1+0.0.0",
            "2..1+1.1.1+0.0.0",
            "2.1.1.+1.1.1+0.0.0",
            "٢.1.1+1.1.1+0.0.0",
            "-2.1.1+1.1.1+0.0.0",
        )
    ]
    + [edited(START, tiles=f"{HAND}/{'9' * 5_000}.1.1+1.1.1+0.0.0")]
    + [edited(START, cards=other) for other in (ALL, f"{ALL}/", f"{ALL}/yes", f"{ALL}/{ALL}/{ALL}", f"{ALL}/?,ja")]
    + [edited(START, objectives=other) for other in ("inn", "inn/hut", "inn/", "inn/church/school", "Inn/church")]
    + [edited(START, chosen=other) for other in ("-", "-/-/-", "")]
    + [edited(START_OF_VARIANT.replace("options=variant", "options=-"), chosen="-/-", objectives="?/-")]
    + [
        edited(START, vote=other)
        for other in ("x", "wall:A1:B1", "wall:A1:B1;-/-", "wall:A1:B1;-;-/-", "wall:A1:B1;-/-;-")
    ]
    + [edited(START, vote=other) for other in ("wall:A1:B1;yes/-;-/-", "wall:A1:B1;ja/-;maybe/-", "lay;-/-;-/-")],
)
def test_malformed_positions(text: str) -> None:
    with pytest.raises(MalformedText) as caught:
        GAME.position(text)
    assert "right would be" in str(caught.value)
    assert len(str(caught.value)) < 300
    assert str(caught.value).isprintable()


@settings(max_examples=examples(150, 10))
@given(st.data())
def test_any_mutilated_position_is_read_or_refused(data: st.DataObject) -> None:
    game = small(BOARD, {"wall": [2, 1, 1], "road": [1, 1, 1], "river": [0, 0, 0]}, variant=True, several_cards=True)
    steps = data.draw(st.integers(0, 25))
    for step, state in enumerate(walk(game.start(seed=data.draw(st.integers(0, 3))), random.Random(steps))):  # noqa: B007
        if step == steps:
            break
    text = data.draw(st.sampled_from((state, state.view(0), state.view(None)))).position_text()
    for _ in range(data.draw(st.integers(1, 3))):
        start, length = data.draw(st.integers(0, len(text))), data.draw(st.integers(0, 3))
        new = data.draw(st.text(alphabet="ABEwallroadjneyus0123459,/-;+?:.= \0", max_size=3))
        text = text[:start] + new + text[start + length :]
    try:
        found = game.position(text)
    except (MalformedText, ImpossiblePosition) as error:
        str(error).encode()
        return
    assert game.position(found.position_text()).position_text() == found.position_text()
    for seat in found.waiting:
        for action in found.legal_actions_of(seat):
            with suppress(NoChance):
                found.copy().play(action, seat)


# ---- positions that no game reaches

HELD = "1.1.1+1.1.1+0.0.0"
"""A hand from which a wall of length 1 was laid."""
VOTE = "wall:A1:B1;{};{}"
IMPOSSIBLE: dict[str, tuple[str, str, str]] = {
    "D4.3 a tile on another": (edited(START, laid="wall:A1:B1-D1,road:E1:D1"), "D4.3", "road:E1:D1"),
    "D4.3 a tile off the board": (edited(START, laid="wall:A1:A2-A5"), "D4.2", "wall:A1:A2-A5"),
    "D4.3 a tile on a corner": (edited(START, laid="wall:A1:B1-C1,wall:A1:D1-E1"), "D4.3", "does not fit"),
    "D4.2 a tile away from its gang": (edited(START, laid="wall:A1:C3"), "D4.2", "C3"),
    "D4.1 a tile of another kind": (edited(START, laid="road:A1:B1"), "D4.1", "A1"),
    "D4.6 a tile of a blocked path": (
        edited(START, laid="wall:E5:E4-E2,wall:A1:B1-D1,road:E1:D2"),
        "D4.6",
        "blocked",
    ),
    "D1.3 a tile too many": (edited(START, tiles=f"{HAND}/3.1.1+1.1.1+0.0.0"), "D1.3", "5 wall tiles of length 1"),
    "D1.3 a tile too few": (edited(START, tiles=f"{HAND}/2.1.1+1.1.0+0.0.0"), "D1.3", "1 road tiles of length 3"),
    "D1.3 tiles laid and still held": (edited(START, laid="wall:A1:A2", turn="1"), "D1.3", "5 wall tiles"),
    "D1.3 thousands of tiles": (edited(START, tiles=f"{HAND}/9999.1.1+1.1.1+0.0.0"), "D1.3", "10001 wall"),
    "D2.2 dealt unevenly": (
        edited(START, tiles="1.1.1+1.1.1+0.0.0/3.1.1+1.1.1+0.0.0"),
        "D2.2",
        "more tiles of length 1",
    ),
    "D6.5 the blank card gone": (edited(START, cards=f"{ALL}/ja+jeeiin"), "D6.5", "seat 1"),
    "D1.4 a card twice": (edited(START, cards=f"{ALL}/?+?"), "D1.4", "twice"),
    "D2.1 an objective twice": (edited(START, objectives="inn/inn"), "D2.1", "two seats"),
    "D9.1 two objectives": (edited(START, objectives="inn+church/school"), "D9.1", "2 objectives"),
    "D9.1 one objective": (edited(START_OF_VARIANT, objectives="inn/school+church"), "D9.1", "1 objectives"),
    "D1.5 a special card": (edited(START, objectives="ones/inn"), "D1.5", "special"),
    "D9.2 chosen in the base game": (edited(START, chosen="town-hall/-"), "D9.2", "variant"),
    "D9.2 chosen too early": (edited(START_OF_VARIANT, chosen="school/-"), "D9.2", "before a path is blocked"),
    "D9.2 chosen what one has not": (edited(START_OF_VARIANT, chosen="inn/-"), "D9.2", "seat 0"),
    "D9.2 chosen both": (edited(START_OF_VARIANT, chosen="town-hall+school/-"), "D9.2", "seat 0"),
    "D7.1 over though somebody can lay": (edited(START, turn="-"), "D7.1", "not over"),
    "D5.2 a vote on nothing": (edited(START, vote="wall:A1:A2;-/-;-/-"), "D5.2", "calls for a vote"),
    "D5.2 a vote on a tile that the seat has not": (
        edited(START, vote="wall:A1:B1-D1;-/-;-/-", tiles="2.1.0+1.1.2+0.0.0/2.1.2+1.1.0+0.0.0"),
        "D5.2",
        "calls for a vote",
    ),
    "D4.2 a vote on a tile elsewhere": (edited(START, vote="wall:A1:C1;-/-;-/-"), "D4.2", "C1"),
    "D6.1 a card that one has not": (
        edited(START, cards=f"?/{ALL}", vote=VOTE.format("ja/-", "-/-")),
        "D6.1",
        "seat 0 can't have voted 'ja'",
    ),
    "D6.1 two cards": (edited(START, vote=VOTE.format("-/ja+ne", "-/-")), "D6.1", "seat 1"),
    "D6.1 hidden though all have voted": (edited(START, vote=VOTE.format("hidden/ja", "-/-")), "D6.1", "hidden"),
    "D6.2 a word before all have voted": (edited(START, vote=VOTE.format("jeeiin/-", "yes/-")), "D6.2", "seat 0"),
    "D6.2 a word without Jeeiin": (edited(START, vote=VOTE.format("jeeiin/ja", "-/yes")), "D6.2", "seat 1"),
    "D6.2 words in another order": (edited(START, vote=VOTE.format("jeeiin/jeeiin", "-/yes")), "D6.2", "turn order"),
    "D6.4 a vote that is complete": (edited(START, vote=VOTE.format("ja/ja", "-/-")), "D6.4", "complete"),
    "D6.4 a vote that is complete with Jeeiin": (
        edited(START, vote=VOTE.format("ja/jeeiin", "-/no")),
        "D6.4",
        "complete",
    ),
}


@pytest.mark.kernel
@pytest.mark.parametrize("what", IMPOSSIBLE)
def test_impossible_positions_are_refused_with_the_rule(what: str) -> None:
    text, rule, wrong = IMPOSSIBLE[what]
    game = VARIANT if "options=variant" in text else GAME
    with pytest.raises(ImpossiblePosition) as caught:
        game.position(text)
    assert caught.value.rule == rule, str(caught.value)
    assert wrong in caught.value.what
    assert str(caught.value).endswith(f"({rule})")


def test_d9_5_and_d5_2_no_card_is_spent_where_nobody_votes() -> None:
    for game, rule in ((small(BOARD, variant=True, no_votes=True), "D9.5"), (small(), "D5.2")):
        text = begin(game).position_text()
        with pytest.raises(ImpossiblePosition) as caught:
            game.position(text.replace(f"cards={ALL}", f"cards={ALL.removeprefix('ja+')}"))
        assert caught.value.rule == rule


def over() -> DrunterState:
    state = dealt(put(FIVE, C3="T4"), {"wall": [1, 0, 0]}, {"wall": [1, 0, 0]}, objectives=("town-hall", "inn"))
    play(state, "wall A1 B1", "wall A1 C1")
    return state


def test_d7_1_and_d8_1_a_game_that_is_over_is_nobodys_turn_and_all_is_revealed() -> None:
    state = over()
    text = state.position_text()
    assert "turn=- " in text
    assert state.game.position(text).scores == (4, 0)
    with pytest.raises(ImpossiblePosition, match=r"D7\.1"):
        state.game.position(edited(text, turn="1"))
    with pytest.raises(ImpossiblePosition, match=r"D8\.1"):
        state.game.position(edited(text, objectives="town-hall/?"))


@pytest.mark.parametrize(
    "text",
    [
        START,
        edited(START, turn="1"),
        edited(START, cards=f"?/{ALL}"),
        edited(START, objectives="?/inn"),
        edited(START, objectives="?/?"),
        edited(START, laid="wall:A1:A2", tiles=f"{HELD}/{HAND}", turn="1"),
        edited(START, laid="wall:A1:A2", tiles=f"{HELD}/{HAND}", turn="0"),
        edited(START, vote=VOTE.format("-/-", "-/-")),
        edited(START, vote=VOTE.format("-/ja", "-/-")),
        edited(START, vote=VOTE.format("hidden/-", "-/-")),
        edited(START, vote=VOTE.format("jeeiin/jeeiin", "-/-")),
        edited(START, vote=VOTE.format("jeeiin/jeeiin", "no/-")),
        edited(START, vote=VOTE.format("jeeiin/jeeiin", "-/no"), turn="1"),
    ],
)
def test_positions_like_those_that_are_possible_are_not_refused(text: str) -> None:
    assert GAME.position(text).position_text() == text


# ---- a state from a position


def test_a_state_from_a_position_plays_on_but_has_no_past() -> None:
    state = GAME.position(START, SeededChance(3))
    with pytest.raises(NothingToUndo):
        state.undo()
    for face in (state, state.view(0), state.copy().play("lay wall A1 A2")):
        with pytest.raises(NoRecord):
            face.record()
    played = state.copy().play("lay wall A1 A2").play("lay wall A1 A3")
    assert [tile.squares for tile in played.laid] == [("A2",), ("A3",)]
    assert played.undo().undo().position_text() == START
    with pytest.raises(NothingToUndo):
        played.undo()


def test_a_vote_that_is_not_known_is_not_counted() -> None:
    """D6.1: the last vote reveals all; where one of them is hidden, nothing is made up and nothing changes."""
    state = begin(GAME, "town-hall", "inn").play("lay wall A1 B1").play("vote ja", 1)
    seen = GAME.position(state.view(0).position_text())
    assert seen.waiting == (0,)
    before = seen._position.tobytes()
    with pytest.raises(NoChance, match="not all votes are known"):
        seen.play("vote ja", 0)
    assert seen._position.tobytes() == before
    assert seen.laid == ()
    sample = seen.view(0).sample(SeededChance(1))
    assert sample.view(0) == seen.view(0)
    sample.play("vote ja", 0)


def test_d6_6_a_vote_of_all_cards_is_not_taken_for_a_hidden_one() -> None:
    game = small(BOARD, several_cards=True)
    state = begin(game).play("lay wall A1 B1").play(f"vote {ALL}", 1)
    assert f"-/{ALL};" in state.position_text()
    assert game.position(state.position_text()).position_text() == state.position_text()
    hidden = game.position(state.view(0).position_text())
    assert "-/hidden;" in hidden.position_text()
    assert f"-/{ALL};" in state.view(1).position_text()


# ---- back and forth


def shape(state: DrunterState) -> tuple[Any, ...]:
    record = state.record().to_json() if len(state.log) % 7 == 0 or state.is_over else ""
    return state.position_text(), state.laid, state.log, state.outcome, state.waiting, record


@pytest.mark.kernel
@settings(max_examples=examples(15, 2))
@given(game=drunter_games(), seed=SEEDS)
def test_undo_and_copy_restore_everything_at_every_point(game: dict[str, Any], seed: int) -> None:
    chooser = random.Random(seed)
    state = started(game)
    shapes = []
    for here in walk(state, chooser):
        shapes.append(shape(here))
        if not here.is_over and chooser.random() < 0.3:
            twin = here.copy()
            seat = chooser.choice(twin.waiting)
            twin.play(chooser.choice(twin.legal_actions_of(seat)), seat)
            assert shape(here) == shapes[-1], "a copy is a state of its own"
            assert shape(twin.undo()) == shapes[-1]
            assert shape(twin.abandon().undo()) == shapes[-1]
    end = state.copy()
    for wanted in reversed(shapes[:-1]):
        assert shape(state.undo()) == wanted
    with pytest.raises(NothingToUndo):
        state.undo()
    assert shape(end) == shapes[-1]
    for entry in end.log:
        state.play(entry.text, entry.seat)
    assert shape(state) == shapes[-1]


@pytest.mark.kernel
@settings(max_examples=examples(15, 2))
@given(game=drunter_games(), seed=SEEDS)
def test_a_resumed_game_is_the_same_game_from_there_on(game: dict[str, Any], seed: int) -> None:
    chooser = random.Random(seed)
    state = started(game)
    stop = chooser.randrange(60)
    for step, _ in enumerate(walk(state, chooser)):
        if step == stop:
            break
    again = state.game.resume(
        state._position.copy(), state.chance, state.heading, state.log, state._ended, laid=state.laid
    )
    assert shape(again) == shape(state)
    while not state.is_over:
        seat = chooser.choice(state.waiting)
        action = chooser.choice(state.legal_actions_of(seat))
        state.play(action, seat)
        again.play(action, seat)
    assert shape(again) == shape(state)
    assert legal(again) == set()
