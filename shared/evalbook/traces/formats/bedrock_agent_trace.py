"""Trace parts of Bedrock agents: what a step invoked and what it observed are two parts with one `traceId`."""

from collections.abc import Iterator
from typing import Final

from evalbook.domain.errors import Problem, Refused
from evalbook.jsonio.values import Json
from evalbook.traces.formats._format import Format
from evalbook.traces.formats._gaps import Gaps, WireTrace, key_pointer, may_be_call
from evalbook.traces.formats._marks import FormatMark
from evalbook.traces.formats._messages import read_messages
from evalbook.traces.formats._parts import text_of
from evalbook.traces.formats._paths import at, first_at
from evalbook.traces.formats._rules import (
    Answer,
    Dialect,
    Documents,
    End,
    Ending,
    HandsOver,
    MessageCall,
    MessageVocabulary,
    Retrieved,
)

_ANSWER: Final = Answer(
    call_id=("traceId",),
    name=(),
    endings=(
        Ending("executionError", End.FAILED),
        Ending("executionTimeout", End.FAILED),
        Ending("failed", End.FAILED),
    ),
    members=frozenset({"text", "executionOutput", "files", "metadata", "source"}),
)
_LOCATIONS: Final = (
    "location/s3Location/uri", "location/webLocation/url", "location/confluenceLocation/url",
    "location/salesforceLocation/url", "location/sharePointLocation/url", "location/kendraDocumentLocation/uri",
    "location/customDocumentLocation/id", "location/sqlLocation/query",
)  # fmt: skip
_DIALECT: Final = Dialect(
    items=MessageVocabulary(
        key="kind",
        rules={
            "call": (
                MessageCall(
                    call_id=("traceId",),
                    endings=(Ending("executionType", End.UNKNOWN, frozenset({"RETURN_CONTROL"})),),
                    members=frozenset({"invocationId"}),
                ),
            ),
            "answer": (_ANSWER,),
            "lookup": (Retrieved(documents=Documents("documents", _LOCATIONS)),),
            "handoff": (HandsOver(source=("source",), target=("target",)),),
        },
        members=frozenset({"documents"}),
    ),
    unanswered=End.UNKNOWN,
)
_INPUT: Final = "invocationInput"
_KNOWN: Final = frozenset(
    {"modelInvocationInput", "modelInvocationOutput", "rationale", "invocationInput", "observation", "event"}
)
_OUTPUTS: Final = ("actionGroupInvocationOutput", "codeInterpreterInvocationOutput")
_INPUTS: Final = frozenset(
    {"actionGroupInvocationInput", "codeInterpreterInvocationInput", "knowledgeBaseLookupInput", "traceId"}
    | {"agentCollaboratorInvocationInput", "invocationType"}
)
_OBSERVED: Final = frozenset(
    {*_OUTPUTS, "knowledgeBaseLookupOutput", "agentCollaboratorInvocationOutput", "finalResponse", "repromptResponse"}
    | {"traceId", "type"}
)


def _read(document: Json) -> WireTrace:
    """The trace of a list of trace parts, or of the events that carry them."""
    if type(document) is not list:
        raise Refused([Problem("", "must be the list of all parts of a trace")])
    parts = document
    wrong = [Problem(f"/{index}", "must be an object") for index, part in enumerate(parts) if type(part) is not dict]
    if wrong or not any("trace" in part for part in parts):
        raise Refused(wrong or [Problem("", "holds no part of a trace")])
    opened = [part["trace"] if type(at(part, "trace/trace")) is dict else part for part in parts]
    if len({session for part in opened if (session := text_of(part.get("sessionId")))}) > 1:
        raise Refused([Problem("", "holds several sessions: split it, one document a session")])
    gaps = Gaps()
    items = [item for index, part in enumerate(opened) for item in _items(part, f"/{index}", gaps)]
    return read_messages({"messages": items}, _DIALECT, found=gaps)


def _items(part: dict[str, Json], pointer: str, gaps: Gaps) -> Iterator[Json]:
    traces = part.get("trace")
    if type(traces) is not dict:
        if "chunk" not in part:
            gaps.add(pointer, "is no part of a trace")
        return
    for name, body in traces.items():
        where = key_pointer(pointer + "/trace", name)
        if name == "failureTrace" and type(body) is dict:
            yield {"kind": "answer", "traceId": body.get("traceId"), "failed": True}
        elif type(body) is not dict or (may_be_call(name) and name != "customOrchestrationTrace"):
            gaps.add(where, "is no part of a trace that the format knows")
        elif name != "guardrailTrace":
            _note_unknown(body, _KNOWN, where, gaps)
            yield from _asked(part, body.get(_INPUT), key_pointer(where, _INPUT), gaps)
            yield from _observed(body.get("observation"), f"{where}/observation", gaps)


def _note_unknown(body: dict[str, Json], known: frozenset[str], pointer: str, gaps: Gaps) -> None:
    for name, value in body.items():
        if name not in known and type(value) in (dict, list):
            gaps.add(key_pointer(pointer, name), "is a member that the format does not know and may hold a call")


def _asked(part: dict[str, Json], asked: Json, pointer: str, gaps: Gaps) -> Iterator[Json]:
    if type(asked) is not dict:
        return
    _note_unknown(asked, _INPUTS, pointer, gaps)
    same = {"kind": "call", "traceId": asked.get("traceId")}
    action = asked.get("actionGroupInvocationInput")
    if type(action) is dict:
        _note_unknown(action, frozenset({"parameters", "requestBody"}), key_pointer(pointer, "actionGroup"), gaps)
        kept = {name: action.get(name) for name in ("executionType", "invocationId")}
        yield {**same, **kept, "name": _action(action), "arguments": _arguments(action)}
    if type(asked.get("codeInterpreterInvocationInput")) is dict:
        yield {**same, "name": "code_interpreter"}
    target = at(asked, "agentCollaboratorInvocationInput/agentCollaboratorName")
    if target is not None:
        yield {"kind": "handoff", "source": part.get("agentId"), "target": target}


def _observed(observed: Json, pointer: str, gaps: Gaps) -> Iterator[Json]:
    if type(observed) is not dict:
        return
    _note_unknown(observed, _OBSERVED, pointer, gaps)
    for name in _OUTPUTS:
        if type(observed.get(name)) is dict:
            yield {**observed[name], "kind": "answer", "traceId": observed.get("traceId")}
    found = at(observed, "knowledgeBaseLookupOutput/retrievedReferences")
    if type(found) is list:
        yield {"kind": "lookup", "documents": found}


def _action(action: dict[str, Json]) -> str | None:
    """The function's name; an action by its path has none, and is called by its method and path."""
    path, verb = text_of(action.get("apiPath")), text_of(action.get("verb"))
    return text_of(action.get("function")) or (f"{verb} {path}" if verb and path else None)


def _arguments(action: dict[str, Json]) -> Json:
    """The parameters, and those of the request's body, by name; their values are texts, and stay texts."""
    bodies = at(action, "requestBody/content")
    if action.get("requestBody") is not None and type(bodies) is not dict:
        return None
    lists = [action.get("parameters"), *(bodies.values() if type(bodies) is dict else ())]
    pairs = [pair for held in lists if type(held) is list for pair in held]
    named = [pair for pair in pairs if type(pair) is dict and text_of(pair.get("name")) and "value" in pair]
    if len(named) < len(pairs) or len({pair["name"] for pair in named}) < len(named):
        return None
    return {pair["name"]: first_at(pair, ("value",)) for pair in named}


FORMAT: Final = Format(
    name="bedrock_agent_trace",
    title="Bedrock agent traces",
    tools="the service model in botocore 1.43",
    reads="action groups, code interpreter, knowledge base lookups, collaborators as handoffs, failures",
    unread="actions returned to the application (incomplete); values of parameters other than as text",
    setting="`enableTrace=True` in `invoke_agent`",
    family="events",
    marks=(
        FormatMark(view="item", has=("trace", "sessionId")),
        FormatMark(view="item", has=("trace", "agentId")),
        FormatMark(view="item", has=("trace/orchestrationTrace",)),
        FormatMark(view="item", has=("trace/trace/orchestrationTrace",)),
    ),
    read=_read,
    rank=7,
    by_line=True,
)
