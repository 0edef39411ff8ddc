"""deadly: an implementation that ends its process, or breaks, at outputs that say so."""

import os
import signal

from evalbook.domain.case import Case
from evalbook.domain.implementation import Need, ScoreFunction, scorer
from evalbook.domain.outcome import Grade, passed
from evalbook.domain.parameters import ReadsOutput


@scorer(parameters=ReadsOutput, needs=(Need.OUTPUT,))
def deadly(parameters: ReadsOutput) -> ScoreFunction:
    """Passes unless the output says what else is to happen."""

    def score(case: Case) -> Grade:
        if type(case.output) is str and case.output.startswith("die"):
            os.kill(os.getpid(), signal.SIGKILL)
        if case.output == "hang":
            signal.pause()
        if type(case.output) is str and case.output.startswith("break"):
            raise ValueError(case.output)
        return passed("The output says nothing else.")

    return score
