"""One DynamoDB table with the keys `pk` and `sk`: what the stores need of it, errors translated."""

import random
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from botocore.exceptions import ClientError

from evalbook.adapters.aws_clients import AWS_ERRORS, error_code
from evalbook.domain.errors import StoreUnavailable

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

Item = dict[str, Any]

_CONDITION_FAILED: Final = "ConditionalCheckFailed"
_ATTEMPTS: Final = 60
_LONGEST_PAUSE_SECONDS: Final = 0.4
IF_NEW: Final = "attribute_not_exists(pk)"


def text(value: str) -> Item:
    """A text as an attribute."""
    return {"S": value}


def number(value: int) -> Item:
    """A number as an attribute."""
    return {"N": str(value)}


def key(pk: str, sk: str) -> Item:
    """An item's key."""
    return {"pk": text(pk), "sk": text(sk)}


class Table:
    """Reads and conditional writes; every method raises StoreUnavailable when the table does not answer."""

    def __init__(self, client: "DynamoDBClient", name: str) -> None:
        self._client = client
        self._name = name

    def read(self, item_key: Item) -> Item | None:
        """The item as it is now, or None."""
        return self._call(self._client.get_item, Key=item_key, ConsistentRead=True).get("Item")

    def put(self, item: Item, condition: str | None = IF_NEW, values: Mapping[str, Any] | None = None) -> bool:
        """Put an item if the condition holds (by default: there is none under its key); whether it was put.

        With None as the condition it is put in any case.
        """
        return self._conditional(self._client.put_item, Item=item, **_expressions(condition, values))

    def update(self, item_key: Item, change: str, condition: str, values: Mapping[str, Any]) -> bool:
        """Change an item if *condition* holds; whether it did. `#state` may stand for the attribute `state`."""
        names = {"#state": "state"} if "#state" in change + condition else None
        more = {"ExpressionAttributeNames": names} if names else {}
        arguments = {"UpdateExpression": change, **_expressions(condition, values), **more}
        return self._conditional(self._client.update_item, Key=item_key, **arguments)

    def query(self, pk: str, prefix: str, after: str | None, limit: int, *, newest_first: bool = False) -> list[Item]:
        """Up to *limit* items whose sort keys start with *prefix*, in their order, those after the sort key *after*.

        *newest_first* turns the order round, for sort keys that begin with a time.
        """
        start = {"ExclusiveStartKey": key(pk, after)} if after is not None else {}
        items: list[Item] = []
        while len(items) < limit:
            answer = self._call(
                self._client.query,
                KeyConditionExpression="pk = :pk AND begins_with(sk, :prefix)",
                ExpressionAttributeValues={":pk": text(pk), ":prefix": text(prefix)},
                Limit=limit - len(items),
                ConsistentRead=True,
                ScanIndexForward=not newest_first,
                **start,
            )
            items += answer["Items"]
            if "LastEvaluatedKey" not in answer:
                break
            start = {"ExclusiveStartKey": answer["LastEvaluatedKey"]}
        return items

    def due(self, index: str, kind: str, now: str, limit: int) -> list[Item]:
        """Keys of up to *limit* items of a *kind* due at *now* in the index, earliest first; maybe outdated."""
        answer = self._call(
            self._client.query,
            IndexName=index,
            KeyConditionExpression="due_kind = :kind AND due_at <= :now",
            ExpressionAttributeValues={":kind": text(kind), ":now": text(now)},
            Limit=limit,
        )
        items: list[Item] = answer["Items"]
        return items

    def transact(self, *operations: tuple[str, Item]) -> bool:
        """Do all operations (`Put` or `Update` and its arguments) or none; False where a condition failed.

        So it is where another transaction was in the way: the caller reads anew and decides again.
        """
        try:
            self._client.transact_write_items(
                TransactItems=[{kind: {"TableName": self._name, **arguments}} for kind, arguments in operations]  # type: ignore[misc]  # a union of typed dicts, chosen at run time
            )
        except ClientError as error:
            if error_code(error) == "TransactionCanceledException" and _is_contention(error):
                return False
            raise unavailable(error) from error
        except AWS_ERRORS as error:
            raise unavailable(error) from error
        return True

    def _conditional(self, call: Callable[..., Any], **arguments: Any) -> bool:
        try:
            call(TableName=self._name, **arguments)
        except ClientError as error:
            if error_code(error) == "ConditionalCheckFailedException":
                return False
            raise unavailable(error) from error
        except AWS_ERRORS as error:
            raise unavailable(error) from error
        return True

    def _call(self, call: Callable[..., Any], **arguments: Any) -> dict[str, Any]:
        try:
            answer: dict[str, Any] = call(TableName=self._name, **arguments)
        except AWS_ERRORS as error:
            raise unavailable(error) from error
        return answer


def attempts() -> Sequence[int]:
    """Numbers of the attempts at a write that others may get in the way of; call `pause` between them."""
    return range(_ATTEMPTS)


def pause(attempt: int) -> None:
    """Wait a little, at random, so that writers who met once do not meet again."""
    time.sleep(random.uniform(0, min(0.005 * 2**attempt, _LONGEST_PAUSE_SECONDS)))  # noqa: S311  (no secret)


def contended() -> StoreUnavailable:
    """The error of a write that others got in the way of again and again."""
    return StoreUnavailable("too many others wrote to the same scorer at the same time")


def unavailable(error: Exception) -> StoreUnavailable:
    """The error of a table that did not answer, or not as it should."""
    return StoreUnavailable(f"the table answered {error_code(error)}")


def _expressions(condition: str | None, values: Mapping[str, Any] | None) -> dict[str, Any]:
    conditional = {"ConditionExpression": condition} if condition else {}
    return {**conditional, "ExpressionAttributeValues": dict(values)} if values else conditional


def _is_contention(error: ClientError) -> bool:
    reasons: Any = error.response.get("CancellationReasons", [])
    codes = {reason.get("Code") for reason in reasons}
    return bool(codes & {_CONDITION_FAILED, "TransactionConflict"}) and codes <= {
        None,
        "None",
        _CONDITION_FAILED,
        "TransactionConflict",
    }
