"""The registry's records, one frozen type a kind of thing."""

from dataclasses import dataclass

from evalbook.domain.versions import ScorerKey, ScorerVersion


@dataclass(frozen=True, slots=True)
class Project:
    """One project of one organization: nothing of it is ever seen from another one."""

    organization_id: str
    project_id: str

    def scorer(self, name: str) -> ScorerKey:
        """Return the key of this project's scorer called *name*."""
        return ScorerKey(self.organization_id, self.project_id, name)


@dataclass(frozen=True, slots=True)
class AuditStamp:
    """Who did something, and when (RFC 3339, UTC)."""

    by: str
    at: str


@dataclass(frozen=True, slots=True)
class ScorerRecord:
    """A scorer, how many versions it has, and which one is active."""

    key: ScorerKey
    description: str
    created: AuditStamp
    versions: int = 0
    active: int | None = None
    activations: int = 0


@dataclass(frozen=True, slots=True)
class FixtureSetRef:
    """Which fixtures a version has now: their digest and how many they are."""

    digest: str
    count: int


@dataclass(frozen=True, slots=True)
class VersionDraft:
    """A version that has no number yet."""

    scorer: ScorerKey
    implementation: str
    family: str
    parameters: str
    """The parameters as JSON text, so that no number is rounded."""
    time_limit_ms: int
    digest: str
    warnings: str
    """What is accepted and yet worth knowing: a JSON array of `{"pointer", "message"}`."""
    created: AuditStamp
    material_digest: str | None = None


@dataclass(frozen=True, slots=True)
class VersionRecord:
    """A stored version; only its state and, while it is a draft, its fixtures change."""

    version: ScorerVersion
    family: str
    warnings: str
    created: AuditStamp
    material_digest: str | None = None
    fixtures: FixtureSetRef | None = None


@dataclass(frozen=True, slots=True)
class GovernedBy:
    """The governed action that an activation is the end of, and who requested it; who approved it activated."""

    action_id: str
    requested_by: str


@dataclass(frozen=True, slots=True)
class Activation:
    """One activation of a scorer: the version that became active, the one before it, who and when.

    A judge's names its governed action.
    """

    number: int
    version: int
    previous: int | None
    stamp: AuditStamp
    governed: GovernedBy | None = None


@dataclass(frozen=True, slots=True)
class RubricRecord:
    """A rubric and how many versions it has."""

    project: Project
    name: str
    description: str
    created: AuditStamp
    versions: int = 0


@dataclass(frozen=True, slots=True)
class RubricDraft:
    """A rubric version that has no number yet; `content` is JSON text."""

    project: Project
    name: str
    content: str
    digest: str
    created: AuditStamp


@dataclass(frozen=True, slots=True)
class RubricVersionRecord:
    """One immutable rubric version; `content` is JSON text."""

    number: int
    content: str
    digest: str
    created: AuditStamp
