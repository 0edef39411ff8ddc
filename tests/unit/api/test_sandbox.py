import pytest

from evalbook.domain.records import Project
from evalbook.services.sandbox.deferred_cases import SandboxWork
from evalbook.services.sandbox.ports import CaseGroup, RunKey
from tests.fakes.http_api import HttpApi, Token
from tests.fakes.registry import registry_house

DRAFT = {"implementation": "exact_match"}
WITHOUT_BODIES = Token(scope="sandbox.run scorer.read scorer.write")


def case(case_id="a", output="x"):
    return {"case_id": case_id, "output": output, "expected": "x"}


def run(api, *cases, **more):
    return api("POST", "/sandbox/runs", {"draft": DRAFT, "cases": list(cases)}, **more)


def work(api):
    """Let an invocation score every group that was left over."""
    left, api.queue.groups = api.queue.groups, []
    invocation = SandboxWork(api.sandbox.store, api.queue, api.house.worker, launcher=None)
    return invocation.handle([(f"m{number}", group) for number, group in enumerate(left)], lambda: 90.0)


@pytest.fixture
def version(api):
    api("POST", "/scorers", {"name": "s"})
    return api("POST", "/scorers/s/versions", DRAFT).json


def test_a_draft_is_run_at_once(api):
    answer = run(api, case("a"), case("b", "y"))

    assert (answer.status, answer.json["status"]) == (200, "finished")
    assert [each["outcome"] for each in answer.json["results"]] == ["pass", "fail"]
    assert answer.json["results"][0]["scorer"]["version"] is None


def test_a_run_is_kept(api):
    answer = run(api, case())

    assert api("GET", answer.headers["Location"]).json == answer.json


def test_a_stored_version_is_named_in_the_results(api, version):
    answer = api("POST", "/sandbox/runs", {"scorer": {"name": "s", "version": 1}, "cases": [case()]})

    [result] = answer.json["results"]
    assert result["scorer"] == {
        "name": "s", "version": 1, "digest": version["digest"], "implementation": "exact_match"
    }  # fmt: skip


def test_the_active_version_can_be_meant(api, version):
    body = {"scorer": {"name": "s", "version": "active"}, "cases": [case()]}
    before = api("POST", "/sandbox/runs", body)
    api("PUT", "/scorers/s/versions/1/fixtures", {"fixtures": [{"case": case(), "outcome": "pass"}]})
    api("POST", "/scorers/s/versions/1/activation")

    assert (before.status, before.code) == (409, "NONE_ACTIVE")
    assert api("POST", "/sandbox/runs", body).json["results"][0]["scorer"]["version"] == 1


def test_a_draft_with_problems_is_refused_like_a_version(api, version):
    draft = {"implementation": "exact_match", "parameters": {"x": 1}}

    in_sandbox = api("POST", "/sandbox/runs", {"draft": draft, "cases": [case()]})

    assert in_sandbox.json["problems"] == api("POST", "/scorers/s/versions", draft).json["problems"]


def test_a_budget_is_for_judges_only(api):
    refused = api("POST", "/sandbox/runs", {"draft": DRAFT, "cases": [case()], "budget_limit": 5})

    assert (refused.status, refused.json["problems"][0]["pointer"]) == (422, "/budget_limit")
    assert run(api, case()).json["budget_id"] is None


@pytest.mark.parametrize("count", [0, 21])
def test_a_run_has_one_to_twenty_cases(api, count):
    assert run(api, *(case(str(number)) for number in range(count))).code == "REQUEST_INVALID"


def test_exactly_one_of_scorer_and_draft_is_named(api):
    neither = api("POST", "/sandbox/runs", {"cases": [case()]})
    both = api("POST", "/sandbox/runs", {"draft": DRAFT, "scorer": {"name": "s", "version": 1}, "cases": [case()]})

    assert [each.json["problems"][0]["message"] for each in (neither, both)] == [
        "exactly one of scorer and draft is required"
    ] * 2


def test_a_case_that_cannot_be_read_is_a_result(api):
    [result] = run(api, {"output": "x"}).json["results"]

    assert (result["outcome"], result["code"]) == ("error", "CASE_INVALID")


def test_a_case_that_is_too_large_is_refused(api):
    refused = run(api, case("a"), case("b", "y" * 300_001))

    assert [each["pointer"] for each in refused.json["problems"]] == ["/cases/1"]


def test_bodies_are_for_those_who_may_see_them(api):
    seen = run(api, case(output="y"))
    unseen = run(api, case(output="y"), token=WITHOUT_BODIES)

    assert "body" in seen.json["results"][0]
    assert "body" not in unseen.json["results"][0]
    assert "body" not in api("GET", seen.headers["Location"], token=WITHOUT_BODIES).json["results"][0]


def test_an_answer_with_bodies_is_not_given_again_to_who_may_not_see_them(api):
    key = {"Idempotency-Key": "k"}
    seen = run(api, case(output="y"), headers=key)
    again = run(api, case(output="y"), headers=key)
    unseen = run(api, case(output="y"), headers=key, token=WITHOUT_BODIES)

    assert again.text == seen.text
    assert "body" not in unseen.json["results"][0]


def test_what_there_is_no_time_for_is_left_to_invocations_to_come(api):
    api.house.worker.room = 1

    answer = run(api, *(case(str(number)) for number in range(3)))

    assert (answer.status, answer.json["status"], len(answer.json["results"])) == (202, "running", 1)
    assert api.queue.groups == [CaseGroup(RunKey(Project("acme", "support"), answer.json["run_id"]), 1, 3)]


def test_a_run_that_was_left_over_finishes(api):
    api.house.worker.room = 0
    cases = [case(str(number), "x" if number % 2 else "y") for number in range(20)]
    left = run(api, *cases)
    api.house.worker.room = 10**9

    failed = work(api)

    finished = api("GET", left.headers["Location"]).json
    assert failed == {}
    assert (finished["status"], [each["case_id"] for each in finished["results"]]) == (
        "finished",
        [each["case_id"] for each in cases],
    )
    assert [each["outcome"] for each in finished["results"]] == ["fail", "pass"] * 10


def test_a_case_that_takes_a_minute_has_an_invocation_of_its_own(api):
    api.house.worker.room = 0
    draft = {**DRAFT, "time_limit_ms": 60_000}
    cases = [case(str(number)) for number in range(20)]

    api("POST", "/sandbox/runs", {"draft": draft, "cases": cases})

    assert [(group.begin, group.end) for group in api.queue.groups] == [(each, each + 1) for each in range(20)]


@pytest.mark.parametrize("room", [0, 1, 10**9])
def test_a_repeated_id_is_an_error_wherever_the_first_one_was_scored(api, room):
    api.house.worker.room = room
    draft = {**DRAFT, "time_limit_ms": 60_000}
    left = api("POST", "/sandbox/runs", {"draft": draft, "cases": [case("a"), case("b"), case("a", "y"), case("b")]})
    api.house.worker.room = 10**9
    work(api)

    results = api("GET", left.headers["Location"]).json["results"]

    assert [each["code"] for each in results] == [None, None, "CASE_ID_REPEATED", "CASE_ID_REPEATED"]
    assert len({each["result_id"] for each in results}) == 4


def test_an_invocation_puts_back_what_it_has_no_time_for(api):
    api.house.worker.room = 0
    run(api, *(case(str(number)) for number in range(4)))
    api.house.worker.room = 3

    work(api)

    assert [(group.begin, group.end) for group in api.queue.groups] == [(3, 4)]


def test_results_of_a_left_over_run_are_those_of_a_run_at_once(api):
    api.house.worker.room = 0
    left = run(api, case("a"), case("b", "y"))
    api.house.worker.room = 10**9
    work(api)

    def essence(results):
        return [(each["case_id"], each["outcome"], each["explanation"], each["body"]) for each in results]

    assert essence(api("GET", left.headers["Location"]).json["results"]) == essence(
        run(api, case("a"), case("b", "y")).json["results"]
    )


def test_a_group_scored_twice_changes_nothing(api):
    api.house.worker.room = 0
    left = run(api, case())
    api.house.worker.room = 10**9
    groups = list(api.queue.groups)
    work(api)
    once = api("GET", left.headers["Location"]).json
    api.queue.groups = groups

    work(api)

    assert api("GET", left.headers["Location"]).json == once


def test_after_its_deadline_a_run_gives_up_what_is_missing(api):
    api.house.worker.room = 1
    left = run(api, case("a"), case("b"))
    api.house.worker.room = 10**9
    api.now = "2026-11-30T12:30:01Z"

    given_up = api("GET", left.headers["Location"]).json

    assert given_up["status"] == "finished"
    assert [(each["case_id"], each["code"]) for each in given_up["results"]] == [("a", None), ("b", "SCORING_FAILED")]


def test_a_run_expires(api):
    kept = run(api, case())
    api.now = "2026-12-07T12:00:01Z"

    assert api("GET", kept.headers["Location"]).code == "RUN_NOT_FOUND"


def test_everything_of_a_run_has_a_time_to_live(api):
    api.house.worker.room = 1
    run(api, case("a"), case("b"))

    found = api.house.client.scan(TableName=api.house.name)["Items"]
    of_runs = [item for item in found if item["pk"]["S"].startswith("SANDBOX#")]

    assert len(of_runs) == 3
    assert {item["expires_at"]["N"] for item in of_runs} == {"1796644800"}


def test_a_caller_has_so_many_runs_a_minute(client):
    api = HttpApi(registry_house(client), runs_a_minute=2)
    answers = [run(api, case()) for _ in range(3)]
    other = run(api, case(), token=Token(sub="bob"))
    api.now = "2026-11-30T12:01:00Z"
    later = run(api, case())

    assert [each.status for each in (*answers, other, later)] == [200, 200, 429, 200, 200]
    assert (answers[2].code, answers[2].headers["Retry-After"]) == ("RATE_LIMITED", "5")
