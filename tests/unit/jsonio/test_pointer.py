"""JSON Pointers: RFC 6901's own examples, and what leads nowhere."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalbook.jsonio.pointer import format_pointer, is_pointer, parse_pointer, resolve
from evalbook.jsonio.values import ABSENT
from tests.unit.json_values import texts

# The document and the pointers of section 5.
DOCUMENT = {
    "foo": ["bar", "baz"],
    "": 0,
    "a/b": 1,
    "c%d": 2,
    "e^f": 3,
    "g|h": 4,
    "i\\j": 5,
    'k"l': 6,
    " ": 7,
    "m~n": 8,
}


@pytest.mark.parametrize(
    ("pointer", "value"),
    [
        ("", DOCUMENT),
        ("/foo", ["bar", "baz"]),
        ("/foo/0", "bar"),
        ("/", 0),
        ("/a~1b", 1),
        ("/c%d", 2),
        ("/e^f", 3),
        ("/g|h", 4),
        ("/i\\j", 5),
        ('/k"l', 6),
        ("/ ", 7),
        ("/m~0n", 8),
    ],
)
def test_the_rfcs_examples_lead_to_their_values(pointer, value):
    assert resolve(DOCUMENT, parse_pointer(pointer)) == value


@pytest.mark.parametrize(
    "pointer",
    [
        "/bar",
        "/foo/2",
        "/foo/-",
        "/foo/00",
        "/foo/01",
        "/foo/+1",
        "/foo/-1",
        "/foo/ 1",
        "/foo/١",
        "/foo/1e0",
        "/foo/length",
        "/foo/0/0",
        "/a~1b/x",
        "/foo/" + "9" * 5_000,
        "/bar/baz",
    ],
)
def test_a_pointer_to_nothing_leads_to_absent(pointer):
    assert resolve(DOCUMENT, parse_pointer(pointer)) is ABSENT


def test_null_is_a_value_and_not_absent():
    assert resolve({"a": [None]}, ("a", "0")) is None


def test_an_escaped_tilde_before_a_one_is_no_slash():
    assert parse_pointer("/~01") == ("~1",)


@pytest.mark.parametrize("pointer", ["a", "a/b", "#/a", " /a"])
def test_a_pointer_that_starts_with_no_slash_is_refused(pointer):
    with pytest.raises(ValueError, match="starts with '/'"):
        parse_pointer(pointer)

    assert not is_pointer(pointer)


@pytest.mark.parametrize("pointer", ["/~", "/a~", "/~2", "/a/b~b"])
def test_a_tilde_that_escapes_nothing_is_refused(pointer):
    with pytest.raises(ValueError, match="'~' is followed by 0 or 1"):
        parse_pointer(pointer)

    assert not is_pointer(pointer)


@given(st.lists(texts).map(tuple))
def test_formatting_and_parsing_are_inverse(tokens):
    pointer = format_pointer(tokens)

    assert is_pointer(pointer)
    assert parse_pointer(pointer) == tokens


def test_indexes_are_formatted_as_digits():
    assert format_pointer(("a/b", 0, "~")) == "/a~1b/0/~0"
