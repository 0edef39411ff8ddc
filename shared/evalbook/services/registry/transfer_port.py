"""What moving a project's scorers needs from the outside: the HTTP API of a deployment."""

from collections.abc import Iterator
from typing import Protocol

from evalbook.domain.errors import EvalBookError
from evalbook.jsonio.values import Json


class ApiRefused(EvalBookError):
    """The API answered with a problem; the message holds its status, code and details."""


class RegistryApi(Protocol):
    """One project of a deployment. Every method raises ApiRefused where the answer is a problem."""

    def get(self, path: str) -> Json | None:
        """What is at *path*; None where nothing is."""

    def pages(self, path: str) -> Iterator[Json]:
        """Every entry of the list at *path*."""

    def post(self, path: str, body: Json) -> Json:
        """Post *body*, an object, or nothing where it is None."""

    def put(self, path: str, body: Json) -> Json:
        """Put *body*."""
