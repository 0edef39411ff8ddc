from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from moto import mock_aws

from evalbook.adapters.dynamodb_versions import DynamoDbVersions
from tests.fakes.aws_account import TABLE, AwsAccount, make_account
from tests.fakes.batches import version
from tests.loading import Handler, load_handler

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
    with mock_aws():
        account = make_account()
        DynamoDbVersions(account.dynamodb, TABLE).put(version())
        yield account


@pytest.fixture
def load(account: AwsAccount) -> Iterator[Callable[..., Handler]]:
    with ExitStack() as stack:
        yield lambda name, family="text": stack.enter_context(load_handler(name, account.environment(family)))
