"""The built page as it is served: addresses, kinds, caching, compression; and names that lead nowhere."""

from __future__ import annotations

import asyncio
import gzip
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI
from hypothesis import given
from hypothesis import strategies as st
from starlette.requests import Request

from embertown.server.app import add_error_answers
from embertown.server.headers import CONTENT_SECURITY_POLICY, guarded
from embertown.server.packing import takes_gzip
from embertown.server.page import ADDRESSES, INDEX, Pages, routes

DOCUMENT = '<!doctype html><title>Embertown</title><script type="module" src="/assets/index-1a2b.js"></script>'
SCRIPT = "console.log('built');" * 20
SECRET = "not to be served"
HTML = {"accept": "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"}
ANY = {"accept": "*/*"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A page as it is built."""
    built = tmp_path / "dist"
    (built / "assets").mkdir(parents=True)
    (built / "icons").mkdir()
    (built / INDEX).write_text(DOCUMENT, encoding="utf-8")
    (built / "assets" / "index-1a2b.js").write_text(SCRIPT, encoding="utf-8")
    (built / "assets" / "index-1a2b.js.gz").write_bytes(gzip.compress(SCRIPT.encode()))
    (built / "assets" / "serif.woff2").write_bytes(b"wOF2")
    for name in ("sw.js", "manifest.webmanifest", "icons/app.png"):
        (built / name).write_text(name, encoding="utf-8")
    (built / ".hidden.js").write_text(SECRET, encoding="utf-8")
    (built / "notes.xyz").write_text(SECRET, encoding="utf-8")
    (tmp_path / "outside.js").write_text(SECRET, encoding="utf-8")
    return built


def ask(folder: Path, address: str, method: str = "GET", **headers: str) -> httpx.Response:
    pages = Pages(folder)
    app = FastAPI()
    app.include_router(routes(pages))
    add_error_answers(app, pages)

    async def asked() -> httpx.Response:
        door = httpx.ASGITransport(guarded(app))
        async with httpx.AsyncClient(transport=door, base_url="http://embertown.test") as client:
            client.headers["accept-encoding"] = "identity"
            return await client.request(method, address, headers=headers)

    return asyncio.run(asked())


# ---- the document


@pytest.mark.parametrize("address", ADDRESSES)
def test_every_address_of_the_page_is_the_document(folder: Path, address: str) -> None:
    told = ask(folder, address.format(table="abcdefghijkl", game="cronberg"), **ANY)
    assert (told.status_code, told.text) == (200, DOCUMENT)
    assert told.headers["content-type"] == "text/html; charset=utf-8"
    assert told.headers["cache-control"] == "no-cache"


@pytest.mark.parametrize("address", ["/nowhere", "/no/such/place", "/table/a/b"])
def test_people_who_lost_their_way_see_the_page(folder: Path, address: str) -> None:
    told = ask(folder, address, **HTML)
    assert (told.status_code, told.text) == (404, DOCUMENT)


@pytest.mark.parametrize(
    ("address", "accept"),
    [("/nowhere", ANY), ("/no/such/place", ANY), ("/api/nowhere", HTML), ("/api/x.js", HTML), ("/assets/x.js", ANY)],
)
def test_programs_are_told_with_a_code(folder: Path, address: str, accept: dict[str, str]) -> None:
    told = ask(folder, address, **accept)
    assert (told.status_code, told.json()["code"]) == (404, "not_found")


def test_a_page_that_was_not_built_says_how_it_is(tmp_path: Path) -> None:
    for told in (ask(tmp_path / "dist", "/", **HTML), ask(tmp_path, "/table/abcdefghijkl", **HTML)):
        assert told.status_code == 503
        assert "python3 dev.py setup" in told.text
        assert told.headers["cache-control"] == "no-store"


def test_it_has_to_be_asked_again_and_is_not_sent_twice(folder: Path) -> None:
    first = ask(folder, "/")
    again = ask(folder, "/", **{"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    (folder / INDEX).write_text("<!doctype html>other", encoding="utf-8")
    assert ask(folder, "/", **{"if-none-match": first.headers["etag"]}).status_code == 200


def test_nothing_is_changed_through_it(folder: Path) -> None:
    assert ask(folder, "/", "HEAD").status_code == 200
    assert ask(folder, "/", "POST").status_code == 405


# ---- the files


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("sw.js", "text/javascript; charset=utf-8"),
        ("manifest.webmanifest", "application/manifest+json"),
        ("icons/app.png", "image/png"),
    ],
)
def test_files_whose_names_stay_are_asked_for_again(folder: Path, name: str, kind: str) -> None:
    told = ask(folder, f"/{name}")
    assert (told.text, told.headers["content-type"], told.headers["cache-control"]) == (name, kind, "no-cache")


def test_assets_are_kept_for_ever(folder: Path) -> None:
    told = ask(folder, "/assets/serif.woff2")
    assert told.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert told.headers["content-type"] == "font/woff2"


def test_who_takes_gzip_gets_it(folder: Path) -> None:
    plain = ask(folder, "/assets/index-1a2b.js")
    packed = ask(folder, "/assets/index-1a2b.js", **{"accept-encoding": "gzip, deflate, br"})
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert int(packed.headers["content-length"]) < int(plain.headers["content-length"])
    assert plain.text == packed.text == SCRIPT
    assert plain.headers["vary"] == packed.headers["vary"] == "accept-encoding"
    assert plain.headers["content-type"] == packed.headers["content-type"]
    assert plain.headers["etag"] != packed.headers["etag"]


@pytest.mark.parametrize("accepted", ["gzip", "GZIP;q=1", "br, gzip;q=0.5", "gzip ; q=0.001"])
def test_gzip_is_taken(accepted: str) -> None:
    assert takes_gzip(accepted)


@pytest.mark.parametrize("accepted", ["", "br", "gzip;q=0", "gzip; q=0.000", "xgzip", "identity;q=1, *;q=0"])
def test_gzip_is_not_taken(accepted: str) -> None:
    assert not takes_gzip(accepted)


@pytest.mark.parametrize(
    "address",
    [
        "/assets/..%2f..%2foutside.js",
        "/..%2foutside.js",
        "/%2e%2e/outside.js",
        "/assets/%2e%2e%5c%2e%2e%5coutside.js",
        "/icons/%2e%2e",
        "/.hidden.js",
        "/notes.xyz",
        "/assets/index-1a2b.js.gz",
        "/assets",
        "/assets/",
        "/assets/nul%00.js",
        f"/assets/{'x' * 5000}.js",
    ],
)
def test_no_name_leads_elsewhere(folder: Path, address: str) -> None:
    told = ask(folder, address, **ANY)
    assert told.status_code in (404, 307)
    assert SECRET not in told.text


@given(parts=st.lists(st.text(max_size=8) | st.sampled_from(["..", ".", "/", "\\", "~", "outside.js"]), min_size=1))
def test_only_files_of_the_folder_are_read(parts: list[str], tmp_path_factory: pytest.TempPathFactory) -> None:
    outer = tmp_path_factory.getbasetemp() / "traversal"
    (outer / "dist").mkdir(parents=True, exist_ok=True)
    (outer / "outside.js").write_text(SECRET, encoding="utf-8")
    request = Request({"type": "http", "method": "GET", "path": "/", "headers": []})
    assert Pages(outer / "dist").file(request, *parts) is None


# ---- the policy


def test_the_policy_allows_what_the_page_needs_and_nothing_else() -> None:
    rules = dict(rule.split(" ", 1) for rule in CONTENT_SECURITY_POLICY.split("; "))
    assert rules["default-src"] == "'none'"
    assert rules["img-src"] == "'self' data: blob:"
    for kind in ("script", "style", "font", "connect", "worker", "manifest"):
        assert rules[f"{kind}-src"] == "'self'"
    assert "unsafe" not in CONTENT_SECURITY_POLICY


def test_all_that_is_built_is_served() -> None:
    built = Pages().folder
    for file in sorted(built.rglob("*")):
        if file.is_file() and file.suffix != ".gz":
            assert ask(built, f"/{file.relative_to(built).as_posix()}").content == file.read_bytes(), file
