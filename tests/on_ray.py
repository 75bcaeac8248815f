"""A small Ray for tests: offline, in a folder of its own, and found again if it leaves anything behind."""

from __future__ import annotations

import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

MARK = "EMBERTOWN_TEST_MARK"
PATIENCE = 20.0
"""Seconds for processes to end."""


@contextmanager
def ray_settings() -> Iterator[dict[str, str]]:
    """An environment in which work goes to a Ray started here; its folder is short, as sockets need, and removed."""
    with tempfile.TemporaryDirectory(prefix="ray") as folder:
        yield {
            "EMBERTOWN_RAY": "local",
            "RAY_TMPDIR": folder,
            "RAY_AUTH_TOKEN": uuid.uuid4().hex,  # else Ray writes one into the home folder
            MARK: uuid.uuid4().hex,
        }


def left_behind(settings: dict[str, str]) -> list[str]:
    """The command lines of processes that were started in this environment and do not end by themselves."""
    end = time.monotonic() + PATIENCE
    while (found := _still_there(settings)) and time.monotonic() < end:
        time.sleep(0.05)
    return found


def _still_there(settings: dict[str, str]) -> list[str]:
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if settings[MARK].encode() in (process / "environ").read_bytes():
                found.append((process / "cmdline").read_bytes().decode(errors="replace"))
    return found
