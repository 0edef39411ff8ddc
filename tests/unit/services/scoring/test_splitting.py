"""Splitting objects and arrays whose members may hold anything."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalbook.jsonio.reader import NotStrictJson, split_array, split_object
from tests.unit.json_values import texts, values


@pytest.mark.parametrize(
    ("text", "members"),
    [
        (b"{}", []),
        (b" { } ", []),
        (b'{"a":1}', [("a", b"1")]),
        (b' {"a" : NaN , "b":[1,{"c":2}]}\n', [("a", b"NaN"), ("b", b'[1,{"c":2}]')]),
        (b'{"a":1,"a":2}', [("a", b"1"), ("a", b"2")]),
        (b'{"\\u0061":1}', [("a", b"1")]),
        (b'{"a":"},{\\"","b":"\\\\"}', [("a", b'"},{\\""'), ("b", b'"\\\\"')]),
        (b'{"\\ud800":1}', [("\N{REPLACEMENT CHARACTER}", b"1")]),
        (b'{"a":"\xff"}', [("a", b'"\xff"')]),
        (b'{"a:b":{"c":1}}', [("a:b", b'{"c":1}')]),
    ],
)
def test_an_object_is_split_into_its_members_texts(text, members):
    assert split_object(text) == members


@pytest.mark.parametrize(
    ("text", "elements"),
    [
        (b"[]", []),
        (b"[1, NaN ,[2,3]]", [b"1", b"NaN", b"[2,3]"]),
        (b'["]", {"a":[]}]', [b'"]"', b'{"a":[]}']),
        (b"[1 2, tru]", [b"1 2", b"tru"]),
    ],
)
def test_an_array_is_split_into_its_elements_texts(text, elements):
    assert split_array(text) == elements


def test_an_element_may_nest_as_deep_as_it_likes():
    deep = b"[" * 100_000 + b"]" * 100_000

    assert split_array(b"[1," + deep + b"]") == [b"1", deep]


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"1",
        b"[]",
        b'{"a":1',
        b'{"a":1]',
        b'{"a":[1}',
        b'{"a":1}}',
        b'{"a":1} x',
        b'{"a":"x}',
        b'{"a"}',
        b'{"a" "b":1}',
        b"{a:1}",
        b'{,"a":1}',
        b'{"a":1,}',
        b"{,}",
        b'\x0b{"a":1}',
    ],
)
def test_what_is_no_object_in_its_brackets_and_quotes_is_refused(text):
    with pytest.raises(NotStrictJson):
        split_object(text)


@pytest.mark.parametrize("text", [b"{}", b"[1,]", b"[,1]", b"[1,,2]", b"[", b"]", b'["', b"[]]"])
def test_what_is_no_array_in_its_brackets_and_quotes_is_refused(text):
    with pytest.raises(NotStrictJson):
        split_array(text)


def test_no_message_quotes_the_text():
    with pytest.raises(NotStrictJson) as caught:
        split_object(b'{"canary":"canary')

    assert "canary" not in str(caught.value)


simple_values = values.map(lambda value: json.loads(json.dumps(value, default=float)))


@given(st.dictionaries(texts, simple_values), st.sampled_from([None, 1]), st.booleans())
def test_splitting_the_dump_of_an_object_gives_its_members(members, indent, ascii_only):
    text = json.dumps(members, indent=indent, ensure_ascii=ascii_only).encode()

    split = split_object(text)

    assert [(name, json.loads(part)) for name, part in split] == list(members.items())


@given(st.lists(simple_values), st.sampled_from([None, 1]))
def test_splitting_the_dump_of_an_array_gives_its_elements(elements, indent):
    text = json.dumps(elements, indent=indent).encode()

    assert [json.loads(part) for part in split_array(text)] == elements


@given(st.text('{}[]",:\\ a1\n', max_size=30).map(str.encode))
def test_any_text_is_split_at_its_commas_or_refused(text):
    try:
        parts = split_array(text)
    except NotStrictJson:
        return

    assert b"".join(text.split()).count(b",") >= len(parts) - 1
    assert all(part == part.strip(b" \t\r\n") for part in parts)
