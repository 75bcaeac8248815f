"""The live protocol over real connections: repeats, late messages, looking, leaving, links, the end of a game."""

from __future__ import annotations

import random
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.server.client import Live, Refusal, Server, id_of, seated


def whose_turn(lives: Sequence[Live]) -> Live:
    """The connection of the first seat that is waited for; all others have read what there was."""
    for live in lives:
        live.caught_up()
    return next(live for live in lives if live.seat in live.waiting)


def first_legal(live: Live, seat: int | None = None) -> str:
    return str(live.turns[live.seat if seat is None else seat]["legal"][0]["text"])


def play_some(lives: Sequence[Live], steps: int, seed: int = 1) -> None:
    """So many random decisions, or fewer where the game is over."""
    chooser = random.Random(seed)
    for _ in range(steps):
        for live in lives:
            live.caught_up()
        if lives[0].status != "playing":
            return
        live = next(live for live in lives if live.seat in live.waiting)
        live.play(chooser.choice(live.turns[live.seat]["legal"])["text"])


# ---- everyone sees the same


@pytest.mark.parametrize("game", ["cronberg", "drunter"])
def test_what_a_page_holds_after_many_messages_is_what_the_server_tells_anew(server: Server, game: str) -> None:
    lives = seated(server, game, 3)
    for part in range(3):
        play_some(lives, 12, part)
        for live in lives:
            live.caught_up()
            fresh = live.guest.live(id_of(live))
            assert fresh.table["facts"] == live.table["facts"]
            assert fresh.table["log"] == live.table["log"]
            assert fresh.waiting == live.waiting
            if live.seat in live.waiting:
                assert fresh.turns[live.seat]["legal"] == live.turns[live.seat]["legal"]
            fresh.close()


# ---- repeats


def test_a_repeat_is_answered_as_before_and_nothing_is_doubled(server: Server) -> None:
    lives = seated(server, "cronberg", 2)
    live = whose_turn(lives)
    wish = {"type": "play", "id": "once", "seat": live.seat, "number": live.number + 1, "action": first_legal(live)}
    answers = [live.ask(**wish) for _ in range(3)]
    assert answers[0] == answers[1] == answers[2]
    other = live.guest.live(id_of(live))
    assert other.ask(**wish) == answers[0]
    live.caught_up()
    assert sum(each["number"] == answers[0]["number"] for each in live.table["log"]) == 1
    assert live.number == other.number
    play_some(lives, 4)
    assert live.ask(**wish) == answers[0], "also when the game has gone on"


def test_what_is_said_twice_stands_once(server: Server) -> None:
    lives = seated(server, "cronberg", 2)
    wish = {"type": "say", "id": "hello1", "text": "hello"}
    answers = [lives[0].ask(**wish) for _ in range(3)]
    assert answers[0] == answers[1] == answers[2]
    lives[1].caught_up()
    assert [line["text"] for each in lives[1].of("chat") for line in each["lines"]] == ["hello"]


@pytest.mark.parametrize("players", [2, 3])
def test_every_wish_can_be_repeated(server: Server, players: int) -> None:
    """What was done is answered as before; also a seat given up, and an end."""
    lives = seated(server, "cronberg", players)
    live = lives[0]
    for wish in (
        {"type": "stand_in", "seat": 0, "bot": "greedy", "id": "s1"},
        {"type": "stand_in", "seat": 0, "bot": None, "id": "s2"},
        {"type": "resign", "seat": 0, "id": "r1"},
    ):
        first = live.ask(**wish)
        assert live.ask(**wish) == first, wish
    again = live.guest.live(id_of(live), watch=None) if players == 2 else live
    assert again.ask(type="resign", seat=0, id="r1")["number"] == first["number"]


def test_start_and_abort_can_be_repeated(server: Server) -> None:
    host = server.guest("Host")
    made = host.make("cronberg", ["me", "me"], autostart=False)
    live = host.live(made["table"])
    begun = live.ask(type="start", id="b1")
    assert live.ask(type="start", id="b1") == begun
    ended = live.ask(type="abort", id="a1")
    assert live.ask(type="abort", id="a1") == ended
    assert live.refused(type="abort", id="a2") == "not_playing"


def test_people_at_one_device_have_names(server: Server) -> None:
    host = server.guest("Host")
    made = host.make("cronberg", ["me", "me", "greedy"], names=["  Anna ", None, "nobody"])
    assert [seat["name"] for seat in host.live(made["table"]).table["seats"]] == ["Anna", "Host", "greedy"]
    refused = host.post("/api/tables", {"game": "cronberg", "seats": ["me", "me"], "names": ["\u200b"]})
    assert (refused.status_code, refused.json()["code"]) == (422, "bad_name")


# ---- late messages


def test_a_late_decision_is_refused_with_what_was_missed(server: Server) -> None:
    lives = seated(server, "cronberg", 2)
    known = lives[0].number
    play_some(lives, 6)
    live = whose_turn(lives)
    with pytest.raises(Refusal) as refusal:
        live.ask(type="play", seat=live.seat, number=known + 1, action=first_legal(live))
    assert refusal.value.code == "stale"
    missed = refusal.value.message["missed"]
    assert missed == [each for each in live.table["log"] if each["number"] > known]
    live.play(first_legal(live))


@pytest.mark.parametrize("ahead", [2, 50, 1_000_000])
def test_a_decision_from_the_future_is_refused(server: Server, ahead: int) -> None:
    lives = seated(server, "cronberg", 2)
    live = whose_turn(lives)
    wish = {
        "type": "play",
        "seat": live.seat,
        "number": min(live.number + ahead, 1_000_000),
        "action": first_legal(live),
    }
    assert live.refused(**wish) == "stale"


def test_hidden_votes_make_nobody_late(server: Server) -> None:
    """All vote at once, knowing nothing of each other."""
    for seed in range(40):
        lives = seated(server, "drunter", 3)
        play_until_vote(lives, seed)
        if len(lives[0].waiting) == 3:
            break
    number = lives[0].number
    for live in lives:
        live.caught_up()
        live.ask(type="play", seat=live.seat, number=number + 1, action=first_legal(live))
    for live in lives:
        live.caught_up()
    assert [each.split()[0] for each in lives[0].texts[number:]] == ["vote"] * 3


def play_until_vote(lives: Sequence[Live], seed: int) -> None:
    chooser = random.Random(seed)
    while len(lives[0].waiting) < len(lives) and lives[0].status == "playing":
        live = whose_turn(lives)
        legal = live.turns[live.seat]["legal"]
        live.play(chooser.choice(legal)["text"])
        for each in lives:
            each.caught_up()


# ---- coming back


@pytest.mark.parametrize("game", ["cronberg", "drunter"])
def test_who_comes_back_gets_exactly_what_was_missed(server: Server, game: str) -> None:
    lives = seated(server, game, 3)
    snapshots = []
    for part in range(8):
        play_some(lives, 5, part)
        for live in lives:
            live.caught_up()
        snapshots.append([(live.number, {each["number"]: each for each in live.table["log"]}) for live in lives])
    for known in snapshots:
        for live, (since, log) in zip(lives, known, strict=True):
            back = live.guest.live(id_of(live), since=since)
            told = back.of("table")[0]["entries"]
            now = {each["number"]: each for each in live.table["log"]}
            missed = {number: each for number, each in now.items() if log.get(number) != each}
            assert log | {each["number"]: each for each in told} == now
            assert {each["number"] for each in told} >= set(missed)
            again = {each["number"] for each in told} - set(missed)
            assert all(now[number]["seat"] == live.seat for number in again), "at most an own vote, revealed to all"
            back.close()


def test_who_knows_all_is_told_nothing(server: Server) -> None:
    lives = seated(server, "cronberg", 2)
    play_some(lives, 3)
    lives[0].caught_up()
    back = lives[0].guest.live(id_of(lives[0]), since=lives[0].number)
    assert back.of("table")[0]["entries"] == []
    ahead = lives[0].guest.live(id_of(lives[0]), since=1_000_000)
    assert ahead.of("table")[0]["entries"] == []


def test_two_connections_of_one_guest_both_follow_and_both_play(server: Server) -> None:
    lives = seated(server, "cronberg", 2)
    live = whose_turn(lives)
    other = live.guest.live(id_of(live))
    assert other.turns[live.seat] == live.turns[live.seat]
    other.play(first_legal(other))
    live.caught_up()
    assert live.table["log"] == other.table["log"]
    assert live.table["seats"][live.seat]["here"]
    other.close()
    live.caught_up()
    assert live.table["seats"][live.seat]["here"]


def test_a_page_that_is_read_again_follows_the_same_table_as_all_others(server: Server) -> None:
    """The old connection closes while the new one comes: nobody may be left with a table of their own."""
    guests = [server.guest(f"Player {seat}") for seat in range(2)]
    made = guests[0].make("cronberg", ["me", "open"])
    guests[1].claim(made["links"][1])
    old = guests[0].live(made["table"])
    for _ in range(5):
        fresh = guests[0].connect(made["table"])
        fresh.send(type="hello", protocol=1)
        old.close()
        try:
            fresh.caught_up()
        except Exception:
            fresh = guests[0].live(made["table"])
        if not fresh.table:
            fresh = guests[0].live(made["table"])
        other = guests[1].live(made["table"])
        other.ask(type="say", text="here")
        fresh.caught_up()
        assert fresh.of("chat")[-1]["lines"][-1]["text"] == "here"
        other.close()
        old = fresh


# ---- the first message


@pytest.mark.parametrize(
    ("hello", "code"),
    [
        ({"type": "hello", "protocol": 2}, "other_protocol"),
        ({"type": "ping"}, "hello_expected"),
        ({"type": "hello", "protocol": 1, "since": -1}, "malformed_message"),
        ({"type": "hello", "protocol": 1, "language": "xx"}, "malformed_message"),
        ({"type": "nonsense"}, "malformed_message"),
    ],
)
def test_who_does_not_greet_is_told_why_and_let_go(server: Server, hello: dict[str, object], code: str) -> None:
    guest = server.guest("Anna")
    live = guest.connect(guest.make("cronberg", ["me", "open"])["table"])
    live.send(**hello)
    said, closed = live.to_the_end()
    assert [each["type"] for each in said] == ["refusal", "bye"]
    assert said[0]["code"] == said[1]["code"] == code
    assert said[1]["sentence"]
    assert closed == 4000


@pytest.mark.parametrize(
    "wrong",
    [
        {"type": "nonsense"},
        {"type": "abort", "more": 1},
        {"type": "play", "seat": 0, "number": 1, "action": ""},
        {"type": "play", "seat": 9, "number": 1, "action": "draw"},
    ],
)
def test_a_message_that_is_wrong_is_refused_by_its_id(server: Server, wrong: dict[str, object]) -> None:
    """Else whoever waits for its answer would wait for ever."""
    guest = server.guest("Anna")
    live = guest.live(guest.make("cronberg", ["me", "greedy"])["table"])
    assert live.refused(**wrong) == "malformed_message"
    live.send(**{**wrong, "id": "no id"})
    live.caught_up()
    assert live.of("refusal")[-1]["id"] is None


def test_a_table_that_is_not_there_or_private_is_the_same(server: Server) -> None:
    guest, other = server.guest("Anna"), server.guest("Ben")
    private = guest.make("cronberg", ["me", "open"])["table"]
    said = []
    for table in (private, "aaaaaaaaaaaa"):
        live = other.connect(table)
        live.send(type="hello", protocol=1, id="h")
        said.append(live.to_the_end())
        for path in ("", "/record", "/board.svg", "/edition"):
            assert other.get(f"/api/tables/{table}{path}").json()["code"] == "no_such_table"
        for path, body in (("/leave", {"seat": 0}), ("/start", None), ("/links", {"seat": 0}), ("/join", {})):
            answer = other.post(f"/api/tables/{table}{path}", body)
            assert (answer.status_code, answer.json()["code"]) == (404, "no_such_table"), path
    assert said[0] == said[1]
    assert private not in {each["id"] for each in other.get("/api/tables").json()}


# ---- spectators


def test_one_goes_to_another_table_on_the_same_connection(server: Server) -> None:
    here, there = seated(server, "cronberg", 2), seated(server, "drunter", 3)
    guest = here[0].guest
    made = guest.make("drunter", ["me", "open"])
    other = server.guest("Ben")
    other.claim(made["links"][1])
    live, left = here[0], here[1]
    told = other.live(made["table"])
    live.ask(type="go", table=made["table"])
    live.caught_up()
    assert live.table["table"]["id"] == made["table"]
    assert live.table["viewer"] == live.seat
    assert live.table == guest.live(made["table"]).table
    left.caught_up()
    told.caught_up()
    assert [each["here"] for each in left.table["seats"]] == [each["yours"] for each in left.table["seats"]]
    assert all(each["here"] for each in told.table["seats"])
    whose_turn([live, told]).play(first_legal(whose_turn([live, told])))
    left.ask(type="say", text="nobody hears this there")
    live.caught_up()
    assert not [each for each in live.of("chat") if "nobody" in str(each)]
    assert live.refused(type="go", table=there[0].table["table"]["id"]) == "no_such_table"
    assert live.refused(type="go", table="a" * 12) == "no_such_table"
    assert live.refused(type="go", table="../x") == "malformed_message"
    live.caught_up()
    assert live.table["table"]["id"] == made["table"]


def test_one_may_come_back_to_a_table_and_hears_what_was_missed(server: Server) -> None:
    lives = seated(server, "cronberg", 2)
    mine, number = lives[0].table["table"]["id"], lives[0].number
    away = lives[0].guest.make("cronberg", ["me", "apprentice"])["table"]
    lives[0].ask(type="go", table=away)
    lives[0].caught_up()
    assert lives[0].table["table"]["id"] == away
    lives[1].ask(type="say", text="where are you?")
    lives[0].ask(type="go", table=mine, since=number)
    told = lives[0].caught_up()
    assert lives[0].of("table")[-1]["entries"] == []
    assert [line["text"] for each in lives[0].of("chat") for line in each["lines"]] == ["where are you?"], told


def test_who_is_muted_is_muted_at_every_table(server: Server) -> None:
    """Also at those that are open elsewhere at the time."""
    anna, ben = server.guest("Anna"), server.guest("Ben")
    tables = []
    for _ in range(2):
        made = anna.make("cronberg", ["me", "open"])
        ben.claim(made["links"][1])
        tables.append((anna.live(made["table"]), ben.live(made["table"])))
    (first, talks), (second, talks_too) = tables
    talks.ask(type="say", text="hello")
    first.caught_up()
    first.ask(type="mute", line=1)
    talks_too.ask(type="say", text="can you hear me?")
    second.caught_up()
    told = second.of("chat")
    assert not [line for each in told for line in each["lines"]]
    assert [muted["name"] for muted in told[-1]["muted"]] == ["Ben"]


def test_a_watch_link_opens_a_private_table_to_look_at_and_no_more(server: Server) -> None:
    host = server.guest("Anna")
    made = host.make("cronberg", ["me", "me"])
    for watcher in (server.guest("Ben"), server.stranger()):
        live = watcher.live(made["table"], watch=made["watch"])
        assert live.table["viewer"] is None
        assert live.mine == []
        assert watcher.get(f"/api/tables/{made['table']}", watch=made["watch"]).status_code == 200
        assert watcher.get(f"/api/tables/{made['table']}", watch=made["watch"] + "x").status_code == 404
        expected = "not_your_seat" if watcher.name else "guests_only"
        for wish in (
            {"type": "play", "seat": 0, "number": live.number + 1, "action": "draw"},
            {"type": "resign", "seat": 0},
            {"type": "stand_in", "seat": 0, "bot": "greedy"},
            {"type": "look", "seat": 0},
            {"type": "preview", "seat": 0, "actions": ["draw"]},
            {"type": "hint", "seat": 0, "number": live.number},
            {"type": "takeback", "seat": 0, "number": 3},
            {"type": "rematch"},
        ):
            assert live.refused(**wish) == expected
        assert live.refused(type="start") in ("host_only", "guests_only")
        assert live.refused(type="abort") in ("may_not_abort", "guests_only")


# ---- links and seats


def test_a_link_opens_a_seat_once(server: Server) -> None:
    host, friend, late = (server.guest(name) for name in ("Anna", "Ben", "Cleo"))
    made = host.make("cronberg", ["me", "open", "open"])
    assert friend.claim(made["links"][1]).json() == {"table": made["table"], "seat": 1}
    again = late.claim(made["links"][1])
    assert (again.status_code, again.json()["code"]) == (410, "link_used")
    fresh = host.post(f"/api/tables/{made['table']}/links", {"seat": 2}).json()["token"]
    assert late.claim(made["links"][2]).status_code == 410, "a fresh one voids it"
    assert late.claim(fresh).status_code == 200
    assert late.claim("x" * 32).json()["code"] == "link_unknown"


def test_two_who_click_at_once_do_not_disturb_the_table(server: Server) -> None:
    host = server.guest("Anna")
    made = host.make("cronberg", ["me", "open", "open"])
    live = host.live(made["table"])
    guests = [server.guest(f"Guest {number}") for number in range(8)]
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda guest: guest.claim(made["links"][1]).status_code, guests))
    assert sorted(answers) == [200] + [410] * 7
    live.caught_up()
    assert not live.of("bye")
    assert live.table["seats"][1]["person"]


def test_a_seat_moves_to_another_device_and_the_old_one_sees_no_more(server: Server) -> None:
    lives = seated(server, "drunter", 2)
    live = lives[0]
    table = id_of(live)
    token = live.guest.post(f"/api/tables/{table}/links", {"seat": 0}).json()["token"]
    phone = server.guest("Phone")
    assert phone.claim(token).status_code == 200
    live.caught_up()
    assert live.table["viewer"] is None
    assert live.table["facts"]["objectives"][0] == [None]
    assert live.refused(type="look", seat=0) == "not_your_seat"
    moved = phone.live(table)
    assert moved.table["viewer"] == 0
    assert moved.table["facts"]["objectives"][0] != [None]
    assert lives[1].guest.post(f"/api/tables/{table}/links", {"seat": 0}).status_code == 403


def test_nobody_is_pushed_off_a_seat_by_an_old_link(server: Server) -> None:
    """The maker of a public table has links to its seats; who joined without one keeps the seat all the same."""
    host, guest = server.guest("Anna"), server.guest("Ben")
    made = host.make("drunter", ["me", "open", "open"], public=True)
    assert guest.post(f"/api/tables/{made['table']}/join", {"seat": 1}).json()["seat"] == 1
    answer = host.claim(made["links"][1])
    assert (answer.status_code, answer.json()["code"]) == (409, "seat_taken")
    assert host.live(made["table"]).mine == [0]


def test_who_resigned_does_not_come_back_by_a_link(server: Server) -> None:
    lives = seated(server, "drunter", 3)
    token = lives[0].guest.post(f"/api/tables/{id_of(lives[0])}/links", {"seat": 0}).json()["token"]
    lives[0].ask(type="resign", seat=0)
    answer = server.guest("Ben").claim(token)
    assert (answer.status_code, answer.json()["code"]) == (409, "seat_taken")


def test_who_leaves_before_the_start_makes_room(server: Server) -> None:
    host, guest, other = (server.guest(name) for name in ("Anna", "Ben", "Cleo"))
    table = host.make("cronberg", ["me", "open", "open"], public=True)["table"]
    live = host.live(table)
    guest.post(f"/api/tables/{table}/join", {})
    assert guest.post(f"/api/tables/{table}/leave", {"seat": 0}).status_code == 403
    assert guest.post(f"/api/tables/{table}/leave", {"seat": 1}).status_code == 204
    assert other.post(f"/api/tables/{table}/join", {}).json()["seat"] == 1
    assert guest.post(f"/api/tables/{table}/join", {"seat": 1}).json()["code"] == "seat_taken"
    live.caught_up()
    assert live.status == "open"
    guest.post(f"/api/tables/{table}/join", {})
    live.caught_up()
    assert live.status == "playing", "with the last seat it begins"
    assert guest.post(f"/api/tables/{table}/join", {}).json()["code"] == "already_started"


def test_the_maker_starts_where_it_does_not_start_by_itself(server: Server) -> None:
    host, guest = server.guest("Anna"), server.guest("Ben")
    made = host.make("cronberg", ["me", "open"], autostart=False)
    live = host.live(made["table"])
    assert live.refused(type="start") == "seats_are_open"
    guest.claim(made["links"][1])
    other = guest.live(made["table"])
    assert other.status == "open"
    assert other.refused(type="start") == "host_only"
    live.ask(type="start")
    other.caught_up()
    assert other.status == "playing"
    assert live.refused(type="start") == "already_started"


def test_entropy_of_one_who_does_not_sit_there_is_not_lost_in_silence(server: Server) -> None:
    guest = server.guest("Anna")
    wish = {"game": "cronberg", "seats": ["open", "greedy"], "entropy": "dice: 3 6 1"}
    answer = guest.post("/api/tables", wish)
    assert (answer.status_code, answer.json()["code"]) == (422, "entropy_without_seat")
    made = guest.make("cronberg", ["greedy", "me"], entropy="dice: 3 6 1")
    assert guest.get(f"/api/tables/{made['table']}").json()["fair"]["entropy"] == [None, "dice: 3 6 1"]


@pytest.mark.parametrize("title", ["two\nlines", "\x1b[2J", "\u202etitle", "x" * 81])
def test_a_title_is_one_line_that_can_be_read(server: Server, title: str) -> None:
    answer = server.guest("Anna").post("/api/tables", {"game": "cronberg", "seats": ["me", "open"], "title": title})
    assert (answer.status_code, answer.json()["code"]) == (422, "malformed_request")


# ---- giving up


def test_with_two_who_resigns_ends_the_game(server: Server) -> None:
    lives = seated(server, "cronberg", 2)
    lives[0].ask(type="resign", seat=0)
    for live in lives:
        live.caught_up()
        assert live.status == "over"
        assert live.table["facts"]["outcome"]["winners"] == [1]
        assert live.table["fair"]["seed"]
    assert lives[1].refused(type="play", seat=1, number=lives[1].number + 1, action="draw") == "not_playing"


def test_with_more_a_bot_plays_on(server: Server) -> None:
    """The log says who gave up, and nobody else's decision is late for it."""
    lives = seated(server, "cronberg", 3)
    for _ in range(3):  # until it is another's turn
        due = whose_turn(lives)
        if due.seat != 0:
            break
        due.play(next(each["text"] for each in due.turns[0]["legal"] if each["kind"] == "token"))
    due = whose_turn(lives)
    before = due.number
    lives[0].ask(type="resign", seat=0)
    action = next(each["text"] for each in due.turns[due.seat]["legal"] if each["kind"] == "token")
    assert due.ask(type="play", seat=due.seat, number=before + 1, action=action)["number"] == before + 3
    for live in lives:
        live.caught_up()
        told = [(each["seat"], each["text"]) for each in live.table["log"] if before < each["number"] <= before + 2]
        assert told == [(0, "resign to a bot"), (None, "seat 0: bot foreman")]
        assert live.status == "playing"
        assert not live.table["seats"][0]["person"]
        assert live.table["seats"][0]["bot"]
    assert lives[0].refused(type="stand_in", seat=0, bot=None) == "not_your_seat"


def test_a_table_ends_for_all_only_before_the_start_or_alone(server: Server) -> None:
    lives = seated(server, "cronberg", 2)
    assert lives[0].refused(type="abort") == "may_not_abort"
    alone = seated(server, "cronberg", 1, ("greedy",))[0]
    alone.ask(type="abort")
    alone.caught_up()
    assert alone.status == "aborted"
    assert alone.table["fair"]["seed"]


# ---- bots for people


def test_a_bot_stands_in_and_the_player_has_the_seat_back(server: Server) -> None:
    lives = seated(server, "cronberg", 2)
    live = whose_turn(lives)
    seat = live.seat
    live.ask(type="stand_in", seat=seat, bot="greedy")
    live.wait_for(lambda it: it.waiting == [1 - seat])
    assert {each["by"] for each in live.table["log"] if each["seat"] == seat} == {"greedy"}
    live.ask(type="stand_in", seat=seat, bot=None)
    live.caught_up()
    assert live.table["seats"][seat]["bot"] is None
    assert live.refused(type="stand_in", seat=seat, bot="nobody") != "internal_error"
    assert live.refused(type="stand_in", seat=1 - seat, bot=None) == "not_your_seat"
    record = live.guest.get(f"/api/tables/{id_of(live)}/record").json()
    assert "greedy" in str(record)


def test_a_seat_that_a_bot_plays_takes_no_decisions(server: Server) -> None:
    lives = seated(server, "drunter", 2)
    live = whose_turn(lives)
    other = lives[1 - live.seat]
    other.ask(type="stand_in", seat=other.seat, bot="greedy")
    assert other.refused(type="play", seat=other.seat, number=other.number + 1, action="pass") in ("bot_plays", "stale")


# ---- taking back


def two_at_a_tile(server: Server) -> tuple[Live, Live, int]:
    """Who has just laid a tile, the other, and the number that a takeback would keep."""
    lives = seated(server, "drunter", 2)
    live = whose_turn(lives)
    kept = live.number
    live.play(first_legal(live))
    for each in lives:
        each.caught_up()
    return live, lives[1 - live.seat], kept


def test_what_was_laid_is_taken_back_when_the_other_agrees(server: Server) -> None:
    live, other, kept = two_at_a_tile(server)
    before = live.table["facts"]
    assert live.ask(type="takeback", seat=live.seat, number=kept)["number"] is None
    assert other.wait_for(lambda it: it.of("takeback"))[-1] == {
        "type": "takeback",
        "seat": live.seat,
        "number": kept,
        "waiting": [other.seat],
    }
    assert other.ask(type="takeback", seat=other.seat, number=kept)["number"] == kept + 2
    for each in (live, other):
        each.caught_up()
        assert each.texts[-1] == f"takeback to {kept}"
        assert each.table["facts"] != before
        assert each.waiting == [live.seat]
    assert live.turns[live.seat]["number"] == kept + 2
    live.play(first_legal(live))


def test_who_refuses_a_takeback_ends_the_asking(server: Server) -> None:
    live, other, kept = two_at_a_tile(server)
    live.ask(type="takeback", seat=live.seat, number=kept)
    other.ask(type="takeback", seat=other.seat, number=kept, agree=False)
    live.caught_up()
    assert live.of("takeback")[-1]["seat"] is None
    assert other.refused(type="takeback", seat=other.seat, number=kept) == "nothing_to_take_back"
    assert live.number == kept + 1


def test_asking_twice_does_not_undo_what_others_agreed_to(server: Server) -> None:
    lives = seated(server, "drunter", 3)
    live = whose_turn(lives)
    first, second = (each for each in lives if each is not live)
    kept = live.number
    live.play(first_legal(live))
    wish = {"type": "takeback", "seat": live.seat, "number": kept, "id": "t1"}
    live.ask(**wish)
    first.ask(type="takeback", seat=first.seat, number=kept)
    live.ask(**wish)
    assert second.ask(type="takeback", seat=second.seat, number=kept)["number"] == kept + 2


def test_a_wish_does_not_outlive_the_game(server: Server) -> None:
    live, other, kept = two_at_a_tile(server)
    live.ask(type="takeback", seat=live.seat, number=kept)
    other.ask(type="resign", seat=other.seat)
    live.caught_up()
    assert live.of("takeback")[-1]["seat"] is None
    number = live.number
    assert other.refused(type="takeback", seat=other.seat, number=kept) == "not_playing"
    fresh = live.guest.live(id_of(live))
    assert (fresh.status, fresh.number, fresh.table["takeback"]) == ("over", number, None)


def test_against_bots_it_is_free(server: Server) -> None:
    live = seated(server, "drunter", 1, ("random", "random"))[0]
    live.wait_for(lambda it: it.turns)
    kept = live.number
    live.play(first_legal(live))
    assert live.ask(type="takeback", seat=0, number=kept)["number"]
    live.caught_up()
    assert next(each["number"] for each in live.table["log"] if not each["stands"]) == kept + 1


# ---- previews


def test_previews_come_in_the_order_asked_for(server: Server) -> None:
    live = whose_turn(seated(server, "cronberg", 2))
    legal = [each["text"] for each in live.turns[live.seat]["legal"]]
    told = live.ask(type="preview", seat=live.seat, actions=legal[::-1])
    assert told["type"] == "previews"
    assert len(told["previews"]) == len(legal)
    if "previews" in live.turns[live.seat]:
        assert told["previews"] == live.turns[live.seat]["previews"][::-1]
    assert live.refused(type="preview", seat=live.seat, actions=["nonsense"]) != "internal_error"
    assert live.refused(type="preview", seat=1 - live.seat, actions=legal) == "not_your_seat"


# ---- the languages of refusals


def test_refusals_are_said_in_the_language_asked_for(server: Server) -> None:
    lives = seated(server, "cronberg", 2)
    sentences = set()
    for language in ("en", "de", "fr"):
        live = lives[0].guest.live(id_of(lives[0]), language=language)
        with pytest.raises(Refusal) as refusal:
            live.ask(type="resign", seat=1)
        sentences.add(refusal.value.message["sentence"])
    assert len(sentences) == 3
