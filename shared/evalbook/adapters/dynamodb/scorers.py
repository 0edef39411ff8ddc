"""Scorers, their versions and activations on DynamoDB."""

from collections.abc import Sequence

from evalbook.adapters.dynamodb import items
from evalbook.adapters.dynamodb.activation import activate
from evalbook.adapters.dynamodb.numbering import add_numbered
from evalbook.adapters.dynamodb.table import Table, number, text
from evalbook.domain.records import Activation, AuditStamp, Project, ScorerRecord, VersionDraft, VersionRecord
from evalbook.domain.versions import ScorerKey


class DynamoDbScorers:
    """A `ScorerStore`."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def create_scorer(self, scorer: ScorerRecord) -> bool:
        """Store a scorer; False where its name is taken."""
        return self._table.put(
            {
                **items.scorer_key(scorer.key),
                "description": text(scorer.description),
                "versions": number(0),
                "activations": number(0),
                **items.stamp_item(scorer.created),
            }
        )

    def scorer(self, key: ScorerKey) -> ScorerRecord | None:
        """The scorer, or None."""
        item = self._table.read(items.scorer_key(key))
        return items.scorer_of(Project(key.organization_id, key.project_id), item) if item else None

    def scorers(self, project: Project, after: str, limit: int) -> Sequence[ScorerRecord]:
        """Up to *limit* scorers by name, those after the name *after*."""
        start = items.SCORERS + after if after else None
        found = self._table.query(items.project_pk(project), items.SCORERS, start, limit)
        return [items.scorer_of(project, item) for item in found]

    def add_version(self, draft: VersionDraft) -> int | None:
        """Store a version under the next number and give that; None where there is no such scorer."""
        head = items.scorer_key(draft.scorer)
        return add_numbered(self._table, head, lambda ordinal: items.version_item(draft, ordinal))

    def version(self, key: ScorerKey, number: int) -> VersionRecord | None:
        """The version, or None."""
        item = self._table.read(items.version_key(key, number))
        return items.version_of(key, item) if item else None

    def versions(self, key: ScorerKey, after: int, limit: int) -> Sequence[VersionRecord]:
        """Up to *limit* versions by number, those after the number *after*."""
        prefix = items.versions_prefix(key)
        start = items.numbered(prefix, after) if after else None
        found = self._table.query(items.scorer_pk(key), prefix, start, limit)
        return [items.version_of(key, item) for item in found]

    def activate(self, tested: VersionRecord, stamp: AuditStamp) -> Activation | None:
        """Make a version the only active one of its scorer, and record it; None where it is no longer as *tested*."""
        return activate(self._table, tested, stamp)

    def activations(self, key: ScorerKey, after: int, limit: int) -> Sequence[Activation]:
        """Up to *limit* activations by number, those after the number *after*."""
        prefix = items.activations_prefix(key)
        start = items.numbered(prefix, after) if after else None
        return [items.activation_of(item) for item in self._table.query(items.scorer_pk(key), prefix, start, limit)]
