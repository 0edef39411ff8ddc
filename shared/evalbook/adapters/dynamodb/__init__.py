"""The registry, the budgets and the runs as DynamoDB items."""
