"""The HTTP API's routes, one module a subject."""
