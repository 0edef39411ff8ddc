"""Bodies of requests and answers about governed actions."""

from typing import Literal

from pydantic import Field

from evalbook.api.schemas.responses import Cursor, PlaceView, StampView
from evalbook.api.schemas.staleness import ChangeView
from evalbook.contracts.model import ClosedWire, Description, Name, Ordinal, Sha256, Wire
from evalbook.services.governance.actions import ActionState, ShownActionState


class NewActionBody(ClosedWire):
    """A judge version that is to become active, also one that was active before."""

    kind: Literal["activate_judge_configuration"]
    scorer: Name
    version: Ordinal
    reason: Description = ""


class DecisionBody(ClosedWire):
    """A decision on an action; `{}` gives no reason."""

    reason: Description = ""


class ActionView(Wire):
    """A governed action as it stands now."""

    action_id: str
    kind: Literal["activate_judge_configuration"]
    scorer: Name
    version: Ordinal
    digest: Sha256
    material_digest: Sha256
    reason: str
    state: ShownActionState
    requested: StampView
    expires_at: str = Field(description="Until then it can be decided on and carried out.")
    approved: StampView | None
    rejected: StampView | None
    waiting_for: Literal["model_catalog"] | None = Field(
        description="What an approved action waits for: it is tried again every minute, until it expires."
    )
    activation: int | None = Field(description="The scorer's activation that came of it.")
    problems: list[PlaceView] = Field(description="Why it failed.")


class ActionsView(Wire):
    """A page of actions, newest first."""

    items: list[ActionView]
    next_cursor: Cursor


class ActionEventView(Wire):
    """One step of an action; `by` is null where the service itself took it."""

    number: Ordinal
    before: ActionState | None
    after: ActionState
    by: str | None
    at: str
    reason: str


class HeadlineView(Wire):
    """The few figures of a calibration report that a decision starts from; null where undefined."""

    kind: str | None
    status: str | None
    status_reason: str | None
    partial: bool | None = Field(description="Whether cases are missing from it, for want of money or time.")
    n: int | None
    n_decided: int | None
    tpr: float | None
    tpr_wilson95: list[float] | None
    tnr: float | None
    tnr_wilson95: list[float] | None
    agreement: float | None
    cohen_kappa: float | None
    cohen_kappa_ci95: list[float] | None
    kappa_quadratic: float | None
    kappa_quadratic_ci95: list[float] | None
    corrected_pass_rate: float | None
    corrected_pass_rate_usable: bool | None


class EvidenceView(Wire):
    """The scorer's latest finished calibration of the same material."""

    calibration_id: str
    version: Ordinal = Field(description="The version that was calibrated.")
    created: StampView
    stale: bool = Field(description="A materially different version was activated after it was asked for.")
    conditions_changed: list[ChangeView] = Field(
        description="What the version that is to become active does otherwise than the calibrated one."
    )
    headline: HeadlineView | None


class ReviewView(Wire):
    """What there is to know before a decision: what changes, and what was measured."""

    active_version: int | None = Field(description="The version that was active at the request.")
    changes: list[ChangeView] = Field(
        description="What of the material changes against it; every field, from null, where none was active."
    )
    conditions_changed: list[ChangeView] = Field(description="What else changes against it.")
    calibration: EvidenceView | None = Field(description="Null where this material was never calibrated.")


class ActionDetailView(ActionView):
    """An action, everything that happened to it, and what there is to know before a decision."""

    events: list[ActionEventView]
    review: ReviewView
