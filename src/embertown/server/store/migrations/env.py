"""How Alembic runs the steps: on the connection, and in the transaction, of `embertown.server.store.versions`."""

from __future__ import annotations

from alembic import context

from embertown.server.store.schema import metadata
from embertown.server.store.versions import CONNECTION

AS_ALEMBIC_CALLS_IT = "env_py"


def run() -> None:
    """All steps in one transaction, also on SQLite, which Alembic does not trust to do so by itself."""
    context.configure(
        connection=context.config.attributes[CONNECTION],
        target_metadata=metadata,
        transactional_ddl=True,
        render_as_batch=True,  # SQLite changes a column by building the table anew
    )
    with context.begin_transaction():
        context.run_migrations()


if __name__ == AS_ALEMBIC_CALLS_IT:
    run()
