"""Who is calling, by the claims of the token that the gateway has verified."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final

from evalbook.api.problems import ApiCode, ApiProblem
from evalbook.api.route_table import Route
from evalbook.domain.records import Project

PROJECT_HEADER: Final = "x-bookbag-project"
_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:@/+=-]{0,127}")
_MAX_SUBJECT_CHARS: Final = 256


@dataclass(frozen=True, slots=True)
class Caller:
    """A token's subject, organization, projects and scopes."""

    subject: str
    organization_id: str
    projects: frozenset[str]
    scopes: frozenset[str]

    def key(self) -> str:
        """The same text for the same caller, of no meaning to anybody else."""
        return sha256(f"{self.organization_id} {self.subject}".encode("utf-8", "replace")).hexdigest()


def caller_of(event: Mapping[str, Any]) -> Caller:
    """The caller whose token the gateway verified.

    Raises:
        ApiProblem: 401, where the token lacks a claim that this service asks for.
    """
    authorizer = event.get("requestContext", {}).get("authorizer", {})
    claims: Mapping[str, Any] = authorizer.get("jwt", {}).get("claims") or {}
    if not claims.get("exp"):
        raise _unauthorized("The token does not say when it expires.")
    subject = str(claims.get("sub") or "")
    if not 0 < len(subject) <= _MAX_SUBJECT_CHARS:
        raise _unauthorized("The token does not say whose it is.")
    organization = str(claims.get("org") or "")
    if not _ID.fullmatch(organization):
        raise _unauthorized("The token does not name an organization.")
    return Caller(subject, organization, _listed(claims.get("projects")), _listed(claims.get("scope")))


def admit(caller: Caller, route: Route) -> None:
    """Let the caller in where the token has a scope of the route.

    Raises:
        ApiProblem: 403, naming the scopes.
    """
    if route.scopes and caller.scopes.isdisjoint(route.scopes):
        raise ApiProblem(ApiCode.SCOPE_MISSING, f"The token lacks the scope {' or '.join(route.scopes)}.")


def project_of(caller: Caller, headers: Mapping[str, str]) -> Project:
    """The project that a request is about: the one that its header names, or the only one of the token.

    Raises:
        ApiProblem: 400 where it names none of several, 403 where the token has no such project.
    """
    named = headers.get(PROJECT_HEADER)
    if named is None:
        if len(caller.projects) > 1:
            detail = "The token has several projects: name one in the header X-Bookbag-Project."
            raise ApiProblem(ApiCode.PROJECT_REQUIRED, detail)
        named = next(iter(caller.projects), "")
    if named not in caller.projects or not _ID.fullmatch(named):
        raise ApiProblem(ApiCode.PROJECT_FORBIDDEN, "The token has no such project.")
    return Project(caller.organization_id, named)


def _listed(claim: object) -> frozenset[str]:
    return frozenset(str(claim).split()) if isinstance(claim, str) else frozenset()


def _unauthorized(detail: str) -> ApiProblem:
    return ApiProblem(ApiCode.TOKEN_INVALID, detail, headers={"WWW-Authenticate": "Bearer"})
