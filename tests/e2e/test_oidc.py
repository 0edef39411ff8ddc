"""The issuer of the local stack, and the real authorizer in front of the API."""

import json
import time
import urllib.request

import httpx
import pytest

from devstack.standins.oidc import Issuer

CLAIMS = {"sub": "ann", "org": "acme", "projects": "support", "scope": "scorer.read"}


def fetched(url):
    with urllib.request.urlopen(url, timeout=5) as answer:
        return json.load(answer)


def status(stack, token):
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return httpx.get(f"{stack.api_url}/scorers", headers=headers, timeout=30).status_code


def test_discovery_leads_to_the_keys(stack):
    discovery = fetched(f"{stack.issuer.url}/.well-known/openid-configuration")

    [key] = fetched(discovery["jwks_uri"])["keys"]

    assert (discovery["issuer"], key["kty"], key["alg"]) == (stack.issuer.url, "RSA", "RS256")


def test_a_token_can_be_asked_for(stack):
    token = fetched(f"{stack.issuer.url}/token?sub=ann&org=acme&projects=support&scope=scorer.read")["access_token"]

    assert status(stack, token) == 200


def test_a_token_lets_its_owner_in(stack):
    assert status(stack, stack.issuer.token(CLAIMS)) == 200


REFUSED = {
    "no token": lambda _: None,
    "no token at all": lambda _: "nonsense",
    "an expired one": lambda issuer: issuer.token({**CLAIMS, "exp": int(time.time()) - 3600}),
    "one for another audience": lambda issuer: issuer.token({**CLAIMS, "aud": "other"}),
    "one of another issuer": lambda issuer: issuer.token({**CLAIMS, "iss": "http://other"}),
    "one with another key": lambda issuer: Issuer().token({**CLAIMS, "iss": issuer.url}),
    "one without exp": lambda issuer: issuer.token({**CLAIMS, "exp": None}),
    "one without an organization": lambda issuer: issuer.token({**CLAIMS, "org": None}),
}


@pytest.mark.parametrize("make", REFUSED.values(), ids=REFUSED)
def test_any_other_token_is_refused(stack, make):
    assert status(stack, make(stack.issuer)) == 401


def test_a_token_without_the_scope_is_forbidden(stack):
    assert status(stack, stack.issuer.token({**CLAIMS, "scope": "scorer.write"})) == 403
