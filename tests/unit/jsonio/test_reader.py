"""The strict reader takes RFC 8259's texts within its bounds, and says what else is wrong without quoting it."""

import json
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalbook.jsonio.canonical import plain_json
from evalbook.jsonio.reader import MAX_DEPTH, NotStrictJson, _explained, read_json, within_depth
from tests.unit.json_values import values

REPEATED = "a key is repeated"
DEEP = "it is nested too deeply"
BOUNDS = "a number is out of bounds"
UTF8 = "a text is not valid UTF-8"
SURROGATE = "a text holds half of a surrogate pair"
NOT_FINITE = "a number is NaN or infinite"
NOT_JSON = "it is not JSON"

REFUSED = [
    pytest.param(b'{"a": 1, "a": 2}', REPEATED, id="a repeated key"),
    pytest.param(b'{"a": 1, "\\u0061": 2}', REPEATED, id="a key repeated by an escape"),
    pytest.param(b'[{"b": {"a": 1, "a": 1}}]', REPEATED, id="a key repeated far inside"),
    pytest.param(b"NaN", NOT_FINITE, id="NaN"),
    pytest.param(b'{"a": [1, NaN]}', NOT_FINITE, id="NaN inside"),
    pytest.param(b"Infinity", NOT_FINITE, id="Infinity"),
    pytest.param(b"[-Infinity]", NOT_FINITE, id="-Infinity"),
    pytest.param(b"1e401", BOUNDS, id="an exponent of 401"),
    pytest.param(b"1E+401", BOUNDS, id="an exponent of +401"),
    pytest.param(b"1e-401", BOUNDS, id="an exponent of -401"),
    pytest.param(b"1e0401", BOUNDS, id="an exponent of 0401"),
    pytest.param(b"1e99999999999999999999", BOUNDS, id="an exponent that no Decimal holds"),
    pytest.param(b"9" * 401, BOUNDS, id="401 digits"),
    pytest.param(b"0." + b"3" * 399, BOUNDS, id="401 characters with a fraction"),
    pytest.param(b"-" + b"9" * 400, BOUNDS, id="401 characters with a sign"),
    pytest.param(b"1." + b"0" * 395 + b"e100", BOUNDS, id="401 characters with an exponent"),
    pytest.param(b"9" * 5_000, BOUNDS, id="5,000 digits"),
    pytest.param(b"[1e400, 1e401]", BOUNDS, id="one over beside one within"),
    pytest.param(b'"\\ud800"', SURROGATE, id="a high surrogate alone"),
    pytest.param(b'"\\udc00"', SURROGATE, id="a low surrogate alone"),
    pytest.param(b'"\\ud800\\u0041"', SURROGATE, id="a high surrogate before a letter"),
    pytest.param(b'"\\ud800\\ud800"', SURROGATE, id="two high surrogates"),
    pytest.param(b'"\\udc00\\ud800"', SURROGATE, id="a pair the wrong way round"),
    pytest.param(b'{"\\ud800": 1}', SURROGATE, id="a surrogate in a key"),
    pytest.param(b'"\xff"', UTF8, id="a byte that UTF-8 never has"),
    pytest.param(b'"\xc0\x80"', UTF8, id="an overlong form"),
    pytest.param(b'"\xed\xa0\x80"', UTF8, id="a raw surrogate"),
    pytest.param(b'"\xf4\x90\x80\x80"', UTF8, id="a code point over U+10FFFF"),
    pytest.param(b"\xef\xbb\xbf1", NOT_JSON, id="a byte order mark"),
    pytest.param(b"1 2", NOT_JSON, id="two values"),
    pytest.param(b"{} x", NOT_JSON, id="something after the value"),
    pytest.param(b"", NOT_JSON, id="nothing"),
    pytest.param(b" \n", NOT_JSON, id="only white space"),
    pytest.param(b'"\x01"', NOT_JSON, id="a raw control character"),
    pytest.param(b'"a\nb"', NOT_JSON, id="a raw line end in a text"),
    pytest.param(b"1\x0c", NOT_JSON, id="a form feed for white space"),
    pytest.param(b"\xc2\xa01", NOT_JSON, id="a no-break space for white space"),
    pytest.param(b"01", NOT_JSON, id="a leading zero"),
    pytest.param(b"1.", NOT_JSON, id="a bare point"),
    pytest.param(b".5", NOT_JSON, id="a leading point"),
    pytest.param(b"+1", NOT_JSON, id="a plus sign"),
    pytest.param(b"1e", NOT_JSON, id="an empty exponent"),
    pytest.param(b"[1,]", NOT_JSON, id="a trailing comma"),
    pytest.param(b"{'a': 1}", NOT_JSON, id="single quotes"),
    pytest.param(b'"\\x41"', NOT_JSON, id="an unknown escape"),
    pytest.param(b'["a', NOT_JSON, id="a text without an end"),
    pytest.param(b"[", NOT_JSON, id="an array without an end"),
    pytest.param(b"tru", NOT_JSON, id="half a word"),
]

ACCEPTED = [
    pytest.param(b"1e400", Decimal("1E+400"), id="an exponent of 400"),
    pytest.param(b"-1E-400", Decimal("-1E-400"), id="an exponent of -400"),
    pytest.param(b"1e0400", Decimal("1E+400"), id="an exponent of 0400"),
    pytest.param(b"1e000", Decimal(1), id="an exponent of zeros"),
    pytest.param(b"[1e0, 1e-00, 1e100]", [Decimal(1), Decimal(1), Decimal("1E+100")], id="e0 beside e100"),
    pytest.param(b"9" * 400, 10**400 - 1, id="400 digits"),
    pytest.param(b"-" + b"9" * 399, 1 - 10**399, id="400 characters with a sign"),
    pytest.param(b"0." + b"3" * 398, Decimal("0." + "3" * 398), id="400 characters with a fraction"),
    pytest.param(b'"' + b"9" * 5_000 + b'"', "9" * 5_000, id="5,000 digits in a text"),
    pytest.param(b'["\\"1e999", "1e999"]', ['"1e999', "1e999"], id="numbers out of bounds in texts"),
    pytest.param(b'"\\ud83d\\ude00"', "\U0001f600", id="a surrogate pair"),
    pytest.param(b'"\\u0000\x7f"', "\0\x7f", id="an escaped NUL and a raw DEL"),
    pytest.param(b' \t\r\n{"a": [true, false, null]} ', {"a": [True, False, None]}, id="white space around"),
    pytest.param(b'{"a": {"a": 1}, "A": 2}', {"a": {"a": 1}, "A": 2}, id="the same key at two levels"),
]


@pytest.mark.parametrize(("text", "reason"), REFUSED)
def test_what_is_not_strict_json_is_refused_with_its_reason(text, reason):
    with pytest.raises(NotStrictJson) as caught:
        read_json(text)

    assert caught.value.reason == reason


@pytest.mark.parametrize(("text", "value"), ACCEPTED)
def test_what_is_within_the_bounds_is_read_exactly(text, value):
    assert read_json(text) == value


def test_whole_numbers_are_int_and_all_others_decimal_with_their_digits():
    value = read_json(b"[10, 1.50, 1e1, -0]")

    assert [str(number) for number in value] == ["10", "1.50", "1E+1", "0"]
    assert [type(number) for number in value] == [int, Decimal, Decimal, int]


def test_nesting_up_to_the_depth_is_read():
    text = b"[" * MAX_DEPTH + b"]" * MAX_DEPTH

    assert within_depth(read_json(text), MAX_DEPTH)


@pytest.mark.parametrize("levels", [MAX_DEPTH + 1, 190, 201, 10_000])
def test_nesting_beyond_the_depth_is_refused(levels):
    with pytest.raises(NotStrictJson, match=DEEP):
        read_json(b'{"a":' * levels + b"1" + b"}" * levels)


def test_the_depth_is_the_callers():
    assert read_json(b"[[1]]", max_depth=2) == [[1]]
    with pytest.raises(NotStrictJson, match=DEEP):
        read_json(b"[[1]]", max_depth=1)


def test_a_scalar_needs_no_level():
    assert read_json(b"1", max_depth=0) == 1
    with pytest.raises(NotStrictJson, match=DEEP):
        read_json(b"[]", max_depth=0)


def test_numbers_may_be_unbounded_where_the_text_was_spelt_here():
    text = b"1" + b"0" * 500

    assert read_json(text, bounded=False) == 10**500


def test_the_offset_counts_bytes_over_lines():
    text = '[\n "ä",\nNaN]'.encode()

    with pytest.raises(NotStrictJson) as caught:
        read_json(text)

    assert caught.value.offset == text.index(b"NaN")


def test_a_parsers_message_without_a_place_gives_the_beginning():
    error = _explained("something new: canary", b"canary")

    assert (error.reason, error.offset) == (NOT_JSON, 0)


def test_the_message_holds_the_reason_and_the_offset():
    with pytest.raises(NotStrictJson, match=r"^a key is repeated \(byte \d+\)$"):
        read_json(b'{"a": 1, "a": 2}')


@pytest.mark.parametrize(
    "text",
    [
        b'{"canary": 1, "canary": 2}',
        b'{"canary": NaN}',
        b'{"canary": "canary',
        b'{"canary": canary}',
        b'"canary\\ud800"',
        b'"canary\xff"',
        b'"canary\\q"',
    ],
)
def test_no_message_quotes_the_text(text):
    with pytest.raises(NotStrictJson) as caught:
        read_json(text)

    assert "canary" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


@given(values)
def test_any_value_that_is_written_is_read_again(value):
    assert read_json(plain_json(value), bounded=False) == value


@given(values, st.booleans(), st.sampled_from([None, 2]))
def test_the_reader_agrees_with_the_standard_librarys(value, ascii_only, indent):
    text = json.dumps(json.loads(plain_json(value), parse_float=str), ensure_ascii=ascii_only, indent=indent).encode()

    assert read_json(text, bounded=False) == json.loads(text)


def _as_standard_json(text):
    """What the standard library reads, made as strict about constants."""

    def constant(name):
        raise ValueError(name)

    try:
        return json.loads(text, parse_float=Decimal, parse_constant=constant)
    except ValueError:
        return NotStrictJson


def _as_read(text):
    try:
        return read_json(text)
    except NotStrictJson:
        return NotStrictJson


@given(st.text('0123456789.eE+-[]{}:,"\\ untrlfase', max_size=12))
def test_any_short_text_that_is_read_is_json_for_the_standard_library_too(text):
    read = _as_read(text.encode())

    assert read is NotStrictJson or read == _as_standard_json(text)


@given(st.binary(max_size=12))
def test_any_bytes_that_are_read_are_json_for_the_standard_library_too(text):
    read = _as_read(text)

    assert read is NotStrictJson or read == _as_standard_json(text)


def _literal(digits, fraction, sign, exponent):
    return f"{sign}{digits}{'.' * bool(fraction)}{fraction}{exponent}"


@given(
    st.builds(
        _literal,
        st.integers(0, 10**6).map(str) | st.integers(395, 402).map(lambda count: "7" * count),
        st.sampled_from(["", "0", "25"]) | st.integers(380, 402).map(lambda count: "0" * count),
        st.sampled_from(["", "-"]),
        st.sampled_from(["", "e0", "E00", "e+000"]) | st.integers(-1_200, 1_200).map(lambda number: f"e{number:+05}"),
    ),
    st.sampled_from(["{}", "[{}]", '{{"a": {}, "b": "1e999"}}', "[1e0, {}, 1e399]"]),
)
def test_a_number_is_refused_exactly_when_its_literal_breaks_a_limit(literal, frame):
    exponent = int(literal.partition("e")[2] or literal.partition("E")[2] or 0)
    within = len(literal) <= 400 and abs(exponent) <= 400

    read = _as_read(frame.format(literal).encode())

    assert (read is not NotStrictJson) == within
