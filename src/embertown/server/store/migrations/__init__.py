"""Migrations of the schema, run by Alembic through `env.py`; each file in `versions/` is one step.

Knows: how the database came to be what `schema.py` says.
May import: alembic, sqlalchemy.
Never: anything of this package: a step stays as it was when it was released.
"""
