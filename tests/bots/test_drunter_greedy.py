"""`greedy` at Drunter & Drüber: legal, the same from the same view, and blind to what it may not know."""

from __future__ import annotations

from typing import Any

import pytest

import embertown
from embertown.bots import bot
from embertown.core.chance import SeededChance
from embertown.drunter.game import DrunterGame, DrunterState
from embertown.drunter.rules import Phase
from tests.conftest import JIT_OFF
from tests.small_drunter import SEVEN, begin, put, small

KINDS: tuple[tuple[int, dict[str, bool]], ...] = (
    (2, {}),
    (3, {"variant": True}),
    (4, {"several_cards": True}),
    (2, {"variant": True, "no_votes": True}),
    (3, {"variant": True, "several_cards": True}),
)
DEAL: dict[str, Any] = {
    "tiles": [
        {"wall": [6, 6, 3], "road": [3, 3, 1], "river": [3, 3, 2]},
        {"wall": [6, 6, 3], "road": [3, 3, 2], "river": [3, 3, 1]},
    ],
    "objectives": [["inn"], ["museum"]],
}


def started(objectives: list[list[str]] = DEAL["objectives"], **options: bool) -> DrunterState:
    return DrunterGame(2, **options).start(seed=1, first=0, deal=DEAL | {"objectives": objectives})


def chosen(state: DrunterState, seat: int | None = None, seed: int = 0) -> str:
    """What greedy does, as text."""
    seat = state.seat if seat is None else seat
    return state.text(bot("greedy").choose(state.view(seat), seed=seed).action)


@pytest.mark.kernel
@pytest.mark.parametrize(("players", "options"), KINDS)
def test_it_plays_whole_games_and_sees_nothing_hidden(players: int, options: dict[str, bool]) -> None:
    """Every action is legal; another world that fits the view gets the same answer, as does the same view again."""
    greedy, game = bot("greedy"), embertown.load("drunter", players, **options)
    for seed in range(1 if JIT_OFF else 2):
        state = game.start(seed=seed)
        while state.seat is not None:
            view = state.view(state.seat)
            action = greedy.choose(view, seed=seed).action
            other = view.sample(SeededChance(f"{seed} {len(view.log)}")).view(state.seat)
            assert action in view.legal_actions
            assert greedy.choose(view, seed=seed).action == action
            assert greedy.choose(other, seed=seed).action == action
            state.play(action)


@pytest.mark.kernel
def test_it_never_covers_its_own_building_when_that_can_be_avoided() -> None:
    greedy = bot("greedy")
    for seed in range(1 if JIT_OFF else 4):
        state = DrunterGame(2).start(seed=seed)
        while state.seat is not None:
            view = state.view(state.seat)
            action = greedy.choose(view, seed=seed).action
            if view.phase is Phase.LAYING and len(view.legal_actions) > 1:
                (own,) = view.objectives_of(state.seat)
                harms = {a: covers(state, a, own) for a in view.legal_actions}
                assert harms[action] == min(harms.values())
            state.play(action)


def covers(state: DrunterState, action: int, kind: str) -> int:
    """The value of a kind's buildings under a tile."""
    found = [state.board.buildings.get(square, ("", 0)) for square in state.preview(action).covers]
    return sum(value for name, value in found if name == kind)


@pytest.mark.kernel
def test_it_covers_the_highest_foreign_value() -> None:
    """D4 holds a museum of value 4; nothing else within reach of a wall at D1 is worth more."""
    state = started().play("lay wall A1 B1-D1").play("lay road O1 N1")
    assert chosen(state) == "lay wall A1 D2-D4"


@pytest.mark.kernel
def test_before_the_choice_buildings_of_both_objectives_are_its_own_d9_2() -> None:
    """The wall could bury a museum of value 5, but with it an inn, which is the lesser of the own cards."""
    game = small(put(SEVEN, B1="I1", C1="M5", D4="T5"), variant=True, no_votes=True)
    state = begin(game, "town-hall+inn", "school+church")
    assert "lay wall A1 B1-C1" in {state.text(action) for action in state.legal_actions}
    assert "B1" not in state.preview(chosen(state)).covers


@pytest.mark.kernel
def test_it_votes_by_its_own_loss() -> None:
    """Anne's tile would cover a museum of value 4: for her it is worth a strong yes, for Karl a strong no."""
    state = started().play("lay wall A1 B1-D1").play("lay road O1 N1").play("lay wall A1 D2-D4")
    assert [chosen(state, seat) for seat in (0, 1)] == ["vote jaaa", "vote neee"]
    calm = started([["inn"], ["church"]]).play("lay wall A1 B1-D1").play("lay road O1 N1").play("lay wall A1 D2-D4")
    assert chosen(calm, 1) == "vote ?"
    several = started(several_cards=True).play("lay wall A1 B1-D1").play("lay road O1 N1").play("lay wall A1 D2-D4")
    assert chosen(several, 1) == "vote ne+neee"


@pytest.mark.kernel
def test_jeeiin_counts_as_what_helps() -> None:
    state = started().play("lay wall A1 B1-D1").play("lay road O1 N1").play("lay wall A1 D2-D4")
    state.play("vote jeeiin", 0).play("vote jeeiin", 1)
    assert chosen(state) == "jeeiin yes"
    assert chosen(state.play("jeeiin yes")) == "jeeiin no"


@pytest.mark.kernel
def test_it_chooses_the_objective_that_is_worth_more_d9_2() -> None:
    state = started([["inn", "ones"], ["fours", "museum"]], variant=True, no_votes=True)
    for text in ("lay wall A1 B1-D1", "lay wall A1 D2", "lay wall A1 C2-B2", "lay wall A1 B3", "lay wall A1 A3"):
        state.play(text)
    state.play("lay wall A1 A2")
    assert state.phase is Phase.CHOOSING
    assert [chosen(state, seat) for seat in (0, 1)] == ["choose ones", "choose fours"]


@pytest.mark.kernel
def test_it_beats_random() -> None:
    greedy, anything, game = bot("greedy"), bot("random"), DrunterGame(2)
    wins = 0
    for seed in range(1 if JIT_OFF else 12):
        state = game.start(seed=seed)
        while state.seat is not None:
            state.play((greedy, anything)[state.seat].choose(state.view(state.seat), seed=seed).action)
        assert state.outcome is not None
        wins += 0 in state.outcome.winners
    assert wins >= (0 if JIT_OFF else 8)
