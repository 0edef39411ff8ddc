"""Versions tried out before anyone relies on them."""
