"""What several composition roots are made of: the start of panels, the books of budgets, the time of day."""

import time
from datetime import UTC, datetime

from evalbook.adapters import aws_clients
from evalbook.adapters.dynamodb.budgets import DynamoDbLedger
from evalbook.adapters.s3.judge_run_texts import S3PanelBodies
from evalbook.adapters.stepfunctions import SfnExecutions
from evalbook.domain.rfc3339 import rfc3339
from evalbook.services.budgets.accounts import BudgetAccount
from evalbook.services.budgets.ledger import BudgetLedger, LedgerSettings
from evalbook.services.judging.launch import PanelLauncher


def panel_launcher(panels_bucket: str, machine_arn: str, *, redrives: bool) -> PanelLauncher:
    """What starts panels in the state machine; *redrives* says whether failed executions can be redriven."""
    return PanelLauncher(
        S3PanelBodies(aws_clients.s3, panels_bucket),
        SfnExecutions(aws_clients.stepfunctions(), machine_arn, redrives=redrives),
    )


def budget_books(table: str) -> BudgetLedger:
    """The ledger, for opening, reading and closing budgets: what it does about calls is not asked for here."""
    store = DynamoDbLedger(aws_clients.dynamodb(), table)
    terms = LedgerSettings(replays=False, clock=milliseconds, refusal_hold=lambda: 1_000)
    return BudgetLedger(store, BudgetAccount(store), terms)


def milliseconds() -> int:
    """The time now, in milliseconds since the epoch."""
    return int(time.time() * 1_000)


def now() -> str:
    """The time now, as RFC 3339 text in UTC."""
    return rfc3339(datetime.now(UTC))
