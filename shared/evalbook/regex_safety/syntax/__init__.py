"""Patterns parsed."""
