"""Geometry and artwork: computed once, named by what they are, and not sent again to who has them."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tomllib
from importlib.resources import files
from typing import Any

import httpx
import pytest

from embertown.core.errors import EmbertownError
from embertown.games import GAMES, load
from embertown.server.drawn import drawn
from tests.server.client import Server


def own_edition(word: str) -> dict[str, Any]:
    """An edition of one's own, which differs from others by a word alone."""
    text = files("embertown.cronberg").joinpath("editions", "cronberg-1726.toml").read_text(encoding="utf-8")
    edition = tomllib.loads(text)
    edition["edition"]["id"] = "own"
    edition["rhombi"]["house"]["de"] = word
    return edition


@pytest.mark.parametrize("name", GAMES)
def test_it_is_what_the_game_says_and_made_once(name: str) -> None:
    game = load(name)
    first, again = (asyncio.run(drawn(load(name), None)) for _ in range(2))
    told = httpx.Response(200, content=first.body).json()
    assert told["geometry"] == httpx.Response(200, json=game.geometry()).json()
    assert told["artwork"] == httpx.Response(200, json=game.artwork()).json()
    assert told["edition_sha256"] == game.edition.sha256
    assert again.body is first.body


def test_editions_that_play_alike_are_not_taken_for_each_other() -> None:
    one, other = (load("cronberg", edition=own_edition(word)) for word in ("Hütte", "Palast"))
    assert one.edition.sha256 == other.edition.sha256
    found = [asyncio.run(drawn(each, None)) for each in (one, other)]
    assert found[0].etag != found[1].etag
    assert "Hütte" in found[0].body.decode()
    assert "Palast" in found[1].body.decode()


def test_an_unknown_theme_is_refused_every_time() -> None:
    for _ in range(2):
        with pytest.raises(EmbertownError):
            asyncio.run(drawn(load("cronberg"), "no-such-theme"))


def test_who_has_it_is_not_sent_it_again(server: Server) -> None:
    guest = server.guest("Anna")
    table = guest.make("cronberg", ["me", "random"])["table"]
    shipped = f"/api/games/cronberg/editions/{load('cronberg').edition.id}"
    for path, kept in ((f"/api/tables/{table}/edition", "private"), (shipped, "public")):
        whole = guest.get(path)
        assert whole.status_code == 200
        assert whole.headers["cache-control"].startswith(f"{kept}, max-age=")
        known = {"if-none-match": whole.headers["etag"]}
        same = guest.request("GET", path, headers=known)
        assert (same.status_code, same.content) == (304, b"")
        assert same.headers["etag"] == whole.headers["etag"]
        other = guest.request("GET", path, headers=known, params={"theme": "beach"})
        assert other.status_code == 200
        assert other.headers["etag"] != whole.headers["etag"]


def test_what_sends_pushes_is_not_loaded_before_one_is_sent() -> None:
    """It brings two more clients for HTTP along, and costs a second."""
    asked = "import sys, embertown.server.app; print({'pywebpush', 'aiohttp', 'requests'} & set(sys.modules))"
    found = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert found.stdout == "set()\n"
