"""The page opens."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.conftest import Picture


def test_the_home_page_opens(page: Page, picture: Picture) -> None:
    page.goto("/")
    expect(page).to_have_title("Embertown")
    expect(page.get_by_role("main")).to_be_visible()
    picture(page, "home-day-desk")


def test_the_home_page_opens_on_a_phone(phone: Page, picture: Picture) -> None:
    phone.goto("/")
    expect(phone.get_by_role("main")).to_be_visible()
    picture(phone, "home-day-phone")
