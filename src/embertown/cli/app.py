"""The commands by name, and one line for everything that goes wrong in them."""

from __future__ import annotations

import os
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from embertown.cli import (
    arena,
    backup,
    check,
    edition,
    export,
    guests,
    import_,
    play,
    serve,
    show,
    simulate,
    tables,
    terminal,
    verify,
)
from embertown.cli.screen import BROKEN, BUG, INTERRUPTED, PIPE_CLOSED, USAGE, say_problem
from embertown.core.errors import BadArgument, EmbertownError, Unknown

DEBUG = "EMBERTOWN_TRACEBACK"
"""An environment variable: where it is set, faults of the program show their traceback."""


class Commands(TyperGroup):
    """Commands whose problems end as one line on stderr and an exit code."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except EmbertownError as error:
            say_problem(f"embertown: {error}")
            raise typer.Exit(code_of(error)) from None
        except KeyboardInterrupt:
            say_problem("interrupted")
            raise typer.Exit(INTERRUPTED) from None
        except BrokenPipeError:
            raise typer.Exit(PIPE_CLOSED) from None
        except OSError as error:
            place = f"{error.filename}: " if error.filename else ""
            say_problem(f"embertown: {place}{error.strerror or error}")
            raise typer.Exit(BROKEN) from None
        except Exception as error:
            if hasattr(error, "exit_code") or isinstance(error, typer.Abort) or os.environ.get(DEBUG):
                raise  # Typer's own, which it tells itself
            say_problem(f"embertown: a fault of the program: {type(error).__name__}: {error} ({DEBUG}=1 shows where)")
            raise typer.Exit(BUG) from None


def code_of(error: EmbertownError) -> int:
    """The exit code: 2 for names and arguments, 1 for content."""
    return USAGE if isinstance(error, Unknown | BadArgument) else BROKEN


app = typer.Typer(
    cls=Commands,
    help="Rebuild a burnt-down town: games of Cronberg and of Drunter & Drüber, and bots that play them.",
    epilog="Start with: embertown play. Each command has its own --help, with examples.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        from embertown import __version__

        typer.echo(f"embertown {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say which version this is.")
    ] = False,
) -> None:
    del version


app.command(epilog=play.EXAMPLES)(play.play)
app.command(epilog=terminal.EXAMPLES)(terminal.terminal)
app.command(epilog=simulate.EXAMPLES)(simulate.simulate)
app.command(epilog=arena.EXAMPLES)(arena.arena)
app.command(epilog=check.EXAMPLES)(check.check)
app.command(epilog=verify.EXAMPLES)(verify.verify)
app.command(epilog=show.EXAMPLES)(show.show)
app.add_typer(edition.app, name="edition")
app.command(epilog=serve.EXAMPLES)(serve.serve)
app.add_typer(tables.app, name="tables")
app.add_typer(guests.app, name="guests")
app.command(epilog=export.EXAMPLES)(export.export)
app.command("import", epilog=import_.EXAMPLES)(import_.import_records)
app.command(epilog=backup.BACKUP_EXAMPLES)(backup.backup)
app.command(epilog=backup.RESTORE_EXAMPLES)(backup.restore)
