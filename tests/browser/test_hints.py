"""Hints on the page: lit places with numbers, words and shares; a click lays one as the draft and decides nothing."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.anyone import HAND, Mouse, play_until
from tests.browser.conftest import Picture, Visit
from tests.browser.playing import CONFIRM, DRAW, OVER, SPOT, position, reach
from tests.browser.test_cronberg import play_now as play_cronberg
from tests.browser.test_drunter import play_now as play_drunter
from tests.browser.test_everyone import barriers
from tests.browser.test_friends import link_of, new_table, sit_down
from tests.browser.test_hotseat import at_one_device, take

ADVICE = ".advice li button"
RANKS = ".board .rank"
SAID = "[aria-live=polite]"
ANNOUNCED = ".hidden-visually[role=status]"
TOLD = 3
BY_NETWORK = "A trained network suggests, with its confidence:"
BY_BOTH = "A trained network and a short search suggest:"
HAS_GONE_ON = "([over, n]) => document.querySelector(over) || document.querySelector('.table').dataset.number !== n"


def hint_button(page: Page) -> Locator:
    return page.get_by_role("button", name="Hint", exact=True)


def ask(page: Page) -> list[str]:
    """Ask for a hint; what it says, the best first."""
    hint_button(page).click()
    expect(page.locator(ADVICE).first).to_be_visible()
    return page.locator(f"{ADVICE} .words").all_inner_texts()


@pytest.mark.parametrize("phone", [False, True])
@pytest.mark.parametrize(("game", "heading"), [("cronberg", BY_NETWORK), ("drunter", BY_BOTH)])
def test_a_hint_is_laid_as_a_draft_and_confirmed_by_oneself(
    game: str, heading: str, phone: bool, visit: Visit, picture: Picture
) -> None:
    page = visit(phone=phone)
    if game == "cronberg":
        play_cronberg(page)
        page.get_by_role("button", name=DRAW).click()
        page.locator(".hand.mine").wait_for()
    else:
        play_drunter(page)
    page.locator(SPOT).first.wait_for()
    before = position(page)
    words = ask(page)
    assert len(words) == TOLD
    assert sorted(each.strip() for each in page.locator(RANKS).all_text_contents()) == ["1", "2", "3"]
    expect(page.locator(".advice")).to_contain_text("Your chance of winning")
    expect(page.locator(".advice")).to_contain_text(heading)
    assert [each.strip()[-1] for each in page.locator(f"{ADVICE} .trust").all_inner_texts()] == ["%"] * TOLD
    assert barriers(page) == []
    page.locator(ADVICE).nth(1).click()
    expect(page.locator(".draft .chosen strong")).to_have_text(words[1])
    expect(page.locator(ADVICE).nth(1)).to_have_attribute("aria-pressed", "true")
    expect(page.locator(RANKS)).to_have_count(TOLD - 1)
    page.locator(ADVICE).first.click()
    expect(page.locator(".draft .chosen strong")).to_have_text(words[0])
    assert position(page) == before, "nothing is decided"
    assert barriers(page) == []
    picture(page, f"hint-{game}-{'phone' if phone else 'desk'}")
    page.get_by_role("button", name=CONFIRM).last.click()
    page.wait_for_function(HAS_GONE_ON, arg=[OVER, before])
    expect(page.locator(ADVICE)).to_have_count(0)
    expect(page.locator(RANKS)).to_have_count(0)


def test_a_hint_by_keys_is_said_and_put_away_again(page: Page) -> None:
    play_cronberg(page)
    page.get_by_role("button", name=DRAW).wait_for()
    reach(page, page.locator("svg.frame"))
    page.keyboard.press("h")
    expect(page.locator(ADVICE)).to_have_count(TOLD)
    first = page.locator(f"{ADVICE} .words").first.inner_text()
    expect(page.locator(SAID).filter(has_text=BY_NETWORK)).to_contain_text(f"1: {first}")
    page.keyboard.press("h")
    expect(page.locator(ADVICE)).to_have_count(0)
    page.locator("details.keys summary").click()
    expect(page.locator("details.keys")).to_contain_text("H gives a hint")


def test_a_hint_for_a_vote_takes_a_card_and_plays_none(page: Page, picture: Picture) -> None:
    play_drunter(page)
    play_until(page, Mouse, seed=4, until=lambda: page.locator(HAND).count() > 0)
    sheet = page.get_by_role("region", name="The vote")
    expect(sheet).to_contain_text("has voted")  # the bot's vote is an entry, too
    before = position(page)
    words = ask(page)
    expect(sheet).to_contain_text(BY_BOTH)
    assert all(each.startswith("Vote: ") for each in words)
    page.locator(ADVICE).first.click()
    pressed = page.locator(f"{HAND} button[aria-pressed=true] svg")
    expect(pressed).to_have_count(1)
    assert words[0] == f"Vote: {pressed.get_attribute('aria-label')}"
    assert position(page) == before
    assert barriers(page) == []
    picture(page, "hint-vote-desk")
    page.locator(".vote button.primary").click()
    page.wait_for_function(HAS_GONE_ON, arg=[OVER, before])


def test_where_the_network_does_not_know_the_game_it_is_said(page: Page) -> None:
    page.goto("/new?game=drunter")
    page.get_by_label("Seat 2", exact=True).select_option("apprentice")
    page.get_by_role("checkbox", name="Several cards").check()
    page.get_by_role("button", name="Make the table").click()
    page.locator(SPOT).first.wait_for()
    ask(page)
    expect(page.locator(".advice")).to_contain_text("does not know this game; a short search suggests")


def test_at_one_device_a_hint_is_for_whoever_holds_it(page: Page) -> None:
    """The next one finds nothing of it behind the curtain, and asks anew."""
    at_one_device(page)
    take(page)
    ask(page)
    page.locator(ADVICE).first.click()
    expect(page.locator(ADVICE)).to_have_count(TOLD)
    page.get_by_role("button", name=CONFIRM).last.click()
    page.locator(".curtain").wait_for()
    expect(page.locator(f"{ADVICE}, {RANKS}")).to_have_count(0)
    expect(page.locator(ANNOUNCED)).to_have_text("")
    take(page)
    expect(page.locator(f"{ADVICE}, {RANKS}")).to_have_count(0)
    expect(hint_button(page)).to_be_visible()


def test_against_people_there_is_no_button(page: Page, others_page: Page) -> None:
    """Who asks by the key nevertheless is told why not."""
    new_table(page, ("Who begins", "0"))
    sit_down(others_page, link_of(page, "Link for seat 2"))
    page.get_by_role("button", name=DRAW).wait_for()
    expect(hint_button(page)).to_have_count(0)
    reach(page, page.locator("svg.frame"))
    page.keyboard.press("h")
    expect(page.get_by_role("alert")).to_contain_text("where no other person plays")
    expect(page.locator(ADVICE)).to_have_count(0)
