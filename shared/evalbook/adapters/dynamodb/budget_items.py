"""The ledger's records as DynamoDB items.

| record | `pk` | `sk` |
| --- | --- | --- |
| budget | `BUDGET#organization#project#id` | `BUDGET` |
| call | `CALL#request id` | `CALL` |

Calls that hold money stand in the index `due` (`due_shard`, `due_at`), spread over shards so that no partition of it is
hot. What holds nothing any more is deleted some time after `delete_after`, in seconds.
"""

from hashlib import sha256
from typing import Any, Final

from evalbook.budgets.calls import HOLDING, Basis, Call, CallRequest, CallState, Charge, Ownership, Settlement
from evalbook.budgets.model import AccountState, Budget, BudgetKey, EpochMs
from evalbook.budgets.store import Record

Item = dict[str, Any]

CALL_SHARDS: Final = 64
"""May be raised, never lowered: the sweeper looks at these shards and no others."""
KEPT_SECONDS: Final = 90 * 24 * 3600


def text(value: str) -> Item:
    """A text attribute."""
    return {"S": value}


def number(value: int) -> Item:
    """A number attribute."""
    return {"N": str(value)}


def budget_item_key(key: BudgetKey) -> Item:
    """The key of a budget; its parts are ids, which hold no '#'."""
    parts = ("BUDGET", key.organization_id, key.project_id, key.budget_id)
    return {"pk": text("#".join(parts)), "sk": text("BUDGET")}


def call_item_key(request_id: str) -> Item:
    """The key of a call."""
    return {"pk": text(f"CALL#{request_id}"), "sk": text("CALL")}


def budget_item(budget: Budget) -> Item:
    """A budget as an item."""
    return {
        **budget_item_key(budget.key),
        **_budget_reference(budget.key),
        "limit": number(budget.limit),
        "purpose": text(budget.purpose),
        "expires_at": number(budget.expires_at),
        **_counters(budget),
        "delete_after": number(budget.expires_at // 1000 + KEPT_SECONDS),
    }


def call_item(call: Call, now: EpochMs) -> Item:
    """A call as an item."""
    request, settlement = call.request, call.settlement
    item = {
        **call_item_key(request.request_id),
        **_budget_reference(call.budget),
        "request_digest": text(request.request_digest),
        "estimate": number(request.estimate),
        "owner": text(call.ownership.owner),
        "owned_until": number(call.ownership.until),
        "state": text(call.state.value),
        "revision": number(call.revision),
        "attempt": number(call.attempt),
        "sends": number(call.sends),
        "uncertain": {"BOOL": call.uncertain},
        **({} if call.sent_at is None else {"sent_at": number(call.sent_at)}),
        **({} if settlement is None else _settlement_item(settlement)),
    }
    return item | _due(_shard(request.request_id), call.ownership.until, now, holds_money=call.state in HOLDING)


def record(item: Item) -> Record:
    """The record that an item holds."""
    return _budget(item) if item["sk"]["S"] == "BUDGET" else read_call(item)


def read_call(item: Item) -> Call:
    """The call that an item holds."""
    return Call(
        CallRequest(_id(item), item["request_digest"]["S"], _int(item, "estimate")),
        _budget_key(item),
        Ownership(item["owner"]["S"], _int(item, "owned_until")),
        CallState(item["state"]["S"]),
        revision=_int(item, "revision"),
        attempt=_int(item, "attempt"),
        sends=_int(item, "sends"),
        sent_at=_int(item, "sent_at") if "sent_at" in item else None,
        uncertain=item["uncertain"]["BOOL"],
        settlement=_settlement(item) if "actual" in item else None,
    )


def due_shard(number_of_shard: int) -> str:
    """Return the name of one shard of the index."""
    return f"CALL#{number_of_shard:02d}"


def _budget(item: Item) -> Budget:
    return Budget(
        _budget_key(item),
        _int(item, "limit"),
        item["purpose"]["S"],
        _int(item, "expires_at"),
        available=_int(item, "available"),
        reserved=_int(item, "reserved"),
        spent=_int(item, "spent"),
        overrun=_int(item, "overrun"),
        state=AccountState(item["state"]["S"]),
    )


def _counters(budget: Budget) -> Item:
    return {
        "available": number(budget.available),
        "reserved": number(budget.reserved),
        "spent": number(budget.spent),
        "overrun": number(budget.overrun),
        "state": text(budget.state.value),
    }


def _budget_reference(key: BudgetKey) -> Item:
    return {
        "organization_id": text(key.organization_id),
        "project_id": text(key.project_id),
        "budget_id": text(key.budget_id),
    }


def _budget_key(item: Item) -> BudgetKey:
    return BudgetKey(item["organization_id"]["S"], item["project_id"]["S"], item["budget_id"]["S"])


def _settlement_item(settlement: Settlement) -> Item:
    return {
        "actual": number(settlement.charge.amount),
        "basis": text(settlement.charge.basis.value),
        "result_ref": text(settlement.result_ref),
    }


def _settlement(item: Item) -> Settlement:
    return Settlement(Charge(_int(item, "actual"), Basis(item["basis"]["S"])), item["result_ref"]["S"])


def _due(shard: str, at: EpochMs, now: EpochMs, *, holds_money: bool) -> Item:
    if holds_money:
        return {"due_shard": text(shard), "due_at": number(at)}
    return {"delete_after": number(now // 1000 + KEPT_SECONDS)}


def _shard(request_id: str) -> str:
    return due_shard(int(sha256(request_id.encode()).hexdigest(), 16) % CALL_SHARDS)


def _id(item: Item) -> str:
    name: str = item["pk"]["S"].partition("#")[2]
    return name


def _int(item: Item, name: str) -> int:
    return int(item[name]["N"])
