"""Catalogs for tests."""

from dataclasses import dataclass

from evalbook.judges.catalog import Catalog


@dataclass(frozen=True, slots=True)
class FixedCatalog:
    """A `Catalogs` with one catalog for every organization."""

    document: Catalog

    def catalog(self, organization_id: str) -> Catalog:  # noqa: ARG002  (the port's name)
        return self.document
