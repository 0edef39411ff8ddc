"""The rule that turns the judgements of one case into one outcome.

Precedence: budget, error, timeout, abstained, inconclusive, verdict.
"""

import statistics
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Final

from evalbook.domain.outcome import Code, Outcome
from evalbook.judges.reply import Reply
from evalbook.judges.reply_schema import VERDICTS
from evalbook.judges.version import SCORED, JudgeParameters


@dataclass(frozen=True, slots=True)
class ReplyFailure:
    """Why asking once gave no usable reply; `field` is the reply's fixed or declared field at fault, or empty."""

    code: Code
    field: str = ""

    @property
    def outcome(self) -> Outcome:
        """What a single failed call is by itself, whatever the run makes of a spent budget."""
        return Outcome.TIMEOUT if self.code is Code.TIME_LIMIT else Outcome.ERROR


Judgement = Reply | ReplyFailure


@dataclass(frozen=True, slots=True)
class Decision:
    """An outcome, how it was reached, and the score or category behind it; free of payload text."""

    outcome: Outcome
    explanation: str
    code: Code | None = None
    score: int | float | None = None
    label: str | None = None


def decide(
    parameters: JudgeParameters, judgements: Sequence[Judgement], *, exhausted: Outcome = Outcome.ERROR
) -> Decision:
    """Decide a case by all its judgements; *exhausted* is what a spent budget makes of it in this kind of run.

    Other than `repeat_count` judgements are an error: a verdict would not be the one that the version pins.
    """
    failed = _failure(judgements, parameters.repeat_count, exhausted)
    return failed or _by_replies(parameters, [item for item in judgements if isinstance(item, Reply)])


def decide_alone(parameters: JudgeParameters, judgement: Judgement) -> Decision:
    """Decide what one judgement says by itself."""
    failed = _failure([judgement], 1, Outcome.ERROR)
    return failed or _by_replies(parameters, [judgement] if isinstance(judgement, Reply) else [])


_PRECEDENCE: Final[tuple[Callable[[ReplyFailure], bool], ...]] = (
    lambda failure: failure.code is Code.BUDGET_EXHAUSTED,
    lambda failure: failure.outcome is Outcome.ERROR,
    lambda failure: failure.outcome is Outcome.TIMEOUT,
)


def _failure(judgements: Sequence[Judgement], wanted: int, exhausted: Outcome) -> Decision | None:
    total = len(judgements)
    failures = [(number, item) for number, item in enumerate(judgements, start=1) if isinstance(item, ReplyFailure)]
    for applies in _PRECEDENCE:
        for number, failure in failures:
            if applies(failure):
                outcome = exhausted if failure.code is Code.BUDGET_EXHAUSTED else failure.outcome
                place = f", field {failure.field}" if failure.field else ""
                return Decision(outcome, f"Reply {number} of {total}{place}: {failure.code.meaning}", failure.code)
    if total != wanted:
        explanation = f"The version asks for {_counted(wanted)}, and there are {total}."
        return Decision(Outcome.ERROR, explanation, Code.REPLY_COUNT_MISMATCH)
    return None


def _by_replies(parameters: JudgeParameters, replies: Sequence[Reply]) -> Decision:
    counted = [reply for reply in replies if not reply.abstain]
    abstentions = len(replies) - len(counted)
    if 2 * abstentions >= len(replies):
        explanation = f"{abstentions} of {_counted(len(replies))} abstained."
        return Decision(Outcome.ABSTAINED, explanation, Code.ABSTAINED)
    aside = f" {abstentions} of {len(replies)} replies abstained." if abstentions else ""
    if parameters.score_type in SCORED:
        return _by_score(parameters, counted, aside)
    return _by_verdict(parameters, counted, aside)


def _by_verdict(parameters: JudgeParameters, replies: Sequence[Reply], aside: str) -> Decision:
    votes = Counter(reply.verdict for reply in replies)
    verdict, most = votes.most_common(1)[0]
    if verdict is None or 2 * most <= len(replies):
        explanation = f"No verdict has more than half of {_counted(len(replies))}; the most frequent has {most}.{aside}"
        return Decision(Outcome.INCONCLUSIVE, explanation, Code.NO_MAJORITY)
    passing = parameters.pass_categories or VERDICTS[:1]
    outcome = Outcome.PASS if verdict in passing else Outcome.FAIL
    reached = f"by {most} of {_counted(len(replies))}.{aside}"
    if parameters.score_type == "binary":
        return Decision(outcome, f"The verdict is {verdict}, {reached}", score=int(outcome is Outcome.PASS))
    passes = "passes" if outcome is Outcome.PASS else "does not pass"
    return Decision(outcome, f"The category is {verdict}, which {passes}, {reached}", label=verdict)


def _by_score(parameters: JudgeParameters, replies: Sequence[Reply], aside: str) -> Decision:
    middle = median([reply.score for reply in replies if reply.score is not None])
    score = as_json_number(middle)
    reached = f"The median score of {_counted(len(replies))} is {score}"
    if parameters.pass_threshold is None:
        explanation = f"{reached}; the version has no pass threshold.{aside}"
        return Decision(Outcome.INCONCLUSIVE, explanation, Code.NO_THRESHOLD, score=score)
    passes = middle >= Fraction(parameters.pass_threshold)
    relation = "meets" if passes else "is below"
    threshold = as_json_number(parameters.pass_threshold)
    explanation = f"{reached}, which {relation} the pass threshold {threshold}.{aside}"
    return Decision(Outcome.PASS if passes else Outcome.FAIL, explanation, score=score)


def _counted(replies: int) -> str:
    return "1 reply" if replies == 1 else f"{replies} replies"


def as_json_number(number: int | Decimal | Fraction) -> int | float:
    """Give *number* as an int where it is whole, else as the nearest double."""
    exact = Fraction(number)
    return exact.numerator if exact.denominator == 1 else float(exact)


def median(scores: Sequence[int | Decimal]) -> Fraction:
    """Give the exact median of at least one score; of an even count, the mean of the two in the middle."""
    return statistics.median([Fraction(score) for score in scores])
