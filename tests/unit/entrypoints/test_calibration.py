"""The function that works on calibrations: which queue a visit comes from decides what becomes of it."""

import pytest

from evalbook.domain.records import Project
from evalbook.entrypoints.calibration import CalibrationWorker
from evalbook.services.calibration.ports import CalibrationTick

QUEUE, EXHAUSTED = (f"arn:aws:sqs:eu-west-1:123456789012:{name}" for name in ("calibrations", "exhausted"))
VISIT = CalibrationTick(Project("acme", "support"), "c-1", 2)
BODY = '{"organization_id": "acme", "project_id": "support", "calibration_id": "c-1", "visit": 2}'


class Recorded:
    """Work that says what it was asked to do, and fails what it gives up."""

    def __init__(self):
        self.done = []

    def handle(self, visits, seconds_left):
        self.done.append(("handle", visits, seconds_left()))
        return {}

    def give_up(self, visits):
        self.done.append(("give up", visits))
        return {"m": "the table is down"}


@pytest.fixture
def work():
    return Recorded()


def event(arn):
    return {"Records": [{"messageId": "m", "body": BODY, "eventSourceARN": arn}]}


def test_a_visit_of_the_queue_is_made(work):
    failed = CalibrationWorker(work, EXHAUSTED)(event(QUEUE), lambda: 7.0)

    assert (failed, work.done) == ({}, [("handle", [("m", VISIT)], 7.0)])


def test_a_visit_of_the_exhausted_queue_is_given_up(work):
    failed = CalibrationWorker(work, EXHAUSTED)(event(EXHAUSTED), lambda: 7.0)

    assert (failed, work.done) == ({"m": "the table is down"}, [("give up", [("m", VISIT)])])


def test_an_event_without_messages_is_nothing(work):
    assert (CalibrationWorker(work, EXHAUSTED)({}, lambda: 7.0), work.done) == ({}, [])
