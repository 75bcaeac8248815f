"""Learning from search, with torch: going on, beginning from PPO's checkpoints, coming nearer to what was found."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from embertown.core.errors import BadArgument  # noqa: E402
from embertown.training import gumbel, ppo  # noqa: E402
from embertown.training.commands import main  # noqa: E402
from embertown.training.games import training_game  # noqa: E402
from embertown.training.network import arrays_of, new_network  # noqa: E402
from embertown.training.ppo import Learning, Trajectories  # noqa: E402
from embertown.training.run import GUMBEL, Run, Settings, read_state, settings_of  # noqa: E402
from embertown.training.search import Search, Searching  # noqa: E402
from embertown.training.selfplay import SelfPlay  # noqa: E402

GAME = training_game("cronberg")
SETTINGS = Settings(
    players=(2, 3),
    games=(64, 64),
    width=32,
    depth=1,
    method=GUMBEL,
    learning=Learning(steps=4, minibatch=256),
    searching=Searching(simulations=6, considered=4),
    planned_iterations=8,
    evaluation_games=64,
)


def test_what_is_learned_is_what_search_found() -> None:
    network = new_network(GAME, 16, 1, seed=1)
    batches = [SelfPlay(GAME, players, 64, seed=1, scattered=True) for players in (2, 4)]
    search = Search(batches, SETTINGS.searching, SETTINGS.learning.win_weight)
    made = Trajectories(batches, 3, searched=True)
    last = gumbel.collect(batches, search, gumbel.judge_by(network), network, made)
    assert last.shape == (128, 8)
    assert made.masks.gather(2, made.answers[..., None]).all()
    assert not made.wanted[~made.masks].any()
    assert torch.allclose(made.wanted.float().sum(2), torch.ones(3, 128), atol=0.01)
    rows = torch.ones(100), *gumbel.Samples(made, last, SETTINGS.learning).rows(torch.arange(100))

    def as_found(seen: torch.Tensor) -> tuple[torch.Tensor, ...]:
        values = rows[4][: len(seen)]
        return rows[3].float().clamp_min(1e-9).log(), values, values, values

    nothing = torch.zeros(())
    found = dict(zip(gumbel.PARTS, gumbel.loss(as_found, rows, nothing, SETTINGS.learning).tolist(), strict=True))
    assert abs(found["divergence"]) < 1e-3
    assert found["value_loss"] == found["changed"] == 0
    other = dict(zip(gumbel.PARTS, gumbel.loss(network, rows, nothing, SETTINGS.learning).tolist(), strict=True))
    assert other["divergence"] > 0.01
    assert np.isclose(found["policy_loss"] - found["divergence"], other["policy_loss"] - other["divergence"], atol=1e-3)


def test_going_on_gives_what_would_have_come_without_the_break(tmp_path: Path) -> None:
    whole = Run(SETTINGS)
    whole.train(tmp_path / "whole", iterations=2)
    Run(SETTINGS).train(tmp_path / "half", iterations=1)
    second = Run(settings_of(read_state(tmp_path / "half")))
    second.go_on(tmp_path / "half")
    second.train(tmp_path / "half", iterations=1)
    for name, array in arrays_of(whole.network).items():
        assert np.array_equal(array, arrays_of(second.network)[name]), name


def test_it_begins_from_a_network_that_ppo_trained(tmp_path: Path) -> None:
    words = ["train", "--players", "2", "--games", "64", "--device", "cpu", "--iterations", "1", "--steps", "4"]
    words += ["--minibatch", "64", "--evaluation-games", "64", "--width", "16", "--depth", "1"]
    assert main([*words, "--out", str(tmp_path / "ppo")]) == 0
    before = read_state(tmp_path / "ppo")
    small = ["--method", "gumbel", "--simulations", "6", "--considered", "4"]
    assert main([*words, *small, "--resume", str(tmp_path / "ppo"), "--out", str(tmp_path / "gumbel")]) == 0
    after = read_state(tmp_path / "gumbel")
    piece = {key: before["settings"][key] for key in ("method", "players", "learning")}
    piece |= {key: before[key] for key in ("steps", "trained_seconds")}
    assert (after["iteration"], after["begun_from"]) == (1, [piece])
    assert settings_of(after).searching == Searching(simulations=6, considered=4)
    again = Run(replace(settings_of(after), learning=replace(SETTINGS.learning, steps=1)))
    again.go_on(tmp_path / "gumbel")
    assert again.begun_from[0] == piece
    compared = ["evaluate", str(tmp_path / "gumbel"), str(tmp_path / "ppo"), "--games", "64", "--device", "cpu"]
    assert main([*compared, "--searches", "--simulations", "6", "--considered", "4"]) == 0


def test_older_checkpoints_are_read() -> None:
    state = {"settings": {"players": [2], "games": [64], "learning": {"steps": 4}}}
    assert settings_of(state) == Settings(games=(64,), learning=Learning(steps=4))


def test_what_is_refused() -> None:
    with pytest.raises(BadArgument, match="method is 'guess'"):
        replace(SETTINGS, method="guess")
    with pytest.raises(BadArgument, match="drunter has secrets"):
        Run(replace(SETTINGS, game="drunter"))


def test_learning_comes_nearer_to_what_search_found() -> None:
    run = Run(replace(SETTINGS, learning=Learning(steps=4, minibatch=256, epochs=8, entropy=0.0, last_entropy=0.0)))
    samples = run._samples()
    rows, nothing = (torch.ones(samples.count), *samples.rows(torch.arange(samples.count))), torch.zeros(())
    before = gumbel.loss(run.network, rows, nothing, run.settings.learning)
    ppo.learn(run.lesson, run.optimiser, samples, run.settings.learning, 0.0, run.lots)
    after = gumbel.loss(run.network, rows, nothing, run.settings.learning)
    for part in ("value_loss", "divergence"):
        assert after[gumbel.PARTS.index(part)] < 0.98 * before[gumbel.PARTS.index(part)], part
