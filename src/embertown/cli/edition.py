"""`embertown edition`: which editions there are, and whether one's own is right."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from embertown.cli.options import examples
from embertown.cli.screen import out, say, warming_up
from embertown.core.errors import UnknownEdition

if TYPE_CHECKING:
    from embertown.core.edition import Edition

SHORT_HASH = 12

app = typer.Typer(
    help="List the editions that ship, or check one of your own.", no_args_is_help=True, rich_markup_mode=None
)


@app.command("list", epilog=examples("embertown edition list"))
def list_editions() -> None:
    """List the editions that ship."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for heading in ("game", "edition", "sha256"):
        table.add_column(heading)
    with warming_up():
        for game, model in _models().items():
            for name in model.shipped():
                table.add_row(game, name, model.find(name).sha256[:SHORT_HASH])
    out().print(table)


@app.command(epilog=examples("embertown edition check my-box.toml", "embertown edition check cronberg-1726 schilda"))
def check(
    editions: Annotated[
        list[str],
        typer.Argument(metavar="FILE|ID", help="Edition files, or ids of those that ship.", show_default=False),
    ],
) -> None:
    """Validate editions; say what is in them and what is worth knowing.

    What breaks the rules for editions is told with its place and what would be right, and the exit code is 1.
    """
    from embertown.cli.words import words_class

    console = out()
    for number, name in enumerate(editions):
        with warming_up():
            edition = _find(name)
        if number:
            say(console)
        say(console, f"{edition.id}: right", "bold")
        say(console, f"  game       {edition.edition.game}")
        say(console, f"  sha256     {edition.sha256}")
        words = words_class(edition.edition.game)
        for line in words.edition_lines(edition):
            say(console, f"  {line}")
        for line in words.edition_notes(edition):
            say(console, f"  note: {line}", "bold")


def _models() -> dict[str, Any]:
    from embertown.games import GAMES, game_class

    return {name: game_class(name).edition_model for name in GAMES}


def _find(name: str) -> Edition:
    """An edition by id or path, of whichever game it says it is."""
    from embertown.core.errors import MalformedEdition
    from embertown.core.files import EDITION_LIMIT, parse_toml, read_limited

    models = _models()
    for model in models.values():
        if name in model.shipped():
            return model.find(name)  # type: ignore[no-any-return]
    if not Path(name).exists():
        raise UnknownEdition(name, [known for model in models.values() for known in model.shipped()])
    data = parse_toml(read_limited(Path(name), EDITION_LIMIT, MalformedEdition), name, MalformedEdition)
    header = data.get("edition")
    game = header.get("game") if isinstance(header, dict) else None
    model = models.get(game) if isinstance(game, str) else None
    return (model or next(iter(models.values()))).from_dict(data, name)  # type: ignore[no-any-return]
