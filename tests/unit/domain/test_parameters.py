"""Parameter sets: every problem at once, each with its pointer; numbers by their value."""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Annotated, Literal

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from pydantic import Field

from evalbook.domain.errors import ParametersRefused, Problem
from evalbook.domain.parameters import Number, Parameters, Pointer, ReadsExpected, ReadsOutput, Whole
from evalbook.jsonio.values import ABSENT, Json
from tests.unit.json_values import values


class Rule(Parameters):
    """A part of the sample."""

    name: str


class Sample(ReadsOutput):
    """Every type of field that parameter sets are made of."""

    number: Annotated[Number, Field(ge=0)] = Decimal(1)
    whole: Annotated[Whole, Field(ge=1)] = 1
    flag: bool = False
    mode: Literal["all", "any"] = "all"
    texts: list[str] = Field([])
    rules: list[Rule] = Field([])
    table: dict[str, int] = Field({})
    place: Pointer = ""
    needed: str

    @classmethod
    def problems(cls, raw: Mapping[str, Json]) -> Iterable[Problem]:
        if raw.get("mode") == "any" and raw.get("flag") is True:
            yield Problem("/flag", "goes with mode all only")


def problems_of(raw, model=Sample):
    with pytest.raises(ParametersRefused) as caught:
        model.read(raw)
    return {(problem.pointer, problem.message) for problem in caught.value.problems}


def test_every_problem_is_reported_at_once_with_its_pointer():
    raw = {
        "number": "1",
        "whole": Decimal("1.5"),
        "flag": 1,
        "mode": "some",
        "texts": ["a", 1],
        "rules": [{"name": "a"}, {"names": "b"}, 3],
        "table": [],
        "place": "a",
        "a/b~": 1,
        "output_path": None,
    }

    assert problems_of(raw) == {
        ("/number", "must be a number, not a string"),
        ("/whole", "must be a whole number"),
        ("/flag", "must be true or false"),
        ("/mode", "must be 'all' or 'any'"),
        ("/texts/1", "must be a string"),
        ("/rules/1/name", "is required"),
        ("/rules/1/names", "is not a parameter of this implementation"),
        ("/rules/2", "must be an object"),
        ("/table", "must be an object"),
        ("/place", "a JSON Pointer is empty or starts with '/'"),
        ("/a~1b~0", "is not a parameter of this implementation"),
        ("/output_path", "must be a string"),
        ("/needed", "is required"),
    }


def test_problems_beyond_single_fields_stand_beside_the_others():
    raw = {"mode": "any", "flag": True, "texts": "a", "needed": "x"}

    assert problems_of(raw) == {("/flag", "goes with mode all only"), ("/texts", "must be an array")}


def test_a_problem_beyond_single_fields_is_enough():
    assert problems_of({"mode": "any", "flag": True, "needed": "x"}) == {("/flag", "goes with mode all only")}


def test_a_set_without_problems_is_read_with_its_defaults():
    sample = Sample.read({"needed": "x"})

    assert sample.model_dump() == {
        "output_path": "",
        "number": 1,
        "whole": 1,
        "flag": False,
        "mode": "all",
        "texts": [],
        "rules": [],
        "table": {},
        "place": "",
        "needed": "x",
    }


@pytest.mark.parametrize(
    ("raw", "kind"),
    [(None, "null"), ([], "an array"), ("{}", "a string"), (1, "a number"), (True, "a boolean")],
)
def test_a_set_that_is_no_object_is_refused_as_a_whole(raw, kind):
    assert problems_of(raw) == {("", f"must be an object, not {kind}")}


@pytest.mark.parametrize(
    ("number", "value"),
    [
        (0, Decimal(0)),
        (10**400, Decimal(10**400)),
        (Decimal("0.10"), Decimal("0.1")),
        (0.1, Decimal("0.1000000000000000055511151231257827021181583404541015625")),
    ],
)
def test_a_number_is_taken_at_its_exact_value(number, value):
    assert Sample.read({"needed": "x", "number": number}).number == value


@pytest.mark.parametrize(
    ("number", "message"),
    [
        (True, "must be a number, not a boolean"),
        (None, "must be a number, not null"),
        ("0.5", "must be a number, not a string"),
        ([1], "must be a number, not an array"),
        (float("nan"), "must be a finite number"),
        (float("inf"), "must be a finite number"),
        (Decimal("-Infinity"), "must be a finite number"),
        (-1, "must be greater than or equal to 0"),
        (Decimal("-1E-400"), "must be greater than or equal to 0"),
    ],
)
def test_what_is_no_number_within_bounds_is_refused(number, message):
    assert problems_of({"needed": "x", "number": number}) == {("/number", message)}


@pytest.mark.parametrize("number", [3, Decimal("3.0"), Decimal("30E-1"), 3.0])
def test_three_point_zero_is_a_whole_number(number):
    whole = Sample.read({"needed": "x", "whole": number}).whole

    assert (whole, type(whole)) == (3, int)


@pytest.mark.parametrize("number", [Decimal("3.0000000000000000000000000001"), 3.5])
def test_a_fraction_is_no_whole_number(number):
    assert problems_of({"needed": "x", "whole": number}) == {("/whole", "must be a whole number")}


@pytest.mark.parametrize("flag", [0, 1, "true", None])
def test_only_true_and_false_are_booleans(flag):
    assert problems_of({"needed": "x", "flag": flag}) == {("/flag", "must be true or false")}


def test_an_expected_value_of_null_is_given_and_none_is_absent():
    assert ReadsExpected.read({"expected": None}).expected is None
    assert ReadsExpected.read({}).expected is ABSENT


def test_too_few_elements_are_named_so():
    class Some(Parameters):
        texts: list[str] = Field(min_length=1)

    assert problems_of({"texts": []}, Some) == {("/texts", "has too few elements")}


def test_a_set_has_no_warnings_by_itself():
    assert tuple(Parameters.read({}).warnings()) == ()


def test_a_set_cannot_be_changed():
    sample = Sample.read({"needed": "x"})

    with pytest.raises(ValueError, match="frozen"):
        sample.needed = "y"


@given(values)
def test_a_set_that_lacks_what_is_required_is_always_refused(raw):
    assume(type(raw) is not dict or "needed" not in raw)

    assert problems_of(raw)


@given(st.sampled_from(sorted(Sample.model_fields)), values)
def test_whatever_a_field_holds_only_that_field_is_at_fault(name, value):
    try:
        Sample.read({"needed": "x", name: value})
        at_fault = set()
    except ParametersRefused as refused:
        at_fault = {problem.pointer.split("/")[1] for problem in refused.problems}

    assert at_fault <= {name}
