"""What the registry keeps: scorers, versions, fixtures, activations and rubrics as records."""
