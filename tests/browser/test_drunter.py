"""Drunter & Drüber through the page: whole games by the mouse, by keys and by taps."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.anyone import Finger, Keys, Mouse, Way, play_until
from tests.browser.conftest import Picture, Visit
from tests.browser.playing import is_over


def play_now(page: Page) -> None:
    """From the home page to a table, with one click."""
    page.goto("/")
    page.locator("article", has_text="Teuber").locator("button.primary").click()
    page.locator("svg.frame").wait_for()


@pytest.mark.parametrize(("way", "phone"), [(Mouse, False), (Keys, False), (Finger, True)])
def test_a_whole_game(way: Way, phone: bool, visit: Visit, picture: Picture) -> None:
    page = visit(phone=phone)
    play_now(page)
    play_until(page, way, seed=5, until=lambda: is_over(page))
    expect(page.locator(".over h1")).to_contain_text("won")
    expect(page.locator(".over .winner").first).to_be_visible()
    expect(page.get_by_role("link", name="Watch again")).to_be_visible()
    picture(page, f"drunter-over-{way.__name__.lower()}")
