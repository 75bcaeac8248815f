"""One step each, from the version in `down_revision` to the one in `revision`.

Knows: one change of the schema.
May import: alembic, sqlalchemy.
Never: a change after a release.
"""
