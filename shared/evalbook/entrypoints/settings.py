"""What the functions read from their environment, each value named once and checked at start."""

import os
from collections.abc import Mapping
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, Json


class Settings(BaseModel):
    """A frozen set of environment variables."""

    model_config = ConfigDict(frozen=True, hide_input_in_errors=True, extra="ignore")

    @classmethod
    def read(cls, environment: Mapping[str, str] = os.environ) -> Self:
        """Read the variables that this function declares.

        Raises:
            pydantic.ValidationError: Names every variable that is missing or malformed.
        """
        return cls.model_validate(dict(environment))


class ObservedSettings(Settings):
    """What every function knows of how it is watched."""

    tracing: bool = Field(False, alias="TRACING")  # noqa: FBT003


class ScoreSettings(Settings):
    """The score function of one family."""

    family: str = Field(alias="SCORER_FAMILY")
    registry_table: str = Field(alias="REGISTRY_TABLE")
    bodies_bucket: str = Field(alias="BODIES_BUCKET")
    results_queue_url: str = Field(alias="RESULTS_QUEUE_URL")
    queue_url: str = Field(alias="QUEUE_URL")
    dead_queue_url: str = Field(alias="DEAD_QUEUE_URL")
    worker_memory_mb: int = Field(512, alias="WORKER_MEMORY_MB")
    traces_url: str = Field("", alias="TRACES_URL")
    """The traces component's; empty where the deployment has none."""
    traces_secret: str = Field("", alias="TRACES_SECRET")
    """The secret that holds the bearer token for it."""


class DispatchSettings(Settings):
    """The function that starts judge runs."""

    registry_table: str = Field(alias="REGISTRY_TABLE")
    bodies_bucket: str = Field(alias="BODIES_BUCKET")
    judge_runs_bucket: str = Field(alias="PANELS_BUCKET")
    results_queue_url: str = Field(alias="RESULTS_QUEUE_URL")
    queue_url: str = Field(alias="QUEUE_URL")
    dead_queue_url: str = Field(alias="DEAD_QUEUE_URL")
    machine_arn: str = Field(alias="PANEL_MACHINE_ARN")
    redrives: bool = Field(alias="PANEL_REDRIVES")
    """Whether failed executions can be redriven; where not, a new one takes a failed one's place."""


class JudgeRunSettings(Settings):
    """What every step of a judge run reads."""

    judge_runs_bucket: str = Field(alias="PANELS_BUCKET")
    results_table: str = Field(alias="RESULTS_TABLE")
    budgets_table: str = Field(alias="BUDGETS_TABLE")
    gateway_replays: bool = Field(alias="GATEWAY_REPLAYS")
    """Whether the gateway answers a repeated request from memory and charges it once."""
    results_retention_days: int = Field(120, alias="RESULTS_RETENTION_DAYS")


class GatewayClientSettings(JudgeRunSettings):
    """The steps of a judge run that talk to Bookbag SSO."""

    registry_table: str = Field(alias="REGISTRY_TABLE")
    sso_url: str = Field(alias="SSO_URL")
    sso_secret: str = Field(alias="SSO_SECRET")
    """The secret that holds the service token."""
    traces_url: str = Field("", alias="TRACES_URL")
    traces_secret: str = Field("", alias="TRACES_SECRET")


class PrepareSettings(GatewayClientSettings):
    """The step of a judge run that reserves."""


class PublishSettings(Settings):
    """The step of a judge run that sends the result."""

    judge_runs_bucket: str = Field(alias="PANELS_BUCKET")
    results_table: str = Field(alias="RESULTS_TABLE")
    results_queue_url: str = Field(alias="RESULTS_QUEUE_URL")


class SweepSettings(Settings):
    """The function that puts right what crashes left behind."""

    budgets_table: str = Field(alias="BUDGETS_TABLE")
    machine_arn: str = Field(alias="PANEL_MACHINE_ARN")
    redrives: bool = Field(alias="PANEL_REDRIVES")
    grace_ms: int = Field(30_000, alias="SWEEP_GRACE_MS")
    """For how long after its owner's time a call is left alone."""


class ExhaustedSettings(Settings):
    """The function of all families' exhausted queues."""

    registry_table: str = Field(alias="REGISTRY_TABLE")
    bodies_bucket: str = Field(alias="BODIES_BUCKET")
    results_queue_url: str = Field(alias="RESULTS_QUEUE_URL")
    dead_queue_urls: Json[dict[str, str]] = Field(alias="DEAD_QUEUE_URLS")
    """Each exhausted queue's ARN and the URL of its family's dead-letter queue."""
    worker_memory_mb: int = Field(512, alias="WORKER_MEMORY_MB")


class CatalogSettings(Settings):
    """What every function reads that asks for the gateway's catalog."""

    sso_url: str = Field("", alias="SSO_URL")
    """Bookbag SSO's; without it there are no judges."""
    sso_secret: str = Field("", alias="SSO_SECRET")


class RegistrySettings(CatalogSettings):
    """The function behind the registry's routes."""

    registry_table: str = Field(alias="REGISTRY_TABLE")
    worker_memory_mb: int = Field(512, alias="WORKER_MEMORY_MB")


class ResumeActionsSettings(CatalogSettings):
    """The function that brings governed actions on."""

    registry_table: str = Field(alias="REGISTRY_TABLE")


class SandboxSettings(Settings):
    """What both functions behind sandbox runs read."""

    registry_table: str = Field(alias="REGISTRY_TABLE")
    sandbox_table: str = Field(alias="SANDBOX_TABLE")
    sandbox_queue_url: str = Field(alias="SANDBOX_QUEUE_URL")
    traces_url: str = Field("", alias="TRACES_URL")
    traces_secret: str = Field("", alias="TRACES_SECRET")
    worker_memory_mb: int = Field(512, alias="WORKER_MEMORY_MB")


class SandboxApiSettings(SandboxSettings, CatalogSettings):
    """The function that starts and shows sandbox runs, and opens budgets."""

    runs_a_minute: int = Field(60, alias="SANDBOX_RUNS_A_MINUTE")
    budget_limit: int = Field(1_000_000, alias="SANDBOX_BUDGET_LIMIT")
    """Micro-dollars that a run with a judge may cost."""
    budgets_table: str = Field(alias="BUDGETS_TABLE")
    results_table: str = Field(alias="RESULTS_TABLE")


class SandboxWorkerSettings(SandboxSettings):
    """The function that scores what sandbox runs left over, and starts their judge runs."""

    judge_runs_bucket: str = Field(alias="PANELS_BUCKET")
    machine_arn: str = Field(alias="PANEL_MACHINE_ARN")
    redrives: bool = Field(alias="PANEL_REDRIVES")


class CalibrationsApiSettings(Settings):
    """The functions behind calibrations."""

    registry_table: str = Field(alias="REGISTRY_TABLE")
    budgets_table: str = Field(alias="BUDGETS_TABLE")
    bodies_bucket: str = Field(alias="BODIES_BUCKET")
    calibrations_bucket: str = Field(alias="CALIBRATIONS_BUCKET")
    calibrations_queue_url: str = Field(alias="CALIBRATIONS_QUEUE_URL")
    budget_limit: int = Field(100_000_000, alias="CALIBRATION_BUDGET_LIMIT")
    """The most micro-dollars that a calibration's own budget may have."""
    in_flight: int = Field(20, alias="CALIBRATION_IN_FLIGHT")
    """So many cases of a calibration are judged side by side."""


class CalibrationWorkerSettings(CalibrationsApiSettings):
    """The function that works on calibrations."""

    judge_runs_bucket: str = Field(alias="PANELS_BUCKET")
    results_table: str = Field(alias="RESULTS_TABLE")
    machine_arn: str = Field(alias="PANEL_MACHINE_ARN")
    redrives: bool = Field(alias="PANEL_REDRIVES")
    exhausted_queue_arn: str = Field(alias="CALIBRATIONS_EXHAUSTED_QUEUE_ARN")
    poll_seconds: int = Field(5, alias="CALIBRATION_POLL_SECONDS")
    """After so many seconds a calibration is looked at again."""
