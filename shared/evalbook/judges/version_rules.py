"""The rules across the fields of a judge version.

They read the parameters as they were sent, so that a fault of one field hides none of another; what has the wrong type
is left to the model of the parameters.
"""

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Final

from evalbook.domain.errors import Problem
from evalbook.jsonio.pointer import format_pointer
from evalbook.jsonio.values import Json
from evalbook.judges.content import PLACEHOLDER, PLACEHOLDER_NAMES
from evalbook.judges.parameter_types import is_list, is_whole, number_or_none, repeated

FIXED_FIELDS: Final = ("verdict", "score", "reasoning_summary", "cited_evidence", "abstain")

_LARGEST_BOUND: Final = Decimal("1E300")  # scores are reported as doubles
_MIN_CATEGORIES: Final = 2  # one category decides nothing
_BOUNDS_OF_TYPE: Final[Mapping[str, frozenset[str]]] = {
    "string": frozenset({"max_length"}),
    "number": frozenset({"minimum", "maximum"}),
    "integer": frozenset({"minimum", "maximum"}),
    "boolean": frozenset(),
    "enum": frozenset({"values"}),
}
_FIELDS_OF_SCORE_TYPE: Final[Mapping[str, frozenset[str]]] = {
    "binary": frozenset(),
    "categorical": frozenset({"categories", "pass_categories"}),
    "ordinal": frozenset({"minimum", "maximum", "pass_threshold"}),
    "continuous": frozenset({"minimum", "maximum", "pass_threshold"}),
}


def rule_problems(raw: Mapping[str, Json]) -> Iterator[Problem]:
    """Find what is wrong between the fields of *raw*."""
    yield from _template_problems(raw)
    yield from _output_field_problems(raw.get("output_fields"))
    score_type = raw.get("score_type")
    if not isinstance(score_type, str) or score_type not in _FIELDS_OF_SCORE_TYPE:
        return
    yield from _misplaced(raw, _FIELDS_OF_SCORE_TYPE, score_type)
    if score_type == "categorical":
        yield from _category_problems(raw)
    elif score_type != "binary":
        yield from _scale_problems(raw, whole=score_type == "ordinal")


def _template_problems(raw: Mapping[str, Json]) -> Iterator[Problem]:
    template = raw.get("prompt_template")
    if not isinstance(template, str):
        return
    at = "/prompt_template"
    names = [match.group(1) for match in PLACEHOLDER.finditer(template)]
    for match in PLACEHOLDER.finditer(template):
        if match.group(1) not in PLACEHOLDER_NAMES:
            yield Problem(at, f"the placeholder at offset {match.start()} is none of {', '.join(PLACEHOLDER_NAMES)}")
    if "output" not in names:
        yield Problem(at, "must hold the placeholder {{output}}")
    if "rubric" in names and raw.get("rubric") is None:
        yield Problem(at, "holds {{rubric}}, and the version names no rubric")


def _output_field_problems(fields: Json) -> Iterator[Problem]:
    if not isinstance(fields, list | tuple):
        return
    objects = {index: field for index, field in enumerate(fields) if isinstance(field, Mapping)}
    names = {index: field["name"] for index, field in objects.items() if isinstance(field.get("name"), str)}
    again = repeated(names.values())
    for position, (index, name) in enumerate(names.items()):
        if name in FIXED_FIELDS:
            yield Problem(format_pointer(("output_fields", index, "name")), "is the name of a fixed field")
        if position in again:
            yield Problem(format_pointer(("output_fields", index, "name")), "repeats the name of an earlier field")
    for index, field in objects.items():
        for problem in _bound_problems(field):
            yield Problem(format_pointer(("output_fields", index)) + problem.pointer, problem.message)


def _bound_problems(field: Mapping[str, Json]) -> Iterator[Problem]:
    kind = field.get("type")
    if not isinstance(kind, str) or kind not in _BOUNDS_OF_TYPE:
        return
    yield from _misplaced(field, _BOUNDS_OF_TYPE, kind)
    if kind == "enum":
        if field.get("values") in (None, [], ()):
            yield Problem("/values", "must hold at least one value of the enum")
        yield from _repetitions("values", field.get("values"))
    if kind == "integer":
        yield from _fractions(field, ("minimum", "maximum"))
    low, high = number_or_none(field.get("minimum")), number_or_none(field.get("maximum"))
    if low is not None and high is not None and low > high:
        yield Problem("/maximum", "is below the minimum")


def _category_problems(raw: Mapping[str, Json]) -> Iterator[Problem]:
    categories, passing = raw.get("categories"), raw.get("pass_categories")
    yield from _repetitions("categories", categories)
    yield from _repetitions("pass_categories", passing)
    if categories is None or (is_list(categories) and len(categories) < _MIN_CATEGORIES):
        yield Problem("/categories", "must hold at least two categories")
    if passing is None or (is_list(passing) and not passing):
        yield Problem("/pass_categories", "must hold at least one of the categories")
    if not (is_list(categories) and is_list(passing)):
        return
    for index, name in enumerate(passing):
        if name not in categories:
            yield Problem(format_pointer(("pass_categories", index)), "is none of the categories")
    if categories and all(name in passing for name in categories):
        yield Problem("/pass_categories", "must leave out at least one of the categories")


def _scale_problems(raw: Mapping[str, Json], *, whole: bool) -> Iterator[Problem]:
    for name in ("minimum", "maximum"):
        if raw.get(name) is None:
            yield Problem(format_pointer((name,)), "is required for a scored judge")
    if whole:
        yield from _fractions(raw, ("minimum", "maximum"))
    yield from _beyond_doubles(raw, ("minimum", "maximum", "pass_threshold"))
    low, high = number_or_none(raw.get("minimum")), number_or_none(raw.get("maximum"))
    threshold = number_or_none(raw.get("pass_threshold"))
    if low is not None and high is not None and low >= high:
        yield Problem("/maximum", "must be above the minimum")
    elif threshold is not None and not _within(threshold, low, high):
        yield Problem("/pass_threshold", "lies outside the range")


def _misplaced(
    members: Mapping[str, Json], allowed_by_kind: Mapping[str, frozenset[str]], kind: str
) -> Iterator[Problem]:
    known = frozenset[str]().union(*allowed_by_kind.values())
    for name in sorted(known - allowed_by_kind[kind]):
        if members.get(name) not in (None, [], ()):
            yield Problem(format_pointer((name,)), f"does not go with {kind}")


def _fractions(members: Mapping[str, Json], names: Iterable[str]) -> Iterator[Problem]:
    for name in names:
        number = number_or_none(members.get(name))
        if number is not None and not is_whole(number):
            yield Problem(format_pointer((name,)), "must be a whole number")


def _beyond_doubles(members: Mapping[str, Json], names: Iterable[str]) -> Iterator[Problem]:
    for name in names:
        number = number_or_none(members.get(name))
        if number is not None and abs(number) > _LARGEST_BOUND:
            yield Problem(format_pointer((name,)), "is larger than the numbers that scores are reported as")


def _repetitions(name: str, values: Json) -> Iterator[Problem]:
    if is_list(values):
        for index in repeated(values):
            yield Problem(format_pointer((name, index)), "repeats an earlier one")


def _within(number: Decimal, low: Decimal | None, high: Decimal | None) -> bool:
    return (low is None or number >= low) and (high is None or number <= high)
