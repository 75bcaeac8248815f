"""One step each, from the version in `down_revision` to the one in `revision`; never changed after a release."""
