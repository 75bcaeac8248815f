"""Bots think in processes of their own, never in the event loop.

Each process has one asyncio task that asks it one question at a time over its pipes; what waits is served first come,
first served. A process that dies or does not answer is replaced and the question asked again; nobody else notices.
`Thinkers` is all that the rest of the server sees: a cluster fits behind the same few methods.
"""

from __future__ import annotations

import asyncio
import logging
import os
import pickle
import queue
import signal
import struct
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, BinaryIO, NamedTuple, Protocol, TypeAlias, TypeVar

from embertown.bots import bot as bot_by_name
from embertown.bots.contract import Bot, Choice
from embertown.bots.levels import level_names
from embertown.bots.network import Adviser
from embertown.bots.network_bot import NetworkBot, hint
from embertown.bots.registry import BUILT_IN
from embertown.core.errors import BadArgument, BotFault, EmbertownError, shorten, shown
from embertown.core.game import State, View
from embertown.core.jit import JIT_OFF
from embertown.core.pool import ONE_CORE_EACH, cores
from embertown.games.registry import GAMES, load
from embertown.server.errors import Refused

log = logging.getLogger(__name__)

TRIES = 3
"""How often a question is asked whose process dies."""
GRACE = 20.0
"""Seconds beyond a bot's own until a process counts as hanging: machines are busy at times."""
WARMING_LIMIT = 600.0
"""Seconds for a bot's first thoughts about a game: they may compile kernels."""
WARM_UP: dict[str, Any] = {"simulations": 16}
"""The budget of a move that only warms up: no seconds, which on a busy machine may pass before a kernel is called."""
ENDING = 1.0
"""Seconds for processes to end by themselves."""
LINGER = 0.5
"""Seconds that a process goes on thinking when its server is gone."""
NICENESS = 10
"""Processes that think give way to the one that serves."""
LONGEST_REASON = 200
MICROSECONDS = 6
"""Digits of seconds that are kept."""
SIMPLEST = "random"
"""A bot that needs the rules' kernels and no others."""
ADVISER = NetworkBot.name
"""Who is asked for hints, at some games with a search: what they need is warm from the beginning, as somebody waits."""
HELD_BACK = "held back"
"""What is told of a table's shuffle in errors: its seed is secret."""

T = TypeVar("T")

_LENGTH = struct.Struct("!I")
"""Before every message: its bytes."""
_PROGRAM = "import sys; sys.path[:] = {path!r}; from embertown.server.thinking import work; work()"


class Answer(NamedTuple):
    """What a bot does, as text, and why in short. The reasons go by what its seat knows: they are its secret."""

    action: str
    because: str | None
    """For bots that do not search: what decided, in a few words."""
    thought: float
    """Seconds."""
    simulations: int = 0
    exact: bool = False
    """Whether the figures are solved, not estimated."""
    win_share: tuple[float, ...] = ()
    """By seat: the share of the win that it expects."""
    points: tuple[float, ...] = ()
    """By seat: the points that it expects at the end."""


class Advice(NamedTuple):
    """The best few actions, as text, for somebody who asks. It goes by what the seat knows: it is its secret."""

    best: tuple[tuple[str, float], ...]
    """The best first, with their shares."""
    win_share: float | None
    """The share of the win that the seat may expect, where anything is known of it."""
    by: Adviser
    """Who says so."""
    thought: float
    """Seconds."""


class Progress(NamedTuple):
    """How far the warming up is."""

    done: int
    total: int
    what: str
    """What was warmed up last: `cronberg: master`."""


OnProgress: TypeAlias = Callable[[Progress], None]


class Request(Protocol):
    """What a process is asked for; it travels pickled."""

    def carried_out(self) -> Any:
        """What comes of it, in the process that thinks."""


# ---- in the process that thinks


class Warming(NamedTuple):
    """Let a bot play a quick game in which nothing counts: its first moves load kernels, or compile them."""

    game: str
    bot: str

    def carried_out(self) -> None:
        """Play it; what the bot does wrong is seen where it counts."""
        with suppress(Exception, SystemExit):
            # as questions come: kernels are compiled anew for arrays that can be written to, and pickled ones can
            state: State[Any] = _unpacked(pickle.dumps(load(self.game).start(seed=0)))
            while state.seat is not None and not JIT_OFF:
                state.play(self._move(state.view(state.seat)))

    def _move(self, view: View[Any]) -> int:
        """What the bot does; of the one who gives hints, what they find best: at some games they need a search, too."""
        if self.bot == ADVISER:
            return hint(view, **WARM_UP).best[0][0]
        return _bot(self.bot).choose(view, **WARM_UP).action


def _waited_for(view: View[Any]) -> int:
    """The seat that a view is of, which has to have something to decide."""
    if view.viewer is None or view.viewer not in view.waiting:
        raise BadArgument(f"seat {view.viewer} is not waited for; right would be: one of {list(view.waiting)}")
    return view.viewer


class Question(NamedTuple):
    """What would this bot do here?"""

    view: View[Any]
    bot: str
    seed: int
    seconds: float | None = None

    def carried_out(self) -> Answer:
        """The bot's answer; whatever it does wrong is told as its fault."""
        legal = self.view.legal_actions_of(_waited_for(self.view))
        player = _bot(self.bot)
        started = time.perf_counter()
        try:
            choice = player.choose(self.view, seconds=self.seconds, seed=self.seed)
            thought = time.perf_counter() - started
            if choice.action not in legal:
                raise self.fault(f"chose action {shown(choice.action)}, which is against the rules")
            return self._told(choice, thought)
        except BotFault:
            raise
        except (Exception, SystemExit) as error:
            what = f"failed: {type(error).__name__}: {shorten(str(error), LONGEST_REASON)}"
            raise self.fault(what) from None

    def _told(self, choice: Choice, thought: float) -> Answer:
        why = choice.reasons
        action, because = self.view.text(int(choice.action)), shorten(str(why.because), LONGEST_REASON) or None
        shares, points = tuple(map(float, why.win_share)), tuple(map(float, why.points))
        return Answer(
            action, because, round(thought, MICROSECONDS), int(why.simulations), bool(why.exact), shares, points
        )

    def fault(self, what: str) -> BotFault:
        """What the bot did, and where."""
        return BotFault(self.bot, self.view.viewer or 0, what, self.view.position_text(), HELD_BACK, self.seed)


class HintQuestion(NamedTuple):
    """What are the best few actions here?"""

    view: View[Any]

    @property
    def bot(self) -> str:
        """Who is asked."""
        return ADVISER

    @property
    def seconds(self) -> float | None:
        """It takes as long as it takes: next to nothing, or a short search's simulations."""
        return None

    def carried_out(self) -> Advice:
        """What the network, a search or both of them say."""
        _waited_for(self.view)
        started = time.perf_counter()
        found = hint(self.view)
        thought = round(time.perf_counter() - started, MICROSECONDS)
        best = tuple((self.view.text(int(action)), float(share)) for action, share in found.best)
        return Advice(best, found.win_share, found.by, thought)

    def fault(self, what: str) -> BotFault:
        """What went wrong, and where."""
        return BotFault(self.bot, self.view.viewer or 0, what, self.view.position_text(), HELD_BACK, 0)


@lru_cache(maxsize=32)
def _bot(name: str) -> Bot:
    """A bot, made once: some have much to load. What it keeps between moves must not change its choices."""
    return bot_by_name(name)


def work() -> None:
    """Answer what comes in by standard input on standard output, until there is no more; what a new process runs.

    Other people's bots may print, ask and be interrupted: none of that reaches the pipes or ends the process.
    """
    incoming, outgoing = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    _stand_alone()
    waiting: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(incoming, waiting), daemon=True).start()
    while (message := waiting.get()) is not None:
        reply = _framed(_reply(_unpacked(message)))
        try:
            outgoing.write(reply)
            outgoing.flush()
        except BrokenPipeError:  # the server is gone, and nobody is there to be told
            os._exit(1)


def _stand_alone() -> None:
    """The server alone decides when a process ends; what bots print goes where errors go, what they ask for is empty.

    A function that does nothing, instead of ignoring: processes that a bot starts shall be ended as usual.
    """
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    signal.signal(signal.SIGINT, lambda *_: None)
    signal.signal(signal.SIGTERM, lambda *_: None)
    if hasattr(os, "nice"):  # not on Windows
        os.nice(NICENESS)


def _listen(incoming: BinaryIO, waiting: queue.SimpleQueue[bytes | None]) -> None:
    """Pass on what comes in. A server that is gone, however it went, takes its processes with it, also busy ones."""
    while length := incoming.read(_LENGTH.size):
        waiting.put(incoming.read(*_LENGTH.unpack(length)))
    waiting.put(None)
    time.sleep(LINGER)
    os._exit(1)


def _reply(request: Request) -> tuple[Any, Exception | None]:
    """The result or the error; errors of ours travel as they are, others as text, as their classes may be unknown."""
    try:
        return request.carried_out(), None
    except EmbertownError as error:
        return None, error
    except Exception as error:
        return None, RuntimeError(f"a process that thinks failed: {type(error).__name__}: {error}")


def _framed(message: object) -> bytes:
    data = pickle.dumps(message)
    return _LENGTH.pack(len(data)) + data


def _unpacked(data: bytes) -> Any:
    """A message of this program's own: nobody else has hold of the pipes."""
    return pickle.loads(data)


# ---- in the server


@dataclass(slots=True)
class Counts:
    """What has happened so far, for metrics."""

    asked: int = 0
    answered: int = 0
    failed: int = 0
    """Questions that ended in an error."""
    unwanted: int = 0
    """Questions that nobody waited for any more."""
    died: int = 0
    """Processes that died."""
    hung: int = 0
    """Processes that were ended, as they did not answer in time."""
    thought: float = 0.0
    """Seconds that bots took for their answers."""
    waited: float = 0.0
    """Seconds that questions waited for a process."""


class Lost(Exception):
    """A process that died or was ended before it had answered: how."""

    def __init__(self, how: str) -> None:
        super().__init__(how)
        self.how = how


async def tried(attempt: Callable[[], Awaitable[T]]) -> T:
    """What comes of it, by as many processes as it takes, within reason."""
    for _ in range(TRIES - 1):
        try:
            return await attempt()
        except Lost as lost:
            log.warning("a bot %s; it is asked again", lost.how)
    return await attempt()


class Worker:
    """A process that thinks, started anew where it is gone."""

    def __init__(self, counts: Counts) -> None:
        self._counts = counts
        self._process: asyncio.subprocess.Process | None = None
        self._warm: set[Warming] = set()
        """What this process has warmed up."""

    @property
    def pid(self) -> int | None:
        """The process's number; None where there is none."""
        return self._process.pid if self._process and self._process.returncode is None else None

    async def warm_up(self, warming: Warming) -> None:
        """Warm up what this process has not yet."""
        if self.pid is None or warming not in self._warm:
            await self.ask(warming, WARMING_LIMIT)
            self._warm.add(warming)

    async def ask(self, request: Request, limit: float) -> Any:
        """What the process answers within so many seconds; else it is ended and `Lost` says why."""
        process = await self.start()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            async with asyncio.timeout(limit):
                process.stdin.write(_framed(request))
                await process.stdin.drain()
                (length,) = _LENGTH.unpack(await process.stdout.readexactly(_LENGTH.size))
                result, error = _unpacked(await process.stdout.readexactly(length))
        except TimeoutError:
            self._counts.hung += 1
            await self.end(0)
            raise Lost(f"did not answer within {limit:g} s") from None
        except (ConnectionError, asyncio.IncompleteReadError):
            self._counts.died += 1
            code = await self.end()
            raise Lost(f"made its process die (exit code {code}), perhaps for want of memory") from None
        if error is not None:
            raise error
        return result

    async def start(self) -> asyncio.subprocess.Process:
        """The process; one that died meanwhile is replaced. In a session of its own, Ctrl-C does not reach it."""
        if self._process is not None and self._process.returncode is None:
            return self._process
        await self.end(0)
        command = (sys.executable, "-c", _PROGRAM.format(path=sys.path))
        pipe = asyncio.subprocess.PIPE
        try:
            self._process = await asyncio.create_subprocess_exec(
                *command, stdin=pipe, stdout=pipe, start_new_session=True, env={**ONE_CORE_EACH, **os.environ}
            )
        except OSError as error:
            raise Lost(f"could not be given a process ({error})") from None
        return self._process

    async def end(self, patience: float = ENDING) -> int | None:
        """Let the process end by itself for so many seconds; then end it, with all that it started. Its exit code."""
        process, self._process = self._process, None
        self._warm.clear()
        if process is None or process.stdin is None:
            return None
        process.stdin.close()
        try:
            async with asyncio.timeout(patience):
                await process.wait()
        except TimeoutError:
            pass
        finally:
            _kill(process)
        code = await process.wait()
        with suppress(ConnectionError):
            await process.stdin.wait_closed()
        return code


def _kill(process: asyncio.subprocess.Process) -> None:
    with suppress(ProcessLookupError, PermissionError):  # it has ended; macOS says it in the other way
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)  # it leads its own group: what its bot started goes too
        else:
            process.kill()


class Pending(NamedTuple):
    """A question that somebody waits to have answered."""

    question: Question | HintQuestion
    answer: asyncio.Future[Any]
    asked_at: float


class Thinkers:
    """Bots in so many processes; one for each core where it is not said."""

    def __init__(
        self,
        processes: int | None = None,
        *,
        games: Sequence[str] = tuple(GAMES),
        bots: Sequence[str] | None = None,
        grace: float = GRACE,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`bots` are warmed up at `games`: all that come along, where it is not said."""
        processes = cores() if processes is None else processes
        if processes < 1:
            raise BadArgument(f"processes is {processes}; right would be: 1 or more")
        self.counts = Counts()
        self.grace, self._clock = grace, clock
        self._workers = [Worker(self.counts) for _ in range(processes)]
        names = (SIMPLEST, "greedy", *level_names(), ADVISER) if bots is None else bots
        self._warmings = [Warming(game, name) for game in games for name in names]
        self._waiting: asyncio.Queue[Pending] = asyncio.Queue()
        self._under_way: set[asyncio.Future[Any]] = set()
        self._tasks: list[asyncio.Task[None]] = []
        self._open = False

    @property
    def processes(self) -> tuple[int, ...]:
        """The numbers of the processes that live."""
        return tuple(worker.pid for worker in self._workers if worker.pid is not None)

    @property
    def waiting(self) -> int:
        """How many questions wait for a process."""
        return self._waiting.qsize()

    @property
    def under_way(self) -> int:
        """How many questions are not answered yet, those that wait among them."""
        return len(self._under_way)

    async def start(self, on_progress: OnProgress | None = None) -> None:
        """Start the processes and warm up their kernels: first one alone, which compiles them for all others.

        What is asked meanwhile waits.
        """
        self._open = True
        tell = _Teller(len(self._warmings) * len(self._workers), on_progress)
        first, *others = self._workers
        try:
            for workers in ([first], others):
                self._tasks = [asyncio.create_task(self._warm_up(worker, tell)) for worker in workers]
                await asyncio.gather(*self._tasks)
        except BaseException:
            await self.stop()
            raise
        self._tasks = [asyncio.create_task(self._serve(worker)) for worker in self._workers]

    async def _warm_up(self, worker: Worker, tell: _Teller) -> None:
        for warming in self._warmings:
            try:
                await tried(partial(worker.warm_up, warming))
            except Lost as lost:
                raise ChildProcessError(f"warming up, {warming.bot} at {warming.game} {lost.how}") from None
            tell(warming)

    async def choose(self, view: View[Any], bot: str, *, seed: int, seconds: float | None = None) -> Answer:
        """What a bot, by its name, does at the view's seat: for so many seconds, or for as long as suits it.

        An unknown bot, an unusable one and one at fault are errors (`UnknownBot`, `UnusableBot`, `BotFault`). A caller
        who does not want to know any more cancels the call; `stop` cancels all of them.
        """
        answer: Answer = await self._ask(Question(view, bot, seed, seconds))
        return answer

    async def hint(self, view: View[Any]) -> Advice:
        """The best few actions of the view's seat; as with `choose`, a caller may lose interest."""
        advice: Advice = await self._ask(HintQuestion(view))
        return advice

    async def _ask(self, question: Question | HintQuestion) -> Any:
        if not self._open:
            raise Refused("bots_asleep", status=503)
        pending = Pending(question, asyncio.Future(), self._clock())
        self.counts.asked += 1
        self._under_way.add(pending.answer)
        pending.answer.add_done_callback(self._under_way.discard)
        self._waiting.put_nowait(pending)
        return await pending.answer

    async def _serve(self, worker: Worker) -> None:
        """Have one process answer one question after the other."""
        while True:
            pending = await self._waiting.get()
            self.counts.waited += self._clock() - pending.asked_at
            try:
                answer = await self._answered(worker, pending)
            except Exception as error:
                self._settle(pending, error)
            else:
                self._settle(pending, answer)

    async def _answered(self, worker: Worker, pending: Pending) -> Answer | Advice | None:
        """The answer; None where nobody wants it any more."""
        question = pending.question

        async def attempt() -> Answer | Advice | None:
            if pending.answer.done():
                return None
            await worker.warm_up(_warming_for(question))
            answer: Answer | Advice = await worker.ask(question, (question.seconds or 0) + self.grace)
            return answer

        try:
            return await tried(attempt)
        except Lost as lost:
            raise question.fault(f"{lost.how}; it was asked {TRIES} times") from None

    def _settle(self, pending: Pending, result: Answer | Advice | Exception | None) -> None:
        if pending.answer.done() or result is None:
            self.counts.unwanted += 1
        elif isinstance(result, Exception):
            self.counts.failed += 1
            pending.answer.set_exception(result)
        else:
            self.counts.answered += 1
            self.counts.thought += result.thought
            pending.answer.set_result(result)

    async def stop(self) -> None:
        """End all processes within a second or two, and cancel what is under way."""
        self._open = False
        tasks, self._tasks = self._tasks, []
        for task in tasks:
            task.cancel()
        for answer in tuple(self._under_way):
            answer.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.gather(*(worker.end() for worker in self._workers))
        while not self._waiting.empty():
            self._waiting.get_nowait()


def _warming_for(question: Question | HintQuestion) -> Warming:
    """What a process needs first, else it would count as thinking; other people's bots are not asked without need."""
    return Warming(question.view.game.name, question.bot if question.bot in BUILT_IN else SIMPLEST)


class _Teller:
    """Counts what is warm, and says so."""

    def __init__(self, total: int, on_progress: OnProgress | None) -> None:
        self.done, self.total, self.on_progress = 0, total, on_progress

    def __call__(self, warming: Warming) -> None:
        self.done += 1
        if self.on_progress is not None:
            self.on_progress(Progress(self.done, self.total, f"{warming.game}: {warming.bot}"))
