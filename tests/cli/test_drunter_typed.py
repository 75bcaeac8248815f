"""What people type at a table of Drunter & Drüber: short forms, and never a guess between two."""

from __future__ import annotations

import pytest

import embertown
from embertown.cli.drunter_typed import action
from embertown.core.chance import SeededChance
from embertown.core.errors import AmbiguousText, IllegalMove, MalformedText
from embertown.drunter.game import DrunterState
from embertown.drunter.rules import Phase
from embertown.drunter.view import DrunterView
from tests.cli.drunter_tables import choosing, started, voting


def read(typed: str, state: DrunterState) -> str | None:
    """What somebody means who is asked."""
    assert state.seat is not None
    return action(typed, state.view(state.seat))


@pytest.mark.parametrize(
    "typed",
    [
        "lay wall A1 B1-D1",
        "wall A1 B1-D1",
        "A1 B1-D1",
        "B1-D1",
        "b1 - d1",
        "B1 to D1",
        "w b1-d1",
        "Mauer B1-D1",
        "D1-B1",
        "A1 B1 D1",
        "A1 B1..D1",
        "rempart a1 b1-d1",
    ],
)
def test_a_tile_in_every_short_form(typed: str) -> None:
    assert read(typed, started()) == "lay wall A1 B1-D1"


@pytest.mark.parametrize("typed", ["wall O10 N10", "O10 N10", "N10", "wall N10", "o10-n10", "WALL n10"])
def test_a_tile_of_length_one(typed: str) -> None:
    assert read(typed, started()) == "lay wall O10 N10"


def test_a_gang_may_be_called_by_the_square_it_stands_on() -> None:
    state = started().play("lay wall A1 B1-D1")
    assert read("D1 E1-F1", state) == read("D1 E1 F1", state) == read("E1-F1", state) == "lay wall A1 E1-F1"
    assert read("D1 E1", state) == "lay wall A1 E1"


def test_nothing_is_guessed_between_two_gangs() -> None:
    """Somewhere the walls of A1 and O10 can both be continued on the same square."""
    state = next(state for state in map(wandering, range(100)) if twice(state))
    square = twice(state)
    with pytest.raises(AmbiguousText, match="fits several gangs; right would be: wall A1 or wall O10 before it"):
        read(square, state)
    assert read(f"A1 {square}", state) == f"lay wall A1 {square}"


def wandering(seed: int) -> DrunterState:
    """A game played until two gangs meet, or to its end."""
    state, chance = embertown.load("drunter", 2, variant=True, no_votes=True).start(seed=seed), SeededChance(seed)
    while not state.is_over and not twice(state):  # type: ignore[arg-type]
        state.play(state.legal_actions[chance.pick(str(len(state.log)), [1] * len(state.legal_actions))])
    return state  # type: ignore[return-value]


def twice(state: DrunterState) -> str:
    """A square on which two gangs could lay a tile of length 1."""
    ends = [state.text(a).split(" ")[-1] for a in state.legal_actions if "wall" in state.text(a)]
    return next((end for end in ends if ends.count(end) > 1), "") if state.phase is Phase.LAYING else ""


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("vote nee", "vote nee"),
        ("nee", "vote nee"),
        ("Ja", "vote ja"),
        ("v jaaa", "vote jaaa"),
        ("jeei", "vote jeeiin"),
        ("blank", "vote ?"),
        ("vote ?", "vote ?"),
        ("ne+neee", "vote ne+neee"),
        ("ne, neee", "vote ne+neee"),
    ],
)
def test_votes(typed: str, text: str) -> None:
    assert read(typed, voting()) == text


@pytest.mark.parametrize(
    ("typed", "said"), [("yes", "ja, jaa, jaaa or jeeiin"), ("n", "ne, nee, neee or jeeiin"), ("j", "may mean")]
)
def test_a_side_alone_is_no_card(typed: str, said: str) -> None:
    with pytest.raises(AmbiguousText, match=said):
        read(typed, voting())


@pytest.mark.parametrize(
    ("typed", "text"), [("yes", "yes"), ("jeeiin no", "no"), ("nee", "no"), ("ja", "yes"), ("y", "yes")]
)
def test_jeeiin(typed: str, text: str) -> None:
    assert read(typed, voting().play("vote jeeiin").play("vote ja")) == f"jeeiin {text}"


@pytest.mark.parametrize("typed", ["school", "choose school", "sch", "Schule", "école"])
def test_objectives_by_name_and_by_beginning(typed: str) -> None:
    state = choosing()
    assert action(typed, state.view(0)) == "choose school"


def test_objectives_of_two_words_and_of_nobody() -> None:
    state = choosing()
    assert action("choose town hall", state.view(0)) == "choose town-hall"
    with pytest.raises(MalformedText, match="no objective is called 'xyz'; right would be: inn or school"):
        action("choose xyz", state.view(0))


@pytest.mark.parametrize("typed", ["B1-D1", "wall A1 B1"])
def test_a_tile_while_something_else_is_due(typed: str) -> None:
    for state, code in ((voting(), "vote_under_way"), (choosing(), "choice_due")):
        with pytest.raises(IllegalMove) as error:
            read(typed, state)
        assert error.value.code == code


@pytest.mark.parametrize("typed", ["hello", "", "ø", "7 7", "lay", "wall", "vote", "b1-d1-e1-f1", "z99", "r N1", "+"])
def test_what_is_no_action_is_never_one(typed: str) -> None:
    for state in (started(), voting(), choosing()):
        view: DrunterView = state.view(state.seat)
        try:
            found = action(typed, view)
        except (MalformedText, IllegalMove):
            continue
        assert found is None or typed == "z99"
