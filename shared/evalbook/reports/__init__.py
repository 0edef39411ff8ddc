"""Pages for people, and their charts."""
