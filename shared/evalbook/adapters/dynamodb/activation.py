"""The transaction that makes a version the only active one of its scorer."""

from evalbook.adapters.dynamodb import items
from evalbook.adapters.dynamodb.table import IF_NEW, Item, Table, attempts, contended, key, number, pause, text
from evalbook.domain.records import Activation, AuditStamp, FixtureSetRef, VersionRecord
from evalbook.domain.versions import ScorerKey, VersionState

_ACTIVE = text(VersionState.ACTIVE.value)
_RETIRED = text(VersionState.RETIRED.value)
_DRAFT = text(VersionState.DRAFT.value)


def activate(table: Table, tested: VersionRecord, stamp: AuditStamp) -> Activation | None:
    """Make the version active, the one before it retired, and record both, all at once or not at all.

    Its fixtures must be those of *tested* still; None where they are not. Where it is active already, the activation
    that made it so.
    """
    scorer, chosen = tested.version.scorer, tested.version.number
    for attempt in attempts():
        head = table.read(items.scorer_key(scorer)) or {}
        previous = int(head["active"]["N"]) if "active" in head else None
        done = int(head["activations"]["N"])
        if previous == chosen:
            return _recorded(table, scorer, done)
        activation = Activation(done + 1, chosen, previous, stamp)
        if table.transact(*operations(scorer, activation, tested.fixtures)):
            return activation
        now = table.read(items.version_key(scorer, chosen))
        if now is None or items.version_of(scorer, now).fixtures != tested.fixtures:
            return None
        pause(attempt)
    raise contended()


def _recorded(table: Table, scorer: ScorerKey, ordinal: int) -> Activation | None:
    at = key(items.scorer_pk(scorer), items.numbered(items.activations_prefix(scorer), ordinal))
    item = table.read(at)
    return items.activation_of(item) if item else None


def operations(scorer: ScorerKey, activation: Activation, fixtures: FixtureSetRef | None) -> list[tuple[str, Item]]:
    """What a transaction does that is this activation, the scorer's next one; its fixtures must be these still."""
    record = {"Item": items.activation_item(scorer, activation), "ConditionExpression": IF_NEW}
    raised = _raise(items.version_key(scorer, activation.version), fixtures)
    done = [("Update", _point(scorer, activation)), ("Update", raised), ("Put", record)]
    if activation.previous is not None:
        done.append(("Update", _retire(scorer, activation.previous)))
    return done


def _point(scorer: ScorerKey, activation: Activation) -> Item:
    """Let the scorer name its new active version, if it still names the one before."""
    before = activation.previous
    values = {":v": number(activation.version), ":n": number(activation.number), ":m": number(activation.number - 1)}
    return {
        "Key": items.scorer_key(scorer),
        "UpdateExpression": "SET active = :v, activations = :n",
        "ConditionExpression": "activations = :m AND "
        + ("attribute_not_exists(active)" if before is None else "active = :before"),
        "ExpressionAttributeValues": values if before is None else {**values, ":before": number(before)},
    }


def _raise(version_key: Item, fixtures: FixtureSetRef | None) -> Item:
    """Let the version be active, if its fixtures are still these."""
    condition, values = _same_fixtures(fixtures)
    return {
        "Key": version_key,
        "UpdateExpression": "SET #state = :active",
        "ConditionExpression": f"#state IN (:draft, :retired) AND {condition}",
        "ExpressionAttributeNames": {"#state": "state"},
        "ExpressionAttributeValues": {":active": _ACTIVE, ":draft": _DRAFT, ":retired": _RETIRED, **values},
    }


def _same_fixtures(fixtures: FixtureSetRef | None) -> tuple[str, Item]:
    if fixtures is None:
        return "attribute_not_exists(fixtures_digest)", {}
    return "fixtures_digest = :fixtures", {":fixtures": text(fixtures.digest)}


def _retire(scorer: ScorerKey, ordinal: int) -> Item:
    return {
        "Key": items.version_key(scorer, ordinal),
        "UpdateExpression": "SET #state = :retired",
        "ConditionExpression": "#state = :active",
        "ExpressionAttributeNames": {"#state": "state"},
        "ExpressionAttributeValues": {":active": _ACTIVE, ":retired": _RETIRED},
    }
