"""Items numbered without gaps and without repeats, however many writers there are at once."""

from collections.abc import Callable
from typing import Final

from evalbook.adapters.dynamodb.table import IF_NEW, Item, Table, attempts, contended, number, pause

VERSIONS: Final = "versions"
"""The attribute of a scorer or rubric that counts its versions."""


def add_numbered(table: Table, head: Item, item_of: Callable[[int], Item]) -> int | None:
    """Put an item under the next number of the item *head*, counting it there; None where there is no such head.

    Count and item change in one transaction, so a number is used exactly when its item exists.
    """
    for attempt in attempts():
        counted = table.read(head)
        if counted is None:
            return None
        last = int(counted[VERSIONS]["N"])
        count = {
            "Key": head,
            "UpdateExpression": f"SET {VERSIONS} = :next",
            "ConditionExpression": f"{VERSIONS} = :last",
            "ExpressionAttributeValues": {":last": number(last), ":next": number(last + 1)},
        }
        if table.transact(("Update", count), ("Put", {"Item": item_of(last + 1), "ConditionExpression": IF_NEW})):
            return last + 1
        pause(attempt)
    raise contended()
