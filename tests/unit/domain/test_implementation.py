"""How an implementation is made from a function, and how a version of it scores."""

from decimal import Decimal

import pytest

from evalbook.domain.case import Case
from evalbook.domain.errors import ParametersRefused, Problem
from evalbook.domain.implementation import DEFAULT_TIME_LIMIT_MS, Need, read_time_limit, scorer
from evalbook.domain.outcome import Code, EarlyOutcome, failed, passed, unsupported
from evalbook.domain.parameters import Parameters


class SampleParameters(Parameters):
    """Which output passes."""

    wanted: str

    def warnings(self):
        return [Problem("/wanted", "is short")]


@scorer(parameters=SampleParameters, needs=[Need.OUTPUT])
def sample(parameters):
    """Passes when the output is the wanted text.

    More about it.
    """

    def score(case):
        if case.output is None:
            raise EarlyOutcome(unsupported(Code.OUTPUT_UNAVAILABLE, "There is none."))
        return passed("It is.") if case.output == parameters.wanted else failed("It is not.")

    return score


def test_an_implementation_takes_its_name_family_and_summary_from_its_function():
    assert (sample.name, sample.family, sample.summary) == (
        "sample",
        __name__.split(".")[-2],
        "Passes when the output is the wanted text.",
    )


def test_a_prepared_version_scores_as_its_function_does():
    prepared = sample.prepare({"wanted": "a"})

    assert prepared.score(Case("1", output="a")) == passed("It is.")
    assert prepared.score(Case("2", output="b")) == failed("It is not.")


def test_an_early_end_becomes_the_grade_that_it_carries():
    grade = sample.prepare({"wanted": "a"}).score(Case("1", output=None))

    assert grade == unsupported(Code.OUTPUT_UNAVAILABLE, "There is none.")


def test_a_prepared_version_carries_its_warnings():
    assert sample.prepare({"wanted": "a"}).warnings == (Problem("/wanted", "is short"),)


def test_a_version_with_bad_parameters_cannot_be_prepared():
    with pytest.raises(ParametersRefused, match="/wanted: is required"):
        sample.prepare({})


def test_the_parameters_schema_names_its_draft():
    schema = sample.parameters_schema()

    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["required"] == ["wanted"]


@pytest.mark.parametrize("limit", [1, DEFAULT_TIME_LIMIT_MS, 60_000, Decimal("2000.0"), Decimal("2E+3")])
def test_a_whole_number_of_milliseconds_is_a_time_limit(limit):
    assert read_time_limit(limit) == limit


@pytest.mark.parametrize("limit", [0, -1, 60_001, Decimal("1.5"), True, "2000", None, [], Decimal("1E+400")])
def test_any_other_time_limit_is_refused(limit):
    with pytest.raises(ParametersRefused, match="/time_limit_ms: must be a whole number from 1 to 60000"):
        read_time_limit(limit)


def test_the_largest_time_limit_can_be_another():
    assert read_time_limit(600_000, maximum=600_000) == 600_000
