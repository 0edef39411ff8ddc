"""Records as the HTTP API shows them, one module a subject."""
