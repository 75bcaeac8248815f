"""A game with secrets, with torch: only the critic sees them, it learns with the rest, and it is not exported."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from embertown.bots.network import read_network  # noqa: E402
from embertown.training import ppo  # noqa: E402
from embertown.training.export import export, weights_for  # noqa: E402
from embertown.training.games import training_game  # noqa: E402
from embertown.training.network import Beside, arrays_of, from_arrays, new_network  # noqa: E402
from embertown.training.ppo import Learning, guess_loss  # noqa: E402
from embertown.training.run import Run, Settings, read_state, settings_of  # noqa: E402
from embertown.training.selfplay import SelfPlay  # noqa: E402

GAME = training_game("drunter")
CLOSE = 1e-3
SETTINGS = Settings(
    game="drunter",
    players=(2, 4),
    games=(64, 64),
    width=32,
    depth=1,
    variety=0.1,
    learning=Learning(steps=4, minibatch=256),
    planned_iterations=8,
    evaluation_games=64,
)


def test_only_the_critic_sees_secrets() -> None:
    network = new_network(GAME, 32, 1, seed=1)
    seen = torch.from_numpy(SelfPlay(GAME, 3, 64, seed=2).arrays.observations)
    other = seen.clone()
    other[:, GAME.observation : GAME.observation + GAME.secrets] = 0
    assert not torch.equal(seen, other)
    first, second = network(seen), network(other)
    assert torch.equal(first[0], second[0])
    assert torch.equal(first[1], second[1])
    assert not torch.equal(first[2], second[2])


def test_where_nothing_is_secret_there_is_no_critic() -> None:
    game = training_game("cronberg")
    network = new_network(game, 16, 1, seed=1)
    _, values, judged, *_ = network(torch.zeros(2, game.row))
    assert network.critic is None
    assert judged is values


@pytest.mark.parametrize("ground", [Beside(), Beside(8, 1)])
def test_the_critic_learns_and_goes_on_but_is_not_exported(tmp_path: Path, ground: Beside) -> None:
    run = Run(replace(SETTINGS, ground=ground))
    before = {name: array.copy() for name, array in arrays_of(run.network).items()}
    run.train(tmp_path, iterations=1)
    after = arrays_of(run.network)
    assert all(not np.array_equal(before[name], after[name]) for name in before if name.endswith("weight"))
    assert any(name.startswith("critic.") for name in after)
    again = Run(settings_of(read_state(tmp_path)))
    again.go_on(tmp_path)
    assert all(np.array_equal(array, after[name]) for name, array in arrays_of(again.network).items())
    assert arrays_of(from_arrays(GAME, after)).keys() == after.keys()
    with np.load(tmp_path / "network.npz") as exported:
        assert not [name for name in exported if name.startswith("critic.")]
        assert ("sights.ground.entry.weight" in exported) == (ground.width > 0)
    card = json.loads((tmp_path / "network.json").read_text(encoding="utf-8"))
    assert (card["observation"], card["actions"]) == (GAME.observation, GAME.actions)
    network = read_network(tmp_path / "network.npz", "drunter", GAME.grid)
    rows = SelfPlay(GAME, 3, 64, seed=2).arrays.observations
    logits, values, *_ = run.network(torch.from_numpy(rows))
    found, worth = network.think(rows[:, : GAME.observation])
    assert np.allclose(found, logits.detach().numpy(), atol=0.01)
    assert np.allclose(worth.reshape(len(rows), -1), values.detach().numpy(), atol=0.01)


@pytest.mark.parametrize("ground", [Beside(), Beside(16, 1)])
def test_what_is_exported_thinks_the_same_without_torch(tmp_path: Path, ground: Beside) -> None:
    """With firm opinions of everything, guesses and the ground too; and it comes back to be trained on."""
    network = new_network(GAME, 32, 2, seed=5, ground=ground)
    lots = torch.Generator().manual_seed(6)
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.add_(0.1 * torch.randn(parameter.shape, generator=lots))
            parameter.copy_(parameter.half())  # as it is written down
    card = {"game": "drunter", "observation": GAME.observation, "actions": GAME.actions}
    read = read_network(export(network, tmp_path, card, "drunter"), "drunter", GAME.grid)
    for players in (2, 3, 4):
        batch = SelfPlay(GAME, players, 64, seed=2, variety=0.25, scattered=True)
        seen = batch.arrays.observations
        logits, values, _, _, guessed = network(torch.from_numpy(seen))
        there, worth = read.think(seen[:, : GAME.observation])
        assert guessed.detach().exp().std() > CLOSE
        assert np.abs(there).max() > 100 * CLOSE
        assert np.allclose(there, logits.detach().numpy(), atol=CLOSE, rtol=CLOSE)
        assert np.allclose(worth.reshape(len(seen), -1), values.detach().numpy(), atol=CLOSE)
    again = from_arrays(GAME, weights_for(new_network(GAME, 32, 2, seed=1, ground=ground), tmp_path / "drunter.npz"))
    for name, array in arrays_of(network).items():
        assert name.startswith("critic.") or np.array_equal(array, arrays_of(again)[name]), name


def test_going_on_gives_what_would_have_come_without_the_break(tmp_path: Path) -> None:
    settings = replace(SETTINGS, ground=Beside(8, 1))
    whole, first = Run(settings), Run(settings)
    whole.train(tmp_path / "whole", iterations=2)
    first.train(tmp_path / "half", iterations=1)
    second = Run(settings_of(read_state(tmp_path / "half")))
    second.go_on(tmp_path / "half")
    second.train(tmp_path / "half", iterations=1)
    found = arrays_of(second.network)
    assert all(np.array_equal(array, found[name]) for name, array in arrays_of(whole.network).items())


def test_a_new_critic_of_an_old_network_learns_first(tmp_path: Path) -> None:
    Run(SETTINGS).train(tmp_path, iterations=1)
    run = Run(SETTINGS)
    run.go_on_from_network(tmp_path / "network.npz")
    before = {name: array.copy() for name, array in arrays_of(run.network).items()}
    run.iterate(0.0)
    after = {name: array.copy() for name, array in arrays_of(run.network).items()}
    changed = {name for name, array in before.items() if not np.array_equal(array, after[name])}
    assert changed == {name for name in before if name.startswith("critic.")}
    run.policy_from = run.iteration
    run.iterate(0.0)
    assert not np.array_equal(arrays_of(run.network)["entry.weight"], after["entry.weight"])


def test_how_far_guesses_miss_is_told_as_it_is_learned(tmp_path: Path) -> None:
    """Beginning near what is known before: nothing better than among six cards, of which some seats have two."""
    run = Run(SETTINGS)
    run.train(tmp_path, iterations=1)
    told = [row for row in run.history if "guess_loss" in row]
    assert 0.5 < told[0]["guess_loss"] < 2 * np.log(6)
    weights = {"value_loss": 1.0, "policy_loss": 1.0, "entropy": -SETTINGS.learning.entropy, "guess_loss": 0.2}
    assert told[0]["loss"] == pytest.approx(sum(told[0][name] * weight for name, weight in weights.items()), rel=1e-3)
    run.policy_from = 99
    assert run.iterate(0.0)[ppo.PARTS.index("guess_loss")] == 0


def test_guesses_learn_the_truth_and_sum_up_to_all() -> None:
    """What is impossible stays so, absent seats count nothing; a lesson makes the truth likelier."""
    game, players = SelfPlay(GAME, 3, 64, seed=2), torch.full((64,), 3)
    seen = torch.from_numpy(game.arrays.observations)
    truths = seen[:, GAME.truths.ravel()]
    network = new_network(GAME, 16, 1, seed=1)
    assert np.allclose(truths.unflatten(1, (3, -1)).sum(2), [[1, 1, 0]] * 64)
    optimiser, missed = torch.optim.Adam(network.guess.parameters(), 3e-2), []
    for _ in range(40):
        guessed = network(seen)[4]
        assert np.allclose(guessed.detach().exp().sum(2), 1, atol=1e-4)
        missed.append(guess_loss(guessed, truths, players, torch.ones(64)))
        optimiser.zero_grad()
        missed[-1].backward()
        optimiser.step()
    assert missed[-1] < 0.95 * missed[0]
