import json

import pytest

from evalbook.contracts.score_batch import read_batch
from evalbook.services.scoring.remainder import remaining_batch
from tests.fakes.batches import batch, batch_of_texts, cases


def test_the_rest_holds_the_cases_as_they_were_written():
    body = batch_of_texts([b"1", b'{"case_id": "a", "output": {"z": 1.50, "a": 1e2}}'])

    rest = remaining_batch(read_batch(body), 1)

    assert b'{"case_id": "a", "output": {"z": 1.50, "a": 1e2}}' in rest


def test_the_rest_of_a_large_batch_of_repeated_cases_is_no_larger():
    body = batch([{"case_id": f"{number % 20_000}"} for number in range(40_000)])

    rest = remaining_batch(read_batch(body), 20_000)

    assert len(rest) < len(body)


@pytest.mark.parametrize("done", [1, 2])
def test_the_rest_keeps_everything_else_of_its_batch(done):
    body = batch(cases("a", "b", "c"), batch_id="batch-7", budget_id="budget-1")

    rest = json.loads(remaining_batch(read_batch(body), done))

    assert rest == {
        **{name: value for name, value in json.loads(body).items() if name != "cases"},
        "first_index": done,
        "repeated": [],
        "cases": json.loads(body)["cases"][done:],
    }
