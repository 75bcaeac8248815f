"""People who play through the page: by the mouse alone, by keys alone, by taps alone. They know no rule either.

They do what the page offers: a spot that is drawn on the board, a button that is there. What they choose follows from a
seed, so that a game can be played again.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

MOST_DECISIONS = 200
DRAW = "Draw a rhomb"
PASS = "Pass"
CONFIRM = "Confirm"
OVER = ".over"
SPOT = ".board .spot"

Way = Callable[[Page, random.Random], None]


def middle_of(spot: Locator) -> tuple[float, float]:
    """Where on the screen a spot is."""
    box = spot.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def may_act(page: Page) -> bool:
    """Whether something can be decided now, or all is over."""
    return bool(
        page.evaluate(
            """([spot, over]) => Boolean(document.querySelector(over) || document.querySelector(spot)
            || [...document.querySelectorAll('.due button.primary')].some((each) => !each.disabled))""",
            [SPOT, OVER],
        )
    )


def wait_for_turn(page: Page) -> None:
    """Until something can be decided, or all is over."""
    page.wait_for_function(
        """([spot, over]) => document.querySelector(over) || document.querySelector(spot)
        || [...document.querySelectorAll('.due button.primary')].some((each) => !each.disabled)""",
        arg=[SPOT, OVER],
    )


def is_over(page: Page) -> bool:
    """Whether the end is shown."""
    return page.locator(OVER).is_visible()


def by_clicks(page: Page, chance: random.Random) -> None:
    """One decision with the mouse."""
    if page.get_by_role("button", name=DRAW).is_visible() and chance.random() < 0.7:
        page.get_by_role("button", name=DRAW).click()
        return
    spots = page.locator(SPOT)
    if not spots.count():
        page.locator(".due button.primary").first.click()
        return
    page.mouse.click(*middle_of(spots.nth(chance.randrange(spots.count()))))
    page.get_by_role("button", name=CONFIRM).click()


def by_taps(page: Page, chance: random.Random) -> None:
    """One decision with a finger."""
    if page.get_by_role("button", name=DRAW).is_visible() and chance.random() < 0.7:
        page.get_by_role("button", name=DRAW).tap()
        return
    spots = page.locator(SPOT)
    if not spots.count():
        page.locator(".due button.primary").first.tap()
        return
    spot = spots.nth(chance.randrange(spots.count()))
    spot.scroll_into_view_if_needed()
    page.touchscreen.tap(*middle_of(spot))
    page.get_by_role("button", name=CONFIRM).tap()


def by_keys(page: Page, chance: random.Random) -> None:
    """One decision with the keyboard: buttons are reached by Tab and pressed by Enter, the board is walked over."""
    button = page.get_by_role("button", name=DRAW)
    if not button.is_visible() and not page.locator(SPOT).count():
        button = page.locator(".due button.primary").first
    if button.is_visible() and (chance.random() < 0.7 or not page.locator(SPOT).count()):
        reach(page, button)
        page.keyboard.press("Enter")
        return
    reach(page, page.locator("svg.frame"))
    page.keyboard.press("ArrowRight")
    for _ in range(chance.randrange(6)):
        page.keyboard.press(chance.choice(("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp")))
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name=CONFIRM)).to_be_visible()
    page.keyboard.press("Enter")


def reach(page: Page, target: Locator) -> None:
    """Go there by Tab."""
    for _ in range(80):
        if target.evaluate("(element) => element === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError("Tab does not lead there")


def play_out(page: Page, way: Way, seed: int) -> None:
    """Play until the game is over."""
    chance = random.Random(seed)
    for _ in range(MOST_DECISIONS):
        wait_for_turn(page)
        if is_over(page):
            return
        before = position(page)
        way(page, chance)
        page.wait_for_function(
            "([over, before]) => document.querySelector(over)"
            " || document.querySelector('.table').dataset.number !== before",
            arg=[OVER, before],
        )
    raise AssertionError("the game did not end")


def position(page: Page) -> str:
    """The number of the last entry that the page knows."""
    return page.locator(".table").get_attribute("data-number") or ""
