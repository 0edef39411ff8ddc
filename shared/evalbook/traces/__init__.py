"""Recorded traces: read, fetched and resolved."""
