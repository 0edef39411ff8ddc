import json
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from evalbook.contracts.score_batch import read_batch
from evalbook.services.scoring.result_batches import MAX_BYTES, MAX_RESULTS, pack
from tests.fakes.batches import batch, results_of

BATCH = read_batch(batch([])).head


def encoded(size: int) -> bytes:
    return json.dumps({"size": size, "text": "x" * size}).encode()


@given(st.lists(st.integers(0, 40_000) | st.integers(0, 50), max_size=250))
def test_packed_results_keep_their_order_and_the_limits_of_a_message(sizes):
    messages = list(pack(BATCH, map(encoded, sizes)))

    assert [result["size"] for result in results_of(messages)] == sizes
    assert all(len(message) <= MAX_BYTES for message in messages)
    assert all(1 <= len(json.loads(message)["results"]) <= MAX_RESULTS for message in messages)


@given(st.lists(st.integers(0, 3_000), min_size=2, max_size=250))
def test_no_message_could_have_taken_the_first_result_of_the_next(sizes):
    messages = list(pack(BATCH, map(encoded, sizes)))

    for one, following in pairwise(messages):
        first = json.dumps(json.loads(following)["results"][0])
        assert len(json.loads(one)["results"]) == MAX_RESULTS or len(one) + 1 + len(first) > MAX_BYTES


def test_no_results_are_no_message():
    assert list(pack(BATCH, ())) == []


def test_a_message_carries_the_ids_of_its_batch():
    (message,) = pack(BATCH, [encoded(1)])

    sent = json.loads(message)
    assert {name: sent[name] for name in sent if name != "results"} == {
        "schema_version": 1,
        "organization_id": "org-1",
        "project_id": "project-1",
        "run_id": "run-1",
        "batch_id": "batch-1",
    }
