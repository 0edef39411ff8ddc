"""The formats that can be read, by name."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from evalbook.jsonio.values import Json
from evalbook.traces.formats import anthropic_messages, langchain_messages, openai_chat, openinference, otel_genai

Reader = Callable[[Json], dict[str, Json]]

FORMATS: Final[Mapping[str, Reader]] = MappingProxyType(
    {
        "anthropic_messages": anthropic_messages.read,
        "langchain_messages": langchain_messages.read,
        "openai_chat": openai_chat.read,
        "openinference": openinference.read,
        "otel_genai": otel_genai.read,
    }
)
"""Each reader gives the wire trace of a recorded document, or raises `Refused` where it is not of its format."""
