"""Governed actions and their events as items of the registry's table.

| record | `pk` | `sk` |
| --- | --- | --- |
| action | the project's | `ACTION#id` |
| event | `AUDIT#` and the project's | `ACTION#id#number` |

Events have partitions of their own, so that who writes actions need not be allowed to change events. Open actions stand
in the index `due` (`due_kind`, `due_at`): a requested one from when it expires, an approved one at once.
"""

from typing import Any, Final

from evalbook.adapters.dynamodb import items
from evalbook.adapters.dynamodb.table import Item, key, number, text
from evalbook.domain.errors import Problem
from evalbook.domain.records import AuditStamp, Project
from evalbook.jsonio.canonical import plain_json
from evalbook.jsonio.reader import read_json
from evalbook.services.governance.actions import OPEN, Action, ActionEvent, ActionKey, ActionState, Target

ACTIONS: Final = "ACTION#"
DUE_INDEX: Final = "due"
DUE_KIND: Final = "action"


def action_key(found: ActionKey) -> Item:
    """The key of an action."""
    return key(items.project_pk(found.project), ACTIONS + found.action_id)


def audit_pk(project: Project) -> str:
    """The partition of a project's events."""
    return f"AUDIT#{items.project_pk(project)}"


def events_prefix(found: ActionKey) -> str:
    """What the sort keys of an action's events start with."""
    return f"{ACTIONS}{found.action_id}#"


def key_of(item: Item) -> ActionKey:
    """An action's key from its item's: `pk` is that of a project."""
    _, organization_id, _, project_id = item["pk"]["S"].split("#")
    return ActionKey(Project(organization_id, project_id), items.name_of(item))


def action_item(action: Action, due_at: str | None) -> Item:
    """An action's item; while it is open it is due at *due_at*."""
    target = action.target
    due = {"due_kind": text(DUE_KIND), "due_at": text(due_at)} if due_at and action.state in OPEN else {}
    return {
        **action_key(action.key),
        "scorer": text(target.scorer.name),
        "version": number(target.version),
        "digest": text(target.digest),
        "material_digest": text(target.material_digest),
        "activations": number(target.activations),
        **_optional("previous", target.previous),
        "reason": text(action.reason),
        **items.stamp_item(action.requested),
        "expires": text(action.expires_at),
        "state": text(action.state.value),
        "events": number(action.events),
        **_stamp("approved", action.approved),
        **_stamp("rejected", action.rejected),
        **_optional("activation", action.activation),
        "problems": text(plain_json([[each.pointer, each.message] for each in action.problems]).decode()),
        **due,
    }


def action_of(item: Item) -> Action:
    """An action from its item."""
    found = key_of(item)
    target = Target(
        found.project.scorer(item["scorer"]["S"]),
        int(item["version"]["N"]),
        item["digest"]["S"],
        item["material_digest"]["S"],
        int(item["activations"]["N"]),
        _number_of(item, "previous"),
    )
    return Action(
        found,
        target,
        item["reason"]["S"],
        items.stamp_of(item),
        item["expires"]["S"],
        ActionState(item["state"]["S"]),
        int(item["events"]["N"]),
        _stamp_of(item, "approved"),
        _stamp_of(item, "rejected"),
        _number_of(item, "activation"),
        tuple(Problem(*each) for each in read_json(item["problems"]["S"].encode())),
    )


def event_item(found: ActionKey, event: ActionEvent) -> Item:
    """An event's item."""
    before = {} if event.before is None else {"before": text(event.before.value)}
    by = {} if event.by is None else {"by": text(event.by)}
    return {
        **key(audit_pk(found.project), items.numbered(events_prefix(found), event.number)),
        **before,
        "after": text(event.after.value),
        **by,
        "at": text(event.at),
        "reason": text(event.reason),
    }


def event_of(item: Item) -> ActionEvent:
    """An event from its item."""
    return ActionEvent(
        int(items.name_of(item)),
        ActionState(item["before"]["S"]) if "before" in item else None,
        ActionState(item["after"]["S"]),
        item["by"]["S"] if "by" in item else None,
        item["at"]["S"],
        item["reason"]["S"],
    )


def _optional(name: str, value: int | None) -> Item:
    return {} if value is None else {name: number(value)}


def _number_of(item: Item, name: str) -> int | None:
    return int(item[name]["N"]) if name in item else None


def _stamp(name: str, stamp: AuditStamp | None) -> Item:
    return {} if stamp is None else {name: {"M": {"by": text(stamp.by), "at": text(stamp.at)}}}


def _stamp_of(item: Item, name: str) -> AuditStamp | None:
    found: Any = item.get(name)
    return AuditStamp(found["M"]["by"]["S"], found["M"]["at"]["S"]) if found else None
