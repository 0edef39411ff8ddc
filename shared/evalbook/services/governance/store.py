"""What governed actions need from the outside."""

from collections.abc import Sequence
from typing import Protocol

from evalbook.domain.records import Activation, Project
from evalbook.services.governance.actions import Action, ActionEvent, ActionKey, ActionStep


class ActionStore(Protocol):
    """Where actions and their events are kept. Every method raises StoreUnavailable when the store does not answer.

    A record and the event that tells of it are written together or not at all; events are never changed.
    """

    def take(self, step: ActionStep) -> bool:
        """Write a step; False where the action is no longer as it was before it."""

    def carry_out(self, step: ActionStep, activation: Activation) -> bool:
        """Write the last step of an action and the activation that it is, all at once.

        False where the action is no longer as it was before, or its scorer is not as the activation takes it to be.
        """

    def action(self, key: ActionKey) -> Action | None:
        """The action, or None."""

    def actions(self, project: Project, after: str, limit: int) -> Sequence[Action]:
        """Up to *limit* actions, newest first, those that follow the id *after*."""

    def events(self, key: ActionKey) -> Sequence[ActionEvent]:
        """All events of an action, oldest first."""

    def due(self, now: str, limit: int) -> Sequence[ActionKey]:
        """Up to *limit* open actions that wait to be carried out or have expired; perhaps outdated."""

    def postpone(self, action: Action, until: str) -> None:
        """Let an approved action be due at *until*, if it is still as it was."""
