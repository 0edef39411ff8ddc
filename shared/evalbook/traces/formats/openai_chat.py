"""OpenAI chat messages: calls in `tool_calls` of the assistant's messages, answers in messages of role tool.

The format has no mark for a call that failed, so a call's status stays unset.
"""

from typing import Final

from evalbook.traces.formats._chat import CHAT
from evalbook.traces.formats._format import Format
from evalbook.traces.formats._marks import FormatMark
from evalbook.traces.formats._messages import reader

FORMAT: Final = Format(
    name="openai_chat",
    title="OpenAI chat messages and responses",
    tools="openai for Python; servers that imitate it",
    reads="`tool_calls`, custom tools, `function_call`; answers by id, else by name, else"
    " by order; a response with one choice",
    unread="failure (no mark); streamed chunks (refused)",
    setting="keep whole messages: a log of texts alone has no calls",
    family="messages",
    marks=(
        FormatMark(view="call", has=("function",), lacks=("args",)),
        FormatMark(view="call", has=("custom",)),
        FormatMark(view="item", has=("role", "function_call")),
        FormatMark(view="item", has=("tool_call_id",), equals={"role": frozenset({"tool"})}),
        FormatMark(view="item", has=("name",), equals={"role": frozenset({"function"})}),
        FormatMark(view="item", has=("role", "content"), weak=True),
        FormatMark(view="document", has=("messages",), weak=True),
    ),
    read=reader(CHAT),
    rank=1,
)
