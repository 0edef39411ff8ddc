"""Stand-ins for the services around: model gateway, traces, OIDC."""
