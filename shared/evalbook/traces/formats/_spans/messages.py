"""Calls as the messages on spans show them: asked for in one, answered in a later one, repeated in every history."""

import re
from collections.abc import Iterator
from typing import Final

from evalbook.jsonio.values import Json
from evalbook.traces.formats._gaps import Gaps, looks_like_printed_call, may_be_call
from evalbook.traces.formats._spans.record import Event, Record, name_of, nested, structure_of
from evalbook.traces.formats._spans.shapes import (
    Answered,
    Asked,
    Heard,
    answer_in,
    asked_in,
    is_known_type,
    is_nameless_call,
    kind_of_part,
)
from evalbook.traces.formats._spans.vocabularies import VOCABULARIES
from evalbook.traces.formats._spans.vocabulary import SpanVocabulary

_SKIPPED: Final = frozenset({
    "tools", "tool_definitions", "functions", "parameters", "input_schema", "json_schema", "invocation_params",
    "config", "serialized", "response_format", "tool_choice", "toolConfig", "usage", "usage_metadata",
    "response_metadata",
    "function_tools", "tool_call_chunks", "invalid_tool_calls", "model_request_parameters", "lc_attributes",
    "generation_info", "llm_output", "text_format", "reasoning", "toolChoice", "tools_config", "toolDefinitions",
})  # fmt: skip
_REPEATING: Final = ("tool_calls", "toolCalls")
_SAID_BY_OTHERS: Final = frozenset({"user", "system", "human", "developer", "tool", "function"})
_FINAL: Final = "final_result"
_DETAILS: Final = "gen_ai.client.inference.operation.details"
_OLD_EVENTS: Final = frozenset({
    "gen_ai.system.message", "gen_ai.user.message", "gen_ai.assistant.message", "gen_ai.tool.message", "gen_ai.choice",
})  # fmt: skip
_CALL_MEMBERS: Final = ("arguments", "args", "input")
_JSON_BEGINS: Final = re.compile(r"""\s*(?:\{\s*"|\[\s*[\[{"])""")
_MAX_DEPTH: Final = 30
TOOL_FINISHES: Final = frozenset({"tool_call", "tool_calls", "tool-calls", "tool_use", "function_call", "tool-call"})
"""What a model's reply ends for where it asks for tools."""


class _Listener:
    def __init__(self, gaps: Gaps, pointer: str) -> None:
        self.gaps = gaps
        self.pointer = pointer
        self.heard = Heard()
        self.message = 0

    def hear(self, node: Json, key: str | None = None, role: str | None = None, depth: int = 0) -> None:
        """Take the calls and answers of *node* and of what it holds."""
        if depth > _MAX_DEPTH:
            self.gaps.add(self.pointer, "is nested too deep to be read")
        elif type(node) is list:
            for element in node:
                self.hear(element, key, role, depth + 1)
        elif type(node) is dict:
            self._hear_object(node, key, role, depth)
        elif type(node) is str and node:
            self._hear_text(node, key, role, depth)

    def _hear_object(self, node: dict[str, Json], key: str | None, role: str | None, depth: int) -> None:
        if "role" in node or node.get("type") in ("ai", "human", "system", "tool"):
            self.message += 1
            role = str(node.get("role", node.get("type"))).lower()
        answer = answer_in(node, self.pointer)
        if answer is not None:
            self.heard.entries.append(answer)
            return
        asked = asked_in(node, key, self.pointer, self.message)
        if asked is not None:
            self.heard.entries.append(asked)
            return
        self._note_unread(node, key)
        before = len(self.heard.entries)
        self._hear_members(node, role, depth)
        ended = node.get("finish_reason")
        if "role" in node and type(ended) is str and ended in TOOL_FINISHES and len(self.heard.entries) == before:
            self.gaps.add(self.pointer, "has a reply that ended in a call, which is not there")

    def _note_unread(self, node: dict[str, Json], key: str | None) -> None:
        """Note why *node*, which is no call that can be read, may be one."""
        kind = kind_of_part(node)
        if kind is not None and may_be_call(kind) and not is_known_type(kind):
            self.gaps.add(self.pointer, "has a part of a type that is not known and may be a call")
        elif (key in _REPEATING and node) or is_nameless_call(node):
            self.gaps.add(self.pointer, "asks for a call that has no name")
        elif kind is not None and name_of(node.get("name")) and any(node.get(one) for one in _CALL_MEMBERS):
            self.gaps.add(self.pointer, "has a part of a type that is not known, with a name and arguments")

    def _hear_members(self, node: dict[str, Json], role: str | None, depth: int) -> None:
        repeats = any(node.get(one) for one in _REPEATING)
        for name, member in node.items():
            if name in _SKIPPED or (repeats and name == "additional_kwargs"):
                continue
            if may_be_call(name) and type(member) is str and member and name not in ("tool_call_id", "finish_reason"):
                self._hear_odd(name, member, depth)
                continue
            self.hear(member, name, role, depth + 1)

    def _hear_odd(self, name: str, member: str, depth: int) -> None:
        """A text under a name that sounds like calls: a JSON text of them, or a part that is not known."""
        held = structure_of(member)
        if held is not None:
            self.hear(held, name, None, depth + 1)
        elif name in _REPEATING or _is_cut(member) or looks_like_printed_call(member):
            self.gaps.add(self.pointer, "may hold a call in a printed form, or in a text that was cut")

    def _hear_text(self, text: str, key: str | None, role: str | None, depth: int) -> None:
        held = structure_of(text)
        if held is not None and role not in ("user", "system", "human", "developer"):
            before = len(self.heard.entries)
            self.hear(held, key, role, depth + 1)
            if len(self.heard.entries) > before:
                return
        if role not in _SAID_BY_OTHERS and (looks_like_printed_call(text) or (held is None and _is_cut(text))):
            self.gaps.add(self.pointer, "may hold a call in a printed form, or in a text that was cut")


def without_final_form(record: Record, entries: list[Asked | Answered]) -> list[Asked | Answered]:
    """*entries* without calls of the tool by which Pydantic AI gives the answer its form: it is no action."""
    if not record.scope.startswith("pydantic-ai"):
        return entries
    named = {one.call_id for one in entries if isinstance(one, Asked) and one.name == _FINAL}
    return [one for one in entries if (one.name or "") != _FINAL and (one.call_id is None or one.call_id not in named)]


def _is_cut(text: str) -> bool:
    """Whether *text*, which is no JSON, begins as JSON does: an exporter's limit cut it."""
    return _JSON_BEGINS.match(text) is not None


def conversations(record: Record, gaps: Gaps) -> Iterator[list[Asked | Answered]]:
    """What each group of messages on *record* holds, in order; calls of the output are marked as new ones."""
    for vocabulary in VOCABULARIES:
        for group in vocabulary.messages:
            heard = _group(record, vocabulary, group, gaps)
            if heard:
                yield heard
    for events in (_details(record.events), _old(record.events), _bodies(record.events)):
        heard = _of_events(events, gaps)
        if heard:
            yield heard


def _group(record: Record, vocabulary: SpanVocabulary, group: tuple[str, ...], gaps: Gaps) -> list[Asked | Answered]:
    halves = [_heard(record, name, nested(record.attributes, name), gaps) for name in group]
    if vocabulary.name == "langfuse" and group == ("langfuse.requested",):
        halves = [_heard(record, group[0], {"tool_calls": record.attributes.get(group[0])}, gaps)]
    if len(halves) == 1:
        return halves[0]
    return joined_halves(*halves)


def _heard(record: Record, name: str, value: Json, gaps: Gaps) -> list[Asked | Answered]:
    if value is None:
        return []
    listener = _Listener(gaps, record.pointer)
    key = "tool_calls" if name.endswith("toolCalls") else None
    held = structure_of(value)
    if held is None and type(value) is str:
        is_said_to_it = name.endswith(("input.value", ".input"))
        if is_said_to_it and _is_cut(value):
            gaps.add(record.pointer, "has an attribute whose text was cut")
        listener.hear(value, key, "user" if is_said_to_it else "assistant")
    else:
        listener.hear(held, key)
    return listener.heard.entries


def joined_halves(before: list[Asked | Answered], after: list[Asked | Answered]) -> list[Asked | Answered]:
    """A history and what came of it; a state that repeats the whole history counts once."""
    asked = [_same(one) for one in before if isinstance(one, Asked)]
    now = [_same(one) for one in after if isinstance(one, Asked)]
    if asked and now[: len(asked)] == asked:
        for one in after:
            if isinstance(one, Asked):
                one.is_new = asked.pop(0) != _same(one) if asked else True
        return after
    for one in after:
        if isinstance(one, Asked):
            one.is_new = True
    return [*before, *after]


def _same(asked: Asked) -> tuple[str, str | None, str]:
    return asked.name, asked.call_id, repr(asked.arguments)


def _of_events(halves: tuple[list[tuple[str, Json]], list[tuple[str, Json]]], gaps: Gaps) -> list[Asked | Answered]:
    found: list[list[Asked | Answered]] = []
    for half in halves:
        entries: list[Asked | Answered] = []
        for number, (pointer, message) in enumerate(half):
            listener = _Listener(gaps, pointer)
            listener.message = number * 1000
            listener.hear(message)
            entries.extend(listener.heard.entries)
        found.append(entries)
    return joined_halves(*found)


_Halves = tuple[list[tuple[str, Json]], list[tuple[str, Json]]]


def _details(events: list[Event]) -> _Halves:
    named = [(event, event.body if type(event.body) is dict else event.attributes) for event in events]
    named = [(event, held) for event, held in named if event.name == _DETAILS]
    return (
        [(event.pointer, structure_of(held.get("gen_ai.input.messages"))) for event, held in named],
        [(event.pointer, structure_of(held.get("gen_ai.output.messages"))) for event, held in named],
    )


def _old(events: list[Event]) -> _Halves:
    """Events of the conventions up to 1.36: one a message, its parts as attributes or as the log record's body."""
    halves: _Halves = ([], [])
    for event in events:
        if event.name in _OLD_EVENTS:
            held = event.body if type(event.body) is dict else event.attributes
            role = str(held.get("role") or event.name.split(".")[1]).replace("choice", "assistant")
            message = {name: structure_of(value) or value for name, value in held.items() if "." not in name}
            if role == "tool" and type(message.get("content")) is list:
                message.pop("id", None)
            halves[event.name == "gen_ai.choice"].append((event.pointer, {**message, "role": role}))
    return halves


def _bodies(events: list[Event]) -> _Halves:
    """Log records of AWS' distribution: input and output messages whose content is the framework's own."""
    halves: _Halves = ([], [])
    for event in events:
        if type(event.body) is dict and event.name not in _OLD_EVENTS and event.name != _DETAILS:
            for place, name in enumerate(("input", "output")):
                if event.body.get(name) is not None:
                    halves[place].append((event.pointer, event.body[name]))
    return halves
