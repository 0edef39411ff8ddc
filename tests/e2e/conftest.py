import pytest

from devstack.stack import FaultyStack, Stack


def pytest_collection_modifyitems(items):
    for item in items:
        if "/e2e/" in str(item.path):
            item.add_marker(pytest.mark.e2e)


@pytest.fixture(scope="session")
def stack():
    # More functions side by side would only compete for the machine.
    few = {"MaximumConcurrency": "2", "CalibrationInFlight": "2", "CalibrationPollSeconds": "1"}
    with Stack(parameters=few) as running:
        yield running


@pytest.fixture(scope="session")
def judging():
    """A stack whose functions go wrong where a test says so."""
    with FaultyStack(parameters={"MaximumConcurrency": "2"}) as running:
        yield running
