"""Every page for everyone: languages, both palettes, desk and phone, and axe, which finds barriers."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Picture, Visit
from tests.browser.test_cronberg import play_now

PAGES = {
    "home": "/",
    "new": "/new?game=drunter",
    "device": "/new?game=cronberg&how=device",
    "open": "/open",
    "mine": "/mine",
    "settings": "/settings",
    "rules-cronberg": "/rules/cronberg",
    "rules-drunter": "/rules/drunter#D6.1",
    "replay": "/replay",
    "tutorial-cronberg": "/tutorial/cronberg",
    "tutorial-drunter": "/tutorial/drunter",
    "nowhere": "/nowhere",
}


def barriers(page: Page) -> list[str]:
    """What axe finds."""
    found: list[dict[str, Any]] = Axe().run(page).response["violations"]
    return [f"{each['id']}: {each['nodes'][0]['html'][:200]}" for each in found]


@pytest.mark.parametrize("palette", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_pages_have_no_barriers(name: str, palette: str, visit: Visit, picture: Picture, problems: Any) -> None:
    problems.expect("404")
    page = visit(color_scheme=palette)
    page.goto(PAGES[name])
    page.locator("main h1, main h2, main [role=alert]").first.wait_for()
    page.wait_for_load_state("networkidle")
    picture(page, f"{name}-{palette}-desk")
    assert not barriers(page)
    phone = visit(color_scheme=palette, phone=True)
    phone.goto(PAGES[name])
    phone.locator("main h1, main h2, main [role=alert]").first.wait_for()
    phone.wait_for_load_state("networkidle")
    picture(phone, f"{name}-{palette}-phone")
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth"), "wider than the screen"


@pytest.mark.parametrize("palette", ["light", "dark"])
def test_a_table_has_no_barriers(palette: str, visit: Visit, picture: Picture) -> None:
    for phone in (False, True):
        page = visit(color_scheme=palette, phone=phone)
        play_now(page)
        page.locator(".due button.primary").first.wait_for()
        for tab in ("Log", "Talk", "More", "Town"):
            page.get_by_role("tab", name=tab).click()
            assert not barriers(page)
        picture(page, f"cronberg-{palette}-{'phone' if phone else 'desk'}")
        assert page.evaluate("document.documentElement.scrollWidth") <= page.evaluate("innerWidth")


@pytest.mark.parametrize(("locale", "words"), [("de-DE", "Jetzt spielen"), ("fr-FR", "Jouer"), ("nl-NL", "Play now")])
def test_the_browsers_language_is_spoken_at_first(locale: str, words: str, visit: Visit) -> None:
    page = visit(locale=locale)
    page.goto("/")
    expect(page.get_by_role("button", name=words, exact=True).first).to_be_visible()


def test_the_language_can_be_changed_and_is_kept(page: Page) -> None:
    page.goto("/settings")
    page.get_by_label("Language").select_option("de")
    expect(page.get_by_role("heading", level=1)).to_have_text("Einstellungen")
    page.goto("/")
    expect(page.get_by_role("button", name="Jetzt spielen").first).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "de")


def test_settings_may_be_changed_before_the_server_knows_who_it_is(page: Page) -> None:
    """What is written stays as it is written, and is kept as soon as somebody is there to keep it for."""
    waiting: list[Route] = []
    page.route("**/api/guests", lambda route: waiting.append(route))  # noqa: PLW0108 (it is marked)
    page.goto("/settings")
    page.get_by_label("Language").select_option("de")
    name = page.get_by_label("Dein Name")
    name.focus()
    assert name.input_value() == ""
    with page.expect_response("**/api/me"):  # the language
        waiting[0].continue_()
    page.keyboard.type("Anna")
    expect(name).to_have_value("Anna")
    page.keyboard.press("Tab")
    expect(page.get_by_role("status").filter(has_text="Gespeichert")).to_be_visible()
    page.unroute("**/api/guests")
    page.reload()
    expect(name).to_have_value("Anna")
    name.focus()
    page.keyboard.press("Tab")
    expect(name).to_have_value("Anna")


def test_twice_as_large_still_fits(visit: Visit) -> None:
    """200 per cent on a desk is half as many pixels."""
    page = visit(viewport={"width": 640, "height": 400}, device_scale_factor=2)
    for address in PAGES.values():
        if address != "/nowhere":
            page.goto(address)
            page.locator("main h1, main h2").first.wait_for()
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), address
