"""tau-bench's recorded runs of an agent for an airline: its calls against those that each task expects.

A run's own calls are read off its messages here once more, without the readers and scorers, for the labels. The last
set's labels are the benchmark's own: it compares the airline's database after the run with the one after the expected
calls, so a few runs reach the right state by other calls, or miss what was to be said.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from jsonschema import Draft202012Validator

from devstack.demo.data import DemoCase, DemoSet, DemoVersion, JsonObject, demo_set
from devstack.demo.rows import rows
from evalbook.traces.formats import openai_chat

_WRITES: Final = (
    "book_reservation",
    "cancel_reservation",
    "send_certificate",
    "update_reservation_baggages",
    "update_reservation_flights",
    "update_reservation_passengers",
)


def taubench_sets(folder: Path) -> Iterator[DemoSet]:
    """Build the sets that the files in *folder* allow."""
    runs = [run for trials in ("01", "23") for run in rows(folder / f"taubench_airline_trials{trials}.jsonl")]
    if runs:
        yield DemoSet("tau-bench: each expected call", "tool_call_match", tuple(_expected_calls(runs)))
        yield DemoSet("tau-bench: expected tools in order", "trajectory", tuple(_expected_order(runs)))
        yield demo_set("tau-bench: changes = expected, vs. reward", "tau-changes", "exact_match", *_changes(runs))
    tools = rows(folder / "taubench_airline_tools.jsonl")
    called = rows(folder / "taubench_airline_tool_args.jsonl")
    if tools and called:
        yield DemoSet("tau-bench: arguments fit the tool", "json_schema", tuple(_arguments(tools, called)))


def _calls(run: JsonObject) -> list[tuple[JsonObject, str]]:
    """Each call as the tasks write calls, and what it was answered."""
    found: list[tuple[JsonObject, str]] = []
    for message, answer in zip(run["messages"], run["messages"][1:], strict=False):
        for call in message.get("tool_calls") or ():
            function = call["function"]
            made = {"name": function["name"], "kwargs": json.loads(function["arguments"])}
            found.append((made, answer["content"]))
    return found


def _expected_calls(runs: Iterable[JsonObject]) -> Iterator[DemoVersion]:
    """A version an expected call, its arguments equal to those expected, with the runs of its task."""
    for task_id, of_task in _by_task(runs).items():
        for number, action in enumerate(of_task[0]["expected_actions"]):
            equal = [{"path": f"/{name}", "rule": "equals", "value": value} for name, value in action["kwargs"].items()]
            cases = tuple(
                DemoCase(_traced(run, f"call-{number}"), any(_satisfies(call, action) for call, _ in _calls(run)))
                for run in of_task
            )
            yield DemoVersion(f"tau-{task_id}-call-{number}", {"tool": action["name"], "tool_params": equal}, cases)


def _satisfies(call: JsonObject, action: JsonObject) -> bool:
    wanted, given = action["kwargs"], call["kwargs"]
    return bool(call["name"] == action["name"] and all(given.get(name) == value for name, value in wanted.items()))


def _expected_order(runs: Iterable[JsonObject]) -> Iterator[DemoVersion]:
    for task_id, of_task in _by_task(runs).items():
        names = [action["name"] for action in of_task[0]["expected_actions"]]
        if names:
            cases = tuple(DemoCase(_traced(run, "order"), _in_order(names, run)) for run in of_task)
            yield DemoVersion(f"tau-{task_id}-order", {"required_steps": [{"name": name} for name in names]}, cases)


def _in_order(names: list[str], run: JsonObject) -> bool:
    made = iter([call["name"] for call, _ in _calls(run)])
    return all(name in made for name in names)


def _changes(runs: Iterable[JsonObject]) -> tuple[JsonObject, tuple[DemoCase, ...]]:
    """What a run changed, as JSON, against what it was to change."""
    cases = []
    for run in runs:
        changed = [call for call, answer in _calls(run) if call["name"] in _WRITES and not answer.startswith("Error")]
        expected = [action for action in run["expected_actions"] if action["name"] in _WRITES]
        cases.append(
            DemoCase({"case_id": f"{run['id']}-changes", "output": changed, "expected": expected}, run["success"])
        )
    return {"compare": "json"}, tuple(cases)


def _arguments(tools: Iterable[JsonObject], called: list[JsonObject]) -> Iterator[DemoVersion]:
    """A version a tool, its schema the tool's own; the labels are another validator's."""
    for tool in tools:
        schema, name = tool["parameters"], tool["name"]
        is_valid = Draft202012Validator(schema).is_valid
        arguments = [(call["id"], json.loads(call["arguments_raw"])) for call in called if call["tool"] == name]
        cases = tuple(DemoCase({"case_id": case_id, "output": value}, is_valid(value)) for case_id, value in arguments)
        if cases:
            yield DemoVersion(f"tau-{name.replace('_', '-')}", {"schema": schema}, cases)


def _by_task(runs: Iterable[JsonObject]) -> dict[int, list[JsonObject]]:
    found: dict[int, list[JsonObject]] = {}
    for run in runs:
        found.setdefault(run["task_id"], []).append(run)
    return found


def _traced(run: JsonObject, what: str) -> JsonObject:
    return {"case_id": f"{run['id']}-{what}", "trace": openai_chat.FORMAT.read(run["messages"])}
