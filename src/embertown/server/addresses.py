"""Where guests want to be told that it is their turn: browsers' subscriptions, and a webhook of their own."""

from __future__ import annotations

from collections.abc import Sequence

from embertown.server.identity import Guest
from embertown.server.keys import Keys
from embertown.server.notify import Address, Post, Push, Webhook, webhook_secret
from embertown.server.store import changes, queries
from embertown.server.store.database import Database
from embertown.server.store.rows import PushRow
from embertown.server.store.writer import Write, Writer


class Addresses:
    """The addresses of guests, in the store."""

    def __init__(self, database: Database, writer: Writer, keys: Keys, post: Post) -> None:
        self.database, self.writer, self.keys, self.post = database, writer, keys, post

    async def find(self, guest_id: str) -> Sequence[Address]:
        """Everywhere a guest wants to be told."""
        found: list[Address] = [
            Push(each.endpoint, each.p256dh, each.auth)
            for each in await self.database.read(queries.push_of_guest, guest_id)
        ]
        guest = await self.database.read(queries.guest, guest_id)
        if guest is not None and guest.webhook is not None:
            found.append(Webhook(guest.webhook, self.secret(guest_id)))
        return found

    def secret(self, guest_id: str) -> str:
        """What signs the messages to a guest's webhook."""
        return webhook_secret(self.keys.cookie, guest_id)

    async def forget(self, guest_id: str, address: Address) -> None:
        """Remove an address that is gone."""
        if isinstance(address, Push):
            await self.writer.write(Write((), (changes.unsubscribe(address.endpoint),)))
        else:
            await self.writer.write(Write((), (changes.set_guest(guest_id, webhook=None),)))

    async def subscribe(self, guest: Guest, push: Push, at: str) -> None:
        """Tell a guest in a browser, too."""
        await self.post.check(push.endpoint)
        row = PushRow(push.endpoint, guest.id, push.p256dh, push.auth, at)
        await self.writer.write(Write((), changes.subscribe(row)))

    async def unsubscribe(self, guest: Guest, endpoint: str) -> None:
        """Tell it there no more."""
        mine = await self.database.read(queries.push_of_guest, guest.id)
        if any(each.endpoint == endpoint for each in mine):
            await self.writer.write(Write((), (changes.unsubscribe(endpoint),)))

    async def set_webhook(self, guest: Guest, url: str | None) -> None:
        """Tell a guest's own program, or no longer."""
        if url is not None:
            await self.post.check(url)
        await self.writer.write(Write((), (changes.set_guest(guest.id, webhook=url),)))
