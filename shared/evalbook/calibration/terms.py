"""The terms in which a judge and humans are compared, and whether a row can be put into them.

Humans who say pass or fail make a calibration *binary*, humans who give a score *ordinal* (whole numbers only) or
*continuous*, humans who say anything else *categorical*; without a human label there is only *stability*.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from evalbook.calibration.rows import UNDECIDED, VERDICTS, CalibrationRow, Label, problem_at
from evalbook.domain.errors import Problem, Refused
from evalbook.domain.outcome import Outcome

MAX_CATEGORIES = 100
_UNIT = frozenset({0.0, 1.0})
_WITH_A_SCORE = frozenset({None, Outcome.PASS.value, Outcome.FAIL.value, Outcome.INCONCLUSIVE.value})


class JudgementKind(StrEnum):
    """What a calibration compares."""

    BINARY = "binary"
    CATEGORICAL = "categorical"
    ORDINAL = "ordinal"
    CONTINUOUS = "continuous"
    STABILITY = "stability"


@dataclass(frozen=True, slots=True)
class Passing:
    """What makes a score (at or above `threshold`) or a category (one of `categories`) a pass; both may be unknown."""

    threshold: float | None = None
    categories: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Terms:
    """Reads labels and decisions in the terms of one kind of calibration."""

    kind: JudgementKind
    passing: Passing = Passing()
    has_labels: bool = False
    is_unit: bool = False

    def read(self, label: Label | None) -> Label | None:
        """Return *label* as a verdict, category or score, whatever the kind compares; None where it is none."""
        if label is None or label in UNDECIDED:
            return None
        if self.kind is JudgementKind.BINARY:
            passes = self.passes(label)
            return None if passes is None else verdict_word(passes=passes)
        return label if isinstance(label, str) is (self.kind is JudgementKind.CATEGORICAL) else None

    def passes(self, label: Label) -> bool | None:
        """Whether *label* is a pass; None where that is not known."""
        if not isinstance(label, str):
            threshold = 1.0 if self.is_unit else self.passing.threshold
            return None if threshold is None else label >= threshold
        if self.kind is JudgementKind.BINARY and label in VERDICTS:
            return label == Outcome.PASS
        return label in self.passing.categories if self.passing.categories else None

    def decision(self, row: CalibrationRow) -> Label | None:
        """Return what the judge says about the row, read in these terms; None where it decides nothing."""
        if self.kind is JudgementKind.CATEGORICAL:
            return self.read(self.category(row))
        score = counted_score(row)
        if self.kind is not JudgementKind.BINARY or (self.passing.threshold is not None and score is not None):
            return self.read(score)
        return self.read(row.outcome if row.outcome is not None else score)

    def category(self, row: CalibrationRow) -> str | None:
        """Return the judge's category: the row's label where the file has labels, its outcome otherwise."""
        if row.outcome in UNDECIDED:
            return None
        return row.label if self.has_labels else row.outcome


def verdict_word(*, passes: bool) -> str:
    """Return pass or fail."""
    return (Outcome.PASS if passes else Outcome.FAIL).value


def counted_score(row: CalibrationRow) -> float | None:
    """Return the row's score; None where the outcome says that no judgement is behind it."""
    return row.score if row.outcome in _WITH_A_SCORE else None


def terms_of(rows: Sequence[CalibrationRow], passing: Passing) -> Terms:
    """Return the terms of the labelled *rows*; raise Refused, naming each row that does not fit them."""
    numbers = [label for row in rows for label in row.given if not isinstance(label, str)]
    texts = {label for row in rows for label in row.given if isinstance(label, str)}
    if numbers and texts:
        raise Refused(_mixed(rows))
    scores = {score for row in rows if (score := counted_score(row)) is not None}
    if texts and not texts <= VERDICTS:
        terms = Terms(JudgementKind.CATEGORICAL, passing, any(row.label is not None for row in rows))
    elif texts or (_has_verdicts(rows) and not scores) or _is_unit({*numbers, *scores}, rows, passing):
        terms = Terms(JudgementKind.BINARY, passing, is_unit=_is_unit({*numbers, *scores}, rows, passing))
    else:
        whole = all(value.is_integer() for value in (*numbers, *scores))
        terms = Terms(JudgementKind.ORDINAL if whole else JudgementKind.CONTINUOUS, passing)
    problems = list(_misfits(terms, rows))
    if problems:
        raise Refused(problems)
    return terms


def _is_unit(values: set[float], rows: Iterable[CalibrationRow], passing: Passing) -> bool:
    """Whether numbers are a binary judge's 1 and 0; ones alone may be the bottom of another scale."""
    return passing.threshold is None and values <= _UNIT and (0.0 in values or _has_verdicts(rows))


def _has_verdicts(rows: Iterable[CalibrationRow]) -> bool:
    return any(row.outcome in VERDICTS for row in rows)


def _mixed(rows: Sequence[CalibrationRow]) -> Iterator[Problem]:
    first = type(rows[0].given[0])
    for row in rows:
        if any(type(label) is not first for label in row.given):
            yield problem_at(row.index, "human", "must be of one kind in all lines: texts or numbers")


def _misfits(terms: Terms, rows: Sequence[CalibrationRow]) -> Iterator[Problem]:
    if terms.kind is JudgementKind.BINARY:
        return _not_binary(terms, rows)
    if terms.kind is JudgementKind.CATEGORICAL:
        return _not_categorical(terms, rows)
    return _not_scored(rows)


def _not_binary(terms: Terms, rows: Sequence[CalibrationRow]) -> Iterator[Problem]:
    for row in rows:
        if row.outcome is None and row.score is None:
            yield problem_at(row.index, "outcome", "is missing, as the human labels are pass and fail")
        elif row.outcome is not None and row.outcome not in UNDECIDED and terms.passes(row.outcome) is None:
            yield problem_at(row.index, "outcome", "must be an outcome, as the human labels are pass and fail")
        if any(terms.passes(label) is None for label in row.given):
            yield problem_at(row.index, "human", "must be pass or fail (or 1 or 0) where the judge gives no score")


def _not_categorical(terms: Terms, rows: Sequence[CalibrationRow]) -> Iterator[Problem]:
    decided = {category for row in rows if (category := terms.category(row)) is not None}
    if decided and decided <= VERDICTS and not terms.passing.categories:
        for row in rows:
            if not VERDICTS.issuperset(map(str, row.given)):
                yield problem_at(row.index, "human", "must be pass or fail, as all outcomes are")
    if len(decided.union(*(map(str, row.given) for row in rows))) > MAX_CATEGORIES:
        yield Problem("", f"there are more than {MAX_CATEGORIES} different labels")
    for row in rows:
        if terms.category(row) is None and row.outcome not in UNDECIDED:
            key = "label" if terms.has_labels else "outcome"
            yield problem_at(row.index, key, "is missing, as the human labels are categories")


def _not_scored(rows: Sequence[CalibrationRow]) -> Iterator[Problem]:
    for row in rows:
        if counted_score(row) is None and (row.outcome is None or row.outcome not in UNDECIDED):
            yield problem_at(row.index, "score", "is missing, as the human labels are scores")
