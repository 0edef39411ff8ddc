"""What a record is: an explicit kind of any vocabulary, else its operation, else what only a called tool's span has."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from evalbook.jsonio.values import Json
from evalbook.traces.formats._gaps import may_be_call
from evalbook.traces.formats._spans.record import Record, name_of
from evalbook.traces.formats._spans.vocabularies import VOCABULARIES
from evalbook.traces.formats._spans.vocabulary import (
    AGENT,
    HANDOFF,
    LLM,
    OP,
    OTHER,
    PART,
    RETRIEVAL,
    SILENT,
    TOOL,
    SpanVocabulary,
)

_STRENGTH: Final = (HANDOFF, TOOL, PART, RETRIEVAL, OP, AGENT, LLM, OTHER)
_HANDOFF_NAME: Final = re.compile(r"handoff to (.+)", re.IGNORECASE)
_FINAL: Final = "final_result"
_MERGED: Final = "(merged tools)"


@dataclass(frozen=True, slots=True)
class SpanRole:
    """What a record is, whether a vocabulary said so, and why it may be more than that.

    Of a record with `is_whole` nothing can be missed: it is bookkeeping.
    """

    kind: str
    is_said: bool
    doubt: str | None = None
    is_whole: bool = False


def is_known(record: Record) -> bool:
    """Whether *record* has a positive mark: an attribute, event or scope that only a known vocabulary has."""
    if any(record.has_any(*one.marks) for one in VOCABULARIES if one.marks):
        return True
    if any(_speaks_scope(record, one) for one in VOCABULARIES) or _by_name(record) not in (None, OTHER):
        return True
    return any(event.name.startswith("gen_ai.") or type(event.body) is dict for event in record.events)


def _speaks_scope(record: Record, vocabulary: SpanVocabulary) -> bool:
    return any(record.scope == one or record.scope.startswith((f"{one}.", f"{one}/")) for one in vocabulary.scopes)


def kind_of_record(record: Record) -> SpanRole:
    """The kind of *record*; where its signs contradict each other the one that may be a call leaves a doubt."""
    said, strange = _explicit(record)
    operation, odd = _operation(record)
    if _is_bookkeeping(record):
        return SpanRole(OTHER, is_said=True, is_whole=True)
    if said in (AGENT, LLM, OTHER) and record.has_any("claude_code."):
        # Its spans and events hold one thing each, in attributes without a prefix that others would not be known by.
        return SpanRole(said, is_said=True, is_whole=True)
    if said is not None and said != OTHER:
        doubt = operation == TOOL and said not in (TOOL, HANDOFF, PART)
        return _doubted(_handed_over(record, said), "has a kind that its operation contradicts" if doubt else None)
    kind = operation if operation not in (None, OTHER) else None
    is_evident = any(record.has_any(*one.evidence) for one in VOCABULARIES if one.evidence)
    if kind in (LLM, AGENT) and is_evident:
        return _doubted(kind, "is no tool's span and has attributes of a call")
    kind = kind or (TOOL if is_evident else None) or _by_name(record)
    kind = kind or (OTHER if said or operation else None)
    unknown = strange or odd
    if kind in (None, OTHER) and unknown:
        return _doubted(OTHER, "has a kind or operation that is not known and may be a call")
    return SpanRole(kind or OTHER, is_said=kind is not None)


def _doubted(kind: str, doubt: str | None) -> SpanRole:
    return SpanRole(kind, is_said=True, doubt=doubt)


def _explicit(record: Record) -> tuple[str | None, bool]:
    """The strongest explicit kind, and whether there is one that is not known and may be a call."""
    found: list[str] = []
    strange = False
    for vocabulary in VOCABULARIES:
        if vocabulary.is_operation:
            continue
        text = _kind_text(record, vocabulary)
        if text is None:
            continue
        kind = vocabulary.kinds.get(text, OTHER if vocabulary.closed else None)
        if kind is not None and kind != SILENT:
            found.append(kind)
        strange = strange or (kind is None and (vocabulary.is_listed or may_be_call(text)))
    return next((one for one in _STRENGTH if one in found), None), strange


def _kind_text(record: Record, vocabulary: SpanVocabulary) -> str | None:
    text = name_of(record.first(*vocabulary.kind)) if vocabulary.kind else None
    if text is not None and vocabulary.name == "ai_sdk":
        # A function's id may stand behind the operation; other tools write operation.name too.
        text = text.split(" ", 1)[0] if text.startswith("ai.") else None
    if text is not None and vocabulary.name in ("claude_code", "ai_sdk"):
        return text.lower()
    return text.strip().lower() if text is not None else None


def _operation(record: Record) -> tuple[str | None, bool]:
    for vocabulary in VOCABULARIES:
        if vocabulary.is_operation and (text := name_of(record.first(*vocabulary.kind))):
            kind = vocabulary.kinds.get(text.strip().lower())
            return (None if kind == SILENT else kind), kind is None and may_be_call(text)
    return None, False


def _by_name(record: Record) -> str | None:
    """What the name of the span says, in the forms that the vocabularies give it."""
    return next((kind for kind, _ in _name_forms(record)), None)


def _name_forms(record: Record) -> Iterator[tuple[str, str | None]]:
    for vocabulary in VOCABULARIES:
        if vocabulary.spans_need_marks and not record.has_any(*vocabulary.marks):
            continue
        for form, kind in vocabulary.spans:
            if found := form.fullmatch(record.name):
                yield kind, found[1] if form.groups else None


def _handed_over(record: Record, kind: str) -> str:
    """A handoff that an instrumentation calls a tool: it has no tool's name, and its own says to whom."""
    if kind != TOOL or not _HANDOFF_NAME.fullmatch(record.name):
        return kind
    named = name_of(record.first("tool.name", "gen_ai.tool.name"))
    return HANDOFF if named is None or _HANDOFF_NAME.fullmatch(named) else kind


def _is_bookkeeping(record: Record) -> bool:
    """What frameworks record as a call and is none: merged results, the final answer's form, writes to a store."""
    if record.first("spring.ai.kind") == "vector_store" and record.first("db.operation.name") not in (None, "query"):
        return True
    name = record.first("gen_ai.tool.name")
    if name == _MERGED or record.name.startswith("running output function"):
        return True
    is_pydantic = record.scope.startswith("pydantic-ai") or record.has_any("pydantic_ai.")
    return name == _FINAL and is_pydantic


def tool_name(record: Record) -> str | None:
    """The tool's own name: an attribute of any vocabulary, else the span's name, without what is put before it.

    None where there is neither: what a span is shown as is no tool's name.
    """
    attributes = (_named(record, vocabulary) for vocabulary in (VOCABULARIES[-1], *VOCABULARIES[:-1]))
    own = next((name for name in attributes if name), None)
    if own is not None:
        return own
    forms = list(_name_forms(record))
    inner = next((name for kind, name in forms if kind == TOOL and name), None)
    if inner is not None or forms:
        return inner
    return record.name or None if any(_names_span(record, one) for one in VOCABULARIES) else None


def is_named_by_display(record: Record) -> bool:
    """Whether the tool's name is what the span is shown as, for want of an attribute: it may be a class's name."""
    by_attribute = any(_named(record, vocabulary) for vocabulary in VOCABULARIES)
    is_shown = _names_span(record, VOCABULARIES[0]) and not any(_names_span(record, one) for one in VOCABULARIES[1:])
    return is_shown and not by_attribute


def _named(record: Record, vocabulary: SpanVocabulary) -> str | None:
    return name_of(record.first(*vocabulary.tool_names)) if vocabulary.tool_names else None


def _names_span(record: Record, vocabulary: SpanVocabulary) -> bool:
    return vocabulary.names_span and vocabulary.kinds.get(_kind_text(record, vocabulary) or "") == TOOL


def ends_of(record: Record) -> dict[str, Json]:
    """The two ends of a handoff, as far as they are recorded."""
    source = _first_of(record, "sources")
    target = _first_of(record, "targets")
    if found := _HANDOFF_NAME.fullmatch(record.name):
        source = source or name_of(record.first("input.value"))
        target = target or name_of(record.first("output.value")) or found[1]
    ends = {"source_agent": source, "target_agent": target}
    return {name: agent for name, agent in ends.items() if agent}


def _first_of(record: Record, part: str) -> str | None:
    names = (name_of(record.first(*getattr(one, part))) for one in VOCABULARIES if getattr(one, part))
    return next((name for name in names if name), None)


def agent_name(record: Record) -> str | None:
    """The name of the agent whose span *record* is."""
    names = [one.agent_names for one in (VOCABULARIES[-1], *VOCABULARIES[:-1]) if one.agent_names]
    return next((found for one in names if (found := name_of(record.first(*one)))), None)
