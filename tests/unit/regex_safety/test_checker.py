"""The checker refuses patterns that blow up, warns of those that grow slowly, and says where and what to do."""

import pytest

from evalbook.regex_safety.checker import _check, check_pattern
from evalbook.regex_safety.syntax.problem import Reason


@pytest.mark.parametrize(
    "pattern",
    [
        "(a|a)*$",
        "(b|a?b)*c",
        "^(a|b|ab)*$",
        "^(aa|b|aab)*$",
        r'((\d|[0-9])*)"',
        r'(([\s\S]|[^a])*)"',
        r"(?s)^(.*?\n?)*END$",
        r"^(?:x\w|xy|z)+;$",
        r"^(?:\w+\s?)+$",
        "(a+)+$",
    ],
)
def test_an_exponential_pattern_is_refused(pattern):
    check = check_pattern(pattern)

    assert check.refusal is not None
    assert check.refusal.reason is Reason.EXPONENTIAL


LONG = "the quick brown fox jumps over the lazy dog, "


@pytest.mark.parametrize("mode", ["search", "fullmatch"])
@pytest.mark.parametrize(
    "pattern",
    [
        r"q([q]|\x71)+;",
        r"^(?:\.|[.])*;",
        r"^(?:\u0071|q)+?;$",
        r"^(?:\s|[\s])+;",
        r"^(?:[^\S]|\s)+;",
        r"^(?:7|(?i:7)|8)+;",
        r"^(?:(?:\.)|\.)*;",
        r"^(?:.pear|\spear)*;",
        r"^(?:pear[-]|pear\-)+;",
        r"^(?:p.ar|pe[^z]r|other)+;",
        rf"^(?:.{LONG}|\s{LONG})*;",
        rf"^(?:{LONG}[.]|{LONG}\.){{2,}};",
        rf"^(?:{LONG * 3}[.]|{LONG * 3}\.|;)*$",
        rf"^(?:{LONG}\W|{LONG}[^a-c]){{1,60}};",
    ],
)
def test_alternatives_that_overlap_in_different_spellings_are_exponential(pattern, mode):
    refusal = check_pattern(pattern, mode=mode).refusal

    assert refusal is not None
    assert refusal.reason is Reason.EXPONENTIAL


@pytest.mark.parametrize(
    "pattern",
    [
        "(?<=<)(?:q|[q])+;",
        r"\b(?:,|[,])+;",
        r"(?m)^(?:\n|[\n])+;",
        "(?<=to )(?:an|a[n])*;",
        "(?=.*9)^(?:q|[q])+$",
    ],
)
def test_what_stands_before_or_ahead_does_not_hide_an_exponential_pattern(pattern):
    refusal = check_pattern(pattern).refusal

    assert refusal is not None
    assert refusal.reason is Reason.EXPONENTIAL


def test_a_word_worth_repeating_is_tried_however_many_others_there_are():
    refusal = check_pattern(r"(?:=([^\s]+?[,]|\s*){2}[\w,]){1,40}-;").refusal

    assert refusal is not None
    assert refusal.reason is Reason.EXPONENTIAL


@pytest.mark.parametrize(
    "pattern",
    [
        "^(?:q|[r])+;",
        r"^(?:q|r|[qr])+;",
        r"^(?:\d|[.])*;",
        rf"^(?:,{LONG}|;{LONG})*$",
        rf"^(?:{LONG}a|{LONG}b)*$",
        "^(?:q|[q]){1,8};",
    ],
)
def test_alternatives_that_share_no_text_or_few_turns_are_not_exponential(pattern):
    assert check_pattern(pattern).refusal is None


@pytest.mark.parametrize(
    "pattern",
    [
        r"<answer>\s*(.*?)\s*</answer>",
        r"Question:\s*(.+?)\s*Answer:\s*(.+)",
        "(a*)*$",
        r"(?:\w+\s*)+:",
        r"[abc]+\w+[ab]+a",
    ],
)
def test_a_pattern_that_takes_100_ms_within_1000_characters_is_refused(pattern):
    check = check_pattern(pattern)

    assert check.refusal is not None
    assert check.refusal.length <= 1_000


@pytest.mark.parametrize("pattern", [r"\s+$", r"^a+a+$", r"\{.*\}", r"[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,}"])
def test_a_pattern_that_grows_slowly_is_accepted_with_a_warning(pattern):
    check = check_pattern(pattern)

    assert check.refusal is None
    assert check.warning is not None
    assert check.warning.reason is Reason.POLYNOMIAL
    assert 1_000 < check.warning.length <= 100_000


@pytest.mark.parametrize(
    "pattern",
    [
        "act",
        "yes|no",
        r"^\d{4}-\d{2}-\d{2}$",
        r"<answer>([^<]*)</answer>",
        r"\[([^\[\]\n]+)\](?!\()",
        r"^(?:positive|negative|neutral)$",
        r"\b(?:sorry|cannot)\b",
        r"\p{Lu}\p{Ll}+",
        r"^[A-D]$",
        r"(?i)the answer is [0-9]{1,6}",
        r"^(?:\w+\s)*+$",
        "^(?>(?:a|a)*)b",
    ],
)
def test_a_harmless_pattern_has_no_problem(pattern):
    check = check_pattern(pattern)

    assert check.refusal is None
    assert check.warning is None


def test_the_mode_decides():
    found = check_pattern("(a|a)*", mode="search")
    covered = check_pattern("(a|a)*", mode="fullmatch")

    assert found.refusal is None
    assert covered.refusal is not None


def test_the_flags_decide():
    pattern = "^(?:ab?c?|AB?C?)*$"

    plain = check_pattern(pattern)
    ignoring_case = check_pattern(pattern, flags=frozenset({"ignore_case"}))

    assert plain.refusal is None
    assert ignoring_case.refusal is not None


def test_an_empty_pattern_is_refused():
    check = check_pattern("")

    assert check.refusal is not None
    assert check.refusal.reason is Reason.EMPTY


def test_a_refusal_names_the_place_of_the_repeat():
    check = check_pattern("id: (a|a)*;$")

    assert check.refusal is not None
    assert (check.refusal.start, check.refusal.end) == (4, 10)


def test_a_nested_repeat_is_named_as_a_whole():
    check = check_pattern(r"^(?:\w+\s?)+$")

    assert check.refusal is not None
    assert (check.refusal.start, check.refusal.end) == (1, 12)


def test_a_refusal_says_what_to_write_instead():
    check = check_pattern(r"<answer>\s*(.*?)\s*</answer>")

    assert check.refusal is not None
    assert "write [^<]* instead of .*?" in check.refusal.message


def test_what_a_refusal_says_to_write_is_accepted():
    check = check_pattern("<answer>([^<]*)</answer>")

    assert check.refusal is None


def test_a_warning_names_the_length():
    check = check_pattern(r"\s+$")

    assert check.warning is not None
    assert str(check.warning.length) in check.warning.message


def test_the_answer_is_the_same_every_time():
    first = check_pattern(r"(\w+)\s*(\w+)$")
    _check.cache_clear()

    second = check_pattern(r"(\w+)\s*(\w+)$")

    assert first == second


def test_a_character_class_that_the_engine_joins_is_harmless():
    check = check_pattern(r'((\d|5)x)*"')

    assert check.refusal is None


def test_a_bounded_count_stops_growing_where_it_is_used_up():
    check = check_pattern(r"(?i)[\w.-]{0,50}?(?:token)(?:[ \t\w.-]{0,20})[\s'\"]{0,3}=([a-z0-9]{24})")

    assert check.refusal is None
