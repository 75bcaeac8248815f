"""What a network sees: what the view holds and nothing else, the same in self-play, and turned with the board."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from embertown.core.chance import SeededChance
from embertown.core.errors import BadArgument
from embertown.drunter import observation as seen
from embertown.drunter import rules
from embertown.drunter.board import BUILDINGS, DIRECTIONS, GANGS
from embertown.drunter.game import DrunterGame, DrunterState
from embertown.drunter.memory import MEMORY, loss_of
from embertown.drunter.rules import OBJECTIVES, Phase
from embertown.drunter.view import DrunterView
from tests.cli.helpers import unmeasured
from tests.conftest import JIT_OFF, examples
from tests.small_drunter import FIVE, SEVEN, begin, dealt, play, put, small

pytestmark = pytest.mark.kernel

KINDS: tuple[tuple[int, dict[str, bool]], ...] = (
    (2, {}),
    (3, {}),
    (4, {}),
    (2, {"variant": True}),
    (4, {"variant": True}),
    (3, {"variant": True, "no_votes": True}),
    (3, {"several_cards": True}),
)
SLOW = 8
"""So many decisions are enough where the kernels are slow."""
TOWN = put(SEVEN, C1="T5", D1="S4", A3="F3", E7="I5", G4="oo", C3="M4", B1="C1", D4="T2", F6="oo", B6="C4")


def beginnings() -> Iterator[DrunterState]:
    """A game of every kind: on the whole board, or where the kernels are slow on a small one."""
    for number, (players, options) in enumerate(KINDS):
        if JIT_OFF:
            each = {kind: [1, 1, 1] for kind in ("wall", "road", "river")}
            yield small(TOWN, each, players=players, **options).start(seed=number)
        else:
            yield DrunterGame(players, **options).start(seed=number)


def goes_on(state: DrunterState) -> bool:
    """Whether there is more to look at: the rest of the game, or where the kernels are slow its beginning."""
    return not state.is_over and not (JIT_OFF and len(state.log) >= SLOW)


def decide(state: DrunterState, chooser: random.Random) -> tuple[int, int]:
    """Somebody who is waited for, and one of their actions."""
    seat = chooser.choice(state.waiting)
    return seat, chooser.choice(state.legal_actions_of(seat))


def seen_in_self_play(state: DrunterState, memory: np.ndarray, seat: int, symmetry: int = 0) -> np.ndarray:
    """What self-play shows to a seat: it has the whole position, secrets included."""
    row = np.full(seen.OBSERVATION, np.nan, np.float32)
    position = np.zeros(1, rules.POSITION)
    position[0] = state._position
    seen.observe_boxed(state.board.box, position, memory, seat, symmetry, row)
    assert position[0].tobytes() == state._position.tobytes(), "looking changes nothing"
    return row


def answers(state: DrunterState, seat: int, symmetry: int = 0) -> np.ndarray:
    """Which answers are legal."""
    row = np.full(seen.ACTIONS, 7, np.uint8)
    position = np.zeros(1, rules.POSITION)
    position[0] = state._position
    seen.mask_boxed(state.board.box, position, seat, symmetry, row)
    return row


# ---- what views hold, and nothing else


def test_equal_views_give_equal_observations_also_in_self_play() -> None:
    """Other cards, other votes under way: whatever fits what a seat saw looks the same to it, over whole games."""
    for state in beginnings():
        chooser, memory = random.Random(5), np.zeros(1, MEMORY)
        while goes_on(state):
            for seat in {state.waiting[0], chooser.randrange(state.game.players)}:
                view = state.view(seat)
                row = seen.observation(view)
                twin = view.sample(SeededChance(len(state.log)))
                assert np.array_equal(row, seen.observation(twin.view(seat)))
                assert np.array_equal(row, seen_in_self_play(state, memory, seat))
                assert np.array_equal(row, seen_in_self_play(twin, memory, seat))
                assert np.array_equal(answers(state, seat), answers(twin, seat))
            seat, action = decide(state, chooser)
            play_both(state, memory, seat, action)


def play_both(state: DrunterState, memory: np.ndarray, seat: int, action: int) -> None:
    """An action by the checked way and by self-play's: they come to the same, byte by byte."""
    position = np.zeros(1, rules.POSITION)
    position[0] = state._position
    before = memory.tobytes()
    seen.step_boxed(state.board.box, position, memory, seat, action)
    state.play(action, seat)
    assert position[0].tobytes() == state._position.tobytes()
    if state.phase in (Phase.VOTING, Phase.JEEIIN) and action >= rules.PASS:
        assert memory.tobytes() == before, "a vote under way is nothing to remember (D6.1)"
    for viewer in (None, seat):
        assert seen.memory_of(state.view(viewer)).tobytes() == memory.tobytes()


def test_the_own_secrets_are_seen() -> None:
    """Otherwise the tests above would prove nothing."""
    game = small(TOWN)
    church, inn = begin(game, "church", "town-hall"), begin(game, "inn", "town-hall")
    assert not np.array_equal(seen.observation(church.view(0)), seen.observation(inn.view(0)))
    assert np.array_equal(seen.observation(church.view(0)), seen.observation(begin(game, "church", "school").view(0)))


def test_whoever_has_voted_looks_like_who_has_not_d6_1() -> None:
    """All vote at once, so it says nothing, and a network meets votes in one order only."""
    state = begin(small(put(FIVE, B1="oo", C1="M5"), players=3))
    play(state, "wall A1 B1-C1")
    before = seen.observation(state.view(1))
    play(state, "2: vote neee", "0: vote ja")
    assert np.array_equal(before, seen.observation(state.view(1)))
    assert answers(state, 1).sum() == len(rules.CARDS)
    assert answers(state, 2).sum() == 0


def test_a_spectator_sees_what_the_acting_seat_sees_but_its_cards() -> None:
    state = begin(small(TOWN))
    row, own = seen.observation(state.view(None)), seen.observation(state.view(0))
    assert not row[seen.LAYOUT["own"]].any()
    assert np.array_equal(row[seen.LAYOUT["ground"]], own[seen.LAYOUT["ground"]])


# ---- answers


def test_answers_are_the_legal_actions() -> None:
    """Both ways, in every symmetry and for every seat; of several cards (D6.6) the single ones."""
    for state in beginnings():
        chooser, symmetries = random.Random(2), seen.symmetries(state.board).tolist()
        while goes_on(state):
            for seat in range(state.game.players):
                symmetry = chooser.choice(symmetries)
                legal = [a for a in state.legal_actions_of(seat) if not is_of_several_cards(a)]
                found = np.flatnonzero(answers(state, seat, symmetry)).tolist()
                actions = [seen.action_for(state._position, seat, symmetry, answer) for answer in found]
                assert sorted(actions) == legal
                assert [seen.answer_of(state._position, seat, symmetry, action) for action in actions] == found
            acting = seen.acting_seat(state._position)
            assert acting == state.waiting[0]
            answer = int(np.flatnonzero(answers(state, acting))[0])
            action = seen.action_of(state.board.arrays, state._position, 0, answer)
            assert action == seen.action_for(state._position, acting, 0, answer)
            state.play(action if chooser.random() < 0.2 else chooser.choice(state.legal_actions_of(acting)), acting)


def is_of_several_cards(action: int) -> bool:
    cards = action - rules.FIRST_VOTE
    return rules.FIRST_VOTE < action < rules.SAY_NO and cards & (cards - 1) != 0


def test_a_vote_of_several_cards_has_no_answer_d6_6() -> None:
    state = begin(small(put(FIVE, B1="oo"), several_cards=True))
    play(state, "wall A1 B1")
    assert seen.answer_of(state._position, 0, 0, state.action("vote ja+jaa")) == -1
    assert seen.answer_of(state._position, 0, 0, state.action("vote jaa")) == seen.FIRST_CARD + 1


def test_words_on_jeeiin_and_what_lies_open_d6_2() -> None:
    state = begin(small(put(FIVE, B1="oo", C1="M5"), players=3))
    play(state, "wall A1 B1-C1", "0: vote ja", "1: vote jeeiin", "2: vote jeeiin")
    row = seen.observation(state.view(1))
    votes = row[seen.LAYOUT["votes"]].reshape(4, seen.SHOWN)
    assert votes[:, 2].tolist() == [1, 1, 0, 0], "the own one, the next one's; the proposer comes last"
    assert votes[2, 0] == pytest.approx(1 / 3)
    assert answers_as_text(state, 1) == ["jeeiin no", "jeeiin yes"]
    assert answers_as_text(state, 2) == []
    play(state, "1: jeeiin no")
    assert seen.observation(state.view(2))[seen.LAYOUT["votes"]].reshape(4, seen.SHOWN)[2, 3] == -1


def test_choices_are_the_lower_and_the_higher_card_d9_2() -> None:
    state = begin(small(put(FIVE, C3="T5"), variant=True), "fours+museum", "town-hall+inn")
    play(state, "wall A1 B1", "wall A1 B2", "wall A1 B3", "wall A1 A3", "wall A1 A2")
    assert state.phase is Phase.CHOOSING
    assert answers_as_text(state, 0) == ["choose museum", "choose fours"]
    assert answers_as_text(state, 1) == ["choose town-hall", "choose inn"]
    before = seen.observation(state.view(1))
    play(state, "0: choose fours")
    assert np.array_equal(before, seen.observation(state.view(1))), "others choose unseen, and in any order"
    own = seen.observation(state.view(0))[seen.LAYOUT["own"]]
    assert own[rules.FOURS] == own[-1] == 1, "the real one comes first from now on"


def answers_as_text(state: DrunterState, seat: int) -> list[str]:
    found = np.flatnonzero(answers(state, seat))
    return [state.text(seen.action_for(state._position, seat, 0, answer)) for answer in found.tolist()]


# ---- symmetries


def turned_rows(rows: list[list[str]], symmetry: int) -> list[list[str]]:
    """A board as rows of cells, mirrored and transposed."""
    if symmetry & 1:
        rows = [row[::-1] for row in rows]
    if symmetry & 2:
        rows = rows[::-1]
    return [list(column) for column in zip(*rows, strict=True)] if symmetry & 4 else rows


def turned_name(name: str, width: int, height: int, symmetry: int) -> str:
    """Where a square comes to lie, by its name."""
    column, row = ord(name[0]) - ord("A"), int(name[1:]) - 1
    column = width - 1 - column if symmetry & 1 else column
    row = height - 1 - row if symmetry & 2 else row
    if symmetry & 4:
        column, row = row, column
    return f"{chr(ord('A') + column)}{row + 1}"


def turned_text(text: str, width: int, height: int, symmetry: int) -> str:
    """An action on the turned board."""
    if not text.startswith("lay"):
        return text
    word, kind, gang, squares = text.split()
    gang, *names = [turned_name(n, width, height, symmetry) for n in (gang, *squares.split("-"))]
    return f"{word} {kind} {gang} {'-'.join(names)}"


BOARDS = {
    "schilda": list(range(4)),
    "square": list(range(8)),
    "tall": [4, 5, 6, 7],
    "small and wide": list(range(8)),
}


def board_rows(name: str) -> list[list[str]]:
    wide = [list(row) for row in DrunterGame(2).board.rows]
    square = [line.split() for line in TOWN.strip().splitlines()]
    if name == "square":
        return square
    if name == "tall":
        return turned_rows(wide, 4)
    return square[:2] + square[-4:] if name == "small and wide" else wide


@settings(max_examples=examples(12, 1))
@given(name=st.sampled_from(sorted(BOARDS)), seed=st.integers(0, 10**6), variant=st.booleans())
def test_a_turned_game_is_seen_as_the_game_turned(name: str, seed: int, variant: bool) -> None:
    """The same game on a board that was turned by hand gives, square by square and answer by answer, the same."""
    rows = board_rows(name)
    tiles = {"wall": [6, 6, 4], "road": [6, 6, 4], "river": [6, 6, 4]}
    game = on_board(rows, tiles, variant)
    assert seen.symmetries(game.board).tolist() == BOARDS[name]
    state = game.start(seed=seed)
    for symmetry in BOARDS[name][:1] if JIT_OFF else BOARDS[name]:
        twin_game = on_board(turned_rows(rows, symmetry), tiles, variant)
        assert state.heading.deal is not None
        twin = twin_game.start(seed=1, first=state.heading.first, deal=state.heading.deal)
        compare(state.copy(), twin, symmetry, random.Random(seed))


def on_board(rows: list[list[str]], tiles: dict[str, list[int]], variant: bool) -> DrunterGame:
    header = {"id": "turned", "game": "drunter", "version": 1}
    squares = "\n".join(" ".join(row) for row in rows)
    options = {"variant": True} if variant else {}
    return DrunterGame(2, {"edition": header, "board": {"squares": squares}, "tiles": tiles}, **options)


def compare(state: DrunterState, twin: DrunterState, symmetry: int, chooser: random.Random) -> None:
    width, height, memory = state.board.width, state.board.height, np.zeros(1, MEMORY)
    while goes_on(state):
        seat, action = decide(state, chooser)
        assert np.array_equal(seen_in_self_play(state, memory, seat, symmetry), seen_in_self_play(twin, memory, seat))
        assert np.array_equal(answers(state, seat, symmetry), answers(twin, seat))
        text = turned_text(state.text(action), width, height, symmetry)
        answer = seen.answer_of(state._position, seat, symmetry, action)
        assert twin.text(seen.action_for(twin._position, seat, 0, answer)) == text
        twin.play(text, seat)
        position = np.zeros(1, rules.POSITION)
        position[0] = state._position
        seen.step_boxed(state.board.box, position, memory, seat, action)
        state.play(action, seat)
        assert seen.memory_of(twin.view(None)).tobytes() == memory.tobytes()


def test_a_board_that_is_too_large_does_not_fit() -> None:
    cells = [["."] * 16 for _ in range(8)]
    cells[0][0], cells[0][-1], cells[-1][0], cells[-1][-1] = "WRVW"
    game = on_board(cells, {"wall": [2, 2, 2], "road": [2, 2, 2], "river": [2, 2, 2]}, variant=False)
    assert not seen.fits(game.board)
    with pytest.raises(BadArgument, match="16 columns and 8 rows; right would be: one that lies in 15 by 10"):
        seen.observation(game.start(seed=1).view(0))


# ---- what is remembered


def remembered(view: DrunterView) -> Any:
    """By field: by seat what is there, by objective's name or as it is."""
    memory = seen.memory_of(view)[0]
    found = {}
    for field in MEMORY.names or ():
        rows = memory[field].tolist()
        is_by_objective = isinstance(rows[0], list)
        found[field] = [named(row) for row in rows] if is_by_objective else rows
    return found


def named(row: list[int]) -> dict[str, int]:
    return {name: value for name, value in zip(OBJECTIVES, row, strict=True) if value}


def test_who_covers_a_building_is_remembered() -> None:
    state = begin(small(put(SEVEN, C1="T5", A3="F3", G4="I2")), "inn", "school")
    play(state, "wall A1 B1-C1")
    memory = remembered(state.view(1))
    assert memory["buried"] == [{"town-hall": 5}, {}, {}, {}]
    assert memory["spared"] == [{"fire-station": 3, "inn": 2 + 2}, {}, {}, {}], "two gangs reach the inn"
    assert memory["neared"][0]["fire-station"] < 0, "the gang went away from it"
    assert "town-hall" not in memory["neared"][0], "what is covered is not neared"
    assert memory["proposed"] == [0, 0, 0, 0]


def test_what_is_out_of_reach_is_not_spared() -> None:
    """The first seat has tiles of length 1 only, and the fire station is two squares from its gang."""
    hand = {"wall": [2, 0, 0]}
    state = dealt(put(FIVE, A3="F3", B1="S1"), hand, hand)
    play(state, "wall A1 A2")
    assert remembered(state.view(1))["spared"][0] == {"school": 1}


def test_votes_are_remembered_by_what_they_were_about() -> None:
    """A tile over an outhouse and a museum of value 5: one yes, three no, and a Jeeiin that says no."""
    state = begin(small(put(FIVE, B1="oo", C1="M5"), players=3), "inn", "museum", "church")
    play(state, "wall A1 B1-C1", "0: vote ja", "1: vote neee", "2: vote jeeiin")
    before = remembered(state.view(0))
    assert before["voted"] == [{}, {}, {}, {}], "the word on Jeeiin is still to be said"
    assert (before["proposed"], before["refused"]) == ([1, 0, 0, 0], [0, 0, 0, 0])
    play(state, "2: jeeiin no")
    memory = remembered(state.view(0))
    assert memory["voted"] == [{"museum": 5}, {"museum": -15}, {"museum": -10}, {}]
    assert memory["refused"] == [1, 0, 0, 0]
    assert memory["buried"][0] == {"museum": 5}, "it was proposed"


def test_special_objectives_are_told_of_in_the_variant_d9_4() -> None:
    """Under the town hall of value 3 lies nothing lower: the lowest then counts 5 instead, and gains 2."""
    state = begin(small(put(FIVE, B1="T3", C3="T5"), variant=True))
    play(state, "wall A1 B1")
    buried = remembered(state.view(0))["buried"][0]
    assert buried == {"town-hall": 3, "threes": 3, "lowest": -2, "ones": 1}


def test_a_loss_is_what_the_objective_is_worth_less_d9_4() -> None:
    """For every objective and every building that stands, by covering it and counting again."""
    state, chooser = begin(small(TOWN, variant=True)), random.Random(6)
    for _ in range(10):
        state.play(*decide(state, chooser)[::-1])
    board, found = state.board, 0
    for name, (kind, value) in state.standing().items():
        after = state._position.copy()
        rules.cover(after, board.number_of[name])
        for objective in range(len(OBJECTIVES)):
            worth = [rules.points_of(board.arrays, position, objective) for position in (state._position, after)]
            place = BUILDINGS.index(kind), value
            assert loss_of(board.arrays, state._position, objective, *place) == worth[0] - worth[1]
            found += worth[0] != worth[1]
    assert found > 10


def test_a_position_without_its_log_has_nothing_to_remember() -> None:
    state = begin(small(TOWN))
    play(state, "wall A1 B1-C1")
    bare = state.game.position(state.position_text())
    assert not seen.memory_of(bare.view(0)).view(np.uint8).any()
    assert not seen.observation(bare.view(0))[seen.LAYOUT["memory"]].any()


def test_a_vote_that_is_supposed_to_end_goes_on() -> None:
    """What if the tile is accepted? Nobody's card is known, so nothing of the vote is remembered."""
    state = begin(small(put(FIVE, B1="oo", C1="M5")))
    play(state, "wall A1 B1-C1")
    state.suppose("accepted")
    memory = remembered(state.view(0))
    assert memory["buried"][0] == {"museum": 5}
    assert memory["voted"] == [{}, {}, {}, {}]


# ---- numbers


def test_an_observation_by_hand() -> None:
    """Kinds are counted from the own one, seats from the own one."""
    board = put(FIVE, B1="oo", C1="M5", C3="I2", E3="T4")
    state = begin(small(board, players=3), "inn", "museum", "church", first=2)
    row = seen.observation(state.view(1))
    ground = row[seen.LAYOUT["ground"]].reshape(seen.FRAME_HEIGHT, seen.FRAME_WIDTH)
    assert ground.sum() == 5 * 5 - 4
    assert ground[0, 1] == 1
    assert ground[0, 0] == ground[5, 0] == ground[0, 5] == 0
    kinds = row[seen.LAYOUT["kinds"]].reshape(len(BUILDINGS), *ground.shape)
    assert (kinds[0, 0, 2], kinds[5, 2, 2], kinds[2, 2, 4]) == pytest.approx((1, 0.4, 0.8))
    stakes = row[seen.LAYOUT["stakes"]].reshape(ground.shape)
    assert np.argwhere(stakes).tolist() == [[0, 2]], "the museum is the own objective"
    points = row[seen.LAYOUT["points"]]
    museum, inn, town_hall = 0, (3 - 4) % 6, (0 - 4) % 6
    assert [BUILDINGS[kind] for kind in (4, 3, 0)] == ["museum", "inn", "town-hall"]
    assert points[[museum, inn, town_hall]] * 15 == pytest.approx([5, 2, 4])
    turn = row[seen.LAYOUT["situation"]][-4:]
    assert turn.tolist() == [0, 1, 0, 0], "the next one's turn it is"
    assert row[seen.LAYOUT["hands"]].sum() == 3 * 8


def test_where_gangs_can_go_and_where_tiles_would_lie() -> None:
    """By the way of a path: round what is covered, and under a bridge at no cost."""
    state = begin(small(TOWN))
    row = seen.observation(state.view(0))
    near = row[seen.LAYOUT["near"]].reshape(GANGS, seen.FRAME_HEIGHT, seen.FRAME_WIDTH)
    assert (near[0, 0, 0], near[0, 0, 1], near[0, 2, 2]) == pytest.approx((1, seen.FADING, seen.FADING**4))
    squares = row[seen.LAYOUT["squares"]].reshape(GANGS, len(DIRECTIONS), seen.SQUARES)
    assert squares[0, 1].tolist() == [0, 1, 2, 3]
    assert squares[0, 0].tolist() == [seen.FRAME] * seen.SQUARES, "there is no room to the north"


def test_tiles_by_objective_are_what_the_suspicions_make_of_them() -> None:
    """What a tile takes from others in all: of every objective, times how likely somebody has it."""
    state, chooser = next(beginnings()), random.Random(4)
    while goes_on(state):
        if state.phase is Phase.LAYING:
            row = seen.observation(state.view(state.seat))
            lays = row[seen.LAYOUT["lays"]].reshape(seen.FORESEEN, rules.PASS)
            effects = row[seen.LAYOUT["effects"]].reshape(2, len(rules.OBJECTIVES), rules.PASS)
            likely = row[seen.LAYOUT["suspicions"]].reshape(seen.OTHERS, -1).sum(axis=0)
            assert np.allclose(likely @ effects[0], lays[1], atol=1e-5)
            assert np.allclose(likely @ effects[1], lays[3], atol=1e-5)
        state.play(*decide(state, chooser)[::-1])


def test_absent_seats_are_nothing() -> None:
    row = seen.observation(begin(small(TOWN)).view(0))
    assert not row[seen.LAYOUT["hands"]][2 * 8 :].any()
    assert not row[seen.LAYOUT["memory"]][2 * seen.REMEMBERED :].any()


def test_numbers_stay_small() -> None:
    """About -1 to 1, or a network learns slowly; what is remembered grows."""
    state = next(beginnings())
    chooser = random.Random(4)
    while goes_on(state):
        row = seen.observation(state.view(state.seat))
        assert np.isfinite(row).all()
        squares = row[seen.LAYOUT["squares"]].copy()
        assert set(squares.tolist()) <= set(range(seen.FRAME + 1)), "a GPU's small numbers hold them, too"
        row[seen.LAYOUT["squares"]] = 0
        assert np.abs(row).max() < 5
        state.play(*decide(state, chooser)[::-1])


def test_known_numbers() -> None:
    """The same with the JIT, without it and with bounds checks."""
    game = small(TOWN, {kind: [1, 1, 1] for kind in ("wall", "road", "river")}, players=3, variant=True)
    state, chooser = begin(game), random.Random(3)
    for _ in range(14):
        state.play(*decide(state, chooser)[::-1])
    assert zlib.crc32(seen.memory_of(state.view(None)).tobytes()) == 2941419333
    row = seen.observation(state.view(state.seat), 5).astype(np.float64)
    assert row @ np.arange(seen.OBSERVATION) == pytest.approx(18989730.7721, rel=1e-6)


# ---- dealing, and other devices


@pytest.mark.parametrize("variant", [False, True])
def test_games_of_self_play_are_dealt_anew(variant: bool) -> None:
    game = DrunterGame(4, **({"variant": True} if variant else {}))
    deals = set()
    for seed in range(4 if JIT_OFF else 40):
        start, position, memory = game.batch_start(), game.batch_start(), np.zeros(1, MEMORY)
        seen.begin(game.board.arrays, start, position, memory[0], np.uint64(seed * 7919))
        cards = [int(card) for card in position.objectives.ravel() if card >= 0]
        assert len(set(cards)) == len(cards) == (8 if variant else 4)
        assert position.tiles.sum() == 60
        assert int(position.phase) == Phase.LAYING
        assert answers(DrunterState(game, None, game.start(seed=1).heading, position), 0).any()
        deals.add(position.tobytes())
    assert len(deals) == (4 if JIT_OFF else 40)


SIMULATED = """
import numpy as np
from embertown.core.jit import cuda_module, next_random
from embertown.drunter import observation as seen, playout, rules
from embertown.drunter.game import DrunterGame

cuda = cuda_module()
GAMES, STEPS = 3, 12
game = DrunterGame(3, variant=True)


def one(board, start, position, memory, seed, row, mask):
    seed = np.uint64(seen.begin(board, start, position, memory, seed))
    for _ in range(STEPS):
        seat = seen.acting_seat(position)
        seen.observe(board, position, memory, seat, 3, row)
        seen.mask(board, position, seat, 3, mask)
        action = playout.random_action(board, position, seat, seed)
        seed = np.uint64(next_random(np.uint64(seen.step(board, position, memory, seat, action, seed))))


@cuda.jit
def many(boards, starts, positions, memories, rows, masks):
    index = cuda.grid(1)
    if index < GAMES:
        seed = np.uint64(index * 7919)
        one(boards[0], starts[0], positions[index], memories[index], seed, rows[index], masks[index])


def made():
    start = np.zeros(1, rules.POSITION)
    start[0] = game.batch_start()
    rows, masks = np.zeros((GAMES, seen.OBSERVATION), np.float32), np.zeros((GAMES, seen.ACTIONS), np.uint8)
    return game.board.box, start, np.repeat(start, GAMES), np.zeros(GAMES, seen.MEMORY), rows, masks


here = made()
for index in range(GAMES):
    boards, starts, positions, memories, rows, masks = here
    one(boards[0], starts[0], positions[index], memories[index], np.uint64(index * 7919), rows[index], masks[index])
there = [cuda.to_device(array) for array in made()]
many[1, 4](*there)
for mine, theirs in zip(here[2:], there[2:]):
    assert mine.tobytes() == theirs.copy_to_host().tobytes()
print("equal")
"""


def test_a_simulated_gpu_sees_the_same() -> None:
    """In plain Python throughout: the simulator's arrays are nothing that compiled kernels know."""
    settings = unmeasured({**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"})
    done = subprocess.run([sys.executable, "-c", SIMULATED], env=settings, capture_output=True, text=True, check=False)
    assert done.stdout == "equal\n", done.stderr


ALONE = """
import sys
for name in ("pydantic", "rich", "typer"):
    sys.modules[name] = None
import embertown.drunter.observation
print("needs only NumPy and numba")
"""


def test_the_kernels_need_only_numpy_and_numba() -> None:
    done = subprocess.run([sys.executable, "-c", ALONE], capture_output=True, text=True, check=False)
    assert done.stdout == "needs only NumPy and numba\n", done.stderr
