"""The sequential test: its bets are fair, false alarms are rare however often one looks, and it sees what is there."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from embertown.arena import Evidence, Verdict
from embertown.core.errors import BadArgument

RUNS, ROUNDS = 300, 150
NEVER = 10**9
ALLOWED = 0.05 + 2 * (0.05 * 0.95 / RUNS) ** 0.5
"""The share of false alarms in so many runs, with room for their own luck."""


def verdicts(evidences: list[Evidence], shares: np.ndarray) -> list[Verdict]:
    for evidence, row in zip(evidences, shares, strict=True):
        for share in row:
            evidence.add(float(share))
            if evidence.verdict.is_clear:
                break
    return [evidence.verdict for evidence in evidences]


def round_means(players: int, share: float, seed: int) -> np.ndarray:
    """Win shares of whole rotations of independent games."""
    return np.random.default_rng(seed).binomial(players, share, (RUNS, ROUNDS)) / players


@pytest.mark.parametrize("null", [0.5, 0.25, 0.75])
@pytest.mark.parametrize("side", ["more", "less"])
def test_bets_are_fair_under_the_null(null: float, side: str) -> None:
    """The mean of each bet's wealth over all courses of four rounds, each as likely as the null says, is the stake."""
    total = 0.0
    for course in product((0.0, 1.0), repeat=4):
        evidence = Evidence(null)
        for share in course:
            evidence.add(share)
        likely = np.prod([null if share else 1 - null for share in course])
        total = total + likely * np.exp(evidence._logs[Verdict(side)])
    assert total == pytest.approx(np.ones_like(total))


@pytest.mark.parametrize(("players", "null", "two_sided"), [(2, 0.5, True), (4, 0.25, True), (2, 0.75, False)])
def test_false_alarms_are_no_more_likely_than_promised(players: int, null: float, two_sided: bool) -> None:
    """After each of many rounds somebody looks; the null is true."""
    found = verdicts([Evidence(null, two_sided=two_sided) for _ in range(RUNS)], round_means(players, null, seed=1))
    if two_sided:
        assert sum(verdict.is_clear for verdict in found) / RUNS <= ALLOWED
    assert sum(verdict is Verdict.MORE for verdict in found) / RUNS <= ALLOWED
    assert sum(verdict is Verdict.LESS for verdict in found) / RUNS <= ALLOWED


def test_shares_between_0_and_1_raise_no_more_alarms() -> None:
    """The test needs a mean only: here rounds are 0.3 or 0.7, or a little of everything, and depend on the past."""
    generator = np.random.default_rng(2)
    rows = generator.choice([0.3, 0.7], (RUNS, ROUNDS))
    rows[:, 1::2] = np.where(rows[:, ::2] > 0.5, generator.uniform(0, 1, (RUNS, ROUNDS // 2)), 0.5)
    found = verdicts([Evidence(0.5) for _ in range(RUNS)], rows)
    assert sum(verdict.is_clear for verdict in found) / RUNS <= ALLOWED


@pytest.mark.parametrize(
    ("players", "null", "share", "verdict"),
    [
        (2, 0.5, 0.65, "more"),
        (2, 0.5, 0.35, "less"),
        (4, 0.25, 0.4, "more"),
        (2, 0.75, 0.85, "more"),
        (2, 0.75, 0.6, "less"),
    ],
)
def test_what_is_there_is_seen(players: int, null: float, share: float, verdict: str) -> None:
    two_sided = null == 1 / players
    evidences = [Evidence(null, two_sided=two_sided) for _ in range(RUNS)]
    found = verdicts(evidences, round_means(players, share, seed=3))
    assert sum(one == verdict for one in found) / RUNS > 0.9
    assert np.mean([evidence.decided_after or NEVER for evidence in evidences]) < NEVER / 10


def test_a_clear_case_ends_early_and_a_verdict_stays() -> None:
    evidence = Evidence(0.5)
    for _ in range(20):
        evidence.add(1.0)
    assert (evidence.verdict, evidence.decided_after, evidence.rounds) == (Verdict.MORE, 8, 20)
    for _ in range(100):
        evidence.add(0.0)
    assert (evidence.verdict, evidence.decided_after, evidence.rounds) == (Verdict.MORE, 8, 120)


def test_a_smaller_alpha_needs_more() -> None:
    after = []
    for alpha in (0.1, 0.05, 0.001):
        evidence = Evidence(0.5, alpha)
        while not evidence.verdict.is_clear:
            evidence.add(0.0)
        assert evidence.verdict is Verdict.LESS
        after.append(evidence.rounds)
    assert after == sorted(set(after))


@pytest.mark.parametrize(("null", "alpha"), [(0, 0.05), (1, 0.05), (0.5, 1), (float("nan"), 0.05), ("0.5", 0.05)])
def test_what_is_no_share_is_refused(null: float, alpha: float) -> None:
    with pytest.raises(BadArgument, match="right would be: a number between 0 and 1"):
        Evidence(null, alpha)
