"""The one place where a fault in a scorer becomes an outcome of the case instead of the end of the batch."""

from evalbook.domain.case import Case
from evalbook.domain.implementation import ScoreFunction
from evalbook.domain.outcome import Code, Grade, errored


def guarded(score: ScoreFunction, case: Case) -> Grade:
    """Grade *case*; what a scorer raises is a fault of ours that no retry can cure, so it becomes SCORING_FAILED."""
    try:
        return score(case)
    except MemoryError:
        return errored(Code.SCORING_FAILED, "Scoring the case took more memory than there is.")
    except RecursionError:
        return errored(Code.SCORING_FAILED, "Scoring the case nested too deeply.")
    except Exception as error:  # noqa: BLE001  (one bad case must not lose the others; the message may hold payload)
        return errored(Code.SCORING_FAILED, f"Scoring the case failed with {type(error).__name__}.")
