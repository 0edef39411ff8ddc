"""Readers of other formats: pure functions from a recorded document to the trace of a case."""
