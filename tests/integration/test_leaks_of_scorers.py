"""What a case holds leaves in its result's body at most, whatever implementation scores it and whatever comes of it."""

import json
import logging

import pytest

from evalbook.adapters.dynamodb.versions import DynamoDbVersions
from evalbook.domain.outcome import Code, Outcome
from evalbook.jsonio.canonical import plain_json
from evalbook.services.scoring import catalog
from tests.fakes.aws_account import TABLE
from tests.fakes.batches import SCORER, batch_of_texts, version
from tests.fakes.sqs_pump import SqsPump
from tests.unit.scorers.changes import CANARY, CANARY_NUMBER, with_canaries
from tests.unit.scorers.examples import every_example, passing
from tests.unit.scorers.grading import as_sent
from tests.unit.scorers.secrets.credentials import CREDENTIALS

FAMILIES = sorted(set(catalog.families().values()))
_ANY = {Outcome.PASS, Outcome.FAIL, Code.CASE_INVALID}
_OUTPUT = {Code.OUTPUT_UNAVAILABLE, Code.CONTENT_UNAVAILABLE}
_EXPECTED = {Code.EXPECTED_MISSING, Code.EXPECTED_WRONG_TYPE}
_TRACE = {Code.TRACE_UNAVAILABLE, Code.TRACE_TRUNCATED}
_NO_IDS = {Code.NOTHING_LABELLED, Code.NOTHING_RETRIEVED, Code.NO_CITATIONS, Code.DOCUMENTS_UNAVAILABLE}
REACHED = {
    "text": _ANY | _OUTPUT | _EXPECTED | {Code.EXPECTED_EMPTY, Code.INPUT_TOO_LONG, Code.MATCH_TIME_LIMIT},
    "structured": _ANY | _OUTPUT | _EXPECTED | _TRACE | {Code.INPUT_TOO_LONG, Code.TIME_LIMIT},
    "trace": _ANY | _TRACE | {Code.TRACE_INVALID, Code.ARGUMENTS_UNAVAILABLE},
    "retrieval": _ANY | _OUTPUT | _EXPECTED | _TRACE | _NO_IDS | {Code.TRACE_INVALID, Code.INPUT_TOO_LONG},
    "secrets": _ANY | _OUTPUT,
}
"""All that cases of a family come to."""

CASES_A_BATCH = 200
# A span with everything that a span can hold.
SPAN = {
    "span_id": CANARY,
    "parent_span_id": f"{CANARY}-parent",
    "kind": "tool",
    "name": CANARY,
    "start_time": 1,
    "end_time": 2,
    "sequence": CANARY_NUMBER,
    "status": "error",
    "error": {"type": CANARY},
    "call_id": CANARY,
    "arguments": {CANARY: [CANARY, CANARY_NUMBER]},
    "documents": [{"id": CANARY, "rank": CANARY_NUMBER, "score": CANARY_NUMBER, CANARY: CANARY}],
    "source_agent": CANARY,
    "target_agent": CANARY,
    CANARY: CANARY,
}
SPANS = [{**SPAN, "kind": kind, "span_id": f"{CANARY}-{kind}"} for kind in ("tool", "retrieval", "handoff", "agent")]
TRACES = [
    {"trace_id": CANARY, "spans": SPANS},
    {"trace_id": CANARY, "spans": SPANS, "truncated": True},
    {"spans": [{**span, "documents": [{CANARY: CANARY}], "arguments": CANARY} for span in SPANS]},
    {"spans": [{**span, "documents": [{CANARY: CANARY}]} for span in SPANS]},
    {
        "spans": [
            {name: value for name, value in span.items() if name not in ("documents", "arguments")} for span in SPANS
        ]
    },
    {"spans": [SPAN, SPAN]},
    {"spans": [{**SPAN, "parent_span_id": CANARY}]},
    {"spans": [{**SPAN, "start_time": CANARY}]},
    {"spans": [], "links": [{"kind": CANARY, "name": CANARY, "sha256": CANARY}]},
    {CANARY: CANARY},
    None,
]
VALUES = [CANARY, CANARY_NUMBER, [CANARY], {CANARY: CANARY}, None, True, "", [], CANARY * 10_000]
# Versions of which some cases come to what no example shows.
SLOW = {
    "text": ("regex", {"pattern": r"\[[^\]]*\]", "match_timeout_ms": 1}, 2_000, "[" * 90_000 + CANARY),
    "structured": ("json_schema", {"schema": {"pattern": r"\[[^\]]*\]"}}, 10, "[" * 90_000 + CANARY),
}


def variants_of(example):
    """Cases like an example's with canaries in one place, or with parts that are nothing but canaries."""
    members = as_sent(example.case)
    yield from (changed for changed in with_canaries(members) if isinstance(changed, dict))
    for value in VALUES:
        yield {"output": value, "expected": value, "subject": value}
        yield {**members, "output": value}
        yield {**members, "expected": value}
    for trace in TRACES:
        yield {**members, "trace": trace}
        yield {"output": CANARY, "expected": [CANARY], "trace": trace}
    for name in members:
        others = {key: value for key, value in members.items() if key != name}
        yield {**others, "input": CANARY}
        yield {**others, "refs": {name: {"span_id": CANARY, "field": CANARY}}}


def versions_of(family):
    """Versions as (implementation, parameters, time limit), each with its cases."""
    names = [name for name, home in catalog.families().items() if home == family]
    for example in every_example():
        if example.implementation in names:
            yield (example.implementation, example.parameters, 2_000), variants_of(example)
    if family in SLOW:
        implementation, parameters, limit, output = SLOW[family]
        yield (implementation, parameters, limit), [{"output": output}]
    yield (names[0], passing(names[0]).parameters, 2_000), [{CANARY: CANARY, "refs": {CANARY: CANARY}}]


def sent(account, family):
    """How many cases were sent to the family's queue, with the versions that score them stored."""
    store, count = DynamoDbVersions(account.dynamodb, TABLE), 0
    for number, ((implementation, parameters, limit), variants) in enumerate(versions_of(family), 100):
        store.put(version(number, implementation=implementation, parameters=parameters, time_limit_ms=limit))
        texts = [plain_json({"case_id": f"case-{place}", **members}) for place, members in enumerate(variants)]
        for start in range(0, len(texts), CASES_A_BATCH):
            some = texts[start : start + CASES_A_BATCH]
            account.send(batch_of_texts(some, scorer={"name": SCORER.name, "version": number}, run_id=f"run-{number}"))
        count += len(texts)
    return count


def holds_canary(value):
    text = json.dumps(value)
    return CANARY in text or str(CANARY_NUMBER) in text


@pytest.fixture
def written(capfd, caplog):
    """A function that gives all that was written to the standard streams and logged."""
    caplog.set_level(logging.DEBUG)
    # The queue's own client, which the test reads with as well, writes whole bodies at this level.
    caplog.set_level(logging.INFO, "botocore")
    return lambda: "\n".join([*capfd.readouterr(), caplog.text, repr(caplog.records)])


@pytest.mark.parametrize("family", FAMILIES)
def test_no_text_or_number_of_a_case_leaves_but_in_its_results_body(family, account, load, written):
    count = sent(account, family)

    SqsPump(account, account.queue, load("score", family)).run()

    lines, results = written(), account.drained_results()
    assert {result["code"] or result["outcome"] for result in results} >= REACHED[family]
    assert len(results) == count > 200
    assert "CloudWatchMetrics" in lines
    assert not holds_canary(lines)
    assert [result for result in results if holds_canary({**result, "body": None})] == []
    assert account.drain(account.dead) == []


def test_a_result_about_credentials_holds_none_of_them_not_even_in_its_body(account, load, written):
    DynamoDbVersions(account.dynamodb, TABLE).put(version(100, implementation="secret_scan", parameters={}))
    secrets = [secret for found in CREDENTIALS.values() for secret in found]
    shapes = [
        shape
        for secret in secrets
        for shape in (secret, f"a {secret}, b", [secret, {secret: secret}], {"a": [{f" {secret} ": 1}]})
    ]
    texts = [plain_json({"case_id": f"case-{place}", "output": output}) for place, output in enumerate(shapes)]
    account.send(batch_of_texts(texts, scorer={"name": SCORER.name, "version": 100}))

    SqsPump(account, account.queue, load("score", "secrets")).run()

    results = account.drained_results()
    shown = json.dumps(results) + written()
    assert [result["outcome"] for result in results] == ["fail"] * len(shapes)
    assert [secret for secret in secrets if json.dumps(secret)[1:-1] in shown] == []
