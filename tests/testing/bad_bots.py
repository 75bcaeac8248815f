"""Bots that each break one promise, and keep the others as well as they can."""

# ruff: noqa: ARG002 (what bad bots do depends on very little)

from __future__ import annotations

import gc
import random
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from embertown.bots import Choice, Considered, Reasons
from embertown.bots.budget import Budget
from embertown.core.chance import SeededChance
from embertown.core.errors import UnknownGame
from embertown.core.game import State, View

Clock = Callable[[], float]


class Honest:
    """Keeps every promise: takes an action by lot of the seed, and gives reasons for it."""

    name = "honest"

    def __init__(self, clock: Clock = time.monotonic) -> None:
        self.clock = clock

    def choose(
        self, view: View[Any], *, seconds: float | None = None, simulations: int | None = None, seed: int = 0
    ) -> Choice:
        budget = Budget(seconds, simulations or (None if seconds else 4), self.clock)
        self.think(budget)
        actions = list(view.legal_actions)
        action = actions[SeededChance(seed).pick(f"honest {len(view.log)}", [1] * len(actions))]
        return self.answer(view, action, budget.made)

    def think(self, budget: Budget) -> None:
        while not budget.is_spent():
            budget.spend(budget.next_slice(2))

    def answer(self, view: View[Any], action: int, made: int) -> Choice:
        return Choice(action, self.reasons(view, action, made))

    def reasons(self, view: View[Any], action: int, made: int) -> Reasons:
        players = view.game.players
        considered = Considered(action, made, (1 / players,) * players, (0.0,) * players)
        beliefs = [None if seat == view.seat else {"inn": 0.25, "church": 0.75} for seat in range(players)]
        return Reasons("", (considered,), (view.text(action), "and so on"), made, False, tuple(beliefs))

    def __getstate__(self) -> dict[str, Any]:
        return {}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.clock = time.monotonic


class Answering(Honest):
    """Chooses well and then does something else."""

    def choose(self, view: View[Any], **how: Any) -> Choice:
        return self.instead(super().choose(view, **how), view, how["seed"])

    def instead(self, choice: Choice, view: View[Any], seed: int) -> Choice:
        raise NotImplementedError


def by(number: object, view: View[Any]) -> Choice:
    """A legal action that depends on a number."""
    actions = view.legal_actions
    return Choice(actions[int(number) % len(actions)])  # type: ignore[call-overload]


# ---- actions


class Illegal(Answering):
    def instead(self, choice: Choice, view: View[Any], seed: int) -> Choice:
        if len(view.log) < 12:
            return choice
        return Choice(min(set(range(view.legal_actions[-1] + 2)) - set(view.legal_actions)))


class Wordy(Answering):
    def instead(self, choice: Choice, view: View[Any], seed: int) -> Choice:
        return Choice(view.text(choice.action))  # type: ignore[arg-type]


class Helpless(Answering):
    def instead(self, choice: Choice, view: View[Any], seed: int) -> Choice:
        raise ValueError("I don't know")


class Bare(Answering):
    def instead(self, choice: Choice, view: View[Any], seed: int) -> Choice:
        return choice.action  # type: ignore[return-value]


class Nameless(Honest):
    name = ""


class Mute:
    name = "mute"


# ---- secrets


def secret_of(state: State[Any], view: View[Any]) -> int:
    """A number that nobody at this seat may know: what will be drawn next, or what the others hold and did."""
    if state.game.name == "cronberg":
        return int(state.chance.pick("draw 1", [1] * 997)) if state.chance else 0
    others = [seat for seat in range(state.game.players) if seat != view.viewer]
    return hash(tuple(int(state._position.objectives[seat, 0]) for seat in others))


class LooksAround(Answering):
    """Finds the state in whatever function calls it."""

    def instead(self, choice: Choice, view: View[Any], seed: int) -> Choice:
        frame = sys._getframe()
        while frame.f_back is not None:
            frame = frame.f_back
            for found in frame.f_locals.values():
                if isinstance(found, State):
                    return by(secret_of(found, view), view)
        return choice


class SearchesTheMemory(Answering):
    """Finds a state anywhere in memory that its view could be of; only before the first turn, as that takes long."""

    def instead(self, choice: Choice, view: View[Any], seed: int) -> Choice:
        for found in gc.get_objects() if not view.log else ():
            if isinstance(found, State) and found.game == view.game and found.view(view.viewer) == view:
                others = [action for action in view.legal_actions if action != choice.action]
                return Choice(others[secret_of(found, view) % len(others)])
        return choice


class TellsASecret(LooksAround):
    """Plays honestly, but its reasons say what it has seen."""

    def instead(self, choice: Choice, view: View[Any], seed: int) -> Choice:
        seen = super().instead(choice, view, seed)
        return replace(choice, reasons=replace(choice.reasons, because=f"the secret is {seen.action}"))


# ---- chance


class Gambler(Answering):
    def instead(self, choice: Choice, view: View[Any], seed: int) -> Choice:
        return by(random.randrange(1000), view)


class Sower(Answering):
    """Plays the same each time, and seeds everybody's generator for it."""

    def instead(self, choice: Choice, view: View[Any], seed: int) -> Choice:
        np.random.seed(seed)  # noqa: NPY002
        return choice


class Forgetful(Answering):
    """Throws a die of its own, whatever the seed says."""

    die = random.Random(0)

    def instead(self, choice: Choice, view: View[Any], seed: int) -> Choice:
        return by(self.die.randrange(1000), view)


class Moody(Answering):
    """Every bot begins alike, and then does what its last question makes it do."""

    def __init__(self, clock: Clock = time.monotonic) -> None:
        super().__init__(clock)
        self.mood = 0

    def instead(self, choice: Choice, view: View[Any], seed: int) -> Choice:
        mood, self.mood = self.mood, len(view.legal_actions)
        return by(mood, view) if mood else choice


class Hashing(Answering):
    """Goes by what differs from one process to the next."""

    def instead(self, choice: Choice, view: View[Any], seed: int) -> Choice:
        return by(hash(view.position_text()), view)


# ---- pickling


class Locked(Honest):
    def __init__(self, clock: Clock = time.monotonic) -> None:
        super().__init__(clock)
        self.lock = threading.Lock()

    def __getstate__(self) -> dict[str, Any]:
        return {"lock": self.lock}


class Amnesiac(Answering):
    """What it is made with does not travel."""

    def __init__(self, clock: Clock = time.monotonic) -> None:
        super().__init__(clock)
        self.style = 1

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        self.style = 0

    def instead(self, choice: Choice, view: View[Any], seed: int) -> Choice:
        return by(self.style, view)


# ---- views


class Vandal(Answering):
    def instead(self, choice: Choice, view: View[Any], seed: int) -> Choice:
        view._position.scores[0] += 1
        return choice


class Censor(Answering):
    """Rewrites what the game itself holds."""

    def instead(self, choice: Choice, view: View[Any], seed: int) -> Choice:
        view.heading.extra["censored"] = True
        return choice


# ---- time


class Deaf(Honest):
    """Thinks for as long as it likes."""

    def think(self, budget: Budget) -> None:
        del budget


class Stubborn(Honest):
    """Looks at the clock, and once more to be sure."""

    def think(self, budget: Budget) -> None:
        while not (budget.is_spent() and budget.is_spent()):
            budget.spend(budget.next_slice(2))


# ---- games


class Lost(Answering):
    """Fails where it does not know its way."""

    def instead(self, choice: Choice, view: View[Any], seed: int) -> Choice:
        return {"cronberg": choice, "drunter": choice}[view.game.name]


class Modest(Answering):
    """Says so where it does not know its way."""

    def instead(self, choice: Choice, view: View[Any], seed: int) -> Choice:
        if view.game.name not in ("cronberg", "drunter"):
            raise UnknownGame(view.game.name, ["cronberg", "drunter"])
        return choice


# ---- reasons

WORSE: dict[str, Callable[[Reasons], Reasons]] = {
    "and not Reasons": lambda _: "because",  # type: ignore[arg-type,return-value]
    "because is 7": lambda reasons: replace(reasons, because=7),  # type: ignore[arg-type]
    "simulations is -1": lambda reasons: replace(reasons, simulations=-1),
    "1000 simulations were made": lambda reasons: replace(reasons, simulations=1000),
    "is not legal": lambda reasons: _first(reasons, action=-7),
    "visits of": lambda reasons: _first(reasons, visits=-1),
    "win_share of": lambda reasons: _first(reasons, win_share=(0.9, *reasons.considered[0].win_share[1:])),
    "points of": lambda reasons: _first(reasons, points=(float("nan"), *reasons.considered[0].points[1:])),
    "has an action twice": lambda reasons: replace(reasons, considered=reasons.considered * 2),
    "the line begins with": lambda reasons: replace(reasons, line=reasons.line[::-1]),
    "and not texts": lambda reasons: replace(reasons, line=(7,)),  # type: ignore[arg-type]
    "and not one for each seat": lambda reasons: replace(reasons, beliefs=reasons.beliefs[1:]),
    "own cards": lambda reasons: replace(reasons, beliefs=({"inn": 1.0},) * len(reasons.beliefs)),
    "the belief about seat": lambda reasons: replace(
        reasons, beliefs=tuple(belief and {"inn": 0.5} for belief in reasons.beliefs)
    ),
}
"""By what is said about them: how reasons can be made worse."""


def _first(reasons: Reasons, **changes: Any) -> Reasons:
    return replace(reasons, considered=(replace(reasons.considered[0], **changes), *reasons.considered[1:]))


class BadReasons(Answering):
    """Plays honestly, and gives reasons that are not well-formed."""

    def __init__(self, how: str) -> None:
        super().__init__()
        self.how = how

    def instead(self, choice: Choice, view: View[Any], seed: int) -> Choice:
        return replace(choice, reasons=WORSE[self.how](choice.reasons))


class Disorderly(Answering):
    """Considers the most visited last."""

    def instead(self, choice: Choice, view: View[Any], seed: int) -> Choice:
        (one,) = choice.reasons.considered
        others = [replace(one, action=other, visits=other) for other in view.legal_actions if other != choice.action]
        return replace(choice, reasons=replace(choice.reasons, considered=(one, *others)))
