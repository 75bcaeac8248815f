"""Golden playthroughs and perft counts, and that none is missing."""

from __future__ import annotations

import pytest

from embertown.core.jit import JIT_OFF
from tests.cronberg import playthroughs
from tests.cronberg.playthroughs import GOLDEN, PERFT_DEPTH, kinds, perft, perft_positions, perft_table, playthrough
from tests.oracle.cronberg import Oracle

pytestmark = pytest.mark.kernel


def test_no_playthrough_is_missing_and_none_is_left_over() -> None:
    assert {file.stem for file in GOLDEN.iterdir()} == {f"{edition}-{players}" for edition, players in kinds()}


@pytest.mark.parametrize(("edition", "players"), kinds())
def test_playthrough(edition: str, players: int) -> None:
    written = (GOLDEN / f"{edition}-{players}.txt").read_text(encoding="utf-8")
    assert playthrough(edition, players) == written


def test_no_perft_position_is_missing_and_none_is_left_over() -> None:
    assert {name: entry["position"] for name, entry in perft_table().items()} == perft_positions()
    assert all(len(entry["counts"]) == PERFT_DEPTH for entry in perft_table().values())


@pytest.mark.parametrize("name", perft_table())
def test_perft(name: str) -> None:
    entry = perft_table()[name]
    depth = 2 if JIT_OFF else PERFT_DEPTH
    assert perft(playthroughs.state_of(entry["position"]), depth) == entry["counts"][:depth]


def oracle_perft(moves: list[str], edition: str, players: int, first: int, depth: int) -> list[int]:
    """The same counts by the oracle, which is slow: every line is played from the start."""
    counts = [0] * depth
    lines = [moves]
    for level in range(depth):
        following = []
        for line in lines:
            oracle = replayed(line, edition, players, first)
            ways = [f"drawn {kind}" for kind in oracle.outcomes()] if oracle.awaiting_chance else sorted(oracle.legal())
            counts[level] += len(ways)
            following += [[*line, way] for way in ways] if level + 1 < depth else []
        lines = following
    return counts


def replayed(line: list[str], edition: str, players: int, first: int) -> Oracle:
    oracle = Oracle(playthroughs.CronbergEdition.find(edition).to_dict(), players, first)
    for text in line:
        oracle.drawn(text.removeprefix("drawn ")) if text.startswith("drawn ") else oracle.play(text)
    return oracle


@pytest.mark.parametrize("edition", ["cronberg-1726", "cronberg-quarters"])
@pytest.mark.parametrize("name", playthroughs.MIDDLES)
def test_perft_by_the_oracle(edition: str, name: str) -> None:
    """Counts that only repeat the kernels prove nothing: two depths are counted by the oracle too."""
    decisions, players = playthroughs.MIDDLES[name]
    state = playthroughs.play(edition, players, decisions)
    moves = [entry.text for entry in state.log]
    assert (
        oracle_perft(moves, edition, players, state.heading.first, 2)
        == perft_table()[f"{edition}-{name}"]["counts"][:2]
    )
