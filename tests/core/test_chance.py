"""Chance: seeded outcomes are part of the format, so they are pinned; sources say when they can't answer."""

import hashlib
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embertown.core.chance import LabelledChance, SeededChance, StatedChance, chance_from, fresh_chance
from embertown.core.errors import BadArgument, NoChance
from embertown.games import load

BAG = [4, 4, 4, 4, 3, 3, 3, 3]


@pytest.mark.parametrize(
    ("seed", "outcomes"),
    [
        (0, SEED_0 := [1, 7, 3, 4, 3, 7, 3, 0]),
        ("0", SEED_0),
        (b"0", SEED_0),
        (7, [0, 6, 6, 1, 1, 1, 5, 0]),
        (-1, [4, 2, 4, 1, 7, 2, 5, 2]),
        ("Kronberg 1726 · été", [0, 0, 6, 1, 1, 3, 2, 3]),
        (bytes(range(256)), [5, 7, 5, 6, 5, 6, 6, 6]),
        (10**80, [2, 5, 3, 7, 4, 1, 3, 1]),
    ],
)
def test_seeded_outcomes_stay_what_they_are(seed: Any, outcomes: list[int]) -> None:
    assert [SeededChance(seed).pick(f"draw {n}", BAG) for n in range(1, 9)] == outcomes


def by_hand(key: bytes, message: bytes, weights: list[int]) -> int:
    """HMAC-SHA256 by its definition, and the outcome by laying the weights out one by one."""
    key = (hashlib.sha256(key).digest() if len(key) > 64 else key).ljust(64, b"\0")
    inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in key) + message).digest()
    digest = hashlib.sha256(bytes(byte ^ 0x5C for byte in key) + inner).hexdigest()
    lots = [index for index, weight in enumerate(weights) for _ in range(weight)]
    return lots[int(digest, 16) * len(lots) // 2**256]


@given(
    st.integers() | st.text(max_size=80) | st.binary(max_size=80), st.text(), st.lists(st.integers(0, 9), max_size=9)
)
def test_seeded_outcomes_are_what_the_docstring_says(seed: Any, label: str, weights: list[int]) -> None:
    weights = [*weights, 1]
    try:
        key = seed if isinstance(seed, bytes) else str(seed).encode()
        message = label.encode()
    except UnicodeEncodeError:
        return
    assert SeededChance(seed).pick(label, weights) == by_hand(key, message, weights)


def test_outcomes_are_as_likely_as_their_weights() -> None:
    weights = [5, 0, 1, 3, 0]
    draws = 9_000
    found = Counter(SeededChance("even").pick(f"draw {n}", weights) for n in range(draws))
    assert set(found) == {0, 2, 3}
    for index, count in found.items():
        expected = draws * weights[index] / sum(weights)
        assert abs(count - expected) < 5 * expected**0.5


def test_huge_weights_are_exact() -> None:
    weights = [10**40, 1, 10**40]
    assert all(SeededChance(seed).pick("x", weights) in {0, 2} for seed in range(50))
    assert {SeededChance(seed).pick("x", weights) for seed in range(50)} == {0, 2}


@pytest.mark.parametrize(
    "weights", [[], [0], [0, 0], [1, -1], [2, -1], [0.5, 0.5], ["1"], [None], [1, True], [float("nan")]]
)
def test_weights_that_are_none_are_refused(weights: Any) -> None:
    with pytest.raises(BadArgument, match="weights of draw 1 are"):
        SeededChance(1).pick("draw 1", weights)


@pytest.mark.parametrize("seed", [1.5, True, None, [1], "\ud800", 10**5_000], ids=lambda seed: type(seed).__name__)
def test_seeds_that_are_none_are_refused(seed: Any) -> None:
    with pytest.raises(BadArgument, match=r"seed is .*; right would be: a whole number, a text or bytes"):
        SeededChance(seed)
    if seed is not None:
        with pytest.raises(BadArgument, match="seed is"):
            load("cronberg", 2).start(seed=seed)


def test_a_seed_or_a_source_but_not_both() -> None:
    source = SeededChance(1)
    assert chance_from(None, source) is source
    with pytest.raises(BadArgument, match="not both"):
        chance_from(1, source)
    with pytest.raises(BadArgument, match="not both"):
        load("cronberg", 2).start(seed=0, chance=source)
    assert repr(chance_from("x", None)) == "SeededChance('x')"


def test_fresh_chance_is_fresh() -> None:
    assert fresh_chance().seed != fresh_chance().seed
    assert isinstance(chance_from(None, None), SeededChance)


def test_stated_chance_says_what_it_was_told_and_no_more() -> None:
    source = StatedChance({"draw 1": 2, "draw 2": 0})
    assert [source.pick(label, [1, 1, 1]) for label in ("draw 2", "draw 1", "draw 2")] == [0, 2, 0]
    with pytest.raises(NoChance, match="'draw 3'"):
        source.pick("draw 3", [1])
    rest = SeededChance(4)
    with_rest = StatedChance({"draw 1": 2}, rest)
    assert with_rest.pick("draw 1", BAG) == 2
    assert with_rest.pick("draw 3", BAG) == rest.pick("draw 3", BAG)


def test_labelled_chance_puts_its_prefix_first() -> None:
    source = SeededChance(4)
    games = [LabelledChance(source, f"game {n}") for n in (1, 2)]
    assert [game.pick("draw 1", [9] * 99) for game in games] == [
        source.pick(f"game {n} draw 1", [9] * 99) for n in (1, 2)
    ]


def test_undo_and_redo_agree() -> None:
    state = load("cronberg", 3).start(seed=5, first=0)
    drawn = []
    for number in range(12):
        kind = state.play("draw").drawn
        assert state.undo().play("draw").drawn == kind
        twin = state.copy()
        state.undo().play(f"token {'abcdefg'[number % 7]}1" if number < 3 else "draw")
        if number < 3:  # the label alone decides: a token before it changes nothing
            assert state.play("draw").drawn == kind
        state = twin.play(twin.legal_actions[0])
        drawn.append(kind)
    assert len(set(drawn)) > 2
    same = load("cronberg", 3).start(seed=5, first=0)
    for kind in drawn:
        assert same.play("draw").drawn == kind
        same.play(same.legal_actions[-1])


@pytest.mark.parametrize("kind", [-1, 8, 99])
def test_c2_1_a_source_that_gives_what_is_not_there_is_refused(kind: int) -> None:
    state = load("cronberg", 2).start(chance=StatedChance({"draw 1": kind}), first=0)
    before = state.position_text()
    with pytest.raises(BadArgument, match=r"C2\.1"):
        state.play("draw")
    assert (state.position_text(), state.log) == (before, ())


def test_c2_3_the_first_seat_is_drawn_by_lot() -> None:
    game = load("cronberg", 4)
    found = Counter(game.start(seed=seed).heading.first for seed in range(200))
    assert set(found) == {0, 1, 2, 3}
    assert min(found.values()) > 25
    assert game.start(seed=3).heading.first == SeededChance(3).pick("first", [1, 1, 1, 1])
    for first in (-1, 4, True, "0"):
        with pytest.raises(BadArgument, match="right would be: a seat from 0 to 3"):
            game.start(seed=1, first=first)
