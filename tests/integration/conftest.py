import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from moto import mock_aws

from evalbook.adapters import aws_clients
from evalbook.adapters.dynamodb.versions import DynamoDbVersions
from evalbook.scorers import text
from evalbook.services.scoring import catalog
from tests.fakes.aws_account import TABLE, AwsAccount, make_account
from tests.fakes.batches import version
from tests.loading import Handler, load_handler

SCORERS = Path(__file__).parent.parent / "fakes" / "scorers"
REGION = "eu-west-1"
CREDENTIALS = {
    "AWS_ACCESS_KEY_ID": "testing",
    "AWS_SECRET_ACCESS_KEY": "testing",
    "AWS_DEFAULT_REGION": REGION,
}


@pytest.fixture
def account(monkeypatch: pytest.MonkeyPatch) -> Iterator[AwsAccount]:
    for name, value in CREDENTIALS.items():
        monkeypatch.setenv(name, value)
    aws_clients._client.cache_clear()
    with mock_aws():
        account = make_account()
        DynamoDbVersions(account.dynamodb, TABLE).put(version())
        yield account
    aws_clients._client.cache_clear()


@pytest.fixture
def load(account: AwsAccount) -> Iterator[Callable[..., Handler]]:
    with ExitStack() as stack:
        yield lambda name, family="text": stack.enter_context(load_handler(name, account.environment(family)))


@pytest.fixture
def deadly_implementation(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Let the catalog find `deadly` in the text family."""
    monkeypatch.setattr(text, "__path__", [*text.__path__, str(SCORERS)])
    catalog.families.cache_clear()
    yield "deadly"
    sys.modules.pop(f"{text.__name__}.deadly", None)
    catalog.families.cache_clear()
