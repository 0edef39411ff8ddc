"""What the demo's agent is asked to do, and what it is told to do wrong."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from devstack.demo.agent_tools import CITIES, TOPICS


class Fault(StrEnum):
    """One thing that the agent does wrong."""

    TOOL_ERROR = "a tool ends in error"
    FORBIDDEN_TOOL = "calls a forbidden tool"
    WRONG_ARGUMENT = "asks for the wrong unit"
    WRONG_ORDER = "takes its steps in another order"
    NO_HANDOFF = "books by itself"
    WRONG_QUERY = "looks up another topic"
    NO_CITATION = "cites nothing"
    INVENTED_CITATION = "cites what it did not find"
    LEAKED_CREDENTIAL = "puts a credential into the answer"
    MISSING_FIELD = "leaves a field out"
    WRONG_TYPE = "gives a number as text"
    BAD_REFERENCE = "misspells the reference"


@dataclass(frozen=True, slots=True)
class Task:
    """A traveller's request."""

    number: int
    city: str
    topic: str
    amount: int
    fault: Fault | None = None

    @property
    def name(self) -> str:
        """A name that no other task has."""
        return f"task-{self.number:03}-{self.fault.name.lower() if self.fault else 'fine'}"


TRAVELLERS_CURRENCY: Final = "EUR"


def all_tasks() -> tuple[Task, ...]:
    """Return every city with every topic, done right, and every city with every fault."""
    topics = list(TOPICS)
    right = [(city, topic, None) for city in CITIES for topic in topics]
    wrong = [
        (city, topics[(row + column) % len(topics)], fault)
        for row, city in enumerate(CITIES)
        for column, fault in enumerate(Fault)
    ]
    return tuple(
        Task(number, city, topic, 50 + 10 * number, fault)
        for number, (city, topic, fault) in enumerate([*right, *wrong], 1)
    )


def relevant_documents(task: Task) -> list[str]:
    """Return the ids of the documents that answer what the traveller asks."""
    _, relevant = TOPICS[task.topic]
    return list(relevant)


def reference_calls(task: Task) -> list[dict[str, Any]]:
    """Return the calls that *task* takes when it is done right, as an author writes them down beside it.

    How many documents are looked up is the agent's choice, so no limit is among the arguments.
    """
    query, _ = TOPICS[task.topic]
    rate = {"amount": task.amount, "source": TRAVELLERS_CURRENCY, "target": CITIES[task.city].currency}
    return [
        {"name": "get_weather", "arguments": {"city": task.city, "unit": "celsius"}},
        {"name": "convert_currency", "arguments": rate},
        {"name": "search_documents", "arguments": {"query": query}},
        {"name": "transfer_to_booking"},
        {"name": "book_trip", "arguments": {"city": task.city, "amount": task.amount}},
    ]
