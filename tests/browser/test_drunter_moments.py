"""Moments of Drunter & Drüber: pages loaded again in the middle of something, two objectives, barriers in a vote."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.anyone import HAND, Keys, Mouse, play_until
from tests.browser.conftest import DESK, PHONE, Picture, Visit
from tests.browser.playing import CONFIRM, SPOT, is_over, middle_of, position
from tests.browser.test_drunter import play_now
from tests.browser.test_everyone import barriers
from tests.browser.test_votes import choose_card, vote

CHOOSING = ".choosing"


def play_until_vote(page: Page, seed: int) -> None:
    """Until one is asked for a vote."""
    play_until(page, Mouse, seed, until=lambda: page.locator(HAND).count() > 0)


def test_a_draft_survives_a_refresh(page: Page) -> None:
    play_now(page)
    page.locator(SPOT).first.wait_for()
    page.mouse.click(*middle_of(page.locator(SPOT).first))
    chosen = page.locator(".draft .chosen strong").inner_text()
    before = position(page)
    page.reload()
    expect(page.locator(".draft .chosen strong")).to_have_text(chosen)
    assert position(page) == before
    page.get_by_role("button", name=CONFIRM).click()
    page.wait_for_function("(n) => document.querySelector('.table').dataset.number !== n", arg=before)


def test_a_vote_survives_a_refresh(page: Page) -> None:
    play_now(page)
    play_until_vote(page, seed=4)
    expect(page.locator(".votes svg[role=img]")).to_have_count(1)  # the bot's, which counts as an entry
    proposed, before = page.locator(".vote .tile p").inner_text(), position(page)
    choose_card(page, 0)
    page.reload()
    expect(page.locator(".vote .tile p")).to_have_text(proposed, use_inner_text=True)
    assert position(page) == before
    expect(page.locator(f"{HAND} button").first).to_have_attribute("aria-pressed", "true")
    expect(page.locator(f"{HAND} button[aria-pressed=true]")).to_have_count(1)
    card = vote(page, 1)
    page.reload()
    page.get_by_role("tab", name="Log").wait_for()
    play_until(page, Mouse, seed=4, until=lambda: page.locator(SPOT).count() > 0)
    page.get_by_role("tab", name="Log").click()
    expect(page.locator(".log")).to_contain_text(f"votes {card}")


def test_two_objectives(visit: Visit, picture: Picture) -> None:
    """The variant by keys, without movement: the choice comes up once, and the end shows what was chosen."""
    page = visit(reduced_motion="reduce")
    page.goto("/new?game=drunter")
    page.get_by_label("Seat 2", exact=True).select_option("apprentice")
    page.get_by_role("checkbox", name="Two objectives. ").check()
    page.get_by_role("button", name="Make the table").click()
    page.locator("svg.frame").wait_for()
    page.get_by_role("button", name="Show my cards").click()
    expect(page.locator(".secret .meaning")).to_have_count(2)
    play_until(page, Keys, seed=6, until=lambda: page.locator(CHOOSING).count() > 0)
    picture(page, "drunter-choosing")
    cards = [each.get_attribute("aria-label") or "" for each in page.locator(f"{CHOOSING} svg").all()]
    page.locator(f"{CHOOSING} .two button").nth(1).click()
    page.locator(f"{CHOOSING} button.primary").click()
    page.locator(CHOOSING).wait_for(state="detached")
    play_until(page, Mouse, seed=6, until=lambda: is_over(page))
    own = page.locator(".final li").filter(has_text="breaks ties").filter(has_text=f"({cards[0]})")
    expect(own.locator("svg[role=img]").first).to_have_attribute("aria-label", cards[1])
    expect(page.locator(".final li")).to_have_count(2)
    picture(page, "drunter-over-two-objectives")


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_a_vote_has_no_barriers(size: dict[str, Any], visit: Visit, picture: Picture) -> None:
    page = visit(reduced_motion="reduce", **size)
    play_now(page)
    play_until_vote(page, seed=7)
    choose_card(page, 0)
    for palette in ("light", "dark"):
        page.emulate_media(color_scheme=palette)
        picture(page, f"drunter-vote-{palette}-{size['viewport']['width']}")
        assert not barriers(page)
        assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
