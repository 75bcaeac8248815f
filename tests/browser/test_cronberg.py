"""Whole games of Cronberg through the page: by the mouse, by keys, by taps."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import FloatRect, Page, expect

from tests.browser.conftest import Picture, Visit
from tests.browser.playing import CONFIRM, DRAW, SPOT, Way, by_clicks, by_keys, by_taps, middle_of, play_out, position

PLAY_NOW = "Play now"
UNDO = "Undo"
A_PIXEL = 1.0
"""Boxes are told in parts of pixels, and drawn on whole ones."""
HALF_A_RHOMB = 18
"""Pixels from its middle that belong to it on any board, however it lies: on a phone it is hardly wider."""


def play_now(page: Page) -> None:
    """From the home page to a table, with one click."""
    page.goto("/")
    page.locator("article", has_text="Roland").get_by_role("button", name=PLAY_NOW).click()
    page.locator("svg.frame").wait_for()


NOT_COUNTED = """() => {
    const points = (found) => [...document.querySelectorAll(found)]
        .reduce((sum, each) => sum + Number(each.lastChild.textContent.trim().replace('\\u2212', '-')), 0);
    return points('[data-score]') - points('.over ol strong');
}"""
"""Points of all seats, less those that are counted on the page: the same at every step of the final scoring."""


def until_won(page: Page) -> Iterator[None]:
    """At each step of the final scoring, and once more when whoever won is named."""
    shown = 0
    while "won" not in page.locator(".over h1").inner_text():
        yield
        page.wait_for_function(
            "(before) => document.querySelectorAll('.over ol strong').length > before"
            " || document.querySelector('.over table')",
            arg=shown,
        )
        shown = page.locator(".over ol strong").count()
    yield


@pytest.mark.parametrize(("way", "phone"), [(by_clicks, False), (by_keys, False), (by_taps, True)])
def test_a_whole_game(way: Way, phone: bool, visit: Visit, picture: Picture) -> None:
    page = visit(phone=phone)
    play_now(page)
    play_out(page, way, seed=3)
    seen = {page.evaluate(NOT_COUNTED) for _ in until_won(page)}
    totals = page.locator("[data-score]").all_inner_texts()
    expect(page.locator(".board .cursor")).to_have_count(0)
    assert seen == {page.evaluate(NOT_COUNTED)}, "seats grow with what is counted"
    page.reload()
    expect(page.locator(".over h1")).to_contain_text("won")
    assert page.locator("[data-score]").all_inner_texts() == totals
    expect(page.get_by_role("link", name="Watch again")).to_be_visible()
    picture(page, f"cronberg-over-{way.__name__}")


def test_a_draft_survives_a_refresh_and_steps_back(page: Page) -> None:
    play_now(page)
    page.get_by_role("button", name=DRAW).click()
    page.locator(".hand.mine").wait_for()
    page.mouse.click(*middle_of(page.locator(SPOT).nth(5)))
    chosen = page.locator(".draft .chosen strong").inner_text()
    before = position(page)
    page.reload()
    expect(page.locator(".draft .chosen strong")).to_have_text(chosen)
    assert position(page) == before
    page.keyboard.press("Control+z")
    expect(page.get_by_role("button", name=CONFIRM)).to_have_count(0)


@pytest.mark.parametrize("phone", [False, True])
def test_who_points_at_the_wrong_place_hears_which_rule_is_against_it(phone: bool, visit: Visit) -> None:
    page = visit(phone=phone)
    play_now(page)
    page.get_by_role("button", name=DRAW).click()
    page.locator(".hand.mine").wait_for()
    spots = page.locator(SPOT)
    page.mouse.click(*middle_of(spots.first))
    page.get_by_role("button", name=CONFIRM).click()
    page.get_by_role("button", name=DRAW).wait_for()
    rhomb = page.locator("svg.frame .cb-rhomb").first
    page.mouse.click(*middle_of(rhomb))
    complaint = page.get_by_role("alert")
    expect(complaint).to_contain_text("No rhomb is drawn")
    expect(complaint.get_by_role("link")).to_have_attribute("href", "/rules/cronberg#C3.1")
    expect(complaint).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name=DRAW).click()
    page.locator(".hand.mine").wait_for()
    page.mouse.click(*middle_of(rhomb))
    expect(complaint).to_contain_text("already covers")
    page.mouse.click(*middle_of(spots.first))
    expect(complaint).to_have_count(0)


def test_a_typed_move_that_is_against_a_rule_says_which(page: Page) -> None:
    play_now(page)
    page.get_by_role("button", name=DRAW).wait_for()
    page.locator("details.keys summary").click()
    typed = page.locator("details.keys input")
    typed.fill("place A1+C2")
    typed.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("share no edge")
    expect(page.get_by_role("alert").get_by_role("link")).to_have_attribute("href", "/rules/cronberg#C5.1")
    typed.fill("nonsense")
    typed.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("“nonsense” is not a legal move now.")


def test_what_a_move_brings_is_told_before_it_is_made(page: Page) -> None:
    """The last rhomb beside a token shows the token's points on the ghost, and in words."""
    play_now(page)
    for _ in range(40):
        page.wait_for_selector(f"{SPOT}, .over")
        if page.get_by_role("button", name=DRAW).is_visible():
            page.get_by_role("button", name=DRAW).click()
            page.locator(".hand.mine, .over").first.wait_for()
        spots = page.locator(SPOT)
        for index in range(min(spots.count(), 12)):
            page.mouse.click(*middle_of(spots.nth(index)))
            page.wait_for_timeout(0)
            if page.locator(".foretold").count():
                expect(page.locator(".foretold").first).not_to_be_empty()
                return
            page.get_by_role("button", name=UNDO).click()
        page.mouse.click(*middle_of(spots.first))
        number = position(page)
        page.get_by_role("button", name=CONFIRM).click()
        page.wait_for_function("(before) => document.querySelector('.table').dataset.number !== before", arg=number)
    raise AssertionError("no move brought anything about")


def apart(one: FloatRect, other: FloatRect) -> bool:
    """Whether two boxes have nothing in common."""
    return (
        one["x"] + one["width"] <= other["x"]
        or other["x"] + other["width"] <= one["x"]
        or one["y"] + one["height"] <= other["y"]
        or other["y"] + other["height"] <= one["y"]
    )


@pytest.mark.parametrize("phone", [False, True])
def test_tick_and_cross_stand_beside_the_ghost(phone: bool, visit: Visit) -> None:
    """Large enough for a finger, inside the board, neither on the ghost nor on another place; and no stops for Tab.

    Where there is no such place the bar alone has them.
    """
    page = visit(phone=phone)
    play_now(page)
    page.get_by_role("button", name=DRAW).click()
    page.locator(".hand.mine").wait_for()
    found = 0
    for number in range(0, page.locator(SPOT).count(), 4):
        x, y = middle_of(page.locator(SPOT).nth(number))
        page.mouse.click(x, y)
        undo = page.get_by_role("button", name=UNDO)
        undo.wait_for()
        if not page.locator(".ticks").count():
            undo.click()
            continue
        found += 1
        board = page.locator("svg.frame").bounding_box()
        assert board is not None
        ghost = FloatRect(x=x - HALF_A_RHOMB, y=y - HALF_A_RHOMB, width=2 * HALF_A_RHOMB, height=2 * HALF_A_RHOMB)
        places = [middle_of(each) for each in page.locator(SPOT).all()]
        for each in page.locator(".ticks button").all():
            box = each.bounding_box()
            assert box is not None
            assert min(box["width"], box["height"]) >= 44
            assert apart(box, ghost)
            assert all(apart(box, FloatRect(x=x, y=y, width=0, height=0)) for x, y in places)
            assert board["x"] - A_PIXEL <= box["x"]
            assert box["x"] + box["width"] <= board["x"] + board["width"] + A_PIXEL
            assert board["y"] - A_PIXEL <= box["y"]
            assert box["y"] + box["height"] <= board["y"] + board["height"] + A_PIXEL
        assert page.locator(".ticks button").evaluate_all("(all) => all.every((each) => each.tabIndex < 0)")
        expect(page.get_by_role("button", name=CONFIRM)).to_have_count(1)  # the bar's alone
        page.locator(".ticks .cross").click()
        expect(page.locator(".ticks")).to_have_count(0)
    assert found, "nowhere"
    before = position(page)
    page.mouse.click(*middle_of(page.locator(SPOT).first))
    page.locator(".ticks .tick").click()
    page.wait_for_function("(before) => document.querySelector('.table').dataset.number !== before", arg=before)


def test_keys_are_out_of_the_way_of_fingers(phone: Page) -> None:
    """Folded away where fingers point, but there: in the menu, and for whoever comes by Tab."""
    play_now(phone)
    phone.get_by_role("button", name=DRAW).wait_for()
    keys = phone.locator("details.keys")
    box = keys.bounding_box()
    assert box is not None
    assert box["height"] <= 1
    phone.get_by_role("tab", name="More").tap()
    phone.get_by_role("button", name="Keys and typed moves").tap()
    expect(keys.locator("input")).to_be_in_viewport()


def test_a_rhomb_is_dragged_and_no_word_is_marked(page: Page) -> None:
    play_now(page)
    page.get_by_role("button", name=DRAW).click()
    page.locator(".hand.mine").wait_for()
    target = middle_of(page.locator(SPOT).nth(20))
    page.mouse.move(*middle_of(page.locator(".hand.mine svg")))
    page.mouse.down()
    page.mouse.move(*target, steps=5)
    page.mouse.up()
    expect(page.get_by_role("button", name=CONFIRM)).to_be_visible()
    assert page.evaluate("() => getSelection().toString()") == ""


def test_the_list_of_moves_is_not_squeezed(page: Page) -> None:
    play_now(page)
    page.get_by_role("button", name=DRAW).wait_for()
    page.locator("details.keys summary").click()
    box = page.locator("details.keys ul").bounding_box()
    assert box is not None
    assert box["height"] > 300
    page.get_by_role("tab", name="Log").click()
    expect(page.locator(".log")).to_be_visible()


def test_going_back_leaves_the_private_board_alone(page: Page) -> None:
    """Not the table behind it; and whoever has left it by its button goes back to where they came from."""
    play_now(page)
    page.get_by_role("button", name=DRAW).wait_for()
    table = page.url
    page.get_by_role("tab", name="More").click()
    private = page.get_by_role("dialog", name="Private board")
    page.get_by_role("button", name="Try moves").click()
    expect(private).to_be_visible()
    page.go_back()
    expect(private).to_have_count(0)
    assert page.url == table
    page.get_by_role("button", name="Try moves").click()
    private.get_by_role("button", name="Leave").first.click()
    expect(private).to_have_count(0)
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Rebuild")


def test_a_draft_is_there_after_going_back_and_forward(page: Page) -> None:
    play_now(page)
    page.get_by_role("button", name=DRAW).wait_for()
    page.mouse.click(*middle_of(page.locator(SPOT).nth(5)))
    chosen = page.locator(".draft .chosen strong").inner_text()
    page.go_back()
    page.locator("article").first.wait_for()
    page.go_forward()
    expect(page.locator(".draft .chosen strong")).to_have_text(chosen)
