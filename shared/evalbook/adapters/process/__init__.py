"""Worker processes with time limits."""
