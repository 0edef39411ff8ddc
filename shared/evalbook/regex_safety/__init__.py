"""The backtracking checker and the guarded matcher for patterns that authors write."""
