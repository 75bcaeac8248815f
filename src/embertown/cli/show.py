"""`embertown show`: a record or a position, drawn in the terminal or as SVG."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from embertown.cli.options import (
    STANDARD_STREAM,
    EditionOption,
    Language,
    LanguageOption,
    check_writable,
    examples,
    output,
)
from embertown.cli.screen import out, say, show_board, warming_up
from embertown.core.errors import BadArgument, UnknownEdition, shorten

if TYPE_CHECKING:
    from embertown.cli.words import AnyWords
    from embertown.core.game import Face, State

EXAMPLES = examples(
    "embertown show game.json",
    "embertown show game.json --move 12 --svg move-12.svg --night",
    "embertown show game.json --svg west.svg --theme old-west",
    "embertown show games.jsonl --line 3 --secrets",
    'embertown show "cronberg:cronberg-1726 players=2 turn=1 hand=- scores=0,0 tokens=d4/- rhombi=-"',
)

POSITION = re.compile(
    r"\s*(?P<game>[a-z]+):(?P<edition>[a-z0-9-]+)\s+players=(?P<players>\d)\s(?:\s*options=(?P<options>\S+)\s)?.*",
    re.DOTALL,
)
NO_OPTIONS = "-"
BEGINNINGS = {
    "cronberg": "cronberg:cronberg-1726 players=2 turn=0 …",
    "drunter": "drunter:schilda players=2 options=- …",
}


def show(
    what: Annotated[
        str,
        typer.Argument(
            metavar="FILE|POSITION|-", help="A file with records, a position's text, or - for either on stdin."
        ),
    ],
    move: Annotated[
        int | None,
        typer.Option(min=0, metavar="N", help="A record after move N; 0 is the start.", show_default="the end"),
    ] = None,
    line: Annotated[int, typer.Option(min=1, metavar="N", help="Which of several records in a file.")] = 1,
    edition: EditionOption = None,
    svg: Annotated[Path | None, typer.Option(metavar="OUT.svg", help="Write a picture instead; - is stdout.")] = None,
    night: Annotated[bool, typer.Option("--night", help="The picture in night colours (with --svg).")] = False,
    theme: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="The picture in another dress (with --svg): town or beach for Cronberg, schilda or old-west for"
            " Drunter & Drüber.",
            show_default="the game's first",
        ),
    ] = None,
    labels: Annotated[
        bool | None, typer.Option(help="The names of all places.", show_default="in the terminal, not in pictures")
    ] = None,
    secrets: Annotated[
        bool, typer.Option("--secrets", help="Also what is secret until the end; else as a spectator sees it.")
    ] = False,
    plain: Annotated[bool, typer.Option("--plain", help="No colours in the terminal.")] = False,
    language: LanguageOption = Language.en,
) -> None:
    """Draw a record or a position.

    In the terminal, or with --svg as a picture. The last move is marked.
    """
    for option, is_given in (("--night", night), ("--theme", theme is not None)):
        if is_given and svg is None:
            raise BadArgument(f"{option} is for pictures; right would be: {option} together with --svg OUT.svg")
    if plain and svg is not None:
        raise BadArgument("--plain is for the terminal; right would be: --plain without --svg")
    if svg is not None and str(svg) != STANDARD_STREAM:
        check_writable(svg)
    with warming_up():
        state = _state(what, edition, move, line)
        face: Face[Any] = state if secrets else state.view(None)
        from embertown.cli.words import words_of

        words = words_of(face, language.value)
    if svg is None:
        _show_in_terminal(face, words, labels is not False, plain)
        return
    how: dict[str, Any] = {} if theme is None else {"theme": theme}
    how |= {"night": night, "labels": labels is True, "marks": words.last_places(face), "language": language.value}
    drawing = words.drawing(face, secrets, **how)
    with output(svg) as file:
        file.write(drawing + "\n")


def _show_in_terminal(face: Face[Any], words: AnyWords, labels: bool, plain: bool) -> None:
    console, picture = out(), words.picture(face, words.last_places(face), labels=labels)
    if plain:
        console.no_color = True
        picture = type(picture)(picture.plain)
    show_board(console, picture)
    outcome = face.outcome
    if outcome is not None and outcome.end.value != "complete":
        say(console, f"The game was {outcome.end.value}. {words.winner_words(outcome)}")


# ---- where it comes from


def _state(what: str, edition: str | None, move: int | None, line: int) -> State[Any]:
    if POSITION.fullmatch(what):
        return _position(what, edition, move)
    from embertown.cli.lines import records_in, source

    if what != STANDARD_STREAM and not Path(what).exists():
        raise BadArgument(
            f"{shorten(what)} is neither a file nor a position; right would be: game.json, or {_example(what)}"
        )
    with source(what) as stream:
        lines = enumerate(records_in(what, stream), start=1)
        found = next((text for number, (_, text) in lines if number == line), None)
    if found is None:
        raise BadArgument(f"{what} has fewer than {line} records; right would be: a smaller --line")
    if POSITION.fullmatch(found):
        return _position(found, edition, move)
    if found.lstrip().startswith(tuple(f"{game}:" for game in BEGINNINGS)):
        raise BadArgument(f"{shorten(found)} is no position; right would be: {_example(found)}")
    if edition is not None:
        raise BadArgument("a record says itself which edition it is of; right would be: no --edition")
    return _record(found, what, move)


def _example(text: str) -> str:
    """How a position begins, of the game that a text speaks of."""
    return BEGINNINGS.get(text.partition(":")[0].strip().lower(), BEGINNINGS["cronberg"])


def _position(text: str, edition: str | None, move: int | None) -> State[Any]:
    from embertown.games import game_class, load

    if move is not None:
        raise BadArgument("a position has no moves; right would be: --move with a record")
    match = POSITION.fullmatch(text)
    assert match is not None
    shipped = game_class(match["game"]).edition_model.shipped()
    if edition is None and match["edition"] not in shipped:
        raise UnknownEdition(match["edition"], shipped)
    options = [] if match["options"] in (None, NO_OPTIONS) else match["options"].split(",")
    game = load(match["game"], int(match["players"]), edition or match["edition"], **dict.fromkeys(options, True))
    return game.position(text)


def _record(text: str, name: str, move: int | None) -> State[Any]:
    from embertown.games import GameRecord

    state = GameRecord.from_json(text, name).replay()
    return state if move is None else _back_to(state, move)


def _back_to(state: State[Any], move: int) -> State[Any]:
    """The state after so many moves, and nothing under way."""
    from embertown.cli.words import words_of

    words = words_of(state, Language.en.value)
    moves = words.moves(state)
    if move > moves:
        raise BadArgument(f"--move is {move}; right would be: 0 to {moves}")
    while words.moves(state) > move or not words.is_between_moves(state):
        state.undo()
    return state
