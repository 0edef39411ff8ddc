"""Judges measured against human labels."""
