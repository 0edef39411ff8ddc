"""Gemini contents: parts named by their only member; answers by id, else by the tool's name, else by order."""

from typing import Final

from evalbook.traces.formats._format import Format
from evalbook.traces.formats._gemini import GEMINI
from evalbook.traces.formats._marks import FormatMark
from evalbook.traces.formats._messages import reader

FORMAT: Final = Format(
    name="gemini_contents",
    title="Gemini contents and responses",
    tools="google-genai, types of 2026",
    reads="`functionCall` and `functionResponse` (also snake case), tools and code that the service ran",
    unread="failure of functions (no mark); fragments of streamed calls (incomplete)",
    setting="",
    family="messages",
    marks=(
        FormatMark(view="part", has=("functionCall",), lacks=("type",)),
        FormatMark(view="part", has=("function_call",), lacks=("type",)),
        FormatMark(view="part", has=("functionResponse",), lacks=("type",)),
        FormatMark(view="part", has=("function_response",), lacks=("type",)),
        FormatMark(view="part", has=("executableCode",), lacks=("type",)),
        FormatMark(view="part", has=("executable_code",), lacks=("type",)),
        FormatMark(view="part", has=("toolCall",), lacks=("type",)),
        FormatMark(view="part", has=("tool_call",), lacks=("type",)),
        FormatMark(view="document", has=("candidates",)),
        FormatMark(view="item", has=("parts",), equals={"role": frozenset({"model"})}, weak=True),
        FormatMark(view="document", has=("contents",), weak=True),
    ),
    read=reader(GEMINI),
    rank=3,
)
