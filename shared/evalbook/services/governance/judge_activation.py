"""The governed action `activate_judge_configuration`: requested by one person, approved by another, carried out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from evalbook.domain.errors import ParametersRefused
from evalbook.domain.records import AuditStamp, Project
from evalbook.domain.refusals import Declined, DeclineReason
from evalbook.services.governance import actions as rules
from evalbook.services.governance.actions import Action, ActionEvent, ActionKey, ActionState, ActionStep, Target
from evalbook.services.governance.workflow import ActionWorkflow, later
from evalbook.services.judging.gateway import CatalogUnavailable
from evalbook.services.registry.ports import Page
from evalbook.services.registry.scorers import Scorers

REQUEST_TIME: Final = timedelta(days=7)
"""For how long a request can be decided on and carried out."""
_APPROVED: Final = frozenset({ActionState.APPROVED, ActionState.CARRIED_OUT})


@dataclass(frozen=True, slots=True)
class ActivationRequest:
    """The version that somebody wants to be active, and why."""

    scorer: str
    version: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class JudgeActivations:
    """The use case of activating a judge version, or an earlier one again. *new_id* gives texts that nobody repeats."""

    course: ActionWorkflow
    scorers: Scorers
    new_id: Callable[[], str]

    def request(self, project: Project, asked: ActivationRequest, by: str) -> Action:
        """Ask for a judge version to become active.

        Raises:
            Declined: The version is not there, is no judge's (ONLY_FOR_JUDGES) or is active (ALREADY_ACTIVE).
            ParametersRefused: It could not be activated now; carries every problem.
        """
        target = self._target(project, asked)
        try:
            problems = self.course.preconditions.problems(project, target)
        except CatalogUnavailable:
            problems = ()  # it is asked again before anything is carried out
        if problems:
            raise ParametersRefused(problems)
        now = self.course.clock()
        key = ActionKey(project, f"{_compact(now)}-{self.new_id()}")
        step = rules.request(key, target, asked.reason, AuditStamp(by, now), later(now, REQUEST_TIME))
        self.course.store.take(step)
        return step.after

    def approve(self, project: Project, action_id: str, by: str, reason: str = "") -> Action:
        """Approve an action and carry it out; one that was approved before and left there is carried out now.

        It is `carried_out` then, or still `approved` where the gateway's catalog is not to be had: it is tried again.

        Raises:
            Declined: ACTION_NOT_FOUND, SELF_DECISION, or nothing can become of it any more (ACTION_NOT_OPEN).
        """
        stamp = AuditStamp(by, self.course.clock())
        approved = self.course.decide(ActionKey(project, action_id), lambda action: _approval(action, stamp, reason))
        action = self.course.carry_out(approved)
        if action.state not in _APPROVED:
            raise rules.not_open(action)
        return action

    def reject(self, project: Project, action_id: str, by: str, reason: str = "") -> Action:
        """Reject an action.

        Raises:
            Declined: ACTION_NOT_FOUND, SELF_DECISION, or it is not requested any more (ACTION_NOT_OPEN).
        """
        stamp = AuditStamp(by, self.course.clock())
        return self.course.decide(ActionKey(project, action_id), lambda action: rules.reject(action, stamp, reason))

    def get(self, project: Project, action_id: str) -> Action:
        """An action as it stands now.

        Raises:
            Declined: ACTION_NOT_FOUND.
        """
        return self.course.shown(self.course.stored(ActionKey(project, action_id)))

    def list(self, project: Project, page: Page) -> Sequence[Action]:
        """A page of the project's actions as they stand now, newest first."""
        return [self.course.shown(each) for each in self.course.store.actions(project, page.after, page.limit)]

    def events(self, action: Action) -> Sequence[ActionEvent]:
        """What happened to an action, oldest first."""
        return self.course.store.events(action.key)

    def _target(self, project: Project, asked: ActivationRequest) -> Target:
        scorer = self.scorers.get(project, asked.scorer)
        version = self.scorers.version(project, asked.scorer, asked.version)
        if version.material_digest is None:
            raise Declined(
                DeclineReason.ONLY_FOR_JUDGES, "The version is no judge's: its fixtures decide on its activation."
            )
        if scorer.active == asked.version:
            raise Declined(DeclineReason.ALREADY_ACTIVE, "The version is active.")
        digest, material = version.version.digest, version.material_digest
        return Target(scorer.key, asked.version, digest, material, scorer.activations, scorer.active)


def _approval(action: Action, stamp: AuditStamp, reason: str) -> ActionStep | None:
    """The step of approving; None where that was done before."""
    rules.insist_on_another(action, stamp.by)
    return None if action.state in _APPROVED else rules.approve(action, stamp, reason)


def _compact(now: str) -> str:
    """The time as the beginning of an id: ids are in the order of time."""
    return now.replace("-", "").replace(":", "")
