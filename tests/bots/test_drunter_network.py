"""The network at Drunter & Drüber: legal, the same for equal views, mirrored with the board; it knows its limits."""

from __future__ import annotations

import random
from typing import Any

import pytest

from embertown.bots.drunter_network import choose, think
from embertown.core.chance import SeededChance
from embertown.core.errors import BadArgument, UnknownGame
from embertown.cronberg.game import CronbergGame
from embertown.drunter import observation
from embertown.drunter.grid import GRID
from embertown.testing.questions import Question
from embertown.testing.reasons import check_form
from tests.conftest import JIT_OFF
from tests.networks import network_by_lot
from tests.small_drunter import FIVE, SEVEN, begin, dealt, play, put, small

SMALL = put(SEVEN, C1="T5", D1="S4", A3="F3", E7="I5", G4="oo", C3="M4", B1="C1", D4="T2", F6="oo", B6="C4")
KINDS: tuple[tuple[int, dict[str, bool]], ...] = ((2, {}), (4, {}), (3, {"variant": True}))


NETWORK = network_by_lot(GRID)


@pytest.mark.kernel
@pytest.mark.parametrize(("players", "options"), KINDS)
def test_choices_are_legal_and_the_same_in_every_world_that_fits(players: int, options: dict[str, bool]) -> None:
    state: Any = small(SMALL, players=players, **options).start(seed=players)
    chooser = random.Random(1)
    while not state.is_over and not (JIT_OFF and len(state.log) > 5):
        seat = chooser.choice(state.waiting)
        view = state.view(seat)
        choice = choose(view, NETWORK)
        check_form(choice, Question(state, seat, players, len(state.log)))
        assert choice.action in state.legal_actions_of(seat)
        assert choice == choose(view.sample(SeededChance(len(state.log))).view(seat), NETWORK)
        state.play(choice.action if chooser.random() < 0.7 else chooser.choice(state.legal_actions_of(seat)), seat)


@pytest.mark.kernel
def test_looked_at_in_all_ways_a_mirrored_game_is_played_alike() -> None:
    """What the network says of single ways differs; of all together it can't."""
    mirrored = "\n".join(" ".join(line.split()[::-1]) for line in SMALL.strip().splitlines())
    one, other = begin(small(SMALL)), begin(small(mirrored))
    play(one, "wall A1 B1-C1", "road G1 G2")
    play(other, "wall G1 F1-E1", "road A1 A2")
    first, second = (think(NETWORK, state.view(0), ways=8) for state in (one, other))
    single = think(NETWORK, one.view(0), ways=1)
    texts = {one.text(action): share for action, share in first.policy.items()}
    mirror = {other.text(action): share for action, share in second.policy.items()}
    assert len(texts) == len(mirror) == len(one.legal_actions)
    for text, share in texts.items():
        assert mirror[mirrored_text(text)] == pytest.approx(share, abs=1e-5)
    assert first.win_share == pytest.approx(second.win_share, abs=1e-5)
    assert list(single.policy.values()) != pytest.approx(list(first.policy.values()), abs=1e-3)


def mirrored_text(text: str) -> str:
    """An action with the columns A to G the other way round."""
    word, kind, *squares = text.split()
    turned = ["-".join(f"{chr(ord('A') + ord('G') - ord(s[0]))}{s[1:]}" for s in part.split("-")) for part in squares]
    return " ".join((word, kind, *turned))


@pytest.mark.kernel
def test_values_are_told_by_seat() -> None:
    """The network counts from the seat that looks; whoever looks, the shares are by seat and sum to 1."""
    state = begin(small(put(FIVE, B1="oo", C1="M5"), players=3))
    play(state, "wall A1 B1-C1")
    for seat in range(3):
        thought = think(NETWORK, state.view(seat))
        row = observation.observation(state.view(seat))
        own = float(NETWORK.think(row[None])[1][0, 1, 0])
        assert thought.lead[seat] == pytest.approx(own, abs=1e-6)
        assert sum(thought.win_share) == pytest.approx(1)
        assert sum(thought.policy.values()) == pytest.approx(1)
        assert list(thought.policy.values()) == sorted(thought.policy.values(), reverse=True)


@pytest.mark.kernel
def test_views_without_a_choice_are_refused() -> None:
    state = begin(small(FIVE))
    play(state, "wall A1 B1")
    with pytest.raises(BadArgument, match="waited for is 1"):
        choose(state.view(0), NETWORK)
    with pytest.raises(UnknownGame):
        choose(CronbergGame(2).start(seed=1).view(0), NETWORK)


@pytest.mark.kernel
def test_what_is_forced_needs_no_network() -> None:
    """Nobody builds roads here, and the second seat has nothing else: it passes (D3.1)."""
    state = dealt(put(FIVE, E1="W"), {"wall": [2, 0, 0]}, {"road": [2, 0, 0]})
    play(state, "wall A1 B1")
    assert choose(state.view(1), NETWORK).reasons.because == "nothing else is legal"
