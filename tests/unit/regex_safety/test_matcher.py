"""A guarded pattern answers, or says that the text is too long or the time is up."""

import pytest
import regex

from evalbook.regex_safety.matcher import FoundMatch, GuardedPattern, InputTooLong, MatchTimeout, compile_guarded
from evalbook.regex_safety.syntax.problem import PatternRefused, Reason


def slow(mode="search"):
    """A pattern as an unchecked one would be."""
    return GuardedPattern(regex.compile("(a|a)*$"), mode, timeout_ms=20, max_input_chars=100)


def test_search_finds_the_pattern_anywhere():
    pattern = compile_guarded("act")

    assert pattern.matches("react now")


def test_fullmatch_covers_the_whole_text():
    pattern = compile_guarded("yes|no", mode="fullmatch")

    assert not pattern.matches("yes indeed")


def test_fullmatch_tries_other_alternatives_to_cover_the_text():
    pattern = compile_guarded("a|ab", mode="fullmatch")

    assert pattern.matches("ab")


def test_flags_hold():
    pattern = compile_guarded("^b.c$", flags=frozenset({"ignore_case", "multiline", "dot_all"}))

    assert pattern.matches("a\nB\nC")


def test_verbose_holds():
    pattern = compile_guarded("a  b # c", flags=frozenset({"verbose"}))

    assert pattern.matches("ab")


def test_a_refused_pattern_cannot_be_compiled():
    with pytest.raises(PatternRefused) as caught:
        compile_guarded("(a|a)*$")

    assert caught.value.problem.reason is Reason.EXPONENTIAL


def test_a_match_that_takes_too_long_is_stopped():
    with pytest.raises(MatchTimeout) as caught:
        slow().matches("a" * 60 + "!")

    assert caught.value.timeout_ms == 20


def test_a_full_match_that_takes_too_long_is_stopped():
    with pytest.raises(MatchTimeout):
        slow("fullmatch").matches("a" * 60 + "!")


def test_finding_all_is_stopped_too():
    with pytest.raises(MatchTimeout):
        list(slow().find("a" * 60 + "!"))


def test_a_text_longer_than_allowed_is_refused():
    pattern = compile_guarded("a", max_input_chars=3)

    with pytest.raises(InputTooLong) as caught:
        pattern.matches("aaaa")

    assert (caught.value.length, caught.value.limit) == (4, 3)


def test_a_text_as_long_as_allowed_is_matched():
    pattern = compile_guarded("a", max_input_chars=3)

    assert pattern.matches("aaa")


def test_finding_all_refuses_a_text_longer_than_allowed():
    pattern = compile_guarded("a", max_input_chars=3)

    with pytest.raises(InputTooLong):
        list(pattern.find("aaaa"))


def test_no_error_holds_the_text():
    with pytest.raises(MatchTimeout) as caught:
        slow().matches("a" * 60 + "secret")

    assert "secret" not in str(caught.value)
    assert caught.value.__cause__ is None


def test_all_matches_are_found_with_their_groups():
    pattern = compile_guarded(r"\[(\w)(\d)?\]")

    found = list(pattern.find("[a] and [b1]"))

    assert found == [FoundMatch(0, 3, "[a]", ("a", None)), FoundMatch(8, 12, "[b1]", ("b", "1"))]


def test_matches_that_overlap_are_found_once():
    pattern = compile_guarded("aa")

    assert [(found.start, found.end) for found in pattern.find("aaaa")] == [(0, 2), (2, 4)]
