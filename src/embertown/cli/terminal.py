"""`embertown terminal`: a game at the terminal, against bots or with others at the same keyboard."""

from __future__ import annotations

import secrets
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from embertown.cli.arena import telling_faults
from embertown.cli.options import (
    BOTS,
    EditionOption,
    Language,
    LanguageOption,
    NoVotesOption,
    SecondsOption,
    SeveralCardsOption,
    SimulationsOption,
    Thinking,
    VariantOption,
    check_writable,
    examples,
    game_options,
    listed,
)
from embertown.cli.screen import err, say, warm_up, warming_up
from embertown.core.chance import SeededChance, derived_seed
from embertown.core.errors import BadArgument

if TYPE_CHECKING:
    from embertown.bots import Bot
    from embertown.core.game import State
    from embertown.core.record import SeatOfRecord

DEFAULT_BOT = "greedy"
LETTERS = "ABCD"
FRESH_SEEDS = 2**32

EXAMPLES = examples(
    "embertown terminal",
    "embertown terminal --game drunter --players 3 --variant",
    "embertown terminal --players 3 --language de",
    "embertown terminal --bots greedy,random --names Anne",
    "embertown terminal --bots greedy --seconds 2",
    "embertown terminal --hot-seat --names Anne,Karl --save game.json",
    "embertown terminal --resume game.json --save game.json",
)


def terminal(
    game: Annotated[str, typer.Option(metavar="NAME", help="The game: cronberg or drunter.")] = "cronberg",
    edition: EditionOption = None,
    players: Annotated[
        int | None, typer.Option(metavar="2..4", help="How many seats.", show_default="you and the bots")
    ] = None,
    bots: Annotated[
        str | None,
        typer.Option(
            metavar="NAME[,NAME…]",
            help=f"The bots: {BOTS}; people sit at the other seats.",
            show_default=f"{DEFAULT_BOT}, at all but yours",
        ),
    ] = None,
    hot_seat: Annotated[bool, typer.Option("--hot-seat", help="All seats are people's, at this keyboard.")] = False,
    names: Annotated[
        str | None, typer.Option(metavar="NAME[,NAME…]", help="The people's names.", show_default="You, or Player A …")
    ] = None,
    seconds: SecondsOption = None,
    simulations: SimulationsOption = None,
    seed: Annotated[
        int | None,
        typer.Option(min=0, metavar="N", help="The same seed deals and draws the same.", show_default="by lot"),
    ] = None,
    variant: VariantOption = False,
    several_cards: SeveralCardsOption = False,
    no_votes: NoVotesOption = False,
    language: LanguageOption = Language.en,
    save: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Keep the game as a record, after every action; replaced if it exists."),
    ] = None,
    resume: Annotated[Path | None, typer.Option(metavar="FILE", help="Play an unfinished record on.")] = None,
) -> None:
    """Play in this terminal, against bots or with others at one keyboard.

    Type an action (d4 for a token, B1-D1 for a tile), or ? for the rules and all that can be typed. In games with
    secrets, people at one keyboard hand it over: nobody sees what another may not.
    """
    if save is not None:
        check_writable(save)
    allowed = Thinking(seconds, simulations).checked()
    seed = secrets.randbelow(FRESH_SEEDS) if seed is None else seed
    with warming_up():
        if resume is None:
            options = game_options(game, variant=variant, several_cards=several_cards, no_votes=no_votes)
            state = _new_game(game, options, edition, players, bots, hot_seat, names, seed)
        elif any((edition, players, bots, names, hot_seat, variant, several_cards, no_votes)):
            raise BadArgument(
                "a record says itself who plays what: --resume goes with --seed, --seconds, --simulations, --language"
                " and --save only"
            )
        else:
            state = _resumed_game(resume, seed)
        at_seats = [_bot_of(seat) for seat in state.heading.seats]
        with suppress(Exception):  # what a bot does wrong is told where it counts
            warm_up(state.game, [player for player in at_seats if player is not None])
    from embertown.cli.table import Table

    _make_editable()
    with telling_faults():
        Table(state, at_seats, language.value, seed, save, allowed).play()


def _new_game(
    game: str,
    options: dict[str, bool],
    edition: str | None,
    players: int | None,
    bots: str | None,
    hot_seat: bool,
    names: str | None,
    seed: int,
) -> State[Any]:
    from embertown.games import load

    if hot_seat and bots is not None:
        raise BadArgument("--hot-seat leaves no seat for bots; right would be: one of --hot-seat and --bots")
    given = None if bots is None else listed(bots, "--bots")
    loaded = load(game, players if given is None or players is not None else len(given) + 1, edition, **options)
    if given is None:
        given = [] if hot_seat else [DEFAULT_BOT] * (loaded.players - 1)
    people = loaded.players - len(given)
    if people < 1:
        raise BadArgument(
            f"{len(given)} bots at {loaded.players} seats leave none for you; right would be: fewer bots,"
            " or embertown simulate"
        )
    called = None if names is None else listed(names, "--names")
    seats = seating(people, given, called)
    return loaded.start(seed=derived_seed(seed, "chance"), seats=seats)


def seating(people: int, bots: list[str], names: list[str] | None) -> list[SeatOfRecord]:
    """People first, then bots; names tell them apart on the board."""
    from embertown.core.record import SeatOfRecord

    if names is not None and len(names) != people:
        raise BadArgument(f"--names has {len(names)}; right would be: {people}, one for each person")
    if names is None:
        names = ["You"] if people == 1 else [f"Player {LETTERS[seat]}" for seat in range(people)]
    called = [SeatOfRecord.named(name) for name in names]
    for seat, bot in enumerate(bots, start=people):
        name = bot.capitalize() if len(bots) == 1 else f"{bot.capitalize()} {LETTERS[seat]}"
        called.append(SeatOfRecord(name=name, bot=bot))
    return called


def _resumed_game(path: Path, seed: int) -> State[Any]:
    from embertown.games import GameRecord

    record = GameRecord.from_file(path)
    state = record.replay(SeededChance(derived_seed(seed, "chance")))
    if state.is_over:
        raise BadArgument(f"{path}: the game is over; right would be: an unfinished one, or embertown show {path}")
    return state


def _bot_of(seat: SeatOfRecord) -> Bot | None:
    from embertown.bots import bot

    return None if seat.bot is None else bot(seat.bot)


def _make_editable() -> None:
    """Arrow keys and a history at the prompt, where the system has them."""
    try:
        import readline  # noqa: F401
    except ImportError:
        say(err(), "(No line editing on this system.)", "dim")
