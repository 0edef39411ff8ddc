"""How an action goes on: every step is decided on what is stored now, and decided anew where somebody was faster."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from evalbook.domain.errors import StoreUnavailable
from evalbook.domain.records import Activation
from evalbook.domain.refusals import Declined, DeclineReason
from evalbook.domain.rfc3339 import rfc3339
from evalbook.services.governance import actions as rules
from evalbook.services.governance.actions import Action, ActionKey, ActionState, ActionStep
from evalbook.services.governance.preconditions import Preconditions
from evalbook.services.governance.store import ActionStore
from evalbook.services.judging.gateway import CatalogUnavailable
from evalbook.services.registry.ports import Clock, ScorerStore

_TRIES: Final = 10


@dataclass(frozen=True, slots=True)
class ActionWorkflow:
    """Brings actions from one state into the next."""

    store: ActionStore
    scorers: ScorerStore
    preconditions: Preconditions
    clock: Clock

    def stored(self, key: ActionKey) -> Action:
        """The action as it was written last.

        Raises:
            Declined: ACTION_NOT_FOUND.
        """
        action = self.store.action(key)
        if action is None:
            raise Declined(DeclineReason.ACTION_NOT_FOUND, "The project has no such action.")
        return action

    def shown(self, action: Action) -> Action:
        """The action as it stands now, without writing anything."""
        state = rules.standing(action, self.clock(), self._next_activation(action))
        if state is action.state:
            return action
        # What came of it was written after it was read.
        return self.stored(action.key) if state is ActionState.CARRIED_OUT else replace(action, state=state)

    def current(self, key: ActionKey) -> Action:
        """The action as it is stored; one that has expired or was superseded is ended first.

        Raises:
            Declined: ACTION_NOT_FOUND.
        """
        for _ in range(_TRIES):
            action, now = self.stored(key), self.clock()
            state = rules.standing(action, now, self._next_activation(action))
            if state is action.state:
                return action
            if state is not ActionState.CARRIED_OUT and self.store.take(ended := rules.end(action, state, now)):
                return ended.after
        raise _contended()

    def decide(self, key: ActionKey, decision: Callable[[Action], ActionStep | None]) -> Action:
        """Take the step that *decision* makes of the action as it is now; the action after it.

        Where that is None nothing is to be done.

        Raises:
            Declined: ACTION_NOT_FOUND, or whatever the decision raises.
        """
        for _ in range(_TRIES):
            action = self.current(key)
            step = decision(action)
            if step is None:
                return action
            if self.store.take(step):
                return step.after
        raise _contended()

    def carry_out(self, action: Action) -> Action:
        """Carry an approved action out; any other is given back as it is.

        It stays `approved` where the gateway's catalog is not to be had, and is `failed`, with the problems, where
        something that it takes does not hold any more.
        """
        for _ in range(_TRIES):
            if action.state is not ActionState.APPROVED:
                return action
            try:
                problems = self.preconditions.problems(action.key.project, action.target)
            except CatalogUnavailable:
                return action
            step, activation = rules.carry_out(action, self.clock())
            if problems:
                step = rules.end(action, ActionState.FAILED, self.clock(), problems)
            if self.store.take(step) if problems else self.store.carry_out(step, activation):
                return step.after
            action = self.current(action.key)
        raise _contended()

    def _next_activation(self, action: Action) -> Activation | None:
        """The scorer's first activation after the request; asked for only while it matters."""
        if action.state not in rules.OPEN:
            return None
        target = action.target
        return next(iter(self.scorers.activations(target.scorer, target.activations, 1)), None)


def later(moment: str, by: timedelta) -> str:
    """The moment that is *by* later, both RFC 3339 in UTC."""
    return rfc3339(datetime.fromisoformat(moment) + by)


def _contended() -> StoreUnavailable:
    return StoreUnavailable("too many others decided on the same action at the same time")
