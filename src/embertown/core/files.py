"""Reading what comes from outside, with limits and clear answers; writing whole files only."""

from __future__ import annotations

import json
import math
import os
import re
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from embertown.core.errors import Flaw, MalformedFile, shorten, shown

EDITION_LIMIT = 256 * 1024
"""Bytes of an edition file."""
RECORD_LIMIT = 4 * 1024 * 1024
"""Bytes of one record."""
MAX_DOTS = 250
"""Dots in a line of TOML: the time that `tomllib` takes for a.a.a.a.… grows with their square, to minutes."""

BEGUN = re.compile(r"-|[.eE][-+]?|t|tr|tru|f|fa|fal|fals|n|nu|nul|u[0-9a-fA-F]{0,4}")
"""What a number, a word or an escape in JSON looks like from where it is wrong, if it is only not whole."""
KEY_FLAWS = {"missing": Flaw("missing_key"), "extra_forbidden": Flaw("unknown_key")}
"""By what Pydantic calls them."""
AN_OBJECT = "a JSON object, { … }"

Model = TypeVar("Model", bound=BaseModel)


def read_limited(path: Path, limit: int, error: type[MalformedFile] = MalformedFile) -> str:
    """The text of a file of at most `limit` bytes."""
    try:
        with path.open("rb") as file:
            data = file.read(limit + 1)
    except (OSError, ValueError) as reason:  # ValueError: a path that no file can have
        why = getattr(reason, "strerror", None) or reason
        raise error(str(path), "", f"can't be read: {why}", "a readable file") from None
    if len(data) > limit:
        raise error(str(path), "", "is too large", f"at most {limit // 1024} KiB")
    return decode(data, str(path), error)


def decode(data: bytes, file: str, error: type[MalformedFile] = MalformedFile) -> str:
    """Bytes as UTF-8, with or without the mark that some editors put first."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as reason:
        flaw = Flaw("not_text")
        raise error(file, f"byte {reason.start}", "is not UTF-8", "a text file in UTF-8", flaw) from None


def parse_toml(text: str, file: str, error: type[MalformedFile] = MalformedFile) -> dict[str, Any]:
    """A TOML document; a key given twice is refused."""
    for number, line in enumerate(text.splitlines(), start=1):
        if line.count(".") > MAX_DOTS:
            raise error(file, f"line {number}", f"has {line.count('.')} dots", f"at most {MAX_DOTS}")
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as reason:
        raise error(file, "", f"is not TOML: {shorten(str(reason), 120)}", "a TOML file") from None


def parse_json(text: str, file: str, error: type[MalformedFile] = MalformedFile) -> dict[str, Any]:
    """A JSON object; a key given twice, NaN and Infinity are refused, which `json` alone lets pass."""
    if len(text) > RECORD_LIMIT:
        raise error(file, "", "is too large", f"at most {RECORD_LIMIT // 1024} KiB", Flaw("too_large"))

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in items:
            if key in found:
                raise error(file, shorten(key), "stands twice in one object", "each key once", Flaw("twice"))
            found[key] = value
        return found

    def constant(name: str) -> float:
        raise error(file, "", f"{name} is no JSON number", "a finite number")

    def real(digits: str) -> float:
        value = float(digits)
        return value if math.isfinite(value) else constant(shorten(digits))

    try:
        value = json.loads(text, object_pairs_hook=pairs, parse_constant=constant, parse_float=real)
    except json.JSONDecodeError as reason:
        raise error(file, *_no_json(text, reason)) from None
    except (ValueError, RecursionError) as reason:
        raise error(file, "", f"is not JSON: {shorten(str(reason), 120)}", AN_OBJECT, Flaw("not_json")) from None
    if not isinstance(value, dict):
        raise error(file, "", f"holds {shorten(text.strip(), 30)}", AN_OBJECT, Flaw("not_object"))
    return value


def _no_json(text: str, reason: json.JSONDecodeError) -> tuple[str, str, str, Flaw]:
    """Where a text stops being JSON, what is wrong there, and what would be right."""
    if not text.strip():
        return "", "is empty", AN_OBJECT, Flaw("empty")
    if reason.msg == "Extra data" and text[reason.pos] == "{":
        flaw = Flaw("several", reason.lineno, reason.colno)
        return _place(text, flaw), "is not JSON: another object begins here", "one object", flaw
    if not _is_cut_off(text, reason):
        flaw = Flaw("not_json", reason.lineno, reason.colno)
        return _place(text, flaw), f"is not JSON: {shorten(reason.msg, 120)}", AN_OBJECT, flaw
    lines = text.rstrip().splitlines()
    flaw = Flaw("cut_off", len(lines), len(lines[-1]) + 1)
    return _place(text, flaw), "is not JSON: it ends here, in the middle", "the whole of it", flaw


def _is_cut_off(text: str, reason: json.JSONDecodeError) -> bool:
    """Whether what is there is right, and more of it would have to follow."""
    rest = text.rstrip()[reason.pos :]
    is_begun = not rest or reason.msg.startswith("Unterminated string") or BEGUN.fullmatch(rest)
    return bool(is_begun) and text.lstrip().startswith(("{", "["))


def _place(text: str, flaw: Flaw) -> str:
    """A place in a text; records that stand on one line each need no number of theirs."""
    return f"line {flaw.line}, column {flaw.column}" if "\n" in text.strip() else f"column {flaw.column}"


def validate(model: type[Model], data: object, file: str, error: type[MalformedFile] = MalformedFile) -> Model:
    """Data as a model; its first problem is told with the file, the key, what is wrong and what would be right."""
    try:
        return model.model_validate(data)
    except ValidationError as problems:
        first = problems.errors(include_url=False)[0]
        wrong, right = _explain(first)
        flaw = KEY_FLAWS.get(first["type"])
        raise error(file, key_path(first["loc"]), wrong, right, flaw) from None


def key_path(location: tuple[int | str, ...]) -> str:
    """Where in a document something stands.

    >>> key_path(("moves", 3, "on", 0))
    'moves[3].on[0]'
    """
    path = ""
    for part in location:
        if part == "[key]":  # Pydantic's way to say that the key itself is wrong
            continue
        path += f"[{part}]" if isinstance(part, int) else f".{shorten(part)}" if path else shorten(part)
    return path


def _explain(problem: ErrorDetails) -> tuple[str, str]:
    """What is wrong, and what would be right, from one of Pydantic's problems."""
    context = problem.get("ctx", {})
    given = shown(problem["input"], 40)
    match problem["type"]:
        case "missing":
            return "is missing", "to give it"
        case "extra_forbidden":
            return "is not a key that is known here", "to leave it out"
        case "value_error":
            wrong, _, right = str(context["error"]).partition("; right would be: ")
            return wrong, right
        case "too_long" | "too_short":
            most = context.get("max_length", context.get("min_length"))
            at = "at most" if problem["type"] == "too_long" else "at least"
            count = context.get("actual_length")  # Pydantic stops counting where there are too many keys
            return f"has {'more' if count is None else count} items", f"{at} {most}"
        case "string_pattern_mismatch":
            return f"is {given}", f"what matches {context['pattern']}"
        case "literal_error":
            return f"is {given}", str(context["expected"])
        case _:
            return f"is {given}", _as_wish(problem["msg"])


def _as_wish(message: str) -> str:
    """Pydantic's "Input should be a valid integer" as "a valid integer"."""
    for start in ("Input should be ", "String should ", "Input should "):
        message = message.removeprefix(start)
    return message


@contextmanager
def whole_file(path: Path) -> Iterator[IO[str]]:
    """Write a file beside its place and move it there when it is whole: never half a file, whatever happens.

    An interruption (Ctrl-C) keeps what the block had written by then, since the block decides what a whole line is;
    any other error leaves the place as it was.
    """
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    try:
        try:
            with _to_disk(handle) as file:
                yield file
        except KeyboardInterrupt:
            _move(name, path)
            raise
        _move(name, path)
    except BaseException:
        with suppress(FileNotFoundError):
            Path(name).unlink()
        raise


@contextmanager
def _to_disk(handle: int) -> Iterator[IO[str]]:
    """A file to write to; in the end it is on the disk and closed: Windows moves no open file."""
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        try:
            yield file
        finally:
            file.flush()
            os.fsync(file.fileno())


def _move(name: str, path: Path) -> None:
    if os.name == "posix":  # mkstemp makes files private; what people share gets the usual mode
        mask = os.umask(0)
        os.umask(mask)
        Path(name).chmod(0o666 & ~mask)
    Path(name).replace(path)
