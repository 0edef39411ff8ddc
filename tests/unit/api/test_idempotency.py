import pytest

from evalbook.domain.errors import StoreUnavailable
from tests.fakes.http_api import Token

KEY = {"Idempotency-Key": "k1"}
VERSION = {"implementation": "exact_match"}


@pytest.fixture(autouse=True)
def scorer(api):
    api("POST", "/scorers", {"name": "s"})


def versions(api):
    return len(api("GET", "/scorers/s/versions").json["items"])


def test_the_same_request_with_the_same_key_is_done_once(api):
    first = api("POST", "/scorers/s/versions", VERSION, headers=KEY)
    again = api("POST", "/scorers/s/versions", VERSION, headers=KEY)

    assert (again.status, again.text, again.headers["Location"]) == (201, first.text, first.headers["Location"])
    assert again.headers["Idempotent-Replay"] == "true"
    assert versions(api) == 1


def test_another_request_with_the_same_key_is_refused(api):
    api("POST", "/scorers/s/versions", VERSION, headers=KEY)

    refused = api("POST", "/scorers/s/versions", {**VERSION, "time_limit_ms": 1}, headers=KEY)

    assert (refused.status, refused.code) == (422, "IDEMPOTENCY_KEY_REUSED")
    assert versions(api) == 1


@pytest.mark.parametrize("path", ["/scorers", "/rubrics"])
def test_a_key_counts_for_its_path(api, path):
    api("POST", "/scorers/s/versions", VERSION, headers=KEY)

    assert api("POST", path, {"name": "another"}, headers=KEY).status == 201


def test_a_key_counts_for_its_caller(api):
    api("POST", "/scorers/s/versions", VERSION, headers=KEY)

    api("POST", "/scorers/s/versions", VERSION, headers=KEY, token=Token(sub="bob"))

    assert versions(api) == 2


def test_a_refused_request_leaves_its_key_free(api):
    refused = api("POST", "/scorers/s/versions", {"implementation": "none"}, headers=KEY)

    assert refused.status == 422
    assert api("POST", "/scorers/s/versions", VERSION, headers=KEY).status == 201


def test_a_request_that_is_still_being_answered_is_not_begun_again(api, monkeypatch):
    inner = []
    add = api.house.scorers.store.add_version

    def add_and_ask_again(draft):
        inner.append(api("POST", "/scorers/s/versions", VERSION, headers=KEY))
        return add(draft)

    monkeypatch.setattr(api.house.scorers.store, "add_version", add_and_ask_again)

    assert api("POST", "/scorers/s/versions", VERSION, headers=KEY).status == 201
    assert [(each.status, each.code) for each in inner] == [(409, "IDEMPOTENCY_KEY_IN_USE")]
    assert inner[0].headers["Retry-After"] == "5"


def test_what_is_done_is_said_even_where_the_answer_cannot_be_kept(api, monkeypatch):
    def fail(*_):
        raise StoreUnavailable("down")

    monkeypatch.setattr("evalbook.adapters.dynamodb.answers.DynamoDbAnswers.finish", fail)

    assert api("POST", "/scorers/s/versions", VERSION, headers=KEY).status == 201


@pytest.mark.parametrize("key", ["", "x" * 256, "a\nb"])
def test_a_key_that_is_none_is_refused(api, key):
    assert api("POST", "/scorers/s/versions", VERSION, headers={"Idempotency-Key": key}).status == 400


def test_a_store_that_does_not_answer_is_worth_a_retry(api, monkeypatch):
    def fail(*_):
        raise StoreUnavailable("down")

    monkeypatch.setattr(api.house.scorers.store, "add_version", fail)

    failed = api("POST", "/scorers/s/versions", VERSION, headers=KEY)
    monkeypatch.undo()

    assert (failed.status, failed.code, failed.headers["Retry-After"]) == (503, "UNAVAILABLE", "5")
    assert api("POST", "/scorers/s/versions", VERSION, headers=KEY).status == 201
