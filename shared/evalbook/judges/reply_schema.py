"""What a judge's reply must hold: one definition for the parser, the gateway's schema and the prompt."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum, auto
from typing import Final

from evalbook.domain.outcome import Code
from evalbook.jsonio.values import Json
from evalbook.judges.version import JudgeParameters, OutputField

MAX_EVIDENCE: Final = 10
MAX_QUOTE_CHARS: Final = 300
VERDICTS: Final = ("pass", "fail")


class FieldKind(Enum):
    """What a field of a reply can hold."""

    TEXT = auto()
    NUMBER = auto()
    WHOLE_NUMBER = auto()
    ZERO_OR_ONE = auto()
    BOOLEAN = auto()
    CHOICE = auto()
    EVIDENCE = auto()
    NOTHING = auto()


@dataclass(frozen=True, slots=True)
class ReplyField:
    """One field of a reply: what it holds, within which bounds, and which code says that it holds something else.

    `null_when_abstaining` fields may be null in a reply that abstains, and only there.
    """

    name: str
    kind: FieldKind
    null_when_abstaining: bool = True
    minimum: int | Decimal | None = None
    maximum: int | Decimal | None = None
    max_length: int | None = None
    choices: tuple[str, ...] = ()
    wrong_type: Code = Code.REPLY_WRONG_TYPE
    wrong_choice: Code = Code.REPLY_NOT_IN_ENUM


def reply_fields(parameters: JudgeParameters) -> tuple[ReplyField, ...]:
    """Give the fields of a reply in the order in which a model writes them: the reasons stand before the verdict."""
    return (
        ReplyField(
            "reasoning_summary",
            FieldKind.TEXT,
            null_when_abstaining=False,
            max_length=parameters.reasoning_summary_max_chars,
        ),
        ReplyField("cited_evidence", FieldKind.EVIDENCE, null_when_abstaining=False),
        *(_extra_field(field) for field in parameters.output_fields),
        _score_field(parameters),
        _verdict_field(parameters),
        ReplyField("abstain", FieldKind.BOOLEAN, null_when_abstaining=False),
    )


def response_format(parameters: JudgeParameters) -> dict[str, Json]:
    """Give the strict `json_schema` response format of an OpenAI chat completion for this judge.

    Lengths and bounds stay out of it, since providers ignore or refuse them; the parser holds them.
    """
    fields = reply_fields(parameters)
    schema = _object({field.name: _schema(field) for field in fields})
    return {"type": "json_schema", "json_schema": {"name": "judge_reply", "strict": True, "schema": schema}}


_EXTRA_KINDS: Final[Mapping[str, FieldKind]] = {
    "string": FieldKind.TEXT,
    "number": FieldKind.NUMBER,
    "integer": FieldKind.WHOLE_NUMBER,
    "boolean": FieldKind.BOOLEAN,
    "enum": FieldKind.CHOICE,
}

_TYPES: Final[Mapping[FieldKind, str]] = {
    FieldKind.TEXT: "string",
    FieldKind.NUMBER: "number",
    FieldKind.WHOLE_NUMBER: "integer",
    FieldKind.ZERO_OR_ONE: "integer",
    FieldKind.BOOLEAN: "boolean",
    FieldKind.CHOICE: "string",
}


def _extra_field(field: OutputField) -> ReplyField:
    kind = _EXTRA_KINDS[field.type]
    return ReplyField(
        field.name,
        kind,
        minimum=field.minimum,
        maximum=field.maximum,
        max_length=field.max_length,
        choices=field.values or (),
        # Whatever is none of an enum's values, of any type, is not in the enum.
        wrong_type=Code.REPLY_NOT_IN_ENUM if kind is FieldKind.CHOICE else Code.REPLY_WRONG_TYPE,
    )


def _score_field(parameters: JudgeParameters) -> ReplyField:
    if parameters.score_type == "categorical":
        return ReplyField("score", FieldKind.NOTHING, wrong_type=Code.REPLY_SCORE_NOT_ALLOWED)
    if parameters.score_type == "binary":
        return ReplyField("score", FieldKind.ZERO_OR_ONE, minimum=0, maximum=1)
    kind = FieldKind.WHOLE_NUMBER if parameters.score_type == "ordinal" else FieldKind.NUMBER
    return ReplyField("score", kind, minimum=parameters.minimum, maximum=parameters.maximum)


def _verdict_field(parameters: JudgeParameters) -> ReplyField:
    if parameters.score_type == "binary":
        return ReplyField("verdict", FieldKind.CHOICE, choices=VERDICTS, wrong_choice=Code.REPLY_NOT_A_VERDICT)
    if parameters.score_type == "categorical":
        choices = parameters.categories or ()
        return ReplyField("verdict", FieldKind.CHOICE, choices=choices, wrong_choice=Code.REPLY_NOT_A_CATEGORY)
    return ReplyField("verdict", FieldKind.NOTHING, wrong_type=Code.REPLY_VERDICT_NOT_ALLOWED)


def _schema(field: ReplyField) -> dict[str, Json]:
    if field.kind is FieldKind.NOTHING:
        return {"type": "null"}
    if field.kind is FieldKind.EVIDENCE:
        return {"type": "array", "items": _object({"source": {"type": "string"}, "quote": {"type": "string"}})}
    name = _TYPES[field.kind]
    schema: dict[str, Json] = {"type": [name, "null"] if field.null_when_abstaining else name}
    allowed: tuple[Json, ...] = (0, 1) if field.kind is FieldKind.ZERO_OR_ONE else field.choices
    if allowed:
        schema["enum"] = [*allowed, None] if field.null_when_abstaining else list(allowed)
    return schema


def _object(properties: dict[str, Json]) -> dict[str, Json]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
