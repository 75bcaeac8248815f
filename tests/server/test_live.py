"""The live protocol."""
from tests.server.client import Server, seated

def test_first(server: Server) -> None:
    lives = seated(server, "cronberg", 2)
    live = next(each for each in lives if each.turns)
    live.play(live.turns[live.seat]["legal"][0]["text"])
    for each in lives:
        each.caught_up()
    assert lives[0].texts == lives[1].texts
    print(lives[0].texts)
