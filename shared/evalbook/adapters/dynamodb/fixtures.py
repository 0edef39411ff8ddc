"""Fixtures on DynamoDB: a set is written under its digest, then named by its version in one conditional write."""

from collections.abc import Iterator
from itertools import count
from typing import Final

from evalbook.adapters.dynamodb import items
from evalbook.adapters.dynamodb.table import Item, Table, key, number, text
from evalbook.domain.errors import StoreUnavailable
from evalbook.domain.records import FixtureSetRef
from evalbook.domain.versions import ScorerKey, VersionState

_BYTES_A_PIECE: Final = 350_000  # an item has 400 KB at most


class DynamoDbFixtures:
    """A `FixtureStore`."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def replace_fixtures(self, scorer: ScorerKey, ordinal: int, fixtures: FixtureSetRef, content: bytes) -> bool:
        """Give a draft these fixtures instead of what it had; False where it is no draft."""
        for start in range(0, len(content), _BYTES_A_PIECE):
            place = _piece_key(scorer, ordinal, fixtures, start // _BYTES_A_PIECE)
            self._table.put({**place, "piece": {"B": content[start : start + _BYTES_A_PIECE]}})
        change = "SET fixtures_digest = :digest, fixtures_count = :count, fixtures_bytes = :bytes"
        values = {
            ":digest": text(fixtures.digest),
            ":count": number(fixtures.count),
            ":bytes": number(len(content)),
            ":draft": text(VersionState.DRAFT.value),
        }
        return self._table.update(items.version_key(scorer, ordinal), change, "#state = :draft", values)

    def fixtures(self, scorer: ScorerKey, ordinal: int, fixtures: FixtureSetRef) -> bytes:
        """The text of a set of fixtures."""
        version = self._table.read(items.version_key(scorer, ordinal)) or {}
        content = bytearray()
        for piece in self._pieces(scorer, ordinal, fixtures):
            content += piece
            if len(content) >= int(version["fixtures_bytes"]["N"]):
                break
        return bytes(content)

    def _pieces(self, scorer: ScorerKey, ordinal: int, fixtures: FixtureSetRef) -> Iterator[bytes]:
        for place in count():
            item = self._table.read(_piece_key(scorer, ordinal, fixtures, place))
            if item is None:
                raise StoreUnavailable("a piece of the fixtures is not there")
            yield item["piece"]["B"]


def _piece_key(scorer: ScorerKey, ordinal: int, fixtures: FixtureSetRef, place: int) -> Item:
    return key(items.scorer_pk(scorer), f"FIXTURES#{scorer.name}#{ordinal:08d}#{fixtures.digest}#{place:03d}")
