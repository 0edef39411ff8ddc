"""The translation of ECMA-262's patterns into those of PyPI `regex`."""

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from evalbook.jsonschema_subset.ecma_patterns import translated

PIECES = st.sampled_from(
    [
        *"ab01^$.|*+?(){}[]-/ &~#\\",
        "\\d",
        "\\W",
        "\\s",
        "\\b",
        "\\p{L}",
        "\\cA",
        "\\x41",
        "\\u0041",
        "\\u{1F600}",
        "(?:",
        "{2,3}",
    ]
)


def found(pattern, text):
    return regex.search(translated(pattern), text) is not None


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (r"^\d$", "7"),
        (r"^\D$", "\u07c0"),
        (r"^\w$", "_"),
        (r"^\W$", "é"),
        (r"^[\W]$", "é"),
        (r"^[^\d]$", "\u07c0"),
        (r"^\s$", "\ufeff"),
        (r"^\S$", "\x85"),
        (r"\bb", "éb"),
        (r"a\Bb", "ab"),
        (r"^\cC$", "\x03"),
        (r"^\x41\u0042\u{43}$", "ABC"),
        (r"^\ud83d\udc32$", "🐲"),
        (r"^[🐲🐉]$", "🐲"),
        (r"^\p{Letter}\P{Lu}\p{Script=Greek}$", "Aaα"),
        (r"^[\p{L}\-]+$", "a-é"),
        (r"^[\b]$", "\b"),
        (r"^[]|[^]$", "\n"),
        (r"^\0$", "\0"),
        (r"^a{,2}$", "a{,2}"),
        (r"^{a}]$", "{a}]"),
        (r"^a{2,3}?$", "aaa"),
        (r"^(?<year>\d{4})(?=-)", "2026-11"),
        (r"(?<!a)(?<=b)c", "bc"),
        (r"^a\/b\-c\_d$", "a/b-c_d"),
        (r"^[a&&b||c~~d]+$", "&|~"),
        (r"^[[]$", "["),
        (r"^ #$", " #"),
    ],
)
def test_a_pattern_matches_as_ecma_262_means_it(pattern, text):
    assert found(pattern, text)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (r"^abc$", "abc\n"),
        (r"^.$", "\r"),
        (r"^.$", "\u2028"),
        (r"^\d$", "\u07c0"),
        (r"^\w$", "é"),
        (r"^[\w]$", "é"),
        (r"^\s$", "\x85"),
        (r"^\s$", "\x1c"),
        (r"\bb", "ab"),
        (r"[]", "a"),
        (r"^[\D]$", "1"),
        (r"(?<!a)c", "ac"),
    ],
)
def test_a_pattern_does_not_match_where_only_the_other_dialect_does(pattern, text):
    assert not found(pattern, text)


@pytest.mark.parametrize(
    "pattern",
    [
        *(
            r"\a",
            r"\Z",
            r"\A",
            r"\1",
            r"\k<a>",
            r"\x4",
            r"\u12",
            r"\c1",
            r"\pL",
            r"\p{",
            "\\",
            r"\ud800",
            r"\u{110000}",
        ),
        *("(", ")", "(?i)a", "(?P<n>a)", "(?>a)", "(?#a)", "(?", "[a", "[b-a]", r"[\d-z]", r"[a-\w]", "[a-", r"\08"),
        *("*", "a**", "a++", "a?+", "^*", r"\b+", "(?=a)*", "|*", "a{2}{3}", "a{3,2}", "(*a)"),
    ],
)
def test_what_is_no_pattern_or_a_back_reference_is_refused_with_its_place(pattern):
    with pytest.raises(ValueError, match=r"at character \d+$"):
        translated(pattern)


@given(st.lists(PIECES, max_size=12).map("".join))
def test_any_text_is_refused_or_becomes_a_pattern_that_compiles(pattern):
    try:
        shown = translated(pattern)
    except ValueError:
        return

    regex.compile(shown)


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=20))
def test_an_escaped_text_matches_itself(text):
    pattern = "".join(f"\\u{{{ord(char):x}}}" for char in text)

    assert regex.fullmatch(translated(pattern), text)
    assert regex.fullmatch(translated(f"[{pattern}]*"), text)
