"""A pattern as an automaton: ambiguity, growth and the words that show it."""
