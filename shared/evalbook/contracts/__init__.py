"""Wire models: what crosses a queue, a file or the HTTP API."""
