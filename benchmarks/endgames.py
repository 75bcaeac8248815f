"""How often a bot finds the best move at the end of Cronberg, by exact values: `python3 dev.py bench endgames`.

Positions come from games that a bot plays against itself: decisions with more than one legal action where at most
three more rhombi can be placed, a few from each game. Each is solved; where that ends within the solver's time, the
bot is asked for its move, and the move's exact value is compared with the best one's.

Results go into a file, a line for each game, and a second run with the same options goes on where the first one ended.
Solutions go into another file beside it, so that another bot can be asked about the same positions at once.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import embertown
from embertown.bots.budget import Clock
from embertown.bots.cronberg_endgame import prepare, rhombi_to_come, solve
from embertown.bots.levels import LevelBot
from embertown.core.chance import SeededChance
from embertown.core.pool import spread

MOST_RHOMBI = 3
PER_GAME = 3
NEAR = 0.01
"""A move is right whose share of the win is at most so much below the best."""
QUICK = 2.0
BAR = 0.99
WORST = 10
CLOCKS: dict[str, Clock] = {"wall": time.monotonic, "processor": time.process_time}
"""On a machine that has other things to do, seconds of the processor are what a quiet one's would be."""


class Task(NamedTuple):
    """One game to sample from."""

    index: int
    players: int
    seed: int
    bot: str
    source: str
    think: float | None
    """Seconds that the bot has for a move; None for as long as suits it."""
    source_think: float | None
    """Seconds that the players of the game have for one; None for as long as suits them."""
    solver: float
    solutions: Path
    """The file of what was solved."""
    clock: str
    """What seconds are counted by, of `CLOCKS`."""


Row = dict[str, Any]


def main() -> None:
    """Sample, solve, ask, and print a table."""
    options = read_options()
    file = Path(options.results)
    file.parent.mkdir(parents=True, exist_ok=True)
    games = read_games(file, describe(options))
    rows = [row for game in games.values() for row in game]
    if len(rows) < options.positions:
        with file.open("a", encoding="utf-8") as out:
            for index, found in spread(sample_game, tasks(options, games), options.processes):
                rows += found
                line = {"options": describe(options), "game": index, "rows": found}
                print(json.dumps(line), file=out, flush=True)
                print(f"{len(rows)} of {options.positions} positions", end="\r", flush=True)
                if len(rows) >= options.positions:
                    break
    report(rows[: options.positions])


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--positions", type=int, default=500)
    parser.add_argument("--bot", default="grandmaster", help="whose moves are looked at")
    parser.add_argument("--from", dest="source", default="master", help="who plays the games")
    parser.add_argument("--players", default="2,3,4")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--think", type=float, default=None, help="seconds a move for the bot; else as it suits")
    parser.add_argument("--from-think", type=float, default=None, help="seconds a move in the games; else as it suits")
    parser.add_argument("--solver", type=float, default=60.0, help="seconds to solve a position")
    parser.add_argument("--clock", choices=list(CLOCKS), default="wall", help="what the seconds are counted by")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--results", default=Path(__file__).resolve().parents[1] / ".cache" / "endgames.jsonl")
    return parser.parse_args()


def describe(options: argparse.Namespace) -> Row:
    """What the results depend on."""
    names = ("bot", "source", "players", "seed", "think", "from_think", "solver", "clock")
    return {name: getattr(options, name) for name in names}


def read_games(file: Path, described: Row) -> dict[int, list[Row]]:
    """The games of earlier runs with the same options; a line that was cut off is left out."""
    games: dict[int, list[Row]] = {}
    for line in file.read_text("utf-8").splitlines() if file.exists() else ():
        try:
            game = json.loads(line)
        except ValueError:
            continue
        if game["options"] == described:
            games[game["game"]] = game["rows"]
    return games


def tasks(options: argparse.Namespace, done: dict[int, list[Row]]) -> Iterator[Task]:
    """Games without end, their numbers of players in turn."""
    players = [int(each) for each in options.players.split(",")]
    index = 0
    while True:
        if index not in done:
            yield Task(
                index,
                players[index % len(players)],
                options.seed,
                options.bot,
                options.source,
                options.think,
                options.from_think,
                options.solver,
                Path(options.results).with_suffix(".solved.jsonl"),
                options.clock,
            )
        index += 1


# ---- one game


def sample_game(task: Task) -> tuple[int, list[Row]]:
    """Play a game, choose a few of its last decisions, and look at each."""
    prepare()
    player = embertown.bot(task.source)
    state = embertown.load("cronberg", players=task.players).start(seed=f"{task.seed} {task.index}")
    views = []
    while not state.is_over:
        view = state.view(state.seat)
        if len(view.legal_actions) > 1 and rhombi_to_come(view) <= MOST_RHOMBI:
            views.append(view)
        choice = player.choose(view, seconds=task.source_think, seed=len(state.log) + 1000 * task.index)
        state.play(choice.action)
    chance = SeededChance(f"{task.seed} {task.index}")
    chosen = []
    for number in range(min(PER_GAME, len(views))):
        chosen.append(views.pop(chance.pick(f"position {number}", [1] * len(views))))
    return task.index, [look_at(view, task) for view in chosen]


def look_at(view: Any, task: Task) -> Row:
    """Solve a position and judge the bot's move."""
    text = view.position_text()
    solved = read_solution(task, text) or solve_and_keep(view, task)
    row = {"players": task.players, "rhombi": rhombi_to_come(view), "position": text, "solved": bool(solved["values"])}
    row["seconds"] = solved["seconds"]
    if not solved["values"]:
        return row
    clock = CLOCKS[task.clock]
    began = clock()
    choice = LevelBot(task.bot, clock).choose(view, seconds=task.think, seed=task.index)
    spent = clock() - began
    move = view.text(choice.action)
    value = solved["values"].get(move) if move in solved["values"] else value_of(view, choice.action, task)
    right, best = next(iter(solved["values"].items()))
    return row | {
        "positions": solved["positions"],
        "best": best,
        "right": right,
        "move": move,
        "loss": None if value is None else best - value,
        "exact": choice.reasons.exact,
        "looked_at": choice.reasons.simulations,
        "thought": spent,
    }


def read_solution(task: Task, position: str) -> Row | None:
    """What an earlier run found of a position."""
    for line in task.solutions.read_text("utf-8").splitlines() if task.solutions.exists() else ():
        solved: Row = json.loads(line)
        if (solved["position"], solved["solver"]) == (position, task.solver):
            return solved
    return None


def solve_and_keep(view: Any, task: Task) -> Row:
    """The exact shares of the moves that were solved, the best first; none where it did not end in time."""
    clock = CLOCKS[task.clock]
    began = clock()
    solution = solve(view, seconds=task.solver, clock=clock)
    considered = solution.considered if solution else ()
    solved = {
        "position": view.position_text(),
        "solver": task.solver,
        "seconds": clock() - began,
        "positions": solution.positions if solution else None,
        "values": {view.text(each.action): each.win_share[view.seat] for each in considered},
    }
    with task.solutions.open("a", encoding="utf-8") as out:
        print(json.dumps(solved), file=out, flush=True)
    return solved


def value_of(view: Any, action: int, task: Task) -> float | None:
    """The exact share of the win after an action that the way to the best left out."""
    alone = solve(view, seconds=task.solver, among=[action], clock=CLOCKS[task.clock])
    return None if alone is None else alone.win_share[view.seat]


# ---- the table


def report(rows: list[Row]) -> None:
    """Counts by players and rhombi, then the worst moves."""
    print(
        f"{'players':>7} {'rhombi':>6} {'sampled':>7} {'solved':>6} {'in 2 s':>6} {'median s':>8} {'90 % s':>7}",
        end=" ",
    )
    print(f"{'99 % s':>7} {'right':>7} {'exact':>6}")
    groups = sorted({(row["players"], row["rhombi"]) for row in rows})
    for players, rhombi in groups:
        line(str(players), str(rhombi), [r for r in rows if (r["players"], r["rhombi"]) == (players, rhombi)])
    line("all", "", rows)
    judged = [row for row in rows if row["solved"]]
    right = sum(is_right(row) for row in judged)
    if judged:
        verdict = "reached" if right >= BAR * len(judged) else "MISSED"
        share = f"{right} of {len(judged)}, {right / len(judged):.1%}"
        print(f"within {NEAR} of the best: {share} (bar: {BAR:.0%}; {verdict})")
    unknown = [row for row in judged if row["loss"] is None]
    print(f"moves whose own value was not solved in time, counted as wrong: {len(unknown)}")
    thoughts = [row["thought"] for row in judged]
    if thoughts:
        print(f"seconds a thought: {sum(thoughts) / len(thoughts):.2f} in the mean, {max(thoughts):.2f} at most")
    for row in sorted((row for row in judged if row["loss"]), key=lambda row: -row["loss"])[:WORST]:
        print(f"  lost {row['loss']:.3f} with {row['move']!r}, right was {row['right']!r}: {row['position']}")


def line(players: str, rhombi: str, rows: list[Row]) -> None:
    judged = [row for row in rows if row["solved"]]
    quick = sum(row["seconds"] <= QUICK for row in judged)
    times = sorted(row["seconds"] for row in rows)
    middle, most, nearly_all = (times[min(len(times) - 1, int(len(times) * share))] for share in (0.5, 0.9, 0.99))
    right = sum(is_right(row) for row in judged) / max(1, len(judged))
    exact = sum(row["exact"] for row in judged)
    print(f"{players:>7} {rhombi:>6} {len(rows):7} {len(judged):6} {quick:6} {middle:8.3f} {most:7.2f}", end=" ")
    print(f"{nearly_all:7.2f} {right:7.1%} {exact:6}")


def is_right(row: Row) -> bool:
    return row["loss"] is not None and row["loss"] <= NEAR


if __name__ == "__main__":
    main()
