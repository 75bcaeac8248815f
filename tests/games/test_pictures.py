"""Pictures that are handed on: who plays is called by name, and a game that ended early says so."""

import pytest

from embertown.core.record import SeatOfRecord
from embertown.games import load

GAMES = ("cronberg", "drunter")
SEATS = [SeatOfRecord(name="Ulla", bot=None), SeatOfRecord(name="apprentice", bot="apprentice")]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("language", "name"), [("en", "Apprentice"), ("de", "Lehrling"), ("fr", "Apprenti")])
def test_a_bot_that_nobody_named_is_called_by_its_level(game: str, language: str, name: str) -> None:
    picture = load(game).start(seed=1, seats=SEATS).svg(language=language)
    assert f">{name}<" in picture
    assert "apprentice" not in picture
    assert ">Ulla<" in picture


@pytest.mark.parametrize("game", GAMES)
def test_names_that_people_gave_stay(game: str) -> None:
    seats = [SeatOfRecord(name="master", bot=None), SeatOfRecord(name="Karl", bot="apprentice")]
    picture = load(game).start(seed=1, seats=seats).svg()
    assert ">master<" in picture
    assert ">Karl<" in picture


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    ("language", "ended", "moves"),
    [
        ("en", "Ended without a winner", "to move"),
        ("de", "Ohne Sieger beendet", "am Zug"),
        ("fr", "Arrêtée sans vainqueur", "de jouer"),
    ],
)
def test_nobody_is_to_move_in_a_game_that_was_given_up(game: str, language: str, ended: str, moves: str) -> None:
    state = load(game).start(seed=1, seats=SEATS)
    assert moves in state.svg(language=language)
    state.abandon()
    for face in (state, state.view(None), state.view(0)):
        picture = face.svg(language=language)
        assert f">{ended}<" in picture
        assert moves not in picture


@pytest.mark.parametrize("game", GAMES)
def test_whoever_did_not_resign_has_won(game: str) -> None:
    state = load(game).start(seed=1, seats=SEATS)
    state.resign(0)
    assert ">Apprentice wins<" in state.svg()
    state.undo()
    assert "to move" in state.svg()
