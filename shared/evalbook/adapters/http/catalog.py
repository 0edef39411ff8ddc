"""The catalog that Bookbag SSO serves."""

from typing import Final

import httpx

from evalbook.adapters.http.backoff import Backoff
from evalbook.adapters.http.request import HttpExchange
from evalbook.adapters.http.retrying_reads import Repeatable
from evalbook.adapters.http.tokens import Tokens
from evalbook.domain.errors import StoreUnavailable
from evalbook.judges.catalog import Catalog, CatalogUnreadable, read_catalog
from evalbook.services.judging.gateway import CatalogUnavailable

MAX_CATALOG_BYTES: Final = 8 * 1024 * 1024
_OK: Final = 200


class HttpxCatalogs:
    """Catalogs read afresh each time: what a judge is created or activated with must be true now."""

    def __init__(
        self, url: str, tokens: Tokens, *, exchange: HttpExchange | None = None, pace: Backoff | None = None
    ) -> None:
        self._url = url.rstrip("/") + "/v1/catalog"
        self._asking = Repeatable(tokens, exchange or HttpExchange(MAX_CATALOG_BYTES), pace or Backoff())

    def catalog(self, organization_id: str) -> Catalog:
        """The catalog as *organization_id* sees it now.

        Raises:
            CatalogUnavailable: SSO did not answer in ten seconds, or with no catalog.
        """

        def build(token: str) -> httpx.Request:
            headers = {
                "Authorization": f"Bearer {token}",
                "Accept": "application/json",
                "Accept-Encoding": "identity",
                "X-Bookbag-Organization": organization_id,
            }
            return httpx.Request("GET", self._url, headers=headers)

        try:
            answer = self._asking.ask(build)
        except StoreUnavailable as error:
            raise CatalogUnavailable(str(error)) from error
        if answer is None:
            raise CatalogUnavailable("the gateway did not answer")
        if answer.status != _OK or not answer.whole:
            raise CatalogUnavailable(f"the gateway answered with status {answer.status} and no whole catalog")
        try:
            return read_catalog(answer.body)
        except CatalogUnreadable as error:
            raise CatalogUnavailable(str(error)) from error
