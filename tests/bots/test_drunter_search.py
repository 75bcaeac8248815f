"""Drunter & Drüber's search: legal, repeatable, blind to secrets, bounded, and not foolish."""

from __future__ import annotations

import pickle
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import embertown
from embertown.bots.drunter_beliefs import uniform_hostility
from embertown.bots.drunter_policy import USUAL, list_merits, model_of
from embertown.bots.drunter_search import SLICE, DrunterSearch, SearchSettings
from embertown.bots.drunter_tree import act, key_of
from embertown.core.chance import SeededChance
from embertown.core.errors import BadArgument
from embertown.drunter.game import DrunterGame, DrunterState
from embertown.drunter.rules import OBJECTIVES, Phase
from tests.conftest import JIT_OFF
from tests.kinds import Kind, kinds
from tests.small_drunter import FIVE, SEVEN, begin, dealt, play, put, small

MUSEUM = OBJECTIVES.index("museum")
FEW = 3 if JIT_OFF else 40
SOME = 20 if JIT_OFF else 600
LONG = 6 if JIT_OFF else 1000
KINDS = [kind for kind in kinds() if kind.game == "drunter"]


def game_of(kind: Kind) -> DrunterGame:
    options = {word.removeprefix("--").replace("-", "_"): True for word in kind.options}
    edition = Path(kind.edition) if kind.edition.endswith(".toml") else kind.edition
    game = embertown.load("drunter", kind.players, edition=edition, **options)
    assert isinstance(game, DrunterGame)
    return game


def chosen(state: DrunterState, seat: int | None = None, **settings: Any) -> str:
    """What the search does, as text."""
    view = state.view(state.seat if seat is None else seat)
    return state.text(DrunterSearch(SearchSettings(**settings)).choose(view, simulations=SOME).action)


# ---- the contract


@pytest.mark.kernel
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_it_plays_whole_games_and_sees_nothing_hidden(kind: Kind) -> None:
    """Every action is legal; another world that fits the view gets the same answer, as does the same view again."""
    state, search = game_of(kind).start(seed=kind.name), DrunterSearch()
    for turn in range(LONG):
        if state.seat is None:
            break
        view = state.view(state.seat)
        choice = search.choose(view, simulations=FEW, seed=turn)
        assert choice.action in view.legal_actions
        if turn % 5 == 0 or state.phase is not Phase.LAYING:
            other = view.sample(SeededChance(turn)).view(state.seat)
            assert search.choose(other, simulations=FEW, seed=turn) == choice
        state.play(choice.action)
    assert JIT_OFF or state.is_over


@pytest.mark.kernel
def test_votes_come_in_any_order_and_hidden_ones_are_not_read() -> None:
    """Whoever votes last answers as if nobody had voted, whatever the others played."""
    game = small(put(FIVE, B1="oo", C1="M5"), players=3)
    search = DrunterSearch()
    answers = []
    for votes in ((), ("1: vote neee", "0: vote ja"), ("0: vote jaaa", "1: vote ?")):
        state = begin(game, "inn", "museum", "church")
        play(state, "wall A1 B1-C1", *votes)
        answers.append(search.choose(state.view(2), simulations=FEW).action)
    assert len(set(answers)) == 1


@pytest.mark.kernel
def test_same_seed_same_choice_whatever_was_asked_before() -> None:
    state = embertown.load("drunter", 3).start(seed=2)
    view = state.view(state.seat)
    search, fresh = DrunterSearch(), DrunterSearch()
    first = search.choose(view, simulations=SOME, seed=4)
    search.choose(view, simulations=FEW, seed=5)
    assert search.choose(view, simulations=SOME, seed=4) == first
    assert pickle.loads(pickle.dumps(fresh)).choose(view, simulations=SOME, seed=4) == first


@pytest.mark.kernel
def test_how_it_is_cut_into_slices_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    state = embertown.load("drunter", 2).start(seed=2)
    view = state.view(state.seat)
    found = []
    for size in (16, SLICE, 10_000):
        monkeypatch.setattr("embertown.bots.drunter_search.SLICE", size)
        found.append(DrunterSearch().choose(view, simulations=SOME, seed=1))
    assert found[0] == found[1] == found[2]


@pytest.mark.kernel
def test_it_stops_at_the_first_look_after_its_deadline() -> None:
    """A clock that goes on by a second at every look: ten seconds are nine slices, or fewer if all is settled."""
    ticks = count()
    search = DrunterSearch(clock=lambda: float(next(ticks)))
    state = embertown.load("drunter", 2).start(seed=2)
    seconds = 2.0 if JIT_OFF else 10.0
    choice = search.choose(state.view(state.seat), seconds=seconds)
    assert 0 < choice.reasons.simulations <= (seconds - 1) * SLICE
    assert next(ticks) <= seconds + 1


@pytest.mark.kernel
def test_the_table_never_grows_beyond_its_size() -> None:
    """A table of eight information sets: the search goes on, and says all that it says otherwise."""
    settings = SearchSettings(slots=8)
    state = embertown.load("drunter", 2).start(seed=2)
    view = state.view(state.seat)
    choice = DrunterSearch(settings).choose(view, simulations=SOME)
    assert choice.action in view.legal_actions
    assert sum(one.visits for one in choice.reasons.considered) > 0
    assert settings.memory < 3000
    assert SearchSettings().memory < 64 * 2**20


@pytest.mark.kernel
def test_forced_moves_are_answered_at_once() -> None:
    """There is no road to build: the second seat can only pass. The clock would fail at a second look."""
    state = dealt(put(FIVE, E1="W", A5="W"), {"wall": [2, 0, 0]}, {"road": [2, 0, 0]})
    play(state, "wall A1 B1")
    choice = DrunterSearch(clock=iter([0.0]).__next__).choose(state.view(1), seconds=1.0)
    assert (state.text(choice.action), choice.reasons.simulations) == ("pass", 0)


@pytest.mark.kernel
def test_it_says_who_should_be_asked() -> None:
    state = begin(small())
    with pytest.raises(BadArgument, match="waited for is 0"):
        DrunterSearch().choose(state.view(1), simulations=1)
    with pytest.raises(BadArgument, match="seat None"):
        DrunterSearch().choose(state.view(None), simulations=1)
    with pytest.raises(BadArgument, match="the game is over"):
        DrunterSearch().choose(state.resign(0).view(1), simulations=1)


# ---- reasons


@pytest.mark.kernel
@pytest.mark.parametrize(("players", "options"), [(2, {}), (3, {"variant": True}), (4, {"several_cards": True})])
def test_reasons_are_whole(players: int, options: dict[str, bool]) -> None:
    """Every legal tile is there, where all could be tried; shares of the win sum to 1, the line can be played."""
    state = embertown.load("drunter", players, **options).start(seed=1)
    view = state.view(state.seat)
    choice = DrunterSearch().choose(view, simulations=SOME)
    reasons = choice.reasons
    assert {one.action for one in reasons.considered} <= set(view.legal_actions)
    assert JIT_OFF or len(reasons.considered) == len(view.legal_actions)
    assert [one.visits for one in reasons.considered] == sorted((o.visits for o in reasons.considered), reverse=True)
    for one in reasons.considered:
        assert sum(one.win_share) == pytest.approx(1.0)
        assert len(one.points) == players
    assert sum(one.visits for one in reasons.considered) <= reasons.simulations <= SOME
    assert [belief is None for belief in reasons.beliefs] == [seat == state.seat for seat in range(players)]
    assert reasons.line[0] == state.text(choice.action)
    for text in reasons.line:
        state.play(text)


@pytest.mark.kernel
def test_the_line_of_a_vote_leaves_out_who_has_voted() -> None:
    """Seat 1 votes, seat 2 has: after its own vote only that of seat 0 is still to come."""
    state = begin(small(put(FIVE, B1="oo", C1="M5"), players=3), "inn", "museum", "church")
    play(state, "wall A1 B1-C1", "2: vote ?")
    view = state.view(1)
    choice = DrunterSearch().choose(view, simulations=SOME)
    assert choice.reasons.line[0] == state.text(choice.action)
    assert sum(text.startswith("vote") for text in choice.reasons.line) <= 2


@pytest.mark.kernel
def test_without_time_it_does_what_seems_best_at_once() -> None:
    """A clock that is past the deadline at the first look: no simulation, and yet no nonsense."""
    state = begin(small(put(FIVE, B1="oo", C1="M5")), "inn", "museum")
    play(state, "wall A1 B1-C1")
    choice = DrunterSearch(clock=iter([0.0, 2.0]).__next__).choose(state.view(1), seconds=1.0)
    assert choice.reasons.simulations == 0
    assert not choice.reasons.considered
    assert choice.reasons.because == "no time to try anything: the likeliest at first sight"
    assert state.text(choice.action) == "vote neee"


@pytest.mark.parametrize(
    "settings",
    [{"slots": 0}, {"slots": 9.5}, {"trust": 1.5}, {"exploration": "x"}, {"simulations": 0}],
)
def test_settings_that_make_no_sense_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(BadArgument, match=f"{next(iter(settings))} is .*; right would be: from"):
        SearchSettings(**settings)


@pytest.mark.kernel
def test_of_several_cards_it_considers_those_that_pull_together_d6_6() -> None:
    """Yes cards, or no cards, each with or without Jeeiin; Jeeiin alone; the blank alone."""
    state = begin(small(put(FIVE, B1="oo", C1="M5"), several_cards=True), "inn", "museum")
    play(state, "wall A1 B1-C1")
    position = state.view(1).position_array()[0]
    hostile = uniform_hostility(2, cards_each=1)
    model = model_of(state.board.arrays, position, hostile, USUAL, np.uint64(0))
    count = list_merits(state.board.arrays, position, 1, model, MUSEUM, MUSEUM)
    considered = {state.text(int(action)).removeprefix("vote ") for action in model.actions[:count]}
    assert len(considered) == count == 7 * 4 + 2
    for cards in (set(text.split("+")) for text in considered):
        assert cards == {"?"} or cards <= {"ja", "jaa", "jaaa", "jeeiin"} or cards <= {"ne", "nee", "neee", "jeeiin"}


@pytest.mark.kernel
def test_tiles_laid_in_another_order_lead_to_the_same_information_set() -> None:
    """Which tiles lie where and whose they were counts; and what one holds oneself, not what others hold."""
    one, other = ("wall A1 B1", "road E1 E2", "river A5 A4"), ("river A5 A4", "road E1 E2", "wall A1 B1")
    keys = [
        key_after(texts, objectives)
        for texts in (one, other)
        for objectives in (("inn", "museum"), ("inn", "church"), ("school", "museum"))
    ]
    assert keys[0] == keys[1] == keys[3] == keys[4]
    assert keys[2] == keys[5] != keys[0]
    assert key_after(("wall A1 B1", "river A5 A4", "road E1 E2"), ("inn", "museum")) != keys[0]


def key_after(texts: tuple[str, ...], objectives: tuple[str, ...]) -> int:
    """The key of what the first seat knows after these tiles."""
    state, laid = begin(small(), *objectives), 0
    for text in texts:
        assert state.seat is not None
        position = state.view(state.seat).position_array()
        laid ^= act(state.board.arrays, position[0], state.seat, state.action(f"lay {text}"))
        play(state, text)
    return int(key_of(state.view(0).position_array()[0], laid, 0))


# ---- sense


@pytest.mark.kernel
def test_it_votes_against_a_tile_that_buries_its_own_five() -> None:
    state = begin(small(put(FIVE, B1="oo", C1="M5")), "inn", "museum")
    play(state, "wall A1 B1-C1")
    assert chosen(state, 1) in {"vote nee", "vote neee", "vote jeeiin"}


@pytest.mark.kernel
def test_jeeiin_is_said_to_be_no_where_the_tile_buries_its_own_five() -> None:
    state = begin(small(put(FIVE, B1="oo", C1="M5")), "inn", "museum")
    play(state, "wall A1 B1-C1", "0: vote ja", "1: vote jeeiin")
    assert chosen(state, 1) == "jeeiin no"


@pytest.mark.kernel
@pytest.mark.skipif(JIT_OFF, reason="takes more simulations than plain Python can make")
def test_it_buries_the_others_five_and_not_its_own() -> None:
    """The wall can bury the town hall or the inn of value 5; each seat goes where its own is not."""
    board = put(SEVEN, C1="T5", A3="I5")
    for own, text in (("inn", "lay wall A1 B1-C1"), ("town-hall", "lay wall A1 A2-A3")):
        other = "town-hall" if own == "inn" else "inn"
        state = dealt(board, {"wall": [0, 1, 0]}, {"wall": [0, 1, 0]}, objectives=(own, other))
        assert chosen(state) == text


@pytest.mark.kernel
def test_it_chooses_the_objective_that_will_be_worth_more_d9_2() -> None:
    """Nothing more can be laid: what stands now counts."""
    hands = {"wall": [5, 0, 0]}, {"wall": [5, 0, 0]}
    state = dealt(put(FIVE, C3="T5", D3="S1"), *hands, objectives=("town-hall+school", "inn+church"), variant=True)
    play(state, "wall A1 B1", "wall A1 B2", "wall A1 B3", "wall A1 A3", "wall A1 A2")
    assert state.phase is Phase.CHOOSING
    assert chosen(state, 0) == "choose town-hall"


def test_without_its_own_cards_it_says_so() -> None:
    """A record of one seat's view, played on from another seat."""
    record = embertown.load("drunter", 2).start(seed=1, first=1).view(0).record()
    state = embertown.GameRecord.from_json(record.to_json()).replay()
    with pytest.raises(BadArgument, match="the cards of seat 1 are not known here"):
        DrunterSearch().choose(state.view(1), simulations=5)


@pytest.mark.parametrize("seed", [None, 1.5, [1]])
def test_what_is_no_seed_is_refused(seed: Any) -> None:
    state = embertown.load("drunter", 2).start(seed=1, first=0)
    with pytest.raises(BadArgument, match="seed is"):
        DrunterSearch().choose(state.view(0), simulations=5, seed=seed)


def test_seeds_count_to_their_last_digit() -> None:
    state = embertown.load("drunter", 2).start(seed=1, first=0)
    one, other = (DrunterSearch().choose(state.view(0), simulations=99, seed=seed) for seed in (1, 1 + 2**32))
    assert one.reasons.considered != other.reasons.considered
