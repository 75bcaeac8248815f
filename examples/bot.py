"""A bot in forty lines. `python examples/bot.py SERVER TOKEN [LINK]`: a guest's token, and that of a link to a seat."""

import json
import sys
import uuid

import httpx


def lead(seat: int, preview: dict) -> int:
    """How far an action leaves a seat ahead of the others, in a game that foretells scores."""
    scores = preview.get("scores") or [0, 0]
    return scores[seat] - max(score for other, score in enumerate(scores) if other != seat)


def choose(http: httpx.Client, table: str, turn: dict) -> str:
    """The legal action that scores most."""
    actions, seat = [action["text"] for action in turn["legal"]][:128], turn["seat"]
    wish = {"id": uuid.uuid4().hex, "seat": seat, "actions": actions}
    previews = http.post(f"/api/bot/tables/{table}/preview", json=wish).json()["previews"]
    return max(zip(actions, previews, strict=True), key=lambda pair: lead(seat, pair[1]))[0]


def main(server: str, token: str, link: str | None = None) -> None:
    """Sit down, and answer every turn until a table is over."""
    with httpx.Client(base_url=server, headers={"authorization": f"Bearer {token}"}, timeout=30) as http:
        if link is not None:
            http.post("/api/claims", json={"token": link}).raise_for_status()
        with http.stream("GET", "/api/bot/events") as events:
            for event in (json.loads(line) for line in events.iter_lines() if line):
                table, told = event["table"], event["message"]
                if told["type"] == "turn":
                    wish = {"id": uuid.uuid4().hex, "seat": told["seat"], "number": told["number"] + 1}
                    wish["action"] = choose(http, table, told)
                    print(wish["action"], http.post(f"/api/bot/tables/{table}/play", json=wish).json(), flush=True)
                elif told["type"] == "bye" or told.get("status") in ("over", "aborted", "closed"):
                    return


main(*sys.argv[1:])
