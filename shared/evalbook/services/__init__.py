"""Use cases over ports; no AWS import."""
