"""Golden playthroughs and perft counts, and that none is missing."""

from __future__ import annotations

import pytest

from embertown.cronberg.edition import CronbergEdition
from tests.conftest import JIT_OFF
from tests.cronberg import playthroughs as room
from tests.oracle.cronberg import Oracle
from tests.playthroughs import playthrough

pytestmark = pytest.mark.kernel


def test_no_playthrough_is_missing_and_none_is_left_over() -> None:
    assert {file.stem for file in room.GOLDEN.iterdir()} == set(room.kinds())


@pytest.mark.parametrize("name", room.kinds())
def test_playthrough(name: str) -> None:
    written = (room.GOLDEN / f"{name}.txt").read_text(encoding="utf-8")
    assert playthrough(room.kinds()[name], name, room.choose, room.described) == written


def test_no_perft_position_is_missing_and_none_is_left_over() -> None:
    states = {name: state.position_text() for name, state in room.perft_states().items()}
    assert {name: entry["position"] for name, entry in room.perft_table().items()} == states
    assert all(len(entry["counts"]) == room.PERFT_DEPTH for entry in room.perft_table().values())
    assert all(min(entry["counts"]) > 0 for entry in room.perft_table().values())


@pytest.mark.parametrize("name", room.perft_table())
def test_perft(name: str) -> None:
    entry = room.perft_table()[name]
    depth = 2 if JIT_OFF else room.PERFT_DEPTH
    game = room.perft_states()[name].game
    assert room.perft(game.position(entry["position"]), depth) == entry["counts"][:depth]


def oracle_perft(moves: list[str], edition: str, players: int, first: int, depth: int) -> list[int]:
    """The same counts by the oracle, which is slow: every line is played from the start."""
    counts = [0] * depth
    lines = [moves]
    for level in range(depth):
        following = []
        for line in lines:
            oracle = replayed(line, edition, players, first)
            outcomes = [f"drawn {kind}" for kind in oracle.outcomes()]
            ways = outcomes if oracle.awaiting_chance else sorted(oracle.legal())
            counts[level] += len(ways)
            following += [[*line, way] for way in ways] if level + 1 < depth else []
        lines = following
    return counts


def replayed(line: list[str], edition: str, players: int, first: int) -> Oracle:
    oracle = Oracle(CronbergEdition.find(edition).to_dict(), players, first)
    for text in line:
        oracle.drawn(text.removeprefix("drawn ")) if text.startswith("drawn ") else oracle.play(text)
    return oracle


@pytest.mark.parametrize("edition", CronbergEdition.shipped())
@pytest.mark.parametrize("name", room.MIDDLES)
def test_perft_by_the_oracle(edition: str, name: str) -> None:
    """Counts that only repeat the kernels prove nothing: two depths are counted by the oracle too."""
    decisions, players = room.MIDDLES[name]
    state = room.play(f"{edition}-{players}", decisions)
    moves = [entry.text for entry in state.log]
    counted = oracle_perft(moves, edition, players, state.heading.first, 2)
    assert counted == room.perft_table()[f"{edition}-{name}"]["counts"][:2]
