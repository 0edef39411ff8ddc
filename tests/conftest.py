"""What all tests share: no sockets where there must be none, no real credentials, hypothesis at a steady pace."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from pytest_socket import disable_socket, enable_socket

_HERE = Path(__file__).parent
_WITHOUT_SOCKETS = (_HERE / "unit", _HERE / "contract")

os.environ.update(
    AWS_ACCESS_KEY_ID="testing",
    AWS_SECRET_ACCESS_KEY="testing",
    AWS_SESSION_TOKEN="testing",
    AWS_DEFAULT_REGION="eu-west-1",
    AWS_EC2_METADATA_DISABLED="true",
    AWS_CONFIG_FILE=os.devnull,
    AWS_SHARED_CREDENTIALS_FILE=os.devnull,
)
os.environ.pop("AWS_PROFILE", None)

settings.register_profile(
    "evalbook",
    deadline=None,
    max_examples=60,
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
