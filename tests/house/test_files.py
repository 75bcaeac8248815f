"""The checkout keeps its promises: pins without addresses, a card on every room, one test command."""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "embertown"

MARKER = r"[a-z_]+ [<>=!]+ '[^']+'"
TERM = rf"\(?{MARKER}\)?"
PIN = re.compile(rf"[a-z0-9][a-z0-9-]*==[0-9][0-9a-z.]*( ; {TERM}( (and|or) {TERM})*)?")
ADDRESS = re.compile(
    r"(?<!emit-)index-url|find-links|\"resolved\": *\"https?:|pythonhosted\.org|registry\.npmjs|/simple/",
    re.IGNORECASE,
)
LOCK_FILES = {"uv.lock", "poetry.lock", "Pipfile.lock"}
TEST_COMMAND = "python3 dev.py test"


def checkout_files() -> list[Path]:
    """Every file that is, or could be, in the repository."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listing, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    return [ROOT / name for name in names if name and (ROOT / name).is_file()]


def rooms() -> list[Path]:
    """Every folder with Python files below the package itself."""
    return sorted({file.parent for file in PACKAGE.rglob("*.py")} - {PACKAGE})


def test_constraints_are_names_and_versions_only() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    assert lines
    assert [line for line in lines if not PIN.fullmatch(line)] == []


def test_no_file_names_a_package_registry() -> None:
    found = []
    for file in checkout_files():
        text = file.read_text(encoding="utf-8", errors="ignore")
        if file != Path(__file__).resolve() and ADDRESS.search(text):
            found.append(str(file.relative_to(ROOT)))
    assert found == []


def test_no_lock_file_with_addresses() -> None:
    assert [file for file in checkout_files() if file.name in LOCK_FILES] == []


@pytest.mark.parametrize("room", rooms(), ids=lambda room: str(room.relative_to(PACKAGE)))
def test_every_room_has_its_card(room: Path) -> None:
    init = room / "__init__.py"
    assert init.exists(), f"{room} holds Python files but is no package"
    card = ast.get_docstring(ast.parse(init.read_text(encoding="utf-8"))) or ""
    for heading in ("Knows:", "May import:", "Never:"):
        assert re.search(rf"^{heading} \S", card, re.MULTILINE), f"{init}: no line {heading!r}"


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", ".ci/run"])
def test_people_and_ci_run_the_same_command(name: str) -> None:
    assert TEST_COMMAND in (ROOT / name).read_text(encoding="utf-8")
