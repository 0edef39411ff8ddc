"""Time limits hold whatever the parameters and the case (G-03): inputs built to be slow or large, in the real worker.

Each input is followed by a case whose outcome is known. A limit is kept where the case ends within the limit, 50 ms and
the worst delay of a thread that does nothing but sleep meanwhile, which is next to nothing unless the machine is busy
with other things; and as even that says too little about a process that waits for its turn, one of five tries counts.
"""

import json
from collections.abc import Iterator
from itertools import islice

import pytest

from evalbook.domain.outcome import Code
from evalbook.jsonio.canonical import plain_json
from evalbook.services.scoring import catalog
from evalbook.services.scoring.lines_job import LinesJob
from tests.integration.watching import Delays, WatchedJob, WatchedWorker, started
from tests.unit.scorers.examples import module_of, passing

NAMES = list(catalog.families())
GRACE_SECONDS = 0.05
TRIES = 5


@pytest.fixture
def worker() -> Iterator[WatchedWorker]:
    worker = WatchedWorker()
    worker.start()
    yield worker
    worker.close()


def run(worker, lines):
    """The answers to the lines, and how long the first one took."""
    answers, first_answered = [], 0.0
    for _, encoded in worker.run(WatchedJob(LinesJob(lines)), seconds_left=3_600.0, survive_crashes=False):
        answers.append(json.loads(encoded))
        first_answered = first_answered or worker.clock()
    killed = answers[0].get("code") == Code.TIME_LIMIT and worker.ended > started()
    return answers, (worker.ended if killed else first_answered) - started()


def passing_line(name):
    """The first example of an implementation that passes, as a line: what is scored after a hostile input."""
    example = passing(name)
    case = {"case_id": "next", **example.case}
    return plain_json({"id": 1, "implementation": name, "parameters": example.parameters, "case": case})


def fault_of(worker, delays, name, hostile, following):
    """What is wrong with how an input is answered, None where nothing is."""
    for _ in range(TRIES):
        delays.worst = 0.0
        (answer, after), seconds = run(worker, (hostile.line(name), following))
        if answer.get("outcome") not in hostile.want or answer["code"] == Code.SCORING_FAILED:
            return f"{hostile.title}: {answer}"
        if after.get("outcome") != "pass":
            return f"after {hostile.title}: {after}"
        if seconds <= hostile.limit_ms / 1_000 + GRACE_SECONDS + delays.worst:
            return None
    return f"{hostile.title}: {seconds:.3f} s"


@pytest.mark.parametrize("name", NAMES)
def test_hostile_inputs_end_in_time_with_an_allowed_outcome_and_the_next_case_is_scored_right(name, worker):
    following = passing_line(name)

    with Delays() as delays:
        faults = [fault_of(worker, delays, name, hostile, following) for hostile in module_of(name).hostile_inputs()]

    assert len(faults) >= 200
    assert list(islice(filter(None, faults), 10)) == []
