"""Cases before a judge, through the real state machine and the real handlers in one process."""

import json

import pytest

from devstack.standins.gateway_faults import Fault
from evalbook.domain.versions import VersionState
from tests.fakes.judge_run_world import judge_run_world

SECRET = "the-candidate-wrote-this"


@pytest.fixture(scope="module")
def shared_world():
    with judge_run_world() as made:
        yield made


@pytest.fixture
def world(shared_world):
    shared_world.begin()
    return shared_world


def test_a_case_is_judged_and_its_result_says_how(world):
    world.begin(repeat_count=3)

    world.send("good")

    [result] = world.results()
    assert (result["outcome"], result["score"], result["assurance"]) == ("pass", 1, "reported")
    assert result["variability"] == {"agreement": 1.0}
    assert result["usage"]["calls_reported"] == 3
    assert result["body"]["rationale"].startswith("Repeat 1: ")


def test_what_was_charged_is_what_the_ledger_says_and_nothing_stays_reserved(world):
    world.begin(repeat_count=3)

    world.send("one", "two")

    world.results()
    assert len(world.sso.charges) == 6
    assert (world.money.spent, world.money.reserved) == (world.charged, 0)


def test_no_text_of_a_case_a_request_or_a_reply_passes_between_the_states(world):
    world.begin(prompt_template="{{output}} judged by {{expected}}: MY TEMPLATE")

    world.send(cases=[{"case_id": "case-0", "output": SECRET, "expected": f"{SECRET}-too"}])

    assert world.outcomes() == {"case-0": "fail"}
    passed = [text for _, text in world.functions.passed]
    history = [json.dumps(world.sfn.get_execution_history(executionArn=each["executionArn"]), default=str)
               for each in world.finished()[:5]]  # fmt: skip
    for text in passed + history:
        assert SECRET not in text
        assert "MY TEMPLATE" not in text
        assert "Decided by a rule" not in text


def test_a_message_that_is_delivered_twice_gives_each_case_one_execution_one_result_and_one_charge(world):

    world.send("one", "two")
    world.send("one", "two")

    assert [result["case_id"] for result in world.results()] == ["case-0", "case-1"]
    world.send("one", "two")
    assert world.results() == []
    assert len([text for name, text in world.functions.passed if name == "prepare"]) == 2 * 2
    assert len(world.sso.charges) == 2


def test_a_case_that_cannot_be_judged_gets_its_result_at_once(world):
    world.deliver(
        json.dumps({
            "schema_version": 1, "organization_id": "org-1", "project_id": "project-1", "run_id": "run-strict",
            "batch_id": "batch-1", "purpose": "evaluation", "scorer": {"name": world.scorer.name, "version": 1},
            "budget_id": world.key.budget_id,
        })[:-1]
        + ', "cases": [{"case_id": "nan", "output": NaN}, {"case_id": "twice", "output": "good"},'
        ' {"case_id": "twice", "output": "bad"}, {"case_id": "none"}, 5]}'
    )  # fmt: skip

    found = [(result["case_id"], result["code"] or result["outcome"]) for result in world.results()]
    assert sorted(found, key=str) == [
        ("nan", "CASE_INVALID"),
        ("none", "OUTPUT_UNAVAILABLE"),
        ("twice", "CASE_ID_REPEATED"),
        ("twice", "pass"),
        (None, "CASE_INVALID"),
    ]


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"version": 2}, "VERSION_NOT_FOUND"),
        ({"version": 1, "digest": "0" * 64}, "DIGEST_MISMATCH"),
        ({"budget_id": None}, "BUDGET_EXHAUSTED"),
        ({"budget_id": "another"}, "BUDGET_EXHAUSTED"),
    ],
)
def test_a_batch_that_names_what_is_not_there_gives_errors(world, changes, code):

    scorer = {"scorer": {"name": world.scorer.name, **changes}} if "version" in changes else changes

    world.send("good", **scorer)

    [result] = world.results()
    assert (result["outcome"], result["code"]) == ("error", code)
    assert world.sso.arrivals == ()


def test_a_draft_judges_nothing(world):
    world.begin(state=VersionState.DRAFT)

    world.send("good")

    assert world.outcomes() == {"case-0": "VERSION_NOT_ACTIVATED"}


def test_a_message_that_is_no_batch_goes_to_the_dead_letters(world):
    answer = world.deliver("no batch")

    assert answer == {"batchItemFailures": []}
    [dead] = world.sqs.receive_message(QueueUrl=world.names["DEAD_QUEUE_URL"])["Messages"]
    assert dead["Body"] == "no batch"


def test_a_model_that_the_catalog_does_not_confirm_is_not_asked(world):
    world.begin(model="bookbag::judge-unpriced")

    world.send("good")

    assert world.outcomes() == {"case-0": "GATEWAY_MODEL_UNAVAILABLE"}
    assert world.money.spent == 0


def test_a_budget_that_cannot_pay_for_a_case_skips_it_and_no_judge_is_asked(world):
    world.budget(1_000)

    world.send("good")

    [result] = world.results()
    assert (result["outcome"], result["code"], result["usage"]) == ("skipped", "BUDGET_EXHAUSTED", None)
    assert world.sso.arrivals == ()


def test_with_money_for_two_of_four_cases_the_others_are_skipped(world):
    estimate = world.estimate("good")
    world.budget(world.charged + estimate)

    outcomes = {}
    for number in range(4):
        world.send(cases=[{"case_id": f"case-{number}", "output": "good"}])
        outcomes |= world.outcomes()

    assert list(outcomes.values()) == ["pass", "pass", "BUDGET_EXHAUSTED", "BUDGET_EXHAUSTED"]


def test_a_case_waits_while_money_that_is_reserved_could_still_pay_for_it(world):
    estimate = world.estimate("good")
    world.budget(estimate + 2 * world.charged)
    world.sso.faults.add(Fault("slow", seconds=1.5))

    world.send("good", "good")

    assert world.outcomes() == {"case-0": "pass", "case-1": "pass"}
    assert any('"waiting"' in text for name, text in world.functions.passed if name == "prepare")


def test_what_runs_out_of_time_is_a_timeout_and_counts_in_full(world):
    world.begin(time_limit_ms=3_000)
    world.sso.faults.add(Fault("slow", seconds=6))

    world.send("good")

    [result] = world.results()
    assert (result["outcome"], result["code"]) == ("timeout", "TIME_LIMIT")
    assert (world.money.reserved, world.money.available) == (0, world.money.limit - world.money.spent)
    assert world.money.spent > 0
