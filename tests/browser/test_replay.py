"""Games again: records good and broken, walking through them, trying moves, something to share, and lessons."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from embertown.server import records, replaying
from tests.browser.conftest import Picture, Visit
from tests.browser.playing import CONFIRM, DRAW, SPOT, middle_of
from tests.browser.test_everyone import barriers

RECORDS = Path(__file__).parents[1] / "records"
PNG = b"\x89PNG\r\n\x1a\n"
MOST_TAPS = 200


def load(page: Page, name: str) -> None:
    """Open a record from a file."""
    page.goto("/replay")
    page.locator("input[type=file]").set_input_files(RECORDS / f"{name}.json")
    page.locator(".replay .board svg").wait_for()


def entries(name: str) -> list[Any]:
    """What a record's replay holds, by the server's own code."""
    return replaying.of_record(*records.checked((RECORDS / f"{name}.json").read_text()), None)["entries"]


def step(page: Page) -> int:
    """The step in the address."""
    return int(page.url.partition("#")[2])


@pytest.mark.parametrize("name", ["cronberg-3", "drunter-variant-3", "cronberg-own-edition-2"])
def test_a_record_is_walked_through_with_keys(name: str, page: Page, picture: Picture) -> None:
    load(page, name)
    slider = page.get_by_role("slider")
    expect(slider).to_have_value("0")
    page.keyboard.press("ArrowRight")
    expect(slider).to_have_value("1")
    page.keyboard.press("End")
    expect(slider).to_have_value(str(slider.get_attribute("max")))
    assert step(page) == len(entries(name))
    last = page.locator("[aria-current=step]").inner_text()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("[aria-current=step]")).not_to_have_text(last)
    page.keyboard.press("Home")
    expect(slider).to_have_value("0")
    page.keyboard.press("Space")
    expect(slider).not_to_have_value("0")
    assert not barriers(page)
    picture(page, f"replay-{name}-desk")


def test_a_record_is_still_there_when_the_page_is_loaded_again(page: Page) -> None:
    load(page, "cronberg-3")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    slider = page.get_by_role("slider")
    expect(slider).to_have_value("2")
    page.reload()
    expect(slider).to_have_value("2")
    page.get_by_role("button", name="Another record").click()
    expect(slider).to_have_count(0)
    page.reload()
    expect(page.get_by_label("Or paste it")).to_be_visible()
    expect(slider).to_have_count(0)


def test_a_broken_record_is_refused_with_its_rule(page: Page, tmp_path: Path, problems: Any) -> None:
    problems.expect("422")
    record = json.loads((RECORDS / "cronberg-2.json").read_text())
    next(move for move in record["moves"] if move.get("scored"))["scored"][0]["points"] += 1
    broken = tmp_path / "broken.json"
    broken.write_text(json.dumps(record))
    page.goto("/replay")
    page.locator("input[type=file]").set_input_files(broken)
    expect(page.get_by_role("alert")).to_contain_text("scored[0].points")
    page.get_by_role("alert").get_by_role("link", name="C6.1").click()
    expect(page.locator("#C6\\.1")).to_be_visible()


def test_what_is_no_record_is_said_so(page: Page, problems: Any) -> None:
    problems.expect("422")
    page.goto("/replay")
    page.get_by_label("Or paste it").fill("nothing of the kind")
    page.get_by_role("button", name="Open").click()
    expect(page.get_by_role("alert")).to_contain_text("can't be")


def test_pictures_and_the_record_are_kept(page: Page, tmp_path: Path) -> None:
    load(page, "cronberg-3")
    page.keyboard.press("End")
    page.get_by_role("button", name="Share").click()
    kept = {}
    for button, ending in (("Picture (PNG)", "png"), ("Picture (SVG)", "svg"), ("Record", "json")):
        with page.expect_download() as download:
            page.get_by_role("button", name=button, exact=True).click()
        assert download.value.suggested_filename.endswith(ending)
        download.value.save_as(tmp_path / ending)
        kept[ending] = (tmp_path / ending).read_bytes()
    assert kept["png"].startswith(PNG)
    assert b"Ulla" in kept["svg"]
    for font in (b"EB Garamond", b"Source Sans 3"):  # it looks the same wherever it goes
        assert b"@font-face{font-family:'" + font + b"'" in kept["svg"]
    assert b"http" not in kept["svg"].replace(b"http://www.w3.org/2000/svg", b"")
    assert json.loads(kept["json"]) == json.loads((RECORDS / "cronberg-3.json").read_text())


def test_moves_are_tried_on_a_private_board(visit: Visit, picture: Picture) -> None:
    for phone in (False, True):
        page = visit(phone=phone)
        load(page, "cronberg-3")
        page.keyboard.press("ArrowRight")
        before = page.locator(".beside ol").first.inner_text()
        page.get_by_role("button", name="Try moves from here").click()
        board = page.get_by_role("dialog", name="Private board")
        board.get_by_role("button", name=DRAW).click()
        board.get_by_label("Suppose you drew").select_option("drawn church")
        expect(board.locator("h1")).to_contain_text("church")
        page.mouse.click(*middle_of(board.locator(".spot").first))
        board.get_by_role("button", name=CONFIRM).click()
        expect(board.get_by_role("button", name=DRAW)).to_be_visible()
        picture(page, f"private-board-{'phone' if phone else 'desk'}")
        assert not barriers(page)
        board.get_by_role("button", name="A step back").click()
        board.get_by_role("button", name="A step back").click()
        expect(board.get_by_role("button", name="A step back")).to_be_disabled()
        board.get_by_role("button", name="Leave").click()
        expect(board).to_have_count(0)
        assert page.locator(".beside ol").first.inner_text() == before


def learn(page: Page) -> None:
    """Somebody who taps anything, and after two kind words what is shown."""
    begin, go_on = page.get_by_role("button", name="Begin"), page.get_by_role("button", name="Go on")
    confirm, play = page.get_by_role("button", name=CONFIRM), page.get_by_role("button", name="Play now")
    hint, draw = page.locator(".hint"), page.get_by_role("button", name=DRAW)
    begin.click()
    for _ in range(MOST_TAPS):
        go_on.or_(confirm).or_(play).or_(draw).or_(page.locator(SPOT)).first.wait_for()
        if play.is_visible():
            return
        for button in (go_on, confirm):
            if button.is_visible():
                button.click()
                break
        else:
            if hint.is_visible() and DRAW in hint.inner_text():
                draw.click()
            else:
                page.mouse.click(*middle_of(page.locator(SPOT).first))
    raise AssertionError("the lesson does not end")


def test_a_newcomer_learns_cronberg(visit: Visit, picture: Picture) -> None:
    for phone in (False, True):
        page = visit(phone=phone)
        page.goto("/tutorial/cronberg")
        learn(page)
        picture(page, f"lesson-{'phone' if phone else 'desk'}")
        assert not barriers(page)
    page.get_by_role("button", name="Play now").click()
    page.locator(".table .board svg").wait_for()


def test_schilda_stands_upright_in_the_lesson_on_a_phone(phone: Page) -> None:
    phone.goto("/tutorial/drunter")
    phone.get_by_role("button", name="Begin").click()
    board = phone.locator(".lesson .board svg.frame")
    board.wait_for()
    box = board.bounding_box()
    assert box is not None
    assert box["height"] > box["width"] > 0.9 * phone.evaluate("innerWidth")
    for _ in range(MOST_TAPS):
        if phone.get_by_role("button", name=CONFIRM).is_visible():
            break
        phone.locator(SPOT).first.wait_for()
        phone.touchscreen.tap(*middle_of(phone.locator(SPOT).first))
    expect(phone.get_by_role("button", name=CONFIRM)).to_be_in_viewport()
    phone.get_by_role("button", name=CONFIRM).tap()
    expect(phone.get_by_role("button", name="Go on")).to_be_in_viewport()
