"""The only place that imports boto3, httpx or starts processes."""
