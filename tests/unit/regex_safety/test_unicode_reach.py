"""What of a pattern covers all of Unicode."""

import pytest

from evalbook.regex_safety.unicode_reach import unicode_reach


@pytest.mark.parametrize(
    ("pattern", "flags", "found"),
    [
        (r"\d+ \w", [], [r"\d", r"\w"]),
        (r"\bword\b", [], [r"\b"]),
        ("[0-9]+", [], []),
        (r"\\d", [], []),
        ("word", ["ignore_case"], ["ignore_case"]),
        ("(?i)word", [], ["ignore_case"]),
        ("(?x)word", [], []),
        (r"\d", ["ascii"], []),
        ("word", ["ignore_case", "ascii"], []),
    ],
)
def test_escapes_and_ignored_case_reach_beyond_ascii_unless_ascii_is_chosen(pattern, flags, found):
    assert unicode_reach(pattern, flags) == found
