"""HTTP: guests, tables, records, pictures. Thin: every wish is granted elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Path, Query, Request, Response

from embertown.games import game_class, load
from embertown.server import forms, inviting, offered, wire
from embertown.server.drawing_shapes import EditionDrawing
from embertown.server.drawn import answer, drawn
from embertown.server.errors import Refused
from embertown.server.headers import asked_language
from embertown.server.identity import Guest, clear_cookie, cookie_in, hash_of, set_cookie
from embertown.server.limits import Key, Kind, address_key, guest_key
from embertown.server.making import Wanted
from embertown.server.messages import SeatNumber, TableMessage
from embertown.server.notify import Push
from embertown.server.room import Room
from embertown.server.services import Services
from embertown.server.store import queries
from embertown.server.store.rows import SeatedTable

REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": forms.RefusalFacts} for status in (400, 401, 403, 404, 409, 410, 413, 422, 429, 503)
}
"""What any request may be answered with."""
EDITION: dict[int | str, dict[str, Any]] = {
    200: {"model": EditionDrawing},
    304: {"description": "What the browser has is still right."},
}
TABLE: dict[int | str, dict[str, Any]] = {200: {"model": TableMessage}}
"""How answers look that are made as plain values: checking them again would cost time and find nothing."""

router = APIRouter(prefix="/api", responses=REFUSALS)

TableId = Annotated[str, Path(pattern=r"^[a-z2-7]{12}$", description="The id of a table: it opens nothing.")]
WatchToken = Annotated[str | None, Query(max_length=64, description="The token of a watch link.")]
LinkSecret = Annotated[
    str,
    Header(
        alias="embertown-link",
        max_length=200,
        description="The token of the link: in a header, since addresses stand in logs.",
    ),
]
BEARER = "Bearer "
A_DAY = "max-age=86400"
Theme = Annotated[str | None, Query(max_length=40, description="The game's own where none is given.")]


# ---- who asks


def services_of(request: Request) -> Services:
    """The running server."""
    return request.app.state.services  # type: ignore[no-any-return]


Server = Annotated[Services, Depends(services_of)]


async def guest_of(request: Request, response: Response, server: Server) -> Guest | None:
    """Who asks, by token or by cookie; None for nobody in particular. An old cookie is exchanged for a fresh one."""
    server.limits.check(Kind.REQUESTS, address_of(request))
    authorization = request.headers.get("authorization", "")
    if authorization.startswith(BEARER):
        guest = await server.guests.by_token(authorization.removeprefix(BEARER))
        if guest is None:
            raise Refused("bad_token", status=401)
        return guest
    cookie = cookie_in(request.headers.get("cookie"), https=server.settings.https)
    guest = await server.guests.by_cookie(cookie)
    if guest is not None and server.guests.is_stale(cookie):
        _let_in(response, server, guest)
    return guest


async def known_guest(request: Request, response: Response, server: Server) -> Guest:
    """Who asks; nobody in particular is refused."""
    guest = await guest_of(request, response, server)
    if guest is None:
        raise Refused("guests_only", status=401)
    server.limits.check(Kind.REQUESTS, guest_key(guest.id))
    return guest


Anyone = Annotated[Guest | None, Depends(guest_of)]
Someone = Annotated[Guest, Depends(known_guest)]


def address_of(request: Request) -> Key:
    """Where a request comes from, as it is counted."""
    return address_key(None if request.client is None else request.client.host)


def _let_in(response: Response, server: Services, guest: Guest) -> None:
    cookie = set_cookie(server.guests.cookie_of(guest), https=server.settings.https)
    response.headers.append("set-cookie", cookie)


def id_of(guest: Guest | None) -> str | None:
    """The id of whoever asks."""
    return None if guest is None else guest.id


# ---- guests


@router.post("/guests", status_code=201, responses={200: {"model": forms.GuestFacts}})
async def become_guest(
    wish: forms.NewGuest, request: Request, response: Response, server: Server, known: Anyone
) -> forms.GuestFacts:
    """Become a guest, or be told who one is already. The recovery code is told once."""
    if known is not None:
        response.status_code = 200
        return forms.GuestFacts(name=known.name, language=known.language)
    server.limits.check(Kind.GUESTS, address_of(request))
    guest, code = await server.guests.create(wish.name, wish.language or asked_language(request.scope))
    _let_in(response, server, guest)
    return forms.GuestFacts(name=guest.name, language=guest.language, recovery=code)


@router.get("/me")
async def me(guest: Someone) -> forms.GuestFacts:
    """Who one is."""
    return forms.GuestFacts(name=guest.name, language=guest.language)


@router.patch("/me")
async def change_me(wish: forms.NewGuest, server: Server, guest: Someone) -> forms.GuestFacts:
    """Another name, another language."""
    if wish.name is not None:
        guest = await server.guests.rename(guest, wish.name)
    if wish.language is not None:
        guest = await server.guests.speak(guest, wish.language)
    return forms.GuestFacts(name=guest.name, language=guest.language)


@router.delete("/me", status_code=204)
async def forget_me(server: Server, response: Response) -> None:
    """Forget on this device who one is; the recovery code brings it back."""
    response.headers.append("set-cookie", clear_cookie(https=server.settings.https))


@router.post("/me/recovery")
async def new_recovery(server: Server, guest: Someone) -> forms.GuestFacts:
    """A new recovery code; the old one opens nothing any more."""
    code = await server.guests.renew_code(guest)
    return forms.GuestFacts(name=guest.name, language=guest.language, recovery=code)


@router.post("/recover")
async def recover(wish: forms.Recovery, request: Request, response: Response, server: Server) -> forms.GuestFacts:
    """Come back as the guest whose recovery code one has."""
    server.limits.check(Kind.RECOVERIES, address_of(request))
    guest = await server.guests.recover(wish.code)
    if guest is None:
        raise Refused("unknown_code", status=404)
    _let_in(response, server, guest)
    return forms.GuestFacts(name=guest.name, language=guest.language)


# ---- what there is to play


@router.get("/games")
async def games() -> list[forms.GameFacts]:
    """The games, with their options, editions and themes, and the bots: names and explanations in every language."""
    return offered.games()


@router.get("/games/{game}/editions/{edition}", response_model=None, responses=EDITION)
async def edition(game: str, edition: str, request: Request, theme: Theme = None) -> Response:
    """Geometry and artwork of a shipped edition."""
    kind = game_class(game)
    if edition not in kind.edition_model.shipped():
        raise Refused("not_found", status=404)
    return answer(await drawn(load(game, edition=edition), theme), request, f"public, {A_DAY}")


# ---- tables


@router.post("/tables", status_code=201)
async def make_table(wish: forms.NewTable, request: Request, server: Server, guest: Someone) -> forms.MadeTable:
    """Make a table."""
    server.limits.check(Kind.TABLES, address_of(request), guest_key(guest.id))
    server.check_warm()
    clock = None if wish.clock is None else wish.clock.model_dump()
    if clock is not None and not any(clock.values()):
        clock = None
    wanted = Wanted(
        wish.game,
        wish.seats,
        wish.edition,
        wish.options,
        public=wish.public,
        pace=wish.pace,
        clock=clock,
        games=wish.games,
        autostart=wish.autostart,
        title=wish.title,
        entropy=wish.entropy,
        names=wish.names,
        first=wish.first,
    )
    made = await server.maker.make(guest, wanted)
    return forms.MadeTable(table=made.table, links=made.links, watch=made.watch)


@router.get("/tables")
async def public_tables(server: Server, guest: Anyone) -> list[forms.TableSummary]:
    """Public tables that wait for players or are being played."""
    waiting = await server.database.read(queries.public_open_tables)
    playing = await server.database.read(queries.public_playing_tables)
    return await _summaries(server, [*waiting, *playing], guest)


@router.get("/tables/mine")
async def my_tables(server: Server, guest: Someone) -> list[forms.TableSummary]:
    """The tables at which one sits."""
    found = await server.database.read(queries.tables_of_guest, guest.id)
    return await _summaries(server, found, guest)


async def _summaries(server: Services, found: Sequence[SeatedTable], guest: Guest | None) -> list[forms.TableSummary]:
    waiting = await server.standing.waiting(found)
    return [_summary(each, waiting.get(each.table.id), id_of(guest)) for each in found]


def _summary(found: SeatedTable, waiting: tuple[int, ...] | None, mine: str | None) -> forms.TableSummary:
    row = found.table
    your_turn = None
    if waiting is not None and mine is not None:
        your_turn = any(each.guest_id == mine and each.bot is None and each.seat in waiting for each in found.seats)
    return forms.TableSummary(
        id=row.id,
        title=row.title or "",
        game=row.game,
        edition=inviting.edition_of(row),
        options=row.options,
        status=row.status,
        pace=row.pace,
        clock=row.clock,
        public=row.public,
        seats=inviting.seats_of(found, mine),
        created=row.created_at,
        changed=row.changed_at,
        waiting=None if waiting is None else [*waiting],
        your_turn=your_turn,
    )


async def watched_room(table: TableId, server: Server, guest: Anyone, watch: WatchToken = None) -> Room:
    """A table that one may watch."""
    room = await server.hall.room(table)
    server.access.check_watching(room.table, id_of(guest), watch)
    return room


Watched = Annotated[Room, Depends(watched_room)]


@router.get("/tables/{table}", response_model=None, responses=TABLE)
async def table_facts(room: Watched, server: Server, guest: Anyone) -> dict[str, Any]:
    """A table as a spectator sees it."""
    async with room.lock:
        message = wire.whole(
            room.table,
            None,
            0,
            facts=wire.facts(room.table, None),
            guest=id_of(guest),
            here=room.here,
            spectators=room.spectators,
            takeback=None,
            next_table=room.next_table,
            hints=False,
            now=server.hall.clock(),
        )
    return dict(message)


@router.get("/tables/{table}/edition", response_model=None, responses=EDITION)
async def table_edition(room: Watched, request: Request, theme: Theme = None) -> Response:
    """Geometry and artwork of the edition that is played at a table."""
    return answer(await drawn(room.table.game, theme), request, f"private, {A_DAY}")


@router.get("/tables/{table}/record")
async def table_record(room: Watched, guest: Anyone, seat: SeatNumber | None = None) -> dict[str, Any]:
    """The record as a spectator, or with `seat` the player of an own seat, may know it; all once it is played out."""
    async with room.lock:
        return wire.record(room.table, eyes_of(room, guest, seat))


def eyes_of(room: Room, guest: Guest | None, seat: int | None) -> int | None:
    """With whose eyes: those of an own seat, or a spectator's."""
    if seat is not None and seat not in room.table.seats_of(id_of(guest)):
        raise Refused("not_your_seat", status=403, seat=seat)
    return seat


async def _room_to_change(table: str, server: Services, guest: Guest) -> Room:
    """A table at which a guest wants to do something: one that is not open to them is not there."""
    room = await server.hall.room(table)
    server.access.check_watching(room.table, guest.id, None)
    return room


@router.post("/tables/{table}/join")
async def join(table: TableId, wish: forms.SitDown, request: Request, server: Server, guest: Someone) -> forms.Seated:
    """Sit down at a public table."""
    server.limits.check(Kind.CLAIMS, address_of(request), guest_key(guest.id))
    room = await _room_to_change(table, server, guest)
    return forms.Seated(table=table, seat=await server.maker.join(guest, room, wish.seat, wish.entropy))


@router.get("/claims")
async def look_at_link(request: Request, server: Server, guest: Anyone, link: LinkSecret) -> forms.Invitation:
    """What a one-time link leads to, without using it; one that opens nothing any more is refused, and why."""
    keys = [address_of(request), *([] if guest is None else [guest_key(guest.id)])]
    server.limits.check(Kind.LINKS, *keys)
    return await server.database.read(inviting.to_seat, hash_of(link), id_of(guest))


@router.get("/tables/{table}/invitation")
async def look_at_table(room: Watched, server: Server, guest: Anyone) -> forms.Invitation:
    """What a link for watching leads to."""
    return await server.database.read(inviting.to_watch, room.table.row.id, id_of(guest))


@router.post("/claims")
async def claim(wish: forms.Claim, request: Request, server: Server, guest: Someone) -> forms.Seated:
    """Take the seat that a one-time link leads to."""
    server.limits.check(Kind.CLAIMS, address_of(request), guest_key(guest.id))
    table, seat = await server.maker.claim(guest, hash_of(wish.token), wish.entropy)
    return forms.Seated(table=table, seat=seat)


@router.post("/tables/{table}/leave", status_code=204)
async def leave(table: TableId, wish: forms.SeatChoice, server: Server, guest: Someone) -> None:
    """Get up from a seat: before the start it is open again, later a bot stands in."""
    await server.maker.leave(guest, await _room_to_change(table, server, guest), wish.seat)


@router.post("/tables/{table}/start", status_code=204)
async def start(table: TableId, server: Server, guest: Someone) -> None:
    """Begin, once every seat is taken."""
    await server.hall.start(await _room_to_change(table, server, guest), guest.id)


@router.post("/tables/{table}/links", status_code=201)
async def new_link(
    table: TableId, wish: forms.SeatChoice, request: Request, server: Server, guest: Someone
) -> forms.LinkToken:
    """A fresh link to an own seat, for another device; or to an open seat of one's own table."""
    server.limits.check(Kind.CLAIMS, address_of(request), guest_key(guest.id))
    room = await _room_to_change(table, server, guest)
    return forms.LinkToken(seat=wish.seat, token=await server.maker.new_link(guest, room, wish.seat))


# ---- being told that it is one's turn


@router.get("/push")
async def push_key(server: Server) -> forms.PushKey:
    """What a browser subscribes with."""
    return forms.PushKey(key=server.keys.vapid_public)


@router.post("/push", status_code=204)
async def subscribe(wish: forms.PushSubscription, server: Server, guest: Someone) -> None:
    """Be told by Web Push."""
    await server.addresses.subscribe(guest, Push(wish.endpoint, wish.p256dh, wish.auth), server.hall.now())


@router.delete("/push", status_code=204)
async def unsubscribe(wish: forms.Endpoint, server: Server, guest: Someone) -> None:
    """Be told no more."""
    await server.addresses.unsubscribe(guest, wish.endpoint)


@router.put("/me/webhook")
async def set_webhook(wish: forms.WebhookWish, server: Server, guest: Someone) -> forms.WebhookFacts:
    """Be told by a POST to an address of one's own, signed with the key that is answered; null for no longer."""
    await server.addresses.set_webhook(guest, wish.url)
    return forms.WebhookFacts(url=wish.url, key=None if wish.url is None else server.addresses.secret(guest.id))


# ---- tokens of programs


@router.post("/tokens", status_code=201)
async def new_token(wish: forms.NewToken, server: Server, guest: Someone) -> forms.TokenFacts:
    """A token with which a program plays for a guest; it is told once."""
    return forms.TokenFacts(label=wish.label, token=await server.guests.create_token(guest, wish.label))


@router.delete("/tokens", status_code=204)
async def revoke_tokens(server: Server, guest: Someone) -> None:
    """Revoke all tokens of a guest; programs that listen with one hear no more."""
    for each in await server.guests.tokens(guest):
        await server.guests.revoke_token(guest, each.hash)
    server.hall.dismiss_programs("bad_token", guest.id)
