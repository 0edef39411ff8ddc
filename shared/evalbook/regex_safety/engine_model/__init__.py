"""How many steps the matching engine takes on a pattern and a text."""
