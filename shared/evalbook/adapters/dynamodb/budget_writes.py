"""The ledger's writes as DynamoDB transactions: the conditions of `evalbook.budgets.store` in DynamoDB's language."""

from typing import Any, Final

from evalbook.adapters.dynamodb.budget_items import (
    Item,
    budget_item,
    budget_item_key,
    call_item,
    number,
    text,
)
from evalbook.budgets.model import AccountState, Admission, EpochMs, Money
from evalbook.budgets.store import CloseBudget, MoveBudget, OpenBudget, Write, WriteCall

IS_NEW: Final = "attribute_not_exists(pk)"
EXISTS: Final = "attribute_exists(pk)"
IS_UNCHANGED: Final = "#revision = :seen"
ADMITS: Final = "#state = :open AND #expires_at > :now AND #available >= :needs"

_MOVE: Final = "ADD #available :available, #reserved :reserved, #spent :spent, #overrun :overrun"
_CLOSE: Final = "SET #state = :closed"

_VALUES: Final = {
    ":open": text(AccountState.OPEN.value),
    ":closed": text(AccountState.CLOSED.value),
}
_NAMES: Final = ("state", "revision", "expires_at", "available", "reserved", "spent", "overrun")


def action(write: Write, table: str, now: EpochMs) -> dict[str, Any]:
    """The member of a transaction that makes a write under its condition; *now* is when."""
    match write:
        case OpenBudget(budget):
            return _put(table, budget_item(budget), None)
        case WriteCall(before, call):
            return _put(table, call_item(call, now), before.revision if before else None)
        case CloseBudget(key):
            return _update(table, budget_item_key(key), _CLOSE, EXISTS, {})
        case MoveBudget(key, money, admission):
            condition = ADMITS if admission else EXISTS
            return _update(table, budget_item_key(key), _MOVE, condition, _amounts(money, admission))


def _amounts(money: Money, admission: Admission | None) -> Item:
    amounts = {
        ":available": number(money.available),
        ":reserved": number(money.reserved),
        ":spent": number(money.spent),
        ":overrun": number(money.overrun),
    }
    if admission is None:
        return amounts
    return {**amounts, ":now": number(admission.now), ":needs": number(admission.needs)}


def _put(table: str, item: Item, seen: int | None) -> dict[str, Any]:
    request = {"TableName": table, "Item": item, "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}
    if seen is None:
        return {"Put": {**request, "ConditionExpression": IS_NEW}}
    return {"Put": {**request, "ConditionExpression": IS_UNCHANGED, **_used(IS_UNCHANGED, {":seen": number(seen)})}}


def _update(table: str, key: Item, update: str, condition: str, values: Item) -> dict[str, Any]:
    return {
        "Update": {
            "TableName": table,
            "Key": key,
            "UpdateExpression": update,
            "ConditionExpression": condition,
            "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
            **_used(f"{update} {condition}", values),
        }
    }


def _used(expressions: str, values: Item) -> dict[str, Any]:
    """The names and values that the expressions mention: DynamoDB refuses any other."""
    mentioned = set(expressions.replace(",", " ").split())
    return {
        "ExpressionAttributeNames": {f"#{name}": name for name in _NAMES if f"#{name}" in mentioned},
        "ExpressionAttributeValues": {
            name: value for name, value in {**_VALUES, **values}.items() if name in mentioned
        },
    }
