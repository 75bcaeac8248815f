"""The pictures of the rules: fresh, small, complete in themselves, without words."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import rule_pictures as made  # noqa: E402

CARDS = {"Ja", "Jaa", "Jaaa", "Ne", "Nee", "Neee", "Jeeiin"}
FILES = sorted((ROOT / "web" / "public" / "rules").glob("*.svg"))
EACH = pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)


def test_pictures_are_fresh() -> None:
    """`python tools/rule_pictures.py` writes them anew."""
    pictures = made.pictures()
    assert [file.name for file, text in pictures.items() if file.read_text(encoding="utf-8") != text] == []
    assert sorted(pictures) == FILES


@EACH
def test_a_picture_is_small(file: Path) -> None:
    assert file.stat().st_size < made.LARGEST


@EACH
def test_a_picture_has_all_that_it_refers_to_and_nothing_else(file: Path) -> None:
    root = ElementTree.fromstring(file.read_text(encoding="utf-8"))
    named = [element.attrib["id"] for element in root.iter() if "id" in element.attrib]
    used = set(re.findall(r'(?:href="|url\()#([\w-]+)', file.read_text(encoding="utf-8")))
    assert len(named) == len(set(named))
    assert used == set(named)
    assert "http" not in file.read_text(encoding="utf-8").replace(made.NAMESPACE, "")


@EACH
def test_a_picture_has_a_colour_for_every_class_by_day_and_by_night(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    day, night = (
        set(re.findall(r"--((?:cb|dr)-\w+):#", part)) for part in text.split("@media(prefers-color-scheme:dark)")
    )
    used = set(re.findall(r"var\(--([\w-]+)\)", text))
    assert day
    assert day == night
    assert used <= day


@EACH
def test_a_picture_has_no_words(file: Path) -> None:
    """So that one serves all languages: numbers, names of places, letters of players and the cards' own words."""
    root = ElementTree.fromstring(file.read_text(encoding="utf-8"))
    written = " ".join(element.text or "" for element in root.iter(f"{{{made.NAMESPACE}}}text"))
    words = set(re.findall(r"[^\W\d_]{2,}", written))
    assert words <= CARDS
    assert not list(root.iter(f"{{{made.NAMESPACE}}}title"))
