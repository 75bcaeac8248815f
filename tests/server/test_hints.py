"""Hints: the best few, from the seat's own view, at one's turn, and never against another person."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from embertown.bots.network_bot import hint
from embertown.games import GameRecord
from embertown.server.advising import Adviser
from embertown.server.errors import Refused
from embertown.server.making import Wanted
from embertown.server.messages import AskHint
from embertown.server.thinking import Thinkers
from tests.conftest import JIT_OFF
from tests.installing import install
from tests.server.client import Live, Refusal, Server, id_of, seated, serving, until
from tests.server.guests import Place, make_table
from tests.server.test_making import services_in

pytestmark = pytest.mark.skipif(JIT_OFF, reason="a server plays with compiled kernels")

MOST_TURNS = 200
MANY = 30
TOLD = 3
PATIENT = """
    import time
    from pathlib import Path

    from embertown.bots import Choice, Reasons

    FOLDER = Path(__file__).parent


    class Patient:
        name = "patient"

        def choose(self, view, *, seconds=None, simulations=None, seed=0):
            (FOLDER / "asked").touch()
            while not (FOLDER / "go").exists():
                time.sleep(0.005)
            return Choice(view.legal_actions[0], Reasons())
"""
"""A bot that keeps its process until it is told to go on."""


def alone(server: Server, game: str, *bots: str, **wish: Any) -> Live:
    """Somebody who plays against bots, at their first turn."""
    live = seated(server, game, 1, bots, **wish)[0]
    live.wait_for(lambda each: each.turns)
    return live


def ask(live: Live, seat: int | None = None, **how: Any) -> dict[str, Any]:
    return live.ask(**wish_of(live, seat, **how))


def wish_of(live: Live, seat: int | None = None, **how: Any) -> dict[str, Any]:
    return {"type": "hint", "seat": live.seat if seat is None else seat, "number": live.number, **how}


def refused(live: Live, seat: int | None = None, **how: Any) -> str:
    return live.refused(**wish_of(live, seat, **how))


def check(told: dict[str, Any], legal: list[str]) -> None:
    """Legal actions, the best first, with their shares."""
    shares = [each["share"] for each in told["best"]]
    assert told["type"] == "hint"
    assert 1 <= len(shares) <= TOLD
    assert {each["action"] for each in told["best"]} <= set(legal)
    assert shares == sorted(shares, reverse=True)
    assert 0 < sum(shares) <= 1.001
    assert told["win_share"] is None or 0 <= told["win_share"] <= 1


# ---- what is told


@pytest.mark.parametrize(("game", "by"), [("cronberg", "network"), ("drunter", "both")])
def test_a_hint_is_what_is_said_of_the_same_game_elsewhere(server: Server, game: str, by: str) -> None:
    """The game is played again from its record, and asked here."""
    live = alone(server, game, "greedy")
    for _ in range(4):
        live.wait_for(lambda each: each.turns)
        told = ask(live)
        record = live.guest.get(f"/api/tables/{id_of(live)}/record", seat=live.seat).json()
        view = GameRecord.from_dict(record).replay().view(live.seat)
        expected = hint(view)
        assert told["by"] == expected.by == by
        assert [each["action"] for each in told["best"]] == [view.text(action) for action, _ in expected.best]
        assert [each["share"] for each in told["best"]] == pytest.approx(
            [share for _, share in expected.best], abs=1e-3
        )
        assert told["win_share"] == pytest.approx(expected.win_share, abs=1e-3)
        live.turns.clear()
        live.play(told["best"][0]["action"])


def test_a_hint_changes_nothing_and_is_told_to_nobody_else(server: Server) -> None:
    live = alone(server, "cronberg", "greedy", public=True)
    other = server.guest("Ben").live(id_of(live))
    before = live.table["log"], live.table["facts"], live.turns[live.seat]
    record = live.guest.get(f"/api/tables/{id_of(live)}/record").json()
    assert ask(live) == {**ask(live), "id": live.messages[-2]["id"]}, "the same every time"
    live.caught_up()
    assert (live.table["log"], live.table["facts"], live.turns[live.seat]) == before
    assert live.guest.get(f"/api/tables/{id_of(live)}/record").json() == record
    assert not [each for each in other.caught_up() if each["type"] == "hint" or "best" in each]
    live.play(live.turns[live.seat]["legal"][0]["text"])


@pytest.mark.parametrize("options", [{}, {"variant": True}])
def test_who_follows_hints_plays_a_whole_game_of_drunter(server: Server, options: dict[str, bool]) -> None:
    """Tiles, votes, Jeeiin, and in the variant which card it is: everything that is to be decided."""
    live = alone(server, "drunter", "greedy", "random", options=options)
    kinds = set()
    for _ in range(MOST_TURNS):
        live.wait_for(lambda each: each.turns or each.status == "over")
        if live.status == "over":
            break
        turn = live.turns.pop(live.seat)
        told = ask(live, number=turn["number"])
        check(told, [each["text"] for each in turn["legal"]])
        assert told["by"] == "both"
        kinds.add(told["best"][0]["action"].split()[0])
        live.play(told["best"][0]["action"], number=turn["number"] + 1)
    assert live.status == "over"
    assert {"lay", "vote"} <= kinds
    assert ("choose" in kinds) == bool(options)


def test_where_the_network_does_not_know_the_game_a_search_stands_in(server: Server) -> None:
    live = alone(server, "drunter", "greedy", options={"several_cards": True})
    told = ask(live)
    check(told, [each["text"] for each in live.turns[live.seat]["legal"]])
    assert told["by"] == "search"


# ---- who gets none


def test_against_people_nobody_gets_a_hint(server: Server) -> None:
    """Also not while a bot plays for the other: they may come back."""
    lives = seated(server, "cronberg", 2, ("greedy",))
    for live in lives:
        assert not live.table["hints"]
        assert refused(live) == "hint_among_people"
    lives[1].ask(type="stand_in", seat=1, bot="greedy")
    assert refused(lives[0]) == "hint_among_people"
    lives = seated(server, "cronberg", 3)
    lives[2].ask(type="resign", seat=2)
    lives[1].ask(type="resign", seat=1)
    lives[0].caught_up()
    assert not lives[0].table["hints"], "the game is over with the second"


def test_who_comes_to_sit_there_ends_the_hints(server: Server) -> None:
    """One device for both, until one of them takes a seat along to another."""
    live = server.guest("Anna")
    hand = live.live(live.make("cronberg", ["me", "me"])["table"])
    hand.wait_for(lambda each: each.turns)
    seat = hand.waiting[0]
    assert hand.table["hints"]
    check(ask(hand, seat), [each["text"] for each in hand.turns[seat]["legal"]])
    token = live.post(f"/api/tables/{id_of(hand)}/links", {"seat": 1 - seat}).json()["token"]
    phone = server.guest("Ben")
    assert phone.claim(token).status_code == 200
    hand.caught_up()
    assert hand.of("seats")[-1]["hints"] is False
    assert not phone.live(id_of(hand)).table["hints"]
    assert refused(hand, seat) == "hint_among_people"


def test_a_seat_with_secrets_has_to_be_looked_at_first(server: Server) -> None:
    guest = server.guest("Anna")
    hand = guest.live(guest.make("drunter", ["me", "me", "greedy"])["table"])
    hand.wait_for(lambda each: {*each.waiting} & {0, 1})
    due = next(seat for seat in hand.waiting if seat < 2)
    for seat in (0, 1):
        assert refused(hand, seat) == "look_first"
    hand.ask(type="look", seat=1 - due)
    assert refused(hand, due) == "look_first"
    assert refused(hand, 1 - due) == "hint_too_early"
    hand.ask(type="look", seat=due)
    hand.caught_up()
    check(ask(hand, due), [each["text"] for each in hand.turns[due]["legal"]])


def test_other_seats_and_those_who_only_watch_get_none(server: Server) -> None:
    live = alone(server, "cronberg", "greedy", public=True)
    assert refused(live, 1) == "not_your_seat"
    for watcher, code in ((server.guest("Ben"), "not_your_seat"), (server.stranger(), "guests_only")):
        watching = watcher.live(id_of(live))
        assert not watching.table["hints"]
        assert refused(watching, 0) == code


def test_programs_get_none(server: Server) -> None:
    with Place(server.base) as place:
        program = place.program(place.guest("Anna"))
        table = make_table(program, "cronberg", "me", "greedy")["table"]
        with program.stream("GET", "/api/bot/events") as events:
            first = next(line for line in events.iter_lines() if line)
        assert '"hints":false' in first
        wish = {"id": "w", "seat": 0, "number": 4}
        assert program.post(f"/api/bot/tables/{table}/hint", json=wish).status_code == 404


# ---- when there is none


def test_hints_are_for_the_turn_that_is_seen(server: Server) -> None:
    live = alone(server, "cronberg", "greedy")
    late = live.number
    live.play("draw")
    with pytest.raises(Refusal) as refusal:
        ask(live, number=late)
    assert refusal.value.code == "stale"
    assert [each["text"].split()[0] for each in refusal.value.message["missed"]] == ["draw", "drawn"]
    assert refused(live, number=live.number + 1) == "stale"


def test_who_is_not_waited_for_gets_none(server: Server) -> None:
    guest = server.guest("Anna")
    live = guest.live(guest.make("cronberg", ["me", "me"], autostart=False)["table"])
    assert refused(live, 0) == "not_playing"
    live.ask(type="start")
    live.wait_for(lambda each: each.turns)
    due = live.waiting[0]
    sentences = set()
    for language in ("en", "de", "fr"):
        other = guest.live(id_of(live), language=language)
        with pytest.raises(Refusal) as refusal:
            ask(other, 1 - due)
        assert refusal.value.code == "hint_too_early"
        sentences.add(refusal.value.message["sentence"])
        other.close()
    assert len(sentences) == 3
    live.ask(type="stand_in", seat=1 - due, bot="random")
    assert refused(live, 1 - due) == "bot_plays"
    live.ask(type="resign", seat=due)
    live.caught_up()
    assert live.status == "over"
    assert refused(live, 1 - due) == "not_playing"


class Page:
    """Somebody's page, as a table sees it."""

    is_program = False

    def __init__(self, guest: str) -> None:
        self.guest: str | None = guest
        self.viewer: int | None = None
        self.muted: set[str] = set()

    def send(self, text: str) -> None:
        raise AssertionError(text)

    def close(self, code: str) -> None:
        raise AssertionError(code)


def test_where_nothing_can_be_thought_of_it_is_said(tmp_path: Path) -> None:
    """The process is given no time, however often it is asked."""

    async def advised() -> str:
        async with services_in(tmp_path, limits=False) as (services, guest):
            made = await services.maker.make(guest, Wanted("cronberg", ["me", "me"]))
            room = await services.hall.room(made.table)
            seat, number = room.table.waiting[0], room.table.number
            wish = AskHint(type="hint", id="m1", seat=seat, number=number)
            thinkers = Thinkers(1, games=(), grace=0.0)
            adviser, page = Adviser(services.hall, thinkers), Page(guest.id)
            await thinkers.start()
            try:
                return await adviser.advised(room, page, wish, await adviser.view_for(room, page, wish))
            finally:
                await thinkers.stop()

    with pytest.raises(Refused) as refused_with:
        asyncio.run(advised())
    assert (refused_with.value.code, refused_with.value.status) == ("no_hint", 503)


# ---- how often, and what happens meanwhile


def test_who_asks_too_often_is_told_when_to_ask_again(tmp_path: Path) -> None:
    with serving(tmp_path / "data", limits=True) as limited:
        live = alone(limited, "cronberg", "random")
        for _ in range(MANY):
            with suppress(Refusal):
                check(ask(live), [each["text"] for each in live.turns[live.seat]["legal"]])
        assert {each["code"] for each in live.of("refusal")} == {"too_many_hints"}
        assert all(each["retry_after"] > 0 for each in live.of("refusal"))
        assert live.of("hint")


def test_while_a_hint_is_thought_of_everything_else_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot keeps the only process: a hint waits for it, and nobody waits for the hint."""
    install(tmp_path, "patient-bots", PATIENT, {"patient": "patient_bots:Patient"})
    monkeypatch.syspath_prepend(tmp_path)
    with serving(tmp_path / "data") as running:
        busy = running.guest("Ben")
        live = alone(running, "cronberg", "greedy")
        busy.make("cronberg", ["me", "patient"], first=1)
        until((tmp_path / "asked").exists, "the bot's turn")
        asked = live.send(**wish_of(live))
        assert refused(live) == "too_many_hints", "one at a time"
        assert not [each for each in live.caught_up() if each["type"] == "hint"]
        live.play(live.turns[live.seat]["legal"][0]["text"])
        (tmp_path / "go").touch()
        late = live.wait_for(lambda each: [told for told in each.of("refusal") if told["id"] == asked])
        assert late[0]["code"] == "stale", "it was thought of for a turn that is over"
