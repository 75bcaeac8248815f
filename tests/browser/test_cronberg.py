"""Whole games of Cronberg through the page: by the mouse, by keys, by taps."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Picture, Visit
from tests.browser.playing import CONFIRM, DRAW, SPOT, Way, by_clicks, by_keys, by_taps, middle_of, play_out, position

PLAY_NOW = "Play now"


def play_now(page: Page) -> None:
    """From the home page to a table, with one click."""
    page.goto("/")
    page.locator("article", has_text="Roland").get_by_role("button", name=PLAY_NOW).click()
    page.locator("svg.frame").wait_for()


@pytest.mark.parametrize(("way", "phone"), [(by_clicks, False), (by_keys, False), (by_taps, True)])
def test_a_whole_game(way: Way, phone: bool, visit: Visit, picture: Picture) -> None:
    page = visit(phone=phone)
    play_now(page)
    play_out(page, way, seed=3)
    expect(page.locator(".over h1")).to_contain_text("won")
    expect(page.get_by_role("link", name="Watch again")).to_be_visible()
    picture(page, f"cronberg-over-{way.__name__}")


def test_a_draft_survives_a_refresh_and_steps_back(page: Page) -> None:
    play_now(page)
    page.get_by_role("button", name=DRAW).click()
    page.locator(".hand.mine").wait_for()
    page.mouse.click(*middle_of(page.locator(SPOT).nth(5)))
    chosen = page.locator(".draft .chosen strong").inner_text()
    before = position(page)
    page.reload()
    expect(page.locator(".draft .chosen strong")).to_have_text(chosen)
    assert position(page) == before
    page.keyboard.press("Control+z")
    expect(page.get_by_role("button", name=CONFIRM)).to_have_count(0)


def test_what_a_move_brings_is_told_before_it_is_made(page: Page) -> None:
    """The last rhomb beside a token shows the token's points on the ghost, and in words."""
    play_now(page)
    for _ in range(40):
        page.wait_for_selector(f"{SPOT}, .over")
        if page.get_by_role("button", name=DRAW).is_visible():
            page.get_by_role("button", name=DRAW).click()
            page.locator(".hand.mine, .over").first.wait_for()
        spots = page.locator(SPOT)
        for index in range(min(spots.count(), 12)):
            page.mouse.click(*middle_of(spots.nth(index)))
            page.wait_for_timeout(0)
            if page.locator(".foretold").count():
                expect(page.locator(".foretold").first).not_to_be_empty()
                return
        number = position(page)
        page.get_by_role("button", name=CONFIRM).click()
        page.wait_for_function("(before) => document.querySelector('.table').dataset.number !== before", arg=number)
    raise AssertionError("no move brought anything about")
