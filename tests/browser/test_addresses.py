"""Addresses that somebody typed: what is not there is said, with a way on."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_everyone import barriers

WAYS = {
    "/rules/chess": "/rules/drunter",
    "/tutorial/chess": "/tutorial/drunter",
    "/new?game=chess&how=device": "/new?game=drunter&how=device",
}


@pytest.mark.parametrize("address", WAYS)
def test_a_game_that_is_not_there(address: str, page: Page) -> None:
    page.goto(address)
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("no game called “chess”")
    assert not barriers(page)
    alert.get_by_role("link", name="Drunter & Drüber").click()
    expect(page.get_by_role("alert")).to_have_count(0)
    page.locator("main h1").wait_for()
    assert page.url.endswith(WAYS[address])


@pytest.mark.parametrize("address", ["/rules", "/tutorial", "/new"])
def test_without_a_name_the_first_game_is_shown(address: str, page: Page) -> None:
    page.goto(address)
    page.locator("main h1").wait_for()
    expect(page.get_by_role("alert")).to_have_count(0)
