"""Fixtures: cases with the outcome that a version must give, and what running them shows."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from evalbook.contracts.case import case_id_of, read_case
from evalbook.domain.errors import CaseInvalid, Problem, Refused
from evalbook.domain.outcome import Code, Outcome
from evalbook.domain.records import FixtureSetRef, Project, VersionRecord
from evalbook.domain.refusals import Declined, DeclineReason
from evalbook.jsonio.canonical import digest, exact
from evalbook.jsonio.pointer import format_pointer
from evalbook.jsonio.stored import NotStorable, read_stored, stored_text
from evalbook.jsonio.values import Json
from evalbook.services.registry.ports import FixtureStore
from evalbook.services.registry.scorers import Scorers
from evalbook.services.scoring.case_run import CaseSlice, ResolvedVersion, scoring_job
from evalbook.services.scoring.worker import Worker

RUN_SECONDS: Final = 20.0
_RUN_ID: Final = "fixtures"
_NEARLY: Final = Decimal("1E-9")  # scores are reported as doubles


@dataclass(frozen=True, slots=True)
class Fixture:
    """A case and what it must give; code and score count where they are given."""

    case: Json
    outcome: Outcome
    code: Code | None = None
    score: Decimal | None = None


@dataclass(frozen=True, slots=True)
class FixtureVerdict:
    """What one fixture gave: whether it agrees with what it must give (None: there was no time left to run it)."""

    index: int
    case_id: str
    agrees: bool | None
    expected: Json
    actual: Json


@dataclass(frozen=True, slots=True)
class Report:
    """What all fixtures of a version gave, in their order."""

    version: VersionRecord
    verdicts: tuple[FixtureVerdict, ...]

    def count(self, *, agrees: bool | None) -> int:
        """How many fixtures agree, disagree (False) or were not run (None)."""
        return sum(verdict.agrees is agrees for verdict in self.verdicts)


@dataclass(frozen=True, slots=True)
class Fixtures:
    """The fixtures of all deterministic versions."""

    scorers: Scorers
    store: FixtureStore
    worker: Worker

    def replace(self, project: Project, name: str, number: int, fixtures: Sequence[Fixture]) -> VersionRecord:
        """Give a draft these fixtures instead of what it had.

        Raises:
            Declined: The version is not there, is a judge's, or was activated (FIXTURES_FROZEN).
            Refused: A case cannot be read or has another's id; carries every problem.
        """
        version = self.scorers.deterministic(project, name, number)
        if problems := list(_case_problems(fixtures)):
            raise Refused(problems)
        values = [_as_json(fixture) for fixture in fixtures]
        reference = FixtureSetRef(digest(values), len(values))
        try:
            text = stored_text(values)
        except NotStorable as error:
            raise Refused([Problem("/fixtures" + format_pointer(error.path), error.reason)]) from None
        if not self.store.replace_fixtures(version.version.scorer, number, reference, text):
            raise Declined(DeclineReason.FIXTURES_FROZEN, "The version was activated: its fixtures are frozen.")
        return self.scorers.version(project, name, number)

    def get(self, project: Project, name: str, number: int) -> tuple[VersionRecord, list[Json]]:
        """The version and its fixtures, each a JSON object `{case, outcome, code?, score?}`.

        Raises:
            Declined: The version is not there, or is a judge's.
        """
        version = self.scorers.deterministic(project, name, number)
        if version.fixtures is None:
            return version, []
        text = self.store.fixtures(version.version.scorer, number, version.fixtures)
        fixtures: list[Json] = read_stored(text)
        return version, fixtures

    def run(self, project: Project, name: str, number: int) -> Report:
        """Run the fixtures that the version has, for at most 20 seconds.

        A fixture holds its case: nothing is fetched from stored traces, so that it gives the same whenever it is run.

        Raises:
            Declined: The version is not there, is a judge's, or has no fixtures (FIXTURES_MISSING).
        """
        version, fixtures = self.get(project, name, number)
        if not fixtures:
            raise Declined(DeclineReason.FIXTURES_MISSING, "The version has no fixtures.")
        job = scoring_job(
            ResolvedVersion(version.version, number), _RUN_ID, CaseSlice([each["case"] for each in fixtures])
        )
        answers = dict(self.worker.run(job, seconds_left=RUN_SECONDS, survive_crashes=True))
        verdicts = (_verdict(index, each, answers.get(index)) for index, each in enumerate(fixtures))
        return Report(version, tuple(verdicts))


def _case_problems(fixtures: Sequence[Fixture]) -> Iterator[Problem]:
    seen = set[str]()
    for index, fixture in enumerate(fixtures):
        try:
            case_id = read_case(fixture.case).case_id
        except CaseInvalid as error:
            yield Problem(f"/fixtures/{index}/case", str(error))
            continue
        if case_id in seen:
            yield Problem(f"/fixtures/{index}/case/case_id", "repeats the case_id of an earlier fixture")
        seen.add(case_id)


def _as_json(fixture: Fixture) -> dict[str, Json]:
    code = {} if fixture.code is None else {"code": fixture.code.value}
    score = {} if fixture.score is None else {"score": fixture.score}
    return {"case": fixture.case, "outcome": fixture.outcome.value, **code, **score}


def _verdict(index: int, fixture: Json, answer: bytes | None) -> FixtureVerdict:
    expected = {name: fixture[name] for name in ("outcome", "code", "score") if name in fixture}
    case_id = case_id_of(fixture["case"]) or ""
    if answer is None:
        return FixtureVerdict(index, case_id, None, expected, None)
    result = read_stored(answer)
    actual = {name: result[name] for name in ("outcome", "code", "score", "explanation")}
    return FixtureVerdict(index, case_id, _agrees(expected, actual), expected, actual)


def _agrees(expected: Json, actual: Json) -> bool:
    if any(expected[name] != actual[name] for name in ("outcome", "code") if name in expected):
        return False
    if "score" not in expected:
        return True
    return actual["score"] is not None and abs(exact(actual["score"]) - exact(expected["score"])) <= _NEARLY
