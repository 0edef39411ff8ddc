"""Family secrets: secret_scan."""
