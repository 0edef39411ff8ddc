"""Measurements against the bare libraries and against peers, each table from one run."""
