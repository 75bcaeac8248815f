"""Where compiled kernels are kept: a folder for each file, named by all that its code depends on."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.helpers import DEADLINE

PACKAGE = Path(__file__).parents[2] / "src" / "embertown"
ASK = """
import sys
from pathlib import Path
import embertown
from embertown.core.jit import cache_folder
home = Path(embertown.__file__).parent
assert home == Path(sys.argv[1]) / "embertown"
for name in sys.argv[2:]:
    print(cache_folder(home / name).name)
"""
FILES = ("core/jit.py", "cronberg/rules.py", "cronberg/doors.py", "drunter/rules.py", "bots/drunter_greedy.py")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A folder with a package of its own, to be edited."""
    for file in PACKAGE.rglob("*.py"):
        place = tmp_path / "embertown" / file.relative_to(PACKAGE)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, place)
    for folder in ("core/locale", "cronberg/editions", "drunter/editions"):
        shutil.copytree(PACKAGE / folder, tmp_path / "embertown" / folder, dirs_exist_ok=True)
    return tmp_path


def folders(copy: Path, **settings: str) -> dict[str, str]:
    """The names of the folders of some files' kernels, asked in a new process."""
    env = {**os.environ, "PYTHONPATH": str(copy), "EMBERTOWN_CACHE": str(copy / "cache"), **settings}
    words = [sys.executable, "-c", ASK, str(copy), *FILES]
    done = subprocess.run(words, capture_output=True, text=True, env=env, timeout=DEADLINE, check=False)
    assert done.returncode == 0, done.stderr
    return dict(zip(FILES, done.stdout.split(), strict=True))


def changed(copy: Path, edited: str) -> set[str]:
    """The files whose folders change when a line is added to another file."""
    before = folders(copy)
    with (copy / "embertown" / edited).open("a", encoding="utf-8") as file:
        file.write("\nA_LINE_MORE = 1\n")
    after = folders(copy)
    return {name for name in FILES if before[name] != after[name]}


def test_the_same_files_have_the_same_folders_each_their_own(copy: Path) -> None:
    once = folders(copy)
    assert once == folders(copy)
    assert len(set(once.values())) == len(FILES)
    assert all((copy / "cache" / "kernels" / name).is_dir() for name in once.values())


def test_an_edit_of_an_imported_file_changes_its_callers_folders_and_no_others(copy: Path) -> None:
    """Also through others: `greedy` at Drunter & Drüber imports the view, which imports the rules."""
    assert changed(copy, "drunter/rules.py") == {"drunter/rules.py", "bots/drunter_greedy.py"}
    assert changed(copy, "cronberg/rules.py") == {"cronberg/rules.py", "cronberg/doors.py"}


def test_an_edit_of_what_all_import_changes_all(copy: Path) -> None:
    assert changed(copy, "core/jit.py") == set(FILES)


def test_an_edit_of_what_nobody_imports_changes_nothing(copy: Path) -> None:
    """Callers are no matter of those they call: an edited bot leaves the rules compiled."""
    assert changed(copy, "cli/table.py") == set()
    assert changed(copy, "bots/drunter_greedy.py") == {"bots/drunter_greedy.py"}


def test_checked_kernels_are_kept_apart(copy: Path) -> None:
    """Else a run with bounds checks would find the plain code and check nothing."""
    plain, checked = folders(copy), folders(copy, NUMBA_BOUNDSCHECK="1")
    assert set(plain.values()).isdisjoint(checked.values())
