"""Labelled cases as they arrive: one JSON object a line, read strictly."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from evalbook.domain.errors import Problem, Refused
from evalbook.domain.outcome import Outcome
from evalbook.jsonio.pointer import format_pointer
from evalbook.jsonio.reader import NotStrictJson, read_json
from evalbook.jsonio.values import Json, is_number, kind_of

MAX_TEXT = 256
_MAX_ID = 128
_LARGEST = 1e12

Label = str | float
"""A verdict or category as text, or a score."""

VERDICTS: Final = frozenset({Outcome.PASS.value, Outcome.FAIL.value})
UNDECIDED: Final = frozenset(outcome.value for outcome in Outcome) - VERDICTS
_ALIASES = {"abstain": Outcome.ABSTAINED.value}


_KNOWN: Final = frozenset({"case_id", "human", "adjudicated", "outcome", "label", "score", "repeats"})
# Answers of `evalbook replay` are rows too: what else they say of a case is passed over.
_OF_AN_ANSWER: Final = frozenset(
    {"id", "code", "explanation", "variability", "abstentions", "assurance", "body", "replies", "judging", "usage"}
)


@dataclass(frozen=True, slots=True)
class CalibrationRow:
    """One case: human labels (none: stability only), the judge's outcome, category or score, and its single replies.

    `index` is the row's place from 0: in a JSON Lines file the line number less one. `adjudicated` is what the humans
    agreed on in the end, where that was written down; without it their majority or median counts.
    """

    index: int
    case_id: str
    human: tuple[Label, ...] = ()
    outcome: str | None = None
    label: str | None = None
    score: float | None = None
    repeats: tuple[Label | None, ...] = ()
    adjudicated: Label | None = None

    @property
    def given(self) -> tuple[Label, ...]:
        """All labels that humans gave: each one's own, and the adjudicated one where there is one."""
        return self.human if self.adjudicated is None else (*self.human, self.adjudicated)


def problem_at(index: int, key: str, message: str) -> Problem:
    """Return a problem of the row at *index*: a pointer into the list of rows, and the line that a reader counts."""
    return Problem(f"/{index}/{key}".removesuffix("/"), f"line {index + 1}: {message}")


def read_rows(lines: Iterable[str | bytes]) -> tuple[CalibrationRow, ...]:
    """Return the rows of *lines*, blank lines apart; raise Refused with every problem, quoting nothing."""
    rows: list[CalibrationRow] = []
    problems: list[Problem] = []
    first_seen: dict[str, int] = {}
    for index, line in enumerate(lines):
        if not line.strip():
            continue
        try:
            fields = _object(index, line)
            row = parse_row(index, {**fields, "case_id": fields.get("case_id", fields.get("id"))})
            problems.extend(_unknown(index, fields))
        except Refused as refused:
            problems.extend(refused.problems)
            continue
        if first_seen.setdefault(row.case_id, index) != index:
            where = first_seen[row.case_id] + 1
            problems.append(problem_at(index, "case_id", f"must be unique; line {where} has the same"))
        rows.append(row)
    if problems:
        raise Refused(problems)
    return tuple(rows)


def _unknown(index: int, fields: dict[str, Json]) -> Iterator[Problem]:
    """Name the keys that no row has: what is mistyped would be left out of the report."""
    for key in sorted(fields.keys() - _KNOWN - _OF_AN_ANSWER):
        known = ", ".join(sorted(_KNOWN))
        yield problem_at(index, format_pointer((key,))[1:], f"is not known; a row has {known}")


def parse_row(index: int, fields: dict[str, Json]) -> CalibrationRow:
    """Return the row in *fields*; keys that it does not know are ignored, null is as good as absent.

    Raises Refused with every problem of the row, quoting nothing.
    """
    reader = _Reader(index, fields)
    adjudicated = next(iter(reader.labels("adjudicated")), None)
    human = tuple(label for label in reader.labels("human") if label is not None)
    row = CalibrationRow(
        index=index,
        case_id=reader.case_id(),
        human=human or (() if adjudicated is None else (adjudicated,)),
        outcome=reader.outcome("outcome"),
        label=reader.outcome("label"),
        score=reader.score(),
        repeats=reader.labels("repeats"),
        adjudicated=adjudicated,
    )
    judged = row.outcome is not None or row.score is not None or row.label is not None
    if not (reader.problems or judged) and (row.human or not row.repeats):
        reader.refuse("", "needs an outcome or a score")
    if reader.problems:
        raise Refused(reader.problems)
    return row


class _Reader:
    """Reads one row's fields and gathers what is wrong with them."""

    def __init__(self, index: int, fields: dict[str, Json]) -> None:
        self._index, self._fields = index, fields
        self.problems: list[Problem] = []

    def refuse(self, key: str, message: str) -> None:
        self.problems.append(problem_at(self._index, key, message))

    def case_id(self) -> str:
        value = self._fields.get("case_id")
        if isinstance(value, str) and 0 < len(value) <= _MAX_ID and _is_unicode(value):
            return value
        self.refuse("case_id", f"must be a text of 1 to {_MAX_ID} characters")
        return ""

    def outcome(self, key: str) -> str | None:
        value = self._fields.get(key)
        if value is None:
            return None
        label = self._label(key, value)
        if isinstance(label, str):
            return label
        if label is not None:
            self.refuse(key, "must be a text; a number belongs in score")
        return None

    def score(self) -> float | None:
        value = self._fields.get("score")
        if value is None:
            return None
        if is_number(value):
            return self._number("score", value)
        self.refuse("score", f"must be a number, not {kind_of(value)}")
        return None

    def labels(self, key: str) -> tuple[Label | None, ...]:
        value = self._fields.get(key)
        if key == "repeats" and value is not None and not isinstance(value, list):
            self.refuse(key, f"must be an array, not {kind_of(value)}")
        elif isinstance(value, list) and key != "adjudicated":
            return tuple(self._item(f"{key}/{at}", item) for at, item in enumerate(value))
        elif value is not None:
            return (self._label(key, value),)
        return ()

    def _item(self, key: str, value: Json) -> Label | None:
        """A label of a list; of humans also an object that names the labeller."""
        if isinstance(value, dict) and key.startswith("human"):
            return self._label(f"{key}/label", value.get("label"))
        return self._label(key, value)

    def _label(self, key: str, value: Json) -> Label | None:
        if value is None or is_number(value):
            return None if value is None else self._number(key, value)
        if isinstance(value, bool):
            return (Outcome.PASS if value else Outcome.FAIL).value
        if not isinstance(value, str):
            self.refuse(key, f"must be a text or a number, not {kind_of(value)}")
        elif not value.strip() or len(value) > MAX_TEXT or not _is_unicode(value):
            self.refuse(key, f"must be a text of 1 to {MAX_TEXT} characters that is not blank")
        elif key.startswith(("human", "adjudicated")) and _ALIASES.get(value, value) in UNDECIDED:
            self.refuse(key, "must be a verdict, a category or a score; leave out what the human did not decide")
        else:
            return _ALIASES.get(value, value)
        return None

    def _number(self, key: str, value: float | Decimal) -> float | None:
        is_ordered = value.is_finite() if isinstance(value, Decimal) else True
        if is_ordered and -_LARGEST <= value <= _LARGEST:  # false for a NaN of type float
            return float(value) + 0.0  # no negative zero
        self.refuse(key, f"must be a finite number within ±{_LARGEST:.0e}")
        return None


def _object(index: int, line: str | bytes) -> dict[str, Json]:
    # a lone surrogate in a text is invalid UTF-8 then, which the reader refuses
    text = line.encode("utf-8", "surrogatepass") if isinstance(line, str) else line
    try:
        value = read_json(text)
    except NotStrictJson as error:
        raise Refused([problem_at(index, "", f"must be one JSON object; {error}")]) from None
    if not isinstance(value, dict):
        raise Refused([problem_at(index, "", f"must be one JSON object, not {kind_of(value)}")])
    return value


def _is_unicode(text: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in text)
