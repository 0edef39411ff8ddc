"""The registry's items: keys, and records to attributes and back.

`pk` is the project (a run's pins have one of their own, so that who pins need not be allowed to write anything else);
`sk` starts with the kind. No name holds `#`, so no name can reach into another's keys.
"""

from typing import Final

from evalbook.adapters.dynamodb.table import Item, key, number, text
from evalbook.domain.records import (
    Activation,
    AuditStamp,
    FixtureSetRef,
    GovernedBy,
    Project,
    ScorerRecord,
    VersionDraft,
    VersionRecord,
)
from evalbook.domain.versions import ScorerKey, ScorerVersion, VersionState

SCORERS: Final = "SCORER#"
RUBRICS: Final = "RUBRIC#"
_NEVER: Final = AuditStamp("", "")


def project_pk(project: Project) -> str:
    """The partition of a project."""
    return f"ORG#{project.organization_id}#PROJECT#{project.project_id}"


def scorer_pk(scorer: ScorerKey) -> str:
    """The partition that a scorer is in."""
    return project_pk(Project(scorer.organization_id, scorer.project_id))


def scorer_key(scorer: ScorerKey) -> Item:
    """The key of a scorer."""
    return key(scorer_pk(scorer), SCORERS + scorer.name)


def versions_prefix(scorer: ScorerKey) -> str:
    """What the sort keys of a scorer's versions start with."""
    return f"VERSION#{scorer.name}#"


def activations_prefix(scorer: ScorerKey) -> str:
    """What the sort keys of a scorer's activations start with."""
    return f"ACTIVATION#{scorer.name}#"


def rubric_versions_prefix(rubric: str) -> str:
    """What the sort keys of a rubric's versions start with."""
    return f"RUBRICVERSION#{rubric}#"


def numbered(prefix: str, ordinal: int) -> str:
    """The sort key of the item with this number: in the order of numbers."""
    return f"{prefix}{ordinal:08d}"


def version_key(scorer: ScorerKey, ordinal: int) -> Item:
    """The key of a version."""
    return key(scorer_pk(scorer), numbered(versions_prefix(scorer), ordinal))


def pin_key(scorer: ScorerKey, run_id: str) -> Item:
    """The key of a run's pin of a scorer."""
    return key(f"PIN#{scorer_pk(scorer)}#RUN#{run_id}", SCORERS + scorer.name)


def stamp_item(stamp: AuditStamp) -> Item:
    """A stamp's attributes."""
    return {"stamped_by": text(stamp.by), "stamped_at": text(stamp.at)}


def stamp_of(item: Item) -> AuditStamp:
    """The stamp among an item's attributes."""
    return AuditStamp(item["stamped_by"]["S"], item["stamped_at"]["S"]) if "stamped_by" in item else _NEVER


def name_of(item: Item) -> str:
    """The last part of an item's sort key."""
    return str(item["sk"]["S"]).rpartition("#")[2]


def scorer_of(project: Project, item: Item) -> ScorerRecord:
    """A scorer from its item."""
    return ScorerRecord(
        project.scorer(name_of(item)),
        item["description"]["S"],
        stamp_of(item),
        int(item["versions"]["N"]),
        int(item["active"]["N"]) if "active" in item else None,
        int(item["activations"]["N"]),
    )


def version_item(draft: VersionDraft, ordinal: int) -> Item:
    """A new version's item."""
    material = {"material_digest": text(draft.material_digest)} if draft.material_digest else {}
    return {
        **version_key(draft.scorer, ordinal),
        "implementation": text(draft.implementation),
        "family": text(draft.family),
        "parameters": text(draft.parameters),
        "time_limit_ms": number(draft.time_limit_ms),
        "digest": text(draft.digest),
        "state": text(VersionState.DRAFT.value),
        "warnings": text(draft.warnings),
        **stamp_item(draft.created),
        **material,
    }


def scorer_version_of(scorer: ScorerKey, ordinal: int, item: Item) -> ScorerVersion:
    """What scoring needs of a version, from its item."""
    return ScorerVersion(
        scorer,
        ordinal,
        item["implementation"]["S"],
        item["parameters"]["S"],
        int(item["time_limit_ms"]["N"]),
        item["digest"]["S"],
        VersionState(item["state"]["S"]),
    )


def version_of(scorer: ScorerKey, item: Item) -> VersionRecord:
    """A version from its item."""
    fixtures = item.get("fixtures_digest")
    return VersionRecord(
        scorer_version_of(scorer, int(name_of(item)), item),
        item["family"]["S"],
        item["warnings"]["S"],
        stamp_of(item),
        item["material_digest"]["S"] if "material_digest" in item else None,
        FixtureSetRef(fixtures["S"], int(item["fixtures_count"]["N"])) if fixtures else None,
    )


def activation_item(scorer: ScorerKey, activation: Activation) -> Item:
    """An activation's item."""
    previous = {} if activation.previous is None else {"previous": number(activation.previous)}
    governed = activation.governed
    named = {"action": text(governed.action_id), "requested_by": text(governed.requested_by)} if governed else {}
    return {
        **key(scorer_pk(scorer), numbered(activations_prefix(scorer), activation.number)),
        "version": number(activation.version),
        **previous,
        **named,
        **stamp_item(activation.stamp),
    }


def activation_of(item: Item) -> Activation:
    """An activation from its item."""
    previous = int(item["previous"]["N"]) if "previous" in item else None
    governed = GovernedBy(item["action"]["S"], item["requested_by"]["S"]) if "action" in item else None
    return Activation(int(name_of(item)), int(item["version"]["N"]), previous, stamp_of(item), governed)
