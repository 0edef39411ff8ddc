"""not_contains (S-03): the output text contains none of the listed texts, nor the expected value."""

from evalbook.domain.case import Case
from evalbook.domain.implementation import Need, ScoreFunction, scorer
from evalbook.domain.outcome import Grade, failed, passed
from evalbook.scorers.text._listed_texts import ListedTextsParameters, listed_texts, named
from evalbook.scorers.text._occurrence import occurrence

_NONE = passed("The output contains none of the listed texts.")


class NotContainsParameters(ListedTextsParameters):
    """Which texts must not occur."""


@scorer(parameters=NotContainsParameters, needs=(Need.OUTPUT,))
def not_contains(parameters: NotContainsParameters) -> ScoreFunction:
    """Passes when the output text contains none of the listed texts, nor the expected value."""
    read, occurs = listed_texts(parameters), occurrence(parameters)

    def score(case: Case) -> Grade:
        output, texts = read(case)
        found = [index for index, text in enumerate(texts) if occurs(text, output)]
        if not found:
            return _NONE
        return failed(f"{len(found)} of {len(texts)} listed texts occur in the output: {named(found)}.")

    return score
