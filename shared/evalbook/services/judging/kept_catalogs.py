"""Catalogs are kept for a little while: many cases of a run are planned by the same prices."""

from collections.abc import Callable

from evalbook.judges.catalog import Catalog
from evalbook.services.judging.gateway import Catalogs


class KeptCatalogs:
    """A `Catalogs` before another one; *clock* counts seconds, and a catalog is as good as new for *seconds*."""

    def __init__(self, source: Catalogs, clock: Callable[[], float], seconds: float) -> None:
        self._source = source
        self._clock = clock
        self._seconds = seconds
        self._kept: dict[str, tuple[float, Catalog]] = {}

    def catalog(self, organization_id: str) -> Catalog:
        """The catalog as *organization_id* saw it lately; raises CatalogUnavailable where there is none to be had."""
        now = self._clock()
        kept = self._kept.get(organization_id)
        if kept is not None and now - kept[0] < self._seconds:
            return kept[1]
        found = self._source.catalog(organization_id)
        current = {name: each for name, each in self._kept.items() if now - each[0] < self._seconds}
        self._kept = {**current, organization_id: (now, found)}
        return found
