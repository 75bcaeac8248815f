"""Guests: who has the cookie, the code or the token is let in, and nobody else; a banned guest by no way at all."""

import asyncio
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse
from httpx import ASGITransport, AsyncClient
from hypothesis import example, given
from hypothesis import strategies as st
from itsdangerous import TimestampSigner, URLSafeTimedSerializer

from embertown.core.locale import LANGUAGES, catalogue
from embertown.core.record import SeatOfRecord
from embertown.server import identity
from embertown.server.errors import Refused, refusal
from embertown.server.identity import (
    CODE_ALPHABET,
    COOKIE_AGE_S,
    COOKIE_SALT,
    KNOWN_FOR_S,
    LONGEST_NAME,
    MOST_TOKENS,
    RENEW_AFTER_S,
    Guest,
    Guests,
    checked_name,
    clear_cookie,
    cookie_in,
    hash_of,
    new_code,
    new_name,
    new_secret,
    plain_code,
    set_cookie,
)
from embertown.server.keys import Keys
from embertown.server.store import changes, queries
from embertown.server.store.database import Database
from embertown.server.store.writer import Write, Writer

DAY_S = 24 * 3600
START = 1_800_000_000.0


class Clock:
    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> float:
        return self.now


class Inn(NamedTuple):
    """A place with guests: a real database, a real writer, real keys."""

    folder: Path
    database: Database
    writer: Writer
    guests: Guests
    clock: Clock


@asynccontextmanager
async def inn(folder: Path) -> AsyncIterator[Inn]:
    keys, clock = Keys.at(folder), Clock()
    database = Database.open(folder / "guests.db")
    writer = Writer(database)
    await writer.start()
    try:
        yield Inn(folder, database, writer, Guests(database, writer, keys, clock=clock), clock)
    finally:
        await writer.stop()
        database.close()


def at_the_inn(folder: Path, story: Callable[[Inn], Awaitable[None]]) -> None:
    async def told() -> None:
        async with inn(folder) as here:
            await story(here)

    asyncio.run(told())


async def refused(attempt: Awaitable[object]) -> tuple[str, int]:
    with pytest.raises(Refused) as caught:
        await attempt
    for language in LANGUAGES:
        assert caught.value.sentence(language)
    return caught.value.code, caught.value.status


BANNED = "banned", 403


# ---- cookies


def test_a_cookie_leads_back_to_its_guest(tmp_path: Path) -> None:
    async def story(here: Inn) -> None:
        anna, _ = await here.guests.create("Anna", "de")
        bert, _ = await here.guests.create("Bert", "xx")
        assert await here.guests.by_cookie(here.guests.cookie_of(anna)) == anna
        assert await here.guests.by_cookie(here.guests.cookie_of(bert)) == bert
        assert (anna.name, anna.language, bert.language) == ("Anna", "de", "en")
        assert await here.guests.by_cookie(None) is None
        assert await here.guests.by_cookie("") is None
        # another server with the same folder, as after a restart
        again = Guests(here.database, here.writer, Keys.at(here.folder), clock=here.clock)
        assert await again.by_cookie(here.guests.cookie_of(anna)) == anna

    at_the_inn(tmp_path, story)


def test_no_cookie_that_was_tampered_with_is_taken(tmp_path: Path) -> None:
    async def story(here: Inn) -> None:
        anna, _ = await here.guests.create("Anna")
        bert, _ = await here.guests.create("Bert")
        cookie = here.guests.cookie_of(anna)
        guest_id, stamp, signature = cookie.split(".")
        later = TimestampSigner("x").sign(anna.id).decode().split(".")[1]
        for forged in (
            guest_id,
            f"{guest_id}.{stamp}",
            f"{guest_id}.{stamp}.",
            f"{guest_id}..{signature}",
            f"{guest_id}.{later}.{signature}",
            f"{bert.id}.{stamp}.{signature}",
            f"{guest_id}.{stamp}.{here.guests.cookie_of(bert).split('.')[2]}",
            f".{stamp}.{signature}",
            cookie * 2,
            cookie + "\u00e9",
            cookie + "\ud800",
            "." * 150,
            "x" * 100_000,
        ):
            assert await here.guests.by_cookie(forged) is None, forged
        # base64 may write the same signature in more than one way; it never becomes another's
        for place in range(len(cookie)):
            for put in "Aa0-.":
                changed = cookie[:place] + put + cookie[place + 1 :]
                found = await here.guests.by_cookie(changed)
                is_same = changed == cookie or (found == anna and place >= len(cookie) - len(signature))
                assert found is None or is_same, changed
        assert await here.guests.by_cookie(cookie) == anna

    at_the_inn(tmp_path, story)


def test_what_was_signed_with_another_key_or_for_another_purpose_is_not_taken(tmp_path: Path) -> None:
    async def story(here: Inn) -> None:
        anna, _ = await here.guests.create("Anna")
        ours, theirs = Keys.at(here.folder), Keys.at(here.folder / "other")
        for signer in (
            TimestampSigner(ours.cookie, salt="other", key_derivation="hmac", digest_method=identity.hashlib.sha256),
            TimestampSigner(ours.cookie, salt=COOKIE_SALT),
            TimestampSigner(b"", salt=COOKIE_SALT, key_derivation="hmac", digest_method=identity.hashlib.sha256),
            TimestampSigner(theirs.cookie, COOKIE_SALT, key_derivation="hmac", digest_method=identity.hashlib.sha256),
        ):
            assert await here.guests.by_cookie(signer.sign(anna.id).decode()) is None
        serialised = URLSafeTimedSerializer(ours.cookie, salt=COOKIE_SALT).dumps(anna.id)
        assert await here.guests.by_cookie(str(serialised)) is None
        stranger = Guests(here.database, here.writer, theirs, clock=here.clock)
        assert await stranger.by_cookie(here.guests.cookie_of(anna)) is None

    at_the_inn(tmp_path, story)


def test_a_signed_id_of_no_guest_is_nobody(tmp_path: Path) -> None:
    async def story(here: Inn) -> None:
        ghost = Guest("0" * 32, "Ghost", "en", False, "", "")
        assert await here.guests.by_cookie(here.guests.cookie_of(ghost)) is None

    at_the_inn(tmp_path, story)


def test_cookies_age(tmp_path: Path) -> None:
    async def story(here: Inn) -> None:
        anna, _ = await here.guests.create("Anna")
        cookie = here.guests.cookie_of(anna)
        for age, is_good, is_stale in (
            (0, True, False),
            (-DAY_S, True, False),  # the clock was set back
            (RENEW_AFTER_S - 2, True, False),
            (RENEW_AFTER_S + 2, True, True),
            (COOKIE_AGE_S - 2, True, True),
            (COOKIE_AGE_S + 2, False, False),
        ):
            here.clock.now = START + age
            assert (await here.guests.by_cookie(cookie) is not None) == is_good
            assert here.guests.is_stale(cookie) == is_stale
        assert not here.guests.is_stale(None)
        assert not here.guests.is_stale(cookie[:-3])

    at_the_inn(tmp_path, story)


def test_no_id_tells_of_another(tmp_path: Path) -> None:
    async def story(here: Inn) -> None:
        made = [await here.guests.create("Anna") for _ in range(50)]
        ids = [guest.id for guest, _ in made]
        assert len(set(ids)) == 50
        assert all(len(guest_id) == 32 for guest_id in ids)
        for place in range(32):  # every digit is chance
            assert max(Counter(guest_id[place] for guest_id in ids).values()) < 20

    at_the_inn(tmp_path, story)


def test_set_cookie_is_out_of_reach_of_scripts_and_other_sites() -> None:
    plain, secure = set_cookie("a.b.c", https=False), set_cookie("a.b.c", https=True)
    assert plain == f"embertown=a.b.c; Max-Age={COOKIE_AGE_S}; Path=/; HttpOnly; SameSite=Lax"
    assert secure == f"__Host-embertown=a.b.c; Max-Age={COOKIE_AGE_S}; Path=/; HttpOnly; SameSite=Lax; Secure"
    assert "Max-Age=0" in clear_cookie(https=True)


@given(st.text(), st.booleans())
@example("embertown", False)
@example(";=;embertown==;", False)
def test_any_cookie_header_is_read_without_fuss(header: str, https: bool) -> None:
    assert cookie_in(header, https=https) is None or "embertown" in header
    assert cookie_in(f'a="b"; {set_cookie("x.y.z", https=https)}', https=https) == "x.y.z"


# ---- recovery codes


def test_a_recovery_code_leads_back_however_it_is_typed(tmp_path: Path) -> None:
    async def story(here: Inn) -> None:
        anna, code = await here.guests.create("Anna")
        for typed in (code, code.lower(), code.replace("-", " "), code.replace("-", ""), f"  {code}\n"):
            assert await here.guests.recover(typed) == anna
        assert await here.guests.recover(code.replace("0", "o").replace("1", "l")) == anna
        for wrong in ("", code[:-1], code + "0", new_code(), "é" * 24, "\ud800", anna.id, "'; DROP TABLE guests; --"):
            assert await here.guests.recover(wrong) is None

    at_the_inn(tmp_path, story)


def test_a_new_code_voids_the_old_one(tmp_path: Path) -> None:
    async def story(here: Inn) -> None:
        anna, old = await here.guests.create("Anna")
        new = await here.guests.renew_code(anna)
        assert await here.guests.recover(old) is None
        assert await here.guests.recover(new) == anna

    at_the_inn(tmp_path, story)


def test_codes_are_easy_to_write_down_and_hard_to_guess() -> None:
    codes = [new_code() for _ in range(200)]
    assert len(set(codes)) == 200
    assert all([len(group) for group in code.split("-")] == [4] * 6 for code in codes)
    letters = Counter("".join(codes).replace("-", ""))
    assert set(letters) == set(CODE_ALPHABET)
    assert len(CODE_ALPHABET) ** 24 >= 2**120
    assert max(letters.values()) < 2 * 200 * 24 / len(CODE_ALPHABET)
    assert not set("ILOU") & set(CODE_ALPHABET)


@given(st.text(alphabet=CODE_ALPHABET, min_size=24, max_size=24), st.data())
def test_a_code_is_read_through_blanks_case_and_misreadings(code: str, data: st.DataObject) -> None:
    slips = {"0": "0OoO", "1": "1IiLl", "V": "VvUu"}
    typed = ""
    for letter in code:
        typed += data.draw(st.sampled_from(slips.get(letter, letter + letter.lower())))
        typed += data.draw(st.sampled_from(["", "", "", " ", "-", "\u2013", "\u00a0", "\t", "_"]))
    assert plain_code(typed) == code


@given(st.text(max_size=300))
@example("0" * 24 + " " * 200)
def test_what_is_no_code_is_none(text: str) -> None:
    plain = plain_code(text)
    assert plain is None or (len(plain) == 24 and set(plain) <= set(CODE_ALPHABET))


# ---- what the database holds


def test_the_database_holds_no_secret_in_the_clear(tmp_path: Path) -> None:
    held: list[str] = []

    async def story(here: Inn) -> None:
        anna, code = await here.guests.create("Anna")
        token = await here.guests.create_token(anna, "my bot")
        held.extend((code, code.replace("-", ""), token, here.guests.cookie_of(anna)))

    at_the_inn(tmp_path, story)
    stored = "\n".join(sqlite3.connect(tmp_path / "guests.db").iterdump())
    assert "Anna" in stored
    for secret in held:
        assert secret not in stored


def test_secrets_are_long_and_only_their_hash_is_for_keeping() -> None:
    made = [new_secret() for _ in range(100)]
    assert len({token for token, _ in made}) == 100
    for token, kept in made:
        assert len(token) == 32  # 192 bits, in base64
        assert hash_of(token) == kept != token
        assert len(kept) == 64


# ---- bans


def test_a_banned_guest_is_let_in_by_no_way(tmp_path: Path) -> None:
    async def story(here: Inn) -> None:
        anna, code = await here.guests.create("Anna")
        cookie, token = here.guests.cookie_of(anna), await here.guests.create_token(anna, "bot")
        assert await here.guests.by_cookie(cookie) == anna  # in the cache
        await here.guests.ban(anna.id, "spam")
        for attempt in (here.guests.by_cookie(cookie), here.guests.by_token(token), here.guests.recover(code)):
            assert await refused(attempt) == BANNED
        row = await here.database.read(queries.guest, anna.id)
        assert row is not None
        assert row.ban_reason == "spam"
        found = await here.guests.find(anna.id)
        assert found is not None
        assert found.banned
        await here.guests.unban(anna.id)
        assert await here.guests.by_cookie(cookie) == anna

    at_the_inn(tmp_path, story)


def test_a_ban_by_another_process_holds_soon(tmp_path: Path) -> None:
    async def story(here: Inn) -> None:
        anna, _ = await here.guests.create("Anna")
        cookie = here.guests.cookie_of(anna)
        await here.guests.by_cookie(cookie)
        await here.writer.write(Write((), (changes.ban(anna.id, "2027-01-15T08:00:00.000Z", None),)))
        here.clock.now += KNOWN_FOR_S
        assert await refused(here.guests.by_cookie(cookie)) == BANNED

    at_the_inn(tmp_path, story)


def test_who_is_read_while_being_banned_is_not_remembered_as_good(tmp_path: Path) -> None:
    async def story(here: Inn) -> None:
        for _ in range(40):
            anna, _ = await here.guests.create("Anna")
            reads = [asyncio.create_task(here.guests.find(anna.id)) for _ in range(5)]
            await here.guests.ban(anna.id)
            await asyncio.gather(*reads)
            found = await here.guests.find(anna.id)
            assert found is not None
            assert found.banned

    at_the_inn(tmp_path, story)


def test_nobody_can_not_be_banned_or_renamed(tmp_path: Path) -> None:
    async def story(here: Inn) -> None:
        assert await refused(here.guests.ban("nobody")) == ("no_such_guest", 404)
        ghost = Guest("0" * 32, "Ghost", "en", False, "", "")
        assert await refused(here.guests.rename(ghost, "Bert")) == ("no_such_guest", 404)

    at_the_inn(tmp_path, story)


# ---- tokens


def test_a_token_acts_for_its_guest_until_it_is_revoked(tmp_path: Path) -> None:
    async def story(here: Inn) -> None:
        anna, _ = await here.guests.create("Anna")
        bert, _ = await here.guests.create("Bert")
        first, second = [await here.guests.create_token(anna, label) for label in ("one", "two")]
        assert await here.guests.by_token(first) == await here.guests.by_token(second) == anna
        for wrong in ("", first[:-1], first + "x", hash_of(first), anna.id, "\ud800", "x" * 10_000):
            assert await here.guests.by_token(wrong) is None
        assert await refused(here.guests.revoke_token(bert, hash_of(first))) == ("no_such_token", 404)
        assert [row.label for row in await here.guests.tokens(anna)] == ["one", "two"]
        await here.guests.revoke_token(anna, hash_of(first))
        assert await here.guests.by_token(first) is None
        assert await here.guests.by_token(second) == anna
        assert [row.label for row in await here.guests.tokens(anna)] == ["two"]
        assert await refused(here.guests.revoke_token(anna, hash_of(first))) == ("no_such_token", 404)

    at_the_inn(tmp_path, story)


def test_a_guest_has_only_so_many_tokens_also_when_asked_at_once(tmp_path: Path) -> None:
    async def story(here: Inn) -> None:
        anna, _ = await here.guests.create("Anna")
        asked = [here.guests.create_token(anna, f"bot {number}") for number in range(MOST_TOKENS + 5)]
        made = await asyncio.gather(*asked, return_exceptions=True)
        refusals = [each for each in made if isinstance(each, Refused)]
        assert [each.code for each in refusals] == ["too_many_tokens"] * 5
        assert len(await here.guests.tokens(anna)) == MOST_TOKENS
        assert await refused(here.guests.create_token(anna, "\n")) == ("bad_name", 422)

    at_the_inn(tmp_path, story)


# ---- being seen


def test_a_guest_is_noted_as_seen_once_a_day(tmp_path: Path) -> None:
    async def story(here: Inn) -> None:
        anna, _ = await here.guests.create("Anna")
        cookie = here.guests.cookie_of(anna)
        before = here.writer.writes
        for _ in range(5):
            await here.guests.by_cookie(cookie)
        assert here.writer.writes == before
        here.clock.now += DAY_S
        await here.guests.find(anna.id)
        await asyncio.gather(*(here.guests.by_cookie(cookie) for _ in range(20)))
        assert here.writer.writes == before + 1
        row = await here.database.read(queries.guest, anna.id)
        assert row is not None
        assert row.created_at < row.seen_at
        assert row.seen_at.endswith("Z")

    at_the_inn(tmp_path, story)


def test_a_guest_is_let_in_even_if_nothing_can_be_written(tmp_path: Path) -> None:
    async def story(here: Inn) -> None:
        anna, _ = await here.guests.create("Anna")
        await here.writer.stop()
        here.clock.now += 2 * DAY_S
        found = await here.guests.by_cookie(here.guests.cookie_of(anna))
        assert found is not None
        assert found.id == anna.id

    at_the_inn(tmp_path, story)


# ---- memory


def test_memory_is_bounded(tmp_path: Path) -> None:
    async def story(here: Inn) -> None:
        guests = Guests(here.database, here.writer, Keys.at(here.folder), most_known=5)
        made = [(await guests.create("Anna"))[0] for _ in range(20)]
        for guest in made * 2:
            assert await guests.find(guest.id) == guest
            assert guests.known <= 5

    at_the_inn(tmp_path, story)


# ---- names

BAD_NAMES = {
    "nothing": "",
    "blanks": "   ",
    "a blank that looks like a letter to Unicode": "\u3164",
    "an empty cell of Braille": "\u2800\u2800",
    "a newline inside": "An\nna",
    "an escape for the terminal": "\x1b[2J",
    "a turn of direction": "Anna \u202egnp.exe",
    "a mark of direction": "Anna\u200f",
    "an isolate of direction": "\u2066Anna",
    "a joiner of no width": "An\u200bna",
    "half a character": "\ud800",
    "a mark alone": "\u0301",
    "a tower of marks": "Z" + "\u0335\u0321\u0322\u0327",
    "too long": "x" * (LONGEST_NAME + 1),
    "much too long": "x" * 1_000_000,
    "blanks that hide more": "Anna" + " " * 300 + "Bert",
    "a private letter": "\ue000",
}


@pytest.mark.parametrize("what", BAD_NAMES)
def test_bad_names_are_refused(what: str) -> None:
    with pytest.raises(Refused) as caught:
        checked_name(BAD_NAMES[what])
    assert (caught.value.code, caught.value.status) == ("bad_name", 422)


@pytest.mark.parametrize(
    "name", ["Anna", "Æsir-Ø", "Zoë O'Neill", "李小龙", "ทิพย์", "Nguyễn Thị Minh", "محمد", "🦊", "x", "7", "x" * 40]
)
def test_names_of_the_world_are_welcome(name: str) -> None:
    assert checked_name(name) == name


@given(st.text(max_size=60))
def test_a_name_that_is_taken_fits_everywhere(text: str) -> None:
    try:
        name = checked_name(text)
    except Refused:
        return
    assert SeatOfRecord.named(name).name == name
    assert 1 <= len(name) <= LONGEST_NAME
    assert name == name.strip() == checked_name(name)


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_for_those_who_give_none_are_good_names(language: str) -> None:
    words = catalogue("guests", language)
    for quality in words["qualities"]:
        for animal in words["animals"]:
            name = words["pair"].format(quality=quality, animal=animal)
            assert checked_name(name) == name
    assert len(set(words["qualities"])) == len(set(words["animals"])) == 16
    assert len({new_name(language) for _ in range(200)}) > 50


def test_guests_are_renamed_and_change_their_language(tmp_path: Path) -> None:
    async def story(here: Inn) -> None:
        guest, _ = await here.guests.create(language="fr")
        assert guest.name
        anna = await here.guests.speak(await here.guests.rename(guest, " Anna "), "de")
        assert (anna.name, anna.language) == ("Anna", "de")
        assert await here.guests.find(guest.id) == anna
        assert await refused(here.guests.rename(anna, "\u202e")) == ("bad_name", 422)
        assert await refused(here.guests.create("")) == ("bad_name", 422)
        assert await here.guests.find(guest.id) == anna

    at_the_inn(tmp_path, story)


# ---- through a real application


def application(guests: Guests) -> FastAPI:
    app = FastAPI()

    @app.exception_handler(Refused)
    async def told(_: Request, error: Refused) -> JSONResponse:
        return JSONResponse(refusal(error), error.status)

    @app.post("/guests")
    async def make() -> Response:
        guest, code = await guests.create("Anna")
        return JSONResponse({"code": code}, headers={"set-cookie": set_cookie(guests.cookie_of(guest), https=True)})

    @app.get("/me")
    async def me(request: Request) -> dict[str, str | None]:
        guest = await guests.by_cookie(cookie_in(request.headers.get("cookie"), https=True))
        return {"name": guest.name if guest else None}

    return app


def test_a_browser_keeps_its_guest(tmp_path: Path) -> None:
    async def story(here: Inn) -> None:
        transport = ASGITransport(application(here.guests))
        async with AsyncClient(transport=transport, base_url="https://embertown.test") as browser:
            assert (await browser.get("/me")).json() == {"name": None}
            made = await browser.post("/guests")
            assert (await browser.get("/me")).json() == {"name": "Anna"}
            guest = await here.guests.recover(made.json()["code"])
            assert guest is not None
            await here.guests.ban(guest.id)
            told = await browser.get("/me")
            assert (told.status_code, told.json()["code"]) == BANNED[::-1]
        async with AsyncClient(transport=transport, base_url="https://embertown.test") as stranger:
            assert (await stranger.get("/me", headers={"cookie": "__Host-embertown=x.y.z"})).json() == {"name": None}

    at_the_inn(tmp_path, story)
