"""Votes of Drunter & Drüber, seen by everybody at the table."""

from __future__ import annotations

import random
from collections.abc import Sequence

from playwright.sync_api import Page, expect

from tests.browser.anyone import HAND, HAS_GONE_ON, Mouse, offers, step
from tests.browser.conftest import Picture, Visit
from tests.browser.playing import OVER, position
from tests.browser.test_friends import link_of, new_table, sit_down

FACE_DOWN = "A secret card"
MOST_TURNS = 60
WATCH = """() => {
    new MutationObserver(() => {
        if (!document.querySelector('.vote .tally')) return;
        const told = (what) => [...document.querySelectorAll(what)].map((each) => each.textContent.trim());
        const cards = [...document.querySelectorAll('.votes svg[role=img]')].map((each) => each.ariaLabel);
        window.counted = { cards, tally: told('.tally > .hidden-visually'), outcome: told('.outcome').length };
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""
"""Notes what a page shows of a vote's end, which goes by."""


def cards_on(page: Page) -> list[str]:
    """The cards that lie on the table of a vote, as they are called."""
    return [each.get_attribute("aria-label") or "" for each in page.locator(".votes svg[role=img]").all()]


def choose_card(page: Page, card: int) -> None:
    """Choose a card of one's hand; one that was chosen already would be put back by another click."""
    button = page.locator(f"{HAND} button").nth(card)
    if button.get_attribute("aria-pressed") != "true":
        button.click()


def vote(page: Page, card: int) -> str:
    """Vote with a card of one's hand; what it is called."""
    before = position(page)
    name: str = page.locator(f"{HAND} svg").nth(card).get_attribute("aria-label") or ""
    choose_card(page, card)
    page.locator(".vote button.primary").click()
    page.wait_for_function(HAS_GONE_ON, arg=[OVER, before])
    return name


def play_until_vote(pages: Sequence[Page]) -> None:
    """Everybody plays until all have a vote before them."""
    for number in range(MOST_TURNS):
        for page in pages:
            if not page.locator(HAND).count() and offers(page):
                step(page, Mouse(page), random.Random(number))
        newest = str(max(int(position(page)) for page in pages))
        for page in pages:
            expect(page.locator(".table")).to_have_attribute("data-number", newest)
        if any(page.locator(HAND).count() for page in pages):
            for page in pages:
                page.locator(HAND).wait_for()
            return
    raise AssertionError("nothing was voted on")


def test_a_vote_among_three(visit: Visit, picture: Picture) -> None:
    pages = [visit() for _ in range(3)]
    new_table(pages[0], ("Players", "3"), how="game=drunter")
    links = [link_of(pages[0], f"Link for seat {seat}") for seat in (2, 3)]
    for page, link in zip(pages[1:], links, strict=True):
        sit_down(page, link)
    play_until_vote(pages)
    first = vote(pages[0], 0)
    expect(pages[1].locator(".votes")).to_contain_text("has voted")
    assert cards_on(pages[0]) == [first]
    pages[0].reload()
    expect(pages[0].locator(".votes svg[role=img]")).to_have_count(1)
    assert cards_on(pages[0]) == [first]
    assert cards_on(pages[1]) == [FACE_DOWN]
    second = vote(pages[1], 1)
    expect(pages[2].locator(".votes svg[role=img]")).to_have_count(2)
    assert cards_on(pages[2]) == [FACE_DOWN, FACE_DOWN]
    assert sorted(cards_on(pages[1])) == sorted([FACE_DOWN, second])
    assert all(not page.locator(".tally").count() for page in pages)
    picture(pages[2], "drunter-vote-among-three")
    for page in pages:
        page.evaluate(WATCH)
    third = vote(pages[2], 3)
    for page in pages:
        page.wait_for_function("() => window.counted?.outcome")
        told = page.evaluate("() => window.counted")
        assert sorted(told["cards"]) == sorted([first, second, third])
        assert told["tally"] == ["3 yes, 1 no"]
