"""The events of the HTTP API and of the sandbox's queue work as they lie in `events/`."""

import json
from pathlib import Path

from evalbook.adapters.sandbox_queue import groups_of
from evalbook.registry.records import Project
from evalbook.services.sandbox_ports import CaseGroup, RunKey

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
