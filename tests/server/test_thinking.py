"""Bots in processes that crash, hang, are killed, forgotten and stopped; nothing here is a mock."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Coroutine
from itertools import product
from pathlib import Path
from typing import Any, TypeVar

import pytest

from embertown.bots import bot
from embertown.core.errors import BadArgument, BotFault, UnknownBot
from embertown.core.game import State
from embertown.games import load
from embertown.server.errors import Refused
from embertown.server.thinking import TRIES, Answer, Progress, Thinkers
from tests.conftest import JIT_OFF
from tests.installing import install

pytestmark = pytest.mark.skipif(os.name != "posix", reason="sends signals to processes")

ROOT = Path(__file__).parents[2]
PATIENCE = 300.0
"""Seconds until something that never comes fails a test."""
T = TypeVar("T")

ODD_BOTS = """
    import os, subprocess, sys, time
    from pathlib import Path

    from embertown.bots import Choice, Reasons

    FOLDER = Path(__file__).parent


    def note(file, text):
        with (FOLDER / file).open("a") as notes:
            notes.write(f"{text}\\n")


    def first_time(name):
        flag = FOLDER / name
        new = not flag.exists()
        flag.touch()
        return new


    class Bot:
        name = "odd"

        def choose(self, view, *, seconds=None, simulations=None, seed=0):
            note("asked", f"{self.name} {seed} {os.getpid()}")
            self.think(seed)
            actions = view.legal_actions
            return Choice(actions[seed % len(actions)], Reasons(because=f"seed {seed}, process {os.getpid()}"))

        def think(self, seed):
            pass


    class Plain(Bot):
        name = "plain"


    class Waiting(Bot):
        name = "waiting"

        def think(self, seed):
            while not (FOLDER / f"go {seed}").exists():
                time.sleep(0.005)


    class CrashesOnce(Bot):
        name = "crashes-once"

        def think(self, seed):
            if first_time("crashed"):
                os._exit(3)


    class Crashes(Bot):
        name = "crashes"

        def think(self, seed):
            os._exit(3)


    class HangsOnce(Bot):
        name = "hangs-once"

        def think(self, seed):
            while first_time("hung") or (FOLDER / "hanging").exists():
                (FOLDER / "hanging").touch()
                if not first_time("hung twice"):
                    (FOLDER / "hanging").unlink()
                    return
                time.sleep(600)


    class Parent(Bot):
        name = "parent"

        def think(self, seed):
            child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
            note("children", child.pid)
            time.sleep(600)


    class Talks(Bot):
        name = "talks"

        def think(self, seed):
            print("hello", flush=True)
            sys.stdout.write("hello")
            os.write(1, b"hello")
            try:
                input()
            except EOFError:
                pass


    class Fails(Bot):
        name = "fails"

        def think(self, seed):
            class Strange(Exception):
                pass
            raise Strange("I don't know")


    class Quits(Bot):
        name = "quits"

        def think(self, seed):
            raise SystemExit(5)


    class Cheats(Bot):
        name = "cheats"

        def choose(self, view, **how):
            return Choice(10**9)


    class Bare(Bot):
        name = "bare"

        def choose(self, view, **how):
            return view.legal_actions[0]
"""
NAMES = {
    "plain": "Plain",
    "waiting": "Waiting",
    "crashes-once": "CrashesOnce",
    "crashes": "Crashes",
    "hangs-once": "HangsOnce",
    "parent": "Parent",
    "talks": "Talks",
    "fails": "Fails",
    "quits": "Quits",
    "cheats": "Cheats",
    "bare": "Bare",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the odd bots are installed, and leave their notes."""
    install(tmp_path, "odd-bots", ODD_BOTS, {name: f"odd_bots:{attribute}" for name, attribute in NAMES.items()})
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def asked(folder: Path) -> list[list[str]]:
    """What the odd bots were asked, in order: their name, the seed and their process."""
    notes = folder / "asked"
    return [line.split() for line in notes.read_text().splitlines()] if notes.exists() else []


def position(game: str = "cronberg") -> State[Any]:
    return load(game, 2).start(seed=3, first=0)


def process_of(answer: Answer) -> int:
    assert answer.because is not None
    return int(answer.because.split()[-1])


def lives(process: int) -> bool:
    """Whether a process is there, and is more than an entry that its parent has not read yet."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{process}/stat")
    return not status.exists() or status.read_text().rpartition(")")[2].split()[0] != "Z"


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.005)


def run(work: Callable[[Thinkers], Coroutine[Any, Any, T]], processes: int = 1, **settings: Any) -> T:
    """Start thinkers, have some work done with them, stop them, and see that nothing is left."""

    async def all_of_it() -> T:
        thinkers = Thinkers(processes, **{"games": (), **settings})
        await thinkers.start()
        try:
            result = await within(work(thinkers))
            left = thinkers.processes
        finally:
            await within(thinkers.stop())
        assert thinkers.processes == ()
        assert thinkers.under_way == thinkers.waiting == 0
        await until(lambda: not any(map(lives, left)))
        return result

    return asyncio.run(all_of_it(), debug=False)


async def within(work: Awaitable[T]) -> T:
    async with asyncio.timeout(PATIENCE):
        return await work


# ---- answers


def test_games_go_as_they_would_with_the_bots_in_this_process() -> None:
    async def work(thinkers: Thinkers) -> None:
        for game, name in product(("cronberg", "drunter"), ("random", "greedy")):
            await compare_game(thinkers, game, name)
        assert thinkers.counts.asked == thinkers.counts.answered > 0
        assert thinkers.counts.thought > 0

    run(work)


async def compare_game(thinkers: Thinkers, game: str, name: str) -> None:
    state, here, moves = position(game), bot(name), 0
    while state.seat is not None and moves < (3 if JIT_OFF else 1000):
        view = state.view(state.seat)
        answer = await thinkers.choose(view, name, seed=moves)
        choice = here.choose(view, seed=moves)
        assert answer.action == state.text(choice.action)
        assert answer.because == (choice.reasons.because or None)
        state.play(answer.action)
        moves += 1


@pytest.mark.skipif(JIT_OFF, reason="a level needs compiled kernels")
def test_a_level_tells_what_it_expects() -> None:
    async def work(thinkers: Thinkers) -> Answer:
        return await thinkers.choose(position().view(0), "apprentice", seed=5)

    answer = run(work, games=("cronberg",), bots=("apprentice",))
    choice = bot("apprentice").choose(position().view(0), seed=5)
    assert answer.action == position().text(choice.action)
    assert (answer.simulations, answer.exact) == (choice.reasons.simulations, False)
    assert answer.win_share == pytest.approx(choice.reasons.win_share)
    assert answer.points == pytest.approx(choice.reasons.points)
    assert sum(answer.win_share) == pytest.approx(1)


WARM = """
import gc, pickle
from numba.core.dispatcher import Dispatcher
from embertown.bots import bot
from embertown.games import load
from embertown.server.thinking import ADVISER, HintQuestion, Question, Warming

def kernels():
    found = [kernel for kernel in gc.get_objects() if isinstance(kernel, Dispatcher)]
    return {(kernel.py_func.__name__, types) for kernel in found for types in kernel.overloads}

def game(name, players):
    state = load(name, players).start(seed=5)
    while state.seat is not None:
        view = state.view(state.seat)
        state.play(bot("random").choose(view, seed=len(state.log)).action)
        yield view

names = ("greedy", "apprentice")
for name in names:
    Warming("cronberg", name).carried_out()
for name in ("cronberg", "drunter"):
    Warming(name, ADVISER).carried_out()
views, others = ([view for players in (2, 3, 4) for view in game(name, players)] for name in ("cronberg", "drunter"))
warm = kernels()
for view in views[::7]:
    for name in names:
        pickle.loads(pickle.dumps(Question(view, name, 1))).carried_out()
for view in (*views[::7], *others[::7]):
    pickle.loads(pickle.dumps(HintQuestion(view))).carried_out()
print(len(warm) > 10, sorted(name for name, _ in kernels() - warm))
"""


@pytest.mark.skipif(JIT_OFF, reason="nothing is compiled")
def test_what_is_warm_needs_no_more_kernels_for_any_question() -> None:
    """Also not for arrays that came out of a pickle, which are of another type to the compiler."""
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    command = [sys.executable, "-c", WARM]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (done.stdout, done.stderr) == ("True []\n", "")


def test_warming_up_is_told_and_begins_with_one_process() -> None:
    told: list[tuple[Progress, int]] = []

    async def work() -> None:
        thinkers = Thinkers(2, games=("cronberg", "drunter"), bots=("random", "no-such-bot"))
        await thinkers.start(lambda progress: told.append((progress, len(thinkers.processes))))
        try:
            assert len(set(thinkers.processes)) == 2
        finally:
            await thinkers.stop()

    asyncio.run(within(work()))
    assert [(progress.done, progress.total) for progress, _ in told] == [(done, 8) for done in range(1, 9)]
    assert [living for _, living in told] == [1] * 4 + [2] * 4
    assert told[0][0].what == "cronberg: random"


@pytest.mark.parametrize("loop", ["asyncio", "uvloop"])
def test_the_loop_is_free_while_bots_think(loop: str, folder: Path) -> None:
    """The bot waits for what the loop does while it thinks; so it is with both kinds of loops."""

    async def work() -> None:
        thinkers = Thinkers(1, games=())
        await thinkers.start()
        thinking = asyncio.create_task(thinkers.choose(position().view(0), "waiting", seed=1))
        await until(lambda: len(asked(folder)) == 1)
        assert (thinkers.under_way, thinkers.waiting) == (1, 0)
        (folder / "go 1").touch()
        assert (await within(thinking)).action == position().text(position().legal_actions[1])
        again = await within(thinkers.choose(position().view(0), "crashes-once", seed=2))
        assert again.action == position().text(position().legal_actions[2])
        await thinkers.stop()
        assert thinkers.processes == ()

    factory = getattr(pytest.importorskip(loop), "new_event_loop")  # noqa: B009
    with asyncio.Runner(loop_factory=factory) as runner:
        runner.run(work())


def test_first_come_first_served(folder: Path) -> None:
    async def work(thinkers: Thinkers) -> None:
        view = position().view(0)
        first = asyncio.create_task(thinkers.choose(view, "waiting", seed=9))
        await until(lambda: len(asked(folder)) == 1)
        others = [asyncio.create_task(thinkers.choose(view, "plain", seed=seed)) for seed in (5, 2, 7, 1)]
        await until(lambda: thinkers.waiting == 4)
        (folder / "go 9").touch()
        answers = await asyncio.gather(first, *others)
        legal = position().legal_actions
        assert [answer.action for answer in answers] == [position().text(legal[seed]) for seed in (9, 5, 2, 7, 1)]
        assert [seed for _, seed, _ in asked(folder)] == ["9", "5", "2", "7", "1"]
        assert thinkers.counts.waited > 0

    run(work)


def test_what_bots_print_and_ask_does_not_reach_the_pipes(folder: Path) -> None:
    async def work(thinkers: Thinkers) -> None:
        view = position().view(0)
        answers = [await thinkers.choose(view, "talks", seed=seed) for seed in range(3)]
        assert {process_of(answer) for answer in answers} == set(thinkers.processes)
        assert thinkers.counts.died == 0

    run(work)
    assert len(asked(folder)) == 3


# ---- errors


FAULTS = {
    "fails": "failed: Strange: I don't know",
    "quits": "failed: SystemExit: 5",
    "cheats": "chose action 1000000000, which is against the rules",
    "bare": "failed: AttributeError",
    "crashes": f"made its process die (exit code 3), perhaps for want of memory; it was asked {TRIES} times",
}


def test_a_bot_at_fault_is_told_and_nobody_else_suffers(folder: Path) -> None:
    async def work(thinkers: Thinkers) -> None:
        view = position("drunter").view(0)
        for name, said in FAULTS.items():
            with pytest.raises(BotFault) as caught:
                await thinkers.choose(view, name, seed=2)
            assert (caught.value.contestant, caught.value.seat, caught.value.seed) == (name, 0, 2)
            assert said in caught.value.what
            assert caught.value.position == view.position_text()
            assert (await thinkers.choose(view, "plain", seed=0)).action == view.text(view.legal_actions[0])
        assert (thinkers.counts.failed, thinkers.counts.answered) == (len(FAULTS), len(FAULTS))
        assert thinkers.counts.died == TRIES

    run(work)
    assert len({process for name, _, process in asked(folder) if name != "crashes"}) == 2


def test_a_wrong_question_is_told() -> None:
    async def work(thinkers: Thinkers) -> None:
        with pytest.raises(UnknownBot, match=r"no bot is called 'nobody'; there is: random, greedy"):
            await thinkers.choose(position().view(0), "nobody", seed=1)
        for seat in (1, None):  # not their turn
            with pytest.raises(BadArgument, match=rf"seat {seat} is not waited for; right would be: one of \[0\]"):
                await thinkers.choose(position().view(seat), "random", seed=1)
        assert thinkers.counts.died == 0

    run(work)


def test_bots_that_are_not_at_work_are_refused() -> None:
    async def work() -> None:
        thinkers = Thinkers(1, games=())
        for _ in range(2):
            with pytest.raises(Refused) as caught:
                await thinkers.choose(position().view(0), "random", seed=1)
            assert caught.value.status == 503
            assert len({caught.value.sentence(language) for language in ("en", "de", "fr")}) == 3
            await thinkers.start()
            await thinkers.stop()

    asyncio.run(work())
    with pytest.raises(BadArgument, match="processes is 0"):
        Thinkers(0)


# ---- processes that are lost


def test_a_crashed_process_is_replaced_and_others_go_on(folder: Path) -> None:
    async def work(thinkers: Thinkers) -> None:
        view = position().view(0)
        other = asyncio.create_task(thinkers.choose(view, "waiting", seed=1))
        await until(lambda: len(asked(folder)) == 1)
        answer = await thinkers.choose(view, "crashes-once", seed=2)
        (folder / "go 1").touch()
        (_, _, beside), (_, _, crashed), (_, _, replacement) = asked(folder)
        assert process_of(await other) == int(beside)
        assert process_of(answer) == int(replacement)
        assert len({beside, crashed, replacement}) == 3
        assert set(thinkers.processes) == {int(beside), int(replacement)}
        assert (thinkers.counts.died, thinkers.counts.answered) == (1, 2)

    run(work, processes=2)


@pytest.mark.parametrize("busy", [True, False])
def test_a_killed_process_is_replaced(busy: bool, folder: Path) -> None:
    async def work(thinkers: Thinkers) -> None:
        view = position().view(0)
        process = process_of(await thinkers.choose(view, "plain", seed=0))
        thinking = asyncio.create_task(thinkers.choose(view, "waiting", seed=1)) if busy else None
        await until(lambda: not busy or len(asked(folder)) == 2)
        os.kill(process, signal.SIGKILL)
        (folder / "go 1").touch()
        await until(lambda: not lives(process))
        answer = await (thinking or thinkers.choose(view, "waiting", seed=1))
        assert answer.action == position().text(position().legal_actions[1])
        assert process_of(answer) != process
        assert len(asked(folder)) == 2 + busy

    run(work)


def test_a_hanging_process_is_ended_and_replaced(folder: Path) -> None:
    async def work(thinkers: Thinkers) -> None:
        answer = await thinkers.choose(position().view(0), "hangs-once", seed=1)
        (_, _, hung), (_, _, replacement) = asked(folder)
        assert process_of(answer) == int(replacement)
        assert not lives(int(hung))
        assert (thinkers.counts.hung, thinkers.counts.died) == (1, 0)

    run(work, grace=3.0)


def test_signals_of_a_terminal_end_no_process() -> None:
    async def work(thinkers: Thinkers) -> None:
        view = position().view(0)
        await thinkers.choose(view, "random", seed=0)
        (process,) = thinkers.processes
        assert os.getpgid(process) != os.getpgrp()
        os.kill(process, signal.SIGINT)
        os.kill(process, signal.SIGTERM)
        await thinkers.choose(view, "random", seed=1)
        assert thinkers.processes == (process,)

    run(work)


# ---- questions that nobody wants any more


def test_an_answer_that_nobody_wants_is_not_given_to_others(folder: Path) -> None:
    async def work(thinkers: Thinkers) -> None:
        view = position().view(0)
        under_way = asyncio.create_task(thinkers.choose(view, "waiting", seed=1))
        await until(lambda: len(asked(folder)) == 1)
        queued = asyncio.create_task(thinkers.choose(view, "plain", seed=2))
        wanted = asyncio.create_task(thinkers.choose(view, "plain", seed=3))
        await until(lambda: thinkers.waiting == 2)
        for unwanted in (under_way, queued):
            unwanted.cancel()
            with pytest.raises(asyncio.CancelledError):
                await unwanted
        assert thinkers.under_way == 1
        (folder / "go 1").touch()
        assert (await wanted).action == position().text(position().legal_actions[3])
        assert [seed for _, seed, _ in asked(folder)] == ["1", "3"]
        assert (thinkers.counts.unwanted, thinkers.counts.answered, thinkers.counts.died) == (2, 1, 0)

    run(work)


# ---- stopping


def test_a_stop_cancels_what_is_under_way_and_leaves_no_process(folder: Path) -> None:
    """Not even those that a bot has started."""

    async def work(thinkers: Thinkers) -> None:
        view = position().view(0)
        questions = [asyncio.create_task(thinkers.choose(view, "parent", seed=seed)) for seed in range(3)]
        children = folder / "children"
        await until(lambda: children.exists() and len(children.read_text().splitlines()) == 2)
        processes = [*map(int, children.read_text().split()), *thinkers.processes]
        await thinkers.stop()
        results = await asyncio.gather(*questions, return_exceptions=True)
        assert [type(result) for result in results] == [asyncio.CancelledError] * 3
        await until(lambda: not any(map(lives, processes)))

    run(work, processes=2)


def test_a_stop_while_starting_leaves_no_process() -> None:
    async def work() -> None:
        thinkers = Thinkers(2, games=("cronberg",), bots=("random",) * 50)
        starting = asyncio.create_task(thinkers.start())
        await until(lambda: len(thinkers.processes) == 1)
        (process,) = thinkers.processes
        early = asyncio.create_task(thinkers.choose(position().view(0), "random", seed=0))
        await until(lambda: thinkers.waiting == 1)
        await within(thinkers.stop())
        for task in (starting, early):
            with pytest.raises(asyncio.CancelledError):
                await within(task)
        assert thinkers.processes == ()
        await until(lambda: not lives(process))

    asyncio.run(work())


SERVER = """
import asyncio, sys
from embertown.games import load
from embertown.server.thinking import Thinkers

async def main():
    thinkers = Thinkers(2, games=())
    await thinkers.start()
    view = load("cronberg", 2).start(seed=3, first=0).view(0)
    asyncio.create_task(thinkers.choose(view, "waiting", seed=1))
    await thinkers.choose(view, "plain", seed=2)
    print(*thinkers.processes, flush=True)
    await asyncio.sleep(600)

asyncio.run(main())
"""


def test_a_server_that_is_killed_takes_its_processes_with_it(folder: Path) -> None:
    """A busy one and an idle one."""
    script = folder / "server.py"
    script.write_text(SERVER, encoding="utf-8")
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(folder)])}
    with subprocess.Popen([sys.executable, script], env=env, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        processes = [int(word) for word in server.stdout.readline().split()]
        assert len(processes) == 2
        assert all(map(lives, processes))
        server.kill()
    end = time.monotonic() + PATIENCE
    while any(map(lives, processes)):
        assert time.monotonic() < end, "they live on"
        time.sleep(0.01)
