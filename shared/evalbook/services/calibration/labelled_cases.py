"""Labelled cases as a calibration takes them: each a case, the labels that humans gave it, and what they agreed on."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from evalbook.calibration.rows import VERDICTS, Label, parse_row
from evalbook.contracts.case import case_id_of, read_case
from evalbook.domain.errors import CaseInvalid, Problem, Refused
from evalbook.domain.result import CaseIdentity
from evalbook.jsonio.canonical import digest
from evalbook.jsonio.values import Json, kind_of
from evalbook.judges.version import SCORED, JudgeParameters
from evalbook.services.scoring.batch_job import identify

MAX_LABELS: Final = 20
_MAX_LABELLER_CHARS: Final = 128
_MEMBERS: Final = frozenset({"case", "human", "adjudicated"})


@dataclass(frozen=True, slots=True)
class LabelledCase:
    """A case and its human labels, each with its labeller (empty where only one label was given)."""

    identity: CaseIdentity
    value: Json
    labels: tuple[tuple[str, Label], ...]
    adjudicated: Label | None

    @property
    def human(self) -> tuple[Label, ...]:
        """The labels alone."""
        return tuple(label for _, label in self.labels)


def read_labelled(entries: Sequence[Json], parameters: JudgeParameters) -> tuple[LabelledCase, ...]:
    """Read `{case, human, adjudicated?}` entries whose labels the judge with *parameters* can be compared with.

    Raises:
        Refused: Carries every problem with its pointer (`/cases/3/human`); nothing of a case is quoted.
    """
    cases: list[LabelledCase] = []
    problems: list[Problem] = []
    for index, entry in enumerate(entries):
        try:
            cases.append(_labelled(index, entry))
        except Refused as refused:
            problems += refused.problems
    problems = problems or [*_repetitions(cases), *_misfits(cases, parameters)]
    if problems:
        raise Refused(problems)
    return tuple(cases)


def label_set_digest(cases: Sequence[LabelledCase]) -> str:
    """SHA-256 over the cases' digests and their labels; neither the order of cases nor that of labellers counts."""
    return digest(sorted((_digested(case) for case in cases), key=lambda each: str(each[0])))


def _digested(case: LabelledCase) -> list[Json]:
    labels: list[Json] = [
        [labeller, _plain(label)] for labeller, label in sorted(case.labels, key=lambda each: each[0])
    ]
    adjudicated = None if case.adjudicated is None else _plain(case.adjudicated)
    return [case.identity.digest, labels, adjudicated]


def _plain(label: Label) -> Json:
    """A label as JSON; equal numbers are one number."""
    if isinstance(label, str):
        return label
    return int(label) if label.is_integer() else Decimal(repr(label))


def _labelled(index: int, entry: Json) -> LabelledCase:
    at = f"/cases/{index}"
    if not isinstance(entry, dict):
        raise Refused([Problem(at, f"must be an object, not {kind_of(entry)}")])
    if not entry.keys() <= _MEMBERS:
        raise Refused([Problem(at, "has a member that is not known")])
    value = entry.get("case")
    try:
        case = read_case(value)
    except CaseInvalid as error:
        raise Refused([Problem(f"{at}/case", str(error))]) from None
    if problems := list(_labeller_problems(f"{at}/human", entry.get("human"))):
        raise Refused(problems)
    fields: dict[str, Json] = {"case_id": case.case_id, "outcome": "error"}
    labels = {name: entry[name] for name in ("human", "adjudicated") if name in entry}
    try:
        row = parse_row(index, fields | labels)
    except Refused as refused:
        raise Refused(_without_line(index, refused)) from None
    labellers = [each["labeller"] for each in entry["human"]] if isinstance(entry["human"], list) else [""]
    identity = identify(value, case_id_of(value), None)
    return LabelledCase(identity, value, tuple(zip(labellers, row.human, strict=True)), row.adjudicated)


def _labeller_problems(at: str, human: Json) -> Iterator[Problem]:
    if human is None:
        yield Problem(at, "is required")
    if not isinstance(human, list):
        return
    if not 1 <= len(human) <= MAX_LABELS:
        yield Problem(at, f"must have 1 to {MAX_LABELS} labels")
    seen: set[str] = set()
    for number, each in enumerate(human):
        problem = _labeller_problem(each, seen)
        if problem:
            yield Problem(f"{at}/{number}", problem)


def _labeller_problem(each: Json, seen: set[str]) -> str | None:
    if not isinstance(each, Mapping) or each.keys() != {"labeller", "label"} or each["label"] is None:
        return "must be an object with the members labeller and label"
    labeller = each["labeller"]
    if not isinstance(labeller, str) or not 0 < len(labeller) <= _MAX_LABELLER_CHARS:
        return f"must name its labeller in 1 to {_MAX_LABELLER_CHARS} characters"
    if labeller in seen:
        return "has the same labeller as an earlier label of the case"
    seen.add(labeller)
    return None


def _without_line(index: int, refused: Refused) -> Iterator[Problem]:
    """What is wrong with an entry's labels, said of a request and not of a file's line."""
    for problem in refused.problems:
        yield Problem(f"/cases{problem.pointer}", problem.message.removeprefix(f"line {index + 1}: "))


def _repetitions(cases: Sequence[LabelledCase]) -> Iterator[Problem]:
    seen: set[str | None] = set()
    for index, case in enumerate(cases):
        if case.identity.case_id in seen:
            yield Problem(f"/cases/{index}/case/case_id", "must be unique; an earlier case has the same")
        seen.add(case.identity.case_id)


def _misfits(cases: Sequence[LabelledCase], parameters: JudgeParameters) -> Iterator[Problem]:
    """Name each case whose labels the judge's decisions cannot be compared with."""
    given = [(case.human if case.adjudicated is None else (*case.human, case.adjudicated)) for case in cases]
    if all(label in VERDICTS for labels in given for label in labels):
        if parameters.score_type in SCORED and parameters.pass_threshold is None:
            yield Problem("/cases", "must have scores as labels: the judge has no pass threshold")
        return
    fits, wanted = _own_terms(parameters)
    for index, labels in enumerate(given):
        if not all(map(fits, labels)):
            yield Problem(f"/cases/{index}/human", wanted)


def _own_terms(parameters: JudgeParameters) -> tuple[Callable[[Label], bool], str]:
    """Whether a label is one that the judge itself could give, and how to ask for one."""
    if parameters.score_type in SCORED:
        low, high = parameters.minimum, parameters.maximum
        wanted = "must be a score within the judge's range in all cases, or pass or fail in all cases"
        return lambda label: not isinstance(label, str) and _within(label, low, high), wanted
    if parameters.score_type == "categorical":
        categories = parameters.categories or ()
        return (
            categories.__contains__,
            "must be one of the judge's categories in all cases, or pass or fail in all cases",
        )
    return VERDICTS.__contains__, "must be pass or fail"


def _within(label: float, low: Decimal | None, high: Decimal | None) -> bool:
    return (low is None or label >= low) and (high is None or label <= high)
