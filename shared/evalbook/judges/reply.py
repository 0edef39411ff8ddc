"""The strict contract of a judge's reply.

Checked in this order, and the first fault found is the reply's code: how the model stopped, whether there is a text,
whether it is JSON, an object, with exactly the right keys, then verdict, score and the rest.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from evalbook.domain.outcome import Code
from evalbook.jsonio.values import Json
from evalbook.judges.parameter_types import is_whole, plain
from evalbook.judges.reply_json import ReplyUnusable, read_object
from evalbook.judges.reply_schema import MAX_EVIDENCE, MAX_QUOTE_CHARS, FieldKind, ReplyField, reply_fields
from evalbook.judges.version import JudgeParameters

FINISHES: Final[Mapping[str, Code | None]] = {
    **dict.fromkeys(("stop", "end", "end_turn", "end_of_turn", "eos", "eos_token", "endoftext"), None),
    **dict.fromkeys(("complete", "completed", "finished"), None),
    # A reply that met a stop sequence is whole or not: the strict contract finds out.
    **dict.fromkeys(("stop_sequence", "stop_criteria_met"), None),
    **dict.fromkeys(("length", "max_tokens", "max_output_tokens", "token_limit"), Code.REPLY_TRUNCATED),
    **dict.fromkeys(("model_length", "model_context_window_exceeded", "max_context"), Code.REPLY_TRUNCATED),
    **dict.fromkeys(("error_limit", "not_finished", "incomplete"), Code.REPLY_TRUNCATED),
    **dict.fromkeys(("content_filter", "content_filtered", "guardrail_intervened"), Code.REPLY_FILTERED),
    **dict.fromkeys(("safety", "blocklist", "prohibited_content", "recitation", "spii"), Code.REPLY_FILTERED),
    **dict.fromkeys(("sensitive", "error_toxic"), Code.REPLY_FILTERED),
    "refusal": Code.REPLY_REFUSED,
}
"""How a reply ended, by the words that servers use: None where the model stopped by itself, else why it is unusable.

The table is closed, and words are compared whole: in lower case, hyphens as underscores, without an enumeration's name
before them (`FinishReason.STOP`, `FINISH_REASON_STOP`).
"""

_ENUMERATION: Final = re.compile(r"(?:[a-z]*reason\.|finish_reason_)", re.ASCII)

_LARGEST_DOUBLE: Final = Decimal(2**1024 - 2**970)
_EVIDENCE_MEMBERS: Final = frozenset({"source", "quote"})


@dataclass(frozen=True, slots=True)
class RawReply:
    """What the gateway handed over or a recording holds: the message's parts as they came, of any type."""

    content: Json = None
    finish_reason: Json = None
    refusal: Json = None
    tool_calls: Json = None


@dataclass(frozen=True, slots=True)
class CitedEvidence:
    """A passage that the judge quotes, and the fence that it names as its source."""

    source: str
    quote: str


@dataclass(frozen=True, slots=True)
class Reply:
    """A usable reply; `verdict` and `score` are None where it abstains, whatever it said there.

    `verdict` is pass or fail of a binary judge and the category of a categorical one, `score` the number of a binary
    or scored one: an int where it is whole, else a Decimal. `fields` are the declared extra fields.
    """

    verdict: str | None
    score: int | Decimal | None
    abstain: bool
    reasoning_summary: str
    evidence: tuple[CitedEvidence, ...]
    fields: Mapping[str, Json]


def parse_reply(raw: RawReply, parameters: JudgeParameters) -> Reply:
    """Read one reply to the judge that has *parameters*; raises `ReplyUnusable`, and nothing else, on any input."""
    fault = _finish_fault(raw.finish_reason, refusal=raw.refusal, tool_calls=raw.tool_calls)
    if fault:
        raise ReplyUnusable(fault)
    if raw.content is None:
        raise ReplyUnusable(Code.REPLY_EMPTY)
    if not isinstance(raw.content, str):
        raise ReplyUnusable(Code.REPLY_NOT_JSON)
    members = read_object(raw.content)
    fields = {field.name: field for field in reply_fields(parameters)}
    _check_keys(members, fields)
    for name in ("verdict", "score"):
        _check(fields[name], members)
    _check_agreement(members, parameters)
    for name in ("abstain", "reasoning_summary", "cited_evidence"):
        _check(fields[name], members)
    for extra in parameters.output_fields:
        _check(fields[extra.name], members)
    return _reply(members, parameters)


def _check_keys(members: Mapping[str, Json], fields: Mapping[str, ReplyField]) -> None:
    for name in fields:
        if name not in members:
            raise ReplyUnusable(Code.REPLY_MISSING_FIELD, name)
    if len(members) > len(fields):
        raise ReplyUnusable(Code.REPLY_UNKNOWN_FIELD)


def _check(field: ReplyField, members: Mapping[str, Json]) -> None:
    value = members[field.name]
    if value is None and field.null_when_abstaining and members["abstain"] is True:
        return
    fault = next(_faults(field, value), None)
    if fault:
        raise ReplyUnusable(fault, field.name)


def _check_agreement(members: Mapping[str, Json], parameters: JudgeParameters) -> None:
    if parameters.score_type != "binary" or members["abstain"] is True:
        return
    if members["score"] != (1 if members["verdict"] == "pass" else 0):
        raise ReplyUnusable(Code.REPLY_VERDICT_SCORE_CONTRADICTION)


def _faults(field: ReplyField, value: Json) -> Iterator[Code]:
    """Find what is wrong with *value*, the type before the bounds."""
    if not _has_kind(field.kind, value):
        yield field.wrong_type
    elif field.kind is FieldKind.CHOICE and value not in field.choices:
        yield field.wrong_choice
    elif field.kind is FieldKind.TEXT and field.max_length is not None and len(value) > field.max_length:
        yield Code.REPLY_TOO_LONG
    elif field.kind is FieldKind.EVIDENCE:
        yield from _evidence_faults(value)
    elif field.kind in _NUMBERS and not _within(field, value):
        yield Code.REPLY_OUT_OF_RANGE


_NUMBERS: Final = frozenset({FieldKind.NUMBER, FieldKind.WHOLE_NUMBER, FieldKind.ZERO_OR_ONE})


def _has_kind(kind: FieldKind, value: Json) -> bool:
    if kind in _NUMBERS:
        # A boolean is an int to Python and no number to JSON.
        is_number = type(value) in (int, Decimal)
        return is_number and (kind is not FieldKind.WHOLE_NUMBER or is_whole(Decimal(value)))
    if kind is FieldKind.NOTHING:
        return value is None
    return isinstance(value, {FieldKind.BOOLEAN: bool, FieldKind.EVIDENCE: list}.get(kind, str))


def _within(field: ReplyField, value: int | Decimal) -> bool:
    if field.kind is FieldKind.ZERO_OR_ONE:
        return value in (0, 1)
    low = -_LARGEST_DOUBLE if field.minimum is None else max(field.minimum, -_LARGEST_DOUBLE)
    high = _LARGEST_DOUBLE if field.maximum is None else min(field.maximum, _LARGEST_DOUBLE)
    return low <= value <= high


def _evidence_faults(items: list[Json]) -> Iterator[Code]:
    if len(items) > MAX_EVIDENCE:
        yield Code.REPLY_TOO_MANY_EVIDENCE
    for item in items:
        if not isinstance(item, dict):
            yield Code.REPLY_WRONG_TYPE
        elif item.keys() != _EVIDENCE_MEMBERS:
            yield Code.REPLY_EVIDENCE_SHAPE
        elif not all(isinstance(part, str) for part in item.values()):
            yield Code.REPLY_WRONG_TYPE
        elif len(item["quote"]) > MAX_QUOTE_CHARS:
            yield Code.REPLY_TOO_LONG


def _reply(members: Mapping[str, Json], parameters: JudgeParameters) -> Reply:
    abstain: bool = members["abstain"]
    score = members["score"]
    return Reply(
        verdict=None if abstain else members["verdict"],
        score=None if abstain or score is None else plain(score),
        abstain=abstain,
        reasoning_summary=members["reasoning_summary"],
        evidence=tuple(CitedEvidence(**item) for item in members["cited_evidence"]),
        fields={field.name: members[field.name] for field in parameters.output_fields},
    )


def _finish_fault(finish_reason: Json, *, refusal: Json, tool_calls: Json) -> Code | None:
    """Return why a reply that ended like this is unusable, or None where the model stopped by itself.

    An unknown word, null and any other type are an unexpected finish.
    """
    word = _finish_word(finish_reason)
    if word not in FINISHES:
        return Code.REPLY_UNEXPECTED_FINISH
    if FINISHES[word] is not None:
        return FINISHES[word]
    if refusal not in (None, ""):
        return Code.REPLY_REFUSED
    return None if tool_calls in (None, []) else Code.REPLY_UNEXPECTED_FINISH


def _finish_word(finish_reason: Json) -> str:
    if not isinstance(finish_reason, str) or not finish_reason.isascii():
        return ""
    word = finish_reason.lower().replace("-", "_")
    named = _ENUMERATION.match(word)
    return word[named.end() :] if named else word
