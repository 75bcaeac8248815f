"""The errors: one tree, messages that can be shown anywhere, and all of them come back from another process."""

import pickle
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embertown.core import errors
from embertown.core.errors import EmbertownError, shorten, shown, visible

EXAMPLES: dict[type[EmbertownError], tuple[Any, ...]] = {
    errors.EmbertownError: ("x",),
    errors.Malformed: ("x",),
    errors.MalformedText: ("'x' is no action; right would be: draw",),
    errors.AmbiguousText: ("x",),
    errors.MalformedFile: ("my.toml", "board.side", "is 7", "2, 3 or 4"),
    errors.MalformedEdition: ("my.toml", "", "is too large", ""),
    errors.MalformedRecord: ("", "moves[3]", "is 7", "2"),
    errors.Unknown: ("x", ["a", "b"]),
    errors.UnknownGame: ("chess", ["cronberg"]),
    errors.UnknownEdition: ("x", ("a",)),
    errors.UnknownOption: ("x", ()),
    errors.UnknownTheme: ("x", ["a"]),
    errors.UnknownBot: ("x", iter(["a", "b"])),
    errors.UnusableBot: ("mine", "my-bots (my_bots:Mine) can't be loaded"),
    errors.BotFault: ("mine:100", 1, "failed", "cronberg: x", "0 round 5", 42),
    errors.BadArgument: ("players is 7",),
    errors.IllegalMove: ("cronberg", "crossing_closed", "C4.2", ("d4",), {"crossing": "d4"}),
    errors.ImpossiblePosition: ("two tokens stand on a1", "C4.1"),
    errors.BrokenRecord: ("moves[3].scored", "C6.1", "points are 4", "5", "my.json"),
    errors.NothingToUndo: ("x",),
    errors.NoRecord: ("x",),
    errors.NoChance: ("x",),
}


def tree(root: type[EmbertownError]) -> Iterator[type[EmbertownError]]:
    yield root
    for branch in root.__subclasses__():
        yield from tree(branch)


def test_every_error_of_the_room_is_tried_here() -> None:
    assert {kind for kind in tree(EmbertownError) if kind.__module__ == errors.__name__} == set(EXAMPLES)
    assert all(kind.__name__ in str(errors.__doc__) for kind in EXAMPLES)


@pytest.mark.parametrize("kind", EXAMPLES, ids=lambda kind: kind.__name__)
def test_errors_survive_pickling(kind: type[EmbertownError]) -> None:
    error = kind(*EXAMPLES[kind])
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(error, protocol))
        assert type(again) is kind
        assert str(again) == str(error) != ""
        assert again.args == error.args
        assert vars(again) == vars(error)


@pytest.mark.parametrize("kind", EXAMPLES, ids=lambda kind: kind.__name__)
def test_messages_can_be_shown_anywhere(kind: type[EmbertownError]) -> None:
    bad = "a\x1b[2J\n\u202e\udcff"
    example = EXAMPLES[kind]
    if kind is errors.IllegalMove:
        error = kind(*example[:3], (bad,), {"crossing": bad})
    else:
        error = kind(*(part.replace(part, bad) if isinstance(part, str) else part for part in example))
    assert str(error).isprintable()
    assert r"a\x1b[2J\n\u202e\udcff" in str(error).replace("\\\\", "\\")


def test_messages_say_where_what_and_what_would_be_right() -> None:
    assert str(errors.MalformedFile("f", "k", "is 1", "2")) == "f: k: is 1; right would be: 2"
    assert str(errors.MalformedFile("", "", "is 1")) == "is 1"
    assert str(errors.BrokenRecord("end", "C8.1", "is x")) == "end: is x (rule C8.1)"
    assert str(errors.BrokenRecord("end", "", "is x", file="f")) == "f: end: is x"
    assert str(errors.BrokenRecord("end", "C8.1", "is x", "y", "f")) == "f: end: is x; by rule C8.1 right would be: y"
    assert str(errors.UnknownEdition("x", ["a"])).endswith("there is: a, or the path of an edition file")


@given(st.text())
def test_visible_changes_only_what_can_not_be_shown(text: str) -> None:
    assert visible(text).isprintable()
    assert (visible(text) == text) == text.isprintable()


@given(st.text(), st.integers(1, 80))
def test_shorten_keeps_to_its_limit(text: str, limit: int) -> None:
    short = shorten(text, limit)
    assert len(short) <= limit
    assert short == text or (short.endswith("…") and text.startswith(short[:-1]))


def test_shown_never_fails() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    assert "list too large" in shown(deep)
    assert "int too large" in shown(10**5_000)
    assert shown("\ud800") == r"'\ud800'"
    assert len(shown("x" * 10**6)) == 60
