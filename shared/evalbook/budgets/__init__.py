"""The budget ledger's pure model: amounts, calls, their transitions, and the port of its store."""
