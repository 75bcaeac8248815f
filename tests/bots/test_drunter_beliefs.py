"""What play says about cards: Bayes by hand, what never changes, and that it leads to the truth."""

from __future__ import annotations

from itertools import permutations
from math import exp, log

import numpy as np
import pytest

import embertown
from embertown.bots import bot
from embertown.bots.drunter_beliefs import CARELESS, beliefs_of, hands_of, uniform_hostility, worlds_of
from embertown.bots.drunter_policy import SEEN, Model, list_merits, model_of
from embertown.core.chance import SeededChance
from embertown.drunter.board import BUILDINGS
from embertown.drunter.game import DrunterState
from embertown.drunter.rules import OBJECTIVES, UNKNOWN, Phase
from embertown.drunter.view import DrunterView
from tests.conftest import JIT_OFF
from tests.small_drunter import FIVE, SEVEN, begin, play, put, small

BOARD = put(SEVEN, C1="T5", D1="S4", A3="F3", E7="I5", G4="oo", C3="M4", B1="C1")


def beliefs(view: DrunterView) -> tuple[dict[str, float] | None, ...]:
    return beliefs_of(view, worlds_of(view, hands_of(view)))


def merits(state: DrunterState, model: Model, seat: int, card: int) -> dict[int, float]:
    position = state.view(None).position_array()[0]
    count = list_merits(state.board.arrays, position, seat, model, card, card)
    return dict(zip(model.actions[:count].tolist(), model.weights[:count].tolist(), strict=True))


def likelihoods(state: DrunterState, seat: int, text: str) -> list[float]:
    """How likely an action is for each kind of building, straight from the merits of a model made anew; and by lot."""
    temper, position = SEEN, state.view(None).position_array()[0]
    hostile = uniform_hostility(state.game.players, 1)
    model = model_of(state.board.arrays, position, hostile, temper, np.uint64(0))
    found = []
    for card in range(len(BUILDINGS)):
        weights = {a: exp(m / temper.heat) for a, m in merits(state, model, seat, card).items()}
        share = weights[state.action(text)] / sum(weights.values())
        found.append((1 - temper.slip) * share + temper.slip / len(weights))
    return [*found, 1 / len(weights)]


@pytest.mark.kernel
@pytest.mark.parametrize("players", [2, 3])
def test_beliefs_are_bayes_over_whole_deals(players: int) -> None:
    """Every deal of different cards, weighed by the likelihood of every action, summed by hand."""
    state = begin(small(BOARD, players=players), *BUILDINGS[:players])
    logs = np.zeros((players, len(BUILDINGS) + 1))
    for text in ("lay wall A1 B1-C1", "lay road G1 G2-G4", "0: vote jaa", "1: vote nee", "2: vote ?", "lay wall A1 C2"):
        seat_text, _, action = text.rpartition(": ")
        seat = int(seat_text) if seat_text else state.waiting[0]
        if seat < players:
            logs[seat] += [log(one) for one in likelihoods(state, seat, action)]
            play(state, f"{seat}: {action}")
    seat = state.waiting[0]
    (own,) = state.objectives_of(seat)
    expected = np.zeros((players, len(BUILDINGS)))
    for deal in permutations(range(len(BUILDINGS)), players):
        if BUILDINGS[deal[seat]] == own:
            weight = 1.0
            for s in (s for s in range(players) if s != seat):
                weight *= (1 - CARELESS) * exp(logs[s, deal[s]]) + CARELESS * exp(logs[s, -1])
            for s in range(players):
                expected[s, deal[s]] += weight
    expected /= expected[seat].sum()
    for s, belief in enumerate(beliefs(state.view(seat))):
        if s == seat:
            assert belief is None
        else:
            assert belief is not None
            assert list(belief.values()) == pytest.approx(expected[s].tolist())


@pytest.mark.kernel
@pytest.mark.parametrize(("players", "options"), [(2, {}), (4, {}), (2, {"variant": True}), (3, {"variant": True})])
def test_beliefs_are_probabilities_and_the_same_in_every_world_that_fits(
    players: int, options: dict[str, bool]
) -> None:
    game, greedy = embertown.load("drunter", players, **options), bot("greedy")
    state = game.start(seed=5)
    for turn in range(6 if JIT_OFF else 200):
        if state.seat is None:
            break
        view = state.view(state.seat)
        if turn % 7 == 0 or state.phase is Phase.CHOOSING:
            found = beliefs(view)
            assert found == beliefs(view.sample(SeededChance(turn)).view(state.seat))
            for belief in (b for b in found if b is not None):
                assert sum(belief.values()) == pytest.approx(game.cards_each)
                assert all(0 <= share <= 1 + 1e-9 for share in belief.values())
                assert all(belief[card] == 0 for card in view.objectives_of(state.seat))
        state.play(greedy.choose(view, seed=turn).action)


@pytest.mark.kernel
def test_without_a_log_all_deals_are_alike() -> None:
    state = begin(small(BOARD), "inn", "town-hall")
    play(state, "wall A1 B1-C1", "road G1 F1-E1")
    bare = state.game.position(state.position_text())
    (_, belief) = beliefs(bare.view(0))
    assert belief is not None
    assert belief == pytest.approx(dict.fromkeys(BUILDINGS, 0.2) | {"inn": 0.0})


@pytest.mark.kernel
def test_who_buries_a_building_seldom_wants_it() -> None:
    """The second seat covers the town hall of value 5: it is hardly theirs."""
    state = begin(small(BOARD), "inn", "school")
    play(state, "road G1 F1", "wall A1 B1-C1")
    (_, belief) = beliefs(state.view(0))
    assert belief is not None
    assert belief["town-hall"] < 0.05 < belief["school"]


@pytest.mark.kernel
def test_who_votes_against_a_tile_may_well_lose_by_it() -> None:
    state = begin(small(put(FIVE, B1="oo", C1="M5")), "inn", "museum")
    play(state, "wall A1 B1-C1", "0: vote ja", "1: vote neee", "road E1 E2")
    (_, belief) = beliefs(state.view(0))
    assert belief is not None
    assert max(belief, key=belief.__getitem__) == "museum"


@pytest.mark.kernel
def test_a_hidden_choice_is_likelier_of_what_was_worth_more_d9_2() -> None:
    """In every deal where the others may have chosen, either card may be the real one; the richer one more likely."""
    state = begin(small(put(FIVE, C3="T5", D3="S4", C4="I1"), variant=True), "fours+museum", "town-hall+inn")
    state = play_until_chosen(state)
    seat = state.waiting[0]
    other = 1 - seat
    hands = hands_of(state.view(seat))[other]
    odds = {tuple(cards): weight for cards, weight in zip(hands.cards.tolist(), hands.likelihood, strict=True)}
    rich, poor = OBJECTIVES.index("town-hall"), OBJECTIVES.index("inn")
    worth = [state.worth_of("town-hall"), state.worth_of("inn")]
    assert len(odds) == 90
    assert (odds[rich, poor] > odds[poor, rich]) == (worth[0] > worth[1])
    assert state.view(seat).position_array()[0].chosen[other] != UNKNOWN


def play_until_chosen(state: DrunterState) -> DrunterState:
    """The first wall runs into a dead end in its corner; then everybody chooses."""
    play(state, "wall A1 B1", "wall A1 B2", "wall A1 B3", "wall A1 A3", "wall A1 A2")
    assert state.phase is Phase.CHOOSING
    while state.phase is Phase.CHOOSING:
        state.play(state.legal_actions[0])
    return state


def last_beliefs(name: str, games: int, turns: int) -> list[float]:
    """How much the first seat believes, at its last turn, in the true card of the second; both are bots of a name."""
    shares = []
    for seed in range(games):
        state, share = embertown.load("drunter", 2).start(seed=seed), 0.2
        for _ in range(turns):
            if state.seat is None:
                break
            view = state.view(state.seat)
            if state.seat == 0:
                belief = beliefs(view)[1]
                assert belief is not None
                share = belief[state.objectives_of(1)[0]]
            state.play(bot(name).choose(view, seed=seed).action)
        shares.append(share)
    return shares


@pytest.mark.kernel
def test_beliefs_lead_to_the_truth_when_others_play_sensibly() -> None:
    """Over games of greedy players the true card is, in the end, believed far more than by chance."""
    shares = last_beliefs("greedy", games=1 if JIT_OFF else 12, turns=4 if JIT_OFF else 1000)
    assert JIT_OFF or sum(shares) / len(shares) > 0.5


@pytest.mark.kernel
def test_who_plays_anything_misleads_nobody() -> None:
    """What random players do says nothing: their true card is never ruled out, nor found."""
    shares = last_beliefs("random", games=1 if JIT_OFF else 12, turns=4 if JIT_OFF else 60)
    assert min(shares) > 0.05
    assert 0.1 < sum(shares) / len(shares) < 0.35
