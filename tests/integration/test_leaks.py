"""No text of a case leaves but in its result's body, its ids, and the message that is kept as it was."""

import json
import logging

import pytest

from evalbook.adapters.dynamodb.versions import DynamoDbVersions
from tests.fakes.aws_account import TABLE
from tests.fakes.batches import SCORER, batch, batch_of_texts, version
from tests.fakes.sqs_pump import SqsPump

CANARY = "canary-7f3a"
VALUES = [
    CANARY,
    {CANARY: CANARY},
    [CANARY],
    f"break {CANARY}",
    f"die {CANARY}",
    {"span_id": CANARY, CANARY: 1},
]
SCORERS = {
    1: ("contains", {"texts": ["hello"]}),
    2: ("exact_match", {}),
    3: ("edit_similarity", {"threshold": 0.9}),
    4: ("deadly", {}),
    5: ("numeric_tolerance", {"absolute": 1}),
    6: ("contains", {"texts": ["hello"], "output_path": "/a/b"}),
}
FIELDS = ("input", "output", "expected", "subject", "trace", "refs", CANARY)
TEXTS = [
    f'{{"case_id": "a", "output": "{CANARY}", "output": "{CANARY}"}}',
    f'{{"case_id": "b", "{CANARY}": 1, "{CANARY}": 2}}',
    f'{{"case_id": "c", "output": ["{CANARY}", NaN]}}',
    f'{{"case_id": "d", "output": "{CANARY}\\ud800"}}',
    f'"{CANARY}"',
]
UNREADABLE = [
    CANARY,
    f'{{"{CANARY}": "{CANARY}"',
    f'{{"{CANARY}": 1, "{CANARY}": 2}}',
    batch([], run_id=f"{CANARY}#").decode(),
    batch([], schema_version=CANARY).decode(),
    batch([], scorer={"name": CANARY, "version": CANARY}).decode(),
    batch([], cases_ref={"key": CANARY, "sha256": CANARY}).decode(),
]


def hostile_batches():
    values = [{"case_id": f"{f}-{n}", f: v} for f in FIELDS if f != CANARY for n, v in enumerate(VALUES)]
    values += [{"case_id": f"x-{n}", CANARY: v, "output": v, "expected": v} for n, v in enumerate(VALUES)]
    values.append({"case_id": "texts", "output": f"one {CANARY}", "expected": f"two {CANARY}"})
    for number in SCORERS:
        named = {"name": SCORER.name, "version": 10 + number}
        yield batch(values, scorer=named, batch_id=f"values-{number}", run_id=f"run-{number}")
        yield batch_of_texts([text.encode() for text in TEXTS], scorer=named, batch_id=f"texts-{number}")


@pytest.fixture
def processed(account, load, deadly_implementation, capfd, caplog):
    """Everything that left the house after hostile messages went through both functions."""
    caplog.set_level(logging.DEBUG)
    versions = DynamoDbVersions(account.dynamodb, TABLE)
    for number, (implementation, parameters) in SCORERS.items():
        versions.put(version(10 + number, implementation=implementation, parameters=parameters))
    score, exhausted = load("score"), load("exhausted")
    account.send(*hostile_batches(), *(body.encode() for body in UNREADABLE))
    answers = []
    SqsPump(account, account.queue, lambda event: answers.append(score(event)) or answers[-1]).run()
    score.module.score.use_case.worker.run = _broken
    account.send(*hostile_batches())
    SqsPump(account, account.queue, lambda event: answers.append(score(event)) or answers[-1]).run()
    SqsPump(account, account.exhausted, exhausted).run()
    return account, "\n".join([*capfd.readouterr(), caplog.text, repr(caplog.records), json.dumps(answers)])


def _broken(*_, **__):
    raise ValueError(CANARY)


def test_nothing_but_bodies_and_kept_messages_holds_a_cases_text(processed):
    account, written = processed

    results = account.drained_results()
    letters = account.drain(account.dead)

    assert written.count("CloudWatchMetrics") > 5
    assert CANARY not in written
    assert len(results) > 400
    assert any(CANARY in json.dumps(result["body"]) for result in results)
    assert [result for result in results if CANARY in json.dumps({**result, "body": None})] == []
    assert len(letters) == len(UNREADABLE) + 2 * len(SCORERS)
    assert CANARY not in json.dumps([letter["MessageAttributes"] for letter in letters])
