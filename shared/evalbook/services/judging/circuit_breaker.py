"""Runs that a gateway's answer has stopped: for a minute or two no other case of theirs asks for the same answer."""

from typing import Final

from evalbook.budgets.model import EpochMs
from evalbook.domain.outcome import Code, Grade, errored
from evalbook.jsonio.canonical import digest
from evalbook.services.judging.ports import JudgeRunRecords
from evalbook.services.judging.records import JudgeRunJob

PERIOD_MS: Final = 60_000
"""A run stays stopped until the period of time after the current one ends: one to two minutes."""

_STOPPED: Final = "STOPPED"


def trip(records: JudgeRunRecords, job: JudgeRunJob, code: Code, now: EpochMs) -> None:
    """Stop the run of *job* for its judge, because the gateway answers *code* to every call of it.

    Raises:
        StoreUnavailable: The records did not answer; the run may not be stopped.
    """
    for instant in (now, now + PERIOD_MS):
        records.keep(_run_id(job), _period(instant), code.name.encode())


def refused_by_stop(records: JudgeRunRecords, job: JudgeRunJob, now: EpochMs) -> Grade | None:
    """The error that every case of a stopped run gets without asking, None where the run is not stopped.

    Raises:
        StoreUnavailable: The records did not answer.
    """
    kept = records.find(_run_id(job), _period(now))
    if kept is None:
        return None
    code = Code[kept.decode()]
    return errored(code, f"Not asked, since another call of the run was refused: {code.meaning}")


def _run_id(job: JudgeRunJob) -> str:
    judge = [job.scorer.name, job.scorer.digest]
    return f"RUN#{digest([job.organization_id, job.project_id, job.run_id, *judge])}"


def _period(now: EpochMs) -> str:
    """Records are written once, so a stop belongs to periods of time instead of having an end."""
    return f"{_STOPPED}#{now // PERIOD_MS}"
