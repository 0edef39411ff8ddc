"""Scorer versions on DynamoDB, one table: `pk` is the project, `sk` the item in it."""

import time
from typing import TYPE_CHECKING, Any, Final

from botocore.exceptions import ClientError

from evalbook.adapters.aws import AWS_ERRORS, error_code
from evalbook.errors import StoreUnavailable
from evalbook.versions import ScorerKey, ScorerVersion, VersionState

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

_PIN_SECONDS: Final = 90 * 24 * 3600

Item = dict[str, Any]


def _partition(scorer: ScorerKey) -> Item:
    return {"S": f"ORG#{scorer.organization_id}#PROJECT#{scorer.project_id}"}


def _scorer_key(scorer: ScorerKey) -> Item:
    return {"pk": _partition(scorer), "sk": {"S": f"SCORER#{scorer.name}"}}


def _version_key(scorer: ScorerKey, number: int) -> Item:
    return {"pk": _partition(scorer), "sk": {"S": f"SCORER#{scorer.name}#VERSION#{number:08d}"}}


class DynamoDbVersions:
    """A `VersionStore`, and the conditional writes that create and activate versions."""

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._client = client
        self._table = table

    def get(self, scorer: ScorerKey, number: int) -> ScorerVersion | None:
        """The version, or None."""
        item = self._read(_version_key(scorer, number))
        if item is None:
            return None
        return ScorerVersion(
            scorer,
            number,
            item["implementation"]["S"],
            item["parameters"]["S"],
            int(item["time_limit_ms"]["N"]),
            item["digest"]["S"],
            VersionState(item["state"]["S"]),
        )

    def put(self, version: ScorerVersion) -> None:
        """Store a version that does not exist yet; one that exists stays as it is.

        Raises:
            StoreUnavailable: The table did not answer.
        """
        item: Item = {
            **_version_key(version.scorer, version.number),
            "implementation": {"S": version.implementation},
            "parameters": {"S": version.parameters},
            "time_limit_ms": {"N": str(version.time_limit_ms)},
            "digest": {"S": version.digest},
            "state": {"S": version.state.value},
        }
        self._put(item)

    def active(self, scorer: ScorerKey) -> int | None:
        """The number of the version that is active now, or None."""
        item = self._read(_scorer_key(scorer)) or {}
        return int(item["active"]["N"]) if "active" in item else None

    def pin(self, scorer: ScorerKey, run_id: str, number: int | None) -> int | None:
        """The version that the run uses for 'active': the one pinned first, else *number*, which is pinned now."""
        key = {"pk": _partition(scorer), "sk": {"S": f"PIN#{run_id}#SCORER#{scorer.name}"}}
        if number is not None:
            expires = {"N": str(int(time.time()) + _PIN_SECONDS)}
            if self._put({**key, "version": {"N": str(number)}, "expires_at": expires}):
                return number
        item = self._read(key)
        return int(item["version"]["N"]) if item else None

    def _put(self, item: Item) -> bool:
        """Put an item unless there is one under its key; whether it was put."""
        try:
            self._client.put_item(TableName=self._table, Item=item, ConditionExpression="attribute_not_exists(pk)")
        except ClientError as error:
            if error_code(error) == "ConditionalCheckFailedException":
                return False
            raise _unavailable(error) from error
        except AWS_ERRORS as error:
            raise _unavailable(error) from error
        return True

    def _read(self, key: Item) -> Item | None:
        try:
            answer = self._client.get_item(TableName=self._table, Key=key, ConsistentRead=True)
        except AWS_ERRORS as error:
            raise _unavailable(error) from error
        item: Item | None = answer.get("Item")
        return item


def _unavailable(error: Exception) -> StoreUnavailable:
    return StoreUnavailable(f"the registry answered {error_code(error)}")
