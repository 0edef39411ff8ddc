"""AWS clients as every adapter uses them: short time limits, few attempts, no region surprises.

They are made by botocore itself: boto3 makes the same ones and imports its resources and its transfer manager for it,
which nothing here uses and every cold start would pay for.
"""

from functools import cache
from typing import TYPE_CHECKING, Any

import botocore.session
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_secretsmanager import SecretsManagerClient
    from mypy_boto3_sqs import SQSClient
    from mypy_boto3_stepfunctions import SFNClient

_CONFIG = Config(
    connect_timeout=2,
    read_timeout=5,
    retries={"mode": "standard", "total_max_attempts": 4},
    s3={"addressing_style": "path"},
)

AWS_ERRORS = (ClientError, BotoCoreError)
"""Whatever a call can raise: an answer that is an error, or no answer."""


@cache
def _session() -> botocore.session.Session:
    return botocore.session.get_session()


@cache
def _client(service: str) -> Any:
    return _session().create_client(service, config=_CONFIG)


def sqs() -> "SQSClient":
    """The SQS client of this process."""
    client: SQSClient = _client("sqs")
    return client


def s3() -> "S3Client":
    """The S3 client of this process."""
    client: S3Client = _client("s3")
    return client


def dynamodb() -> "DynamoDBClient":
    """The DynamoDB client of this process."""
    client: DynamoDBClient = _client("dynamodb")
    return client


def secrets_manager() -> "SecretsManagerClient":
    """The Secrets Manager client of this process."""
    client: SecretsManagerClient = _client("secretsmanager")
    return client


def stepfunctions() -> "SFNClient":
    """The Step Functions client of this process."""
    client: SFNClient = _client("stepfunctions")
    return client


def error_code(error: Exception) -> str:
    """The code of an AWS error, or the name of the exception where there was no answer."""
    if isinstance(error, ClientError):
        return str(error.response.get("Error", {}).get("Code", "Unknown"))
    return type(error).__name__
