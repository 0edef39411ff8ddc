"""The composition root of governed actions: what the API and the schedule share, and the schedule's function."""

from collections.abc import Callable
from typing import Final

from evalbook.adapters import aws_clients
from evalbook.adapters.dynamodb.actions import DynamoDbActions
from evalbook.adapters.dynamodb.rubrics import DynamoDbRubrics
from evalbook.adapters.dynamodb.scorers import DynamoDbScorers
from evalbook.adapters.dynamodb.table import Table
from evalbook.entrypoints.parts import now
from evalbook.entrypoints.settings import CatalogSettings, ResumeActionsSettings
from evalbook.services.governance.preconditions import Preconditions
from evalbook.services.governance.resume import ResumeActions
from evalbook.services.governance.workflow import ActionWorkflow
from evalbook.services.judging.gateway import Catalogs
from evalbook.services.registry.ports import Clock

_RESUMED_AT_ONCE: Final = 50


def action_course(table: Table, catalogs: Catalogs | None, clock: Clock) -> ActionWorkflow:
    """How actions go on, over the registry's table."""
    scorers = DynamoDbScorers(table)
    return ActionWorkflow(
        DynamoDbActions(table), scorers, Preconditions(scorers, DynamoDbRubrics(table), catalogs), clock
    )


def gateway_catalogs(settings: CatalogSettings) -> Catalogs | None:
    """The gateway's catalogs, where the deployment has a gateway."""
    if not settings.sso_url:
        return None
    # Lazily: without a gateway nobody pays for an HTTP client at start.
    from evalbook.adapters.http.catalog import HttpxCatalogs  # noqa: PLC0415
    from evalbook.adapters.secrets_manager import SecretToken  # noqa: PLC0415

    return HttpxCatalogs(settings.sso_url, SecretToken(aws_clients.secrets_manager(), settings.sso_secret))


def resume_actions() -> Callable[[], dict[str, int]]:
    """The function that brings actions on; it counts them by the state that they are in then."""
    settings = ResumeActionsSettings.read()
    table = Table(aws_clients.dynamodb(), settings.registry_table)
    use_case = ResumeActions(action_course(table, gateway_catalogs(settings), now))

    return lambda: dict(use_case.run(_RESUMED_AT_ONCE))
