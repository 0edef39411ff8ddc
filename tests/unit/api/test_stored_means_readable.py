"""Whatever the API takes it can give again; and one row that cannot be read spoils no list."""

import pytest

from evalbook.adapters.dynamodb import items
from tests.fakes.http_api import HttpApi
from tests.fakes.registry import PROJECT, registry_house

LITERALS = ["77.5e400", "-42.5E+400", "0.003e-399", "1" * 395 + "e8"]


@pytest.fixture
def scorer(api):
    api("POST", "/scorers", {"name": "s"})
    return api


@pytest.mark.parametrize("literal", LITERALS)
def test_parameters_that_could_not_be_read_again_are_refused(scorer, literal):
    sent = f'{{"implementation": "exact_match", "parameters": {{"expected": {{"total": {literal}}}}}}}'

    refused = scorer("POST", "/scorers/s/versions", raw=sent)

    assert (refused.status, refused.code) == (422, "PARAMETERS_REFUSED")
    assert refused.json["problems"] == [
        {
            "pointer": "/parameters/expected/total",
            "message": "cannot be stored: a number is out of bounds once it is spelt",
        }
    ]
    assert scorer("GET", "/scorers/s/versions").json["items"] == []


@pytest.mark.parametrize("literal", ["1e400", "-1E-400", "9" * 400, "0." + "0" * 397 + "1"])
def test_parameters_at_the_bounds_are_given_as_they_were_sent(scorer, literal):
    sent = f'{{"implementation": "json_schema", "parameters": {{"schema": {{"const": {literal}}}}}}}'

    made = scorer("POST", "/scorers/s/versions", raw=sent)

    assert made.status == 201
    assert scorer("GET", "/scorers/s/versions").json["items"] == [made.json]


@pytest.mark.parametrize("literal", LITERALS)
def test_fixtures_that_could_not_be_read_again_are_refused(scorer, literal):
    scorer("POST", "/scorers/s/versions", {"implementation": "exact_match"})
    case = f'{{"case_id": "a", "output": {literal}, "expected": 1}}'

    refused = scorer(
        "PUT", "/scorers/s/versions/1/fixtures", raw=f'{{"fixtures": [{{"case": {case}, "outcome": "fail"}}]}}'
    )

    assert [each["pointer"] for each in refused.json["problems"]] == ["/fixtures/0/case/output"]
    assert scorer("GET", "/scorers/s/versions/1/fixtures").json["fixtures"] == []


@pytest.mark.parametrize("literal", LITERALS)
def test_a_rubric_that_could_not_be_read_again_is_refused(api, literal):
    api("POST", "/rubrics", {"name": "r"})
    level = f'{{"score": {literal}, "label": "much"}}'
    criterion = f'{{"key": "k", "title": "K", "levels": [{level}, {{"score": 0, "label": "none"}}]}}'

    refused = api("POST", "/rubrics/r/versions", raw=f'{{"instructions": "Look.", "criteria": [{criterion}]}}')

    assert (refused.status, refused.code) == (422, "PARAMETERS_REFUSED")
    assert api("GET", "/rubrics/r/versions").json["items"] == []


@pytest.fixture
def spoilt(client):
    """An API whose scorer has a version between two others that holds what nobody here would have written."""
    api = HttpApi(registry_house(client))
    api("POST", "/scorers", {"name": "s"})
    api("POST", "/rubrics", {"name": "r"})
    for _ in range(3):
        api("POST", "/scorers/s/versions", {"implementation": "exact_match"})
        api("POST", "/rubrics/r/versions", {"instructions": "Look.", "criteria": [{"key": "k", "title": "K"}]})
    return api


def overwrite(api, key, attribute, text):
    """Give one item of the table another text."""
    api.house.client.update_item(
        TableName=api.house.name,
        Key=key,
        UpdateExpression="SET #attribute = :text",
        ExpressionAttributeNames={"#attribute": attribute},
        ExpressionAttributeValues={":text": {"S": text}},
    )


@pytest.mark.parametrize("text", ["{", "", '{"a": 1, "a": 2}', "NaN"])
def test_a_version_that_cannot_be_read_is_listed_as_one(spoilt, text):
    overwrite(spoilt, items.version_key(PROJECT.scorer("s"), 2), "parameters", text)

    listed = spoilt("GET", "/scorers/s/versions")

    assert listed.status == 200
    assert [each["parameters"] for each in listed.json["items"]] == [{}, None, {}]
    assert listed.json["items"][1]["warnings"] == [
        {"pointer": "/parameters", "message": "are stored and cannot be read; create the version anew"}
    ]


def test_a_version_that_was_stored_under_other_bounds_is_listed_with_its_number(spoilt):
    overwrite(spoilt, items.version_key(PROJECT.scorer("s"), 2), "parameters", '{"expected":7.75E+401}')

    assert '"parameters":{"expected":7.75E+401}' in spoilt("GET", "/scorers/s/versions").text


def test_a_rubric_version_that_cannot_be_read_is_listed_as_one(spoilt):
    key = {"pk": {"S": items.project_pk(PROJECT)}, "sk": {"S": items.numbered(items.rubric_versions_prefix("r"), 2)}}
    overwrite(spoilt, key, "content", "[")

    listed = spoilt("GET", "/rubrics/r/versions")

    assert listed.status == 200
    assert [each["instructions"] for each in listed.json["items"]] == ["Look.", None, "Look."]
