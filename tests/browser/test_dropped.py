"""Records that are dragged onto the page: good ones open, broken ones are refused with their rule."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Picture, Problems, Visit
from tests.browser.test_everyone import barriers
from tests.browser.test_replay import RECORDS

COPY = 1
"""What a drag of files offers to do, in the protocol of Chromium's tools."""


def drop(page: Page, file: Path) -> None:
    """Drag a file from outside onto the page, and let go."""
    tools = page.context.new_cdp_session(page)
    data = {"items": [], "files": [str(file)], "dragOperationsMask": COPY}
    for kind in ("dragEnter", "dragOver", "drop"):
        tools.send("Input.dispatchDragEvent", {"type": kind, "x": 300, "y": 300, "data": data})
    tools.detach()


@pytest.mark.parametrize("name", ["cronberg-2", "drunter-3"])
def test_a_good_record_opens(name: str, page: Page) -> None:
    page.goto("/replay")
    page.locator(".drop").wait_for()
    drop(page, RECORDS / f"{name}.json")
    page.locator(".replay .board svg").wait_for()
    expect(page.get_by_role("slider")).to_have_value("0")


def test_a_broken_record_is_refused_and_a_good_one_opens_after_it(
    page: Page, tmp_path: Path, problems: Problems
) -> None:
    problems.expect("422")
    record = json.loads((RECORDS / "drunter-3.json").read_text())
    record["moves"] = record["moves"][1:]
    broken = tmp_path / "broken.json"
    broken.write_text(json.dumps(record))
    page.goto("/replay")
    page.locator(".drop").wait_for()
    drop(page, broken)
    expect(page.get_by_role("alert").locator("p").first).not_to_be_empty()
    expect(page.locator(".replay")).to_have_count(0)
    drop(page, RECORDS / "drunter-3.json")
    page.locator(".replay .board svg").wait_for()


SCORED_WRONG = {
    "en-GB": ("it says", "by rule C6.1 right would be", "Rule C6.1"),
    "de-DE": ("Da steht", "nach Regel C6.1 richtig wäre", "Regel C6.1"),
    "fr-FR": ("il y a", "selon la règle C6.1, il faudrait", "Règle C6.1"),
}


@pytest.mark.parametrize("locale", SCORED_WRONG)
def test_a_broken_rule_is_told_by_move_name_and_words(
    locale: str, visit: Visit, tmp_path: Path, problems: Problems, picture: Picture
) -> None:
    problems.expect("422")
    record = json.loads((RECORDS / "cronberg-2.json").read_text())
    number, move = next((at + 1, move) for at, move in enumerate(record["moves"]) if "scored" in move)
    move["scored"][0]["points"] += 1
    file = tmp_path / "falsified.json"
    file.write_text(json.dumps(record))
    page = visit(locale=locale, phone=locale == "de-DE", color_scheme="dark" if locale == "de-DE" else "light")
    page.goto("/replay")
    page.locator("input[type=file]").set_input_files(file)
    told = page.get_by_role("alert")
    said, right, link = SCORED_WRONG[locale]
    for words in (f" {number}, {record['seats'][move['seat']]['name']} (", "+".join(move["on"]), said, right):
        expect(told).to_contain_text(words)
    expect(told.get_by_role("link", name=link)).to_have_attribute("href", "/rules/cronberg#C6.1")
    assert "moves[" not in told.inner_text()  # but in the details, which are closed
    assert barriers(page) == []
    picture(page, f"broken-record-{locale}")


UNREADABLE = {
    "cut.json": ((RECORDS / "cronberg-2.json").read_bytes()[:1000], "ends in the middle, at line 1, column 1001."),
    "empty.json": (b"", "nothing in it"),
    "picture.png": (b"\x89PNG\r\n\x1a\n\0\0", "no text, but a picture"),
    "package.json": (b'{"name": "something else"}', "of something else"),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_is_no_record_is_told_by_its_name_and_why(
    name: str, page: Page, tmp_path: Path, problems: Problems
) -> None:
    problems.expect("422")
    content, said = UNREADABLE[name]
    file = tmp_path / name
    file.write_bytes(content)
    page.goto("/replay")
    page.locator(".drop").wait_for()
    drop(page, file)
    expect(page.get_by_role("alert")).to_contain_text(said)
    expect(page.get_by_role("alert")).to_contain_text(name)
    expect(page.get_by_role("alert")).to_contain_text("Right would be")
    page.locator("input[type=file]").set_input_files(RECORDS / "cronberg-2.json")
    page.locator(".replay .board svg").wait_for()
