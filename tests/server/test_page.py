"""The small page in a real Chromium: making tables, playing by clicks, joining and watching by link, coming back."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from embertown.games import GameRecord
from tests.conftest import JIT_OFF
from tests.server.browser import CHROMIUM, Page, chromium
from tests.server.guests import Place, make_table
from tests.server.servers import ServerProcess, served

pytestmark = pytest.mark.skipif(JIT_OFF, reason="a server plays with compiled kernels")
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")
OFFERED = "document.querySelector('#choices button, .spot') !== null"
LOG = "document.querySelectorAll('#log li').length"


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Page]:
    with chromium(tmp_path / "browser") as found:
        yield found
        assert found.problems == []


def start(page: Page, address: str, game: str, seats: str) -> str:
    """Make a table with one click; its id."""
    page.go(address)
    page.click(f"[data-game={game}][data-seats^='{seats}']")
    return str(page.wait("location.pathname.match('^/table/(.*)')?.[1]"))


def offered(page: Page) -> str:
    """The first legal place, or the first button where there is none."""
    page.wait(OFFERED)
    found = page.read("(document.querySelector('.spot') ?? document.querySelector('#choices button')).dataset.action")
    return f"[data-action={json.dumps(found)}]"


def play(page: Page, action: str) -> None:
    """Choose, read what would follow, choose again."""
    page.click(action)
    if action != '[data-action="draw"]':
        assert page.wait("(text => !text.includes('…') && text)(document.querySelector('#chosen p').textContent)")
        page.click(action)
    page.wait("document.getElementById('chosen').hidden")


@needs_chromium
@pytest.mark.parametrize("game", ["cronberg", "drunter"])
def test_a_game_is_played_by_clicks(shared_server: ServerProcess, page: Page, game: str) -> None:
    table = start(page, shared_server.address, game, "me,greedy")
    done = []
    for turn in range(6):
        page.wait(OFFERED)
        draws = page.read("document.querySelector('[data-action=draw]') !== null")
        done.append('[data-action="draw"]' if draws and turn % 2 else offered(page))
        play(page, done[-1])
    page.wait(OFFERED)
    seen = page.read("[...document.querySelectorAll('#log li')].map((line) => line.textContent)")
    watch = page.read(f"JSON.parse(sessionStorage.getItem('links {table}')).at(-1)[1].split('=')[1]")
    record = httpx.get(f"{shared_server.address}/api/tables/{table}/record", params={"watch": watch}).json()
    state = GameRecord.from_dict(record).replay()
    mine = [entry.text for entry in state.log if entry.seat == 0]
    assert [action[14:-2] for action in done[:1]] == mine[:1]
    assert len(mine) == len(done)
    assert sum(line.startswith(f"{record['seats'][0]['name']}: ") for line in seen if "entropy" not in line) == len(
        mine
    )


@needs_chromium
def test_points_are_projected_before_the_second_click(shared_server: ServerProcess, page: Page) -> None:
    start(page, shared_server.address, "cronberg", "me,greedy")
    action = offered(page)
    before = page.read(LOG)
    page.click(action)
    assert "Scores then" in page.wait(
        "(text => !text.includes('…') && text)(document.querySelector('#chosen p').textContent)"
    )
    page.click("#cancel")
    page.wait("document.getElementById('chosen').hidden")
    assert page.read(LOG) == before


@needs_chromium
def test_a_seat_is_taken_by_its_link_and_the_token_is_in_no_log(shared_server: ServerProcess, page: Page) -> None:
    with Place(shared_server.address) as place:
        made = make_table(place.guest("Host"), "cronberg", "open", "greedy")
    page.go(f"{shared_server.address}/join#{made['links']['0']}")
    page.wait(f"location.pathname === '/table/{made['table']}'")
    play(page, offered(page))
    assert made["links"]["0"] not in page.read("location.href")
    assert made["links"]["0"] not in shared_server.said()
    page.go(f"{shared_server.address}/join#{made['links']['0']}")
    assert "has been used" in page.wait("document.getElementById('problem').textContent")
    page.problems.clear()  # the console tells of the refusal, too


@needs_chromium
def test_watching_by_link_shows_no_secret_and_offers_nothing(shared_server: ServerProcess, page: Page) -> None:
    with Place(shared_server.address) as place:
        made = make_table(place.guest("Host"), "drunter", "me", "me", "greedy")
    page.go(f"{shared_server.address}/table/{made['table']}#watch={made['watch']}")
    page.wait(f"{LOG} > 3")
    assert page.read("document.getElementById('card').hidden")
    assert not page.read(OFFERED)


@needs_chromium
def test_the_own_card_is_shown_on_a_click_alone(shared_server: ServerProcess, page: Page) -> None:
    start(page, shared_server.address, "drunter", "me,greedy")
    page.wait("!document.getElementById('card').hidden")
    visible = "document.querySelector('#card strong').checkVisibility()"
    assert not page.read(visible)
    page.click("#card button")
    assert page.wait(visible)
    assert page.read("document.querySelector('#card strong').textContent.length > 2")


@needs_chromium
def test_the_page_comes_back_after_the_server_was_killed(tmp_path: Path, page: Page) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with served(tmp_path / "server", "--bots", 1, "--no-limits", "--showing", 0, "--port", port) as server:
        start(page, server.address, "cronberg", "me,greedy")
        play(page, offered(page))
        page.wait(OFFERED)
        server.kill()
        page.wait("document.getElementById('connection').textContent !== ''")
        server.start()
        page.wait("document.getElementById('connection').textContent === ''")
        page.wait(OFFERED)
        before = page.read(LOG)
        play(page, offered(page))
        page.wait(f"{LOG} > {before}")
        numbers = page.read("[...document.querySelectorAll('#log li')].map((line) => line.value)")
        assert numbers == list(range(1, len(numbers) + 1))
        page.problems.clear()  # the console tells of connections that were refused


def test_the_page_needs_no_exception_from_the_policy(shared_server: ServerProcess) -> None:
    for path in ("/", "/join", "/table/abcdefghijkl"):
        answer = httpx.get(shared_server.address + path)
        assert answer.headers["content-type"].startswith("text/html")
        assert "script-src 'self'" in answer.headers["content-security-policy"]
        assert not re.search(r"<script>|<style|style=|\son\w+=", answer.text)
    assert httpx.get(f"{shared_server.address}/page/page.js").headers["content-type"].startswith("text/javascript")
    for path in ("/page/nothing.js", "/page/..%2fpage.py", "/table/x"):
        assert httpx.get(shared_server.address + path).status_code in (404, 422)
