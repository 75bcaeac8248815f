"""The server's log: one line for each event on stderr, as text for people or as JSON for programs.

What is logged says which table, route or bot it is about, never a token, a cookie, a link or an address of a person:
routes stand there as templates, and the libraries below, which would log whole addresses, are asked for warnings only.
"""

from __future__ import annotations

import logging
import sys
from enum import StrEnum
from typing import IO, Any

import orjson

from embertown.server.clocks import stamp

LOGGER = "embertown"
REQUESTS = "embertown.requests"
"""The logger of requests: silent unless it is asked for."""
_USUAL = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName", "color_message"}
"""What every record has; the rest is what the caller added with `extra`."""


_FALSE_ALARM = "ASGI callable returned without completing handshake."
"""What uvicorn says of every WebSocket that was refused with an answer of ours: any foreign page could fill the log."""


class Kind(StrEnum):
    """How a log is written."""

    json = "json"
    text = "text"


def extras(record: logging.LogRecord) -> dict[str, Any]:
    """What the caller added."""
    return {key: value for key, value in vars(record).items() if key not in _USUAL and not key.startswith("_")}


class JsonLines(logging.Formatter):
    """One JSON object a line: `time`, `level`, `logger`, `message`, what the caller added, `error` with its traceback.

    >>> record = logging.makeLogRecord({"msg": "moved %d", "args": (2,), "created": 0.0, "levelname": "INFO"})
    >>> record.table = "abc"
    >>> print(JsonLines().format(record))
    {"time":"1970-01-01T00:00:00.000Z","level":"info","logger":null,"message":"moved 2","table":"abc"}
    """

    def format(self, record: logging.LogRecord) -> str:
        """A record on one line."""
        told: dict[str, Any] = {
            "time": stamp(record.created),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **extras(record),
        }
        if record.exc_info:
            told["error"] = self.formatException(record.exc_info)
        return orjson.dumps(told, default=str, option=orjson.OPT_NON_STR_KEYS).decode()


class TextLines(logging.Formatter):
    """For people: the time of the day, the level where it matters, the message, what the caller added."""

    def format(self, record: logging.LogRecord) -> str:
        """A record, on more than one line only where an error comes with it."""
        level = "" if record.levelno <= logging.INFO else f"{record.levelname.lower()}: "
        added = "".join(f" {key}={value}" for key, value in extras(record).items())
        line = f"{self.formatTime(record, '%H:%M:%S')} {level}{record.getMessage()}{added}"
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


def set_up(kind: Kind | None, *, requests: bool = False, quiet: bool = False, stream: IO[str] | None = None) -> None:
    """Log to stderr: as text where that is a terminal, else as JSON, unless it is said. `quiet`: warnings only."""
    stream = sys.stderr if stream is None else stream
    chosen = kind or (Kind.text if stream.isatty() else Kind.json)
    handler = logging.StreamHandler(stream)
    handler.addFilter(lambda record: record.msg != _FALSE_ALARM)
    handler.setFormatter(JsonLines() if chosen is Kind.json else TextLines())
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    logging.captureWarnings(True)
    logging.getLogger(LOGGER).setLevel(logging.WARNING if quiet else logging.INFO)
    logging.getLogger(REQUESTS).setLevel(logging.INFO if requests else logging.WARNING)
