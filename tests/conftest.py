"""What all tests share: no sockets where there must be none, no real credentials, hypothesis at a steady pace."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from pytest_socket import disable_socket, enable_socket
from xdist.scheduler import LoadScopeScheduling

_HERE = Path(__file__).parent
_WITHOUT_SOCKETS = (_HERE / "unit", _HERE / "contract")

_FAULTY_STACK = "the stack whose functions go wrong"
SHARED_SETUP = {
    "tests/e2e/test_judge_faults.py": _FAULTY_STACK,
    "tests/e2e/test_judge_privilege.py": _FAULTY_STACK,
    "tests/e2e/test_judge_runs.py": _FAULTY_STACK,
}
"""Files that share what is dear to set up; every other file shares with itself."""

_SLOWEST = (
    *SHARED_SETUP,
    "tests/integration/test_judge_run_faults.py",
    "tests/e2e/test_calibrations.py",
    "tests/e2e/test_demo.py",
    "tests/e2e/test_devstack.py",
    "tests/e2e/",
    "tests/integration/",
    "tests/contract/",
)
"""Files and folders that come first, in this order: what is slow must not begin when all else has ended."""


class _Together(LoadScopeScheduling):
    """Gives a worker whole files, and files with one set-up to one worker, so that it is made once."""

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.partition("::")[0]
        return SHARED_SETUP.get(file, file)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadScopeScheduling | None:
    """Let `--dist loadfile` keep together what shares a set-up too."""
    if config.getoption("dist") != "loadfile":
        return None
    config.option.loadscopereorder = False  # by duration, and not by the number of tests
    return _Together(config, log)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the slowest first."""

    def place(item: pytest.Item) -> int:
        return next((number for number, start in enumerate(_SLOWEST) if item.nodeid.startswith(start)), len(_SLOWEST))

    items.sort(key=place)


os.environ.update(
    AWS_ACCESS_KEY_ID="testing",
    AWS_SECRET_ACCESS_KEY="testing",
    AWS_SESSION_TOKEN="testing",
    AWS_DEFAULT_REGION="eu-west-1",
    AWS_EC2_METADATA_DISABLED="true",
    AWS_CONFIG_FILE=os.devnull,
    AWSSHARED_SETUP_CREDENTIALS_FILE=os.devnull,
)
os.environ.pop("AWS_PROFILE", None)

settings.register_profile(
    "evalbook",
    deadline=None,
    max_examples=int(os.environ.get("EVALBOOK_EXAMPLES", "60")),
    derandomize="CI" in os.environ,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("evalbook")


@pytest.fixture(autouse=True)
def _no_sockets(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let unit and contract tests reach nobody; unix sockets stay, since pipes between processes are made of them."""
    closed = any(folder in request.path.parents for folder in _WITHOUT_SOCKETS)
    if closed:
        disable_socket(allow_unix_socket=True)
    yield
    if closed:
        enable_socket()
