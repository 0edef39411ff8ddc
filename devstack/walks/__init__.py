"""How far a reader walks: which modules what users do passes, and how the package's rooms hang together."""
