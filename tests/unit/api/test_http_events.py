"""The events of the HTTP API and of the queues behind it work as they lie in `events/`."""

import json
from pathlib import Path

from evalbook.adapters.sqs.calibration_queue import visits_of
from evalbook.adapters.sqs.sandbox_queue import groups_of
from evalbook.domain.records import Project
from evalbook.services.calibration.ports import CalibrationTick
from evalbook.services.sandbox.ports import CaseGroup, RunKey
from tests.fakes.http_api import EveryModel, HttpApi
from tests.fakes.registry import registry_house

EVENTS = Path(__file__).parents[3] / "events"


def event(name):
    return json.loads((EVENTS / name).read_text())


def test_the_event_that_creates_a_scorer_does_so(api):
    answer = api.send(event("http_create_scorer.json"))

    assert (answer["statusCode"], json.loads(answer["body"])["name"]) == (201, "states-total")


def test_the_event_that_runs_a_draft_does_so(api):
    answer = api.send(event("http_sandbox_run.json"))

    assert [each["outcome"] for each in json.loads(answer["body"])["results"]] == ["pass"]


def test_the_event_of_a_group_names_its_cases():
    [(message_id, group)] = groups_of(event("sandbox_group.json"))

    assert message_id == "059f36b4-87a3-44ab-83d2-661975830a7d"
    assert group == CaseGroup(RunKey(Project("acme", "support"), "7684e187-59b1-4fac-959d-c306525faa36"), 3, 4)


def test_the_event_that_asks_for_a_calibration_does_so(client):
    api = HttpApi(registry_house(client, EveryModel()))
    judge = {"model": "bookbag::judge", "prompt_template": "{{output}}", "score_type": "binary"}
    api("POST", "/scorers", {"name": "helpful"})
    api("POST", "/scorers/helpful/versions", {"implementation": "judge", "parameters": judge})

    answer = api.send(event("http_calibration.json"))

    assert (answer["statusCode"], json.loads(answer["body"])["progress"]["cases"]) == (202, 2)


def test_the_event_of_a_visit_names_its_calibration():
    [(_, visit)] = visits_of(event("calibration_visit.json"))

    assert visit == CalibrationTick(Project("acme", "support"), "01a22c5e6a80-9f86d081884c7d65", 2)
