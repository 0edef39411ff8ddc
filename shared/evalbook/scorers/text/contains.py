"""contains (S-02): the output text contains every (or any) listed text, or the expected value."""

from typing import Literal

from pydantic import Field

from evalbook.domain.case import Case
from evalbook.domain.implementation import Need, ScoreFunction, scorer
from evalbook.domain.outcome import Grade, failed, passed
from evalbook.scorers.text._listed_texts import ListedTextsParameters, listed_texts, named
from evalbook.scorers.text._occurrence import occurrence

_ALL = passed("The output contains every listed text.")
_NONE = failed("The output contains none of the listed texts.")


class ContainsParameters(ListedTextsParameters):
    """Which texts must occur, and how many of them."""

    mode: Literal["all", "any"] = Field("all", description="Whether every listed text must occur, or one of them.")


@scorer(parameters=ContainsParameters, needs=(Need.OUTPUT,))
def contains(parameters: ContainsParameters) -> ScoreFunction:
    """Passes when the output text contains every (or any) listed text, or the expected value."""
    read, occurs = listed_texts(parameters), occurrence(parameters)

    def all_of(case: Case) -> Grade:
        output, texts = read(case)
        missing = [index for index, text in enumerate(texts) if not occurs(text, output)]
        if not missing:
            return _ALL
        return failed(f"{len(missing)} of {len(texts)} listed texts do not occur in the output: {named(missing)}.")

    def any_of(case: Case) -> Grade:
        output, texts = read(case)
        for index, text in enumerate(texts):
            if occurs(text, output):
                return passed(f"The output contains listed text {index}.")
        return _NONE

    return all_of if parameters.mode == "all" else any_of
