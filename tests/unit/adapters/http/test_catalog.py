"""Fetching the catalog: what is asked again, and what is no catalog."""

import json

import httpx
import pytest

from evalbook.adapters.http.backoff import Backoff
from evalbook.adapters.http.catalog import HttpxCatalogs
from evalbook.adapters.http.request import HttpExchange
from evalbook.domain.errors import StoreUnavailable
from evalbook.services.judging.gateway import CatalogUnavailable
from tests.unit.adapters.http.gateway_calls import Clock, FakeTokens, Scripted, answer, error

DOCUMENT = {"capabilities": {"provider_model_selection": True}, "models": [{"id": "acme::judge-1"}]}


class Asking:
    """A catalog's adapter against a scripted gateway."""

    def __init__(self, *script, tokens=None, most_bytes=10_000):
        self.server, self.clock = Scripted(list(script)), Clock()
        self.catalogs = HttpxCatalogs(
            "https://sso.example/",
            tokens or FakeTokens(),
            exchange=HttpExchange(most_bytes, httpx.MockTransport(self.server)),
            pace=Backoff(self.clock, self.clock.sleep, lambda: 0.5),
        )

    def catalog(self):
        return self.catalogs.catalog("org-1")


def test_the_catalog_is_asked_for_as_the_organization():
    asking = Asking(answer(200, DOCUMENT))

    found = asking.catalog()

    request = asking.server.seen[0]
    assert (request.method, str(request.url)) == ("GET", "https://sso.example/v1/catalog")
    assert request.headers["x-bookbag-organization"] == "org-1"
    assert (found.exact_choice, set(found.models)) == (True, {"acme::judge-1"})


@pytest.mark.parametrize("passing", [httpx.ConnectError("refused"), httpx.ReadError("reset"), error(503), error(429)])
def test_what_may_pass_is_asked_again(passing):
    asking = Asking(passing, answer(200, DOCUMENT))

    assert asking.catalog().exact_choice
    assert len(asking.clock.slept) == 1


def test_a_refused_token_is_fetched_again_once():
    asking = Asking(error(401), answer(200, DOCUMENT))

    asking.catalog()

    tokens = [request.headers["authorization"] for request in asking.server.seen]
    assert tokens == ["Bearer token-1", "Bearer token-2"]


def test_four_failures_are_enough():
    asking = Asking(error(503))

    with pytest.raises(CatalogUnavailable):
        asking.catalog()
    assert len(asking.server.seen) == 4


def test_a_wait_beyond_ten_seconds_is_not_begun():
    asking = Asking(error(429, retry_after="30"), answer(200, DOCUMENT))

    with pytest.raises(CatalogUnavailable):
        asking.catalog()
    assert asking.clock.slept == []


@pytest.mark.parametrize(
    "final", [error(401), error(403), error(404), answer(200, b"<html>"), answer(200, {}), answer(302, b"")]
)
def test_an_answer_without_a_catalog_confirms_nothing(final):
    with pytest.raises(CatalogUnavailable):
        Asking(final).catalog()


def test_a_catalog_over_the_size_limit_confirms_nothing():
    document = answer(200, json.dumps(DOCUMENT).encode() + b" " * 10_000)

    with pytest.raises(CatalogUnavailable):
        Asking(document).catalog()


def test_answers_that_use_up_the_time_are_the_last_ones():
    asking = Asking(error(503))
    moments = iter([0.0, 0.0, 1.0, 11.0])
    asking.catalogs = HttpxCatalogs(
        "https://sso.example",
        FakeTokens(),
        exchange=HttpExchange(10_000, httpx.MockTransport(asking.server)),
        pace=Backoff(lambda: next(moments), lambda _: None, lambda: 0.0),
    )

    with pytest.raises(CatalogUnavailable, match="503"):
        asking.catalog()
    assert len(asking.server.seen) == 1


def test_without_a_token_there_is_no_catalog():
    asking = Asking(answer(200, DOCUMENT), tokens=FakeTokens(StoreUnavailable("Secrets Manager gave no token")))

    with pytest.raises(CatalogUnavailable, match="no token"):
        asking.catalog()
