"""A fault in a scorer becomes an outcome of the case."""

import pytest

from evalbook.domain.case import Case
from evalbook.domain.outcome import Code, passed
from evalbook.services.scoring.guard import guarded


def raising(error):
    def score(_case):
        raise error

    return score


def test_a_grade_passes_through():
    assert guarded(lambda case: passed(f"{case.case_id}."), Case("a")) == passed("a.")


@pytest.mark.parametrize(
    ("error", "explanation"),
    [
        (MemoryError("canary"), "Scoring the case took more memory than there is."),
        (RecursionError("canary"), "Scoring the case nested too deeply."),
        (ValueError("canary"), "Scoring the case failed with ValueError."),
    ],
)
def test_what_a_scorer_raises_fails_the_case_and_is_not_quoted(error, explanation):
    grade = guarded(raising(error), Case("a"))

    assert (grade.outcome, grade.code, grade.explanation) == ("error", Code.SCORING_FAILED, explanation)


def test_an_end_of_the_process_is_not_held_up():
    with pytest.raises(KeyboardInterrupt):
        guarded(raising(KeyboardInterrupt()), Case("a"))
