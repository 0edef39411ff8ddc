"""What one instrumentation's vocabulary is, as data: where on a span each part of a call stands."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

EMPTY: Final[Mapping[str, str]] = {}

TOOL: Final = "tool"
RETRIEVAL: Final = "retrieval"
HANDOFF: Final = "handoff"
AGENT: Final = "agent"
LLM: Final = "llm"
OTHER: Final = "other"
PART: Final = "part"
"""A record of another span's call: its outcome and nothing more."""
OP: Final = "op"
"""A traced function of a platform that does not say which of them are tools."""
SILENT: Final = "silent"
"""A kind that says nothing: other signs decide."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpanVocabulary:
    """One vocabulary of span attributes. All names are dotted; all values of kinds and outcomes in small letters.

    `marks` are names (with what is below them) that only this vocabulary has, `scopes` the beginnings of its
    instrumentations' names. `kind` holds the attributes with an explicit kind and `kinds` what their values mean; with
    `closed`, values that are not listed are known to be no calls; with `is_listed` there are no others, so that one is
    not understood. `evidence` are attributes that only the span of a
    called tool has. `messages` are groups of attributes (input, then output) with the messages of a model span, as a
    JSON text, a structure or flattened. `failed` and `refused` say which values mean that a call failed or never ran.
    `harmless` attributes sound like calls and are none. `spans` are forms of span names, with the tool's name as group;
    with `spans_need_marks` they mean something beside a mark only. With `names_span` a tool's span has the tool's name.
    """

    name: str
    marks: tuple[str, ...] = ()
    scopes: tuple[str, ...] = ()
    kind: tuple[str, ...] = ()
    kinds: Mapping[str, str] = field(default_factory=lambda: EMPTY)
    closed: bool = False
    is_listed: bool = False
    is_operation: bool = False
    evidence: tuple[str, ...] = ()
    tool_names: tuple[str, ...] = ()
    agent_names: tuple[str, ...] = ()
    call_ids: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    results: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    messages: tuple[tuple[str, ...], ...] = ()
    failed: Mapping[str, frozenset[str]] = field(default_factory=dict)
    refused: Mapping[str, frozenset[str]] = field(default_factory=dict)
    finishes: tuple[str, ...] = ()
    harmless: tuple[str, ...] = ()
    spans: tuple[tuple[re.Pattern[str], str], ...] = ()
    spans_need_marks: bool = False
    names_span: bool = False
