"""The number of migrations this code knows; kept apart so that an up-to-date file costs no import."""

SCHEMA_VERSION = 5
