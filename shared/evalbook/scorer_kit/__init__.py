"""What scorers share: reading a case, text options, authors' patterns, precedence. Authors import `authoring`."""
