"""Batches scored by deterministic versions."""
