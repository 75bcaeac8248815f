"""Who is who: guests without registration, known by a signed cookie, a recovery code or a token.

No id that others see opens anything. A guest's id is chance and tells nothing; the cookie holds it with a signature
that only the server can make. Recovery codes, links to seats and tokens are chance as well, and the database holds only
their hashes: they have far more than 100 bits, so that no slow hash and no salt is needed to keep them from being
guessed.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
import secrets
import time
import unicodedata
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from itsdangerous import BadSignature, TimestampSigner

from embertown.core.locale import DEFAULT_LANGUAGE, LANGUAGES, catalogue, translate
from embertown.server.errors import Refused
from embertown.server.keys import Keys
from embertown.server.store import changes, queries
from embertown.server.store.database import Database
from embertown.server.store.errors import Conflict, StoreFailure
from embertown.server.store.rows import GuestRow, TokenRow
from embertown.server.store.writer import Write, Writer

SECRET_BYTES = 24
"""Bytes of chance in links and tokens."""
LONGEST_SECRET = 200
"""Characters of a cookie, a code or a token that are looked at: real ones are shorter."""

ID_BYTES = 16
CODE_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Of recovery codes: without I, L, O and U, which paper and hurry turn into 1, 1, 0 and V."""
CODE_LENGTH, CODE_GROUP = 24, 4
"""Six groups of four: 120 bits."""
MISREAD = str.maketrans("ILOU", "110V")

COOKIE = "embertown"
SECURE_COOKIE = "__Host-embertown"
"""Over https. Browsers take a cookie of such a name only from this very host, over https and for every path: neither
another application on the domain nor somebody on the line can put one in its place."""
COOKIE_SALT = "embertown guest"
COOKIE_AGE_S = 400 * 24 * 3600
"""As long as browsers keep a cookie at all."""
RENEW_AFTER_S = 30 * 24 * 3600

NAMELESS = "?"
"""Who stands in the database without a name."""
LONGEST_NAME = 40
MOST_MARKS = 3
"""Marks above and below one letter: some languages need two or three, and a tower of them covers the page."""
BLANK_LETTERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters and signs that show nothing, though Unicode calls them printable."""

MOST_TOKENS = 20
"""Tokens that a guest may have at once."""
MOST_KNOWN = 10_000
"""Guests that are kept in memory."""
KNOWN_FOR_S = 15.0
"""How long: what another process changes, such as a ban from the command line, holds after this."""


# ---- secrets ------------------------------------------------------------------------------------------


def new_secret() -> tuple[str, str]:
    """A token that nobody can guess, for links and the like, and its hash, which alone is stored."""
    token = secrets.token_urlsafe(SECRET_BYTES)
    return token, hash_of(token)


def hash_of(secret: str) -> str:
    """What is stored of a secret.

    >>> hash_of("abc")[:16]
    'ba7816bf8f01cfea'
    """
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def new_code() -> str:
    """A recovery code, as it is written down: 7K3M-…"""
    code = "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH))
    return "-".join(code[start : start + CODE_GROUP] for start in range(0, CODE_LENGTH, CODE_GROUP))


def plain_code(typed: str) -> str | None:
    """A recovery code as it was meant: case, blanks and hyphens do not count, nor letters that were misread.

    >>> plain_code(" 7k3m 0o1l-abcd_efgh\\u20137K3M0000")
    '7K3M0011ABCDEFGH7K3M0000'
    """
    if len(typed) > LONGEST_SECRET:
        return None
    letters = re.sub(r"[\W_]", "", unicodedata.normalize("NFKC", typed)).upper().translate(MISREAD)
    return letters if len(letters) == CODE_LENGTH and set(letters) <= set(CODE_ALPHABET) else None


# ---- names --------------------------------------------------------------------------------------------


def checked_name(name: str) -> str:
    """A name as others will see it: 1 to 40 printable characters, something of which can be seen.

    >>> checked_name("  Anna   Amalia ")
    'Anna Amalia'
    """
    text = re.sub(" +", " ", unicodedata.normalize("NFC", name).strip()) if len(name) <= LONGEST_SECRET else ""
    kinds = "".join(unicodedata.category(character)[0] for character in text)
    wrong = (
        not 1 <= len(text) <= LONGEST_NAME,
        not text.isprintable(),  # so no control characters, and none that turn the direction of writing
        not BLANK_LETTERS.isdisjoint(text),
        kinds.startswith("M"),
        "M" * (MOST_MARKS + 1) in kinds,
    )
    if any(wrong):
        raise Refused("bad_name", status=422, longest=LONGEST_NAME)
    return text


def new_name(language: str) -> str:
    """A friendly name for a guest who gave none."""
    words = catalogue("guests", language)
    chosen = {"quality": secrets.choice(words["qualities"]), "animal": secrets.choice(words["animals"])}
    return translate("guests", "pair", language, **chosen)


# ---- the cookie ---------------------------------------------------------------------------------------


def set_cookie(value: str, *, https: bool) -> str:
    """The header `Set-Cookie` that gives a browser its guest's cookie."""
    return _cookie_header(value, COOKIE_AGE_S, https)


def clear_cookie(*, https: bool) -> str:
    """The header `Set-Cookie` that makes a browser forget its guest: on a device of somebody else's."""
    return _cookie_header("", 0, https)


def _cookie_header(value: str, age: int, https: bool) -> str:
    name, secure = (SECURE_COOKIE, "; Secure") if https else (COOKIE, "")
    return f"{name}={value}; Max-Age={age}; Path=/; HttpOnly; SameSite=Lax{secure}"


def cookie_in(header: str | None, *, https: bool) -> str | None:
    """The guest's cookie in the header `Cookie`.

    >>> cookie_in("theme=dark; embertown=abc.def", https=False), cookie_in("embertown=abc.def", https=True)
    ('abc.def', None)
    """
    wanted = SECURE_COOKIE if https else COOKIE
    for part in (header or "").split(";"):
        name, _, value = part.partition("=")
        if name.strip() == wanted:
            return value.strip()
    return None


class _Signer(TimestampSigner):
    """Signs with a clock that can be set, and with SHA-256."""

    def __init__(self, keys: Keys, clock: Callable[[], float]) -> None:
        super().__init__(keys.cookie, salt=COOKIE_SALT, key_derivation="hmac", digest_method=hashlib.sha256)
        self._clock = clock

    def get_timestamp(self) -> int:
        """Whole seconds."""
        return int(self._clock())


# ---- guests -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Guest:
    """Somebody who plays here."""

    id: str
    name: str
    language: str
    banned: bool
    created_at: str
    seen_at: str
    """To a day."""

    @classmethod
    def of(cls, row: GuestRow) -> Guest:
        """A guest as the store has it."""
        return cls(row.id, row.name or NAMELESS, row.language, row.banned_at is not None, row.created_at, row.seen_at)


class Guests:
    """All guests: made, found, let in, renamed, banned.

    Whoever is let in (`by_cookie`, `by_token`, `recover`) is not banned: that is refused here, so nobody can forget it.
    """

    def __init__(
        self,
        database: Database,
        writer: Writer,
        keys: Keys,
        *,
        clock: Callable[[], float] = time.time,
        most_known: int = MOST_KNOWN,
    ) -> None:
        self._database, self._writer, self._clock, self._most_known = database, writer, clock, most_known
        self._signer = _Signer(keys, clock)
        self._known: OrderedDict[str, tuple[Guest, float]] = OrderedDict()
        self._changed = 0
        self._making_tokens = asyncio.Lock()

    async def create(self, name: str | None = None, language: str = DEFAULT_LANGUAGE) -> tuple[Guest, str]:
        """A new guest and the recovery code, which is shown once and kept as a hash."""
        spoken = language if language in LANGUAGES else DEFAULT_LANGUAGE
        called = new_name(spoken) if name is None else checked_name(name)
        code, now = new_code(), self._now()
        row = GuestRow(secrets.token_hex(ID_BYTES), called, spoken, _code_hash(code), now, now)
        await self._writer.write(Write((changes.guest_row(row),)))
        return Guest.of(row), code

    async def find(self, guest_id: str) -> Guest | None:
        """A guest by the id, banned or not."""
        known = self._known.get(guest_id)
        if known is not None and self._clock() < known[1]:
            self._known.move_to_end(guest_id)
            return known[0]
        before = self._changed
        row = await self._database.read(queries.guest, guest_id)
        if row is None:
            return None
        guest = Guest.of(row)
        if self._changed == before:  # else what was read may be old already
            self._remember(guest)
        return guest

    @property
    def known(self) -> int:
        """How many guests are in memory."""
        return len(self._known)

    def _remember(self, guest: Guest) -> None:
        self._known[guest.id] = guest, self._clock() + KNOWN_FOR_S
        self._known.move_to_end(guest.id)
        if len(self._known) > self._most_known:
            self._known.popitem(last=False)

    # ---- letting in

    def cookie_of(self, guest: Guest) -> str:
        """The value of a guest's cookie, signed now."""
        return self._signer.sign(guest.id).decode("ascii")

    async def by_cookie(self, value: str | None) -> Guest | None:
        """The guest whom a cookie names; none if it is not ours, too old, or its guest is gone."""
        guest_id, age = self._opened(value)
        if guest_id is None or age > COOKIE_AGE_S:
            return None
        return await self._let_in(await self.find(guest_id))

    def is_stale(self, value: str | None) -> bool:
        """Whether a cookie is ours but old, so that its guest should be given a fresh one (`cookie_of`)."""
        guest_id, age = self._opened(value)
        return guest_id is not None and RENEW_AFTER_S < age <= COOKIE_AGE_S

    def _opened(self, value: str | None) -> tuple[str | None, float]:
        """The id that a cookie holds, and its age; one from the future is ours too, after the clock was set back."""
        if not value or len(value) > LONGEST_SECRET or not value.isascii():
            return None, 0
        try:
            guest_id, signed_at = self._signer.unsign(value, return_timestamp=True)
        except BadSignature:
            return None, 0
        return guest_id.decode("ascii"), self._clock() - signed_at.timestamp()

    async def recover(self, code: str) -> Guest | None:
        """The guest whose recovery code this is, however it was typed; the code stays good."""
        plain = plain_code(code)
        row = None if plain is None else await self._database.read(queries.guest_by_recovery, hash_of(plain))
        return await self._let_in(None if row is None else Guest.of(row))

    async def by_token(self, token: str) -> Guest | None:
        """The guest for whom a token of the bot API acts; none if there is no such token or it was revoked."""
        if len(token) > LONGEST_SECRET:
            return None
        row = await self._database.read(queries.token, hash_of(token))
        if row is None or row.revoked_at is not None:
            return None
        return await self._let_in(await self.find(row.guest_id))

    async def _let_in(self, guest: Guest | None) -> Guest | None:
        if guest is None:
            return None
        if guest.banned:
            raise Refused("banned", status=403)
        return await self._seen(guest)

    async def _seen(self, guest: Guest) -> Guest:
        """Note the day, once a day: guests who are never seen again may be removed some time."""
        now = self._now()
        if _day(now) <= _day(guest.seen_at):
            return guest
        seen = replace(guest, seen_at=now)
        if guest.id in self._known and self._known[guest.id][0] is guest:
            self._remember(seen)  # at once, so that other requests of the same moment do not write as well
        with suppress(StoreFailure, Conflict):  # whoever only reads is let in even if nothing can be written
            await self._writer.write(Write((), (changes.set_guest(guest.id, seen_at=now),)))
        return seen

    # ---- changing

    async def rename(self, guest: Guest, name: str) -> Guest:
        """The guest under another name; where they sit already, they keep the old one."""
        called = checked_name(name)
        await self._change(guest.id, name=called)
        return replace(guest, name=called)

    async def speak(self, guest: Guest, language: str) -> Guest:
        """The guest, answered in another language; one that is not known is English."""
        spoken = language if language in LANGUAGES else DEFAULT_LANGUAGE
        await self._change(guest.id, language=spoken)
        return replace(guest, language=spoken)

    async def renew_code(self, guest: Guest) -> str:
        """A new recovery code; the old one opens nothing any more."""
        code = new_code()
        await self._change(guest.id, recovery_hash=_code_hash(code))
        return code

    async def ban(self, guest_id: str, reason: str | None = None) -> None:
        """Let a guest in no more, by whatever way."""
        await self._change(guest_id, banned_at=self._now(), ban_reason=reason)

    async def unban(self, guest_id: str) -> None:
        """Let a guest in again."""
        await self._change(guest_id, banned_at=None, ban_reason=None)

    async def _change(self, guest_id: str, **columns: Any) -> None:
        try:
            await self._writer.write(Write((), (changes.set_guest(guest_id, **columns),)))
        except Conflict:
            raise Refused("no_such_guest", status=404) from None
        self._changed += 1
        self._known.pop(guest_id, None)

    # ---- tokens of the bot API

    async def create_token(self, guest: Guest, label: str) -> str:
        """A token that acts for a guest, shown once; the label is for telling tokens apart."""
        called = checked_name(label)
        async with self._making_tokens:  # one after the other, so that the count is true
            if len(await self.tokens(guest)) >= MOST_TOKENS:
                raise Refused("too_many_tokens", most=MOST_TOKENS)
            token, token_hash = new_secret()
            row = TokenRow(token_hash, guest.id, called, self._now())
            await self._writer.write(Write((changes.token_row(row),)))
        return token

    async def tokens(self, guest: Guest) -> list[TokenRow]:
        """A guest's tokens that are not revoked, oldest first."""
        rows = await self._database.read(queries.tokens_of_guest, guest.id)
        return [row for row in rows if row.revoked_at is None]

    async def revoke_token(self, guest: Guest, token_hash: str) -> None:
        """A token of this guest's opens nothing any more."""
        if token_hash not in {row.hash for row in await self.tokens(guest)}:
            raise Refused("no_such_token", status=404)
        with suppress(Conflict):  # revoked by another request meanwhile
            await self._writer.write(Write((), (changes.revoke_token(token_hash, self._now()),)))

    def _now(self) -> str:
        return datetime.fromtimestamp(self._clock(), UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _code_hash(code: str) -> str:
    return hash_of(code.replace("-", ""))


def _day(stamp: str) -> str:
    return stamp.partition("T")[0]
