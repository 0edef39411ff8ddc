"""Suites: several scorers over a file of cases, their results summed up, gated and compared."""
