"""The log's lines: JSON for programs, text for people; whatever is logged, one event is one line of JSON."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embertown.server import logs


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def record_of(message: str, *arguments: object, level: int = logging.INFO, **extra: object) -> logging.LogRecord:
    logger = logging.getLogger("embertown.test")
    return logger.makeRecord(logger.name, level, "file", 1, message, arguments, None, extra=extra)


@given(st.text(), st.dictionaries(st.from_regex(r"x_[a-z]{1,8}", fullmatch=True), st.text() | st.integers(-9, 9)))
def test_every_event_is_one_line_of_json(text: str, extra: dict[str, object]) -> None:
    text = text.encode("utf-8", "replace").decode()
    extra = {key: str(value).encode("utf-8", "replace").decode() for key, value in extra.items()}
    line = logs.JsonLines().format(record_of("%s", text, **extra))
    assert "\n" not in line
    told = json.loads(line)
    assert told.pop("time").endswith("Z")
    assert told == {"level": "info", "logger": "embertown.test", "message": text, **extra}


def test_an_error_comes_with_where_it_happened() -> None:
    record = record_of("it failed", level=logging.ERROR)
    try:
        raise RuntimeError("why")
    except RuntimeError as error:
        record.exc_info = type(error), error, error.__traceback__
    told = json.loads(logs.JsonLines().format(record))
    assert told["level"] == "error"
    assert told["error"].startswith("Traceback")
    assert told["error"].endswith("RuntimeError: why")
    assert logs.TextLines().format(record).endswith("RuntimeError: why")


def test_text_for_people() -> None:
    assert logs.TextLines().format(record_of("moved %d", 2, table="abc"))[8:] == " moved 2 table=abc"
    assert logs.TextLines().format(record_of("oh", level=logging.WARNING))[8:] == " warning: oh"


@pytest.fixture
def usual_logging() -> Iterator[None]:
    """The logging of the tests, afterwards as before."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    others = {name: logging.getLogger(name).level for name in (logs.LOGGER, logs.REQUESTS)}
    yield
    logging.captureWarnings(False)
    for handler in list(root.handlers):
        root.removeHandler(handler)
    for handler in handlers:
        root.addHandler(handler)
    root.setLevel(level)
    for name, before in others.items():
        logging.getLogger(name).setLevel(before)


@pytest.mark.usefixtures("usual_logging")
@pytest.mark.parametrize(
    ("stream", "kind", "is_json"),
    [
        (Terminal, None, False),
        (io.StringIO, None, True),
        (Terminal, logs.Kind.json, True),
        (io.StringIO, logs.Kind.text, False),
    ],
)
def test_text_in_a_terminal_and_json_elsewhere(
    stream: type[io.StringIO], kind: logs.Kind | None, is_json: bool
) -> None:
    written = stream()
    logs.set_up(kind, stream=written)
    logging.getLogger("embertown.server").info("hello")
    logging.getLogger(logs.REQUESTS).info("GET /")
    logging.getLogger("somebody.else").info("with an address")
    assert written.getvalue().count("\n") == 1
    assert written.getvalue().startswith("{") == is_json
    logs.set_up(kind, requests=True, stream=written)
    logging.getLogger(logs.REQUESTS).info("GET /")
    assert written.getvalue().count("\n") == 2
