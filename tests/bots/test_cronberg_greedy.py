"""`greedy` at Cronberg does what it is defined to do: worked out once more by the oracle, slowly."""

from __future__ import annotations

from copy import copy
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import embertown
from embertown.bots import bot
from embertown.bots.cronberg_greedy import WORTH_A_TOKEN
from embertown.cronberg.game import CronbergState
from tests.conftest import JIT_OFF
from tests.oracle.cronberg import Oracle

SMALL = str(Path(__file__).parents[1] / "editions" / "few-rhombi.toml")
GAMES = [(SMALL, 2, 1), (SMALL, 3, 2), (SMALL, 4, 3), *([] if JIT_OFF else [("cronberg-quarters", 3, 4)])]


def after(oracle: Oracle, text: str) -> Oracle:
    """Another oracle, one action further."""
    twin = copy(oracle)
    twin.scores, twin.placed = list(oracle.scores), list(oracle.placed)
    twin.tokens, twin.moves = dict(oracle.tokens), list(oracle.moves)
    twin.play(text)
    return twin


def gain(oracle: Oracle, text: str, seat: int) -> int:
    """Own points at once, minus those of the other who gets most."""
    gained = [now - before for now, before in zip(after(oracle, text).scores, oracle.scores, strict=True)]
    return gained.pop(seat) - max(gained)


def help_for_tokens(oracle: Oracle, text: str, seat: int) -> int:
    """What the numbers of a rhomb point at: own tokens that stand now, minus those of whom it helps most."""
    helped = [0] * oracle.players
    then = after(oracle, text)
    for crossing, owner in oracle.tokens.items():
        helped[owner] += sum(then.numbers_at(crossing)) - sum(oracle.numbers_at(crossing))
    return helped.pop(seat) - max(helped)


def expected_numbers(oracle: Oracle, crossing: str) -> Fraction:
    """The numbers that point there, and a mean number for every triangle and a half that is still free."""
    left = oracle.outcomes()
    numbers = [number for kind, count in left.items() for number in oracle.numbers[kind] * count]
    mean = Fraction(sum(numbers), len(numbers)) if numbers else Fraction(0)
    free = len(oracle.board.around[crossing] & oracle.free)
    return sum(oracle.numbers_at(crossing)) + mean * free / Fraction(3, 2)


def check_placement(oracle: Oracle, text: str, seat: int) -> None:
    gains = {each: gain(oracle, each, seat) for each in oracle.legal()}
    best = [each for each, points in gains.items() if points == max(gains.values())]
    assert text in best
    helps = {each: help_for_tokens(oracle, each, seat) for each in best}
    assert helps[text] == max(helps.values())


def check_token_or_draw(oracle: Oracle, text: str) -> None:
    legal = oracle.legal()
    promises = {each: expected_numbers(oracle, each.split()[1]) for each in legal if each.startswith("token")}
    best = max(promises.values(), default=Fraction(0))
    if text == "draw":
        assert best < WORTH_A_TOKEN
    elif text != "pass":
        assert abs(promises[text] - best) < 1e-9
        assert best >= WORTH_A_TOKEN or "draw" not in legal


def play_along(state: CronbergState, oracle: Oracle, seed: int) -> set[str]:
    """A game of greedy alone, every choice checked; the kinds of choices that came up."""
    player, seen = bot("greedy"), set()
    while state.seat is not None:
        seat = state.seat
        text = state.text(player.choose(state.view(seat), seed=seed).action)
        seen.add(text.split()[0])
        if state.drawn is not None:
            check_placement(oracle, text, seat)
        else:
            check_token_or_draw(oracle, text)
        state.play(text)
        oracle.play(text)
        if text == "draw":
            oracle.drawn(str(state.drawn))
    assert tuple(oracle.scores) == state.scores
    return seen


@pytest.mark.kernel
@pytest.mark.parametrize(("edition", "players", "seed"), GAMES, ids=lambda value: Path(str(value)).stem)
def test_every_choice_of_a_game_is_the_greedy_one(edition: str, players: int, seed: int) -> None:
    game: Any = embertown.load("cronberg", players, edition)
    state = game.start(seed=seed)
    oracle = Oracle(game.edition.to_dict(), players, state.heading.first)
    assert play_along(state, oracle, seed) >= {"token", "draw", "place"}


@pytest.mark.kernel
def test_a_seed_decides_only_what_is_equal() -> None:
    """On an empty board the first rhomb may lie anywhere; its place comes by lot, and always the same."""
    state: Any = embertown.load("cronberg").start(seed=1, first=0).play("draw")
    places = [state.text(bot("greedy").choose(state.view(0), seed=seed).action) for seed in range(20)]
    assert len(set(places)) > 5
    assert places == [state.text(bot("greedy").choose(state.view(0), seed=seed).action) for seed in range(20)]
