"""The HTTP API's bodies, one module a subject."""
