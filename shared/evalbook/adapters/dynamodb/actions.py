"""Governed actions on DynamoDB: each step is one transaction over the action, its event and what it does."""

from collections.abc import Sequence
from typing import Final

from evalbook.adapters.dynamodb import action_items as items
from evalbook.adapters.dynamodb.activation import operations
from evalbook.adapters.dynamodb.items import project_pk, scorer_key
from evalbook.adapters.dynamodb.table import IF_NEW, Item, Table, attempts, contended, number, pause, text
from evalbook.domain.records import Activation, Project
from evalbook.services.governance.actions import Action, ActionEvent, ActionKey, ActionState, ActionStep

_AS_BEFORE: Final = "#state = :before AND events = :events"
_MAX_EVENTS: Final = 10  # an action has three at most


class DynamoDbActions:
    """An `ActionStore`."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def take(self, step: ActionStep) -> bool:
        """Write a step; False where the action is no longer as it was before it."""
        for attempt in attempts():
            if self._table.transact(_put(step), _append(step)):
                return True
            if not self._is_before(step):
                return False
            pause(attempt)
        raise contended()

    def carry_out(self, step: ActionStep, activation: Activation) -> bool:
        """Write the last step of an action and the activation that it is, all at once.

        False where the action is no longer as it was before, or its scorer is not as the activation takes it to be.
        """
        scorer = step.after.target.scorer
        for attempt in attempts():
            if self._table.transact(_put(step), _append(step), *operations(scorer, activation, fixtures=None)):
                return True
            head = self._table.read(scorer_key(scorer)) or {}
            if not self._is_before(step) or int(head["activations"]["N"]) != activation.number - 1:
                return False
            pause(attempt)
        raise contended()

    def action(self, key: ActionKey) -> Action | None:
        """The action, or None."""
        item = self._table.read(items.action_key(key))
        return items.action_of(item) if item else None

    def actions(self, project: Project, after: str, limit: int) -> Sequence[Action]:
        """Up to *limit* actions, newest first, those that follow the id *after*."""
        start = items.ACTIONS + after if after else None
        found = self._table.query(project_pk(project), items.ACTIONS, start, limit, newest_first=True)
        return [items.action_of(item) for item in found]

    def events(self, key: ActionKey) -> Sequence[ActionEvent]:
        """All events of an action, oldest first."""
        found = self._table.query(items.audit_pk(key.project), items.events_prefix(key), None, _MAX_EVENTS)
        return [items.event_of(item) for item in found]

    def due(self, now: str, limit: int) -> Sequence[ActionKey]:
        """Up to *limit* open actions that wait to be carried out or have expired; perhaps outdated."""
        return [items.key_of(item) for item in self._table.due(items.DUE_INDEX, items.DUE_KIND, now, limit)]

    def postpone(self, action: Action, until: str) -> None:
        """Let an approved action be due at *until*, if it is still as it was."""
        values = {":until": text(until), **_as_before(action)}
        self._table.update(items.action_key(action.key), "SET due_at = :until", _AS_BEFORE, values)

    def _is_before(self, step: ActionStep) -> bool:
        return self.action(step.after.key) == step.before


def _put(step: ActionStep) -> tuple[str, Item]:
    """Write the action as it is after the step, if it is still as it was before it."""
    after = step.after
    item = items.action_item(after, after.expires_at if after.state is ActionState.REQUESTED else step.event.at)
    if step.before is None:
        return "Put", {"Item": item, "ConditionExpression": IF_NEW}
    names = {"ExpressionAttributeNames": {"#state": "state"}}
    values = {"ExpressionAttributeValues": _as_before(step.before)}
    return "Put", {"Item": item, "ConditionExpression": _AS_BEFORE, **names, **values}


def _append(step: ActionStep) -> tuple[str, Item]:
    """Add the event, if there is none under its number."""
    return "Put", {"Item": items.event_item(step.after.key, step.event), "ConditionExpression": IF_NEW}


def _as_before(action: Action) -> Item:
    return {":before": text(action.state.value), ":events": number(action.events)}
