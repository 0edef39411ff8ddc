"""The demo's agent does what it is told to do, wrong things included, and its record shows it."""

import json
from collections import Counter
from pathlib import Path

import pytest

from devstack.demo import agent_tools
from devstack.demo.agent import run_agent
from devstack.demo.agent_tasks import Fault, Task, all_tasks, reference_calls
from devstack.demo.recorded_agent import agent_sets
from evalbook.domain.case import Case
from evalbook.jsonio.reader import read_json
from evalbook.services.scoring import catalog
from evalbook.traces.formats import otel_genai

SETS = {one.versions[0].scorer: one for one in agent_sets()}
FINE = Task(1, "Quito", "visa", 100)
CALLS = ["get_weather", "convert_currency", "search_documents", "transfer_to_booking", "book_trip"]


def run_with(fault):
    return run_agent(Task(1, "Quito", "visa", 100, fault))


def spans(run, kind):
    return [span for span in otel_genai.FORMAT.read(run.spans)["spans"] if span["kind"] == kind]


def exported(run):
    return run.spans["resourceSpans"][0]["scopeSpans"][0]["spans"]


def outcomes(one):
    """What each case of the set comes to, read as the queue's messages are."""
    [version] = one.versions
    prepared = catalog.find(one.implementation).prepare(read_json(json.dumps(version.parameters).encode()))
    return {
        case.case_id: {"outcome": prepared.score(Case(**read_json(json.dumps(case.case).encode()))).outcome}
        for case in version.cases
    }


@pytest.mark.parametrize("name", SETS)
def test_every_run_comes_to_what_the_agent_was_told(name):
    results = outcomes(SETS[name])

    assert [case.case_id for case in SETS[name].cases if not case.agrees(results[case.case_id])] == []


@pytest.mark.parametrize("name", SETS)
def test_every_set_has_runs_to_pass_and_runs_to_fail(name):
    assert {case.label for case in SETS[name].cases} == {True, False}


def test_every_fault_fails_somewhere_and_a_run_without_fault_nowhere():
    failing = Counter(case.case_id.split("-", 2)[2] for one in SETS.values() for case in one.cases if not case.label)

    assert set(failing) == {fault.name.lower() for fault in Fault}


def test_no_two_tasks_share_a_name():
    names = [task.name for task in all_tasks()]

    assert len(set(names)) == len(names)


def test_a_run_calls_its_tools_in_order():
    assert [span["name"] for span in spans(run_agent(FINE), "tool")] == CALLS


def test_arguments_are_recorded_as_they_were_passed():
    weather = spans(run_agent(FINE), "tool")[0]

    assert weather["arguments"] == {"city": "Quito", "unit": "celsius"}


def test_the_reference_of_a_task_is_the_same_whatever_goes_wrong():
    references = [reference_calls(Task(1, "Quito", "visa", 100, fault)) for fault in (None, *Fault)]

    assert all(reference == references[0] for reference in references)


def test_each_case_comes_with_the_calls_of_its_own_task():
    sent = {case.case_id: case.case["expected"] for case in SETS["agent-reference-calls"].cases}

    assert sent == {task.name: reference_calls(task) for task in all_tasks()}


def test_the_run_of_a_neighbours_task_does_not_have_the_reference_calls():
    one, other = SETS["agent-reference-calls"].cases[:2]
    prepared = catalog.find("trajectory_match").prepare(SETS["agent-reference-calls"].versions[0].parameters)

    swapped = {**one.case, "expected": other.case["expected"]}

    assert prepared.score(Case(**swapped)).outcome == "fail"


def test_the_documents_that_were_found_are_recorded():
    [retrieval] = spans(run_agent(FINE), "retrieval")

    assert retrieval["documents"] == [{"id": "visa-basics"}, {"id": "visa-on-arrival"}]


def test_a_handoff_names_both_agents():
    [handoff] = spans(run_agent(FINE), "handoff")

    assert (handoff["source_agent"], handoff["target_agent"]) == ("concierge", "booking")


def test_a_tool_that_fails_is_recorded_as_an_error_and_the_run_goes_on():
    tools = spans(run_with(Fault.TOOL_ERROR), "tool")

    assert [span["name"] for span in tools] == CALLS
    assert [span["name"] for span in tools if span["status"] == "error"] == ["convert_currency"]


def test_spans_end_after_they_start_and_inside_the_span_above():
    by_id = {span["spanId"]: span for span in exported(run_agent(FINE))}

    for span in by_id.values():
        above = by_id.get(span["parentSpanId"], span)
        times = [
            above["startTimeUnixNano"],
            span["startTimeUnixNano"],
            span["endTimeUnixNano"],
            above["endTimeUnixNano"],
        ]
        assert times == sorted(times)


def test_the_credential_is_made_while_running_and_stands_in_no_file():
    made = agent_tools.service_credential()

    folder = Path(agent_tools.__file__).parent
    assert made in run_with(Fault.LEAKED_CREDENTIAL).output["answer"]
    assert not any(made in path.read_text("utf-8") for path in folder.glob("*.py"))


def test_the_same_task_gives_the_same_answer():
    assert run_agent(FINE).output == run_agent(FINE).output
