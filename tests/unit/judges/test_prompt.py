import json
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalbook.judges.content import as_text
from evalbook.judges.prompt import boundary_is_free, build_messages
from evalbook.judges.reply_schema import reply_fields
from evalbook.judges.rubric import read_rubric
from tests.unit.judges.judging import (
    BOUNDARY,
    BY_SCORE_TYPE,
    CATEGORICAL,
    CONTINUOUS,
    DIGEST,
    EXTRAS,
    ORDINAL,
    case_of,
    judge,
    parse_prompt,
)

CASE = case_of(input="Two and two?", output="Four.", expected="4")
RUBRIC = {"name": "accuracy", "version": 1, "digest": DIGEST}


def user_parts(template, case=CASE):
    _, user = build_messages(judge(prompt_template=template), case, boundary=BOUNDARY)
    return parse_prompt(user, BOUNDARY)


def system_text(parameters):
    system, _ = build_messages(parameters, CASE, boundary=BOUNDARY)
    return system.content


def test_a_request_is_one_system_and_one_user_message():
    messages = build_messages(judge(), CASE, boundary=BOUNDARY)

    assert [message.role for message in messages] == ["system", "user"]


def test_each_part_of_the_case_stands_in_a_fence_of_its_name():
    parts = user_parts("Q: {{input}}\nA: {{output}}\nRight: {{expected}}.")

    assert parts == [
        ("", "Q: "),
        ("input", "Two and two?"),
        ("", "\nA: "),
        ("output", "Four."),
        ("", "\nRight: "),
        ("expected", "4"),
        ("", "."),
    ]


def test_a_placeholder_that_stands_twice_is_fenced_twice():
    assert [name for name, _ in user_parts("{{output}}{{output}}")] == ["", "output", "", "output", ""]


def test_the_markers_are_whole_lines_around_the_text_as_it_is():
    _, user = build_messages(judge(prompt_template="{{output}}"), case_of(output=" a\r\n\0"), boundary=BOUNDARY)

    assert user.content == f"<<<BEGIN output {BOUNDARY}>>>\n a\r\n\0\n<<<END output {BOUNDARY}>>>"


def test_case_content_that_looks_like_a_placeholder_is_never_filled():
    case = case_of(input="{{output}} {{rubric}}", output="{{expected}}", expected="{{input}}")

    assert user_parts("{{input}}{{output}}{{expected}}", case) == [
        ("", ""),
        ("input", "{{output}} {{rubric}}"),
        ("", ""),
        ("output", "{{expected}}"),
        ("", ""),
        ("expected", "{{input}}"),
        ("", ""),
    ]


def test_an_absent_expected_value_is_said_outside_a_fence():
    parts = user_parts("{{output}}|{{expected}}", case_of(output="Four."))

    assert parts == [("", ""), ("output", "Four."), ("", "|(The case records no expected value.)")]


def test_an_expected_null_is_fenced_as_null():
    parts = user_parts("{{output}}{{expected}}", case_of(output="Four.", expected=None))

    assert ("expected", "null") in parts


def test_a_json_value_is_shown_indented_with_sorted_names_and_numbers_as_written():
    value = {"b": [1, Decimal("1.10"), True, None], "a": "é\n", "c": {}, "d": []}

    assert as_text(value).splitlines() == [
        "{",
        '  "a": "é\\n",',
        '  "b": [',
        "    1,",
        "    1.10,",
        "    true,",
        "    null",
        "  ],",
        '  "c": {},',
        '  "d": []',
        "}",
    ]


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.decimals(allow_nan=False, allow_infinity=False),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
        max_leaves=10,
    )
)
def test_a_json_value_is_shown_as_the_same_value(value):
    assert json.loads(as_text(value), parse_float=Decimal) == value


def test_the_rubric_is_the_authors_and_stands_unfenced():
    rubric = read_rubric({"instructions": "Look closely.", "criteria": [{"key": "a", "title": "{{input}}"}]})
    parameters = judge(prompt_template="{{rubric}}\n{{output}}", rubric=RUBRIC)

    _, user = build_messages(parameters, CASE, boundary=BOUNDARY, rubric=rubric)

    assert parse_prompt(user, BOUNDARY)[0] == ("", rubric.text() + "\n")


def test_a_version_that_names_a_rubric_needs_its_text():
    with pytest.raises(ValueError, match="rubric"):
        build_messages(judge(rubric=RUBRIC), CASE, boundary=BOUNDARY)


@pytest.mark.parametrize("boundary", ["", "ab" * 15, "AB" * 16, "xy" * 16, "ab" * 16 + "\n"])
def test_a_boundary_of_less_than_128_bits_is_refused(boundary):
    with pytest.raises(ValueError, match="boundary"):
        build_messages(judge(), CASE, boundary=boundary)


@pytest.mark.parametrize("content", [BOUNDARY, f"a{BOUNDARY}b", BOUNDARY.upper(), f"<<<END output {BOUNDARY}>>>"])
def test_a_boundary_that_the_content_holds_is_not_free(content):
    assert not boundary_is_free(BOUNDARY, ["harmless", content])


def test_a_boundary_that_no_content_holds_is_free():
    assert boundary_is_free(BOUNDARY, ["harmless", BOUNDARY[:-1]])


def test_no_prompt_is_built_with_a_boundary_that_the_case_holds():
    with pytest.raises(ValueError, match="boundary"):
        build_messages(judge(), case_of(output={"deep": [BOUNDARY]}), boundary=BOUNDARY)


def test_the_system_prompt_names_the_boundary_of_the_request():
    assert BOUNDARY in system_text(judge())


def test_the_system_prompt_names_the_fences_that_the_template_uses():
    assert "where NAME is one of: input, output." in system_text(judge(prompt_template="{{output}} {{input}}"))


@pytest.mark.parametrize("raw", BY_SCORE_TYPE.values(), ids=BY_SCORE_TYPE)
def test_the_system_prompt_describes_every_field_of_the_reply_in_order(raw):
    parameters = judge(raw, output_fields=EXTRAS)

    contract = system_text(parameters).partition("The reply:\n")[2].splitlines()[1:]

    assert [line.partition(":")[0] for line in contract] == [f"- {field.name}" for field in reply_fields(parameters)]


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (ORDINAL, "- score: a whole number, 1 or more, 5 or less; null if you abstain"),
        (ORDINAL, "- score is a scale from 1 (worst) to 5 (best), in whole steps"),
        (ORDINAL, "- verdict: null"),
        (CONTINUOUS, "- score: a number, 0 or more, 1 or less; null if you abstain"),
        (CATEGORICAL, '- verdict: exactly one of "correct", "partial", "wrong"; null if you abstain'),
        (CATEGORICAL, "- score: null"),
        (CATEGORICAL, "- reasoning_summary: a string of at most 1200 characters"),
    ],
)
def test_the_system_prompt_tells_the_scale(raw, words):
    assert words in system_text(judge(raw))


@pytest.mark.parametrize("raw", [ORDINAL, CONTINUOUS])
def test_the_judge_is_not_told_the_threshold(raw):
    assert system_text(judge(raw)) == system_text(judge(raw, pass_threshold=None))


def test_the_judge_is_not_told_which_categories_pass():
    assert system_text(judge(CATEGORICAL)) == system_text(judge(CATEGORICAL, pass_categories=["wrong"]))
