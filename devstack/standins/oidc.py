"""A small OpenID Connect issuer on the loopback interface: it signs a token for whoever asks, with any claims."""

import base64
import json
import threading
import time
from collections.abc import Mapping
from contextlib import ExitStack
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final, Self
from urllib.parse import parse_qsl, urlsplit
from uuid import uuid4

from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from cryptography.hazmat.primitives.hashes import SHA256

from devstack.emulator.emulator import HOST

AUDIENCE: Final = "evalbook"
LIFETIME_SECONDS: Final = 8 * 3600
_KEY_BITS: Final = 2048
_EXPONENT: Final = 65537
_CLAIMS: Final = ("sub", "org", "projects", "scope")


class Issuer:
    """A context manager: discovery, keys and tokens over HTTP, with a key of its own."""

    def __init__(self) -> None:
        self._key = generate_private_key(_EXPONENT, _KEY_BITS)
        self._key_id = uuid4().hex
        self._exits = ExitStack()
        self.url = ""

    def __enter__(self) -> Self:
        """Start to answer, at `url`."""
        server = self._exits.enter_context(ThreadingHTTPServer((HOST, 0), _handler(self)))
        self.url = f"http://{HOST}:{server.server_address[1]}"
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self._exits.callback(server.shutdown)
        return self

    def __exit__(self, *_: object) -> None:
        """Stop."""
        self._exits.close()

    def token(self, claims: Mapping[str, Any]) -> str:
        """Sign a token (RS256) with *claims*; issuer, audience and times are added where they are not given.

        A claim that is None is left out.
        """
        now = int(time.time())
        standard = {"iss": self.url, "aud": AUDIENCE, "iat": now, "nbf": now, "exp": now + LIFETIME_SECONDS}
        held = {name: value for name, value in {**standard, **claims}.items() if value is not None}
        head = {"alg": "RS256", "typ": "at+jwt", "kid": self._key_id}
        signed = f"{_encoded(head)}.{_encoded(held)}"
        signature = self._key.sign(signed.encode(), PKCS1v15(), SHA256())
        return f"{signed}.{_base64(signature)}"

    def answers(self) -> Mapping[str, Mapping[str, Any]]:
        """What is served at each path, beside tokens."""
        numbers = self._key.public_key().public_numbers()
        key = {
            "kty": "RSA",
            "use": "sig",
            "alg": "RS256",
            "kid": self._key_id,
            "n": _base64(numbers.n.to_bytes(_KEY_BITS // 8)),
            "e": _base64(numbers.e.to_bytes(3)),
        }
        discovery = {
            "issuer": self.url,
            "jwks_uri": f"{self.url}/keys",
            "token_endpoint": f"{self.url}/token",
            "id_token_signing_alg_values_supported": ["RS256"],
        }
        return {"/.well-known/openid-configuration": discovery, "/keys": {"keys": [key]}}


def _handler(issuer: Issuer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        """Answers GET requests; `/token` takes the claims as its query."""

        def do_GET(self) -> None:
            asked = urlsplit(self.path)
            if asked.path == "/token":
                claims = {name: value for name, value in parse_qsl(asked.query) if name in _CLAIMS}
                self._answer({"access_token": issuer.token(claims), "token_type": "Bearer"})
            else:
                self._answer(issuer.answers().get(asked.path))

        def log_message(self, *_: object) -> None:
            """Write nothing: the terminal belongs to the stack."""

        def _answer(self, value: Mapping[str, Any] | None) -> None:
            body = json.dumps(value).encode()
            self.send_response(HTTPStatus.NOT_FOUND if value is None else HTTPStatus.OK)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    return Handler


def _encoded(value: Mapping[str, Any]) -> str:
    return _base64(json.dumps(value, separators=(",", ":")).encode())


def _base64(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()
