"""Scorer versions: what they pin, their digest, and the store they are read from."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Protocol

from evalbook.domain.outcome import Assurance
from evalbook.jsonio.canonical import digest
from evalbook.jsonio.values import Json

JUDGE: Final = "judge"
"""What a judge version names as its implementation, and the family of judges."""


def assurance_of(implementation: str | None) -> Assurance:
    """Return how far results of *implementation* can be relied on: a judge's are a model's claims (G-02)."""
    return Assurance.REPORTED if implementation == JUDGE else Assurance.INDEPENDENTLY_OBSERVED


class VersionState(StrEnum):
    """Where a version stands; it moves from draft to active, and between active and retired."""

    DRAFT = "draft"
    ACTIVE = "active"
    RETIRED = "retired"


@dataclass(frozen=True, slots=True)
class ScorerKey:
    """A scorer of one project of one organization."""

    organization_id: str
    project_id: str
    name: str


@dataclass(frozen=True, slots=True)
class ScorerVersion:
    """One immutable version; only its state ever changes."""

    scorer: ScorerKey
    number: int
    implementation: str
    parameters: str
    """The parameters as JSON text, so that no number is rounded by a store."""
    time_limit_ms: int
    digest: str
    state: VersionState


def version_digest(implementation: str, parameters: Mapping[str, Json], time_limit_ms: int) -> str:
    """SHA-256 over the canonical form of everything that a deterministic version pins."""
    pinned = {"implementation": implementation, "parameters": parameters, "time_limit_ms": time_limit_ms}
    return digest(pinned)


class VersionStore(Protocol):
    """Where versions are kept. Every method raises StoreUnavailable when the store does not answer."""

    def get(self, scorer: ScorerKey, number: int) -> ScorerVersion | None:
        """Return the version, or None."""

    def active(self, scorer: ScorerKey) -> int | None:
        """Return the number of the version that is active now, or None."""

    def pin(self, scorer: ScorerKey, run_id: str, number: int | None) -> int | None:
        """The version that the run uses for 'active': the one pinned first, else *number*, which this call then pins.

        What a run found under a version's own number is pinned in the same way, with '#' and the number after *run_id*.

        With *number* None nothing is pinned, and None is the answer where nothing was.
        """
