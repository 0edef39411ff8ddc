"""The HTTP API: requests to use cases, use cases to answers."""
