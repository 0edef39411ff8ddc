"""What a judge version pins, and which part of it a calibration measures."""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, Field, StringConstraints

from evalbook.domain.errors import Problem
from evalbook.domain.parameters import Number, Parameters, Whole
from evalbook.jsonio.reader import read_json
from evalbook.jsonio.values import Json
from evalbook.judges.content import PLACEHOLDER
from evalbook.judges.parameter_types import Key, ShortText, array, plain
from evalbook.judges.version_rules import rule_problems

ScoreType = Literal["binary", "categorical", "ordinal", "continuous"]
FieldType = Literal["string", "number", "integer", "boolean", "enum"]

SCORED: Final = frozenset({"ordinal", "continuous"})

_DEPTH: Final = 103

Model = Annotated[str, StringConstraints(pattern=r"\A[^:\s]+::[^:\s](?:[^:\s]|:[^:\s])*\z", max_length=256)]
Digest = Annotated[str, StringConstraints(pattern=r"\A[0-9A-Fa-f]{64}\z"), AfterValidator(str.lower)]


class RubricReference(Parameters):
    """One exact rubric version."""

    name: ShortText
    version: Annotated[Whole, Field(ge=1)]
    digest: Digest


class OutputField(Parameters):
    """One extra field of the verdict, with the bounds that its type knows."""

    name: Key
    type: FieldType
    minimum: Number | None = None
    maximum: Number | None = None
    max_length: Annotated[Whole, Field(ge=1, le=16_000)] | None = None
    values: Annotated[tuple[ShortText, ...], array(least=1, most=100)] | None = None


class JudgeParameters(Parameters):
    """Everything that a judge version pins; made by `read_judge_parameters`, which holds the rules across fields."""

    model: Model
    prompt_template: Annotated[str, StringConstraints(max_length=20_000)]
    score_type: ScoreType
    rubric: RubricReference | None = None
    temperature: Annotated[Number, Field(ge=0, le=2, json_schema_extra={"minimum": 0, "maximum": 2, "default": 0})] = (
        Decimal(0)
    )
    max_reply_tokens: Annotated[Whole, Field(ge=16, le=16_000)] = 800
    repeat_count: Annotated[Whole, Field(ge=1, le=10)] = 1
    reasoning_summary_max_chars: Annotated[Whole, Field(ge=50, le=4_000)] = 1_200
    output_fields: Annotated[tuple[OutputField, ...], array(most=30)] = ()
    categories: Annotated[tuple[ShortText, ...], array(most=100)] | None = None
    pass_categories: Annotated[tuple[ShortText, ...], array(most=100)] | None = None
    minimum: Number | None = None
    maximum: Number | None = None
    pass_threshold: Number | None = None
    time_limit_ms: Annotated[Whole, Field(ge=1, le=600_000)] = 120_000

    @classmethod
    def problems(cls, raw: Mapping[str, Json]) -> Iterable[Problem]:
        """Name what is wrong between the fields of *raw*, which may hold anything at all."""
        return rule_problems(raw)

    def warnings(self) -> Iterable[Problem]:
        """Name a rubric that no judge would see."""
        if self.rubric is not None and "rubric" not in PLACEHOLDER.findall(self.prompt_template):
            yield Problem("/rubric", "the template does not show it: {{rubric}} is missing")


def read_judge_parameters(raw: Json) -> JudgeParameters:
    """Read the parameters of a judge version, or raise `ParametersRefused` with every problem of them."""
    return JudgeParameters.read(raw)


def read_parameters(text: str) -> JudgeParameters:
    """Return the parameters of a judge version from the JSON text that is stored of them.

    Raises:
        NotStrictJson, ParametersRefused: No version has such parameters.
    """
    return read_judge_parameters(read_json(text.encode(), max_depth=_DEPTH, bounded=False))


def material(parameters: JudgeParameters) -> Mapping[str, Json]:
    """Give the JSON members that the material digest covers: what decides verdicts and calibration measures.

    Whole numbers are ints and pass categories stand in the order of the categories, so that two spellings of one judge
    have one material.
    """
    passing = parameters.pass_categories or ()
    categories = parameters.categories or ()
    return {
        "model": parameters.model,
        "prompt_template": parameters.prompt_template,
        "rubric_digest": parameters.rubric.digest if parameters.rubric else None,
        "output_fields": [_field_material(field) for field in parameters.output_fields],
        "temperature": plain(parameters.temperature),
        "score_type": parameters.score_type,
        "categories": list(categories),
        "pass_categories": [category for category in categories if category in passing],
        "minimum": _optional(parameters.minimum),
        "maximum": _optional(parameters.maximum),
        "pass_threshold": _optional(parameters.pass_threshold),
    }


def _field_material(field: OutputField) -> dict[str, Json]:
    return {
        "name": field.name,
        "type": field.type,
        "minimum": _optional(field.minimum),
        "maximum": _optional(field.maximum),
        "max_length": field.max_length,
        "values": None if field.values is None else list(field.values),
    }


def _optional(number: Decimal | None) -> int | Decimal | None:
    return None if number is None else plain(number)
