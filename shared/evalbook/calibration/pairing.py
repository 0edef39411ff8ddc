"""Pairs each human label with the judge's decision about the same case."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from evalbook.calibration.figures import Undefined
from evalbook.calibration.rows import UNDECIDED, CalibrationRow, Label
from evalbook.calibration.terms import JudgementKind, Passing, Terms, counted_score, terms_of, verdict_word
from evalbook.domain.outcome import Outcome

_NO_HUMAN = Undefined("no_human: no case has a human label")


@dataclass(frozen=True, slots=True)
class Pair:
    """A labelled case: what humans say together, the judge's decision (or the outcome that is none), its replies."""

    case_id: str
    human: Label
    judge: Label | None
    undecided: str | None = None
    replies: tuple[Label | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Study:
    """The labelled cases as pairs, in the judge's own terms and as pass and fail where that is defined.

    `scored_verdicts` are (judge's score, human passes); `unlabelled` whether the judge passes, of rows without human;
    `ties` counts cases on whose label the humans are split.
    """

    terms: Terms
    pairs: tuple[Pair, ...] = ()
    verdicts: tuple[Pair, ...] | Undefined = _NO_HUMAN
    scored_verdicts: tuple[tuple[float, bool], ...] | Undefined = _NO_HUMAN
    unlabelled: tuple[bool, ...] = ()
    ties: int = 0


def study_of(rows: Sequence[CalibrationRow], passing: Passing) -> Study:
    """Return the study that *rows* make; raise Refused where labels and decisions cannot be compared."""
    labelled = [row for row in rows if row.human]
    if not labelled:
        return Study(Terms(JudgementKind.STABILITY, passing))
    terms = terms_of(labelled, passing)
    paired = [(row, pair) for row in labelled if (pair := _pair(row, terms)) is not None]
    pairs = tuple(pair for _, pair in paired)
    missing = _why_no_verdicts(terms)
    return Study(
        terms,
        pairs,
        verdicts=missing or tuple(_as_verdict(pair, terms) for pair in pairs),
        scored_verdicts=_scored_verdicts(paired, terms),
        unlabelled=tuple(_unlabelled(rows, terms)),
        ties=len(labelled) - len(pairs),
    )


def adjudicate(labels: Sequence[Label]) -> Label | None:
    """Return what several humans say together: their median score, or the label of more than half, or None."""
    numbers = [label for label in labels if not isinstance(label, str)]
    if numbers:
        return median(numbers)
    winner, votes = Counter(labels).most_common(1)[0]
    return winner if 2 * votes > len(labels) else None


def _pair(row: CalibrationRow, terms: Terms) -> Pair | None:
    counted = row.human if row.adjudicated is None else (row.adjudicated,)
    human = adjudicate([label for given in counted if (label := terms.read(given)) is not None])
    if human is None:
        return None
    judge = terms.decision(row)
    undecided = row.outcome if row.outcome in UNDECIDED else Outcome.INCONCLUSIVE.value
    replies = tuple(terms.read(reply) for reply in row.repeats)
    return Pair(row.case_id, human, judge, None if judge is not None else undecided, replies)


def _why_no_verdicts(terms: Terms) -> Undefined | None:
    if terms.kind is JudgementKind.CATEGORICAL and not terms.passing.categories:
        return Undefined("no_pass_categories: which categories pass is not given")
    if terms.kind in {JudgementKind.ORDINAL, JudgementKind.CONTINUOUS} and terms.passing.threshold is None:
        return Undefined("no_threshold: the score from which a case passes is not given")
    return None


def _as_verdict(pair: Pair, terms: Terms) -> Pair:
    def word(label: Label | None) -> str | None:
        return None if label is None else verdict_word(passes=bool(terms.passes(label)))

    return Pair(pair.case_id, word(pair.human) or "", word(pair.judge), pair.undecided, tuple(map(word, pair.replies)))


def _scored_verdicts(
    paired: Sequence[tuple[CalibrationRow, Pair]], terms: Terms
) -> tuple[tuple[float, bool], ...] | Undefined:
    missing = _why_no_verdicts(terms)
    if missing:
        return missing
    found = tuple(
        (score, bool(terms.passes(pair.human))) for row, pair in paired if (score := counted_score(row)) is not None
    )
    return found or Undefined("no_scores: the judge gives no scores")


def _unlabelled(rows: Sequence[CalibrationRow], terms: Terms) -> list[bool]:
    decisions = [terms.decision(row) for row in rows if not row.human]
    passes = [terms.passes(decision) for decision in decisions if decision is not None]
    return [passed for passed in passes if passed is not None]
