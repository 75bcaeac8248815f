"""One server for each folder, as long as it lives."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from embertown.core.errors import MalformedFile
from embertown.server import lock
from embertown.server.lock import FolderInUse, Running
from tests.cli.helpers import environment

HOLDER = """
import sys
from pathlib import Path
from embertown.server import lock
with lock.hold(Path(sys.argv[1])) as held:
    held.tell("http://127.0.0.1:1")
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_folder_is_held_until_the_block_ends(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    assert lock.who_holds(folder) is None
    with lock.hold(folder) as held:
        assert lock.who_holds(folder) == Running(os.getpid(), None)
        held.tell("http://127.0.0.1:8726")
        assert lock.who_holds(folder) == Running(os.getpid(), "http://127.0.0.1:8726")
        held.tell("http://[::1]:1")
        assert lock.who_holds(folder) == Running(os.getpid(), "http://[::1]:1")
        with pytest.raises(FolderInUse) as refused, lock.hold(folder):
            pass
        assert (refused.value.pid, refused.value.address) == (os.getpid(), "http://[::1]:1")
    assert lock.who_holds(folder) is None
    with lock.hold(folder):
        pass
    if os.name == "posix":
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert stat.S_IMODE((folder / lock.FILE).stat().st_mode) == 0o600


def test_a_process_that_dies_lets_go(tmp_path: Path) -> None:
    words = [sys.executable, "-c", HOLDER, str(tmp_path)]
    pipe = subprocess.PIPE
    with subprocess.Popen(words, stdin=pipe, stdout=pipe, env=environment()) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        assert lock.who_holds(tmp_path) == Running(holder.pid, "http://127.0.0.1:1")
        holder.kill()
        holder.wait()
    assert lock.who_holds(tmp_path) is None
    with lock.hold(tmp_path):
        pass


def test_what_the_file_says_is_believed_only_while_it_is_held(tmp_path: Path) -> None:
    (tmp_path / lock.FILE).write_text("rubbish", encoding="utf-8")
    assert lock.who_holds(tmp_path) is None
    with lock.hold(tmp_path):
        (tmp_path / lock.FILE).write_text("rubbish", encoding="utf-8")
        assert lock.who_holds(tmp_path) == Running(0)


def test_a_folder_that_can_not_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(MalformedFile, match="can't be used"), lock.hold(tmp_path / "file"):
        pass
