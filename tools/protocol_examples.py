"""Examples for the protocol's page: a real server, and people who do everything at it once."""

from __future__ import annotations

import itertools
import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import httpx

from tests.server.guests import Place, make_table
from tests.server.servers import served

Message = dict[str, Any]
Heard = Callable[[Message], bool]

FEW_LINES = 4
MANY_TURNS = 20
HIDDEN = "(hidden)"
CLOCK = {"total": 900, "per_move": None}


class Person:
    """Somebody at a table, who keeps all that was said and heard."""

    def __init__(self, place: Place, client: httpx.Client | None, table: str, ids: Iterator[int]) -> None:
        self.connection, self.table, self.ids = place.live(client, table), table, ids
        self.said: list[Message] = []
        self.heard: list[Message] = []
        self.looked = 0

    def say(self, kind: str, **fields: Any) -> Message:
        """Send a message; what it is answered with."""
        message = {"type": kind, "id": f"m{next(self.ids)}", **fields}
        self.said.append(message)
        self.connection.send(json.dumps(message))
        if kind == "hello":
            return self.next(lambda told: told["type"] in ("table", "refusal"))
        return self.next(lambda told: told.get("id") == message["id"])

    def next(self, wanted: Heard) -> Message:
        """The next message of a kind."""
        while True:
            self.heard.append(json.loads(self.connection.recv(timeout=60)))
            if wanted(self.heard[-1]):
                return self.heard[-1]

    def turn(self) -> Message:
        """What one may do, when one may: also where it was told before the last answer."""
        while True:
            for index in range(self.looked, len(self.heard)):
                if self.heard[index]["type"] == "turn":
                    self.looked = index + 1
                    return self.heard[index]
            self.next(lambda told: told["type"] == "turn")

    def play(self, turn: Message, action: str | None = None) -> Message:
        """Decide."""
        chosen = action or turn["legal"][0]["text"]
        return self.say("play", seat=turn["seat"], number=turn["number"] + 1, action=chosen)

    def leave(self) -> None:
        """Close the connection."""
        self.connection.close()


def recorded() -> dict[str, Any]:
    """One example or more of every message, by direction and type; and some lines of a program's stream."""
    with tempfile.TemporaryDirectory() as folder:
        flags = ("--bots", 1, "--no-limits", "--showing", 0)
        with served(Path(folder) / "server", *flags) as server, Place(server.address) as place:
            return Session(place).all()


def votes(told: Message) -> list[str]:
    """The texts of votes among new or revealed entries."""
    return [entry["text"] for entry in told["entries"] if entry["text"].startswith("vote")]


class Session:
    """All that is done for the examples."""

    def __init__(self, place: Place) -> None:
        self.place, self.ids = place, itertools.count(1)
        self.anna, self.ben = place.guest("Anna"), place.guest("Ben")
        self.examples: dict[str, dict[str, list[Message]]] = {"incoming": {}, "outgoing": {}}

    def all(self) -> dict[str, Any]:
        """Every scene."""
        self.beginning_and_end()
        self.secrets()
        self.alone()
        self.refused()
        return {**self.examples, "stream": self.stream()}

    def person(self, client: httpx.Client | None, table: str) -> Person:
        return Person(self.place, client, table, self.ids)

    def sent(self, words: str, message: Message) -> None:
        self.examples["incoming"].setdefault(message["type"], []).append({"of": words, "message": message})

    def told(self, words: str, message: Message) -> Message:
        self.examples["outgoing"].setdefault(message["type"], []).append({"of": words, "message": message})
        return message

    def both(self, person: Person, words: str, answer: str, kind: str, **fields: Any) -> Message:
        """Say something, and keep it and its answer."""
        found = person.say(kind, **fields)
        self.sent(words, person.said[-1])
        if answer:
            self.told(answer, found)
        return found

    # ---- scenes

    def beginning_and_end(self) -> None:
        """Two people play Cronberg, one watches."""
        made = make_table(self.anna, "cronberg", "me", "open", autostart=False, clock=CLOCK, entropy="by Anna")
        table = made["table"]
        anna = self.person(self.anna, table)
        self.both(anna, "For the first time", "A table that waits for players", "hello", protocol=1)
        self.ben.post("/api/claims", json={"token": made["links"]["1"], "entropy": "by Ben"})
        ben = self.person(self.ben, table)
        ben.say("hello", protocol=1, language="de")
        spectator = self.person(None, table)
        spectator.say("hello", protocol=1, watch=made["watch"])
        self.sent("By a link for watching", spectator.said[-1])
        self.told("Somebody watches", anna.next(lambda told: told["type"] == "seats" and told["spectators"] == 1))
        self.both(anna, "By the maker of a table without `autostart`", "", "start")
        beginning = next(told for told in anna.heard if told["type"] == "entries" and told["status"] == "playing")
        people, first = [anna, ben], self.told("The beginning", beginning)["changes"]["seat"]
        self.moves(people[first], people[1 - first], first)
        self.talk(anna, ben)
        self.end(anna, ben)

    def moves(self, one: Person, other: Person, seat: int) -> None:
        """A token, taken back; a token, and a rhomb."""
        turn = one.turn()
        token = next(each["text"] for each in turn["legal"] if each["kind"] == "token")
        self.both(one, "A token", "Of a decision", "play", seat=seat, number=turn["number"] + 1, action=token)
        self.told("A decision", other.next(lambda told: told["type"] == "entries" and told["number"] > turn["number"]))
        wish = {"seat": seat, "number": turn["number"]}
        self.both(one, "The last decision", "Of a wish, which is no entry yet", "takeback", **wish)
        self.told("Waiting for the other", other.next(lambda told: told["type"] == "takeback"))
        other.say("takeback", seat=1 - seat, number=turn["number"], agree=True)
        self.sent("Agreed", other.said[-1])
        other.turn()  # it was the other's for a moment
        turn = one.turn()
        one.play(turn, token)
        turn = other.turn()
        other.play(turn, "draw")
        turn = other.turn()
        texts = [each["text"] for each in turn["legal"]][:2]
        self.both(other, "Two placements of the rhomb in hand", "", "preview", seat=turn["seat"], actions=texts)
        self.told("In Cronberg", other.heard[-1])
        late = other.say("play", seat=turn["seat"], number=3, action=texts[0])
        late["missed"] = late["missed"][-1:]
        self.told("A decision that came late (here with the last of the missed entries alone)", late)
        self.told("A broken rule", other.play(turn, "token d4"))
        other.play(turn)

    def talk(self, anna: Person, ben: Person) -> None:
        """Chat, and what keeps it in order."""
        self.both(anna, "A line", "", "say", text="A good place for a church.")
        self.told("A line", ben.next(lambda told: told["type"] == "chat"))
        self.both(ben, "Its author", "", "mute", line=1)
        self.told("Somebody is not heard any more", ben.heard[-2])
        self.both(ben, "A line of chat", "Of what becomes no entry", "report", line=1, text="Not a good place at all.")
        self.both(ben, "Any time", "To a `ping`", "ping")

    def end(self, anna: Person, ben: Person) -> None:
        """A bot stands in; then somebody gives up, and both want more."""
        known = anna.say("ping") and max(told.get("number") or 0 for told in anna.heard)
        self.both(ben, "A bot takes over", "", "stand_in", seat=1, bot="greedy")
        ben.say("stand_in", seat=1, bot=None)
        self.sent("Back again", ben.said[-1])
        anna.leave()
        anna = self.person(self.anna, anna.table)
        self.both(anna, "After a break", "What was missed in it", "hello", protocol=1, since=known)
        self.both(anna, "One's own seat", "", "resign", seat=0)
        self.told("The end", ben.next(lambda told: told["type"] == "entries" and told["status"] == "over"))
        self.both(anna, "After the end", "", "rematch")
        self.told("One of two has asked", anna.heard[-2])
        ben.say("rematch")
        following = anna.next(lambda told: told["type"] == "next" and told["table"] is not None)
        self.both(anna, "To the rematch", "", "go", table=self.told("Both have", following)["table"])
        self.both(anna, "Before a rematch", "", "entropy", seat=0, entropy="Anna's dice: 3 6 1")

    def secrets(self) -> None:
        """Drunter & Drüber: with the eyes of one of two own seats; and until a vote is over, as a spectator sees it."""
        anna = self.person(self.anna, make_table(self.anna, "drunter", "me", "me", "greedy")["table"])
        anna.say("hello", protocol=1)
        self.both(anna, "With the eyes of seat 1", "", "look", seat=1)
        made = make_table(self.anna, "drunter", "me", "greedy", "greedy")
        anna, spectator = self.person(self.anna, made["table"]), self.person(None, made["table"])
        anna.say("hello", protocol=1)
        spectator.say("hello", protocol=1, watch=made["watch"])
        revealed: list[Message] = []
        while not revealed:
            turn = anna.turn()
            if (
                turn["legal"][0]["kind"] == "vote"
                and len(turn["legal"]) < 8
                and "turn" not in self.examples["outgoing"]
            ):
                self.told("A vote in Drunter & Drüber", turn)
            anna.play(turn, max(turn["legal"], key=lambda each: len(each.get("squares", ())))["text"])
            spectator.say("ping")
            entries = [told for told in spectator.heard if told["type"] == "entries"]
            revealed = [told for told in entries if votes(told) and not votes(told)[0].endswith(HIDDEN)]
        hidden = next(told for told in entries if votes(told) and votes(told)[0].endswith(HIDDEN))
        self.told("A vote that is hidden from the viewer", hidden)
        self.told("The votes, revealed", revealed[0])

    def alone(self) -> None:
        """Against a bot: it thinks; a hint; and a turn with previews."""
        table = make_table(self.anna, "cronberg", "me", "greedy")["table"]
        anna = self.person(self.anna, table)
        anna.say("hello", protocol=1)
        turn = anna.turn()
        wish = {"seat": turn["seat"], "number": turn["number"]}
        self.both(anna, "Against a bot, at one's turn", "In Cronberg, at the beginning", "hint", **wish)
        anna.looked -= 1
        best = self.shortest_turn(anna)
        self.told("A choice in Cronberg", best)
        self.told("A bot begins", next(told for told in anna.heard if told["type"] == "thinking"))
        self.both(anna, "Against bots", "", "abort")

    def shortest_turn(self, anna: Person) -> Message:
        """The shortest turn with previews, of many."""
        found = []
        for _ in range(MANY_TURNS):
            turn = anna.turn()
            if "previews" in turn:
                found.append(turn)
            tokens = [each["text"] for each in turn["legal"] if each["kind"] == "token"]
            anna.play(turn, tokens[-1] if tokens else None)
        return min(found, key=lambda turn: (len(turn["legal"]) == 1, len(json.dumps(turn))))

    def refused(self) -> None:
        """A connection that ends before it began."""
        table = make_table(self.anna, "cronberg", "me", "greedy")["table"]
        stranger = self.person(None, table)
        stranger.say("hello", protocol=1)
        self.told("A table that one may not watch", stranger.next(lambda told: told["type"] == "bye"))

    def stream(self) -> list[Message]:
        """Short lines that a program hears while it plays against a bot."""
        program = self.place.program(self.ben)
        table = make_table(program, "cronberg", "me", "greedy")["table"]
        found: list[Message] = []
        with program.stream("GET", "/api/bot/events") as events:
            lines = (json.loads(line) for line in events.iter_lines() if line)
            for line in lines:
                told = line["message"]
                if told["type"] in ("seats", "entries", "thinking") and line["table"] == table:
                    found.append(line)
                if told["type"] == "turn":
                    wish = {"id": "w", "seat": told["seat"], "number": told["number"] + 1}
                    wish["action"] = told["legal"][0]["text"]
                    program.post(f"/api/bot/tables/{line['table']}/play", json=wish)
                if len(found) == FEW_LINES:
                    return found
        raise AssertionError("the stream ended")


if __name__ == "__main__":
    print(json.dumps(recorded(), indent=1))
