"""Making tables, without a network: how many a guest may have."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from embertown.server import making
from embertown.server.app import put_together
from embertown.server.errors import Refused
from embertown.server.identity import Guest
from embertown.server.keys import Keys
from embertown.server.making import Wanted
from embertown.server.services import Services
from embertown.server.settings import Settings
from embertown.server.store.database import Database

TABLE = Wanted("cronberg", ["me", "open"])


@asynccontextmanager
async def services_in(folder: Path, *, limits: bool) -> AsyncIterator[tuple[Services, Guest]]:
    settings = Settings(folder=folder, limits=limits)
    services = put_together(settings, Keys.at(folder), Database.open(settings.database_address))
    await services.writer.start()
    try:
        yield services, (await services.guests.create("Anna"))[0]
    finally:
        await services.driver.stop()
        await services.writer.stop()
        services.database.close()


def test_a_guest_has_so_many_tables_that_are_not_over(tmp_path: Path) -> None:
    """One that ends makes room for another; other guests are not concerned."""

    async def make() -> None:
        async with services_in(tmp_path, limits=True) as (services, guest):
            made = [await services.maker.make(guest, TABLE) for _ in range(making.MOST_UNFINISHED)]
            with pytest.raises(Refused) as refused:
                await services.maker.make(guest, TABLE)
            assert (refused.value.code, refused.value.status) == ("too_many_unfinished", 429)
            await services.maker.make((await services.guests.create("Ben"))[0], TABLE)
            room = await services.hall.room(made[0].table)
            await services.hall.abort(room, guest.id, "m1")
            await services.maker.make(guest, TABLE)

    asyncio.run(make())


def test_among_friends_nobody_counts(tmp_path: Path) -> None:
    async def make() -> None:
        async with services_in(tmp_path, limits=False) as (services, guest):
            for _ in range(making.MOST_UNFINISHED + 1):
                await services.maker.make(guest, TABLE)

    asyncio.run(make())
