"""The models that an organization can name in its judge versions."""

from collections.abc import Sequence
from dataclasses import dataclass

from evalbook.domain.refusals import Declined, DeclineReason
from evalbook.judges.catalog import Catalog, CatalogModel
from evalbook.services.judging.gateway import Catalogs
from evalbook.services.registry.ports import Page

NO_GATEWAY = "This deployment has no AI gateway, so there are no models and no judges."


@dataclass(frozen=True, slots=True)
class Listed:
    """A part of a catalog: its models by id, each with its number in the whole, from 1 on."""

    catalog: Catalog
    models: Sequence[tuple[int, CatalogModel]]


@dataclass(frozen=True, slots=True)
class Models:
    """The gateway's models; None stands for a deployment without a gateway."""

    catalogs: Catalogs | None

    def list(self, organization_id: str, page: Page) -> Listed:
        """A page of the models as the organization sees them now.

        Raises:
            Declined: NO_GATEWAY.
            CatalogUnavailable: The gateway gave no catalog.
        """
        if self.catalogs is None:
            raise Declined(DeclineReason.NO_GATEWAY, NO_GATEWAY)
        catalog = self.catalogs.catalog(organization_id)
        numbered = list(enumerate(sorted(catalog.models.values(), key=lambda each: each.id), 1))
        return Listed(catalog, numbered[page.after_number : page.after_number + page.limit])
