"""Actions that one person requests and another approves."""
