"""A bearer token that is kept in Secrets Manager."""

from typing import TYPE_CHECKING, Final

from aws_lambda_powertools.utilities.parameters import SecretsProvider
from aws_lambda_powertools.utilities.parameters.exceptions import GetParameterError

from evalbook.domain.errors import StoreUnavailable

if TYPE_CHECKING:
    from mypy_boto3_secretsmanager import SecretsManagerClient

MAX_AGE_SECONDS: Final = 300


class SecretToken:
    """The token in one secret, read again after five minutes."""

    def __init__(self, client: "SecretsManagerClient", secret_id: str) -> None:
        self._provider = SecretsProvider(boto3_client=client)
        self._secret_id = secret_id

    def token(self, *, fresh: bool = False) -> str:
        """The token, without the white space around it; *fresh* asks Secrets Manager again.

        Raises:
            StoreUnavailable: Secrets Manager did not answer, or the secret holds nothing that a header can carry.
        """
        try:
            secret = self._provider.get(self._secret_id, max_age=MAX_AGE_SECONDS, force_fetch=fresh)
        except GetParameterError:
            # Not chained: the library's error quotes what was answered.
            raise StoreUnavailable("Secrets Manager gave no token") from None
        token = secret.strip() if isinstance(secret, str) else ""
        if not token or not token.isascii() or not token.isprintable() or " " in token:
            raise StoreUnavailable("the secret holds no token")
        return token
