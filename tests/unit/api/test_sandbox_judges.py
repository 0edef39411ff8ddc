"""Sandbox runs with a judge: always later, paid from a budget of their own, collected from what judge runs record."""

import pytest

from evalbook.domain.case import ContentRef
from evalbook.services.judging.gateway import ConfirmedModels
from evalbook.services.judging.launch import JudgeRunLauncher
from evalbook.services.sandbox.deferred_cases import SandboxWork
from evalbook.traces.port import Purpose, TraceKey
from tests.fakes.http_api import CATALOGS, SANDBOX_CAP, HttpApi, Token
from tests.fakes.instant_judge_runs import InstantJudgeRuns
from tests.fakes.judge_runs import MODEL, PASSED, replied
from tests.fakes.registry import house_over, registry_house
from tests.fakes.traces import FORBIDDEN, MemoryTraces

PARAMETERS = {"model": MODEL, "prompt_template": "Is {{output}} good?", "score_type": "binary"}
DRAFT = {"implementation": "judge", "parameters": PARAMETERS}
WITHOUT_BODIES = Token(scope="sandbox.run scorer.read")
SECRET = "the-candidate-wrote-this"


@pytest.fixture
def api(client):
    return HttpApi(registry_house(client, ConfirmedModels(CATALOGS)))


@pytest.fixture
def judge_runs(api):
    return InstantJudgeRuns(api)


def case(case_id="a", output=SECRET):
    return {"case_id": case_id, "output": output}


def run(api, *cases, **more):
    return api("POST", "/sandbox/runs", {"draft": DRAFT, "cases": list(cases) or [case()], **more})


def work(api, judge_runs, seconds=lambda: 90.0):
    """Let an invocation take every group that was left over."""
    left, api.queue.groups = api.queue.groups, []
    launcher = JudgeRunLauncher(judge_runs.bodies, judge_runs)
    invocation = SandboxWork(api.sandbox.store, api.queue, api.house.worker, launcher)
    return invocation.handle([(f"m{number}", group) for number, group in enumerate(left)], seconds)


def finished(api, judge_runs, started, **more):
    """The run once all its judge runs are over."""
    work(api, judge_runs)
    return api("GET", started.headers["Location"], **more).json


def test_a_draft_is_judged_later(api, judge_runs):
    started = run(api, case("a"), case("b"))

    done = finished(api, judge_runs, started)

    assert (started.status, started.json["status"], started.json["results"]) == (202, "running", [])
    assert (done["status"], [each["case_id"] for each in done["results"]]) == ("finished", ["a", "b"])
    assert [(each["outcome"], each["assurance"]) for each in done["results"]] == [("pass", "reported")] * 2
    assert done["results"][0]["scorer"]["version"] is None


def test_a_stored_version_is_judged_in_any_state_and_named(api, judge_runs):
    api("POST", "/scorers", {"name": "s"})
    digest = api("POST", "/scorers/s/versions", DRAFT).json["digest"]

    started = api("POST", "/sandbox/runs", {"scorer": {"name": "s", "version": 1}, "cases": [case()]})

    [result] = finished(api, judge_runs, started)["results"]
    assert result["scorer"] == {"name": "s", "version": 1, "digest": digest, "implementation": "judge"}
    assert result["outcome"] == "pass"


def test_a_run_shows_what_there_is_so_far(api, judge_runs):
    started = run(api, case("a"), case("b"))
    judge_runs.held = True
    work(api, judge_runs)
    first, second = judge_runs.started

    api.records.keep(second, "RESULT", b'{"case_id": "b", "outcome": "fail"}')

    shown = api("GET", started.headers["Location"]).json
    assert first != second
    assert (shown["status"], [each["case_id"] for each in shown["results"]]) == ("running", ["b"])


def test_a_result_is_kept_with_its_run_once_it_was_seen(api, judge_runs):
    started = run(api)
    seen = finished(api, judge_runs, started)

    api.records.records.clear()

    assert api("GET", started.headers["Location"]).json == seen


def test_the_rationale_is_for_those_who_may_see_bodies(api, judge_runs):
    started = run(api)

    seen = finished(api, judge_runs, started)
    unseen = api("GET", started.headers["Location"], token=WITHOUT_BODIES)

    assert seen["results"][0]["body"]["rationale"] == PASSED["reasoning_summary"]
    assert "body" not in unseen.json["results"][0]
    assert PASSED["reasoning_summary"] not in unseen.text
    assert unseen.json["results"][0]["explanation"] == seen["results"][0]["explanation"]


def test_a_run_has_a_budget_of_its_own_that_shows_what_it_cost(api, judge_runs):
    started = run(api)
    opened = api("GET", f"/budgets/{started.json['budget_id']}").json

    finished(api, judge_runs, started)

    spent = api("GET", f"/budgets/{started.json['budget_id']}").json
    assert (opened["purpose"], opened["limit"], opened["spent"]) == ("sandbox", SANDBOX_CAP, 0)
    assert (spent["spent"], spent["reserved"]) == (700, 0)


def test_every_run_has_another_budget(api):
    assert run(api).json["budget_id"] != run(api).json["budget_id"]


def test_a_run_is_not_paid_from_a_budget_that_somebody_opened_under_its_id(api):
    terms = {"limit": 10**9, "purpose": "sandbox", "expires_at": "2026-12-01T00:00:00Z"}
    api("POST", "/budgets", {"budget_id": "sandbox-run-1", **terms})

    refused = run(api)

    assert (refused.status, refused.code, api.queue.groups) == (409, "BUDGET_TAKEN", [])


def test_a_caller_may_allow_less_than_the_cap(api):
    budget = run(api, budget_limit=1_000).json["budget_id"]

    assert api("GET", f"/budgets/{budget}").json["limit"] == 1_000


@pytest.mark.parametrize("limit", [SANDBOX_CAP + 1, 0, -5, 1.5, "1", True])
def test_no_caller_may_spend_more_than_the_cap_or_nothing(api, limit):
    refused = run(api, budget_limit=limit)

    assert (refused.status, [each["pointer"] for each in refused.json["problems"]]) == (422, ["/budget_limit"])
    assert api.money.records == {}


def test_the_cap_itself_may_be_asked_for(api):
    assert run(api, budget_limit=SANDBOX_CAP).status == 202


def test_what_the_budget_cannot_pay_for_is_an_error_and_not_asked(api, judge_runs):
    started = run(api, case("a"), case("b"), budget_limit=1)

    done = finished(api, judge_runs, started)

    assert [(each["outcome"], each["code"]) for each in done["results"]] == [("error", "BUDGET_EXHAUSTED")] * 2
    assert judge_runs.gateway.requests == []


def test_with_money_for_one_case_the_rest_are_errors(api, judge_runs):
    estimate = estimate_of(api, judge_runs)
    started = run(api, *(case(name) for name in "abc"), budget_limit=estimate + 100)

    done = finished(api, judge_runs, started)

    codes = [each["code"] or each["outcome"] for each in done["results"]]
    assert codes == ["pass", "BUDGET_EXHAUSTED", "BUDGET_EXHAUSTED"]


def estimate_of(api, judge_runs):
    """The most that one case can cost."""
    finished(api, judge_runs, run(api))
    [call] = api.money.all_calls()
    return call.request.estimate


def test_a_case_that_no_judge_can_be_asked_about_has_its_result_at_once(api, judge_runs):
    started = run(api, case("a"), case("a", "x"), {"output": "x"}, case("b"))
    judge_runs.held = True

    shown = finished(api, judge_runs, started)

    assert [each["code"] for each in shown["results"]] == ["CASE_ID_REPEATED", "CASE_INVALID"]
    assert (shown["status"], len(judge_runs.started)) == ("running", 2)


def test_an_unusable_reply_is_an_error(api, judge_runs):
    judge_runs.gateway.answers = [replied("Looks good to me.")]

    [result] = finished(api, judge_runs, run(api))["results"]

    assert (result["outcome"], result["code"]) == ("error", "REPLY_NOT_JSON")


def test_of_a_case_with_a_forbidden_span_nothing_is_sent(api, judge_runs):
    trace = TraceKey("acme", "support", "t1")
    judge_runs.traces = MemoryTraces(kept={trace: {ContentRef("s1", "output"): FORBIDDEN}})
    refers = {"case_id": "a", "trace": {"trace_id": "t1"}, "refs": {"output": {"span_id": "s1", "field": "output"}}}

    [result] = finished(api, judge_runs, run(api, refers))["results"]

    assert (result["outcome"], result["code"]) == ("unsupported", "CAPTURE_POLICY_FORBIDS")
    assert [each[2] for each in judge_runs.traces.asked] == [Purpose.JUDGE]
    assert judge_runs.gateway.requests == []


def test_a_group_that_is_delivered_twice_is_asked_once(api, judge_runs):
    started = run(api)
    groups = list(api.queue.groups)
    once = finished(api, judge_runs, started)
    api.queue.groups = groups

    again = finished(api, judge_runs, started)

    assert again == once
    assert (len(judge_runs.started), judge_runs.gateway.sent) == (1, 1)


def test_an_invocation_puts_back_the_judge_runs_that_it_has_no_time_for(api, judge_runs):
    started = run(api, *(case(name) for name in "abcd"))
    seconds = iter([90.0, 90.0, 2.0])

    work(api, judge_runs, lambda: next(seconds))
    left = [(group.begin, group.end) for group in api.queue.groups]
    work(api, judge_runs)

    assert left == [(2, 4)]
    assert api("GET", started.headers["Location"]).json["status"] == "finished"


def test_a_store_that_does_not_answer_has_the_group_delivered_again(api, judge_runs):
    started = run(api)
    [group] = api.queue.groups
    judge_runs.bodies.down = True

    failed = work(api, judge_runs)

    judge_runs.bodies.down = False
    api.queue.groups = [group]
    assert failed == {"m0": "the bucket is down"}
    assert finished(api, judge_runs, started)["status"] == "finished"


def test_after_its_deadline_a_run_gives_up_what_is_missing(api, judge_runs):
    started = run(api, case("a"), case("b"))
    judge_runs.held = True
    work(api, judge_runs)
    api.records.keep(judge_runs.started[0], "RESULT", b'{"case_id": "a", "code": null, "outcome": "pass"}')

    api.now = "2026-11-30T12:36:59Z"
    waiting = api("GET", started.headers["Location"]).json
    api.now = "2026-11-30T12:37:01Z"
    given_up = api("GET", started.headers["Location"]).json

    assert (waiting["status"], given_up["status"]) == ("running", "finished")
    assert [(each["case_id"], each["code"]) for each in given_up["results"]] == [("a", None), ("b", "SCORING_FAILED")]
    assert given_up["results"][1]["result_id"] == judge_runs.started[1]


def test_a_judge_is_not_asked_any_more_when_the_run_is_about_to_give_up(api, judge_runs):
    started = run(api)
    api.now = "2026-11-30T12:30:00Z"

    [result] = finished(api, judge_runs, started)["results"]

    assert (result["code"], judge_runs.gateway.requests) == ("BUDGET_EXHAUSTED", [])


@pytest.mark.parametrize("stranger", [Token(org="bolt"), Token(projects="sales")], ids=["organization", "project"])
def test_another_project_sees_neither_run_nor_budget(api, stranger):
    started = run(api).json

    paths = [f"/sandbox/runs/{started['run_id']}", f"/budgets/{started['budget_id']}"]

    assert [api("GET", path, token=stranger).code for path in paths] == ["RUN_NOT_FOUND", "BUDGET_NOT_FOUND"]


def test_a_draft_with_problems_is_refused_like_a_version(api):
    api("POST", "/scorers", {"name": "s"})
    draft = {**DRAFT, "parameters": {**PARAMETERS, "model": "bookbag::none", "temperature": 0}}

    refused = api("POST", "/sandbox/runs", {"draft": draft, "cases": [case()]})

    assert refused.status == 422
    assert refused.json["problems"] == api("POST", "/scorers/s/versions", draft).json["problems"]


def test_a_deployment_without_a_gateway_runs_no_judges(client):
    house = registry_house(client, ConfirmedModels(CATALOGS))
    with_gateway, without = HttpApi(house), HttpApi(house_over(client, house.name))
    with_gateway("POST", "/scorers", {"name": "s"})
    with_gateway("POST", "/scorers/s/versions", DRAFT)

    answers = [run(without), without("POST", "/sandbox/runs", {"scorer": {"name": "s", "version": 1}, "cases": [{}]})]

    assert [(each.status, each.code) for each in answers] == [(409, "NO_GATEWAY")] * 2


def test_runs_with_a_judge_count_for_the_minute(client):
    api = HttpApi(registry_house(client, ConfirmedModels(CATALOGS)), runs_a_minute=1)

    assert [run(api).status for _ in range(2)] == [202, 429]


def test_a_run_that_was_started_with_a_key_is_started_once(api):
    body, key = {"draft": DRAFT, "cases": [case()]}, {"Idempotency-Key": "k"}

    first, again = (api("POST", "/sandbox/runs", body, headers=key) for _ in range(2))

    assert (first.json, len(api.money.records)) == (again.json, 1)


def test_a_run_keeps_what_it_has_of_its_judge(api):
    started = run(api, case("a"), case("b"))

    kept = api.sandbox.store.run(api.queue.groups[0].key)

    assert kept.judging.budget_id == started.json["budget_id"]
    assert len(set(kept.judging.judge_runs)) == 2
