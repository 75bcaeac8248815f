"""The first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make all tables, those first that others refer to."""
    _guests()
    _tables()
    _chat()
    _entries()
    _links()
    _mutes()
    _push()
    _reports()
    _seats()
    _tokens()


def _guests() -> None:
    op.create_table(
        "guests",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("name", sa.Text),
        sa.Column("language", sa.Text, nullable=False),
        sa.Column("recovery_hash", sa.Text),
        sa.Column("created_at", sa.Text, nullable=False),
        sa.Column("seen_at", sa.Text, nullable=False),
        sa.Column("banned_at", sa.Text),
        sa.Column("ban_reason", sa.Text),
        sa.Column("webhook", sa.Text),
        sa.PrimaryKeyConstraint("id", name="pk_guests"),
        sa.UniqueConstraint("recovery_hash", name="uq_guests_recovery_hash"),
    )


def _tables() -> None:
    op.create_table(
        "tables",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("edition", sa.Text, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("players", sa.Integer, nullable=False),
        sa.Column("first", sa.Integer),
        sa.Column("start_scores", sa.Text),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("pace", sa.Text, nullable=False),
        sa.Column("clock", sa.Text),
        sa.Column("match_id", sa.Text),
        sa.Column("match_game", sa.Integer),
        sa.Column("match_games", sa.Integer),
        sa.Column("host_guest", sa.Text),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("created_at", sa.Text, nullable=False),
        sa.Column("changed_at", sa.Text, nullable=False),
        sa.Column("seed", sa.LargeBinary, nullable=False),
        sa.Column("commitment", sa.Text, nullable=False),
        sa.Column("watch_hash", sa.Text),
        sa.Column("next_id", sa.Text),
        sa.Column("bots", sa.Boolean, nullable=False),
        sa.Column("title", sa.Text),
        sa.Column("autostart", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_tables"),
    )
    op.create_index("ix_tables_host_guest", "tables", ["host_guest"])
    op.create_index("ix_tables_match_id", "tables", ["match_id"])
    op.create_index("ix_tables_status", "tables", ["status"])


def _chat() -> None:
    op.create_table(
        "chat",
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("guest_id", sa.Text),
        sa.Column("seat", sa.Integer),
        sa.Column("name", sa.Text),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("sender", sa.Text),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_chat_table_id"),
        sa.PrimaryKeyConstraint("table_id", "number", name="pk_chat"),
    )
    op.create_index("ix_chat_sender", "chat", ["table_id", "guest_id", "sender"], unique=True)


def _entries() -> None:
    op.create_table(
        "entries",
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("seat", sa.Integer),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("by", sa.Text),
        sa.Column("guest_id", sa.Text),
        sa.Column("sender", sa.Text),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_entries_table_id"),
        sa.PrimaryKeyConstraint("table_id", "number", name="pk_entries"),
    )


def _links() -> None:
    op.create_table(
        "links",
        sa.Column("hash", sa.Text, nullable=False),
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("created_at", sa.Text, nullable=False),
        sa.Column("used_at", sa.Text),
        sa.Column("made_by", sa.Text),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_links_table_id"),
        sa.PrimaryKeyConstraint("hash", name="pk_links"),
    )
    op.create_index("ix_links_table_id", "links", ["table_id"])


def _mutes() -> None:
    op.create_table(
        "mutes",
        sa.Column("guest_id", sa.Text, nullable=False),
        sa.Column("muted", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(["guest_id"], ["guests.id"], name="fk_mutes_guest_id"),
        sa.ForeignKeyConstraint(["muted"], ["guests.id"], name="fk_mutes_muted"),
        sa.PrimaryKeyConstraint("guest_id", "muted", name="pk_mutes"),
    )


def _push() -> None:
    op.create_table(
        "push",
        sa.Column("endpoint", sa.Text, nullable=False),
        sa.Column("guest_id", sa.Text, nullable=False),
        sa.Column("p256dh", sa.Text, nullable=False),
        sa.Column("auth", sa.Text, nullable=False),
        sa.Column("created_at", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(["guest_id"], ["guests.id"], name="fk_push_guest_id"),
        sa.PrimaryKeyConstraint("endpoint", name="pk_push"),
    )
    op.create_index("ix_push_guest_id", "push", ["guest_id"])


def _reports() -> None:
    op.create_table(
        "reports",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("chat_number", sa.Integer),
        sa.Column("guest_id", sa.Text),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("closed_at", sa.Text),
        sa.Column("sender", sa.Text),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_reports_table_id"),
        sa.PrimaryKeyConstraint("id", name="pk_reports"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_reports_table_id", "reports", ["table_id"])
    op.create_index("ix_reports_sender", "reports", ["table_id", "guest_id", "sender"], unique=True)


def _seats() -> None:
    op.create_table(
        "seats",
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("seat", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("guest_id", sa.Text),
        sa.Column("name", sa.Text),
        sa.Column("bot", sa.Text),
        sa.Column("away_bot", sa.Boolean, nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_seats_table_id"),
        sa.PrimaryKeyConstraint("table_id", "seat", name="pk_seats"),
    )
    op.create_index("ix_seats_guest_id", "seats", ["guest_id"])


def _tokens() -> None:
    op.create_table(
        "tokens",
        sa.Column("hash", sa.Text, nullable=False),
        sa.Column("guest_id", sa.Text, nullable=False),
        sa.Column("label", sa.Text, nullable=False),
        sa.Column("created_at", sa.Text, nullable=False),
        sa.Column("revoked_at", sa.Text),
        sa.ForeignKeyConstraint(["guest_id"], ["guests.id"], name="fk_tokens_guest_id"),
        sa.PrimaryKeyConstraint("hash", name="pk_tokens"),
    )
    op.create_index("ix_tokens_guest_id", "tokens", ["guest_id"])
