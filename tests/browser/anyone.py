"""Somebody at any table, in any language: a step at a time they do something that the page offers just now.

They know no rule and read no word: a button that decides is pressed, a card is taken, a place of the board is pointed
at. How they do it is told by their way: `Mouse`, `Finger`, `Keys`. What they choose follows from a seed.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from playwright.sync_api import Locator, Page
from playwright.sync_api import TimeoutError as TooLate

from tests.browser.playing import OVER, SPOT, is_over, middle_of, position, reach

CURTAIN = ".curtain button.primary"
DECIDE = ".due button.primary:not([disabled])"
TAKE = ".hand button, .saying button:not([disabled]), .choosing .two button"
CLOSE = ".vote header button:not(.fold)"
HAND = ".vote .hand"
MOST_STEPS = 600
MOST_MISSES = 6
"""Steps of a game in which the page may have gone on just before a press."""
PATIENCE = 10_000
"""Milliseconds for one press and what comes of it."""
MOST_STRIDES = 6

IS_UNCOVERED = """(spot) => {
    spot.scrollIntoView({ block: 'start' });
    const { x, y, width, height } = spot.getBoundingClientRect();
    return Boolean(document.elementFromPoint(x + width / 2, y + height / 2)?.closest('svg.frame'));
}"""
IS_OFFERED = "(offered) => Boolean(document.querySelector(offered))"
HAS_GONE_ON = """([over, before]) => document.querySelector(over)
    || document.querySelector('.table').dataset.number !== before"""


class Mouse:
    """By clicks alone."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, button: Locator) -> None:
        """Press a button."""
        button.click(timeout=PATIENCE)

    def point(self, chance: random.Random) -> None:
        """Point at a place of the board that can be seen; what lies over all of them is put away first."""
        spots = self.page.locator(SPOT).all()
        chance.shuffle(spots)
        seen = next((spot for spot in spots if spot.evaluate(IS_UNCOVERED, timeout=PATIENCE)), None)
        if seen is None:
            self.press(self.page.locator(CLOSE))
        else:
            self.at(*middle_of(seen))

    def at(self, x: float, y: float) -> None:
        """There on the screen."""
        self.page.mouse.click(x, y)


class Finger(Mouse):
    """By taps alone."""

    def press(self, button: Locator) -> None:
        """Press a button."""
        button.tap(timeout=PATIENCE)

    def at(self, x: float, y: float) -> None:
        """There on the screen."""
        self.page.touchscreen.tap(x, y)


class Keys(Mouse):
    """By keys alone: buttons are reached by Tab and pressed by Enter, the board is walked over."""

    def press(self, button: Locator) -> None:
        """Press a button."""
        reach(self.page, button)
        self.page.keyboard.press("Enter")

    def point(self, chance: random.Random) -> None:
        """Walk over the board, and choose the place where one has come to."""
        reach(self.page, self.page.locator("svg.frame"))
        self.page.keyboard.press("ArrowRight")
        for _ in range(chance.randrange(MOST_STRIDES)):
            self.page.keyboard.press(chance.choice(("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp")))
        self.page.keyboard.press("Enter")


Way = type[Mouse]


def offers(page: Page) -> bool:
    """Whether there is something to do now, or all is over."""
    return bool(page.evaluate(IS_OFFERED, ", ".join((OVER, CURTAIN, DECIDE, TAKE, SPOT))))


def step(page: Page, way: Mouse, chance: random.Random) -> None:
    """Do one thing, as soon as there is something to do."""
    page.wait_for_function(IS_OFFERED, arg=", ".join((OVER, CURTAIN, DECIDE, TAKE, SPOT)))
    if is_over(page):
        return
    before = position(page)
    if page.locator(CURTAIN).count():
        way.press(page.locator(CURTAIN))
        page.locator(CURTAIN).wait_for(state="detached", timeout=PATIENCE)
    elif page.locator(DECIDE).count():
        way.press(page.locator(DECIDE).first)
        page.wait_for_function(HAS_GONE_ON, arg=[OVER, before], timeout=PATIENCE)
    elif takes := page.locator(TAKE).count():
        way.press(page.locator(TAKE).nth(chance.randrange(takes)))
    else:
        way.point(chance)


def play_until(
    page: Page, way: Way, seed: int, until: Callable[[], bool], look: Callable[[], None] | None = None
) -> None:
    """Step by step, until it is so; `look` looks at the page before every step."""
    chance, hand, misses = random.Random(seed), way(page), 0
    for _ in range(MOST_STEPS):
        page.wait_for_function(IS_OFFERED, arg=", ".join((OVER, CURTAIN, DECIDE, TAKE, SPOT)))
        if until():
            return
        assert not is_over(page), "the game is over before"
        if look is not None:
            look()
        try:
            step(page, hand, chance)
        except TooLate:  # the page went on in between
            misses += 1
            if misses > MOST_MISSES:
                raise
    raise AssertionError("it did not come to that")
