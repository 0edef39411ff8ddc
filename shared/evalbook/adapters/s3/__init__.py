"""Bodies in S3, by reference."""
