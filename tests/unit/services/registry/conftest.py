import pytest

from tests.fakes.registry import dynamodb, registry_house


@pytest.fixture(scope="module")
def client():
    with dynamodb() as each:
        yield each


@pytest.fixture
def house(client):
    return registry_house(client)
