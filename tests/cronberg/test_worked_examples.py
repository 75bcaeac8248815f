"""Every worked example of the rules, on cronberg-1726 at the places that the rules name."""

from __future__ import annotations

import pytest

from embertown.core.chance import StatedChance
from embertown.cronberg.game import CronbergGame, CronbergState

pytestmark = pytest.mark.kernel

GAME = CronbergGame(2)


def position(rhombi: str, token: str, hand: str = "-", turn: int = 0) -> CronbergState:
    return GAME.position(
        f"cronberg:cronberg-1726 players=2 turn={turn} hand={hand} scores=0,0 tokens={token}/- rhombi={rhombi}"
    )


FINAL = {
    "Karl": ("church@A2+A3,market@B2+B3,house@B5+B6", "b2", (3, 2), False, 2, 20),
    "Anne": ("church@B1+B2,church@A2+A3,dungeon@B3+B4", "b2", (6, 3, -2), False, 1, 14),
    "Ulla": ("dungeon@A5+A6,house@B7+B8", "a4", (-4,), True, 0, 4),
    "Gerd": ("market@A2+A3,house@B1+B2", "a1", (4,), False, 1, 8),
    "seventeen": (
        "church@A1+A2,city-hall@A3+A4,market@B3+C4,tannery@B4+B5,house@B1+C2",
        "b2",
        (8, 4, 3, -2),
        True,
        0,
        17,
    ),
    "six": ("church@A2+A3,house@A5+A6", "a2", (3,), False, 1, 6),
}


@pytest.mark.parametrize("example", FINAL)
def test_final_scoring(example: str) -> None:
    """C8.2, C8.3."""
    rhombi, crossing, numbers, coat, parks, points = FINAL[example]
    (scored,) = position(rhombi, crossing).final_scoring()
    assert (scored.at, scored.numbers, scored.coat, scored.parks, scored.points) == (
        crossing,
        numbers,
        coat,
        parks,
        points,
    )


def test_three_parks_multiply_by_eight() -> None:
    """C8.2: b3 touches three parks."""
    state = position("house@A2+A3,market@A5+A6,church@B5+C6,house@B2+B3,house@B7+B8", "b3")
    (scored,) = state.final_scoring()
    assert scored.parks == 3
    assert scored.points == 8 * sum(scored.numbers)


def test_the_cemetery_costs_two_points() -> None:
    """C6.1, C6.2: -2, whoever placed it, and the token goes back."""
    state = position("church@A1+B2", "a1", hand="cemetery", turn=1)
    (scored,) = state.preview("place A2+A3").scored
    assert (scored.seat, scored.at, scored.numbers, scored.points) == (0, "a1", (6, -8), -2)
    state.play("place A2+A3")
    assert state.scores == (-2, 0)
    assert state.tokens == {}
    assert state.supply == (4, 4)


def test_a_guard_drives_a_token_away_and_bars_its_crossings() -> None:
    """C7.2, C4.3: A2 is a guard; its neighbours are A1, A3 and nothing above."""
    state = position("house@A3+A4", "b2", hand="market", turn=1)
    found = state.preview("place A1+B2")
    assert found.activated == ("A2",)
    assert [(driven.seat, driven.at) for driven in found.driven] == [(0, "b2")]
    state.play("place A1+B2")
    assert state.supply == (4, 4)
    assert not {"token a1", "token a2", "token b2"} & {state.text(action) for action in state.legal_actions}


def test_undo_and_redo_draw_the_same() -> None:
    """The label alone decides: taking a draw back and drawing again gives the same rhomb."""
    state = GAME.start(seed=5, first=0)
    drawn = state.play("draw").drawn
    before = state.position_text()
    state.undo()
    assert state.drawn is None
    assert state.play("draw").drawn == drawn
    assert state.position_text() == before


def test_a_source_that_gives_what_is_not_left_is_refused() -> None:
    state = GAME.start(chance=StatedChance({"draw 1": 99}), first=0)
    with pytest.raises(Exception, match="no such rhomb is left"):
        state.play("draw")
    assert state.log == ()
