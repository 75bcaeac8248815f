"""Drunter & Drüber at one device that goes round: a curtain before a seat's secrets, nothing left of the last one's."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.anyone import CURTAIN, HAND, Mouse, play_until
from tests.browser.conftest import Picture
from tests.browser.playing import is_over
from tests.browser.test_votes import FACE_DOWN, cards_on, vote

PEOPLE = ("Anna", "Ben")
SECRETS = ".secret, .choosing, .hand, .board .spot, .pile:enabled"
"""What only those see whose turn it is."""
WORDS_BUT_MEANINGS = """() => {
    const copy = document.body.cloneNode(true);
    copy.querySelectorAll('.meanings').forEach((each) => each.remove());
    return copy.outerHTML;
}"""
"""The whole page, hidden parts too, without the list that explains every objective."""


def at_one_device(page: Page, *options: str) -> None:
    """Make a table for two people at this device, with these options."""
    page.goto("/new?game=drunter&how=device")
    page.get_by_label("Players", exact=True).select_option("2")
    for number, name in enumerate(PEOPLE, 1):
        page.get_by_label(f"Name of player {number}").fill(name)
    for option in options:
        page.get_by_role("checkbox", name=f"{option}. ").check()
    page.get_by_role("button", name="Make the table").click()
    page.locator("svg.frame").wait_for()


def whose(page: Page) -> str:
    """Whom the device is to be handed to."""
    curtain = page.get_by_role("dialog")
    expect(curtain).to_contain_text("Hand the device to")
    return next(name for name in PEOPLE if name in curtain.inner_text())


def take(page: Page) -> str:
    """Take the device; who that is. Behind the curtain there was nothing of anybody."""
    name = whose(page)
    expect(page.locator(SECRETS)).to_have_count(0)
    page.locator(CURTAIN).click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert not page.locator(".table[inert]").count()
    return name


def assert_nothing_is_reached_but_the_curtain(page: Page) -> None:
    """What is behind is inert: neither Tab nor a screen reader comes there."""
    expect(page.locator(".table")).to_have_attribute("inert", "")
    for _ in range(5):
        page.keyboard.press("Tab")
        assert not page.evaluate("() => Boolean(document.activeElement.closest('.table'))")


def objective(page: Page) -> str:
    """What one's card means; it is turned over for that."""
    expect(page.locator(".secret svg")).to_have_attribute("aria-label", FACE_DOWN)
    page.get_by_role("button", name="Show my card").click()
    return page.locator(".secret .meaning").inner_text().partition(". ")[2]


def test_nobody_sees_the_others_card(page: Page, picture: Picture) -> None:
    at_one_device(page)
    whose(page)
    picture(page, "drunter-curtain")
    assert_nothing_is_reached_but_the_curtain(page)
    goals: dict[str, str] = {}
    for _ in range(4):
        name = take(page)
        goal = objective(page)
        assert goals.setdefault(name, goal) == goal
        there = page.evaluate(WORDS_BUT_MEANINGS)
        assert goal in there
        assert not any(other in there for who, other in goals.items() if who != name)
        play_until(page, Mouse, seed=2, until=lambda: page.locator(CURTAIN).count() > 0)
        assert not any(each in page.evaluate(WORDS_BUT_MEANINGS) for each in goals.values())
    assert sorted(goals) == sorted(PEOPLE)
    assert len(set(goals.values())) == len(PEOPLE)


def test_a_vote_goes_round(page: Page) -> None:
    at_one_device(page)
    take(page)
    page.get_by_role("tab", name="Log").click()
    play_until(page, Mouse, seed=1, until=lambda: page.locator(HAND).count() > 0)
    first = page.locator(".bar").inner_text()
    name = next(each for each in PEOPLE if each in first)
    card = vote(page, 0)
    other = take(page)
    assert other != name
    assert cards_on(page) == [FACE_DOWN]
    expect(page.locator(".log")).to_contain_text(f"{name} has voted")
    expect(page.locator(".log")).not_to_contain_text(f"{name} votes")
    vote(page, 1)
    expect(page.locator(".log")).to_contain_text(f"{name} votes {card}")
    expect(page.locator(".log")).to_contain_text(re.compile(r"\d yes, \d no"))
    assert not is_over(page)


def choose(page: Page) -> str:
    """Choose the first of one's two objectives, as soon as one is asked; who that is."""
    play_until(page, Mouse, seed=3, until=lambda: page.locator(".choosing").count() > 0)
    name = next(each for each in PEOPLE if each in page.locator(".bar").inner_text())
    page.locator(".choosing .two button").first.click()
    page.locator(".choosing button.primary").click()
    return name


def test_objectives_are_chosen_behind_the_curtain(page: Page) -> None:
    at_one_device(page, "Two objectives")
    take(page)
    page.get_by_role("tab", name="Log").click()
    first = choose(page)
    assert take(page) != first
    expect(page.locator(".log")).to_contain_text(f"{first} has chosen an objective")
    assert "has chosen: " not in page.locator(".log").inner_text()
    assert choose(page) != first
