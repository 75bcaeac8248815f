"""Golden playthroughs and perft counts, and that none is missing."""

from __future__ import annotations

import pytest

from tests.conftest import JIT_OFF
from tests.drunter import playthroughs as room
from tests.oracle.drunter import Oracle
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


@pytest.mark.parametrize("name", room.MIDDLES)
def test_perft_by_the_oracle(name: str) -> None:
    """Counts that only repeat the kernels prove nothing: two depths are counted by the oracle too."""
    kind, decisions = room.MIDDLES[name]
    state = room.play(kind, decisions)
    counts = [0, 0]
    for first in ways(replayed(state, [])):
        counts[0] += 1
        counts[1] += len(ways(replayed(state, [first])))
    assert counts == room.perft_table()[name]["counts"][:2]


def ways(oracle: Oracle) -> list[tuple[int, str]]:
    """What the first seat that is waited for may do."""
    seats = oracle.waiting()
    return [(seats[0], text) for text in sorted(oracle.legal(seats[0]))] if seats else []


def replayed(state: room.DrunterState, following: list[tuple[int, str]]) -> Oracle:
    game = state.game
    oracle = Oracle(
        game.edition.to_dict(), game.players, dict(game.options), state.heading.first, deal=state.heading.deal
    )
    for entry in state.log:
        oracle.play(entry.seat, entry.text)
    for seat, text in following:
        oracle.play(seat, text)
    return oracle
