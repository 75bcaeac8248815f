"""Networks drop, servers are killed, pages are loaded again, a second tab is opened: it ends where it should."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.anyone import HAND, Mouse, play_until
from tests.browser.conftest import Picture, Problems, Visit
from tests.browser.playing import DRAW, SPOT, middle_of, position
from tests.browser.test_cronberg import play_now
from tests.browser.test_drunter import play_now as play_drunter
from tests.browser.test_everyone import barriers
from tests.browser.test_votes import choose_card
from tests.server.servers import served


def test_the_server_is_killed_and_comes_back(visit: Visit, problems: Problems, tmp_path: Path) -> None:
    problems.expect("WebSocket|ERR_CONNECTION|net::|another origin")
    folder = tmp_path / "server"
    with served(folder, "--bots", 1, "--no-limits", "--showing", 0) as first:
        page = visit(base_url=first.address)
        play_now(page)
        page.get_by_role("button", name=DRAW).click()
        page.locator(".hand.mine").wait_for()
        page.mouse.click(*middle_of(page.locator(SPOT).first))
        chosen = page.locator(".draft .chosen strong").inner_text()
        number, port = position(page), first.address.rpartition(":")[2]
        first.kill()
    expect(page.locator(".notice")).to_contain_text("connection is lost")
    with served(folder, "--bots", 1, "--no-limits", "--showing", 0, "--port", port):
        expect(page.locator(".notice")).to_have_count(0)
        expect(page.locator(".draft .chosen strong")).to_have_text(chosen)
        assert position(page) == number
        page.get_by_role("button", name="Confirm").click()
        page.wait_for_function("(n) => document.querySelector('.table').dataset.number !== n", arg=number)


def test_a_move_on_its_way_stays_as_it_is(page: Page, problems: Problems) -> None:
    problems.expect("WebSocket|ERR_INTERNET|net::")
    play_now(page)
    page.mouse.click(*middle_of(page.locator(SPOT).first))
    chosen = page.locator(".draft .chosen strong")
    words, number = chosen.inner_text(), position(page)
    page.context.set_offline(True)
    expect(page.locator(".notice")).to_contain_text("connection is lost")
    page.get_by_role("button", name="Confirm").click()
    expect(page.locator(".ticks")).to_have_count(0)
    page.locator("svg.frame").focus()
    page.keyboard.press("Escape")
    page.mouse.click(*middle_of(page.locator(SPOT).last))
    expect(chosen).to_have_text(words)
    page.context.set_offline(False)
    page.wait_for_function("(n) => document.querySelector('.table').dataset.number !== n", arg=number)
    page.get_by_role("tab", name="Log").click()
    expect(page.get_by_role("tabpanel", name="Log")).to_contain_text(words.partition(" on ")[2])


def test_a_move_that_has_not_left_is_withdrawn_and_another_one_made(
    page: Page, problems: Problems, picture: Picture
) -> None:
    problems.expect("WebSocket|ERR_INTERNET|net::")
    play_now(page)
    page.mouse.click(*middle_of(page.locator(SPOT).first))
    chosen, confirm = page.locator(".draft .chosen strong"), page.get_by_role("button", name="Confirm")
    words, number = chosen.inner_text(), position(page)
    expect(page.locator(".held")).to_have_count(0)
    page.context.set_offline(True)
    expect(page.locator(".notice")).to_contain_text("connection is lost")
    confirm.click()
    expect(page.locator(".held")).to_contain_text("as soon as the connection is back")
    assert barriers(page) == []
    picture(page, "held-day-desk")
    page.get_by_role("button", name="Withdraw").press("Enter")
    expect(page.locator(".held")).to_have_count(0)
    expect(page.locator("svg.frame")).to_be_focused()
    expect(chosen).to_have_text(words)
    page.mouse.click(*middle_of(page.locator(SPOT).last))
    expect(chosen).not_to_have_text(words)
    other = chosen.inner_text()
    confirm.click()
    page.locator(".held").wait_for()
    page.context.set_offline(False)
    page.wait_for_function("(n) => document.querySelector('.table').dataset.number !== n", arg=number)
    expect(page.locator(".held")).to_have_count(0)
    page.get_by_role("tab", name="Log").click()
    mine = page.locator(".seats li").first.locator(".name").inner_text()
    placed = page.locator(".log li").filter(has_text=f"{mine} places a token on")
    expect(placed).to_have_count(1)
    expect(placed).to_contain_text(other.partition(" on ")[2])


def test_a_second_tab_shows_the_same(page: Page) -> None:
    play_now(page)
    page.get_by_role("button", name=DRAW).click()
    page.locator(".hand.mine").wait_for()
    second = page.context.new_page()
    second.goto(page.url)
    expect(second.locator(".table")).to_have_attribute("data-number", position(page))
    expect(second.locator(".hand.mine")).to_be_visible()


def test_without_a_network_the_page_says_so(page: Page, problems: Problems) -> None:
    problems.expect("WebSocket|ERR_INTERNET|net::")
    play_now(page)
    page.context.set_offline(True)
    expect(page.locator(".notice")).to_contain_text("connection is lost")
    page.context.set_offline(False)
    expect(page.locator(".notice")).to_have_count(0)
    expect(page.get_by_role("button", name=DRAW)).to_be_enabled()


def test_a_vote_that_has_not_left_stays_as_it_is_and_is_withdrawn(page: Page, problems: Problems) -> None:
    """On its sheet, which lies over what is beside the board."""
    problems.expect("WebSocket|ERR_INTERNET|net::")
    play_drunter(page)
    play_until(page, Mouse, seed=4, until=lambda: page.locator(HAND).count() > 0)
    cards, pressed = page.locator(f"{HAND} button"), page.locator(f"{HAND} button[aria-pressed=true]")
    expect(page.locator("section.vote")).to_contain_text("has voted")  # the bot's vote is an entry, too
    number = position(page)
    page.context.set_offline(True)
    expect(page.locator(".notice")).to_contain_text("connection is lost")
    choose_card(page, 0)
    card = pressed.get_attribute("aria-label")
    page.locator(".vote button.primary").click()
    expect(page.locator(".vote .held")).to_contain_text("as soon as the connection is back")
    name = page.locator(f"{HAND} button[aria-pressed=true] svg").get_attribute("aria-label")
    expect(page.locator(".held strong")).to_have_text(f"Vote: {name}")
    cards.last.click()
    assert pressed.get_attribute("aria-label") == card
    assert barriers(page) == []
    page.get_by_role("button", name="Withdraw").click()
    expect(page.locator(".held")).to_have_count(0)
    expect(page.locator(".vote h2")).to_be_focused()
    cards.last.click()
    assert pressed.get_attribute("aria-label") != card
    page.locator(".vote button.primary").click()
    page.context.set_offline(False)
    page.wait_for_function("(n) => document.querySelector('.table').dataset.number !== n", arg=number)
