"""What a calibration says about single cases; these rows name cases, so they are only for who may read them."""

from collections.abc import Iterable, Sequence
from statistics import fmean

from evalbook.calibration.figures import Undefined, as_json
from evalbook.calibration.pairing import Pair, study_of
from evalbook.calibration.rows import CalibrationRow
from evalbook.calibration.stability import population_sd
from evalbook.calibration.terms import Passing
from evalbook.jsonio.values import Json


def case_figures(
    rows: Sequence[CalibrationRow], *, threshold: float | None = None, pass_categories: Iterable[str] = ()
) -> list[dict[str, Json]]:
    """Return a row a case in the order of *rows*: human label, judge's decision, whether they agree, spread of replies.

    Humans and judge are compared as pass and fail where that is defined, in their own terms otherwise; `agrees` is
    null where one of them decides nothing. Raises Refused like `calibrate`.
    """
    study = study_of(rows, Passing(threshold, frozenset(pass_categories)))
    compared = study.pairs if isinstance(study.verdicts, Undefined) else study.verdicts
    own = {pair.case_id: pair for pair in study.pairs}
    agreeing = {pair.case_id: pair.human == pair.judge for pair in compared if pair.judge is not None}
    return [
        as_json(
            {
                "case_id": row.case_id,
                **_labels(own.get(row.case_id)),
                "agrees": agreeing.get(row.case_id),
                "repeats": _spread(row),
            }
        )
        for row in rows
    ]


def disagreements(
    rows: Sequence[CalibrationRow], *, threshold: float | None = None, pass_categories: Iterable[str] = ()
) -> list[dict[str, Json]]:
    """Return those of `case_figures` whose judge decides otherwise than the humans."""
    found = case_figures(rows, threshold=threshold, pass_categories=pass_categories)
    return [case for case in found if case["agrees"] is False]


def _labels(pair: Pair | None) -> dict[str, object]:
    if pair is None:
        return {"human": None, "judge": None, "undecided": None}
    return {"human": pair.human, "judge": pair.judge, "undecided": pair.undecided}


def _spread(row: CalibrationRow) -> dict[str, object] | None:
    scores = [reply for reply in row.repeats if isinstance(reply, float)]
    if not scores:
        return {"replies": list(row.repeats)} if row.repeats else None
    return {
        "replies": list(row.repeats),
        "min": min(scores),
        "max": max(scores),
        "mean": fmean(scores),
        "stdev": population_sd(scores),
    }
