"""Nothing is lost and nothing contradicts itself while calls fail, processes die and versions are activated."""

import json
from collections import defaultdict
from random import Random

import pytest
from botocore.config import Config

from evalbook.adapters import aws_clients
from evalbook.adapters.dynamodb.versions import DynamoDbVersions
from tests.fakes.aws_account import TABLE
from tests.fakes.batches import SCORER, batch, cases, version
from tests.fakes.sqs_pump import SqsPump
from tests.integration.faults import Faults

ONE_ATTEMPT = Config(retries={"total_max_attempts": 1}, s3={"addressing_style": "path"})
CASES = 1_000


def activate(account, number):
    key = {
        "pk": {"S": f"ORG#{SCORER.organization_id}#PROJECT#{SCORER.project_id}"},
        "sk": {"S": f"SCORER#{SCORER.name}"},
    }
    account.dynamodb.put_item(TableName=TABLE, Item={**key, "active": {"N": str(number)}})


def mixed_batches():
    sizes, first = Random(1), 0
    while first < CASES:
        count = min(sizes.choice([1, 2, 5, 10, 40]), CASES - first)
        numbers = range(first, first + count)
        named = sizes.choice([1, "active"])
        yield batch(
            [{"case_id": f"case-{n}", "output": "hello" if n % 3 else "good bye"} for n in numbers],
            batch_id=f"batch-{first}",
            scorer={"name": SCORER.name, "version": named},
        )
        first += count


def test_every_case_comes_back_with_one_id_and_one_content_while_one_call_in_ten_fails(account, load, monkeypatch):
    DynamoDbVersions(account.dynamodb, TABLE).put(version(2, parameters={"texts": ["good bye"]}))
    activate(account, 1)
    account.send(*mixed_batches())
    monkeypatch.setattr(aws_clients, "_CONFIG", ONE_ATTEMPT)
    score, exhausted, faults = load("score"), load("exhausted"), Faults(seed=3)
    for client in (aws_clients.sqs(), aws_clients.dynamodb()):
        faults.into(client)

    def score_and_activate(event):
        answer = score(event)
        activate(account, 2)
        return answer

    SqsPump(account, account.queue, score_and_activate).run()
    SqsPump(account, account.exhausted, exhausted).run()

    contents, case_ids = defaultdict(set), defaultdict(set)
    for result in account.drained_results():
        case_ids[result["case_id"]].add(result["result_id"])
        contents[result["result_id"]] |= {json.dumps(result)} if result["code"] != "SCORING_FAILED" else set()
    assert faults.injected > 10
    assert case_ids.keys() == {f"case-{n}" for n in range(CASES)}
    assert len(contents) == CASES
    assert max(map(len, contents.values())) == 1


@pytest.fixture
def deadly(account, deadly_implementation):
    DynamoDbVersions(account.dynamodb, TABLE).put(
        version(9, implementation=deadly_implementation, parameters={}, time_limit_ms=2_000)
    )
    return {"name": SCORER.name, "version": 9}


def test_a_message_that_kills_the_process_does_not_take_the_other_nine_with_it(account, load, deadly):
    outputs = [("fine", "fine")] * 4 + [("fine", "die", "fine")] + [("fine", "fine")] * 5
    account.send(
        *(
            batch(cases(*each), batch_id=f"batch-{n}", run_id=f"run-{n}", scorer=deadly)
            for n, each in enumerate(outputs)
        )
    )

    invocations = SqsPump(account, account.queue, load("score")).run()

    found = defaultdict(list)
    for result in account.drained_results():
        found[result["run_id"]].append(result["code"] or result["outcome"])
    assert found.pop("run-4") == ["pass", "SCORING_FAILED", "pass"]
    assert list(found.values()) == [["pass", "pass"]] * 9
    assert (invocations, account.drain(account.dead)) == (2, [])


def test_a_message_that_kills_the_process_is_the_only_one_to_come_again(account, load, deadly):
    account.send(*(batch(cases(output), scorer=deadly) for output in ("fine", "die", "fine")))
    answers = []
    score = load("score")

    SqsPump(account, account.queue, lambda event: answers.append(score(event)) or answers[-1]).run()

    assert [len(answer["batchItemFailures"]) for answer in answers] == [1, 0]


def test_a_case_over_its_time_limit_costs_nothing_but_itself(account, load, deadly):
    account.send(batch(cases("fine", "hang", "fine"), scorer=deadly))

    SqsPump(account, account.queue, load("score")).run()

    assert [result["code"] for result in account.drained_results()] == [None, "TIME_LIMIT", None]


def test_a_case_whose_scorer_breaks_costs_nothing_but_itself(account, load, deadly):
    account.send(batch(cases("fine", "break", "fine"), scorer=deadly))

    SqsPump(account, account.queue, load("score")).run()

    assert [result["code"] for result in account.drained_results()] == [None, "SCORING_FAILED", None]
