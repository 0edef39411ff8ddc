"""One spelling for equal values."""

import json
from decimal import Decimal
from hashlib import sha256

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from evalbook.jsonio.canonical import canonical_json, digest, exact, plain_json, spell_number
from evalbook.jsonio.equality import json_equal
from evalbook.jsonio.reader import read_json
from tests.unit.json_values import fractions, numbers, small_values, texts, values


@pytest.mark.parametrize(
    ("number", "spelling"),
    [
        (Decimal("0.0"), "0"),
        (Decimal("-0"), "0"),
        (Decimal("1.0"), "1"),
        (Decimal("1E+3"), "1000"),
        (Decimal("-1.50"), "-15E-1"),
        (Decimal("1E+20"), "1" + "0" * 20),
        (Decimal("123E+19"), "123E19"),
        (Decimal("1E+400"), "1E400"),
        (Decimal("9" * 400), "9" * 400),
        (Decimal("1E-400"), "1E-400"),
    ],
)
def test_a_number_is_spelt_by_its_value(number, spelling):
    assert spell_number(number) == spelling


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (1, Decimal("1.0")),
        (0, Decimal("-0.0")),
        (10**400, Decimal("1E+400")),
        (-(10**25), Decimal("-1E+25")),
        (Decimal("0.10"), Decimal("1E-1")),
    ],
)
def test_equal_numbers_have_one_spelling(left, right):
    assert canonical_json([left]) == canonical_json([right])


@pytest.mark.parametrize(
    ("left", "right"),
    [(1, True), (0, False), (None, False), ("1", 1), ([], {}), (2**53, 2**53 + 1), (10**399, 10**399 + 1)],
)
def test_values_of_other_types_or_other_numbers_have_other_spellings(left, right):
    assert canonical_json(left) != canonical_json(right)


def test_members_come_in_the_order_of_their_utf16_units():
    # U+1F600 is spelt with the units D83D DE00, which come before U+FB33, although its code point comes after.
    names = ["\ufb33", "\U0001f600", "\u20ac", "1", "\r", "\u00f6", "\u0080"]

    members = list(json.loads(canonical_json(dict.fromkeys(names))))

    assert members == ["\r", "1", "\u0080", "\u00f6", "\u20ac", "\U0001f600", "\ufb33"]


def test_members_inside_arrays_come_in_order_too():
    assert canonical_json([{"\uffff": 1, "\U00010000": 2}]) == '[{"\U00010000":2,"\uffff":1}]'.encode()


def test_only_what_must_be_escaped_is_escaped():
    assert canonical_json('\x00\x1f"\\/\b\n\x7f\u2028é') == '"\\u0000\\u001f\\"\\\\/\\b\\n\x7f\u2028é"'.encode()


@pytest.mark.parametrize("number", [2**63 - 1, 2**63, 2**64, -(2**63), -(2**63) - 1, 10**20, 10**399 + 1])
def test_an_integer_of_any_size_keeps_its_digits(number):
    assert canonical_json({"b": [number], "a": None}) == b'{"a":null,"b":[%d]}' % number


def test_an_integer_is_spelt_like_the_fraction_of_the_same_value_also_where_that_takes_an_exponent():
    assert canonical_json({"a": 10**399}) == b'{"a":1E399}' == canonical_json({"a": Decimal("1E+399")})


def test_a_spelling_is_not_much_longer_than_what_was_written():
    text = b"[" + b",".join([b"1e400"] * 1_000) + b"]"

    assert len(canonical_json(read_json(text))) <= len(text)


@pytest.mark.parametrize("spell", [canonical_json, plain_json])
def test_what_is_not_json_is_not_spelt(spell):
    with pytest.raises(TypeError):
        spell({"a": {1, 2}})


def test_a_digest_is_the_sha256_of_the_spelling():
    assert digest({"b": 1, "a": Decimal("2.0")}) == sha256(b'{"a":2,"b":1}').hexdigest()


def test_a_binary_fraction_counts_with_its_exact_value():
    assert exact(0.1) == Decimal("0.1000000000000000055511151231257827021181583404541015625")


@given(small_values, small_values)
def test_spellings_are_equal_exactly_where_the_values_are(left, right):
    assert (canonical_json(left) == canonical_json(right)) == json_equal(left, right)


@given(numbers, numbers)
def test_spellings_of_numbers_are_equal_exactly_where_the_numbers_are(left, right):
    assert (canonical_json(left) == canonical_json(right)) == (left == right)


@given(st.dictionaries(texts, values, min_size=2), st.randoms(use_true_random=False))
def test_the_order_of_members_never_matters(members, random):
    shuffled = list(members.items())
    random.shuffle(shuffled)

    assert canonical_json({"": members}) == canonical_json({"": dict(shuffled)})


@given(values)
def test_the_spelling_reads_as_an_equal_value(value):
    assert json_equal(read_json(canonical_json(value), bounded=False), value)


@given(fractions)
def test_a_number_and_its_spelling_have_the_same_value(number):
    assert Decimal(spell_number(number)) == number


@given(values)
def test_the_plain_spelling_keeps_order_and_digits(value):
    text = plain_json(value)

    assert plain_json(read_json(text, bounded=False)) == text


def test_the_plain_spelling_does_not_sort():
    assert plain_json({"b": 10**30, "a": Decimal("1.50")}) == b'{"b":1000000000000000000000000000000,"a":1.50}'


@given(st.lists(values, min_size=2, max_size=2))
def test_other_elements_have_another_spelling(pair):
    assume(not json_equal(*pair))

    assert canonical_json(pair) != canonical_json(pair[::-1])
