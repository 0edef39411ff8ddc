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


class WithRegistry(Settings):
    """Reads or writes what the registry stores."""

    registry_table: str = Field(alias="REGISTRY_TABLE")


class WithBodies(Settings):
    """Reads cases that batches hold by reference."""

    bodies_bucket: str = Field(alias="BODIES_BUCKET")


class WithResultsQueue(Settings):
    """Sends results."""

    results_queue_url: str = Field(alias="RESULTS_QUEUE_URL")


class WithBatchQueues(Settings):
    """Works on a queue of batches."""

    queue_url: str = Field(alias="QUEUE_URL")
    dead_queue_url: str = Field(alias="DEAD_QUEUE_URL")


class WithResults(Settings):
    """Reads or writes stored results."""

    results_table: str = Field(alias="RESULTS_TABLE")


class WithBudgets(Settings):
    """Reads or writes budgets."""

    budgets_table: str = Field(alias="BUDGETS_TABLE")


class WithJudgeRunTexts(Settings):
    """Reads or writes the texts of judge runs."""

    judge_runs_bucket: str = Field(alias="PANELS_BUCKET")


class WithJudgeRunMachine(Settings):
    """Starts judge runs, or looks at them."""

    machine_arn: str = Field(alias="PANEL_MACHINE_ARN")
    redrives: bool = Field(alias="PANEL_REDRIVES")
    """Whether failed executions can be redriven; where not, a new one takes a failed one's place."""


class WithWorker(Settings):
    """Scores in a worker process."""

    worker_memory_mb: int = Field(512, alias="WORKER_MEMORY_MB")


class WithTraces(Settings):
    """Asks the traces component for held content."""

    traces_url: str = Field("", alias="TRACES_URL")
    """The traces component's; empty where the deployment has none."""
    traces_secret: str = Field("", alias="TRACES_SECRET")
    """The secret that holds the bearer token for it."""


class ScoreSettings(WithRegistry, WithBodies, WithResultsQueue, WithBatchQueues, WithWorker, WithTraces):
    """The score function of one family."""

    family: str = Field(alias="SCORER_FAMILY")


class DispatchSettings(
    WithRegistry, WithBodies, WithResultsQueue, WithBatchQueues, WithJudgeRunTexts, WithJudgeRunMachine
):
    """The function that starts judge runs."""


class JudgeRunSettings(WithResults, WithBudgets, WithJudgeRunTexts):
    """What every step of a judge run reads."""

    gateway_replays: bool = Field(alias="GATEWAY_REPLAYS")
    """Whether the gateway answers a repeated request from memory and charges it once."""
    results_retention_days: int = Field(120, alias="RESULTS_RETENTION_DAYS")


class GatewayClientSettings(JudgeRunSettings, WithRegistry, WithTraces):
    """The steps of a judge run that talk to Bookbag SSO."""

    sso_url: str = Field(alias="SSO_URL")
    sso_secret: str = Field(alias="SSO_SECRET")
    """The secret that holds the service token."""


class PrepareSettings(GatewayClientSettings):
    """The step of a judge run that reserves."""


class PublishSettings(WithResultsQueue, WithResults, WithJudgeRunTexts):
    """The step of a judge run that sends the result."""


class SweepSettings(WithBudgets, WithJudgeRunMachine):
    """The function that puts right what crashes left behind."""

    grace_ms: int = Field(30_000, alias="SWEEP_GRACE_MS")
    """For how long after its owner's time a call is left alone."""


class ExhaustedSettings(WithRegistry, WithBodies, WithResultsQueue, WithWorker):
    """The function of all families' exhausted queues."""

    dead_queue_urls: Json[dict[str, str]] = Field(alias="DEAD_QUEUE_URLS")
    """Each exhausted queue's ARN and the URL of its family's dead-letter queue."""


class CatalogSettings(Settings):
    """What every function reads that asks for the gateway's catalog."""

    sso_url: str = Field("", alias="SSO_URL")
    """Bookbag SSO's; without it there are no judges."""
    sso_secret: str = Field("", alias="SSO_SECRET")


class RegistrySettings(CatalogSettings, WithRegistry, WithWorker):
    """The function behind the registry's routes."""


class ResumeActionsSettings(CatalogSettings, WithRegistry):
    """The function that brings governed actions on."""


class SandboxSettings(WithRegistry, WithWorker, WithTraces):
    """What both functions behind sandbox runs read."""

    sandbox_table: str = Field(alias="SANDBOX_TABLE")
    sandbox_queue_url: str = Field(alias="SANDBOX_QUEUE_URL")


class SandboxApiSettings(SandboxSettings, CatalogSettings, WithResults, WithBudgets):
    """The function that starts and shows sandbox runs, and opens budgets."""

    runs_a_minute: int = Field(60, alias="SANDBOX_RUNS_A_MINUTE")
    budget_limit: int = Field(1_000_000, alias="SANDBOX_BUDGET_LIMIT")
    """Micro-dollars that a run with a judge may cost."""


class SandboxWorkerSettings(SandboxSettings, WithJudgeRunTexts, WithJudgeRunMachine):
    """The function that scores what sandbox runs left over, and starts their judge runs."""


class CalibrationsApiSettings(WithRegistry, WithBodies, WithBudgets):
    """The functions behind calibrations."""

    calibrations_bucket: str = Field(alias="CALIBRATIONS_BUCKET")
    calibrations_queue_url: str = Field(alias="CALIBRATIONS_QUEUE_URL")
    budget_limit: int = Field(100_000_000, alias="CALIBRATION_BUDGET_LIMIT")
    """The most micro-dollars that a calibration's own budget may have."""
    in_flight: int = Field(20, alias="CALIBRATION_IN_FLIGHT")
    """So many cases of a calibration are judged side by side."""


class CalibrationWorkerSettings(CalibrationsApiSettings, WithResults, WithJudgeRunTexts, WithJudgeRunMachine):
    """The function that works on calibrations."""

    exhausted_queue_arn: str = Field(alias="CALIBRATIONS_EXHAUSTED_QUEUE_ARN")
    poll_seconds: int = Field(5, alias="CALIBRATION_POLL_SECONDS")
    """After so many seconds a calibration is looked at again."""
