"""The levels: by name at both games, the stronger the higher, within the memory that they state."""

from __future__ import annotations

import time

import pytest

import embertown
from embertown.bots import bot, bot_names, cronberg_levels, drunter_levels
from embertown.bots.levels import LEVELS, MEASURES, LevelBot, level_names
from embertown.core.errors import UnknownBot

GAMES = {"cronberg": cronberg_levels, "drunter": drunter_levels}
MEBIBYTE = 1 << 20


def test_every_level_has_a_name_and_a_place_in_both_games() -> None:
    assert set(LEVELS) | set(MEASURES) <= set(bot_names())
    for module in GAMES.values():
        assert tuple(module.SETTINGS) == level_names()
        budgets = {**module.SIMULATIONS, **module.SECONDS}
        assert tuple(budgets) == level_names()
        simulations = list(module.SIMULATIONS.values())
        assert simulations == sorted(simulations)


def test_an_unknown_level_lists_the_levels() -> None:
    with pytest.raises(UnknownBot, match="apprentice, journeyman, foreman, master, grandmaster"):
        LevelBot("novice")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", [name for name in LEVELS if name != "grandmaster"])
def test_without_a_budget_a_level_takes_its_own(name: str, game: str) -> None:
    """As many simulations as the level's, or fewer where the choice was settled before; the same every time."""
    state = embertown.load(game).start(seed=5, first=0)
    choice = bot(name).choose(state.view(0), seed=1)
    assert 0 < choice.reasons.simulations <= GAMES[game].SIMULATIONS[name]
    assert choice == bot(name).choose(state.view(0), simulations=GAMES[game].SIMULATIONS[name], seed=1)


@pytest.mark.parametrize("game", GAMES)
def test_the_grandmaster_thinks_for_its_seconds(game: str) -> None:
    """By a clock of ours that goes a hundredth of a second at each look."""
    now = iter(range(10**6))
    state = embertown.load(game).start(seed=5, first=0)
    choice = LevelBot("grandmaster", clock=lambda: next(now) / 100).choose(state.view(0), seed=1)
    looks = next(now)
    assert looks <= 100 * GAMES[game].SECONDS["grandmaster"] + 5
    assert choice.reasons.simulations > 100


@pytest.mark.parametrize("game", GAMES)
def test_memory_is_bounded_and_stated(game: str) -> None:
    for settings in GAMES[game].SETTINGS.values():
        assert 0 < settings.memory <= 128 * MEBIBYTE


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("apprentice", "random"),
        ("journeyman", "apprentice"),
        ("foreman", "journeyman"),
        ("master:1000", "journeyman"),
    ],
)
def test_better_bots_win(game: str, better: str, worse: str) -> None:
    """Of ten games most: the arena has the figures."""
    from embertown.arena import Tournament, play, standings

    results = play(Tournament(game, [better, worse], seed=11), games=10, jobs=1)
    assert standings(results).pairings[0].wins >= 8


@pytest.mark.parametrize("game", GAMES)
def test_the_apprentice_can_be_beaten_by_taking_what_is_best_at_once(game: str) -> None:
    from embertown.arena import Tournament, play, standings

    results = play(Tournament(game, ["greedy", "apprentice"], seed=11), games=60, jobs=1)
    assert 30 < standings(results).pairings[0].wins < 60


@pytest.mark.parametrize("game", GAMES)
def test_only_the_lower_levels_overlook_things_and_the_higher_the_less(game: str) -> None:
    shares = [GAMES[game].OVERLOOKED.get(name, 0.0) for name in level_names()]
    assert 1 > shares[0] > shares[1] > 0
    assert not any(shares[2:])


def test_what_beliefs_are_worth_can_be_measured() -> None:
    """The master without beliefs thinks all cards equally likely, whatever was played."""
    state = embertown.load("drunter", 2).start(seed=3, first=0)
    while len(state.log) < 12 or state.seat != 0:
        state.play(bot("greedy").choose(state.view(state.seat)).action)
    doubting, believing = (
        bot(name).choose(state.view(0), simulations=50).reasons.beliefs[1]
        for name in ("master-without-beliefs", "master")
    )
    own = state.view(0).objectives_of(0)[0]
    assert {share for card, share in doubting.items() if card != own} == {0.2}
    assert {share for card, share in believing.items() if card != own} != {0.2}
    assert doubting[own] == believing[own] == 0


def test_the_clock_is_the_machines_where_none_is_given() -> None:
    assert LevelBot("master").clock is time.monotonic
