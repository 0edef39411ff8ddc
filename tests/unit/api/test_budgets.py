"""Opening budgets and reading them."""

import pytest

from evalbook.budgets.model import BudgetKey, charged, held
from evalbook.budgets.store import CloseBudget, MoveBudget
from tests.fakes.http_api import Token

KEY = BudgetKey("acme", "support", "june")
BUDGET = {"budget_id": "june", "limit": 5_000_000, "purpose": "evaluation", "expires_at": "2026-12-01T00:00:00Z"}
STRANGERS = [Token(org="bolt"), Token(projects="sales")]


def test_a_budget_is_opened_with_its_terms_and_all_of_it_is_available(api):
    answer = api("POST", "/budgets", BUDGET)

    assert (answer.status, answer.headers["Location"]) == (201, "/budgets/june")
    assert answer.json == {
        **BUDGET, "state": "open", "available": 5_000_000, "reserved": 0, "spent": 0, "overrun": 0
    }  # fmt: skip


def test_an_id_is_drawn_where_none_is_given(api):
    terms = {name: value for name, value in BUDGET.items() if name != "budget_id"}

    first, second = (api("POST", "/budgets", terms).json["budget_id"] for _ in range(2))

    assert first != second
    assert api("GET", f"/budgets/{first}").json["limit"] == 5_000_000


def test_the_same_budget_is_opened_once_and_shown_as_it_is_now(api):
    api("POST", "/budgets", BUDGET)
    api.money.commit([MoveBudget(KEY, held(1_000))])

    again = api("POST", "/budgets", BUDGET)

    assert (again.status, again.json["reserved"]) == (201, 1_000)


@pytest.mark.parametrize(
    "other",
    [{"limit": 1}, {"purpose": "calibration"}, {"expires_at": "2026-12-02T00:00:00Z"}],
    ids=str,
)
def test_an_id_that_is_taken_by_other_terms_is_declined(api, other):
    api("POST", "/budgets", BUDGET)

    refused = api("POST", "/budgets", {**BUDGET, **other})

    assert (refused.status, refused.code) == (409, "BUDGET_TAKEN")


def test_a_budget_shows_what_has_become_of_it(api):
    api("POST", "/budgets", BUDGET)
    api.money.commit([MoveBudget(KEY, held(1_000))])
    api.money.commit([MoveBudget(KEY, held(400) + charged(400, 500))])

    shown = api("GET", "/budgets/june").json

    assert {name: shown[name] for name in ("available", "reserved", "spent", "overrun")} == {
        "available": 4_998_500, "reserved": 1_000, "spent": 500, "overrun": 100
    }  # fmt: skip


def test_a_budget_says_that_it_is_closed_or_has_expired(api):
    api("POST", "/budgets", BUDGET)
    api("POST", "/budgets", {**BUDGET, "budget_id": "closed"})
    api.money.commit([CloseBudget(BudgetKey("acme", "support", "closed"))])
    api.now = "2026-12-01T00:00:00Z"

    assert [api("GET", f"/budgets/{name}").json["state"] for name in ("june", "closed")] == ["expired", "closed"]


@pytest.mark.parametrize("stranger", STRANGERS, ids=["organization", "project"])
def test_a_budget_of_the_same_id_is_another_ones_in_another_project(api, stranger):
    api("POST", "/budgets", BUDGET)
    unseen = api("GET", "/budgets/june", token=stranger)

    made = api("POST", "/budgets", {**BUDGET, "limit": 7}, token=stranger)

    assert (unseen.status, unseen.code, made.status) == (404, "BUDGET_NOT_FOUND", 201)
    assert api("GET", "/budgets/june").json["limit"] == 5_000_000


@pytest.mark.parametrize("limit", [0, -1, 10**12 + 1, 1.5, 0.0, "1", True, None])
def test_a_limit_is_a_positive_whole_number_of_micro_dollars_up_to_a_million_dollars(api, limit):
    refused = api("POST", "/budgets", {**BUDGET, "limit": limit})

    assert (refused.status, [each["pointer"] for each in refused.json["problems"]]) == (422, ["/limit"])


def test_the_largest_limit_is_a_million_dollars(api):
    assert api("POST", "/budgets", {**BUDGET, "limit": 10**12}).status == 201


@pytest.mark.parametrize(
    "expiry",
    [
        "2026-11-30T12:00:00Z",
        "2026-11-30T13:00:00+01:00",
        "2027-12-02T12:00:00Z",
        "2026-12-01",
        "2026-12-01T00:00:00",
        "2026-02-30T00:00:00Z",
        1_800_000_000,
        None,
    ],
)
def test_an_expiry_is_a_moment_within_the_year_to_come(api, expiry):
    refused = api("POST", "/budgets", {**BUDGET, "expires_at": expiry})

    assert (refused.status, [each["pointer"] for each in refused.json["problems"]]) == (422, ["/expires_at"])


def test_an_expiry_is_shown_in_universal_time_to_the_millisecond(api):
    answer = api("POST", "/budgets", {**BUDGET, "expires_at": "2026-12-01T01:00:00.2509+01:00"})

    assert answer.json["expires_at"] == "2026-12-01T00:00:00.250Z"


@pytest.mark.parametrize("changed", [{"purpose": "fun"}, {"budget_id": "a#b"}, {"budget_id": ""}, {"note": "x"}])
def test_anything_else_is_no_budget(api, changed):
    assert api("POST", "/budgets", {**BUDGET, **changed}).code == "REQUEST_INVALID"


def test_a_budget_is_opened_once_with_an_idempotency_key(api):
    terms = {name: value for name, value in BUDGET.items() if name != "budget_id"}

    answers = [api("POST", "/budgets", terms, headers={"Idempotency-Key": "k"}) for _ in range(2)]

    assert answers[0].json == answers[1].json
    assert answers[1].headers["Idempotent-Replay"] == "true"


def test_who_only_reads_opens_no_budget(api):
    assert api("POST", "/budgets", BUDGET, token=Token(scope="sandbox.run")).code == "SCOPE_MISSING"
