"""A subset of JSON Schema, draft 2020-12: checked when a version is created, exact and bounded when it runs."""
