"""What a version of json_match says: how arrays are compared, what is left out, how leaves weigh."""

from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from evalbook.domain.errors import Problem
from evalbook.domain.outcome import Code, EarlyOutcome, errored
from evalbook.domain.parameters import Number, Pointer, PositiveShare, Tolerance
from evalbook.jsonio.values import Json, is_number
from evalbook.scorer_kit.accepted import AcceptsAny, accepted_problems
from evalbook.scorer_kit.parsing import ParsesOutput
from evalbook.scorer_kit.reading import ANYTHING
from evalbook.scorer_kit.text_options import TextOptions, normalizer
from evalbook.scorers.structured._leaves import Elements, LeafMembers, Node, TreeBuilder, total_weight
from evalbook.scorers.structured._matching import Lists
from evalbook.scorers.structured._near import tolerance_problems

_CLOSED = ConfigDict(frozen=True, extra="forbid", strict=True, hide_input_in_errors=True)
_EMPTY = errored(Code.EXPECTED_EMPTY, "The expected value has no leaf that counts: it would decide nothing.")


class NumberTolerance(BaseModel):
    """How far a number may be from the expected one; where both are given, either suffices."""

    model_config = _CLOSED

    absolute: Tolerance | None = Field(None, description="The largest difference.")
    relative: Tolerance | None = Field(None, description="The largest difference as a share of the expected number.")


class LeafWeight(BaseModel):
    """How much the leaves at a path, or below it, weigh."""

    model_config = _CLOSED

    path: Pointer = Field(description="Where the leaves are; `*` stands for any member or element.")
    weight: Annotated[Number, Field(ge=0)] = Field(description="Their weight; others have 1.")


class JsonMatchParameters(AcceptsAny, ParsesOutput, TextOptions):
    """How arrays are compared, what is left out, how leaves weigh and how many must be there."""

    lists: Lists = Field("ordered", description="How the elements of arrays are compared, see below.")
    additional_fields: bool = Field(True, description="Whether objects may have members that are not expected.")  # noqa: FBT003
    ignore: list[Annotated[Pointer, Field(min_length=1)]] = Field(
        [], description="Pointers to what is left out on both sides; `*` stands for any member or element."
    )
    tolerance: NumberTolerance | None = Field(None, description="How far numbers may be apart: `absolute`, `relative`.")
    weights: list[LeafWeight] = Field([], description="How much leaves weigh: a list of `path` and `weight`.")
    threshold: PositiveShare = Field(
        Decimal(1), description="The least share of the expected leaves, by weight, that passes."
    )

    @classmethod
    def problems(cls, raw: Mapping[str, Json]) -> Iterable[Problem]:
        """Refuse what decides nothing: weights of zero, a tolerance of neither kind, an empty expected value."""
        yield from accepted_problems(raw, ANYTHING)
        if "tolerance" in raw and raw["tolerance"] is None:
            yield Problem("/tolerance", "must be an object, not null")
        if type(raw.get("tolerance")) is dict:
            yield from tolerance_problems(raw["tolerance"], "/tolerance")
        yield from _weight_problems(raw.get("weights"))
        try:
            parameters = cls.model_validate(raw)
        except ValidationError:
            return
        yield from accepted_problems(raw, ANYTHING, expected_tree(parameters))


def _weight_problems(weights: Json) -> Iterable[Problem]:
    entries = [entry for entry in weights if type(entry) is dict] if type(weights) is list else []
    given = [entry.get("weight") for entry in entries]
    if given and all(is_number(weight) and weight == 0 for weight in given):
        yield Problem("/weights", "are all zero: nothing would be weighed; leave out what does not count with ignore")
    paths = [entry.get("path") for entry in entries]
    for index, path in enumerate(paths):
        if path in paths[:index]:
            yield Problem(f"/weights/{index}/path", "is listed before")


def tree_builder(parameters: JsonMatchParameters) -> TreeBuilder:
    """Return what makes trees of expected values and outputs."""
    weights = [(entry.path, Fraction(entry.weight)) for entry in parameters.weights]
    return TreeBuilder(parameters.ignore, weights, normalizer(parameters))


def expected_tree(parameters: JsonMatchParameters) -> Callable[[Json], Node]:
    """Return a function that makes the tree of an expected value; it ends the scorer where nothing counts."""
    builder = tree_builder(parameters)

    def prepare(value: Json) -> Node:
        tree = builder.tree(value)
        any_object = isinstance(tree, LeafMembers) and not value and parameters.additional_fields
        any_array = isinstance(tree, Elements) and not value and parameters.lists == "superset"
        if any_object or any_array or not total_weight(tree):
            raise EarlyOutcome(_EMPTY)
        return tree

    return prepare
