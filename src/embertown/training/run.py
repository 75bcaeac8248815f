"""A training run: settings, self-play and learning in turns, figures, checkpoints that it goes on from.

A checkpoint is a folder of files below 16 MiB each. Going on from one gives what would have come without the break: all
lots are drawn by seed and number of the iteration. With `--planned-iterations` that holds to the bit on the CPU; by the
clock, rates fall as time goes.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from embertown.bots.network import read_network, sizes_of
from embertown.core.errors import BadArgument, EmbertownError, MalformedFile, UnknownGame, shown
from embertown.training import gumbel, ppo
from embertown.training.checkpoint import (
    FORMAT,
    GAMES,
    METRICS,
    MOMENTS,
    STATE,
    WEIGHTS,
    read_games,
    read_metrics,
    read_moments,
    read_state,
    read_weights,
)
from embertown.training.earlier import GUMBEL, METHODS, PPO, SEED_STEP, checked_counts, pieces_before, pieces_up_to
from embertown.training.evaluate import Strength, by_lot, greedy, strength
from embertown.training.export import export, read_card, weights_for
from embertown.training.games import TrainingGame, training_game
from embertown.training.kernels import GROUP
from embertown.training.limits import MOST, check_ranges, fields_of, part_of
from embertown.training.network import Beside, Network, arrays_of, copy_weights, from_arrays, new_network, quick_copy
from embertown.training.ppo import Learning, Lesson, Trajectories
from embertown.training.recorded import Recorded
from embertown.training.search import Search, Searching
from embertown.training.selfplay import CPU, GPU, SelfPlay

ADAM_EPSILON = 1e-5
SEED_OF_EVALUATION = 2**20
GREATEST_SEED = 2**16
CRITIC_FIRST = 20
"""A new critic of an old network learns for so many iterations before the policy does."""
EXPORTED = ".npz"
LEAST_MINUTES = 0.001
LIMITS = {
    "seed": (0, GREATEST_SEED - 1),
    "width": (1, MOST),
    "depth": (0, MOST),
    "variety": (0, 1),
    "planned_minutes": (LEAST_MINUTES, MOST),
    "planned_iterations": (0, MOST),
    "report_every": (1, MOST),
    "evaluate_every": (0, MOST),
    "evaluation_games": (GROUP, MOST),
}
"""Between what the numbers of `Settings` lie."""


@dataclass(frozen=True)
class Settings:
    """What a run is. All of it is written down with the weights."""

    game: str = "cronberg"
    players: tuple[int, ...] = (2,)
    games: tuple[int, ...] = (16_384,)
    """By number of players: how many games at once."""
    seed: int = 1
    width: int = 64
    """Numbers that a cell has inside (`network`); the whole has four times as many."""
    depth: int = 4
    ground: Beside = Beside()  # noqa: RUF009 (a tuple)
    """How large the part is that looks at the ground, where a game has one."""
    variety: float = 0.1
    """The share of games on changed editions."""
    device: str = CPU
    compiled: bool = False
    """Whether torch compiles the network and the loss: quicker, after half a minute or more."""
    method: str = PPO
    learning: Learning = field(default_factory=Learning)
    searching: Searching = field(default_factory=Searching)
    planned_minutes: float = 8.0
    """Rates fall over so many minutes of training, whatever pieces it is cut into …"""
    planned_iterations: int = 0
    """… or, where given, over so many iterations."""
    report_every: int = 20
    evaluate_every: float = 60.0
    """Seconds between two measurements of strength."""
    evaluation_games: int = 1024

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise BadArgument(f"method is {self.method!r}; right would be: {', '.join(METHODS)}")
        if len(self.games) != len(self.players):
            raise BadArgument(f"games are {self.games} for players {self.players}; right would be: a number for each")
        check_ranges(self, LIMITS)
        if self.evaluation_games % GROUP:
            raise BadArgument(f"evaluation games are {self.evaluation_games}; right would be: a multiple of {GROUP}")
        self._check_ground()

    def _check_ground(self) -> None:
        """Refuse a size that nothing would come of."""
        (width, depth), game = self.ground, training_game(self.game)
        if min(width, depth) < 0:
            raise BadArgument(f"ground width and depth are {width} and {depth}; right would be: from 0 on")
        if depth and not width:
            raise BadArgument(f"ground depth is {depth}, and ground width 0; right would be: a ground width from 1 on")
        if width and game.grid.ground is None:
            raise BadArgument(f"ground width is {width}, and {self.game} has no ground; right would be: 0")


def shared_out(total: int, players: int) -> tuple[int, ...]:
    """So many games over so many numbers of players, in whole groups.

    >>> shared_out(16_384, 3)
    (5440, 5440, 5440)
    """
    return (max(GROUP, total // players // GROUP * GROUP),) * players


class Run:
    """A training under way."""

    def __init__(self, settings: Settings, clock: Callable[[], float] = time.monotonic) -> None:
        self.settings, self.clock = settings, clock
        self.game: TrainingGame = training_game(settings.game)
        self.iteration, self.steps, self.ended = 0, 0, 0
        self.trained = 0.0
        """Seconds of training in earlier pieces."""
        self.lessons = 0
        """Since Adam began."""
        self.policy_from = 0
        """Up to this iteration a new critic learns alone: the policy would learn nonsense from it."""
        self.batches = [
            SelfPlay(self.game, players, count, settings.seed + 1, settings.device, settings.variety, scattered=True)
            for players, count in zip(settings.players, settings.games, strict=True)
        ]
        network = new_network(self.game, settings.width, settings.depth, settings.seed, settings.ground)
        self._use(network)
        searched = settings.method == GUMBEL
        self.made = Trajectories(self.batches, settings.learning.steps, searched)
        self.search = Search(self.batches, settings.searching, settings.learning.win_weight) if searched else None
        self.lots = torch.Generator(self.where)
        self.history: list[dict[str, Any]] = []
        self.begun_from: list[dict[str, Any]] = []
        """The pieces of training before, by other methods, players or rates (`earlier`)."""

    @property
    def where(self) -> str:
        """torch's name for the device."""
        return "cuda" if self.settings.device == GPU else "cpu"

    def _use(self, network: Network) -> None:
        """Train this network from now on."""
        self.network = network.to(self.where)
        on_gpu, learning = self.where == "cuda", self.settings.learning
        self.optimiser = torch.optim.Adam(
            self.network.parameters(),
            lr=torch.tensor(learning.rate, device=self.where) if on_gpu else learning.rate,
            eps=ADAM_EPSILON,
            fused=on_gpu,
            capturable=on_gpu,
        )
        self.quick = quick_copy(self.network, self.where)
        self.play: Callable[..., Any] = self.quick
        measure: Callable[..., Any] = ppo.loss if self.settings.method == PPO else gumbel.loss
        measures, judging = [measure, ppo.critic_loss], gumbel.judged
        if self.settings.compiled:
            self.play, judging = torch.compile(self.quick), torch.compile(judging)
            measures = [torch.compile(each) for each in measures]
        lessons: list[Callable[..., Any]] = [Lesson(self.network, self.optimiser, learning, each) for each in measures]
        if self.settings.compiled and on_gpu:
            self.play, lessons = Recorded(self.play), [Recorded(each) for each in lessons]
        self.lesson, self.critic_lesson = lessons
        self.judge = gumbel.judge_by(self.quick, judging)

    # ---- one iteration

    def iterate(self, progress: float) -> torch.Tensor:
        """Play some steps in all games, then learn from them; what the loss was made of, without waiting for it."""
        self.lots.manual_seed(self.settings.seed * SEED_STEP + self.iteration)
        copy_weights(self.network, self.quick)
        samples = self._samples()
        lesson = self.lesson if self.iteration >= self.policy_from else self.critic_lesson
        how = (self.settings.learning, progress, self.lots, self.lessons)
        parts, self.lessons = ppo.learn(lesson, self.optimiser, samples, *how)
        self.iteration += 1
        self.steps += samples.count
        return torch.cat((parts, self.made.done.sum()[None], self.made.outcomes.abs().sum()[None]))

    def _samples(self) -> ppo.Rows:
        """Play some steps in all games, by the network's policy or by search."""
        if self.search is None:
            last = ppo.collect(self.batches, self.play, self.made, self.lots)
            return ppo.Samples(self.made, last, self.settings.learning)
        last = gumbel.collect(self.batches, self.search, self.judge, self.quick, self.made)
        return gumbel.Samples(self.made, last, self.settings.learning)

    def progress(self, seconds: float) -> float:
        """How much of the planned training is done, from 0 to 1."""
        if self.settings.planned_iterations:
            return self.iteration / self.settings.planned_iterations
        return (self.trained + seconds) / (60 * self.settings.planned_minutes)

    # ---- a piece of the run

    def train(self, folder: Path, minutes: float | None = None, iterations: int | None = None) -> None:
        """Train for so long, or so many iterations more, whatever ends first; write everything into `folder`."""
        if iterations is not None and iterations < 1:
            raise BadArgument(f"iterations are {iterations}; right would be: 1 or more")
        folder.mkdir(parents=True, exist_ok=True)
        began, first, steps = self.clock(), self.iteration, self.steps
        until = None if iterations is None else self.iteration + iterations
        older, measured = quick_copy(self.network, self.where), 0.0
        while (until is None or self.iteration < until) and (minutes is None or self.clock() - began < 60 * minutes):
            parts = self.iterate(self.progress(self.clock() - began))
            if (self.iteration - first - 1) % self.settings.report_every == 0:
                self._report(folder, parts, began, self.steps - steps)
                if self.clock() - began - measured > self.settings.evaluate_every:
                    measured = self.clock() - began
                    self._write(folder, {"iteration": self.iteration, "steps": self.steps, **self.evaluated(older)})
                    older = quick_copy(self.network, self.where)
        if self.where == "cuda":
            torch.cuda.synchronize()
        seconds = self.clock() - began
        self.trained += seconds
        speed = (self.steps - steps) / max(seconds, 1e-9)
        end = {"iteration": self.iteration, "seconds": seconds, "steps": self.steps, "steps_per_s": speed}
        self._write(folder, {**end, **self.evaluated(older)})
        self.save(folder)

    def _report(self, folder: Path, parts: torch.Tensor, began: float, steps: int) -> None:
        names = ppo.PARTS if self.settings.method == PPO else gumbel.PARTS
        found = dict(zip((*names, "ended", "_"), parts.tolist(), strict=True))  # waits for the GPU
        del found["_"]
        if not math.isfinite(found["loss"]):
            raise EmbertownError(f"the loss is no number any more after iteration {self.iteration}; nothing was saved")
        seconds = self.clock() - began
        row = {"iteration": self.iteration, "seconds": seconds, "steps": self.steps, "steps_per_s": steps / seconds}
        self._write(folder, {**row, "progress": self.progress(seconds), **found})

    def _write(self, folder: Path, row: dict[str, Any]) -> None:
        rounded = {key: float(f"{value:.5g}") if isinstance(value, float) else value for key, value in row.items()}
        self.history.append(rounded)
        line = json.dumps(rounded)
        print(line, flush=True)
        with (folder / METRICS).open("a", encoding="utf-8") as file:
            file.write(line + "\n")

    def evaluated(self, older: Network) -> dict[str, Any]:
        """The strength against lots and against an older self, for each number of players."""
        found: dict[str, Any] = {}
        newer = greedy(quick_copy(self.network, self.where))
        seed = SEED_OF_EVALUATION + self.iteration % GREATEST_SEED
        for players in self.settings.players:
            for name, other in (("random", by_lot(seed, self.where)), ("older", greedy(older))):
                seen = self._strength(players, newer, other, seed)
                found[f"{players}_against_{name}"] = [round(seen.win_share, 4), round(seen.interval, 4)]
                found[f"{players}_lead_{name}"] = round(seen.lead, 2)
        return found

    def _strength(self, players: int, policy: Any, other: Any, seed: int) -> Strength:
        count = self.settings.evaluation_games
        seen: Strength = strength(self.game, players, policy, other, count, seed, self.settings.device)
        return seen

    # ---- writing down and going on

    def save(self, folder: Path) -> None:
        """Write a checkpoint, and the network as the product takes it."""
        folder.mkdir(parents=True, exist_ok=True)
        np.savez(folder / WEIGHTS, **arrays_of(self.network))  # type: ignore[arg-type]
        for moment, file in MOMENTS.items():
            np.savez(folder / file, **self._moments(moment))  # type: ignore[arg-type]
        kept = {
            f"{name}{batch.players}": array.view(np.uint8).reshape(batch.count, -1)
            for batch in self.batches
            for name, array in batch.kept().items()
        }
        np.savez_compressed(folder / GAMES, **kept)  # type: ignore[arg-type]
        (folder / STATE).write_text(json.dumps(self.state(), indent=1) + "\n", encoding="utf-8")
        export(self.network, folder, self.card())

    def _moments(self, name: str) -> dict[str, np.ndarray]:
        """One of Adam's moments of every parameter; none before the first lesson."""
        parameters = self.network.named_parameters()
        states = {key: self.optimiser.state.get(parameter, {}) for key, parameter in parameters}
        return {key: state[name].float().cpu().numpy() for key, state in states.items() if name in state}

    def state(self) -> dict[str, Any]:
        """What a checkpoint says besides its arrays."""
        return {
            "format": FORMAT,
            "settings": asdict(self.settings),
            "iteration": self.iteration,
            "steps": self.steps,
            "trained_seconds": self.trained,
            "lessons": self.lessons,
            "policy_from": self.policy_from,
            "torch": torch.__version__,
            "begun_from": self.begun_from,
        }

    def card(self) -> dict[str, Any]:
        """The model card: how it was trained, for how long, what it reached."""
        state = self.state()
        reached = [row for row in self.history if any("against" in key for key in row)][-1:]
        device = torch.cuda.get_device_name() if self.where == "cuda" else "CPU"
        return {
            "game": self.settings.game,
            "observation": self.game.observation,
            "actions": self.game.actions,
            "training": state,
            "device": device,
            "reached": reached,
        }

    def go_on(self, folder: Path) -> None:
        """Go on from a checkpoint; games of which there are as many as before go on too, others begin anew.

        From a training by another method only the network and the games are taken: rates and counts begin anew.
        """
        state, arrays = read_state(folder), read_weights(folder)
        self._use(from_arrays(self.game, arrays))
        self.settings = as_large_as(self.settings, arrays)
        if self._count_on(state, str(folder / STATE)):
            self._load_moments(folder)
        if (folder / GAMES).exists():
            for batch, kept in read_games(folder, self.batches):
                batch.go_on(kept)
        if (folder / METRICS).exists():
            self.history = read_metrics(folder / METRICS)

    def go_on_from_network(self, file: Path) -> None:
        """Go on from an exported network, as far as its card says; games, Adam and a critic begin anew.

        Little is lost against a checkpoint: Adam knows its way after some lessons, and a critic learns first.
        """
        card, card_file = read_network(file, self.settings.game, self.game.grid).card, str(file.with_suffix(".json"))
        self._use(from_arrays(self.game, weights_for(self.network, file)))
        self._count_on(part_of(card, "training", {}, card_file), f"{card_file}: training")
        self.lessons, self.policy_from = 0, self.iteration + (CRITIC_FIRST if self.game.secrets else 0)
        self.history = list(part_of({"reached": [], **card}, "reached", ({},), card_file))

    def _count_on(self, state: dict[str, Any], file: str) -> bool:
        """Count on from where an earlier training was, and tell of it where it was another; whether there was one.

        From a training by another method nothing is counted on.
        """
        counts, before, now = checked_counts(state, file), settings_of(state, file), self.settings
        is_alike = (before.method, before.players, before.learning) == (now.method, now.players, now.learning)
        self.begun_from = pieces_before(state, file) if is_alike else pieces_up_to(state, file)
        if before.method != now.method:
            return False
        self.iteration, self.steps, self.trained = counts["iteration"], counts["steps"], counts["trained_seconds"]
        self.lessons, self.policy_from = counts["lessons"], counts["policy_from"]
        return True

    def _load_moments(self, folder: Path) -> None:
        if not self.lessons or not all((folder / file).exists() for file in MOMENTS.values()):
            self.lessons = 0
            return
        parameters = dict(self.network.named_parameters())
        moments = read_moments(folder, {name: tuple(each.shape) for name, each in parameters.items()})
        for name, parts in moments.items():
            step = torch.tensor(float(self.lessons), device=self.where)
            tensors = {moment: torch.from_numpy(array.copy()).to(self.where) for moment, array in parts.items()}
            self.optimiser.state[parameters[name]] = {"step": step, **tensors}


def settings_of(state: dict[str, Any], file: str = STATE) -> Settings:
    """The settings that a checkpoint was trained with; what it does not know yet is as usual."""
    known = {"learning": {}, "searching": {}, **part_of(state, "settings", {}, file)}
    kinds = {"learning": Learning, "searching": Searching}
    parts = {name: part_of(known, name, {}, file, "settings.") for name in kinds}
    told = {name: fields_of(kind, parts[name], file, f"settings.{name}.") for name, kind in kinds.items()}
    rest = {name: value for name, value in known.items() if name not in kinds}
    own = fields_of(Settings, rest, file, "settings.")
    ground = own.pop("ground", Beside())
    if len(ground) != len(Beside()):
        raise MalformedFile(file, "settings.ground", f"is {shown(list(ground))}", "two whole numbers, width and depth")
    try:
        made = {name: kind(**told[name]) for name, kind in kinds.items()}
        return Settings(**own, **made, ground=Beside(*ground))
    except (BadArgument, UnknownGame) as problem:
        raise MalformedFile(file, "settings", str(problem)) from problem


def settings_before(path: Path) -> Settings:
    """The settings of a checkpoint or of an exported network, its sizes as its weights say."""
    if path.suffix != EXPORTED:
        return as_large_as(settings_of(read_state(path), str(path / STATE)), read_weights(path))
    file = str(path.with_suffix(".json"))
    settings = settings_of(part_of(read_card(path), "training", {}, file), f"{file}: training")
    return as_large_as(settings, read_network(path, settings.game, training_game(settings.game).grid).arrays)


def as_large_as(settings: Settings, arrays: Mapping[str, np.ndarray]) -> Settings:
    """Settings for a network of these weights."""
    sizes = sizes_of(arrays, training_game(settings.game).grid)
    ground = Beside(sizes.narrow, sizes.ground_depth)
    return replace(settings, width=sizes.width, depth=sizes.depth, ground=ground)
