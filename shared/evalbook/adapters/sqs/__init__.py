"""Messages in SQS queues."""
