"""The documentation is true: its examples run, its generated parts are fresh, its links lead somewhere."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import docs as generated  # noqa: E402

PAGES = [ROOT / "README.md", ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(page: Path) -> list[str]:
    """The Python examples of a page."""
    return re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def files(page: Path) -> dict[str, str]:
    """The examples that are files of their own, by name."""
    found = re.findall(
        r'^```python title="(\w+\.py)"\n(.*?)^```', page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
    return dict(found)


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page)], ids=lambda page: page.name)
def test_the_examples_run(page: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """In their order, in one namespace, in a folder with nothing but the page's own files."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    for name, text in files(page).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    namespace: dict[str, object] = {}
    for number, block in enumerate(blocks(page)):
        exec(compile(block, f"{page.name}, example {number + 1}", "exec"), namespace)


def test_the_readme_has_an_example_of_about_a_dozen_lines_and_fits_a_screen() -> None:
    (example,) = blocks(ROOT / "README.md")
    assert 8 <= len(example.splitlines()) <= 16
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 50


@pytest.mark.parametrize("file", generated.pages(), ids=lambda file: file.name)
def test_generated_parts_are_fresh(file: Path) -> None:
    """`python tools/docs.py` writes them anew."""
    assert file.read_text(encoding="utf-8") == generated.pages()[file]


def test_what_a_network_began_from_is_told_piece_by_piece() -> None:
    first = {"players": [2, 3, 4], "steps": 243_793_920, "learning": {"win_weight": 0.4}}
    second = {"players": [2], "steps": 325_058_560, "learning": {"win_weight": 0.6}}
    words = "244 million decisions with 2, 3 and 4 players (win weight 0.4), 325 million with 2 (win weight 0.6)"
    assert generated.begun_words([first, second]) == words
    assert generated.begun_words([]) == ""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text) + re.findall(r'src="([^"]+)"', text):
        if not target.startswith("https://"):
            assert (page.parent / target).exists(), target
