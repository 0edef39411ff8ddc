"""Family text: exact_match, contains, not_contains, regex, edit_similarity."""
