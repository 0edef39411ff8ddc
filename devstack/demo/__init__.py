"""What make demo shows."""
