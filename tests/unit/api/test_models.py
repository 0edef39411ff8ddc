"""The models that an organization's judges can name."""

import json

import pytest

from evalbook.judges.catalog import read_catalog
from evalbook.services.judging.gateway import CatalogUnavailable
from tests.fakes.catalogs import FixedCatalog
from tests.fakes.http_api import HttpApi, Token
from tests.fakes.registry import registry_house

PRICED = {
    "id": "b::priced/large",
    "prices": {"input": 800_000, "output": 4_000_000, "reasoning": 5_000_000},
    "limits": {"context_tokens": 200_000},
    "temperature": {"minimum": 0, "maximum": 1.5},
    "response_format": "json_schema",
}
UNPRICED = {"id": "a::unpriced", "response_format": "json_schema", "temperature": {}}
MODELS = [PRICED, UNPRICED]


class AskRequest:
    """Catalogs that remember whose was asked for; without a document there is none to be had."""

    def __init__(self, document=None):
        self.document, self.organizations = document, []

    def catalog(self, organization_id):
        self.organizations.append(organization_id)
        if self.document is None:
            raise CatalogUnavailable("the gateway answered with status 500 and no whole catalog")
        return read_catalog(json.dumps(self.document).encode())


def document(*models, exact_choice=True):
    return {"capabilities": {"provider_model_selection": exact_choice}, "models": list(models)}


@pytest.fixture
def served(client):
    """Makes an API whose gateway serves these catalogs."""
    return lambda catalogs: HttpApi(registry_house(client), catalogs=catalogs)


def test_models_are_listed_by_id_with_all_that_a_judge_has_to_know_of_them(served):
    answer = served(AskRequest(document(*MODELS)))("GET", "/models")

    assert answer.status == 200
    assert answer.json == {
        "exact_choice": True,
        "items": [
            {
                "id": "a::unpriced",
                "for_judges": False,
                "prices": None,
                "limits": {"context_tokens": None, "reply_tokens": None},
                "temperature": {"minimum": 0, "maximum": 2},
                "response_format": "json_schema",
            },
            {
                "id": "b::priced/large",
                "for_judges": True,
                "prices": {
                    "input": 800_000, "output": 4_000_000, "cached_input": 0, "cache_write": 0, "reasoning": 5_000_000
                },
                "limits": {"context_tokens": 200_000, "reply_tokens": None},
                "temperature": {"minimum": 0, "maximum": 1.5},
                "response_format": "json_schema",
            },
        ],
        "next_cursor": None,
    }  # fmt: skip


@pytest.mark.parametrize("lacking", ["prices", "temperature", "response_format"])
def test_a_model_that_lacks_what_judges_need_is_not_for_judges(served, lacking):
    model = {name: value for name, value in PRICED.items() if name != lacking}

    [shown] = served(AskRequest(document(model)))("GET", "/models").json["items"]

    assert shown["for_judges"] is False


def test_where_models_cannot_be_chosen_exactly_none_is_for_judges(served):
    answer = served(AskRequest(document(PRICED, exact_choice=False)))("GET", "/models").json

    assert (answer["exact_choice"], answer["items"][0]["for_judges"]) == (False, False)


def test_the_catalog_is_that_of_the_callers_organization_whatever_the_project(served):
    catalogs = AskRequest(document())

    served(catalogs)("GET", "/models", token=Token(org="bolt", projects=""))

    assert catalogs.organizations == ["bolt"]


def test_many_models_come_in_pages(served):
    models = [{**PRICED, "id": f"a::m{number}"} for number in range(5)]
    api = served(AskRequest(document(*models)))

    seen, cursor = [], None
    while True:
        answer = api("GET", "/models", query={"limit": "2", **({"cursor": cursor} if cursor else {})}).json
        seen.append([each["id"] for each in answer["items"]])
        cursor = answer["next_cursor"]
        if cursor is None:
            break

    assert seen == [["a::m0", "a::m1"], ["a::m2", "a::m3"], ["a::m4"]]


def test_a_gateway_without_an_answer_is_a_problem_that_says_so(served):
    answer = served(AskRequest())("GET", "/models")

    assert (answer.status, answer.code, answer.headers["Retry-After"]) == (503, "CATALOG_UNAVAILABLE", "5")


def test_a_deployment_without_a_gateway_says_so(served):
    answer = served(None)("GET", "/models")

    assert (answer.status, answer.code) == (409, "NO_GATEWAY")


def test_a_cursor_behind_the_last_model_gives_an_empty_page(served):
    api = served(FixedCatalog(read_catalog(json.dumps(document(PRICED)).encode())))

    cursor = api("GET", "/models", query={"limit": "1"}).json["next_cursor"]

    assert api("GET", "/models", query={"cursor": cursor}).json["items"] == []
