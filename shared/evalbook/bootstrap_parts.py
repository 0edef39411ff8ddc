"""What several composition roots are made of: the start of panels, the books of budgets, the time of day."""

import time
from datetime import UTC, datetime

from evalbook.adapters import aws
from evalbook.adapters.dynamodb_budgets import DynamoDbLedger
from evalbook.adapters.s3_panel_bodies import S3PanelBodies
from evalbook.adapters.sfn_executions import SfnExecutions
from evalbook.services.budget_accounts import BudgetAccount
from evalbook.services.budgets import BudgetLedger, LedgerSettings
from evalbook.services.panel_launch import PanelLauncher
from evalbook.services.rfc3339 import rfc3339


def panel_launcher(panels_bucket: str, machine_arn: str, *, redrives: bool) -> PanelLauncher:
    """What starts panels in the state machine; *redrives* says whether failed executions can be redriven."""
    return PanelLauncher(
        S3PanelBodies(aws.s3, panels_bucket), SfnExecutions(aws.stepfunctions(), machine_arn, redrives=redrives)
    )


def budget_books(table: str) -> BudgetLedger:
    """The ledger, for opening, reading and closing budgets: what it does about calls is not asked for here."""
    store = DynamoDbLedger(aws.dynamodb(), table)
    terms = LedgerSettings(replays=False, clock=milliseconds, refusal_hold=lambda: 1_000)
    return BudgetLedger(store, BudgetAccount(store), terms)


def milliseconds() -> int:
    """The time now, in milliseconds since the epoch."""
    return int(time.time() * 1_000)


def now() -> str:
    """The time now, as RFC 3339 text in UTC."""
    return rfc3339(datetime.now(UTC))
