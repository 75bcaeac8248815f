"""The commands: train, speed, evaluate, export, plot; each tells its options by `--help`."""

from __future__ import annotations

import argparse
import ast
import inspect
import json
import sys
from dataclasses import fields, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import torch

from embertown.core.errors import BadArgument, EmbertownError, shown
from embertown.training.agree import disagreement
from embertown.training.checkpoint import METRICS, STATE, read_metrics, read_state, read_told, read_weights
from embertown.training.earlier import METHODS
from embertown.training.evaluate import Policy, by_lot, greedy, searching, strength
from embertown.training.export import export
from embertown.training.games import TrainingGame, training_game
from embertown.training.kernels import GROUP
from embertown.training.limits import check_ranges
from embertown.training.network import Beside, Network, from_arrays, quick_copy
from embertown.training.ppo import Learning
from embertown.training.run import EXPORTED, LIMITS, Run, Settings, settings_before, settings_of, shared_out
from embertown.training.search import Searching
from embertown.training.selfplay import CPU, GPU
from embertown.training.speed import Measured, speeds

RANDOM = "random"
TITLES = {"cronberg": "Cronberg", "drunter": "Drunter & Drüber"}
COMPARED_GAMES, COMPARED_STEPS = 4096, 150
"""How many games are compared with the CPU's, and for how long: past their ends."""


def main(words: list[str] | None = None) -> int:
    """Run a command; the exit status."""
    options = _parser().parse_args(words)
    try:
        status: int = options.run(options)
    except EmbertownError as problem:
        print(problem, file=sys.stderr)
        return 1
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m embertown.training", description=__doc__)
    commands = parser.add_subparsers(required=True)
    _add_train(commands.add_parser("train", help="train a network, or go on"))
    speed = commands.add_parser("speed", help="how fast self-play is")
    _add_common(speed)
    speed.add_argument("--games", type=int, default=32_768)
    speed.add_argument("--width", type=int, default=Settings.width)
    speed.add_argument("--depth", type=int, default=Settings.depth)
    _add_fields(speed, Searching)
    _add_fields(speed, Learning)
    speed.set_defaults(run=_speed)
    evaluate = commands.add_parser("evaluate", help="one checkpoint against another, or against random")
    _add_common(evaluate)
    evaluate.add_argument("network", type=Path)
    evaluate.add_argument("other", help="a checkpoint, or random")
    evaluate.add_argument("--games", type=int, default=4096)
    evaluate.add_argument("--seed", type=int, default=1)
    evaluate.add_argument("--searches", action="store_true", help="the first one searches before every answer")
    _add_fields(evaluate, Searching)
    evaluate.set_defaults(run=_evaluate)
    exporting = commands.add_parser("export", help="a checkpoint's network as the product takes it")
    exporting.add_argument("checkpoint", type=Path)
    exporting.add_argument("--out", type=Path, required=True)
    exporting.add_argument("--name", default="network")
    exporting.set_defaults(run=_export)
    plotting = commands.add_parser("plot", help="a training as pictures: what it learned, and its first tokens")
    plotting.add_argument("checkpoint", type=Path)
    plotting.add_argument("--out", type=Path, required=True, help="the folder of the pictures")
    plotting.add_argument("--name", help="of the learning curves, if not the network's own")
    plotting.set_defaults(run=_plot)
    return parser


def _add_common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--game", default=Settings.game)
    parser.add_argument("--players", type=_numbers, default=(2,), help="2,3,4, say")
    parser.add_argument("--device", choices=(CPU, GPU), default=GPU if torch.cuda.is_available() else CPU)


def _add_train(parser: argparse.ArgumentParser) -> None:
    _add_common(parser)
    parser.add_argument("--out", type=Path, required=True, help="the folder of the checkpoint")
    parser.add_argument("--resume", type=Path, help="an earlier checkpoint's folder, or an exported network (.npz)")
    parser.add_argument("--minutes", type=float, help="end after so long")
    parser.add_argument("--iterations", type=int, help="end after so many iterations")
    parser.add_argument("--plan", type=float, help="minutes of the whole training, over which rates fall")
    parser.add_argument("--planned-iterations", type=int, default=0, help="the same, in iterations")
    parser.add_argument("--games", type=_numbers, default=(16_384,), help="in all, or for each number of players")
    parser.add_argument("--seed", type=int, default=Settings.seed)
    parser.add_argument("--width", type=int, default=Settings.width)
    parser.add_argument("--depth", type=int, default=Settings.depth)
    parser.add_argument("--ground-width", type=int, default=Beside().width)
    parser.add_argument("--ground-depth", type=int, default=Beside().depth)
    parser.add_argument("--variety", type=float, default=Settings.variety)
    parser.add_argument("--compile", action="store_true")
    parser.add_argument("--report-every", type=int, default=Settings.report_every)
    parser.add_argument("--evaluate-every", type=float, default=Settings.evaluate_every)
    parser.add_argument("--evaluation-games", type=int, default=Settings.evaluation_games)
    parser.add_argument("--method", choices=METHODS, default=Settings.method)
    _add_fields(parser, Learning)
    _add_fields(parser, Searching)
    parser.set_defaults(run=_train, game=None)  # the game that is gone on with, or else the usual one


def _add_fields(parser: argparse.ArgumentParser, kind: Any) -> None:
    """An option for each field of a dataclass of numbers."""
    words = _words_of(kind)
    for each in fields(kind):
        default = getattr(kind, each.name)
        told = f"{words.get(each.name, '')} [{default:g}]".strip().replace("%", "%%")
        parser.add_argument(f"--{each.name.replace('_', '-')}", type=type(default), default=default, help=told)


def _words_of(kind: Any) -> dict[str, str]:
    """What is said below each field of a class where it is defined.

    >>> _words_of(Learning)["decay"]
    "GAE's lambda."
    """
    (told,) = ast.parse(inspect.getsource(kind)).body
    assert isinstance(told, ast.ClassDef)
    return {
        field.target.id: " ".join(words.value.value.split())
        for field, words in pairwise(told.body)
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(words, ast.Expr)
        and isinstance(words.value, ast.Constant)
        and isinstance(words.value.value, str)
    }


def _fields(options: argparse.Namespace, kind: Any) -> Any:
    """The dataclass that these options tell."""
    return kind(**{each.name: getattr(options, each.name) for each in fields(kind)})


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(","))


def _train(options: argparse.Namespace) -> int:
    games = options.games if len(options.games) > 1 else shared_out(options.games[0], len(options.players))
    settings = Settings(
        **(_begun(options) if options.resume is None else _resumed(options)),
        players=options.players,
        games=games,
        variety=options.variety,
        device=options.device,
        compiled=options.compile,
        method=options.method,
        learning=_fields(options, Learning),
        searching=_fields(options, Searching),
        planned_minutes=options.plan or options.minutes or Settings.planned_minutes,
        planned_iterations=options.planned_iterations,
        report_every=options.report_every,
        evaluate_every=options.evaluate_every,
        evaluation_games=options.evaluation_games,
    )
    run = Run(settings)
    if options.resume and options.resume.suffix == EXPORTED:
        run.go_on_from_network(options.resume)
    elif options.resume:
        run.go_on(options.resume)
    if run.progress(0.0) >= 1:
        print(f"what was planned is over: {_over(run)}; --plan is for the whole training", file=sys.stderr)
    run.train(options.out, options.minutes, options.iterations)
    return 0


def _over(run: Run) -> str:
    """How far a training is, for somebody who goes on beyond its plan."""
    planned = run.settings.planned_iterations
    told = f"iteration {run.iteration} of {planned}"
    if not planned:
        told = f"{run.trained / 60:.1f} of {run.settings.planned_minutes:g} minutes"
    return f"{told}, so that rates stay at their last values"


def _begun(options: argparse.Namespace) -> dict[str, Any]:
    """What a training keeps for good, as the options say."""
    ground = Beside(options.ground_width, options.ground_depth)
    kept = {name: getattr(options, name) for name in ("seed", "width", "depth")}
    return {**kept, "ground": ground, "game": options.game or Settings.game}


def _resumed(options: argparse.Namespace) -> dict[str, Any]:
    """The same as the training had it that is gone on from."""
    before = settings_before(options.resume)
    if options.game not in (None, before.game):
        given = f"--game is {shown(options.game)}, and {options.resume} was trained for {before.game}"
        raise BadArgument(f"{given}; right would be: --game {before.game}, or no --game at all")
    return {name: getattr(before, name) for name in ("seed", "width", "depth", "ground", "game")}


def _speed(options: argparse.Namespace) -> int:
    game, searching, learning = training_game(options.game), _fields(options, Searching), _fields(options, Learning)
    check_ranges(options, {name: LIMITS[name] for name in ("width", "depth")})
    for players in options.players:
        if options.device == GPU:
            differs = disagreement(game, players, COMPARED_GAMES, COMPARED_STEPS, GPU)
            print(json.dumps({"players": players, "differs_from_the_cpu": differs}), flush=True)
        about = {"game": game.name, "players": players, "games": options.games}
        measured = Measured(game, players, options.games, options.device, options.width, options.depth)
        for what, found in speeds(measured, searching, learning):
            print(json.dumps({**about, "what": what, "steps_per_s": round(found)}), flush=True)
    return 0


def _loaded(game: TrainingGame, folder: Path, device: str) -> Network:
    read_state(folder)
    network = from_arrays(game, read_weights(folder))
    where = "cuda" if device == GPU else "cpu"
    return quick_copy(network.to(where), where)


def _evaluate(options: argparse.Namespace) -> int:
    game, where = training_game(options.game), "cuda" if options.device == GPU else "cpu"
    network = _loaded(game, options.network, options.device)
    policy: Policy = greedy(network)
    if options.searches:
        policy = searching(network, _fields(options, Searching), Learning.win_weight)
    for players in options.players:
        if options.other == RANDOM:
            other = by_lot(options.seed, where)
        else:
            other = greedy(_loaded(game, Path(options.other), options.device))
        found = strength(game, players, policy, other, options.games, options.seed, options.device)
        print(json.dumps({"players": players, "against": str(options.other), **found._asdict()}), flush=True)
    return 0


def _export(options: argparse.Namespace) -> int:
    state = read_state(options.checkpoint)
    settings = settings_of(state, str(options.checkpoint / STATE))
    settings = replace(settings, device=CPU, games=(GROUP,) * len(settings.players))
    run = Run(replace(settings, learning=replace(settings.learning, steps=1)))
    run.go_on(options.checkpoint)
    told = read_told(options.checkpoint, run.card())  # the machine that trained it is another, maybe
    print(export(run.network, options.out, told, options.name))
    return 0


def _plot(options: argparse.Namespace) -> int:
    from embertown.bots.network import read_network
    from embertown.training import plot
    from embertown.training.cronberg_game import MAIN_EDITION, read_board

    settings = settings_of(read_state(options.checkpoint), str(options.checkpoint / STATE))
    game = training_game(settings.game)
    options.out.mkdir(parents=True, exist_ok=True)
    rows = read_metrics(options.checkpoint / METRICS)
    alone = f"-{settings.players[0]}" if len(settings.players) == 1 else ""
    title = f"{TITLES[game.name]}: a network learns by playing itself"
    pictures = {f"training-{options.name or game.name + alone}": plot.curves(rows, title)}
    if game.name == "cronberg":
        network = read_network(options.checkpoint / "network.npz", game.name, game.grid)
        board = read_board(MAIN_EDITION)
        pictures |= {f"first-tokens-{n}": plot.heat_map(network, board, n) for n in settings.players}
    for name, picture in pictures.items():
        (options.out / f"{name}.svg").write_text(picture + "\n", encoding="utf-8")
    return 0
