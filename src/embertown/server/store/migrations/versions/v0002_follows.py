"""Whether a table follows another: until now read from `first`, which now also tells whom the host chose to begin."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


TABLES = sa.table(
    "tables",
    sa.column("id", sa.Text),
    sa.column("first", sa.Integer),
    sa.column("status", sa.Text),
    sa.column("next_id", sa.Text),
    sa.column("follows", sa.Boolean),
)


def upgrade() -> None:
    """Add the column, and fill it for the tables that there are."""
    with op.batch_alter_table("tables") as change:
        change.add_column(sa.Column("follows", sa.Boolean, nullable=False, server_default=sa.false()))
    earlier = TABLES.alias("earlier")
    next_ids = sa.select(earlier.c.next_id).where(earlier.c.next_id.is_not(None))
    waits = (TABLES.c.status == "open") & TABLES.c.first.is_not(None)  # the one before may be deleted by now
    op.execute(TABLES.update().where(TABLES.c.id.in_(next_ids) | waits).values(follows=sa.true()))
