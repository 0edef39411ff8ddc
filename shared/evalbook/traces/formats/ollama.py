"""Ollama's chat messages: OpenAI's with an object of arguments, mostly without ids; answers name the tool."""

from typing import Final

from evalbook.traces.formats._chat import CHAT
from evalbook.traces.formats._format import Format
from evalbook.traces.formats._marks import FormatMark
from evalbook.traces.formats._messages import reader

FORMAT: Final = Format(
    name="ollama",
    title="Ollama chat messages",
    tools="ollama for Python",
    reads="as `openai_chat`; answers by `tool_name`",
    unread="failure (no mark)",
    setting="",
    family="messages",
    marks=(FormatMark(view="item", has=("tool_name",), equals={"role": frozenset({"tool"})}),),
    read=reader(CHAT),
    rank=2,
)
