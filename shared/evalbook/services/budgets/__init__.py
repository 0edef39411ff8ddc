"""Budgets opened, reserved from, settled and swept."""
