"""One game: as the rules say, repeatable, timed; and what happens to a bot that breaks a rule."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

import embertown
from embertown.arena import BotFault, Played, Tournament, play
from embertown.arena.playing import WARM_UP, play_fixture
from embertown.arena.run import task_of
from embertown.arena.tournament import Course, Fixture
from embertown.bots import bot_names, registry
from embertown.core.chance import derived_seed
from tests.arena.helpers import Listener

TIMES = {"seconds", "slowest"}


def without_times(game: Played) -> dict[str, Any]:
    return game.model_dump(exclude=TIMES)


@pytest.mark.parametrize(("game", "options"), [("cronberg", {}), ("drunter", {"variant": True})])
def test_a_game_is_what_the_rules_make_of_it(game: str, options: dict[str, bool]) -> None:
    """Played again by hand: the same scores, and the record replays."""
    tournament = Tournament(game, ["greedy", "random"], players=3, seed=4, **options)
    fixture = list(Course(tournament, 2))[4]
    assert fixture.seats == ("greedy", "random", "greedy")
    played, record = play_fixture(task_of(tournament, fixture, with_record=True))
    state = tournament.game.start(seed="4 round 0")
    while state.seat is not None:
        bot = embertown.bot(fixture.seats[state.seat])
        seed = derived_seed(4, "bot", 1, 0, 1, state.seat)
        state.play(bot.choose(state.view(state.seat), seed=seed).action)
    assert fixture[:3] == (1, 0, 1)
    assert (tuple(played.scores), tuple(played.winners)) == (state.scores, state.outcome.winners)
    assert sum(played.moves) == sum(entry.seat is not None for entry in state.log)
    assert embertown.GameRecord.from_json(record or "").replay().scores == state.scores
    assert all(0 < slowest <= total for slowest, total in zip(played.slowest, played.seconds, strict=True))


def test_seats_and_games_have_seeds_of_their_own() -> None:
    """Two random bots on the same shuffle: swapping seats gives another game, playing again the same."""
    tournament = Tournament("cronberg", ["random", "random:1"])
    games = [play_fixture(task_of(tournament, fixture))[0] for fixture in Course(tournament, 1)]
    again = [play_fixture(task_of(tournament, fixture))[0] for fixture in Course(tournament, 1)]
    assert [without_times(game) for game in games] == [without_times(game) for game in again]
    assert games[0].scores != games[1].scores


def test_luck_cancels_between_copies_that_use_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same shuffle from both seats: what one wins there, the other wins here."""
    monkeypatch.setitem(registry.BUILT_IN, "first", "tests.arena.helpers:FirstBot")
    results = play(Tournament("drunter", ["first", "first:1"], seed=3), games=20, jobs=1)
    for one, two in zip(results.games[::2], results.games[1::2], strict=True):
        assert (one.scores, one.winners) == (two.scores, two.winners)
    assert len({tuple(game.scores) for game in results.games}) > 5


def test_a_budget_reaches_the_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.BUILT_IN, "listener", "tests.arena.helpers:Listener")
    monkeypatch.setattr(Listener, "asked", [])
    play(Tournament("cronberg", ["listener:77:0.5s", "random"]), games=1, jobs=1)
    counted = [asked for asked in Listener.asked if asked != (WARM_UP["seconds"], WARM_UP["simulations"])]
    assert set(counted) == {(0.5, 77)}
    assert 0 < len(counted) < len(Listener.asked)


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("Cheat", "chose action 10000, which is against the rules: "),
        ("Crash", r"failed: ZeroDivisionError: nothing\x1b[2J to"),
    ],
)
@pytest.mark.parametrize("game", ["cronberg", "drunter"])
def test_an_illegal_move_is_told_with_all_that_shows_it_again(
    kind: str, said: str, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(registry.BUILT_IN, "culprit", f"tests.arena.helpers:{kind}")
    tournament = Tournament(game, ["random", "culprit:9"], seed=2)
    with pytest.raises(BotFault) as caught:
        play(tournament, games=10, jobs=1)
    fault = pickle.loads(pickle.dumps(caught.value))
    assert (fault.contestant, fault.shuffle) == ("culprit:9", "2 round 0")
    assert fault.seed == derived_seed(2, "bot", 0, 0, 0, fault.seat)
    assert tournament.game.position(fault.position).seat == fault.seat
    text = str(fault)
    assert text.startswith(f"culprit:9 at seat {fault.seat} {said}")
    assert text.isprintable()
    assert fault.position in text


@pytest.mark.parametrize("game", ["cronberg", "drunter"])
@pytest.mark.parametrize("name", bot_names())
def test_every_bot_plays_by_the_rules(name: str, game: str) -> None:
    """Whoever breaks one ends the run (`BotFault`)."""
    guest = "random" if name != "random" else "greedy"
    for players in (2, 4):
        results = play(Tournament(game, [f"{name}:8", guest], players=players, schedule="gauntlet"), games=1, jobs=1)
        assert len(results.games) == players


def test_a_fixture_knows_its_game() -> None:
    tournament = Tournament("cronberg", ["greedy", "random"])
    played, record = play_fixture(task_of(tournament, Fixture(0, 0, 1, ("random", "greedy"))))
    assert played.fixture == Fixture(0, 0, 1, ("random", "greedy"))
    assert record is None
