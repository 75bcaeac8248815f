"""Records in files and streams, one after the other, in little memory whatever the file."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO, NamedTuple

from embertown.cli.options import STANDARD_STREAM
from embertown.core.errors import BadArgument, Flaw, MalformedRecord
from embertown.core.files import RECORD_LIMIT, decode

LINES = ".jsonl"
HEAD = 4096
GAME_KEY = re.compile(r'"game"\s*:\s*"(\w{1,40})"')


class Line(NamedTuple):
    """A record's text and where it begins."""

    number: int
    text: str


class NoFile(BadArgument):
    """A file that can't be opened: which, and what the system says.

    >>> print(NoFile("none.json", "No such file or directory"))
    none.json: can't be read: No such file or directory; right would be: a file with records
    """

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(name, reason)
        self.name, self.reason = name, reason

    def message(self) -> str:
        """The file, why it can't be read, and what would be right."""
        return f"{self.name}: can't be read: {self.reason}; right would be: a file with records"


@contextmanager
def source(name: str) -> Iterator[IO[bytes]]:
    """A file, or for `-` stdin, to be read."""
    if name == STANDARD_STREAM:
        yield sys.stdin.buffer
        return
    with ExitStack() as stack:
        try:
            file = stack.enter_context(Path(name).open("rb"))
        except OSError as reason:
            raise NoFile(name, reason.strerror or str(reason)) from None
        yield file


def size_of(name: str) -> int | None:
    """How many bytes a file has; None where nobody can know."""
    try:
        return Path(name).stat().st_size if Path(name).is_file() else None
    except OSError:
        return None


def games_in(names: Iterable[str]) -> list[str]:
    """The games whose records these files seem to hold, from their first bytes; for stdin every game."""
    from embertown.games import GAMES

    found: set[str] = set()
    for name in names:
        if name == STANDARD_STREAM:
            return list(GAMES)
        with suppress(OSError, ValueError), Path(name).open("rb") as file:
            found.update(GAME_KEY.findall(file.read(HEAD).decode(errors="replace")))
    return [game for game in GAMES if game in found]


def records_in(name: str, stream: IO[bytes]) -> Iterator[Line]:
    """The records of a stream: one a line, or one that takes several lines.

    No more than one record is in memory at once, and a record that is too large is refused before it is read.
    """
    found, number = False, 0
    while data := stream.readline(RECORD_LIMIT + 1):
        number += 1
        if not data.strip():
            continue
        if not found and not name.endswith(LINES) and not _looks_whole(data):
            data += stream.read(max(0, RECORD_LIMIT + 1 - len(data)))
        where = f"{name}:{number}"
        if len(data) > RECORD_LIMIT:
            right = f"a record of at most {RECORD_LIMIT // 1024} KiB"
            raise MalformedRecord(where, "", "is too large", right, Flaw("too_large"))
        found = True
        yield Line(number, decode(data, where, MalformedRecord))
    if not found:
        right = "a record, or one record a line"
        raise MalformedRecord(name, "", "is empty: there is nothing to check", right, Flaw("empty"))


def _looks_whole(line: bytes) -> bool:
    """Whether a first line is a record of its own, and not the beginning of one."""
    text = line.removeprefix(b"\xef\xbb\xbf").strip()
    return text.startswith(b"{") and text.endswith(b"}")
