"""Whether the gateway's catalog confirms the model that a judge version pins (V-01)."""

from collections.abc import Iterable
from dataclasses import dataclass

from evalbook.domain.errors import Problem
from evalbook.judges.catalog import confirm
from evalbook.judges.version import JudgeParameters
from evalbook.services.judging.gateway import Catalogs, CatalogUnavailable


@dataclass(frozen=True, slots=True)
class ConfirmedModels:
    """A `ModelCatalog` that asks the gateway now; a gateway that does not answer confirms nothing."""

    catalogs: Catalogs

    def problems(self, organization_id: str, parameters: JudgeParameters) -> Iterable[Problem]:
        """Name why a judge version with these parameters cannot be run; nothing where it can."""
        try:
            return confirm(self.catalogs.catalog(organization_id), parameters)
        except CatalogUnavailable:
            return [Problem("/model", "the gateway's catalog is not to be had now, so the model is not confirmed")]
