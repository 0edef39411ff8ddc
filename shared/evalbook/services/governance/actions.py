"""Governed actions: what one person requests and another one decides, as records and the steps between them.

    requested ─▶ approved ─▶ carried_out
        │            ├─▶ failed         what it takes does not hold any more
        ├────────────┼─▶ superseded     the scorer had another activation since the request
        ├────────────┴─▶ expired        nobody decided in time, or it could not be carried out in time
        └─▶ rejected

Each step is a new record and an event that says who took it and when. Events are only ever added.
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from evalbook.domain.errors import Problem
from evalbook.domain.records import Activation, AuditStamp, GovernedBy, Project
from evalbook.domain.refusals import Declined, DeclineReason
from evalbook.domain.versions import ScorerKey

ACTIVATE_JUDGE: Final = "activate_judge_configuration"
"""The one kind of action that there is."""


class ActionState(StrEnum):
    """Where an action stands."""

    REQUESTED = "requested"
    APPROVED = "approved"
    CARRIED_OUT = "carried_out"
    REJECTED = "rejected"
    EXPIRED = "expired"
    SUPERSEDED = "superseded"
    FAILED = "failed"


class ShownActionState(StrEnum):
    """Where an action stands, as people are told."""

    REQUESTED = "requested"
    WAITING = "waiting"
    """Approved and not carried out yet: the gateway's catalog is not to be had, or the service broke off."""
    CARRIED_OUT = "carried_out"
    REJECTED = "rejected"
    EXPIRED = "expired"
    SUPERSEDED = "superseded"
    FAILED = "failed"


OPEN: Final = frozenset({ActionState.REQUESTED, ActionState.APPROVED})
"""The states in which something can still become of an action."""


@dataclass(frozen=True, slots=True)
class ActionKey:
    """One action of one project."""

    project: Project
    action_id: str


@dataclass(frozen=True, slots=True)
class Target:
    """The version that is to become active, and how its scorer stood at the request.

    `activations` counts the scorer's activations then, and `previous` is the version that was active then: while the
    action is open, both are as they were.
    """

    scorer: ScorerKey
    version: int
    digest: str
    material_digest: str
    activations: int
    previous: int | None


@dataclass(frozen=True, slots=True)
class Action:
    """An action as it stands; `events` counts its events, and `problems` say why it failed."""

    key: ActionKey
    target: Target
    reason: str
    requested: AuditStamp
    expires_at: str
    state: ActionState = ActionState.REQUESTED
    events: int = 1
    approved: AuditStamp | None = None
    rejected: AuditStamp | None = None
    activation: int | None = None
    problems: tuple[Problem, ...] = ()

    @property
    def shown_state(self) -> ShownActionState:
        """How the action reads to people: approved alone makes nothing active, so it waits until it is carried out."""
        return ShownActionState.WAITING if self.state is ActionState.APPROVED else ShownActionState(self.state.value)


@dataclass(frozen=True, slots=True)
class ActionEvent:
    """One step of an action: from which state into which, when, and by whom; None for the service itself."""

    number: int
    before: ActionState | None
    after: ActionState
    by: str | None
    at: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ActionStep:
    """One step: the record before it (None at the request) and after it, and the event that tells of it."""

    before: Action | None
    after: Action
    event: ActionEvent


def request(key: ActionKey, target: Target, reason: str, requested: AuditStamp, expires_at: str) -> ActionStep:
    """Begin an action."""
    action = Action(key, target, reason, requested, expires_at)
    return ActionStep(None, action, ActionEvent(1, None, action.state, requested.by, requested.at, reason))


def approve(action: Action, stamp: AuditStamp, reason: str) -> ActionStep:
    """Approve a requested action.

    Raises:
        Declined: SELF_DECISION, or it is not requested any more (ACTION_NOT_OPEN).
    """
    insist_on_another(action, stamp.by)
    _insist_on_request(action)
    return _step(action, replace(action, state=ActionState.APPROVED, approved=stamp), stamp.by, stamp.at, reason)


def reject(action: Action, stamp: AuditStamp, reason: str) -> ActionStep:
    """Reject a requested action.

    Raises:
        Declined: SELF_DECISION, or it is not requested any more (ACTION_NOT_OPEN).
    """
    insist_on_another(action, stamp.by)
    _insist_on_request(action)
    return _step(action, replace(action, state=ActionState.REJECTED, rejected=stamp), stamp.by, stamp.at, reason)


def end(action: Action, state: ActionState, at: str, problems: tuple[Problem, ...] = ()) -> ActionStep:
    """End an open action without an activation: it is `expired`, `superseded` or `failed`."""
    return _step(action, replace(action, state=state, problems=problems), None, at)


def carry_out(action: Action, at: str) -> tuple[ActionStep, Activation]:
    """Carry an approved action out: the last step, and the activation that it is, in the name of who approved."""
    assert action.approved is not None  # only then it is carried out
    target, approver = action.target, action.approved.by
    governed = GovernedBy(action.key.action_id, action.requested.by)
    activation = Activation(target.activations + 1, target.version, target.previous, AuditStamp(approver, at), governed)
    after = replace(action, state=ActionState.CARRIED_OUT, activation=activation.number)
    return _step(action, after, None, at), activation


def standing(action: Action, now: str, next_activation: Activation | None) -> ActionState:
    """The state of an action by what has happened since it was written.

    *next_activation* is the scorer's first one after the request. What is open expires with its time, unless another
    activation was earlier.
    """
    if action.state not in OPEN:
        return action.state
    if next_activation is not None and next_activation.stamp.at < action.expires_at:
        return ActionState.CARRIED_OUT if is_of(action, next_activation) else ActionState.SUPERSEDED
    return ActionState.EXPIRED if action.expires_at <= now else action.state


def is_of(action: Action, activation: Activation) -> bool:
    """Whether an activation is what came of the action."""
    return activation.governed is not None and activation.governed.action_id == action.key.action_id


def insist_on_another(action: Action, by: str) -> None:
    """Let nobody decide on what they requested themselves.

    Raises:
        Declined: SELF_DECISION.
    """
    if action.requested.by == by:
        raise Declined(DeclineReason.SELF_DECISION, "Whoever requested an action cannot decide on it.")


def not_open(action: Action) -> Declined:
    """The error of a decision that comes too late."""
    return Declined(DeclineReason.ACTION_NOT_OPEN, f"The action is {action.state.value}.", action.problems)


def _insist_on_request(action: Action) -> None:
    if action.state is not ActionState.REQUESTED:
        raise not_open(action)


def _step(before: Action, after: Action, by: str | None, at: str, reason: str = "") -> ActionStep:
    number = before.events + 1
    return ActionStep(
        before, replace(after, events=number), ActionEvent(number, before.state, after.state, by, at, reason)
    )
