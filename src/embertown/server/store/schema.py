"""The tables of the database, as they are now; `migrations/` says how they came to be.

Portable to PostgreSQL: JSON, times (ISO 8601, UTC, milliseconds) and hashes (hex) are text.
"""

from __future__ import annotations

from typing import Any

import orjson
import sqlalchemy as sa

NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s",
    "pk": "pk_%(table_name)s",
}
"""How constraints are called, so that a later migration can name them."""


class Json(sa.types.TypeDecorator[Any]):
    """Any JSON value, as text; None is NULL."""

    impl = sa.Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: sa.Dialect) -> str | None:  # noqa: ARG002 - SQLAlchemy's contract
        """To the database."""
        return None if value is None else orjson.dumps(value).decode()

    def process_result_value(self, value: str | None, dialect: sa.Dialect) -> Any:  # noqa: ARG002 - as above
        """From the database."""
        return None if value is None else orjson.loads(value)


metadata = sa.MetaData(naming_convention=NAMES)


def _table_id(*, primary_key: bool = False) -> sa.Column[str]:
    return sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id"), primary_key=primary_key, nullable=False)


def _guest_id(*, primary_key: bool = False) -> sa.Column[str]:
    return sa.Column("guest_id", sa.Text, sa.ForeignKey("guests.id"), primary_key=primary_key, nullable=False)


guests = sa.Table(
    "guests",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("name", sa.Text),
    sa.Column("language", sa.Text, nullable=False),
    sa.Column("recovery_hash", sa.Text, unique=True),
    sa.Column("created_at", sa.Text, nullable=False),
    sa.Column("seen_at", sa.Text, nullable=False),
    sa.Column("banned_at", sa.Text),
    sa.Column("ban_reason", sa.Text),
    sa.Column("webhook", sa.Text),
)

tables = sa.Table(
    "tables",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("game", sa.Text, nullable=False),
    sa.Column("edition", Json, nullable=False),
    sa.Column("options", Json, nullable=False),
    sa.Column("players", sa.Integer, nullable=False),
    sa.Column("first", sa.Integer),  # who begins; NULL: by lot
    sa.Column("start_scores", Json),
    sa.Column("public", sa.Boolean, nullable=False),
    sa.Column("pace", sa.Text, nullable=False),
    sa.Column("clock", Json),
    sa.Column("match_id", sa.Text, index=True),
    sa.Column("match_game", sa.Integer),
    sa.Column("match_games", sa.Integer),
    sa.Column("host_guest", sa.Text, index=True),  # NULL: a record that was brought in
    sa.Column("status", sa.Text, nullable=False, index=True),
    sa.Column("created_at", sa.Text, nullable=False),
    sa.Column("changed_at", sa.Text, nullable=False),
    sa.Column("seed", sa.LargeBinary, nullable=False),
    sa.Column("commitment", sa.Text, nullable=False),
    sa.Column("watch_hash", sa.Text),
    sa.Column("next_id", sa.Text),
    sa.Column("bots", sa.Boolean, nullable=False),
    sa.Column("title", sa.Text),
    sa.Column("autostart", sa.Boolean, nullable=False),
    sa.Column("follows", sa.Boolean, nullable=False),
)

entries = sa.Table(
    "entries",
    metadata,
    _table_id(primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("seat", sa.Integer),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("at", sa.Text, nullable=False),
    sa.Column("by", sa.Text),
    sa.Column("guest_id", sa.Text),
    sa.Column("sender", sa.Text),
)
"""Numbers and senders are looked for within one table, by the primary key. An index of senders, or rows kept in the
key's order, would write another page for every table that plays: three times the cost of an entry. That a message is
entered once is held by the number that it carries."""

seats = sa.Table(
    "seats",
    metadata,
    _table_id(primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("guest_id", sa.Text, index=True),
    sa.Column("name", sa.Text),
    sa.Column("bot", sa.Text),
    sa.Column("away_bot", sa.Boolean, nullable=False),
)

links = sa.Table(
    "links",
    metadata,
    sa.Column("hash", sa.Text, primary_key=True),
    sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id"), nullable=False, index=True),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("created_at", sa.Text, nullable=False),
    sa.Column("used_at", sa.Text),
    sa.Column("made_by", sa.Text),
)

tokens = sa.Table(
    "tokens",
    metadata,
    sa.Column("hash", sa.Text, primary_key=True),
    _guest_id(),
    sa.Column("label", sa.Text, nullable=False),
    sa.Column("created_at", sa.Text, nullable=False),
    sa.Column("revoked_at", sa.Text),
    sa.Index("ix_tokens_guest_id", "guest_id"),
)

push = sa.Table(
    "push",
    metadata,
    sa.Column("endpoint", sa.Text, primary_key=True),
    _guest_id(),
    sa.Column("p256dh", sa.Text, nullable=False),
    sa.Column("auth", sa.Text, nullable=False),
    sa.Column("created_at", sa.Text, nullable=False),
    sa.Index("ix_push_guest_id", "guest_id"),
)

chat = sa.Table(
    "chat",
    metadata,
    _table_id(primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("guest_id", sa.Text),
    sa.Column("seat", sa.Integer),
    sa.Column("name", sa.Text),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("at", sa.Text, nullable=False),
    sa.Column("sender", sa.Text),
    sa.Index("ix_chat_sender", "table_id", "guest_id", "sender", unique=True),
)

mutes = sa.Table(
    "mutes",
    metadata,
    _guest_id(primary_key=True),
    sa.Column("muted", sa.Text, sa.ForeignKey("guests.id"), primary_key=True),
)

reports = sa.Table(
    "reports",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id"), nullable=False, index=True),
    sa.Column("chat_number", sa.Integer),
    sa.Column("guest_id", sa.Text),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("at", sa.Text, nullable=False),
    sa.Column("closed_at", sa.Text),
    sa.Column("sender", sa.Text),
    sa.Index("ix_reports_sender", "table_id", "guest_id", "sender", unique=True),
    sqlite_autoincrement=True,
)
