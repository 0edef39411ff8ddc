"""Clients of the local stack: evaluation service and authors."""
