"""Hidden information: a view shows its seat's secrets and nobody else's, and samples states that fit it."""

from __future__ import annotations

import pickle
import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from embertown.core.chance import SeededChance
from embertown.core.errors import BadArgument, EmbertownError
from embertown.drunter.game import DrunterGame, DrunterState
from embertown.drunter.rules import OBJECTIVES, Phase
from embertown.drunter.view import DrunterView
from embertown.games import GameRecord
from tests.conftest import JIT_OFF
from tests.looking import reachable

ROOT = Path(__file__).parents[1]

KINDS: tuple[tuple[int, dict[str, bool]], ...] = (
    (2, {}),
    (3, {}),
    (4, {}),
    (3, {"variant": True}),
    (2, {"variant": True, "no_votes": True}),
    (4, {"several_cards": True}),
)


def played(kind: int, seed: int, steps: int) -> DrunterState:
    """A state some random actions into a game, votes and choices in any order."""
    players, options = KINDS[kind]
    state = DrunterGame(players, **options).start(seed=seed)
    chooser = random.Random(seed)
    for _ in range(steps):
        if state.is_over:
            break
        seat = chooser.choice(state.waiting)
        state.play(chooser.choice(state.legal_actions_of(seat)), seat)
    return state


def other_world(state: DrunterState, seat: int | None, seed: int) -> DrunterState:
    """Another state that fits all that the seat has seen, built from the start by playing it again.

    Other seats get other objectives, and other cards in the vote under way; everything public stays as it was.
    """
    chooser = random.Random(seed)
    deal = state.heading.deal
    assert deal is not None
    objectives = other_objectives(state, seat, chooser)
    game = state.game
    seats, dealt = list(state.heading.seats), {**deal, "objectives": objectives}
    twin = game.start(seed=99, first=state.heading.first, seats=seats, deal=dealt)
    under_way = [i for i, entry in enumerate(state.log) if entry.text.startswith("lay")][-1:] or [0]
    for index, entry in enumerate(state.log):
        assert entry.seat is not None
        text = entry.text
        hidden_vote = text.startswith("vote") and state.phase is Phase.VOTING and index > under_way[0]
        if entry.seat != seat and (hidden_vote or text.startswith("choose")):
            text = twin.text(chooser.choice(twin.legal_actions_of(entry.seat)))
        twin.play(text, entry.seat)
    return twin


def other_objectives(state: DrunterState, seat: int | None, chooser: random.Random) -> list[list[str]]:
    """Any deal in which this seat keeps its own cards."""
    assert state.heading.deal is not None
    own = state.heading.deal["objectives"]
    each = state.game.cards_each
    pile = [card for card in (OBJECTIVES if each == 2 else OBJECTIVES[:6]) if seat is None or card not in own[seat]]
    chooser.shuffle(pile)
    return [own[s] if s == seat else [pile.pop() for _ in range(each)] for s in range(state.game.players)]


@settings(max_examples=4 if JIT_OFF else 80)
@given(
    kind=st.integers(0, len(KINDS) - 1),
    seed=st.integers(0, 10**6),
    steps=st.integers(0, 120),
    viewer=st.integers(-1, 3),
)
def test_every_state_that_fits_what_a_seat_saw_has_an_equal_view(kind: int, seed: int, steps: int, viewer: int) -> None:
    state = played(kind, seed, steps)
    if state.is_over:
        return
    seat = None if viewer < 0 else viewer % state.game.players
    twin = other_world(state, seat, seed)
    mine, theirs = state.view(seat), twin.view(seat)
    assert mine == theirs
    assert hash(mine) == hash(theirs)
    assert repr(mine) == repr(theirs)
    assert pickle.dumps(mine) == pickle.dumps(theirs)
    assert mine.record().to_json() == theirs.record().to_json()
    assert mine.svg() == theirs.svg()
    assert mine.position_text() == theirs.position_text()
    assert mine.waiting == theirs.waiting
    for other in range(state.game.players):
        assert mine.legal_actions_of(other) == theirs.legal_actions_of(other)
        assert refusals(mine, other) == refusals(theirs, other)
    assert reachable(mine, {}) == reachable(theirs, {})


def refusals(view: DrunterView, seat: int) -> list[str]:
    """What a view answers to all sorts of actions."""
    found = []
    for text in ("pass", "vote ja", "vote jeeiin", "jeeiin yes", "choose inn", "choose threes", "lay wall A1 C3"):
        try:
            view._check(view.action(text), seat)
            found.append("legal")
        except EmbertownError as error:
            found.append(str(error))
    return found


def test_the_other_world_is_another_world() -> None:
    """Otherwise the test above would prove nothing."""
    state = played(3, 5, 10)
    assert other_world(state, 0, 1).heading.deal != state.heading.deal
    assert other_world(state, 0, 1).view(1) != state.view(1)


@settings(max_examples=4 if JIT_OFF else 60)
@given(kind=st.integers(0, len(KINDS) - 1), seed=st.integers(0, 10**6), steps=st.integers(0, 120))
def test_a_sample_fits_its_view_and_can_be_played_on(kind: int, seed: int, steps: int) -> None:
    state = played(kind, seed, steps)
    for seat in (None, *range(state.game.players)):
        view = state.view(seat)
        sample = view.sample(SeededChance(seed))
        assert sample.view(seat) == view
        assert GameRecord.from_json(sample.record().to_json()).replay().record() == sample.record()
        while not sample.is_over:
            sample.play(sample.legal_actions[0])


def test_samples_are_uniform_over_the_deals_that_fit() -> None:
    """Two players: the other has one of five cards, each as likely as any other."""
    view = DrunterGame(2).start(seed=4, first=0).view(0)
    found = Counter(view.sample(SeededChance(n)).objectives_of(1) for n in range(2000))
    assert len(found) == 5
    assert all(abs(count - 400) < 100 for count in found.values()), found


def vote_under_way() -> DrunterState:
    """Seat 2 proposes a tile over an outhouse, seat 0 has voted."""
    text = (ROOT / "records" / "drunter-pending-vote.json").read_text(encoding="utf-8")
    state: Any = GameRecord.from_json(text).replay()
    return state


def test_hidden_votes_are_sampled_from_the_legal_ones() -> None:
    state = vote_under_way()
    view = state.view(2)
    votes = Counter(view.sample(SeededChance(n)).log[-1].text for n in range(1600))
    assert set(votes) == {f"vote {card}" for card in state.cards[0]}
    assert all(abs(count - 1600 / len(votes)) < 80 for count in votes.values())


def test_a_policy_makes_hidden_votes_likely() -> None:
    def says_nee(full: DrunterState, _seat: int, legal: Sequence[int]) -> list[int]:
        return [int(full.text(action) == "vote nee") for action in legal]

    sample = vote_under_way().view(2).sample(SeededChance(1), policy=says_nee)
    assert sample.log[-1].text == "vote nee"


def test_no_vote_is_seen_before_the_reveal() -> None:
    state = vote_under_way()
    assert state.log[-1].text == "vote ja"
    for seat in (None, 1, 2):
        view = state.view(seat)
        assert view.log[-1].text == "vote (hidden)"
        assert view.record().to_dict()["pending"]["cards"] == [None, None, None]
        assert view.waiting == (2, 1), "that somebody has voted is seen by all"
    assert state.view(0).record().to_dict()["pending"]["cards"] == ["ja", None, None]


def test_a_view_shows_its_own_objectives_and_no_others() -> None:
    state = DrunterGame(3, variant=True).start(seed=1)
    for seat in range(3):
        view = state.view(seat)
        assert view.objectives_of(seat) == state.objectives_of(seat)
        assert all(view.objectives_of(other) == () for other in range(3) if other != seat)
        assert view.heading.deal is not None
        assert [cards is None for cards in view.heading.deal["objectives"]] == [other != seat for other in range(3)]
    assert all(state.view(None).objectives_of(seat) == () for seat in range(3))


def test_all_is_revealed_at_the_end() -> None:
    state = played(3, 8, 1000)
    assert state.is_over
    assert state.view(None).record().to_json() == state.record().to_json()


def test_a_seat_that_does_not_exist_has_no_view() -> None:
    with pytest.raises(BadArgument, match="0 to 1, or None"):
        DrunterGame(2).start(seed=1).view(2)


def test_the_picture_of_a_state_shows_no_secret_unless_asked() -> None:
    state = DrunterGame(2).start(seed=1)
    assert state.svg() == state.view(None).svg()
    assert state.svg(secrets=True) != state.svg()
