"""parse: JSON in an output's text, read because the version asks for it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalbook.jsonio.canonical import plain_json
from tests.unit.scorers.grading import grade, outcome, refused

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text('ab{["\\`'),
    lambda inner: st.lists(inner) | st.dictionaries(st.text('ab{["\\'), inner),
)
WHOLE = {"compare": "json", "parse": "json"}
BLOCK = {"compare": "json", "parse": "json_block"}
FENCED = '```json\n{"a": 1}\n```'


@given(value=VALUES)
def test_a_text_that_is_one_document_is_its_value(value):
    text = plain_json(value).decode()

    assert outcome("exact_match", WHOLE, output=f" {text}\n", expected=value) == "pass"


@given(value=st.lists(VALUES))
def test_a_balanced_value_in_prose_is_found_whatever_its_strings_hold(value):
    text = plain_json(value).decode()

    assert outcome("exact_match", BLOCK, output=f"It's: {text}. Good?", expected=value) == "pass"


@pytest.mark.parametrize(
    "output",
    [
        FENCED,
        f"Here you are:\n\n{FENCED}\n\nGood [luck]!",
        FENCED.replace("json", ""),
        FENCED.replace("```", "~~~"),
        FENCED.replace("```", "`````"),
        '- item\n\n    ```json\n    {"a":\n      1}\n    ```',
        '```\r\n{"a": 1}\r\n```\r\n',
        '{"a": 1}',
        'The result is {"a": 1}.',
        '```json {"a": 1}```',
        '~~~\n{"a": 1}\n```\n~~~'.replace("```\n", ""),
    ],
)
def test_exactly_one_block_is_parsed(output):
    assert outcome("exact_match", BLOCK, output=output, expected={"a": 1}) == "pass"


@pytest.mark.parametrize(
    ("output", "reason"),
    [
        ("", "holds 0 objects or arrays"),
        ("no", "holds 0 objects or arrays"),
        ("42", "holds 0 objects or arrays"),
        (f"{FENCED}\n{FENCED}", "holds 2 fenced blocks"),
        ('{"a": 1} {"a": 1}', "holds 2 objects or arrays"),
        ('As [1] says: {"a": 1}', "holds 2 objects or arrays"),
        ('```json\n{"a": 1}', "has no end"),
        ('{"a": 1', "do not match"),
        ('{"a": [1}', "do not match"),
        ('{"a": "1}', "do not match"),
        ("```\n```", "cannot be parsed"),
        ("The set {x} is small.", "cannot be parsed"),
        ('{"a": 1, "a": 1}', "a key is repeated"),
        ('{"a": NaN}', "NaN or infinite"),
        ("{'a': 1}", "cannot be parsed"),
        ('{"a": 1,}', "cannot be parsed"),
    ],
)
def test_anything_else_fails_with_its_reason(output, reason):
    answer = grade("exact_match", BLOCK, output=output, expected={"a": 1})

    assert (answer.outcome, answer.score) == ("fail", 0)
    assert reason in answer.explanation


@pytest.mark.parametrize("output", [FENCED, 'It is {"a": 1}', '{"a": 1} {}', '{"a": 1, "a": 1}', '{"a": Infinity}', ""])
def test_as_json_the_whole_text_must_be_one_strict_document(output):
    assert outcome("exact_match", WHOLE, output=output, expected={"a": 1}) == "fail"


def test_an_output_that_is_no_text_fails():
    assert outcome("exact_match", WHOLE, output={"a": 1}, expected={"a": 1}) == "fail"
    assert outcome("exact_match", BLOCK, output=None, expected=None) == "fail"


def test_the_output_path_picks_the_text_and_then_it_is_parsed():
    parameters = {**WHOLE, "output_path": "/message"}

    assert outcome("exact_match", parameters, output={"message": "[1]"}, expected=[1]) == "pass"
    assert outcome("exact_match", {**WHOLE, "output_path": "/0"}, output="[1]", expected=1) == "fail"


def test_nesting_is_bounded_as_in_cases():
    deep = "[" * 101 + "]" * 101

    assert "nested too deeply" in grade("exact_match", BLOCK, output=deep, expected=[]).explanation


def test_without_parse_a_text_stays_a_text():
    assert outcome("exact_match", {"compare": "json"}, output="[1]", expected=[1]) == "fail"


def test_parsing_what_is_compared_as_text_is_refused():
    assert refused("exact_match", {"parse": "json"}) == {"/parse"}
    assert refused("exact_match", {"parse": "json_block", "compare": "text"}) == {"/parse"}
    assert refused("exact_match", {"parse": "none"}) == set()


@pytest.mark.parametrize(
    ("name", "parameters", "good", "bad"),
    [
        ("json_schema", {"schema": {"type": "object"}}, "{}", "[]"),
        ("required_fields", {"required_fields": [{"path": "/a", "type": "number"}]}, '{"a": 1}', '{"a": "1"}'),
    ],
)
def test_the_other_readers_of_json_parse_as_well(name, parameters, good, bad):
    parsing = {**parameters, "parse": "json_block"}

    assert outcome(name, parsing, output=f"So: {good}") == "pass"
    assert outcome(name, parsing, output=f"So: {bad}") == "fail"
    assert outcome(name, parameters, output=good) == "fail"


def test_a_parsed_value_of_the_wrong_type_fails():
    parameters = {"required_fields": [{"path": "/a", "type": "any"}], "parse": "json"}

    assert grade("required_fields", parameters, output="[1]").explanation == (
        "The JSON in the output text is an array, not an object."
    )
