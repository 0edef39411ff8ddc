"""Messages that are nearly right: each is answered or kept with its reason, and the published schema agrees."""

import json
from pathlib import Path

import jsonschema
from hypothesis import given

from evalbook.contracts.case import read_case
from evalbook.contracts.score_batch import CaseText, read_batch
from evalbook.domain.errors import CaseInvalid, Unreadable
from tests.fakes.batches import SCORER, cases, head, message, version
from tests.fakes.mutations import mutated, mutated_text
from tests.unit.services.conftest import House

SCHEMA = json.loads((Path(__file__).parents[4] / "docs" / "schemas" / "score_batch.json").read_text("utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
BATCH = head(
    cases=[
        *cases("hello", "good bye"),
        {"case_id": "c", "example_id": "e", "output": 1, "refs": {"output": {"span_id": "s", "field": "f"}}},
    ],
    scorer={"name": SCORER.name, "version": 1, "digest": version().digest},
    budget_id="b",
    first_index=0,
    repeated=[2],
)
REFERRED = {name: member for name, member in BATCH.items() if name != "cases"} | {
    "cases_ref": {"key": "k", "sha256": "0" * 64, "count": 3, "start": 0, "end": 2}
}


def fresh():
    house = House()
    house.versions.put(version())
    return house


@given(mutated_text(BATCH))
def test_every_case_of_a_message_is_answered_or_the_message_is_kept_with_a_reason(text):
    house, body = fresh(), text.encode("utf-8", "surrogatepass")

    summary = house.score(message(body))

    assert summary.failed == {}
    if house.dead.kept:
        [(kept, reason)] = house.dead.kept
        assert (kept.body, bool(reason), house.results) == (body, True, [])
    else:
        read = read_batch(body)
        assert len(house.results) == len(read.cases)
        assert len(house.results_queue.bodies) == 1
        assert read.refusal is None or set(house.outcomes) == {"error"}


def accepted(document):
    """Whether the service takes a batch and each of its cases for what they should be."""
    try:
        read = read_batch(json.dumps(document).encode())
        if read.refusal is not None or any(isinstance(case, CaseText) for case in read.cases):
            return False
        for case in read.cases:
            read_case(case)
    except (Unreadable, CaseInvalid):
        return False
    return True


def without_what_scorers_read(document):
    """A batch whose cases lack what only some scorers read, and say what is wrong with."""
    found = document.get("cases")
    for case in found if isinstance(found, list) else ():
        if isinstance(case, dict):
            case.pop("trace", None)
            case.pop("subject", None)
    return document


@given(mutated(BATCH) | mutated(REFERRED))
def test_the_published_schema_accepts_exactly_what_the_service_accepts(document):
    document = without_what_scorers_read(document)

    assert accepted(document) == VALIDATOR.is_valid(document)
