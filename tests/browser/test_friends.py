"""Several people at one table, each with a browser of their own; and one device that goes round."""

from __future__ import annotations

import json
import random
from pathlib import Path

from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Picture, Problems, Visit
from tests.browser.playing import SPOT, by_clicks, may_act, middle_of, position, wait_for_turn
from tests.browser.test_everyone import barriers
from tests.server.servers import served


def new_table(page: Page, *choices: tuple[str, str], how: str = "game=cronberg") -> None:
    """Make a table, with these fields chosen by their labels."""
    page.goto(f"/new?{how}")
    for label, value in choices:
        page.get_by_label(label, exact=True).select_option(value)
    page.get_by_role("button", name="Make the table").click()
    page.locator("svg.frame").wait_for()


def link_of(page: Page, title: str) -> str:
    """The address of a link on the page."""
    return page.get_by_label(title, exact=True).input_value()


def sit_down(page: Page, link: str) -> None:
    """Follow a link to a seat."""
    page.goto(link)
    page.get_by_role("button", name="Sit down").click()
    page.locator("svg.frame").wait_for()


def test_two_browsers_at_one_table(page: Page, others_page: Page, picture: Picture) -> None:
    new_table(page)
    picture(page, "table-waits-day-desk")
    sit_down(others_page, link_of(page, "Link for seat 2"))
    for _ in range(6):
        for each in (page, others_page):
            number = position(each)
            if may_act(each):
                by_clicks(each, random.Random(number))
                each.wait_for_function("(n) => document.querySelector('.table').dataset.number !== n", arg=number)
        newest = max(int(position(each)) for each in (page, others_page))
        for each in (page, others_page):
            expect(each.locator(".table")).to_have_attribute("data-number", str(newest))
    others_page.get_by_role("tab", name="Talk").click()
    others_page.get_by_label("Say something").fill("A good place for a church.")
    others_page.get_by_role("button", name="Send").click()
    page.get_by_role("tab", name="Talk").click()
    expect(page.locator(".chat")).to_contain_text("A good place for a church.")


def test_who_was_muted_can_be_heard_again_after_a_reload(page: Page, others_page: Page, picture: Picture) -> None:
    new_table(page)
    sit_down(others_page, link_of(page, "Link for seat 2"))
    others_page.get_by_role("tab", name="Talk").click()
    for words in ("First.", "Second."):
        others_page.get_by_label("Say something").fill(words)
        others_page.get_by_role("button", name="Send").click()
        expect(others_page.locator(".chat li").last).to_contain_text(words)
    page.get_by_role("tab", name="Talk").click()
    page.locator(".chat summary").first.click()
    page.get_by_role("button", name="Hear no more").first.click()
    expect(page.locator(".chat")).to_contain_text("You hear no more of")
    expect(page.locator(".chat")).not_to_contain_text("First.")
    expect(page.locator(".chat ol")).to_be_focused()
    page.reload()
    page.get_by_role("tab", name="Talk").click()
    expect(page.locator(".chat")).to_contain_text("You hear no more of")
    expect(page.locator(".chat")).not_to_contain_text("Second.")
    assert barriers(page) == []
    picture(page, "muted-day-desk")
    page.get_by_role("button", name="Hear again").click()
    for words in ("First.", "Second."):
        expect(page.locator(".chat")).to_contain_text(words)
    expect(page.locator(".chat")).not_to_contain_text("You hear no more of")
    expect(page.locator(".chat ol")).to_be_focused()


def test_a_used_link_says_so(page: Page, others_page: Page, visit: Visit, problems: Problems) -> None:
    problems.expect(r"4\d\d")
    new_table(page)
    link = link_of(page, "Link for seat 2")
    sit_down(others_page, link)
    third = visit()
    third.goto(link)
    expect(third.get_by_role("alert")).to_contain_text("fresh one")
    expect(third.get_by_role("button", name="Sit down")).to_have_count(0)
    others_page.goto(link)  # whom it brought there before finds the table again
    others_page.locator("svg.frame").wait_for()


def test_an_invitation_says_who_invites_and_to_what(
    page: Page, others_page: Page, visit: Visit, problems: Problems, picture: Picture
) -> None:
    problems.expect(r"4\d\d")
    page.goto("/settings")
    page.get_by_label("Your name").fill("Anna")
    page.get_by_label("Your name").blur()
    expect(page.get_by_role("status").filter(has_text="Kept")).to_be_visible()
    new_table(page, ("Players", "3"), ("Seat 3", "apprentice"), ("Who begins", "1"), how="game=cronberg")
    others_page.goto(link_of(page, "Link for seat 2"))
    expect(others_page.get_by_role("heading", level=1)).to_have_text("Anna invites you to play")
    told = others_page.locator("article")
    for words in ("Cronberg", "3 players", "no clock", "You begin.", "Your seat", "Bot: Apprentice"):
        expect(told).to_contain_text(words)
    assert barriers(others_page) == []
    picture(others_page, "invitation-day-desk")
    third = visit(phone=True, color_scheme="dark")
    third.goto(link_of(page, "Link for watching"))
    expect(third.get_by_role("heading", level=1)).to_have_text("Anna invites you to watch")
    assert barriers(third) == []
    picture(third, "invitation-night-phone")
    third.get_by_role("link", name="Watch", exact=True).click()
    expect(third.locator(".seats li")).to_have_count(3)
    others_page.get_by_role("button", name="Sit down").click()
    others_page.locator("svg.frame").wait_for()
    wait_for_turn(others_page)  # as was chosen
    third.goto("/join#cut-off")
    expect(third.get_by_role("alert")).to_contain_text("no such link")
    third.goto("about:blank")
    third.goto("/join#table=")
    expect(third.get_by_role("alert")).to_contain_text("This link opens nothing")


def test_a_spectator_sees_the_board_and_may_not_act(page: Page, others_page: Page) -> None:
    new_table(page, ("Seat 2", "apprentice"), how="game=cronberg&public=1")
    others_page.goto(page.url)
    others_page.locator("svg.frame").wait_for()
    wait_for_turn(page)
    expect(others_page.locator(".seats li")).to_have_count(2)
    expect(others_page.locator(".board .spot")).to_have_count(0)
    expect(others_page.locator(".due button.primary")).to_have_count(0)


def test_a_public_table_shows_how_to_watch(page: Page, others_page: Page, picture: Picture) -> None:
    new_table(page, how="game=cronberg&public=1")
    link = link_of(page, "Link for watching")
    others_page.goto(link)
    expect(others_page.get_by_role("heading", level=1)).to_contain_text("invites you to watch")
    for words in ("Cronberg", "2 players", "Still open"):
        expect(others_page.locator("article")).to_contain_text(words)
    assert barriers(others_page) == []
    picture(others_page, "invitation-public-day-desk")
    others_page.get_by_role("link", name="Watch", exact=True).click()
    expect(others_page.locator(".seats li")).to_have_count(2)
    page.get_by_role("tab", name="More").click()
    page.get_by_role("button", name="Link for watching").click()
    expect(page.locator(".sides").get_by_label("Link for watching", exact=True)).to_have_value(link)
    table = page.url
    page.goto(link)  # who sits there needs no invitation
    page.locator("svg.frame").wait_for()
    expect(page).to_have_url(table)


def test_a_decision_is_taken_back_by_consent(page: Page, others_page: Page) -> None:
    new_table(page)
    sit_down(others_page, link_of(page, "Link for seat 2"))
    expect(page.locator(".seats .due")).to_have_count(1)
    page.wait_for_function("() => document.querySelector('.board .spot') || document.querySelector('.try')")
    asks, agrees = (page, others_page) if may_act(page) else (others_page, page)
    asks.mouse.click(*middle_of(asks.locator(SPOT).nth(3)))
    asks.locator(".ticks .tick").click()
    agrees.locator(SPOT).first.wait_for()
    asks.get_by_role("tab", name="More").click()
    asks.get_by_role("button", name="Take back").click()
    agrees.get_by_role("button", name="Agree").click()
    asks.locator(SPOT).first.wait_for()
    for each in (asks, agrees):
        expect(each.locator("[data-score]").first).to_be_visible()
        each.get_by_role("tab", name="Log").click()
        expect(each.locator(".log .gone")).to_have_count(1)
        expect(each.locator(".log .gone")).to_contain_text("places a token on")
        expect(each.locator(".board .recent")).to_have_count(0)


def test_a_refused_takeback_is_told(page: Page, others_page: Page) -> None:
    new_table(page)
    sit_down(others_page, link_of(page, "Link for seat 2"))
    page.wait_for_function("() => document.querySelector('.board .spot') || document.querySelector('.try')")
    asks, refuses = (page, others_page) if may_act(page) else (others_page, page)
    asks.get_by_role("tab", name="More").click()
    expect(asks.get_by_role("button", name="Take back")).to_be_disabled()
    asks.mouse.click(*middle_of(asks.locator(SPOT).nth(3)))
    asks.get_by_role("button", name="Confirm").click()
    refuses.locator(SPOT).first.wait_for()
    asks.get_by_role("button", name="Take back").click()
    expect(asks.locator(".notices")).to_contain_text("You would like to take your decision back")
    asks.get_by_role("button", name="Cancel").click()
    expect(refuses.get_by_role("button", name="Refuse")).to_have_count(0)
    expect(asks.locator(".notice")).to_have_count(0)
    asks.get_by_role("button", name="Take back").click()
    refuses.get_by_role("button", name="Refuse").click()
    expect(asks.locator(".notices")).to_contain_text("Your decision stands")
    expect(asks.locator(SPOT)).to_have_count(0)


def test_who_ran_out_of_time_is_told_and_plays_on(visit: Visit, problems: Problems, tmp_path: Path) -> None:
    """No such short clock is offered: the wish is made shorter on its way.

    The bots of this server take their time: once both people ran out of theirs, bots that do not would end the game
    before anybody could come back.
    """

    def shorter(route: Route) -> None:
        form = {**(route.request.post_data_json or {}), "clock": {"per_move": 2}}
        route.continue_(post_data=json.dumps(form))

    with served(tmp_path / "server", "--bots", 1, "--no-limits", "--showing", 3) as slow:
        problems.origin = slow.address
        page, others_page = visit(base_url=slow.address), visit(base_url=slow.address)
        page.route("**/api/tables", shorter)
        new_table(page)
        sit_down(others_page, link_of(page, "Link for seat 2"))
        told = page.locator(".stands-in")
        expect(told).to_contain_text("Your time ran out")
        expect(told).to_contain_text("plays for you")
        told.get_by_role("button", name="Play on myself").click()
        page.get_by_role("tab", name="Log").click()
        expect(page.locator(".log")).to_contain_text("time is over")


def test_talk_shows_what_was_said_last(page: Page, others_page: Page) -> None:
    """Lines are reported by what they say; whoever is not heard any more can be heard again."""
    new_table(page)
    sit_down(others_page, link_of(page, "Link for seat 2"))
    for each in (page, others_page):
        each.get_by_role("tab", name="Talk").click()
    for number in range(20):
        page.get_by_label("Say something").fill(f"Line {number} {'o' * 90}")
        page.keyboard.press("Enter")
        expect(page.locator(".chat li").last).to_contain_text(f"Line {number} ")
    last = others_page.locator(".chat li").last
    expect(last).to_contain_text("Line 19")
    expect(last).to_be_in_viewport()
    assert others_page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    last.locator("summary").click()
    last.get_by_role("button", name="Report").click()
    report = others_page.locator("form.report")
    expect(report).to_contain_text("Line 19")
    expect(report.get_by_role("button", name="Report")).to_be_disabled()
    others_page.keyboard.type("Too long.")
    report.get_by_role("button", name="Report").click()
    expect(others_page.locator(".notices")).to_contain_text("Thank you")
    last.get_by_role("button", name="Hear no more").click()
    expect(others_page.locator(".chat")).not_to_contain_text("Line 19")
    others_page.get_by_role("button", name="Hear again").click()
    expect(others_page.locator(".chat")).to_contain_text("Line 19")


def test_one_device_goes_round(page: Page, picture: Picture) -> None:
    """Cronberg has no secrets: the bar says whose turn it is, and no curtain falls."""
    page.goto("/new?game=cronberg&how=device")
    for number, name in enumerate(("Anna", "Ben", "Cleo"), 1):
        page.get_by_label(f"Name of player {number}").fill(name)
    page.get_by_role("button", name="Make the table").click()
    page.locator("svg.frame").wait_for()
    expect(page.locator(".bar")).to_contain_text("At one device")
    expect(page.locator(".seats li")).to_have_count(3)
    expect(page.locator(".seats .state")).to_have_text(["has the device"])
    due = page.locator(".seats .due .name").inner_text()
    expect(page.locator(".draft h1")).to_contain_text(f"{due}: ")
    seen = set()
    for number in range(6):
        wait_for_turn(page)
        seen.add(page.locator(".bar").inner_text())
        before = position(page)
        by_clicks(page, random.Random(number))
        page.wait_for_function("(n) => document.querySelector('.table').dataset.number !== n", arg=before)
    assert len(seen) > 1
    picture(page, "cronberg-one-device")
