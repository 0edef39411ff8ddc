"""The tools of the demo's agent: small, local, and the same every time."""

import re
from base64 import b32encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from types import MappingProxyType
from typing import Any, Final


class ToolError(Exception):
    """A tool cannot do what it was asked for."""


@dataclass(frozen=True, slots=True)
class City:
    """A place to travel to."""

    celsius: int
    currency: str


CITIES: Final[Mapping[str, City]] = MappingProxyType(
    {
        "Bergen": City(9, "NOK"),
        "Kraków": City(14, "PLN"),
        "Nairobi": City(24, "KES"),
        "Osaka": City(19, "JPY"),
        "Quito": City(17, "USD"),
        "Wellington": City(12, "NZD"),
    }
)

_PER_EURO: Final = {"EUR": 1.0, "JPY": 163.2, "KES": 140.5, "NOK": 11.6, "NZD": 1.82, "PLN": 4.28, "USD": 1.09}

DOCUMENTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "visa-basics": "A visa is needed for stays of more than ninety days. The passport is valid for six months.",
        "visa-on-arrival": "Some border posts sell a visa to travellers with a passport at the desk for arrivals.",
        "luggage-weight": "Checked luggage weighs up to 23 kilograms; every further bag has its price.",
        "luggage-lost": "A bag that does not arrive is reported at the luggage desk before the hall is left.",
        "refund-rules": "A cancelled ticket gives a refund within seven days, less the fee of its class.",
        "refund-delay": "After a delay of three hours a ticket may be returned for a refund without a fee.",
        "lounge-hours": "The lounge opens two hours before the first departure and closes after the last.",
        "seat-choice": "Seats can be chosen free of charge on the day before departure.",
        "pets-aboard": "Small animals travel in the cabin in a closed box, one for each row.",
    }
)

TOPICS: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = MappingProxyType(
    {
        "visa": ("visa passport", ("visa-basics", "visa-on-arrival")),
        "luggage": ("luggage bag", ("luggage-lost", "luggage-weight")),
        "refund": ("refund ticket fee", ("refund-delay", "refund-rules")),
    }
)
"""What is looked up for a topic, and the ids of the documents that answer it."""


def get_weather(city: str, unit: str) -> dict[str, Any]:
    """Return the temperature in *city*, in the unit celsius or fahrenheit."""
    celsius = CITIES[city].celsius
    return {"temperature": celsius if unit == "celsius" else celsius * 9 // 5 + 32, "unit": unit}


def convert_currency(amount: int, source: str, target: str) -> float:
    """Return *amount* in another currency, rounded to hundredths.

    Raises:
        ToolError: A currency is unknown.
    """
    if source not in _PER_EURO or target not in _PER_EURO:
        raise ToolError("no rate for this currency")
    return round(amount / _PER_EURO[source] * _PER_EURO[target], 2)


def search_documents(query: str, limit: int) -> list[str]:
    """Return the ids of up to *limit* documents with a word of *query*, those with most of them first."""
    wanted = _words(query)
    shared = {name: len(wanted & _words(text)) for name, text in DOCUMENTS.items()}
    ranked = sorted((name for name in shared if shared[name]), key=lambda name: (-shared[name], name))
    return ranked[:limit]


def delete_documents(query: str) -> int:
    """Return how many documents would be deleted: nothing is, but no agent has any business asking."""
    return len(search_documents(query, len(DOCUMENTS)))


def book_trip(city: str, amount: int) -> str:
    """Return the booking's reference."""
    return f"TR-{int(sha256(f'{city} {amount}'.encode()).hexdigest(), 16) % 10_000:04}"


def service_credential() -> str:
    """Return what the agent would sign requests with: of a real credential's form, made here, worth nothing."""
    return "AK" + "IA" + b32encode(sha256(b"demo").digest())[:16].decode()


TOOLS: Final[Mapping[str, Callable[..., Any]]] = MappingProxyType(
    {tool.__name__: tool for tool in (get_weather, convert_currency, search_documents, delete_documents, book_trip)}
)


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold()))
