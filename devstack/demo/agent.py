"""A small tool-calling agent, with rules in place of a model: two agents, six tools, each run recorded as spans."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from devstack.demo.agent_spans import JsonObject, SpanRecorder
from devstack.demo.agent_tasks import TRAVELLERS_CURRENCY, Fault, Task
from devstack.demo.agent_tools import CITIES, DOCUMENTS, TOOLS, TOPICS, ToolError, service_credential

_OPERATION: Final = "gen_ai.operation.name"
_HANDOFF: Final = "transfer_to_"
_CONCIERGE: Final = ("get_weather", "convert_currency", "search_documents")
_FOUND: Final = 3


@dataclass(frozen=True, slots=True)
class Run:
    """What the agent answered, and the run's spans as an exporter posts them."""

    task: Task
    output: JsonObject
    spans: JsonObject


class Planner:
    """Decides what an agent does next from what it knows so far, and makes the task's mistake on the way."""

    def __init__(self, task: Task) -> None:
        self._task = task

    def next_call(self, agent: str, known: Mapping[str, Any]) -> str | None:
        """Return the tool that *agent* calls next; None where it is done."""
        return next((tool for tool in self._goals(agent) if tool not in known), None)

    def arguments(self, tool: str) -> JsonObject:
        """Return what *tool* is called with."""
        task, fault = self._task, self._task.fault
        query, _ = TOPICS[_other_topic(task.topic) if fault is Fault.WRONG_QUERY else task.topic]
        currency = "XXX" if fault is Fault.TOOL_ERROR else CITIES[task.city].currency
        known: Mapping[str, JsonObject] = {
            "get_weather": {
                "city": task.city,
                "unit": "fahrenheit" if fault is Fault.WRONG_ARGUMENT else "celsius",
            },
            "convert_currency": {"amount": task.amount, "source": TRAVELLERS_CURRENCY, "target": currency},
            "search_documents": {"query": query, "limit": _FOUND},
            "delete_documents": {"query": query},
            "book_trip": {"city": task.city, "amount": task.amount},
        }
        return known.get(tool, {})

    def _goals(self, agent: str) -> tuple[str, ...]:
        if agent == "booking":
            return ("book_trip",)
        steps = _CONCIERGE[::-1] if self._task.fault is Fault.WRONG_ORDER else _CONCIERGE
        forbidden = ("delete_documents",) if self._task.fault is Fault.FORBIDDEN_TOOL else ()
        return (*steps, *forbidden, "book_trip" if self._task.fault is Fault.NO_HANDOFF else f"{_HANDOFF}booking")


def run_agent(task: Task) -> Run:
    """Let the agents do *task* and return what they answered and did."""
    running = _Running(task)
    agent: str | None = "concierge"
    while agent:
        agent = running.turn(agent)
    return Run(task, _output(task, running.known), running.recorder.export("travel-desk"))


class _Running:
    """A run under way: what is known so far, and what was recorded of how it came to be known."""

    def __init__(self, task: Task) -> None:
        self.known: dict[str, Any] = {}
        self.recorder = SpanRecorder(task.number)
        self._planner = Planner(task)
        self._calls = 0

    def turn(self, agent: str) -> str | None:
        """Let *agent* work until it is done; return the agent that it hands over to, if any."""
        with self.recorder.span(f"invoke_agent {agent}", {_OPERATION: "invoke_agent", "gen_ai.agent.name": agent}):
            while tool := self._decided(agent):
                self.known[tool] = self._called(tool, self._planner.arguments(tool))
                if tool.startswith(_HANDOFF):
                    return tool.removeprefix(_HANDOFF)
        return None

    def _decided(self, agent: str) -> str | None:
        with self.recorder.span("chat planner", {_OPERATION: "chat", "gen_ai.request.model": "planner"}):
            return self._planner.next_call(agent, self.known)

    def _called(self, tool: str, arguments: JsonObject) -> Any:
        """The tool's result; None where it ended in error."""
        self._calls += 1
        attributes = {
            _OPERATION: "execute_tool",
            "gen_ai.tool.name": tool,
            "gen_ai.tool.call.id": f"call-{self._calls}",
            "gen_ai.tool.call.arguments": json.dumps(arguments),
        }
        try:
            with self.recorder.span(f"execute_tool {tool}", attributes):
                if tool.startswith(_HANDOFF):
                    return tool.removeprefix(_HANDOFF)
                return self._retrieved(arguments) if tool == "search_documents" else TOOLS[tool](**arguments)
        except ToolError:
            return None

    def _retrieved(self, arguments: JsonObject) -> list[str]:
        with self.recorder.span("retrieval documents", {_OPERATION: "retrieval"}) as noted:
            found: list[str] = TOOLS["search_documents"](**arguments)
            noted["gen_ai.retrieval.documents"] = json.dumps([{"id": name} for name in found])
        return found


def _other_topic(topic: str) -> str:
    return next(other for other in TOPICS if other != topic)


def _output(task: Task, known: Mapping[str, Any]) -> JsonObject:
    output = {
        "city": task.city,
        "temperature": known["get_weather"]["temperature"],
        "converted": known["convert_currency"],
        "answer": _answer(task, known),
        "reference": known["book_trip"],
    }
    if task.fault is Fault.MISSING_FIELD:
        del output["temperature"]
    if task.fault is Fault.WRONG_TYPE:
        output["converted"] = str(output["converted"])
    if task.fault is Fault.BAD_REFERENCE:
        output["reference"] = output["reference"].replace("-", " ").lower()
    return output


def _answer(task: Task, known: Mapping[str, Any]) -> str:
    weather = known["get_weather"]
    sentences = [f"It is {weather['temperature']} °{weather['unit'][0].upper()} in {task.city}."]
    cited = [] if task.fault is Fault.NO_CITATION else known["search_documents"]
    sentences += [f"{DOCUMENTS[name]} [{name}]" for name in cited]
    if task.fault is Fault.INVENTED_CITATION:
        sentences.append("Children travel free. [fares-for-children]")
    if task.fault is Fault.LEAKED_CREDENTIAL:
        sentences.append(f"Signed with {service_credential()}.")
    return " ".join(sentences)
