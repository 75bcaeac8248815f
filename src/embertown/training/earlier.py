"""Where a training began: the pieces of training before it, each by a method, players and rates of its own.

A state (a checkpoint's `state.json`, or `training` in a model card) tells of them in `begun_from`, the oldest first:
for each the method, the players, how many decisions and seconds it had itself, and the settings of its learning.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import takewhile
from typing import Any

from embertown.core.errors import MalformedFile, shown
from embertown.training.limits import is_like, part_of

PPO, GUMBEL = "ppo", "gumbel"
METHODS = (PPO, GUMBEL)
"""How a network is improved: by what came of its answers, or by search before each of them."""
SEED_STEP = 2**32
"""Lots of iterations lie so far from those of another seed."""
COUNTS = {
    "iteration": (0, SEED_STEP - 1),
    "steps": (0, 2**53),
    "trained_seconds": (0.0, 1e9),
    "lessons": (0, SEED_STEP - 1),
    "policy_from": (0, SEED_STEP - 1),
}
"""What a state counts, and between what it may lie; the last two may be missing, and are nothing then."""
PIECE: dict[str, Any] = {"method": PPO, "players": (2,), "steps": 0, "trained_seconds": 0.0, "learning": {}}
"""What is told of each piece, by examples."""


def checked_counts(state: Mapping[str, Any], file: str) -> dict[str, Any]:
    """How far a training is, as its state says."""
    told = {"lessons": 0, "policy_from": 0, **state}
    for key, (least, most) in COUNTS.items():
        if not least <= part_of(told, key, least, file) <= most:
            raise MalformedFile(file, key, f"is {shown(told[key])}", f"from {least} to {most:,}")
    return {key: told[key] for key in COUNTS}


def pieces_before(state: Mapping[str, Any], file: str) -> list[dict[str, Any]]:
    """What a training began from."""
    begun = state.get("begun_from") or []
    if isinstance(begun, dict):  # a whole state, as the first checkpoints had it
        return pieces_up_to(begun, file)
    if not is_like(begun, (PIECE,)):
        raise MalformedFile(file, "begun_from", f"is {shown(begun)}", "a list of objects, one for each piece before")
    return [{key: part_of(each, key, example, file, "begun_from.") for key, example in PIECE.items()} for each in begun]


def pieces_up_to(state: Mapping[str, Any], file: str) -> list[dict[str, Any]]:
    """The same, and this training as the last piece: what it counts without what it counted on from."""
    before, counts = pieces_before(state, file), checked_counts(state, file)
    settings = {"method": PPO, "players": [2], "learning": {}, **part_of(state, "settings", {}, file)}
    own = {key: part_of(settings, key, PIECE[key], file, "settings.") for key in ("method", "players", "learning")}
    counted = list(takewhile(lambda piece: piece["method"] == own["method"], reversed(before)))
    own |= {key: counts[key] - sum(piece[key] for piece in counted) for key in ("steps", "trained_seconds")}
    return [*before, own]
