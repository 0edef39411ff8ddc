"""Governed actions as the JSON that answers hold."""

from collections.abc import Iterable

from evalbook.api.views.calibrations import changes
from evalbook.api.views.registry import stamp
from evalbook.jsonio.values import Json
from evalbook.services.governance.actions import ACTIVATE_JUDGE, Action, ActionEvent, ShownActionState
from evalbook.services.governance.review import CalibrationEvidence, Review


def action(found: Action) -> dict[str, Json]:
    """An action as it stands."""
    target = found.target
    return {
        "action_id": found.key.action_id,
        "kind": ACTIVATE_JUDGE,
        "scorer": target.scorer.name,
        "version": target.version,
        "digest": target.digest,
        "material_digest": target.material_digest,
        "reason": found.reason,
        "state": found.shown_state.value,
        "requested": stamp(found.requested),
        "expires_at": found.expires_at,
        "approved": stamp(found.approved) if found.approved else None,
        "rejected": stamp(found.rejected) if found.rejected else None,
        "waiting_for": "model_catalog" if found.shown_state is ShownActionState.WAITING else None,
        "activation": found.activation,
        "problems": [{"pointer": each.pointer, "message": each.message} for each in found.problems],
    }


def detail(found: Action, events: Iterable[ActionEvent], review: Review) -> Json:
    """An action with its events and what there is to know before a decision."""
    return {**action(found), "events": [_event(each) for each in events], "review": _review(found, review)}


def _event(event: ActionEvent) -> Json:
    return {
        "number": event.number,
        "before": event.before.value if event.before else None,
        "after": event.after.value,
        "by": event.by,
        "at": event.at,
        "reason": event.reason,
    }


def _review(found: Action, review: Review) -> Json:
    return {
        "active_version": found.target.previous,
        "changes": changes(review.comparison.material),
        "conditions_changed": changes(review.comparison.conditions),
        "calibration": _evidence(review.evidence) if review.evidence else None,
    }


def _evidence(evidence: CalibrationEvidence) -> Json:
    record = evidence.record
    return {
        "calibration_id": record.calibration_id,
        "version": record.version,
        "created": stamp(record.created),
        "stale": evidence.stale,
        "conditions_changed": changes(evidence.conditions_changed),
        "headline": evidence.headline,
    }
