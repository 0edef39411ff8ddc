"""Rubrics and their versions on DynamoDB."""

from collections.abc import Sequence

from evalbook.adapters.dynamodb import items
from evalbook.adapters.dynamodb.numbering import add_numbered
from evalbook.adapters.dynamodb.table import Item, Table, key, number, text
from evalbook.domain.records import Project, RubricDraft, RubricRecord, RubricVersionRecord


class DynamoDbRubrics:
    """A `RubricStore`."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def create_rubric(self, rubric: RubricRecord) -> bool:
        """Store a rubric; False where its name is taken."""
        return self._table.put(
            {
                **_rubric_key(rubric.project, rubric.name),
                "description": text(rubric.description),
                "versions": number(0),
                **items.stamp_item(rubric.created),
            }
        )

    def rubric(self, project: Project, name: str) -> RubricRecord | None:
        """The rubric, or None."""
        item = self._table.read(_rubric_key(project, name))
        return _rubric_of(project, item) if item else None

    def rubrics(self, project: Project, after: str, limit: int) -> Sequence[RubricRecord]:
        """Up to *limit* rubrics by name, those after the name *after*."""
        start = items.RUBRICS + after if after else None
        found = self._table.query(items.project_pk(project), items.RUBRICS, start, limit)
        return [_rubric_of(project, item) for item in found]

    def add_rubric_version(self, draft: RubricDraft) -> int | None:
        """Store a rubric version under the next number and give that; None where there is no such rubric."""
        head = _rubric_key(draft.project, draft.name)
        return add_numbered(self._table, head, lambda ordinal: _version_item(draft, ordinal))

    def rubric_version(self, project: Project, name: str, number: int) -> RubricVersionRecord | None:
        """The rubric version, or None."""
        item = self._table.read(_version_key(project, name, number))
        return _version_of(item) if item else None

    def rubric_versions(self, project: Project, name: str, after: int, limit: int) -> Sequence[RubricVersionRecord]:
        """Up to *limit* versions by number, those after the number *after*."""
        prefix = items.rubric_versions_prefix(name)
        start = items.numbered(prefix, after) if after else None
        return [_version_of(item) for item in self._table.query(items.project_pk(project), prefix, start, limit)]


def _rubric_key(project: Project, name: str) -> Item:
    return key(items.project_pk(project), items.RUBRICS + name)


def _version_key(project: Project, name: str, ordinal: int) -> Item:
    return key(items.project_pk(project), items.numbered(items.rubric_versions_prefix(name), ordinal))


def _rubric_of(project: Project, item: Item) -> RubricRecord:
    return RubricRecord(
        project, items.name_of(item), item["description"]["S"], items.stamp_of(item), int(item["versions"]["N"])
    )


def _version_item(draft: RubricDraft, ordinal: int) -> Item:
    return {
        **_version_key(draft.project, draft.name, ordinal),
        "content": text(draft.content),
        "digest": text(draft.digest),
        **items.stamp_item(draft.created),
    }


def _version_of(item: Item) -> RubricVersionRecord:
    return RubricVersionRecord(
        int(items.name_of(item)), item["content"]["S"], item["digest"]["S"], items.stamp_of(item)
    )
