"""The network at Cronberg, with made-up weights: what it thinks, for whom, and as a judge of the search."""

from __future__ import annotations

import hashlib
import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from embertown.bots.cronberg_network import WAYS, NetworkEvaluator, choose, look, think
from embertown.bots.cronberg_search import CronbergSearch, checked
from embertown.bots.network import ALIKE, FORMAT, NetworkWeights, network_of, read_network
from embertown.core.errors import BadArgument, MalformedFile
from embertown.cronberg import observation
from embertown.cronberg.board import Board
from embertown.cronberg.game import CronbergGame
from embertown.cronberg.grid import GRID
from tests.networks import indifferent, made_up, network_by_lot


def network(seed: int = 1) -> NetworkWeights:
    return network_by_lot(GRID, seed)


def some_state(players: int, actions: int = 25) -> Any:
    state: Any = CronbergGame(players, "cronberg-quarters").start(seed=players, first=1)
    lots = np.random.Generator(np.random.PCG64(players))
    for _ in range(actions):
        state.play(int(lots.choice(state.legal_actions)))
    return state


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_likeliest_legal_action_is_chosen(players: int) -> None:
    for actions in range(0, 30, 3):
        view = some_state(players, actions).view(some_state(players, actions).seat)
        found = choose(view, network(), ways=1)
        board, position, legal = view.game.board, view.position_array(), view.legal_actions
        assert found.action in legal
        if len(legal) == 1:
            continue
        logits, _ = network().think(observation.observation(view)[None])
        meant, mask = np.zeros(observation.ACTIONS, np.int64), np.zeros((1, observation.ACTIONS), np.uint8)
        lying = observation.symmetries(board)[:1]
        observation.actions_of(board.box, position, lying, meant)
        observation.mask_many(board.box, position, lying, mask)
        policy = think(network(), board, position).policy[0]
        likeliest = meant[np.where(mask[0] == 1, logits[0], -np.inf).argmax()]
        alike = np.flatnonzero(policy >= (1 - ALIKE) * policy[likeliest])
        assert likeliest in alike
        assert found.action == alike[0]
        assert np.flatnonzero(policy).tolist() == list(legal)
        assert policy.sum() == pytest.approx(1, abs=1e-5)


def test_values_are_told_by_seat() -> None:
    """A network that always says the same of the seats counted from the one that acts."""
    arrays = indifferent(GRID)
    arrays["values.bias"][:] = np.arctanh([0.8, 0.0, -0.4, 0.0, 0.5, -0.1, -0.5, 0.0])
    state = some_state(3)
    found = think(NetworkWeights(arrays, {}, GRID), state.board, state.view(0).position_array())
    acting = state.seat
    order = [acting, (acting + 1) % 3, (acting + 2) % 3]
    assert found.lead[0, order].tolist() == pytest.approx([0.5, -0.1, -0.5], abs=1e-3)
    shares = np.array([(0.8 * 2 + 1) / 3, 1 / 3, (-0.4 * 2 + 1) / 3])
    assert found.win_share[0, order].tolist() == pytest.approx((shares / shares.sum()).tolist(), abs=1e-3)


def test_all_ways_together_judge_turned_boards_alike() -> None:
    """Which of the ways the board lies in does not matter to their mean."""
    game = CronbergGame(2)
    state: Any = game.start(seed=3, first=0).play("token d4").play("draw")
    around = think(network(), state.board, state.view(0).position_array(), ways=12)
    strips = [strip[::-1] for strip in game.board.strips]
    rhombi = {k: (c, n) for k, c, n in zip(game.board.kinds, game.board.counts, game.board.numbers, strict=True)}
    mirrored = Board(strips, game.board.tokens, rhombi)
    position = state.view(0).position_array()  # a token in the middle, nothing else: mirrored it is the same
    again = think(network(), mirrored, position, ways=12)
    assert np.allclose(around.win_share, again.win_share, atol=1e-5)
    assert np.allclose(np.sort(around.policy), np.sort(again.policy), atol=1e-6)
    assert not np.allclose(around.policy, think(network(), state.board, position).policy, atol=1e-4)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_it_looks_in_as_many_ways_as_are_worth_it(players: int) -> None:
    state = some_state(players)
    view, board, position = state.view(state.seat), state.board, state.view(0).position_array()
    meant = think(network(), board, position, WAYS[players])
    found = look(view, network())
    shares = {action: float(meant.policy[0, action]) for action in view.legal_actions}
    assert dict(found.likely) == pytest.approx(shares, rel=ALIKE)
    assert found.win_share == float(meant.win_share[0, state.seat])
    assert choose(view, network()).action == found.likely[0][0]


def test_actions_that_the_boards_symmetry_makes_alike_come_in_their_order() -> None:
    """The board looks the same turned by a third: so do three crossings, to all twelve ways together."""
    state: Any = CronbergGame(2).start(seed=3, first=0)
    likely = look(state.view(0), network()).likely
    shares = dict(likely)
    order = [action for action, _ in likely]
    groups = [[other for other in shares if abs(shares[other] - shares[each]) < 1e-6] for each in shares]
    assert max(len(group) for group in groups) >= 3
    for group in groups:
        assert [action for action in order if action in group] == sorted(group)


def test_many_positions_in_many_ways_are_judged_as_one_by_one() -> None:
    states = [some_state(2, actions) for actions in (4, 9, 25)]
    positions = np.concatenate([state.view(0).position_array() for state in states])
    together = think(network(), states[0].board, positions, ways=5)
    for index in range(len(positions)):
        alone = think(network(), states[0].board, positions[index : index + 1], ways=5)
        for all_of_them, one in zip(together, alone, strict=True):
            assert np.allclose(all_of_them[index], one[0], atol=1e-6)


@pytest.mark.parametrize("players", [2, 4])
def test_it_judges_for_the_search(players: int) -> None:
    state = some_state(players)
    evaluator = pickle.loads(pickle.dumps(NetworkEvaluator(network())))
    found = checked(evaluator.evaluate(state.board, state.view(0).position_array()), state.view(0).position_array())
    assert found.win_share.sum() == pytest.approx(1)
    assert found.points.max() == max(state.scores)
    bot = CronbergSearch(evaluator=evaluator)
    view = state.view(state.seat)
    choice = bot.choose(view, simulations=100, seed=1)
    assert choice.action in view.legal_actions
    assert 0 < choice.reasons.simulations <= 100
    assert bot.choose(view, simulations=100, seed=1) == choice


def test_without_weights_it_says_so(tmp_path: Path) -> None:
    with pytest.raises(MalformedFile, match=r"no trained network is here; right would be: one trained by"):
        network_of("cronberg", 2, GRID, tmp_path)


def test_a_network_for_one_number_of_players_goes_before_the_one_for_all(tmp_path: Path) -> None:
    for name, players in (("cronberg", [2, 3, 4]), ("cronberg-3", [3]), ("cronberg-4", [2, 3])):
        write(tmp_path / f"{name}.npz", {}, training={"settings": {"players": players}})
    assert network_of("cronberg", 2, GRID, tmp_path).players == {2, 3, 4}
    assert network_of("cronberg", 3, GRID, tmp_path).players == {3}
    with pytest.raises(MalformedFile, match=r"cronberg-4.json.*: players: is \[2, 3\]; right would be: 4 among them"):
        network_of("cronberg", 4, GRID, tmp_path)
    (tmp_path / "cronberg-4.json").unlink()
    with pytest.raises(MalformedFile, match=r"cronberg-4.npz: is no network; right would be: an npz with its card"):
        network_of("cronberg", 4, GRID, tmp_path)


def write(file: Path, arrays: dict[str, np.ndarray], **changes: Any) -> None:
    np.savez(file, **(made_up(GRID) | arrays))
    write_card(file, **{"sha256": hashlib.sha256(file.read_bytes()).hexdigest(), **changes})


def write_card(file: Path, **changes: Any) -> None:
    card = {"format": FORMAT, "game": "cronberg", "observation": observation.OBSERVATION}
    text = json.dumps({**card, "actions": observation.ACTIONS, **changes})
    file.with_suffix(".json").write_text(text, encoding="utf-8")


def test_weights_are_read_and_checked(tmp_path: Path) -> None:
    file, wanted = tmp_path / "cronberg.npz", ("cronberg", GRID)
    write(file, {})
    rows = np.ones((2, observation.OBSERVATION), np.float32)
    assert np.array_equal(read_network(file, *wanted).think(rows)[0], network().think(rows)[0])
    for key, wrong in (("format", "embertown-network/0"), ("game", "drunter"), ("observation", 7), ("actions", 3)):
        write(file, {}, **{key: wrong})
        with pytest.raises(MalformedFile, match=rf"{key}: is {wrong!r}; right would be"):
            read_network(file, *wanted)


@pytest.mark.parametrize(
    ("training", "said"),
    [
        (3, "training: is 3; right would be: an object"),
        (None, "training: is None; right would be: an object"),
        ({"settings": []}, r"training.settings: is \[\]; right would be: an object"),
        (
            {"settings": {"players": 5}},
            "training.settings.players: is 5; right would be: a list of numbers from 2 to 4",
        ),
        ({"settings": {"players": [[2]]}}, r"training.settings.players: is \[\[2\]\]; right would be: a list of num"),
        ({"settings": {"players": [2, 7]}}, r"training.settings.players: is \[2, 7\]; right would be: a list of num"),
        ({"settings": {"players": []}}, r"training.settings.players: is \[\]; right would be: a list of numbers"),
    ],
)
def test_a_card_that_says_nonsense_about_players_is_refused(tmp_path: Path, training: Any, said: str) -> None:
    file = tmp_path / "cronberg.npz"
    write(file, {}, training=training)
    with pytest.raises(MalformedFile, match=f"cronberg.json: {said}"):
        read_network(file, "cronberg", GRID)


@pytest.mark.parametrize("changes", [{}, {"training": {}}, {"training": {"settings": {"seed": 1}}}])
def test_a_card_may_say_nothing_about_players(tmp_path: Path, changes: dict[str, Any]) -> None:
    write(tmp_path / "cronberg.npz", {}, **changes)
    assert read_network(tmp_path / "cronberg.npz", "cronberg", GRID).players == {2, 3, 4}


def test_what_is_damaged_or_foreign_is_refused(tmp_path: Path) -> None:
    """A bit of the file changed; a card that is none; an npz of something else, with a card that fits it."""
    file, wanted = tmp_path / "cronberg.npz", ("cronberg", GRID)
    write(file, {})
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)
    with pytest.raises(MalformedFile, match=r"is damaged, or not the file that its card is about; right would be: an"):
        read_network(file, *wanted)
    for name, wrong, said in (
        ("entry.weight", np.zeros((7, 8), np.float16), r"has shape \(7, 8\), .* right would be: numbers of shape"),
        ("values.bias", np.full(8, np.nan, np.float16), ".* holds what is no number"),
        ("answers", np.zeros(29, np.float16), r"has shape \(29,\), .* right would be: numbers of shape \(28,\)"),
    ):
        write(file, {name: wrong})
        with pytest.raises(MalformedFile, match=f"{name}: {said}"):
            read_network(file, *wanted)
    write(file, {}, sha256=hashlib.sha256(b"nothing").hexdigest())
    file.write_bytes(b"nothing")
    with pytest.raises(MalformedFile, match="is no network"):
        read_network(file, *wanted)
    np.savez(file, something=np.ones(3))
    write_card(file, sha256=hashlib.sha256(file.read_bytes()).hexdigest())
    with pytest.raises(MalformedFile, match=r"entry.weight: is missing"):
        read_network(file, *wanted)
    file.with_suffix(".json").write_text("[]", encoding="utf-8")
    with pytest.raises(MalformedFile, match=r"format: is None"):
        read_network(file, *wanted)


def test_what_it_does_not_know_is_refused() -> None:
    large = Board(
        ["-" * 9, "-" * 11, *("." * length for length in (13, 15, 15, 13, 11, 9))], 2, {"a": (1, (1, 1, 1, 1))}
    )
    with pytest.raises(BadArgument, match="right would be: a search"):
        think(network(), large, some_state(2).view(0).position_array())
    for ways in (0, 13):
        with pytest.raises(BadArgument, match=f"ways is {ways}; right would be: from 1 to 12"):
            look(some_state(2).view(some_state(2).seat), network(), ways)
