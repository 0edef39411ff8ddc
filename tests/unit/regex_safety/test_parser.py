"""The parser accepts only what the engine accepts, and refuses what has no place in an author's pattern."""

import pytest
import regex

from evalbook.regex_safety.syntax.parser import parse
from evalbook.regex_safety.syntax.problem import PatternRefused, Reason
from evalbook.regex_safety.syntax.syntax import Atomic, Choice, Greed, Repeat, Sequence, Single, walk


def refusal(pattern, flags=0):
    with pytest.raises(PatternRefused) as caught:
        parse(pattern, flags)
    return caught.value.problem


@pytest.mark.parametrize(
    "pattern",
    [
        "(unclosed",
        "closed)",
        "[abc",
        "a**",
        "*a",
        "a{3,1}",
        "a{2}{3}",
        "\\",
        "\\y",
        "\\x4",
        "\\u12",
        "\\U00110000",
        "\\N{NO SUCH CHARACTER}",
        "\\p{NoSuchProperty}",
        "[z-a]",
        "(?P<1a>b)",
        "(?P<n>a)(?P=m)",
        "(a)\\2",
        "(a\\1)",
        "(?#comment",
        "[\\8]",
    ],
)
def test_a_pattern_that_is_none_is_refused_as_invalid(pattern):
    problem = refusal(pattern)

    assert problem.reason is Reason.INVALID_SYNTAX


@pytest.mark.parametrize(
    "pattern",
    [
        "(?R)",
        "(a)(?1)",
        "(?&name)",
        "(?P>name)",
        "(?P&name)",
        "(?:ab){e<=1}",
        "a{i}",
        "a{1<=e<=3}",
        "a{2i+1d<=3}",
        "\\L<words>",
        "a(*SKIP)b",
        "(*FAIL)",
        "(?|(a)|(b))",
        "(?b)a",
        "(?e)a",
        "(?p)a",
        "(?r)a",
        "(?V1)[a--b]",
        "\\X",
        "\\G",
        "a\\Kb",
        "(?(DEFINE)(?P<n>a))",
        "(?<=a+)b",
        "(?<!a|bc)d",
        "(?(?=a)b|c)",
        "[[:alpha:]]",
        "(?P<n>a)(?P<n>b)",
        "\\p",
    ],
)
def test_syntax_without_a_place_here_is_refused(pattern):
    problem = refusal(pattern)

    assert problem.reason is Reason.UNSUPPORTED_SYNTAX


def test_a_refusal_names_the_place():
    problem = refusal("abc(?R)")

    assert (problem.start, problem.end) == (3, 5)


@pytest.mark.parametrize("pattern", ["(?R)", "(a)(?1)", "(a)(?-1)", "(?+1)(a)", "(?&name)", "(?P>name)", "(?P&name)"])
def test_recursion_is_refused_by_policy(pattern):
    assert "recursion and calls of groups are refused by policy" in refusal(pattern).message


@pytest.mark.parametrize("pattern", ["(?<=a|bc)d", "(?<!a+)b", r"(?<=(a)\1)b"])
def test_a_look_behind_of_several_widths_is_refused_by_policy(pattern):
    assert "a look-behind of several widths is refused by policy" in refusal(pattern).message


def test_a_refusal_says_what_to_write():
    problem = refusal("say {e} please")

    assert "\\{" in problem.message


def test_nesting_beyond_the_limit_is_too_complex():
    problem = refusal("(" * 51 + "a" + ")" * 51)

    assert problem.reason is Reason.TOO_COMPLEX


def test_alternatives_beyond_the_limit_are_too_complex():
    problem = refusal("|".join("ab" * 501))

    assert problem.reason is Reason.TOO_COMPLEX


def test_braces_that_are_no_counts_are_literals():
    tree = parse("a{x}{,y", 0)

    assert [part.atom.character for part in walk(tree) if isinstance(part, Single)] == list("a{x}{,y")


def test_a_count_without_a_lower_bound_begins_at_zero():
    tree = parse("a{,3}", 0)

    assert [(part.low, part.high) for part in walk(tree) if isinstance(part, Repeat)] == [(0, 3)]


@pytest.mark.parametrize(("pattern", "greed"), [("a*", "greedy"), ("a*?", "lazy"), ("a*+", "possessive")])
def test_the_sign_behind_a_quantifier_is_its_greed(pattern, greed):
    tree = parse(pattern, 0)

    assert [part.greed for part in walk(tree) if isinstance(part, Repeat)] == [Greed(greed)]


def test_a_quantifier_over_nothing_is_left_out():
    tree = parse("(?:)*", 0)

    assert not [part for part in walk(tree) if isinstance(part, Repeat)]


def test_verbose_white_space_and_comments_are_left_out():
    tree = parse("a # first\n b", int(regex.VERBOSE))

    assert [part.atom.character for part in walk(tree) if isinstance(part, Single)] == ["a", "b"]


def test_inline_flags_end_with_their_group():
    tree = parse("(?:(?i)a)a", 0)

    assert [part.atom.matches("A") for part in walk(tree) if isinstance(part, Single)] == [True, False]


def test_inline_flags_hold_in_later_alternatives():
    tree = parse("(?i)a|b", 0)

    assert [part.atom.matches("B") for part in walk(tree) if isinstance(part, Single)] == [False, True]


def test_a_unicode_property_matches_by_the_engines_own_tables():
    tree = parse("\\p{Lu}", 0)

    assert [part.atom.matches("É") for part in walk(tree) if isinstance(part, Single)] == [True]


def test_three_octal_digits_are_a_character():
    tree = parse("(a)\\101", 0)

    assert [part.atom.character for part in walk(tree) if isinstance(part, Single)] == ["a", "A"]


def test_an_atomic_group_is_read():
    tree = parse("(?>a|ab)", 0)

    assert isinstance(tree, Sequence)
    assert isinstance(tree.items[0], Atomic)
    assert isinstance(tree.items[0].body, Choice)


def test_every_part_stands_inside_its_pattern():
    pattern = r"^(?P<n>[a-z]+|\d{2,3}?)(?(n)x|y)\b(?=z)(?P=n)$"

    tree = parse(pattern, 0)

    assert all(0 <= part.place.start <= part.place.end <= len(pattern) for part in walk(tree))
