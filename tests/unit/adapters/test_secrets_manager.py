"""The bearer token in Secrets Manager."""

import pytest
from botocore.exceptions import ClientError

from evalbook.adapters.secrets_manager import SecretToken
from evalbook.domain.errors import StoreUnavailable


class FakeSecrets:
    """Secrets Manager as far as the adapter uses it."""

    def __init__(self, *values):
        self.values = list(values)

    def get_secret_value(self, **_):
        value = self.values.pop(0)
        if isinstance(value, Exception):
            raise value
        return {"SecretString": value}


def test_the_token_is_read_once_and_kept():
    tokens = SecretToken(FakeSecrets("first", "second"), "sso")

    assert [tokens.token(), tokens.token()] == ["first", "first"]


def test_a_fresh_token_is_read_again_and_kept():
    tokens = SecretToken(FakeSecrets("first", "second"), "sso")
    tokens.token()

    assert [tokens.token(fresh=True), tokens.token()] == ["second", "second"]


def test_white_space_around_the_token_is_no_part_of_it():
    assert SecretToken(FakeSecrets("  token\n"), "sso").token() == "token"


@pytest.mark.parametrize("value", ["", " \n", "two words", "line\nbreak", "t\u00f6ken"])
def test_what_no_header_can_carry_is_no_token(value):
    with pytest.raises(StoreUnavailable, match="holds no token"):
        SecretToken(FakeSecrets(value), "sso").token()


def test_an_error_of_secrets_manager_is_told_without_its_words():
    refused = ClientError({"Error": {"Code": "AccessDenied", "Message": "canary"}}, "GetSecretValue")

    with pytest.raises(StoreUnavailable) as raised:
        SecretToken(FakeSecrets(refused), "sso").token()

    assert str(raised.value) == "Secrets Manager gave no token"
    assert raised.value.__suppress_context__
