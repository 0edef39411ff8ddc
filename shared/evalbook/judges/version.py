"""What a judge version pins, and which part of it a calibration measures."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, Field, StringConstraints

from evalbook.domain.errors import Problem
from evalbook.domain.parameters import Number, Parameters, Whole
from evalbook.jsonio.stored import read_stored
from evalbook.jsonio.values import Json
from evalbook.judges.content import PLACEHOLDER
from evalbook.judges.parameter_types import Key, ShortText, array, plain
from evalbook.judges.version_rules import rule_problems

ScoreType = Literal["binary", "categorical", "ordinal", "continuous"]
FieldType = Literal["string", "number", "integer", "boolean", "enum"]

_Categories = Annotated[tuple[ShortText, ...], array(most=100)]

SCORED: Final = frozenset({"ordinal", "continuous"})


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


@dataclass(frozen=True, slots=True)
class Material:
    """Marks a parameter that decides verdicts: calibration measures it and the material digest covers it.

    The digest's member has the field's name and value unless *name* and *value* say otherwise.
    """

    name: str | None = None
    value: Callable[["JudgeParameters"], Json] | None = None


@dataclass(frozen=True, slots=True)
class Condition:
    """Marks a parameter that decides no verdict, and yet changes how often there is one: calibrations report it."""


def _rubric_digest(judge: "JudgeParameters") -> str | None:
    return judge.rubric.digest if judge.rubric else None


def _ordered_pass_categories(judge: "JudgeParameters") -> list[Json]:
    passing = judge.pass_categories or ()
    return [category for category in judge.categories or () if category in passing]


class JudgeParameters(Parameters):
    """Everything that a judge version pins; made by `read_judge_parameters`, which holds the rules across fields.

    Each field is annotated `Material` or `Condition`: digest, comparison, calibration reports and the page follow that.
    """

    model: Annotated[Model, Material()]
    prompt_template: Annotated[str, StringConstraints(max_length=20_000), Material()]
    score_type: Annotated[ScoreType, Material()]
    rubric: Annotated[RubricReference | None, Material("rubric_digest", _rubric_digest)] = None
    temperature: Annotated[
        Number, Field(ge=0, le=2, json_schema_extra={"minimum": 0, "maximum": 2, "default": 0}), Material()
    ] = Decimal(0)
    max_reply_tokens: Annotated[Whole, Field(ge=16, le=16_000), Condition()] = 800
    repeat_count: Annotated[Whole, Field(ge=1, le=10), Condition()] = 1
    reasoning_summary_max_chars: Annotated[Whole, Field(ge=50, le=4_000), Condition()] = 1_200
    output_fields: Annotated[tuple[OutputField, ...], array(most=30), Material()] = ()
    categories: Annotated[_Categories | None, Material(value=lambda judge: list(judge.categories or ()))] = None
    pass_categories: Annotated[_Categories | None, Material(value=_ordered_pass_categories)] = None
    minimum: Annotated[Number | None, Material()] = None
    maximum: Annotated[Number | None, Material()] = None
    pass_threshold: Annotated[Number | None, Material()] = None
    time_limit_ms: Annotated[Whole, Field(ge=1, le=600_000), Condition()] = 120_000

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
    return read_judge_parameters(read_stored(text))


def role_of(field: str) -> Material | Condition:
    """Return how the parameter named *field* is annotated."""
    [role] = [each for each in JudgeParameters.model_fields[field].metadata if isinstance(each, Material | Condition)]
    return role


def material(parameters: JudgeParameters) -> Mapping[str, Json]:
    """Return the JSON members that the material digest covers: what decides verdicts and calibration measures.

    Whole numbers are ints and pass categories stand in the order of the categories, so that two spellings of one judge
    have one material.
    """
    return {
        role.name or field: role.value(parameters) if role.value else _plain(getattr(parameters, field))
        for field in JudgeParameters.model_fields
        if isinstance(role := role_of(field), Material)
    }


def conditions(parameters: JudgeParameters) -> Mapping[str, Json]:
    """Return the JSON members that decide no verdict, and under which a calibration was made."""
    return {
        field: _plain(getattr(parameters, field))
        for field in JudgeParameters.model_fields
        if isinstance(role_of(field), Condition)
    }


def _plain(value: Any) -> Json:
    """Return a parameter's value as JSON: numbers as `plain` spells them, tuples as lists, output fields as objects."""
    if isinstance(value, OutputField):
        return {name: _plain(getattr(value, name)) for name in OutputField.model_fields}
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    return plain(value) if isinstance(value, int | Decimal) else value
