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


class ExhaustedSettings(Settings):
    """The function of all families' exhausted queues."""

    registry_table: str = Field(alias="REGISTRY_TABLE")
    bodies_bucket: str = Field(alias="BODIES_BUCKET")
    results_queue_url: str = Field(alias="RESULTS_QUEUE_URL")
    dead_queue_urls: Json[dict[str, str]] = Field(alias="DEAD_QUEUE_URLS")
    """Each exhausted queue's ARN and the URL of its family's dead-letter queue."""
    worker_memory_mb: int = Field(512, alias="WORKER_MEMORY_MB")


class RegistrySettings(Settings):
    """The function behind the registry's routes."""

    registry_table: str = Field(alias="REGISTRY_TABLE")
    worker_memory_mb: int = Field(512, alias="WORKER_MEMORY_MB")


class SandboxSettings(Settings):
    """The functions behind sandbox runs."""

    registry_table: str = Field(alias="REGISTRY_TABLE")
    sandbox_table: str = Field(alias="SANDBOX_TABLE")
    sandbox_queue_url: str = Field(alias="SANDBOX_QUEUE_URL")
    runs_a_minute: int = Field(60, alias="SANDBOX_RUNS_A_MINUTE")
    traces_url: str = Field("", alias="TRACES_URL")
    traces_secret: str = Field("", alias="TRACES_SECRET")
    worker_memory_mb: int = Field(512, alias="WORKER_MEMORY_MB")
