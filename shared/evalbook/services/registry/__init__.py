"""Scorers, versions, rubrics and fixtures, written and read."""
