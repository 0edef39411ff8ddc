"""What is read and asked over HTTP: the model gateway, its catalog, traces, the registry."""
