"""Answers kept for repeated requests, on DynamoDB."""

import time
from typing import Final

from evalbook.adapters.dynamodb.table import Item, Table, key, number, text
from evalbook.services.registry.idempotency import Attempt, KeptAnswer

_KEPT_SECONDS: Final = 24 * 3600
_BEGUN_SECONDS: Final = 60
"""Longer than any request takes: after that whoever began it is gone."""


class DynamoDbAnswers:
    """An `AnswerStore`."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def begin(self, answer_key: str, request: str) -> Attempt | None:
        """Note that *request* starts under the key, unless it was used before: then what is known of that."""
        now = int(time.time())
        item: Item = {
            **_key(answer_key),
            "request": text(request),
            "busy_until": number(now + _BEGUN_SECONDS),
            "expires_at": number(now + _KEPT_SECONDS),
        }
        over = "(attribute_not_exists(answer_body) AND busy_until < :now)"
        condition = f"attribute_not_exists(pk) OR expires_at < :now OR {over}"
        if self._table.put(item, condition, {":now": number(now)}):
            return None
        found = self._table.read(_key(answer_key)) or item
        return Attempt(found["request"]["S"], _answer_of(found))

    def finish(self, answer_key: str, answer: KeptAnswer) -> None:
        """Keep the answer of the request that was begun."""
        change = "SET answer_status = :s, answer_type = :t, answer_body = :b, answer_location = :l"
        values = {
            ":s": number(answer.status),
            ":t": text(answer.content_type),
            ":b": text(answer.body),
            ":l": text(answer.location),
        }
        self._table.update(_key(answer_key), change, "attribute_not_exists(answer_body)", values)

    def release(self, answer_key: str) -> None:
        """Forget the request that was begun: it changed nothing."""
        values = {":past": number(0)}
        self._table.update(_key(answer_key), "SET expires_at = :past", "attribute_not_exists(answer_body)", values)


def _key(answer_key: str) -> Item:
    return key(f"IDEMPOTENCY#{answer_key}", "ANSWER")


def _answer_of(item: Item) -> KeptAnswer | None:
    if "answer_body" not in item:
        return None
    return KeptAnswer(
        int(item["answer_status"]["N"]),
        item["answer_type"]["S"],
        item["answer_body"]["S"],
        item["answer_location"]["S"],
    )
