import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from evalbook.judges.reply import parse_reply
from evalbook.judges.reply_json import ReplyUnusable
from evalbook.judges.reply_schema import response_format
from tests.unit.judges.judging import BY_SCORE_TYPE, CATEGORICAL, EXTRA_VALUES, EXTRAS, judge, members, raw

VALID = {
    "binary": members(),
    "categorical": members(verdict="partial", score=None),
    "ordinal": members(verdict=None, score=4),
    "continuous": members(verdict=None, score=0.5),
}


def schema_of(parameters):
    return response_format(parameters)["json_schema"]["schema"]


def test_the_response_format_is_a_strict_json_schema():
    given_format = response_format(judge())

    assert (given_format["type"], given_format["json_schema"]["strict"]) == ("json_schema", True)


def test_the_reasons_are_written_before_the_verdict():
    schema = schema_of(judge(output_fields=EXTRAS))

    assert list(schema["properties"]) == [
        "reasoning_summary",
        "cited_evidence",
        *EXTRA_VALUES,
        "score",
        "verdict",
        "abstain",
    ]


@pytest.mark.parametrize("score_type", VALID)
def test_every_property_is_required_and_no_other_allowed(score_type):
    schema = schema_of(judge(BY_SCORE_TYPE[score_type], output_fields=EXTRAS))

    assert (schema["required"], schema["additionalProperties"]) == (list(schema["properties"]), False)


@pytest.mark.parametrize("score_type", VALID)
def test_the_schema_holds_no_bounds_that_providers_refuse(score_type):
    text = json.dumps(schema_of(judge(BY_SCORE_TYPE[score_type], output_fields=EXTRAS)))

    assert not any(word in text for word in ("minimum", "maximum", "maxLength", "maxItems"))


def test_a_categorical_judge_is_offered_its_categories_and_no_score():
    properties = schema_of(judge(CATEGORICAL))["properties"]

    assert (properties["verdict"], properties["score"]) == (
        {"type": ["string", "null"], "enum": ["correct", "partial", "wrong", None]},
        {"type": "null"},
    )


@pytest.mark.parametrize("score_type", VALID)
def test_a_usable_reply_is_valid_against_the_schema(score_type):
    parameters = judge(BY_SCORE_TYPE[score_type], output_fields=EXTRAS)
    content = VALID[score_type] | EXTRA_VALUES

    parse_reply(raw(content), parameters)

    assert Draft202012Validator(schema_of(parameters)).is_valid(content)


@given(
    score_type=st.sampled_from([*VALID]),
    change=st.dictionaries(
        st.sampled_from([*members(), *EXTRA_VALUES, "other"]),
        st.sampled_from([None, True, False, 0, 1, 3, 0.5, "", "pass", "low", "correct", [], {}]),
        max_size=2,
    ),
)
def test_what_the_schema_refuses_the_parser_refuses(score_type, change):
    parameters = judge(BY_SCORE_TYPE[score_type], output_fields=EXTRAS)
    content = VALID[score_type] | EXTRA_VALUES | change

    try:
        parse_reply(raw(content), parameters)
    except ReplyUnusable:
        return

    assert Draft202012Validator(schema_of(parameters)).is_valid(content)
