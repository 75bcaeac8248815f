"""Settings that come from outside, checked: their types where they stand in a file, and between what they may lie."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from embertown.core.errors import BadArgument, MalformedFile, shorten, shown

MOST = sys.float_info.max
"""No limit, but what is endless is no number."""
KINDS = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a text",
    dict: "an object",
}
"""How a file has what is of a type here."""


def check_ranges(settings: Any, limits: Mapping[str, tuple[float, float]]) -> None:
    """Refuse settings that lie outside of their limits."""
    for name, (least, most) in limits.items():
        value = getattr(settings, name)
        if not least <= value <= most:
            end = "on" if most == MOST else f"to {most}"
            raise BadArgument(f"{name} is {shown(value)}; right would be: from {least} {end}")


def is_like(value: Any, example: Any) -> bool:
    """Whether what was read from JSON may stand where there is something like this.

    >>> is_like(3, 0.5), is_like(0.5, 3), is_like([2, 3], (4,)), is_like([2, "3"], (4,)), is_like(float("nan"), 0.5)
    (True, False, True, False, False)
    """
    if isinstance(example, tuple):
        return isinstance(value, list) and all(is_like(each, example[0]) for each in value)
    if isinstance(example, float):
        return type(value) in (int, float) and abs(value) <= MOST
    return type(value) is type(example)


def kind_of(example: Any) -> str:
    """How a file has something like this, in words.

    >>> kind_of((2, 3))
    'a list of which each is a whole number'
    """
    if isinstance(example, tuple):
        return f"a list of which each is {kind_of(example[0])}"
    return next(words for kind, words in KINDS.items() if isinstance(example, kind))


def part_of(whole: Mapping[str, Any], key: str, example: Any, file: str, place: str = "") -> Any:
    """What a file says under a key, if it is something like this."""
    if key not in whole:
        raise MalformedFile(file, place + key, "is missing", kind_of(example))
    if not is_like(whole[key], example):
        raise MalformedFile(file, place + key, f"is {shown(whole[key])}", kind_of(example))
    return whole[key]


def fields_of(kind: Any, whole: Mapping[str, Any], file: str, place: str) -> dict[str, Any]:
    """The fields of a dataclass as a file has them: each of them known, and of the type of its default."""
    examples = {each.name: getattr(kind(), each.name) for each in fields(kind)}
    for name in whole:
        if name not in examples:
            raise MalformedFile(file, place + shorten(name), "is no setting", ", ".join(examples))
        part_of(whole, name, examples[name], file, place)
    return {name: tuple(value) if isinstance(value, list) else value for name, value in whole.items()}
