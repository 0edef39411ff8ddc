"""What is recorded once a judge run, on DynamoDB: `pk` is the judge run, `sk` the record's name, `value` its bytes.

Records are deleted some time after `expires_at`, in seconds.
"""

import time
from typing import TYPE_CHECKING, Any, Final

from botocore.exceptions import ClientError

from evalbook.adapters.aws_clients import AWS_ERRORS, error_code
from evalbook.domain.errors import StoreUnavailable

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

KEPT_DAYS: Final = 120
"""Longer than an execution's name is taken: docs/decisions/0014 reckons 108 days."""

_SECONDS_A_DAY: Final = 24 * 3600


class DynamoDbJudgeRunRecords:
    """A `JudgeRunRecords`; what is recorded expires after so many days."""

    def __init__(self, client: "DynamoDBClient", table: str, kept_days: int = KEPT_DAYS) -> None:
        self._client = client
        self._table = table
        self._kept_seconds = kept_days * _SECONDS_A_DAY

    def keep(self, judge_run_id: str, name: str, value: bytes) -> bytes:
        """Record *value* under a name unless there is a value already; the one that is recorded.

        Raises:
            StoreUnavailable: The table did not answer; the value may have been recorded.
        """
        item: dict[str, Any] = {
            **_key(judge_run_id, name),
            "value": {"B": value},
            "expires_at": {"N": str(int(time.time()) + self._kept_seconds)},
        }
        try:
            self._client.put_item(TableName=self._table, Item=item, ConditionExpression="attribute_not_exists(pk)")
        except ClientError as error:
            if error_code(error) != "ConditionalCheckFailedException":
                raise _unavailable(error) from error
        except AWS_ERRORS as error:
            raise _unavailable(error) from error
        else:
            return value
        found = self.find(judge_run_id, name)
        if found is None:
            raise StoreUnavailable("a judge run's record went away")
        return found

    def find(self, judge_run_id: str, name: str) -> bytes | None:
        """The value that is recorded, or None.

        Raises:
            StoreUnavailable: The table did not answer.
        """
        try:
            answer = self._client.get_item(TableName=self._table, Key=_key(judge_run_id, name), ConsistentRead=True)
        except AWS_ERRORS as error:
            raise _unavailable(error) from error
        item: dict[str, Any] | None = answer.get("Item")
        return bytes(item["value"]["B"]) if item else None


def _key(judge_run_id: str, name: str) -> dict[str, Any]:
    return {"pk": {"S": judge_run_id}, "sk": {"S": name}}


def _unavailable(error: Exception) -> StoreUnavailable:
    return StoreUnavailable(f"the table of results answered {error_code(error)}")
