"""The composition root of calibrations: the routes about them, and the function that works on them."""

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from evalbook import observability
from evalbook.adapters import aws_clients
from evalbook.adapters.dynamodb.answers import DynamoDbAnswers
from evalbook.adapters.dynamodb.budgets import DynamoDbLedger
from evalbook.adapters.dynamodb.calibrations import DynamoDbCalibrations
from evalbook.adapters.dynamodb.judge_runs import DynamoDbJudgeRunRecords
from evalbook.adapters.dynamodb.scorers import DynamoDbScorers
from evalbook.adapters.dynamodb.table import Table
from evalbook.adapters.dynamodb.versions import DynamoDbVersions
from evalbook.adapters.s3.bodies import S3Bodies
from evalbook.adapters.s3.judge_run_texts import S3JudgeRunBodies
from evalbook.adapters.sqs.calibration_queue import SqsVisits, visits_of
from evalbook.adapters.sqs.event import queue_arn_of
from evalbook.api.application import Application
from evalbook.api.routes.calibrations import CalibrationRoutes
from evalbook.entrypoints.parts import budget_ledger, judge_run_launcher, now
from evalbook.entrypoints.settings import CalibrationsApiSettings, CalibrationWorkerSettings
from evalbook.services.calibration.calibrations import CalibrationPlaces, Calibrations
from evalbook.services.calibration.case_outcome import CaseReader
from evalbook.services.calibration.staleness import StalenessCheck
from evalbook.services.calibration.tick import CalibrationWork, JudgingParts
from evalbook.services.judging.stores import JudgeRunStores
from evalbook.services.registry.idempotency import Idempotency

CASES_FOLDER: Final = "cases"
ROWS_FOLDER: Final = "rows"
_RANDOM_BYTES: Final = 8


@dataclass(frozen=True, slots=True)
class CalibrationWorker:
    """The function that works on calibrations; what comes from the exhausted queue lets them fail."""

    work: CalibrationWork
    exhausted_queue_arn: str

    def __call__(self, event: dict[str, Any], seconds_left: Callable[[], float]) -> dict[str, str]:
        """Make the visits that the event delivers; of those to be delivered again the message's id and the reason."""
        visits = list(visits_of(event))
        if not visits:
            return {}
        given_up = queue_arn_of(event) == self.exhausted_queue_arn
        failed = self.work.give_up(visits) if given_up else self.work.handle(visits, seconds_left)
        if failed:
            observability.logger.warning("calibrations will be looked at again", extra={"failed": failed})
        return failed


def calibrations_api() -> Application:
    """The routes about calibrations."""
    settings = CalibrationsApiSettings.read()
    table = Table(aws_clients.dynamodb(), settings.registry_table)
    store = DynamoDbScorers(table)
    use_case = Calibrations(
        scorers=store,
        places=_places(settings, table),
        ledger=budget_ledger(settings.budgets_table),
        clock=now,
        new_id=_new_id,
        most=settings.budget_limit,
        in_flight=settings.in_flight,
    )
    groups = [CalibrationRoutes(use_case, StalenessCheck(store))]
    return Application(groups, Idempotency(DynamoDbAnswers(table)), observability.report_failure)


def calibration_worker() -> CalibrationWorker:
    """The function that works on calibrations."""
    settings = CalibrationWorkerSettings.read()
    judge_runs = S3JudgeRunBodies(aws_clients.s3, settings.judge_runs_bucket)
    records = DynamoDbJudgeRunRecords(aws_clients.dynamodb(), settings.results_table)
    judging = JudgingParts(
        versions=DynamoDbVersions(aws_clients.dynamodb(), settings.registry_table),
        launcher=judge_run_launcher(settings.judge_runs_bucket, settings.machine_arn, redrives=settings.redrives),
        reader=CaseReader(
            JudgeRunStores(judge_runs, records), DynamoDbLedger(aws_clients.dynamodb(), settings.budgets_table)
        ),
        ledger=budget_ledger(settings.budgets_table),
    )
    places = _places(settings, Table(aws_clients.dynamodb(), settings.registry_table))
    work = CalibrationWork(places, judging, now, settings.poll_seconds, settings.in_flight)
    return CalibrationWorker(work, settings.exhausted_queue_arn)


def _places(settings: CalibrationsApiSettings, table: Table) -> CalibrationPlaces:
    return CalibrationPlaces(
        store=DynamoDbCalibrations(table),
        held=S3JudgeRunBodies(aws_clients.s3, settings.calibrations_bucket, CASES_FOLDER),
        rows=S3JudgeRunBodies(aws_clients.s3, settings.calibrations_bucket, ROWS_FOLDER),
        bodies=S3Bodies(aws_clients.s3, settings.bodies_bucket),
        queue=SqsVisits(aws_clients.sqs(), settings.calibrations_queue_url),
    )


def _new_id() -> str:
    """An id that sorts by the time at which it is drawn, and that nobody can guess."""
    return f"{time.time_ns() // 1_000_000:012x}-{secrets.token_hex(_RANDOM_BYTES)}"
