"""Figures that can be undefined, and how they become JSON."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite

from evalbook.jsonio.values import Json


@dataclass(frozen=True, slots=True)
class Undefined:
    """Stands for a figure that the data do not define; `reason` is a code, a colon and a sentence."""

    reason: str


Figure = float | Undefined
Interval = tuple[float, float]

NOT_FINITE = Undefined("not_finite: the numbers are too large or too small for double precision")
NO_PAIRS = Undefined("no_pairs: no case has both a human label and a decision of the judge")


def ratio(part: float, whole: float, reason: str) -> Figure:
    """Return part / whole, undefined for *reason* where the whole is 0."""
    return part / whole if whole else Undefined(reason)


def as_json(figures: Mapping[str, object]) -> dict[str, Json]:
    """Return *figures* as JSON: an undefined one is null beside `<name>_reason`; NaN and infinities cannot come out."""
    out: dict[str, Json] = {}
    for name, value in figures.items():
        plain = _plain(value)
        if isinstance(plain, Undefined):
            out[name], out[f"{name}_reason"] = None, plain.reason
        else:
            out[name] = plain
    return out


def _plain(value: object) -> Json | Undefined:
    if isinstance(value, float) and not isfinite(value):
        return NOT_FINITE
    if isinstance(value, Mapping):
        return as_json(value)
    if isinstance(value, Sequence) and not isinstance(value, str):
        items = [_plain(item) for item in value]
        return next((item for item in items if isinstance(item, Undefined)), items)
    return value
