"""The main job on the real template: batches go in through SQS and every case comes out once, whatever it holds."""

import json
from collections import Counter
from random import Random

import pytest

from evalbook.domain.versions import VersionState
from tests.e2e.exchange import Exchange
from tests.fakes.batches import batch, batch_of_texts, cases

SLOW = "".join(Random(1).choices("abcdefgh", k=250_000))
SPANS = {"spans": [{"span_id": "1", "kind": "tool", "name": "search"}]}
FOUND = {"spans": [{"span_id": "1", "kind": "retrieval", "documents": [{"id": "d1"}]}]}
FAMILIES = {
    "Text": ("contains", {"texts": ["hello"]}, {"output": "hello"}, {"output": "good bye"}),
    "Structured": ("json_schema", {"schema": {"type": "object"}}, {"output": {}}, {"output": []}),
    "Trace": ("trajectory", {"required_steps": [{"name": "search"}]}, {"trace": SPANS}, {"trace": {"spans": []}}),
    "Retrieval": ("citation_support", {}, {"output": "[d1]", "trace": FOUND}, {"output": "[d2]", "trace": FOUND}),
    "Secrets": ("secret_scan", {}, {"output": "nothing"}, {"output": "AKIA" + "QYLPMN5HNM4OX2AB"}),
}
CASES_A_FAMILY = 200
BAD_CASES = [
    b'{"output":"hello"}',
    b'{"case_id":"deep","output":%s1%s}' % (b"[" * 10_000, b"]" * 10_000),
    b'{"case_id":"key","output":"hello","output":"hello"}',
    b'{"case_id":"nan","output":NaN}',
    b'{"case_id":"long","output":%s}' % (b"9" * 5_000),
    b'{"case_id":"good-1","output":"hello"}',
    b'{"case_id":"good-1","output":"hello"}',
    b'{"case_id":"good-2","output":"good bye"}',
]


@pytest.fixture(scope="module")
def exchange(stack):
    exchange = Exchange(stack)
    for implementation, parameters, *_ in FAMILIES.values():
        exchange.store(implementation, implementation, parameters)
    return exchange


def named(scorer, version=1, **more):
    return {"name": scorer, "version": version, **more}


def codes(results):
    """What became of the cases, by case_id."""
    return {result["case_id"]: result["code"] or result["outcome"] for result in results}


def mixed_batches(run_id, implementation, passing, failing):
    sizes, first = Random(implementation), 0
    while first < CASES_A_FAMILY:
        count = min(sizes.choice([1, 2, 5, 20, 60]), CASES_A_FAMILY - first)
        numbers = range(first, first + count)
        found = [{"case_id": f"{implementation}-{n}", **(passing if n % 3 else failing)} for n in numbers]
        yield batch(found, run_id=run_id, batch_id=f"batch-{first}", scorer=named(implementation))
        first += count


def test_a_thousand_cases_of_all_families_come_back_once_each_with_the_right_outcome(exchange):
    for family, (implementation, _, passing, failing) in FAMILIES.items():
        exchange.send(family, *mixed_batches("run-many", implementation, passing, failing))

    results = exchange.results("run-many", CASES_A_FAMILY * len(FAMILIES))

    wanted = {
        f"{implementation}-{n}": "pass" if n % 3 else "fail"
        for implementation, *_ in FAMILIES.values()
        for n in range(CASES_A_FAMILY)
    }
    assert codes(results) == wanted
    assert len(results) == len({result["result_id"] for result in results}) == 1_000


def test_bad_cases_get_their_results_and_take_no_other_case_with_them(exchange):
    exchange.send("Text", batch_of_texts(BAD_CASES, run_id="run-bad", scorer=named("contains")))

    results = exchange.results("run-bad", len(BAD_CASES))

    assert Counter((result["case_id"], result["code"] or result["outcome"]) for result in results) == Counter(
        [
            (None, "CASE_INVALID"),
            ("deep", "CASE_INVALID"),
            ("key", "CASE_INVALID"),
            ("nan", "CASE_INVALID"),
            ("long", "CASE_INVALID"),
            ("good-1", "pass"),
            ("good-1", "CASE_ID_REPEATED"),
            ("good-2", "fail"),
        ]
    )
    assert len({result["result_id"] for result in results}) == len(BAD_CASES)


def test_cases_by_reference_are_scored_and_what_cannot_be_read_ends_in_the_dead_letter_queue(exchange):
    ref = exchange.keep("run-ref/cases.json", json.dumps(cases("hello", "good bye", "hello")).encode())
    refs = [
        {**ref, "count": 3, "start": 1},
        {**ref, "sha256": "0" * 64, "count": 3},
        {**ref, "key": "no/such.json", "count": 3},
        {**ref, "count": 9, "start": 5},
    ]
    head = {"run_id": "run-ref", "scorer": named("contains")}
    referring = [json.dumps({**json.loads(batch([], **head, cases_ref=each)), "cases": None}).encode() for each in refs]
    exchange.send("Text", *referring, b"not JSON", batch([], run_id=""))

    results = exchange.results("run-ref", 2)
    letters = exchange.letters("Text", 5)

    assert codes(results) == {"case-1": "fail", "case-2": "pass"}
    assert {reason.partition(":")[0] for _, reason in letters} == {
        "the object that cases_ref names has another digest",
        "the object that cases_ref names does not exist",
        "the message is not JSON",
        "the message is no score batch",
    }
    assert b"not JSON" in {body.encode() for body, _ in letters}


def test_a_run_stays_with_the_version_that_was_active_when_it_began(exchange):
    exchange.store("greets", "contains", {"texts": ["hello"]}, 1)
    exchange.store("greets", "contains", {"texts": ["good bye"]}, 2)
    exchange.activate("greets", 1)
    active = named("greets", "active")
    exchange.send("Text", batch(cases("hello"), run_id="run-old", scorer=active))
    before = exchange.results("run-old", 1)
    exchange.activate("greets", 2)

    exchange.send(
        "Text",
        batch([{"case_id": "late", "output": "hello"}], run_id="run-old", scorer=active),
        batch(cases("hello"), run_id="run-new", scorer=active),
    )

    assert codes(before) == {"case-0": "pass"}
    after = exchange.results_of_runs({"run-old": 2, "run-new": 1})
    assert codes(after["run-old"]) == {"case-0": "pass", "late": "pass"}
    assert [(one["outcome"], one["scorer"]["version"]) for one in after["run-new"]] == [("fail", 2)]


def test_a_version_that_cannot_score_gives_every_case_the_reason(exchange):
    exchange.store("draft", "contains", {"texts": ["hello"]}, state=VersionState.DRAFT)
    asked = {
        "run-draft": named("draft"),
        "run-none": named("contains", 99),
        "run-digest": named("contains", 1, digest="0" * 64),
        "run-family": named("secret_scan"),
    }
    exchange.send("Text", *(batch(cases("a", "b"), run_id=run_id, scorer=each) for run_id, each in asked.items()))

    found = exchange.results_of_runs(dict.fromkeys(asked, 2))

    assert {run_id: set(codes(results).values()) for run_id, results in found.items()} == {
        "run-draft": {"VERSION_NOT_ACTIVATED"},
        "run-none": {"VERSION_NOT_FOUND"},
        "run-digest": {"DIGEST_MISMATCH"},
        "run-family": {"WRONG_FAMILY"},
    }


def test_a_case_that_costs_the_scoring_process_its_life_costs_neither_its_neighbours_nor_other_messages(exchange):
    # A second's work for the slow case, and time enough for the quick ones on a machine that is busy.
    parameters = {"threshold": 0.5, "max_input_chars": 300_000}
    exchange.store("hasty", "edit_similarity", parameters, time_limit_ms=400)
    slow = {"case_id": "slow", "output": SLOW, "expected": SLOW[::-1]}
    quick = [{"case_id": f"quick-{n}", "output": "a", "expected": "a"} for n in range(2)]
    messages = [batch([quick[0], slow, quick[1]], run_id="run-slow-0", scorer=named("hasty"))]
    messages += [batch(quick, run_id=f"run-slow-{n}", scorer=named("hasty")) for n in range(1, 10)]
    exchange.send("Text", *messages)

    found = exchange.results_of_runs({"run-slow-0": 3, **{f"run-slow-{n}": 2 for n in range(1, 10)}})

    assert codes(found.pop("run-slow-0")) == {"quick-0": "pass", "slow": "TIME_LIMIT", "quick-1": "pass"}
    assert list(map(codes, found.values())) == [{"quick-0": "pass", "quick-1": "pass"}] * 9


def test_an_exhausted_message_is_answered_case_by_case_and_kept(exchange):
    body = batch(cases("hello", "good bye"), run_id="run-exhausted", scorer=named("secret_scan"))
    exchange.send("SecretsExhausted", body)

    results = exchange.results("run-exhausted", 2)
    letters = exchange.letters("Secrets", 1, given_up=True)

    assert codes(results) == {"case-0": "SCORING_FAILED", "case-1": "SCORING_FAILED"}
    assert letters == [(body.decode(), "given up after too many receives")]
