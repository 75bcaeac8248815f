"""German and French from the first page to a vote: nothing of ours is said in English."""

from __future__ import annotations

import json
import re
from functools import cache
from itertools import chain

import pytest
from playwright.sync_api import Page, expect

from tests.browser.anyone import HAND, Mouse, play_until
from tests.browser.conftest import Picture, Visit
from tests.browser.test_drunter import play_now
from tools.webbuild import ROOT

LOCALE = ROOT / "web" / "src" / "locale"
HOLE = re.compile(r"\{\w+\}")
SAID = """() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const said = [document.title];
    while (texts.nextNode()) said.push(texts.currentNode.textContent);
    for (const name of ['aria-label', 'title', 'placeholder', 'alt'])
        document.querySelectorAll(`[${name}]`).forEach((each) => said.push(each.getAttribute(name)));
    return said.map((each) => each.replace(/\\s+/g, ' ').trim()).filter((each) => /\\p{L}/u.test(each));
}"""
"""All that a page says: texts, and what is told to those who hear it."""
FEWEST_LETTERS = 3
"""Less than that between the things filled in says nothing of the language."""


@cache
def sentences(language: str) -> dict[str, str]:
    """By room and key."""
    files = sorted((LOCALE / language).glob("*.json"))
    rooms = {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in files}
    return {f"{room}.{key}": text for room, texts in rooms.items() for key, text in texts.items()}


def pattern(sentence: str) -> re.Pattern[str]:
    """Whatever is filled in."""
    return re.compile(".+".join(re.escape(part) for part in HOLE.split(sentence)))


def english_only(language: str) -> list[re.Pattern[str]]:
    """The English sentences that cannot be ones of another language."""
    own = sentences(language)
    told = {text for key, text in sentences("en").items() if own[key] != text and text not in own.values()}
    return [pattern(text) for text in told if sum(map(str.isalpha, HOLE.sub("", text))) >= FEWEST_LETTERS]


def english_on(page: Page, language: str) -> list[str]:
    """What a page says in English."""
    said = set(page.evaluate(SAID))
    return sorted(text for text in said if any(each.fullmatch(text) for each in english_only(language)))


@pytest.mark.parametrize("language", ["de", "fr"])
def test_a_game_in_another_language(language: str, visit: Visit, picture: Picture) -> None:
    page = visit(locale=language)
    found: set[str] = set()

    def look() -> None:
        found.update(english_on(page, language))

    page.goto("/")
    page.locator("article").first.wait_for()
    look()
    play_now(page)
    play_until(page, Mouse, seed=8, until=lambda: page.locator(HAND).count() > 0, look=look)
    expect(page.locator("html")).to_have_attribute("lang", language)
    look()
    picture(page, f"drunter-vote-{language}")
    page.locator(".vote .fold").click()
    for tab in ("left", "log", "chat", "menu"):
        page.locator(f"#tab-{tab}").click()
        look()
    assert not found


@pytest.mark.parametrize("language", ["de", "fr"])
def test_pages_in_another_language(language: str, visit: Visit) -> None:
    page = visit(locale=language)
    addresses = ("/", "/new?game=drunter", "/new?game=cronberg&how=device", "/open", "/mine", "/settings", "/replay")
    for address in addresses:
        page.goto(address)
        page.locator("main h1, main h2").first.wait_for()
        page.wait_for_load_state("networkidle")
        assert not english_on(page, language), address


def test_english_would_be_found(page: Page) -> None:
    page.goto("/")
    page.locator("article").first.wait_for()
    found = set(chain.from_iterable(english_on(page, language) for language in ("de", "fr")))
    assert {"Play now", "Play with friends", "Learn by playing"} <= found
