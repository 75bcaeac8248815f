"""One server for each data folder: a lock that ends with its process, however that ends, and where the server runs.

The file stays when a server is gone; only whether somebody holds its lock counts.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

import orjson

from embertown.core.errors import EmbertownError, MalformedFile

FILE = "server.lock"
PRIVATE_FOLDER = 0o700
PRIVATE_FILE = 0o600
LOOKED_AT_FOR = 1.0
"""Seconds that a start tries: whoever only looks whether a server runs holds the lock for a moment."""
TRY_EVERY = 0.02


@dataclass(frozen=True, slots=True)
class Running:
    """Who holds a folder, and where it can be asked."""

    pid: int
    address: str | None = None
    """None for a command that changes the database by itself."""


class FolderInUse(EmbertownError):
    """Another server, or another command, uses the data folder.

    >>> print(FolderInUse("/srv/embertown", 17, "http://127.0.0.1:8726"))
    /srv/embertown: is used by the server at http://127.0.0.1:8726 (process 17); right would be: ...
    """

    def __init__(self, folder: str, pid: int, address: str | None) -> None:
        super().__init__(folder, pid, address)
        self.folder, self.pid, self.address = folder, pid, address

    def message(self) -> str:
        """Who uses it, and what would be right."""
        who = "another command" if self.address is None else f"the server at {self.address}"
        right = "another --folder, or to stop that one first"
        return f"{self.folder}: is used by {who} (process {self.pid}); right would be: {right}"


class Lock:
    """The lock of a folder, held."""

    def __init__(self, handle: int) -> None:
        self._handle = handle

    def tell(self, address: str | None) -> None:
        """Say where this process can be asked."""
        told = orjson.dumps(asdict(Running(os.getpid(), address)))
        os.ftruncate(self._handle, 0)
        os.lseek(self._handle, 0, os.SEEK_SET)
        os.write(self._handle, told)


@contextmanager
def hold(folder: Path) -> Iterator[Lock]:
    """Keep every other server and command away from the folder for as long as the block runs."""
    path = folder / FILE
    try:
        folder.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
        handle = os.open(path, os.O_RDWR | os.O_CREAT, PRIVATE_FILE)
    except OSError as reason:
        right = "a folder that this user can write, by --folder"
        raise MalformedFile(str(folder), "", f"can't be used: {reason.strerror}", right) from None
    try:
        _wait_for(handle, folder)
        lock = Lock(handle)
        lock.tell(None)
        yield lock
    finally:
        os.close(handle)  # and with it the lock


def who_holds(folder: Path) -> Running | None:
    """The server that runs on a folder, or the command; None where nobody does."""
    try:
        handle = os.open(folder / FILE, os.O_RDWR)
    except OSError:
        return None
    try:
        return None if _try(handle) else _told(folder)
    finally:
        os.close(handle)


def _wait_for(handle: int, folder: Path) -> None:
    end = time.monotonic() + LOOKED_AT_FOR
    while not _try(handle):
        if time.monotonic() > end:
            told = _told(folder)
            raise FolderInUse(str(folder), told.pid, told.address)
        time.sleep(TRY_EVERY)


def _told(folder: Path) -> Running:
    """What the holder says of itself; nothing yet, just after it took the lock."""
    try:
        told = orjson.loads((folder / FILE).read_bytes())
        return Running(int(told["pid"]), told["address"])
    except (OSError, ValueError, KeyError, TypeError):
        return Running(0)


if sys.platform == "win32":
    import msvcrt

    FAR_BEHIND = 1 << 30
    """A locked byte can't be read by others there, so it is one that nobody reads."""

    def _try(handle: int) -> bool:
        os.lseek(handle, FAR_BEHIND, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
else:
    import fcntl

    def _try(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True
