"""Reading messages as the packages that define them dump them.

Runs apart from the unit tests, with anthropic and langchain-core installed; without them it fails.
"""

import json

import pytest
from anthropic.types import Message, TextBlock, ToolUseBlock, Usage
from anthropic.types.server_tool_use_block import ServerToolUseBlock
from anthropic.types.web_search_tool_result_block import WebSearchToolResultBlock
from anthropic.types.web_search_tool_result_error import WebSearchToolResultError
from langchain_core.documents import Document
from langchain_core.load import dumpd
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage, messages_to_dict

from evalbook.domain.case import Case
from evalbook.jsonio.values import ABSENT
from evalbook.traces.formats.catalog import formats
from evalbook.traces.wire import read_trace


def spans(name, document):
    wire = formats()[name].read(json.loads(json.dumps(document)))
    return read_trace(Case("case", trace=wire)).spans


def summary(found):
    return [(span.kind.value, span.name, span.executed, span.errored, span.arguments) for span in found]


def anthropic_reply(*blocks):
    usage = Usage(input_tokens=1, output_tokens=1)
    message = Message(
        id="m", content=list(blocks), model="m", role="assistant", type="message", stop_reason="tool_use", usage=usage
    )
    return message.model_dump(mode="json")


def test_anthropic_calls_and_their_results():
    reply = anthropic_reply(
        TextBlock(type="text", text="x", citations=None),
        ToolUseBlock(type="tool_use", id="t1", name="f", input={"a": 1}),
        ToolUseBlock(type="tool_use", id="t2", name="g", input={}),
    )
    result = {"type": "tool_result", "tool_use_id": "t1", "content": "no", "is_error": True}

    found = spans("anthropic_messages", [reply, {"role": "user", "content": [result]}])

    assert summary(found) == [("tool", "f", True, True, {"a": 1}), ("tool", "g", False, False, {})]


def test_an_anthropic_search_that_failed():
    reply = anthropic_reply(
        ServerToolUseBlock(type="server_tool_use", id="s1", name="web_search", input={"query": "q"}),
        WebSearchToolResultBlock(
            type="web_search_tool_result",
            tool_use_id="s1",
            content=WebSearchToolResultError(type="web_search_tool_result_error", error_code="unavailable"),
        ),
    )

    found = spans("anthropic_messages", [reply])

    assert summary(found) == [("tool", "web_search", True, True, {"query": "q"})]


CONVERSATION = [
    HumanMessage("?"),
    AIMessage(
        "",
        tool_calls=[{"name": "f", "args": {"a": 1}, "id": "c1"}, {"name": "search", "args": {}, "id": "c2"}],
        invalid_tool_calls=[{"name": "g", "args": '{"a":', "id": "c3", "error": "x"}],
    ),
    ToolMessage("no", tool_call_id="c1", status="error"),
    ToolMessage("x", tool_call_id="c2", artifact=[Document("t", id="doc-1"), Document("t", id="doc-2")]),
]


@pytest.mark.parametrize(
    "dump",
    [
        lambda messages: [message.model_dump(mode="json") for message in messages],
        messages_to_dict,
        dumpd,
    ],
    ids=["model_dump", "messages_to_dict", "dumpd"],
)
def test_langchain_calls_and_their_results(dump):
    document = json.loads(json.dumps(dump(CONVERSATION), default=lambda value: value.model_dump(mode="json")))

    found = spans("langchain_messages", document)

    assert summary(found) == [
        ("tool", "f", True, True, {"a": 1}),
        ("tool", "search", True, False, {}),
        ("tool", "g", False, False, ABSENT),
        ("retrieval", "search", True, False, ABSENT),
    ]
    assert [one.id for one in found[-1].documents] == ["doc-1", "doc-2"]
