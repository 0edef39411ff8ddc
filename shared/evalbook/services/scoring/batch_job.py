"""The job of scoring one batch: from the cases' text to encoded results."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256

from evalbook.contracts.case import case_id_of, example_id_of, read_case
from evalbook.contracts.score_batch import CaseText, CaseValue, read_batch, read_cases
from evalbook.domain.errors import CaseInvalid, ParametersRefused
from evalbook.domain.implementation import ScoreFunction
from evalbook.domain.outcome import Code, Grade, errored
from evalbook.domain.result import CaseIdentity, ResultWriter, Run, ScoringVersion
from evalbook.domain.versions import assurance_of
from evalbook.jsonio.canonical import digest
from evalbook.services.scoring.guard import guarded
from evalbook.services.scoring.prepared import prepared_version
from evalbook.services.scoring.worker import PREPARE_LIMIT_MS, Mark, preparing
from evalbook.traces.resolution import Resolution

_REPEATED = errored(Code.CASE_ID_REPEATED, "An earlier case of the batch has the same case_id.")
_VERDICT_LIMIT_MS = 1_000


@dataclass(frozen=True, slots=True)
class CaseRange:
    """Which cases of a text are meant, and where they stand in the original batch."""

    text: bytes
    is_message: bool
    """Whether the text is a whole score batch, or a JSON array of cases."""
    begin: int
    end: int
    first_index: int
    """The index in the original batch of the text's first case."""
    repeated: frozenset[int]
    """Indexes in the original batch of cases whose id occurred before."""


@dataclass(frozen=True, slots=True)
class BatchJob:
    """Score the cases of one batch with one version, or give all of them one grade."""

    cases: CaseRange
    run: Run
    scorer: ScoringVersion
    parameters: bytes
    time_limit_ms: int
    verdict: Grade | None = None
    resolved: Mapping[int, Resolution] = field(default_factory=dict)
    """The cases that were filled from stored traces, by number."""

    @property
    def size(self) -> int:
        """How many cases there are."""
        return self.cases.end - self.cases.begin

    def results(self, begin: int, decided: Mapping[int, Grade], mark: Mark) -> Iterator[tuple[int, bytes]]:
        """Yield each case's number and encoded result, from case *begin* on."""
        writer = ResultWriter(self.run, self.scorer, assurance_of(self.scorer.implementation))
        verdict = self.verdict or decided.get(preparing(0))
        score = (lambda _: verdict) if verdict else self._score_function(mark)
        limit_ms = _VERDICT_LIMIT_MS if verdict else self.time_limit_ms
        for index, (identity, value) in enumerate(identified(self.cases)):
            if index < begin:
                continue
            grade = decided.get(index)
            # What is decided takes no time: to ask for the limit again would put an overdue case back for ever.
            if grade is None:
                mark(index, limit_ms)
                grade = self._grade(index, identity, value, score)
            yield index, writer.encode(identity, grade)

    def _score_function(self, mark: Mark) -> ScoreFunction:
        mark(preparing(0), PREPARE_LIMIT_MS)
        try:
            return prepared_version(self.scorer.implementation or "", self.parameters).score
        except ParametersRefused:
            refused = errored(Code.SCORING_FAILED, "The stored version can no longer be prepared.")
            return lambda _: refused

    def _grade(self, index: int, identity: CaseIdentity, value: CaseValue, score: ScoreFunction) -> Grade:
        refused = unscorable(identity, value)
        if refused is not None:
            return refused
        filled = self.resolved.get(index)
        try:
            case = read_case(value if filled is None else filled.value)
        except CaseInvalid as error:
            return errored(Code.CASE_INVALID, str(error))
        grade = guarded(score, case)
        return grade if filled is None else filled.grade(grade)


def identified(cases: CaseRange) -> Iterator[tuple[CaseIdentity, CaseValue]]:
    """Yield the meant cases with their identities; ids count as seen from the text's first case on."""
    values = read_batch(cases.text).cases if cases.is_message else read_cases(cases.text)
    seen: set[str] = set()
    for position, value in enumerate(values[: cases.end]):
        case_id = _id_of(value)
        index = cases.first_index + position
        counts = case_id is None or case_id in seen or index in cases.repeated
        if case_id is not None:
            seen.add(case_id)
        if position >= cases.begin:
            yield identify(value, case_id, index if counts else None), value


def unscorable(identity: CaseIdentity, value: CaseValue) -> Grade | None:
    """Say why a case is not scored whatever it holds: its id repeats an earlier one, or it is no strict JSON."""
    if identity.case_id is not None and identity.place is not None:
        return _REPEATED
    return errored(Code.CASE_INVALID, value.problem) if type(value) is CaseText else None


def _id_of(value: CaseValue) -> str | None:
    return value.case_id if type(value) is CaseText else case_id_of(value)


def identify(value: CaseValue, case_id: str | None, place: int | None) -> CaseIdentity:
    """What tells the case apart: its id, and the digest of its canonical form (of its text where it has none)."""
    if type(value) is CaseText:
        return CaseIdentity(case_id, None, sha256(value.text).hexdigest(), place)
    return CaseIdentity(case_id, example_id_of(value), digest(value), place)
