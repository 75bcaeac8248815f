"""Records read, replayed and falsified: what the tests of all games' records share, and of their editions."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

from embertown.core.errors import BrokenRecord, EmbertownError, MalformedRecord
from embertown.games import GameRecord

FOLDER = Path(__file__).parent / "records"

Json = dict[str, Any]
Location = tuple[str | int, ...]


def files_of(game: str) -> list[str]:
    """The records of independent games."""
    return sorted(path.stem for path in FOLDER.glob(f"{game}-*.json"))


def read(name: str) -> Json:
    data: Json = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return data


def replay(data: Json) -> Any:
    return GameRecord.from_json(json.dumps(data)).replay()


def comes_out_equal(data: Json) -> Any:
    """The state at the record's end; written down again it is the same record."""
    state = replay(data)
    assert json.loads(state.record().to_json()) == data
    return state


# ---- places in a record


def at(data: Any, location: Location) -> Any:
    for part in location:
        data = data[part]
    return data


def changed(data: Json, location: Location, value: object) -> Json:
    """The data with another value at one place; with `...` as value, without what stands there."""
    data = copy.deepcopy(data)
    parent, last = at(data, location[:-1]), location[-1]
    if value is ...:
        del parent[last]
    else:
        parent[last] = value
    return data


def written(location: Location) -> str:
    """A place as errors write it."""
    return re.sub(r"\.\[", "[", ".".join(f"[{part}]" if isinstance(part, int) else part for part in location))


def inside(place: str, of: str) -> bool:
    """Whether a place is another one, or lies within it."""
    return re.match(re.escape(of) + r"($|[.\[])", place) is not None


def leaves(value: Any, location: Location = ()) -> Iterator[Location]:
    if isinstance(value, dict | list) and value:
        for part in value if isinstance(value, dict) else range(len(value)):
            yield from leaves(value[part], (*location, part))
    else:
        yield location


def everywhere(value: Any, location: Location = ()) -> Iterator[Location]:
    yield location
    if isinstance(value, dict | list):
        for part in value if isinstance(value, dict) else range(len(value)):
            yield from everywhere(value[part], (*location, part))


def order(place: str) -> tuple[int, int]:
    """Where in a record a place comes: what is before the moves, a move, what is after them."""
    if match := re.match(r"moves\[(\d+)\]", place):
        return 1, int(match[1])
    above = ("format", "rules", "game", "edition", "options", "seats", "first", "start", "deal")
    return (0 if place.startswith(above) else 2), 0


def first_move(data: Json, wanted: Callable[[Json], bool]) -> int:
    return next(index for index, move in enumerate(data["moves"]) if wanted(move))


# ---- what becomes of a false record


def attempt(data: Json) -> Any:
    """The state at the record's end, or the error that refuses it."""
    try:
        return replay(data)
    except (BrokenRecord, MalformedRecord) as error:
        return error


def broken(data: Json) -> BrokenRecord:
    """Read, and refused by the rules."""
    with pytest.raises(BrokenRecord) as caught:
        replay(data)
    assert caught.value.where in str(caught.value)
    return caught.value


def malformed(data: Json) -> MalformedRecord:
    """Refused by reading alone, with the file's name in the message."""
    with pytest.raises(MalformedRecord) as caught:
        GameRecord.from_json(json.dumps(data), "my.json")
    assert str(caught.value).startswith("my.json: ")
    assert caught.value.wrong
    assert caught.value.right in str(caught.value)
    return caught.value


def other(value: Any) -> Any:
    """Something else of the same type."""
    if isinstance(value, bool):
        return not value
    return value + 1 if isinstance(value, int) else "elsewhere" if isinstance(value, str) else 1


def remarked(data: Json) -> Json:
    """The record with everything that is free to say."""
    data = copy.deepcopy(data)
    data["seats"][0] = {"name": "Ännchen", "bot": "random"}
    data["moves"][0] |= {"note": "A good\nbeginning…", "at": "2026-01-01T12:00:00Z", "by": "a bot, standing in"}
    data["moves"][-1] |= {"note": ""}
    data["match"] = {"id": "family", "game": 2}
    data["fair"] = {"commitment": "ab" * 32, "entropy": ["x", None], "seed": None}
    data["meta"] = {"date": "2026-01-01", "place": "Kronberg"}
    return data


# ---- anything at all

JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5)
    | st.sampled_from(["a1", "A1", "church", "ja", "complete", "resigned", 10**30, "\x1b[2J", "\ud800"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@st.composite
def mutated(draw: st.DrawFn, names: list[str]) -> Json:
    """One of these records in which some places are replaced, deleted or doubled."""
    data = read(draw(st.sampled_from(names)))
    for _ in range(draw(st.integers(1, 3))):
        locations = [place for place in everywhere(data) if place]
        location = draw(st.sampled_from(locations))
        parent, last = at(data, location[:-1]), location[-1]
        how = draw(st.sampled_from(["replace", "delete", "double", "other"]))
        if how == "replace":
            parent[last] = draw(JSON_VALUES)
        elif how == "delete":
            del parent[last]
        elif how == "other":
            parent[last] = copy.deepcopy(at(data, draw(st.sampled_from(locations))))
        elif isinstance(parent, list):
            parent.insert(int(last), copy.deepcopy(parent[int(last)]))
        else:
            parent[f"{last}2"] = parent[last]
    return data


@st.composite
def mutilated(draw: st.DrawFn, names: list[str]) -> str:
    """The text of one of these records in which some characters are others."""
    text = (FOLDER / f"{draw(st.sampled_from(names))}.json").read_text(encoding="utf-8")
    for _ in range(draw(st.integers(1, 3))):
        start, length = draw(st.integers(0, len(text))), draw(st.integers(0, 5))
        new = draw(st.text(alphabet='{}[]",:0123456789-eE.truefalsn\\u \x00é', max_size=4))
        text = text[:start] + new + text[start + length :]
    return text


def reads_or_refuses(text: str) -> None:
    """A text is a true record, which comes out again as it came in, or is refused by an error of ours."""
    try:
        record = GameRecord.from_json(text)
    except EmbertownError as error:
        str(error).encode()
        return
    assert GameRecord.from_json(record.to_json()).to_dict() == record.to_dict()
    try:
        state = record.replay()
    except EmbertownError as error:
        str(error).encode()
        return
    again = json.loads(state.record().to_json())
    if isinstance(again["edition"], str):  # a whole edition that ships is named by its id
        again["edition"] = record.to_dict()["edition"]
    assert again == json.loads(text)
