"""Learning, with torch: advantages against a slow statement of them, going on, what is exported."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from embertown.bots.network import read_network  # noqa: E402
from embertown.core.errors import BadArgument  # noqa: E402
from embertown.cronberg import observation  # noqa: E402
from embertown.training import gumbel, network, ppo  # noqa: E402
from embertown.training.commands import main  # noqa: E402
from embertown.training.export import export  # noqa: E402
from embertown.training.games import training_game  # noqa: E402
from embertown.training.network import GridLayer, arrays_of, from_arrays, new_network  # noqa: E402
from embertown.training.ppo import Learning, Trajectories  # noqa: E402
from embertown.training.run import Run, Settings, read_state, settings_of  # noqa: E402
from embertown.training.search import Searching  # noqa: E402
from embertown.training.selfplay import SelfPlay  # noqa: E402

GAME = training_game("cronberg")
SETTINGS = Settings(
    players=(2, 3),
    games=(64, 64),
    width=32,
    depth=1,
    learning=Learning(steps=8, minibatch=256),
    planned_iterations=8,
    evaluation_games=64,
)


def slow_advantages(made: Trajectories, last: np.ndarray, learning: Learning) -> tuple[np.ndarray, np.ndarray]:
    """Each seat's return by its own sum over all that follows; one game, one seat, one part at a time."""
    steps, games = made.seats.shape
    gained, targets = np.zeros((steps, games)), np.zeros((steps, games, 8))
    for game in range(games):
        players = int(made.players[game])

        def value(step: int, part: int, seat: int, game: int = game, players: int = players) -> float:
            if step == steps:
                return float(last[game, 4 * part + seat])
            behind = (seat - int(made.seats[step, game])) % players
            return float(made.values[step, game, 4 * part + behind])

        def luck(step: int, part: int, seat: int, game: int = game, players: int = players) -> float:
            behind = (seat - int(made.seats[step, game])) % players
            return float(made.luck[step, game, 4 * part + behind])

        for step in range(steps):
            acting = int(made.seats[step, game])
            for part, weight in ((0, learning.win_weight), (1, 1 - learning.win_weight)):
                for behind in range(players):
                    seat, total, factor = (acting + behind) % players, 0.0, 1.0
                    for later in range(step, steps):
                        over = bool(made.done[later, game])
                        follows = 0.0 if over else value(later + 1, part, seat)
                        outcome = float(made.outcomes[later, game, 4 * part + seat])
                        total += factor * (outcome + follows - value(later, part, seat) - luck(later, part, seat))
                        factor *= learning.decay
                        if over:
                            break
                    targets[step, game, 4 * part + behind] = total + value(step, part, seat)
                    if behind == 0:
                        gained[step, game] += weight * total
    return gained, targets


def test_every_seat_has_its_own_return() -> None:
    learning = Learning(steps=90)
    batches = [SelfPlay(GAME, players, 64, seed=1) for players in (2, 3, 4)]
    made, lots = Trajectories(batches, learning.steps), torch.Generator().manual_seed(1)
    last = ppo.collect(batches, new_network(GAME, 16, 1, seed=1), made, lots)
    made.values.normal_(generator=lots)
    made.luck.normal_(generator=lots)
    gained, targets, _ = ppo.advantages(made, last, learning)
    some = slice(None, None, 40)
    few = Trajectories(batches, learning.steps)
    for name in ("seats", "values", "luck", "done", "outcomes"):
        setattr(few, name, getattr(made, name)[:, some])
    few.players = made.players[some]
    expected = slow_advantages(few, last[some].numpy(), learning)
    assert few.done.sum() > 0
    assert np.allclose(gained[:, some].numpy(), expected[0], atol=1e-4)
    present = (np.arange(8) % 4)[None, None, :] < few.players.numpy()[None, :, None]
    assert np.allclose(np.where(present, targets[:, some].numpy(), 0), expected[1], atol=1e-4)


def test_luck_is_what_was_drawn_against_all_that_might_have_been() -> None:
    """Drawing, and nothing else, is luck; over all that may be drawn, each as often as it is likely, it is nothing."""
    batches, lots = [SelfPlay(GAME, 2, 1024, seed=1, variety=1.0)], torch.Generator().manual_seed(1)
    made, network = Trajectories(batches, 12), new_network(GAME, 16, 1, seed=1)
    with torch.no_grad():
        assert network.luck is not None
        network.luck.weight.normal_(generator=lots)
    ppo.collect(batches, network, made, lots)
    has_drawn = (made.draws != 0).any(-1)
    assert (has_drawn <= (made.answers == observation.DRAW)).all()
    certain = (made.observations[..., observation.LEFT] * observation.LEFT_SCALE).round() == 1
    assert (has_drawn | certain)[made.answers == observation.DRAW].float().mean() > 0.99  # one kind: no luck in it
    assert made.draws.sum(-1).abs().max() < 1e-5
    assert (made.luck[~has_drawn] == 0).all()
    luck = made.luck[has_drawn][:, 0]
    assert luck.std() > 0.1
    assert abs(float(luck.mean())) < 4 * float(luck.std()) / len(luck) ** 0.5


def test_luck_is_learned_from_how_values_change() -> None:
    """Whoever says beforehand what a draw will change tells all of it; whoever says nothing, nothing."""
    lots = torch.Generator().manual_seed(1)
    draws, worths = torch.randn((50, 3), generator=lots), torch.randn((50, 3, 8), generator=lots)
    players = torch.full((50,), 4)
    draws[:20] = 0
    surprises = ppo.lucky(draws, worths)
    surprises[:20] = 1.0  # by decisions, not by draws
    for said, told in ((worths, 1.0), (torch.zeros_like(worths), 0.0)):
        missed, share = ppo.luck_loss(ppo.lucky(draws, said), draws, surprises, players, torch.ones(50))
        assert (float(missed) == 0, pytest.approx(float(share), abs=1e-6)) == (told == 1, told)


def test_where_nothing_is_drawn_no_luck_is_told() -> None:
    nothing, players, weights = torch.zeros(50, 3), torch.full((50,), 4), torch.ones(50)
    missed = ppo.luck_loss(torch.zeros(50, 8), nothing, torch.ones(50, 8), players, weights)
    assert [float(each) for each in missed] == [0, 0]


def test_answers_are_legal_and_as_likely_as_is_said() -> None:
    lots = torch.Generator().manual_seed(1)
    logits = torch.tensor([[1.0, 2.0, 50.0, 0.0]]).repeat(20_000, 1)
    masks = torch.tensor([[True, True, False, True]]).repeat(20_000, 1)
    answers, log_chances, is_open = ppo.pick(logits, masks, lots)
    expected = np.exp([1, 2, -np.inf, 0]) / np.exp([1, 2, 0]).sum()
    assert np.allclose(is_open.numpy() ** 2, 1 - (expected**2).sum())
    counted = np.bincount(answers.numpy(), minlength=4) / len(answers)
    assert counted[2] == 0
    assert np.allclose(counted, expected, atol=0.015)
    assert np.allclose(log_chances.exp().numpy(), expected[answers.numpy()], atol=1e-5)


def test_rows_are_drawn_by_interest_and_weigh_the_more_the_seldomer() -> None:
    lots = torch.Generator().manual_seed(1)
    interest = torch.rand(400, generator=lots) + 0.1
    counted, weighed = torch.zeros(400), torch.zeros(400)
    rounds = 400
    for _ in range(rounds):
        rows, weights = ppo.drawn_rows(interest, 0.3, lots)
        assert len(rows) == len(weights) == 120
        counted += torch.bincount(rows, minlength=400) / rounds
        weighed += torch.bincount(rows, weights, minlength=400) / rounds
    assert torch.allclose(counted, 0.3 * interest / interest.mean(), atol=0.15)
    assert torch.allclose(weighed, torch.full((400,), 0.3), atol=0.15)
    assert abs(float(weighed.mean()) - 0.3) < 0.01


def test_no_row_is_drawn_twice_however_interesting() -> None:
    """A few have far more interest than others: they are certain, and what is left of it goes to the others."""
    lots = torch.Generator().manual_seed(1)
    interest = torch.cat((torch.full((30,), 50.0), torch.rand(970, generator=lots) + 0.1))
    for share in (0.1, 0.6, 0.99):
        likely = ppo.as_likely(interest.double(), round(share * 1000))
        assert (likely[:30] == 1).all()
        assert float(likely.sum()) == pytest.approx(share * 1000)
        rows, weights = ppo.drawn_rows(interest, share, lots)
        assert len(set(rows.tolist())) == len(rows) == round(share * 1000)
        assert torch.allclose(weights * likely[rows], torch.tensor(share, dtype=torch.float64))
        assert abs(float(weights.mean()) - 1) < 0.1


@pytest.mark.parametrize("what", ["cronberg", "drunter", "critic", "gumbel"])
def test_weight_two_teaches_what_the_same_row_twice_does_and_none_what_its_lack_does(what: str) -> None:
    """In all that a loss is made of."""
    searched, game = what == "gumbel", "drunter" if what in ("drunter", "critic") else "cronberg"
    run = Run(replace(SETTINGS, game=game, method="gumbel" if searched else "ppo", searching=Searching(4, 2)))
    columns = run._samples()
    run.iterate(0.0)  # now the network is another than the one that played
    order = torch.cat((torch.arange(20), torch.arange(20), torch.arange(40, 128)))
    weights = torch.ones(128)
    weights[:20], weights[20:40] = 2, 0
    measure = {"gumbel": gumbel.loss, "critic": ppo.critic_loss}.get(what, ppo.loss)

    def parts(weighed: torch.Tensor, index: torch.Tensor) -> torch.Tensor:
        return measure(run.network, (weighed, *columns.rows(index)), torch.full((), 0.1), run.settings.learning)

    found = parts(weights, torch.arange(128))
    assert torch.allclose(found, parts(torch.ones(128), order), rtol=1e-4, atol=1e-6)
    assert not torch.allclose(found, parts(torch.ones(128), torch.arange(128)), rtol=1e-3, atol=1e-5)


def test_whoever_learns_from_all_rows_draws_each_of_them_once() -> None:
    rows, weights = ppo.drawn_rows(torch.rand(50), 1.0, torch.Generator().manual_seed(1))
    assert sorted(rows.tolist()) == list(range(50))
    assert rows.tolist() != list(range(50))
    assert weights.tolist() == [1.0] * 50


@pytest.mark.parametrize("share", [1.0, 0.5])
def test_going_on_gives_what_would_have_come_without_the_break(tmp_path: Path, share: float) -> None:
    settings = replace(SETTINGS, learning=replace(SETTINGS.learning, share=share))
    whole = Run(settings)
    whole.train(tmp_path / "whole", iterations=4)
    assert whole.lessons == 4 * 2 * round(8 * 128 * share / 256)
    first = Run(settings)
    first.train(tmp_path / "half", iterations=2)
    second = Run(settings_of(read_state(tmp_path / "half")))
    second.go_on(tmp_path / "half")
    second.train(tmp_path / "half", iterations=2)
    assert second.iteration == whole.iteration == 4
    for name, array in arrays_of(whole.network).items():
        assert np.array_equal(array, arrays_of(second.network)[name]), name
    rows = [json.loads(line) for line in (tmp_path / "half" / "metrics.jsonl").read_text().splitlines()]
    assert [row["iteration"] for row in rows if "2_against_random" in row] == [2, 4]


def test_what_is_exported_thinks_the_same_without_torch(tmp_path: Path) -> None:
    network = new_network(GAME, 32, 2, seed=5)
    with torch.no_grad():
        for name, parameter in network.named_parameters():
            parameter.add_(0.1 * torch.randn(parameter.shape, generator=torch.Generator().manual_seed(len(name))))
    card = {"game": "cronberg", "observation": GAME.observation, "actions": GAME.actions}
    file = export(network, tmp_path, card, "cronberg")
    read = read_network(file, "cronberg", GAME.grid)
    seen = SelfPlay(GAME, 3, 64, seed=2).arrays.observations
    logits, values, *_ = network(torch.from_numpy(seen))
    there, worth = read.think(seen[:, : GAME.observation])
    close = 0.02
    assert np.allclose(there, logits.detach().numpy(), atol=close)
    assert np.allclose(worth.reshape(len(seen), -1), values.detach().numpy(), atol=close)
    assert np.abs(there).max() > 10 * close


def test_a_network_comes_back_from_its_arrays() -> None:
    network = new_network(GAME, 32, 2, seed=5)
    again = from_arrays(GAME, arrays_of(network))
    assert all(
        np.array_equal(a, b) for a, b in zip(arrays_of(network).values(), arrays_of(again).values(), strict=True)
    )


def test_the_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small = ["--games", "64", "--width", "16", "--depth", "1", "--device", "cpu"]
    train = ["train", "--players", "2", "--iterations", "1", "--steps", "4", "--minibatch", "64", *small]
    assert main([*train, "--evaluation-games", "64", "--out", str(tmp_path / "run")]) == 0
    files = sorted(path.name for path in (tmp_path / "run").iterdir())
    assert files == [
        *("adam-first.npz", "adam-second.npz", "games.npz", "metrics.jsonl"),
        *("network.json", "network.npz", "state.json", "weights.npz"),
    ]
    assert main([*train, "--resume", str(tmp_path / "run"), "--out", str(tmp_path / "run")]) == 0
    assert main(["evaluate", str(tmp_path / "run"), "random", "--games", "64", "--device", "cpu"]) == 0
    assert main(["export", str(tmp_path / "run"), "--out", str(tmp_path), "--name", "cronberg"]) == 0
    assert read_network(tmp_path / "cronberg.npz", "cronberg", GAME.grid).card["training"]
    assert '"win_share"' in capsys.readouterr().out
    assert main(["evaluate", str(tmp_path / "nothing"), "random", "--device", "cpu"]) == 1
    assert "is no checkpoint" in capsys.readouterr().err


def test_settings_that_do_not_fit() -> None:
    with pytest.raises(BadArgument, match="a number for each"):
        replace(SETTINGS, games=(64,))
    with pytest.raises(BadArgument, match=r"share is 0; right would be: from 0\.01 to 1"):
        Learning(share=0)


def test_a_run_goes_on_with_other_games_and_players(tmp_path: Path) -> None:
    Run(SETTINGS).train(tmp_path, iterations=1)
    other = Run(replace(SETTINGS, players=(2, 3, 4), games=(128, 64, 64)))
    other.go_on(tmp_path)
    other.train(tmp_path, iterations=1)
    assert read_state(tmp_path)["iteration"] == 2
    assert {"2_against_random", "4_against_random"} <= set(other.history[-1])


def test_a_run_goes_on_from_an_exported_network(tmp_path: Path) -> None:
    before = Run(SETTINGS)
    before.train(tmp_path / "before", iterations=2)
    again = Run(SETTINGS)
    again.go_on_from_network(tmp_path / "before" / "network.npz")
    assert (again.iteration, again.steps, again.lessons) == (2, before.steps, 0)
    for name, array in arrays_of(before.network).items():
        if name.startswith("luck."):  # a part of training alone, learned anew
            continue
        assert np.array_equal(array.astype(np.float16), arrays_of(again.network)[name].astype(np.float16)), name
    words = ["--games", "64", "--width", "8", "--device", "cpu", "--iterations", "1", "--steps", "4"]
    network, out = str(tmp_path / "before" / "network.npz"), str(tmp_path / "after")
    assert main(["train", *words, "--evaluation-games", "64", "--resume", network, "--out", out]) == 0
    assert settings_of(read_state(tmp_path / "after")).width == SETTINGS.width
    assert read_state(tmp_path / "after")["iteration"] == 3


def test_an_exported_network_that_is_none_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Run(SETTINGS).train(tmp_path / "run", iterations=1)
    file = tmp_path / "run" / "network.npz"
    words = ["train", "--games", "64", "--device", "cpu", "--iterations", "1", "--out", str(tmp_path / "after")]
    card_file = file.with_suffix(".json")
    card = json.loads(card_file.read_text(encoding="utf-8"))
    card_file.write_text(json.dumps({**card, "observation": 7}), encoding="utf-8")
    assert main([*words, "--resume", str(file)]) == 1
    assert f"observation: is 7; right would be: {GAME.observation}" in capsys.readouterr().err
    card_file.write_text(json.dumps(card), encoding="utf-8")
    assert main([*words, "--resume", str(tmp_path / "nothing.npz")]) == 1
    assert "is no exported network" in capsys.readouterr().err
    file.write_bytes(file.read_bytes()[:-1])
    assert main([*words, "--resume", str(file)]) == 1
    assert "is damaged" in capsys.readouterr().err


def test_cells_see_their_neighbours_and_nobody_else() -> None:
    layer = GridLayer(5, 3, GAME.grid)
    with torch.no_grad():
        for parameter in layer.parameters():
            parameter.normal_(generator=torch.Generator().manual_seed(1))
    cells = GAME.grid.cells.size
    x = torch.randn(2, cells, 8, generator=torch.Generator().manual_seed(2))  # three numbers are filling
    found = layer(x)
    for cell in range(cells):
        expected = layer.bias.clone()
        for tap, other in enumerate(GAME.grid.seen_from[cell]):
            if other < cells:
                expected = expected + x[:, other, :5] @ layer.weight[:, :, tap].T
        assert torch.allclose(found[:, cell], expected, atol=1e-5), cell


class Posing(torch.Tensor):  # type: ignore[misc]
    """A tensor that says it lies on a GPU."""

    is_cuda = True


def test_a_gpu_without_triton_does_it_in_torchs_own_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(network, "HAS_TRITON", False)
    layer = GridLayer(8, 3, GAME.grid)
    with torch.no_grad():
        for parameter in layer.parameters():
            parameter.normal_(generator=torch.Generator().manual_seed(1))
    x = torch.randn(2, GAME.grid.cells.size, 8, generator=torch.Generator().manual_seed(2))
    there = x.as_subclass(Posing)
    assert there.is_cuda
    assert torch.equal(layer(there), layer(x))
    assert torch.equal(network.pooled(there), network.pooled(x))


def test_rates_rise_first_and_fall_then() -> None:
    rates: list[float] = []

    run = Run(SETTINGS)
    optimiser = torch.optim.SGD(run.network.parameters(), lr=1.0)
    optimiser.register_step_pre_hook(lambda each, *_: rates.append(each.param_groups[0]["lr"]))
    learning = replace(SETTINGS.learning, epochs=1, minibatch=128, warm_up=4, rate=1.0, last_rate=0.0)
    last = ppo.collect(run.batches, run.play, run.made, run.lots)
    samples = ppo.Samples(run.made, last, learning)
    lesson = ppo.Lesson(run.network, optimiser, learning)
    _, lessons = ppo.learn(lesson, optimiser, samples, learning, 0.5, run.lots)
    assert lessons == len(rates) == 8
    assert rates == [0.125, 0.25, 0.375, *[0.5] * 5]


def test_a_rate_is_set_where_it_lies() -> None:
    """What was recorded for a GPU reads it from there, so it must stay the same tensor; a plain number is replaced."""
    weights = [torch.nn.Parameter(torch.ones(3))]
    for rate in (torch.tensor(1.0), 1.0):
        optimiser = torch.optim.SGD(weights, lr=rate)
        ppo.set_rate(optimiser, 0.5)
        assert optimiser.param_groups[0]["lr"] == 0.5
        assert not isinstance(rate, torch.Tensor) or optimiser.param_groups[0]["lr"] is rate
