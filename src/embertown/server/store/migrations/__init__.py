"""Migrations of the schema, run by Alembic through `env.py`; each file in `versions/` is one step."""
