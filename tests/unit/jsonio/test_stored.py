"""What is stored can be read again: a spelling beyond the reader's bounds is never written."""

from decimal import Decimal

import pytest
from hypothesis import given

from evalbook.jsonio.canonical import digest
from evalbook.jsonio.reader import NotStrictJson, read_json
from evalbook.jsonio.stored import NotStorable, read_stored, stored_text
from tests.unit.json_values import small_values

LONGER_WHEN_SPELT = [b"98.7e400", b"-555.5e399", b"0.04e-400", b"7" * 396 + b"e9", b"3." + b"1" * 394 + b"e399"]


@pytest.mark.parametrize("literal", LONGER_WHEN_SPELT)
def test_a_literal_whose_spelling_is_beyond_the_bounds_cannot_be_stored(literal):
    value = read_json(b'{"a": [1, %s]}' % literal)

    with pytest.raises(NotStorable) as caught:
        stored_text(value)

    assert caught.value.path == ("a", 1)
    assert caught.value.reason == "cannot be stored: a number is out of bounds once it is spelt"


@pytest.mark.parametrize("literal", [b"1e400", b"1E-400", b"9" * 400, b"0.50", b"-0.0", b"1.5e-400"])
def test_a_literal_that_keeps_the_bounds_is_stored_with_its_digits(literal):
    text = stored_text(read_json(literal))

    assert str(read_json(text)) == str(Decimal(literal.decode()))


@given(small_values)
def test_what_is_stored_is_read_again_under_the_same_bounds(value):
    assert digest(read_json(stored_text(value), max_depth=150)) == digest(value)


def test_what_was_stored_under_other_bounds_is_read_all_the_same():
    assert read_stored("9.87E+401") == Decimal("9.87E+401")


def test_what_was_not_spelt_here_is_not_read():
    with pytest.raises(NotStrictJson):
        read_stored('{"a": NaN}')
