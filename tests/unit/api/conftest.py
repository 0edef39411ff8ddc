import pytest

from tests.fakes.governed import Governed
from tests.fakes.http_api import HttpApi
from tests.fakes.registry import dynamodb, registry_house


@pytest.fixture(scope="module")
def client():
    with dynamodb() as each:
        yield each


@pytest.fixture
def api(client):
    return HttpApi(registry_house(client))


@pytest.fixture
def governed(client):
    return Governed(client)
