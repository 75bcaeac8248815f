"""Schedules: everybody sits everywhere, on the same shuffles; the order of games depends on what they showed."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import Any

import pytest

from embertown.arena import Schedule, Tournament
from embertown.arena.tournament import Course, Fixture
from embertown.core.errors import BadArgument, UnknownGame

FOUR = ["random", "greedy", "random:1", "greedy:1"]


def fixtures(tournament: Tournament, rounds: int = 1) -> list[Fixture]:
    return list(Course(tournament, rounds))


def test_two_players_swap_seats_on_the_same_shuffle() -> None:
    found = fixtures(Tournament("cronberg", ["greedy", "random"]), rounds=2)
    swapped = [("greedy", "random"), ("random", "greedy")]
    assert [(game.round, game.seats) for game in found] == [(n, seats) for n in range(2) for seats in swapped]


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("schedule", list(Schedule))
def test_everybody_sits_at_every_seat_equally_often(players: int, schedule: Schedule) -> None:
    tournament = Tournament("drunter", FOUR, players=players, schedule=schedule)
    for pairing in tournament.pairings:
        games = [game for game in fixtures(tournament) if game.pairing == pairing.number]
        assert len(games) == players
        assert [game.seats[seat] for seat, game in enumerate(games)] == [pairing.table[0]] * players
        at_seats = [Counter(game.seats[seat] for game in games) for seat in range(players)]
        assert at_seats == [Counter(pairing.table)] * players


@pytest.mark.parametrize(
    ("players", "schedule", "tables"),
    [
        (2, "round-robin", ["AB", "AC", "AD", "BC", "BD", "CD"]),
        (2, "gauntlet", ["AB", "AC", "AD"]),
        (2, "mixed", ["AB", "AC", "AD", "BC", "BD", "CD"]),
        (3, "gauntlet", ["ABB", "ACC", "ADD"]),
        (3, "mixed", ["ABC", "ABD", "ACD", "BCD"]),
        (4, "mixed", ["ABCD"]),
        (
            4,
            "round-robin",
            ["ABBB", "ACCC", "ADDD", "BAAA", "BCCC", "BDDD", "CAAA", "CBBB", "CDDD", "DAAA", "DBBB", "DCCC"],
        ),
    ],
)
def test_who_meets_whom(players: int, schedule: str, tables: list[str]) -> None:
    letters = dict(zip(FOUR, "ABCD", strict=True))
    tournament = Tournament("cronberg", FOUR, players=players, schedule=schedule)
    assert ["".join(letters[name] for name in pairing.table) for pairing in tournament.pairings] == tables


def test_every_pairing_has_the_same_shuffles_and_other_rounds_and_seeds_others() -> None:
    one, two = (Tournament("cronberg", FOUR, seed=seed) for seed in (1, 2))
    assert len({t.shuffle(number) for t in (one, two) for number in range(5)}) == 10
    drawn = [one.game.start(seed=one.shuffle(0)).play("draw").drawn for _ in range(2)]
    assert drawn[0] == drawn[1]


def test_games_are_whole_rotations() -> None:
    tournament = Tournament("cronberg", ["greedy", "random"], players=3)
    assert [tournament.rounds_for(games) for games in (1, 3, 4, 100)] == [1, 1, 2, 34]
    for wrong in (0, -1, 1.5, True):
        with pytest.raises(BadArgument, match="games is"):
            tournament.rounds_for(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("contestants", "how", "said"),
    [
        (["greedy"], {}, "at least two"),
        (["greedy", "greedy"], {}, "none of them twice"),
        (["greedy:5", "greedy:05"], {}, "none of them twice"),
        (["greedy", "random"], {"schedule": "mixed", "players": 3}, "at least 3, or pairings"),
        (["greedy", "random"], {"schedule": "mixed", "until_apart": True}, "right would be: pairings"),
        (["greedy", "random"], {"schedule": "swiss"}, "right would be: round-robin, gauntlet, mixed"),
        (["greedy", "random"], {"seed": -1}, "seed is -1"),
        (["greedy", "random"], {"seed": "1"}, "seed is '1'"),
        (["greedy", "random"], {"beats": 1.0}, "share to beat is 1.0"),
        (["greedy", "random"], {"beats": True}, "share to beat is True"),
        (["greedy", "random"], {"alpha": 0.0}, "alpha is 0.0"),
        (["greedy", "random"], {"players": 5}, "players is 5"),
    ],
)
def test_what_is_no_tournament_is_told(contestants: list[str], how: dict[str, Any], said: str) -> None:
    with pytest.raises(BadArgument, match=said):
        Tournament("cronberg", contestants, **how)


def test_an_unknown_game_is_told() -> None:
    with pytest.raises(UnknownGame, match="cronberg"):
        Tournament("chess", ["greedy", "random"])


# ---- until two are told apart


def test_a_pairing_that_is_told_apart_ends_and_the_others_go_on() -> None:
    """`random` loses everything, the two others share all wins."""
    names = ["greedy", "greedy:1", "random"]
    course = Course(Tournament("cronberg", names, until_apart=True), rounds=40)
    played: list[Fixture] = []
    for game in course:
        course.take(game, 0.5 if "random" not in game.seats else 1.0)
        played.append(game)
    rounds = [1 + max(game.round for game in played if game.pairing == pairing) for pairing in range(3)]
    assert rounds[0] == 40
    assert rounds[1] == rounds[2] < 12
    assert course.ends == {1: rounds[1] - 1, 2: rounds[2] - 1}
    assert course.games_left(len(played)) == 0


@pytest.mark.parametrize("ahead", [1, 2, 5, 16])
def test_playing_ahead_does_not_change_what_counts(ahead: int) -> None:
    """Games under way when a pairing is told apart don't count, however many there are."""

    def counted(ahead: int) -> list[Fixture]:
        course = Course(Tournament("cronberg", ["greedy", "greedy:1", "random"], until_apart=True), rounds=12)
        under_way, found = list(islice(course, ahead)), []
        while under_way:
            game = under_way.pop(0)
            if course.wants(game.pairing, game.round):
                course.take(game, 1.0 if "random" in game.seats else 0.5)
                found.append(game)
            under_way += islice(course, 1)
        return found

    assert counted(ahead) == counted(1)


def test_all_told_apart_ends_a_course_without_an_end() -> None:
    course = Course(Tournament("cronberg", ["greedy", "random"], until_apart=True))
    for game in course:
        course.take(game, 1.0)
    assert course.ends == {0: 7}
