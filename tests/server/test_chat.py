"""Talking at a table: durable, limited, muted, reported."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.server.client import Live, Server, id_of, seated, serving


def lines(live: Live) -> list[str]:
    live.caught_up()
    return [line["text"] for message in live.of("chat") for line in message["lines"]]


def test_all_hear_it_also_who_comes_later(server: Server) -> None:
    lives = seated(server, "cronberg", 2, public=True)
    watcher = server.guest("Watcher").live(id_of(lives[0]))
    lives[0].ask(type="say", text="  hello  ")
    watcher.ask(type="say", text="from outside")
    for live in (*lives, watcher, server.stranger().live(id_of(lives[0]))):
        assert lines(live) == ["hello", "from outside"]
    said = [line for message in lives[1].of("chat") for line in message["lines"]]
    assert [(each["seat"], each["name"]) for each in said] == [(0, "Player 0"), (None, "Watcher")]
    assert set(said[0]) == {"line", "seat", "name", "text", "at"}


@pytest.mark.parametrize("text", [" ", "\n", "a\u0000b", "\u202e", "\ud83d"])
def test_nothing_is_said_by_what_can_not_be_read(server: Server, text: str) -> None:
    live = seated(server, "cronberg", 1, ("random",))[0]
    live.socket.send('{"type":"say","id":"s","text":' + json.dumps(text) + "}")
    live.caught_up()
    assert live.of("refusal")[-1]["code"] in ("nothing_said", "malformed_message")


def test_who_is_muted_is_not_heard_on_any_connection(server: Server) -> None:
    lives = seated(server, "cronberg", 2)
    other = lives[1].guest.live(id_of(lives[1]))
    line = lives[0].ask(type="say", text="one")["number"]
    lives[1].ask(type="mute", line=line)
    lives[0].ask(type="say", text="two")
    assert lines(lives[1]) == ["one"]
    assert lines(other) == ["one"]
    back = lives[1].guest.live(id_of(lives[1]))
    assert lines(back) == []
    lives[1].ask(type="mute", line=line, muted=False)
    lives[0].ask(type="say", text="three")
    assert lines(lives[1])[-1] == lines(other)[-1] == "three"
    assert lives[0].refused(type="mute", line=line) == "own_line"
    assert lives[0].refused(type="mute", line=77) == "no_such_line"


def muted(live: Live) -> list[tuple[list[int], int | None, str | None]]:
    """Who is not heard, as it was told last."""
    live.caught_up()
    told = [message["muted"] for message in live.of("chat") if "muted" in message]
    return [(each["lines"], each["seat"], each["name"]) for each in told[-1]] if told else []


def test_who_is_muted_is_told_to_who_comes_back_and_can_be_heard_again(server: Server) -> None:
    lives = seated(server, "cronberg", 2, public=True)
    namesake = server.guest("Player 0").live(id_of(lives[0]))
    first = lives[0].ask(type="say", text="one")["number"]
    namesake.ask(type="say", text="two")
    open_elsewhere = lives[1].guest.live(id_of(lives[1]))
    lives[1].ask(type="mute", line=first)
    third = lives[0].ask(type="say", text="three")["number"]
    back = lives[1].guest.live(id_of(lives[1]))
    assert lines(back) == ["two"]
    for live, told in ((lives[1], [first]), (open_elsewhere, [first]), (back, [first, third])):
        assert muted(live) == [(told, 0, "Player 0")]
    assert muted(lives[0]) == muted(namesake) == []
    back.ask(type="mute", line=third, muted=False)
    for live in (lives[1], open_elsewhere, back):
        assert muted(live) == []
        assert "three" in lines(live)


def test_who_was_muted_elsewhere_is_shown_with_the_first_line_here(server: Server) -> None:
    lives = seated(server, "cronberg", 2, public=True)
    line = lives[0].ask(type="say", text="one")["number"]
    lives[1].ask(type="mute", line=line)
    table = server.guest("Cleo").make("cronberg", ["me", "open"], public=True)["table"]
    hears, says = lives[1].guest.live(table), lives[0].guest.live(table)
    assert muted(hears) == []
    said = says.ask(type="say", text="here too")["number"]
    assert (lines(hears), muted(hears)) == ([], [([said], None, "Player 0")])
    hears.ask(type="mute", line=said, muted=False)
    assert (lines(hears), muted(hears), muted(lives[1])) == (["here too"], [], [])


def test_who_is_muted_and_writes_on_makes_no_work_for_who_does_not_hear(server: Server) -> None:
    lives = seated(server, "cronberg", 2)
    line = lives[0].ask(type="say", text="one")["number"]
    lives[1].ask(type="mute", line=line)
    lives[1].caught_up()
    for _ in range(5):
        lives[0].ask(type="say", text="more")
    assert [told for told in lives[1].caught_up() if told["type"] == "chat"] == []


def test_a_report_reaches_the_host(server: Server) -> None:
    lives = seated(server, "cronberg", 2)
    line = lives[0].ask(type="say", text="rude")["number"]
    wish = {"type": "report", "line": line, "text": "that was rude", "id": "r1"}
    assert lives[1].ask(**wish) == lives[1].ask(**wish)
    with closing(sqlite3.connect(server.database)) as database:
        found = database.execute("SELECT chat_number, text FROM reports WHERE table_id = ?", (id_of(lives[0]),))
        assert found.fetchall() == [(line, "that was rude")]


def test_who_writes_too_fast_is_told_when_to_go_on(tmp_path: Path) -> None:
    with serving(tmp_path / "data", limits=True) as limited:
        live = seated(limited, "cronberg", 1, ("random",))[0]
        for number in range(30):
            live.send(type="say", text=f"line {number}")
        heard = lines(live)
        refused = live.of("refusal")
        assert {each["code"] for each in refused} == {"too_many_chat"}
        assert all(each["retry_after"] > 0 for each in refused)
        assert len(heard) + len(refused) == 30
