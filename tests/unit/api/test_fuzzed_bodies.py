"""Bodies that are nearly right: no failure of the service, and nothing taken that the document forbids."""

import json

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evalbook.api.declarations import api_document, every_route
from tests.fakes.http_api import HttpApi
from tests.fakes.mutations import mutated_text
from tests.fakes.registry import dynamodb, registry_house

DOCUMENT = json.loads(api_document())
ROUTES = [route for route in every_route() if route.takes_body]
FIXTURE = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]


@pytest.fixture(scope="module")
def api():
    with dynamodb() as client:
        api = HttpApi(registry_house(client), runs_a_minute=10**9)
        api("POST", "/scorers", {"name": "tone"})
        api("POST", "/scorers", {"name": "s"})
        api("POST", "/scorers/s/versions", {"implementation": "exact_match"})
        api("POST", "/rubrics", {"name": "r"})
        yield api


def path_of(route):
    return route.path.format(scorer="s", version=1, rubric="r", action="a")


def accepted_by_the_document(route, text):
    """Whether the published schema of the route's body accepts a text."""
    try:
        value = json.loads(text.removeprefix("\ufeff"))
    except ValueError:
        return False
    operation = DOCUMENT["paths"][route.path][route.method.lower()]
    schema = operation["requestBody"]["content"]["application/json"]["schema"]
    return jsonschema.Draft202012Validator({**schema, "components": DOCUMENT["components"]}).is_valid(value)


@settings(suppress_health_check=FIXTURE)
@given(data=st.data())
def test_a_body_that_is_nearly_right_is_answered_and_taken_only_where_the_document_allows_it(api, data):
    route = data.draw(st.sampled_from(ROUTES))
    text = data.draw(mutated_text(dict(route.example)))

    answer = api(route.method, path_of(route), raw=text.encode("utf-8", "surrogatepass"))

    assert answer.status < 500
    assert answer.status >= 400 or accepted_by_the_document(route, text)
