"""Looking into objects as a curious player would: everything that can be reached from one."""

from __future__ import annotations

from typing import Any

import numpy as np

ATOMS = (str, int, float, bool, bytes, type(None), np.generic)


def reachable(thing: Any, seen: dict[int, Any]) -> Any:
    """Everything that can be reached from an object, as plain data to compare."""
    if isinstance(thing, ATOMS):
        return thing.tobytes() if isinstance(thing, np.void) else thing
    if id(thing) in seen:
        return "again"
    seen[id(thing)] = thing
    if isinstance(thing, np.ndarray):
        return thing.tobytes()
    if isinstance(thing, dict):
        return {repr(key): reachable(value, seen) for key, value in thing.items()}
    if isinstance(thing, list | tuple | set | frozenset):
        return [reachable(item, seen) for item in thing]
    slots = [name for kind in type(thing).__mro__ for name in getattr(kind, "__slots__", ())]
    inside = {
        **getattr(thing, "__dict__", {}),
        **{name: getattr(thing, name) for name in slots if hasattr(thing, name)},
    }
    return type(thing).__name__, {key: reachable(value, seen) for key, value in inside.items()}
