"""`embertown backup` and `embertown restore`: a server's database as one file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from embertown.cli.host import FolderOption, database_file, settings_of
from embertown.cli.options import examples
from embertown.cli.screen import out, printable, say

BACKUP_EXAMPLES = examples("embertown backup tonight.sqlite", "embertown backup /var/backups/embertown/")
RESTORE_EXAMPLES = examples("embertown restore tonight.sqlite")
WORD = "backup"


def backup(
    target: Annotated[
        Path, typer.Argument(metavar="FILE|FOLDER", help="A new file, or a folder for one.", show_default=False)
    ],
    folder: FolderOption = None,
) -> None:
    """Copy a server's database to a new file, as of one moment, and check the copy; also while the server runs.

    The server's keys are not in it: copy keys.json once, to another place, or all guests need their recovery codes.
    """
    from embertown.server.store.backup import back_up, beside

    source = database_file(settings_of(folder))
    place = beside(target / source.name, WORD) if target.is_dir() else target
    contents = back_up(source, place)
    say(out(), printable(f"{place}: {contents.tables} tables, {contents.entries} entries"))


def restore(
    source: Annotated[Path, typer.Argument(metavar="FILE", help="A backup.", show_default=False)],
    folder: FolderOption = None,
) -> None:
    """Put a backup in the place of a server's database. The server must not run; what was there is kept beside it."""
    from embertown.server import lock
    from embertown.server.store.backup import restore as put_back
    from embertown.server.store.backup import verify

    settings = settings_of(folder)
    place = database_file(settings)
    with lock.hold(settings.folder):
        contents = verify(source)
        old = put_back(source, place)
    say(out(), printable(f"{place}: {contents.tables} tables, {contents.entries} entries"))
    if old is not None:
        say(out(), printable(f"what was there before: {old}"))
