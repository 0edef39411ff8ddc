"""What several composition roots are made of: the start of judge runs, the books of budgets, the time of day."""

import time
from datetime import UTC, datetime

from evalbook.adapters import aws_clients
from evalbook.adapters.dynamodb.budgets import DynamoDbLedger
from evalbook.adapters.s3.judge_run_texts import S3JudgeRunBodies
from evalbook.adapters.stepfunctions import SfnExecutions
from evalbook.domain.rfc3339 import rfc3339
from evalbook.services.budgets.ledger import BudgetLedger, LedgerSettings
from evalbook.services.judging.launch import JudgeRunLauncher


def judge_run_launcher(judge_runs_bucket: str, machine_arn: str, *, redrives: bool) -> JudgeRunLauncher:
    """What starts judge runs in the state machine; *redrives* says whether failed executions can be redriven."""
    return JudgeRunLauncher(
        S3JudgeRunBodies(aws_clients.s3, judge_runs_bucket),
        SfnExecutions(aws_clients.stepfunctions(), machine_arn, redrives=redrives),
    )


def budget_ledger(table: str) -> BudgetLedger:
    """The ledger, for opening, reading and closing budgets: what it does about calls is not asked for here."""
    store = DynamoDbLedger(aws_clients.dynamodb(), table)
    terms = LedgerSettings(replays=False, clock=milliseconds, refusal_hold=lambda: 1_000)
    return BudgetLedger(store, terms)


def milliseconds() -> int:
    """The time now, in milliseconds since the epoch."""
    return int(time.time() * 1_000)


def now() -> str:
    """The time now, as RFC 3339 text in UTC."""
    return rfc3339(datetime.now(UTC))
