"""Scorer versions as scoring reads them, and the pins of runs, on DynamoDB."""

import time
from typing import TYPE_CHECKING, Final

from evalbook.adapters.dynamodb import items
from evalbook.adapters.dynamodb.table import Table, number, text
from evalbook.domain.versions import ScorerKey, ScorerVersion

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

_PIN_SECONDS: Final = 90 * 24 * 3600


class DynamoDbVersions:
    """A `VersionStore`."""

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._table = Table(client, table)

    def get(self, scorer: ScorerKey, number: int) -> ScorerVersion | None:
        """The version, or None."""
        item = self._table.read(items.version_key(scorer, number))
        return items.scorer_version_of(scorer, number, item) if item else None

    def put(self, version: ScorerVersion) -> None:
        """Store a version that does not exist yet, in whatever state; one that exists stays as it is.

        Raises:
            StoreUnavailable: The table did not answer.
        """
        self._table.put(
            {
                **items.version_key(version.scorer, version.number),
                "implementation": text(version.implementation),
                "parameters": text(version.parameters),
                "time_limit_ms": number(version.time_limit_ms),
                "digest": text(version.digest),
                "state": text(version.state.value),
            }
        )

    def active(self, scorer: ScorerKey) -> int | None:
        """The number of the version that is active now, or None."""
        item = self._table.read(items.scorer_key(scorer)) or {}
        return int(item["active"]["N"]) if "active" in item else None

    def pin(self, scorer: ScorerKey, run_id: str, number: int | None) -> int | None:
        """The version that the run uses for 'active': the one pinned first, else *number*, which is pinned now."""
        key = items.pin_key(scorer, run_id)
        if number is not None:
            expires = int(time.time()) + _PIN_SECONDS
            if self._table.put({**key, "version": {"N": str(number)}, "expires_at": {"N": str(expires)}}):
                return number
        item = self._table.read(key)
        return int(item["version"]["N"]) if item else None
