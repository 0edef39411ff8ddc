import pytest

from devstack.stack import Stack


def pytest_collection_modifyitems(items):
    for item in items:
        if "/e2e/" in str(item.path):
            item.add_marker(pytest.mark.e2e)


@pytest.fixture(scope="session")
def stack():
    with Stack() as running:
        yield running
