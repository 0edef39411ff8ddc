"""The demo's agent, run here and now: its recorded runs as cases, labelled by what it was told to do wrong."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from devstack.demo.agent import Run, run_agent
from devstack.demo.agent_tasks import Fault, Task, all_tasks, reference_calls, relevant_documents
from devstack.demo.data import DemoCase, DemoSet, JsonObject, demo_set
from evalbook.traces.formats import otel_genai

_OUTPUT_SCHEMA: Final[JsonObject] = {
    "type": "object",
    "required": ["city", "temperature", "converted", "answer", "reference"],
    "additionalProperties": False,
    "properties": {
        "city": {"type": "string", "minLength": 1},
        "temperature": {"type": "integer"},
        "converted": {"type": ["number", "null"]},
        "answer": {"type": "string", "minLength": 1},
        "reference": {"type": "string", "pattern": "^TR-[0-9]{4}$"},
    },
}


@dataclass(frozen=True, slots=True)
class _Check:
    """A scorer version, and the faults that it is to find: every other run passes."""

    title: str
    name: str
    implementation: str
    parameters: JsonObject
    finds: frozenset[Fault]
    expected: Callable[[Task], list[Any]] = relevant_documents


_CHECKS: Final = (
    _Check(
        "asked in celsius, nothing deleted",
        "weather-call",
        "tool_call_match",
        {
            "tool": "get_weather",
            "tool_params": [
                {"path": "/city", "rule": "type", "value": "string"},
                {"path": "/unit", "rule": "equals", "value": "celsius"},
            ],
            "occurrence": "exactly_one",
            "forbidden_tools": ["delete_documents"],
        },
        frozenset({Fault.WRONG_ARGUMENT, Fault.FORBIDDEN_TOOL}),
    ),
    _Check(
        "steps in order, handed over",
        "steps",
        "trajectory",
        {
            "required_steps": [
                {"name": "concierge", "kind": "agent"},
                {"name": "get_weather"},
                {"name": "convert_currency"},
                {"name": "search_documents"},
                {"name": "book_trip"},
            ],
            "forbidden_tools": ["delete_documents"],
            "handoffs": [{"from": "concierge", "to": "booking"}],
        },
        frozenset({Fault.TOOL_ERROR, Fault.FORBIDDEN_TOOL, Fault.WRONG_ORDER, Fault.NO_HANDOFF}),
    ),
    _Check(
        "the task's reference calls, no others",
        "reference-calls",
        "trajectory_match",
        {"mode": "exact", "ignore_arguments": ["/limit"]},
        frozenset(
            {
                Fault.TOOL_ERROR,
                Fault.FORBIDDEN_TOOL,
                Fault.WRONG_ARGUMENT,
                Fault.WRONG_ORDER,
                Fault.NO_HANDOFF,
                Fault.WRONG_QUERY,
            }
        ),
        reference_calls,
    ),
    _Check(
        "at most five calls, none in error",
        "limits",
        "trace_limits",
        {"tool_calls": {"maximum": 5}, "failed_calls": {"maximum": 0}},
        frozenset({Fault.TOOL_ERROR, Fault.FORBIDDEN_TOOL}),
    ),
    _Check(
        "the topic's documents found",
        "documents-found",
        "retrieval_relevance",
        {"metric": "recall", "k": 2, "threshold": 1},
        frozenset({Fault.WRONG_QUERY}),
    ),
    _Check(
        "what is cited was found",
        "citations",
        "citation_support",
        {"output_path": "/answer", "min_citations": 1},
        frozenset({Fault.NO_CITATION, Fault.INVENTED_CITATION}),
    ),
    _Check("no credential in the answer", "secrets", "secret_scan", {}, frozenset({Fault.LEAKED_CREDENTIAL})),
    _Check(
        "fields there",
        "fields",
        "required_fields",
        {
            "required_fields": [
                {"path": "/city", "type": "string"},
                {"path": "/temperature", "type": "integer"},
                {"path": "/converted", "type": ["number", "null"]},
                {"path": "/answer", "type": "string"},
            ]
        },
        frozenset({Fault.MISSING_FIELD, Fault.WRONG_TYPE}),
    ),
    _Check(
        "valid against a schema",
        "schema",
        "json_schema",
        {"schema": _OUTPUT_SCHEMA},
        frozenset({Fault.MISSING_FIELD, Fault.WRONG_TYPE, Fault.BAD_REFERENCE}),
    ),
    _Check(
        "reference well formed",
        "reference",
        "regex",
        {"pattern": "TR-[0-9]{4}", "mode": "full_match", "output_path": "/reference"},
        frozenset({Fault.BAD_REFERENCE}),
    ),
    _Check(
        "no degrees Fahrenheit in the answer",
        "no-fahrenheit",
        "regex",
        {"pattern": "[0-9] ?°F", "mode": "no_match", "flags": ["ignore_case"], "output_path": "/answer"},
        frozenset({Fault.WRONG_ARGUMENT}),
    ),
)


def agent_sets() -> list[DemoSet]:
    """Run the agent on every task and build a set a scorer version from what was recorded."""
    runs = [(run, otel_genai.FORMAT.read(run.spans)) for run in map(run_agent, all_tasks())]
    return [
        demo_set(
            f"agent: {check.title}",
            f"agent-{check.name}",
            check.implementation,
            check.parameters,
            tuple(_case(check, run, trace) for run, trace in runs),
        )
        for check in _CHECKS
    ]


def _case(check: _Check, run: Run, trace: JsonObject) -> DemoCase:
    expected = check.expected(run.task)
    case = {"case_id": run.task.name, "output": run.output, "expected": expected, "trace": trace}
    return DemoCase(case, run.task.fault not in check.finds)
