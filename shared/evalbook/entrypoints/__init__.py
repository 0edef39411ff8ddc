"""Composition roots, one a deployable, and their settings."""
