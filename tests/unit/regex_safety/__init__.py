"""Tests of the pattern checker and the guarded matcher."""
