"""Answers about what has changed between judges, and whether a calibration still speaks for the active one."""

from typing import Any

from pydantic import Field

from evalbook.contracts.model import Wire


class ChangeView(Wire):
    """One field of a judge that differs."""

    field: str
    old: Any
    new: Any
    diff: str | None = Field(description="Of templates: the unified diff. Of rubrics: where an approver is shown them.")


class StalenessView(Wire):
    """How a calibration stands against the version that became active after it was asked for."""

    stale: bool = Field(description="That version is materially different from the calibrated one.")
    active_version: int | None = Field(description="That version; null where none became active since.")
    changes: list[ChangeView] = Field(description="What of the material changed; empty unless it is stale.")
    conditions_changed: list[ChangeView] = Field(description="What else changed; this makes nothing stale.")
