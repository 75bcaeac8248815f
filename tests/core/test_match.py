"""Matches: scores carry over, the start passes to the left, the last game decides (C2.2, C8.5)."""

import json
from typing import Any

import pytest

from embertown.core.chance import SeededChance
from embertown.core.errors import BadArgument, MalformedRecord
from embertown.core.match import Match
from embertown.core.record import GameRecord
from embertown.games import load

TINY = {
    "edition": {"id": "tiny", "game": "cronberg", "version": 1},
    "board": {"side": 2, "tokens": 2, "triangles": ["PPCPP", "PP.....", "." * 7, "." * 5]},
    "rhombi": {"inn": {"count": 2, "numbers": [2, 1, 2, 1]}, "mill": {"count": 2, "numbers": [-1, 2, 3, 4]}},
}


def played(state: Any, seed: int) -> Any:
    chance = SeededChance(seed)
    while not state.is_over:
        actions = state.legal_actions
        state.play(actions[chance.pick(str(len(state.log)), [1] * len(actions))])
    return state


@pytest.mark.kernel
@pytest.mark.parametrize("players", [2, 3, 4])
def test_c2_2_and_c8_5_scores_carry_over_and_the_start_passes_to_the_left(players: int) -> None:
    names = ["Karl", "Ulla", "Gerd", "Anne"][:players]
    match = Match(load("cronberg", players, TINY), 6, seed="family", first=players - 1, seats=names, name="Sunday")
    assert match.scores == (0,) * players
    gained = [0] * players
    for number in range(1, 7):
        assert (match.is_over, match.winners) == (False, ())
        state = match.start()
        assert state.heading.first == (players - 2 + number) % players
        assert state.seat == state.heading.first
        assert state.scores == state.heading.start_scores == match.scores
        before = match.scores
        played(state, number)
        gained = [have + after - start for have, after, start in zip(gained, state.scores, before, strict=True)]
        record = state.record()
        assert record.match.model_dump() == {"id": "Sunday", "game": number}
        assert [seat.name for seat in record.seats] == names
        assert json.loads(GameRecord.from_json(record.to_json()).replay().record().to_json()) == record.to_dict()
        match.finish(state)
        assert match.scores == tuple(gained)
    assert match.is_over
    best = max(gained)
    assert any(gained)
    assert match.winners == tuple(seat for seat, score in enumerate(gained) if score == best)
    with pytest.raises(BadArgument, match="all 6 games"):
        match.start()


def test_c8_5_carried_scores_decide_the_last_game() -> None:
    """Whoever leads by a thousand wins the match, though another wins the points of the last game."""
    game = load("cronberg", 2, TINY)
    lost = 0
    for seed in range(20):
        state = played(game.start(seed=seed, start_scores=[1000, 0]), seed)
        assert state.outcome.winners == (0,)
        lost += state.scores[0] - 1000 < state.scores[1]
    assert lost > 3


def test_the_games_of_a_match_draw_apart_and_alike_again() -> None:
    def kinds(seed: str) -> list[list[str]]:
        match = Match(load("cronberg", 2), 3, seed=seed)
        games = []
        for number in range(3):
            state = played(match.start(), number)
            match.finish(state)
            games.append([entry.text for entry in state.log if entry.seat is None])
        return games

    once = kinds("a")
    assert once == kinds("a")
    assert once != kinds("b")
    assert once[0] != once[1] != once[2]


def test_a_match_takes_its_own_games_in_order_and_only_when_over() -> None:
    game = load("cronberg", 2, TINY)
    match = Match(game, 2, seed=1)
    first = match.start()
    with pytest.raises(BadArgument, match="not over yet"):
        match.finish(first)
    match.finish(played(first, 1))
    for state in (first, played(game.start(seed=1), 1), played(Match(game, 2, seed=1, name="other").start(), 1)):
        with pytest.raises(BadArgument, match="not game 2 of the match"):
            match.finish(state)
    first.undo()
    assert match.finished[0].is_over, "what the match holds can't be taken back from outside"
    assert match.scores == match.finished[0].scores


def test_a_game_that_was_stopped_counts_as_it_stands() -> None:
    match = Match(load("cronberg", 3, TINY), 2, seed=1)
    match.finish(match.start().resign(0))
    last = match.start().abandon()
    match.finish(last)
    assert (match.scores, match.winners) == ((0, 0, 0), ())


WRONG_MATCHES: list[dict[str, Any]] = [
    *({"games": games} for games in (0, -1, "2", 1.0, True)),
    *({"first": first} for first in (2, -1, "0", True)),
    *({"name": name} for name in ("", "\x1b[2J", "x" * 81, 5)),
    *({"seed": 1.5}, {"seed": 1, "chance": SeededChance(1)}),
]


@pytest.mark.parametrize("wrong", WRONG_MATCHES)
def test_a_match_that_is_none_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(BadArgument):
        Match(load("cronberg", 2), **{"games": 2, **wrong})


@pytest.mark.parametrize("seats", [["Karl"], ["Karl", "Ulla", "Gerd"], ["Karl", ""], ["Karl", "\n"], ["Karl", 5]])
def test_seats_that_are_none_are_refused(seats: Any) -> None:
    with pytest.raises(BadArgument):
        Match(load("cronberg", 2), 1, seed=1, seats=seats).start()


@pytest.mark.parametrize("scores", [[0], [0, 0, 0], [0, 1_000_001], [-1_000_001, 0]])
def test_start_scores_out_of_bounds_are_refused_and_the_bounds_are_not(scores: list[int]) -> None:
    game = load("cronberg", 2)
    with pytest.raises(BadArgument, match="start_scores"):
        game.start(seed=1, start_scores=scores)
    record = game.start(seed=1, start_scores=[1_000_000, -1_000_000]).record()
    assert GameRecord.from_json(record.to_json()).replay().scores == (1_000_000, -1_000_000)
    with pytest.raises(MalformedRecord, match="start_scores"):
        GameRecord.from_dict({**record.to_dict(), "start_scores": scores})


def test_resigning_needs_one_who_does_and_one_who_does_not() -> None:
    for seats in ((), (0, 1), (2,), (-1,), ("0",)):
        with pytest.raises(BadArgument, match="at least one seat"):
            load("cronberg", 2).start(seed=1).resign(*seats)
    over = load("cronberg", 2).start(seed=1).abandon()
    for stop in (over.abandon, lambda: over.resign(0)):
        with pytest.raises(BadArgument, match="over already"):
            stop()
