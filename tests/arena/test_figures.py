"""Figures: computed by hand, by another formula, and the same for any order of games."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from embertown.arena import Played, Tournament, Verdict, play, standings
from embertown.arena.figures import NORMAL_95, quick_shares, student_95, wilson
from embertown.arena.ratings import ranks, ratings
from embertown.arena.results import Results
from embertown.arena.tournament import Fixture
from tests.arena.helpers import game_of, results_of

TWO = Tournament("cronberg", ["greedy", "random"])


@pytest.mark.parametrize(("wins", "games"), [(0, 1), (1, 1), (3.5, 10), (75, 100), (990, 1000), (0, 400)])
def test_wilson_ends_where_a_normal_test_would_just_not_object(wins: float, games: int) -> None:
    share = wins / games
    for end in wilson(wins, games):
        if 0 < end < 1:
            assert abs(share - end) == pytest.approx(NORMAL_95 * math.sqrt(end * (1 - end) / games))
        else:
            assert end == pytest.approx(share)


def test_wilson_holds_what_it_promises() -> None:
    generator = np.random.default_rng(4)
    for share in (0.5, 0.75, 0.95):
        held = [low <= share <= high for low, high in (wilson(n, 60) for n in generator.binomial(60, share, 2000))]
        assert 0.93 <= np.mean(held) <= 0.98


def test_a_pairing_by_hand() -> None:
    """Four games: greedy wins 5:3 and 4:1, shares 2:2, loses 0:6."""
    found = standings(results_of(TWO, [5, 3], [1, 4], [2, 2], [6, 0])).pairings[0]
    assert (found.contestant, found.others, found.games, found.wins, found.share) == (
        "greedy",
        ("random",),
        4,
        2.5,
        0.625,
    )
    assert found.interval == wilson(2.5, 4)
    assert (found.expected, found.tested_share) == (0.5, 0.5)
    assert found.lead == (2 + 3 + 0 - 6) / 4
    assert found.lead_error == pytest.approx(np.std([2.5, -3.0], ddof=1) / math.sqrt(2))
    assert (found.verdict, found.decided_after) == (Verdict.OPEN, None)


def test_student_holds_what_it_promises() -> None:
    """By the density: between its ends lie 95 %."""
    for degrees in (1, 2, 3, 9, 10, 11, 12, 40, 1000):
        ends, steps = student_95(degrees), 200_000
        at = (np.arange(steps) + 0.5) * (ends / steps)
        log_height = math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2) - math.log(degrees * math.pi) / 2
        density = np.exp(log_height - (degrees + 1) / 2 * np.log1p(at**2 / degrees))
        assert 2 * density.sum() * ends / steps == pytest.approx(0.95, abs=1e-5)


def test_points_ahead_have_an_interval_from_three_rounds_on() -> None:
    """Leads of 2.5, -3 and 2 points; two rounds that agree show nothing."""
    rows = [[5, 3], [1, 4], [2, 2], [6, 0], [4, 2], [2, 4]]
    found = standings(results_of(TWO, *rows)).pairings[0]
    assert found.lead_reach == pytest.approx(4.302653 * np.std([2.5, -3.0, 2.0], ddof=1) / math.sqrt(3))
    assert standings(results_of(TWO, *rows[:5])).pairings[0].lead_reach is None
    assert standings(results_of(TWO, *rows[:2] * 2)).pairings[0].lead_reach is None


def test_four_at_a_table_by_hand() -> None:
    """The first sits at each seat in turn; its lead is over the mean of the three others."""
    tournament = Tournament("cronberg", ["greedy", "random"], players=4, schedule="gauntlet")
    found = standings(results_of(tournament, [9, 0, 3, 6], [0, 9, 0, 0], [3, 3, 3, 3], [9, 0, 0, 0])).pairings[0]
    assert found.wins == 1 + 1 + 0.25 + 0
    assert found.lead == (6 + 9 + 0 - 3) / 4
    assert (found.others, found.expected, found.lead_error) == (("random",) * 3, 0.25, None)


def test_mixed_tables_tell_of_everybody() -> None:
    tournament = Tournament("cronberg", ["greedy", "random", "random:1"], players=3, schedule="mixed")
    found = standings(results_of(tournament, [3, 2, 1], [1, 3, 2], [2, 1, 3])).pairings
    assert [(row.contestant, row.wins, row.lead) for row in found] == [
        ("greedy", 3, 1.5),
        ("random", 0, 0.0),
        ("random:1", 0, -1.5),
    ]


def test_the_test_counts_whole_rounds_only() -> None:
    lopsided = [[5, 0], [0, 5]] * 8
    assert standings(results_of(TWO, *lopsided)).pairings[0].decided_after == 16
    assert standings(results_of(TWO, *lopsided[:-1])).pairings[0].verdict is Verdict.OPEN


def test_a_share_to_beat_is_tested_one_sided() -> None:
    tournament = Tournament("cronberg", ["greedy", "random"], beats=0.75)
    found = standings(results_of(tournament, *[[5, 0], [0, 5]] * 30)).pairings[0]
    assert (found.verdict, found.tested_share, found.expected) == (Verdict.MORE, 0.75, 0.5)
    half = standings(results_of(tournament, *[[5, 0], [5, 0]] * 30)).pairings[0]
    assert half.verdict is Verdict.LESS


def test_times_are_of_moves() -> None:
    found = {row.contestant: row for row in standings(results_of(TWO, [5, 3], [1, 4])).contestants}
    assert found["greedy"].seconds == found["random"].seconds == (0.5 + 1.5) / 4
    assert found["greedy"].slowest == 1.4


def test_no_games_give_no_news() -> None:
    found = standings(Results(TWO))
    assert found.pairings[0].interval == (0, 1)
    assert {row.rating.mean for row in found.contestants} == {25.0}
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["games"] == 0


def test_figures_are_json_for_programs() -> None:
    data = json.loads(json.dumps(standings(results_of(TWO, [5, 3])).to_dict(), allow_nan=False))
    assert data["pairings"][0]["wins"] == 1
    assert data["tournament"]["contestants"] == ["greedy", "random"]


def test_a_quick_look_counts_every_seat() -> None:
    assert quick_shares(results_of(TWO, [5, 3], [4, 1])) == {"greedy": 0.5, "random": 0.5}


# ---- ratings


@pytest.mark.parametrize(
    ("scores", "winners", "right"),
    [
        ([5, 3], [0], (0, 1)),
        ([3, 5, 4, 1], [1], (2, 0, 1, 3)),
        ([4, 4, 2, 2], [0, 1], (0, 0, 2, 2)),
        ([4, 4, 5, 2], [1], (2, 0, 1, 3)),
        ([-7, -7], [0, 1], (0, 0)),
    ],
)
def test_ranks_come_from_winners_then_scores(scores: list[int], winners: list[int], right: tuple[int, ...]) -> None:
    """The last but one: a tie that the rules broke."""
    fixture = Fixture(0, 0, 0, ("greedy",) * len(scores))
    assert ranks(game_of(TWO, fixture, scores, winners)) == right


def drawn_games(players: int, count: int, seed: int) -> tuple[list[str], list[Played]]:
    """Games among four whose chances of winning are as 1 to 2 to 4 to 8 (Plackett-Luce), each sitting anywhere."""
    generator = np.random.default_rng(seed)
    names = ["w1", "w2", "w4", "w8"]
    games = []
    for number in range(count):
        seats = [names[index] for index in generator.permutation(4)[:players]]
        strength = [math.log(float(name[1:])) for name in seats]
        luck = np.array(strength) + generator.gumbel(size=players)
        games.append(game_of(TWO, Fixture(0, number, 0, tuple(seats)), [int(score * 1000) for score in luck]))
    return names, games


@pytest.mark.parametrize("players", [2, 3, 4])
def test_ratings_find_the_better_ones(players: int) -> None:
    names, games = drawn_games(players, 400, seed=5)
    found = ratings(names, games)
    means = [found[name].mean for name in names]
    assert means == sorted(means)
    steps = np.diff(means)
    assert steps.max() < 2 * steps.min()  # equal steps in truth
    assert all(step > 1.5 * found["w1"].uncertainty for step in steps)


def test_ratings_do_not_depend_on_the_order_of_games() -> None:
    names, games = drawn_games(3, 100, seed=6)
    turned = [games[index] for index in np.random.default_rng(7).permutation(100)]
    assert ratings(names, games) == ratings(names, turned) == ratings(names, games[::-1])


def test_more_games_make_ratings_surer_and_fewer_orders_do() -> None:
    names, games = drawn_games(2, 400, seed=8)
    few, many = ratings(names, games[:50]), ratings(names, games)
    assert all(many[name].uncertainty < few[name].uncertainty < 25 / 3 for name in names)


def test_copies_at_a_table_are_rated_together() -> None:
    """One strong player among three copies: the copies fall as one."""
    names = ["strong", "weak"]
    seats = [tuple("strong" if seat == at else "weak" for seat in range(4)) for at in range(4)]
    games = [
        game_of(TWO, Fixture(0, number, number % 4, seats[number % 4]), [int(seat == number % 4) for seat in range(4)])
        for number in range(40)
    ]
    found = ratings(names, games)
    assert found["strong"].mean - found["weak"].mean > 10
    even = ratings(names, [game.model_copy(update={"winners": [0, 1, 2, 3], "scores": [1] * 4}) for game in games])
    assert even["strong"].mean == pytest.approx(even["weak"].mean)


def test_real_games_come_out_as_known() -> None:
    """Greedy beats random at both games."""
    for game in ("cronberg", "drunter"):
        found = standings(play(Tournament(game, ["random", "greedy"], seed=1), games=20, jobs=1))
        assert found.contestants[0].contestant == "greedy"
        assert found.pairings[0].verdict is Verdict.LESS
