"""Records as the JSON that answers hold."""

from collections.abc import Sequence
from typing import Final

from evalbook.domain.records import (
    Activation,
    AuditStamp,
    FixtureSetRef,
    RubricRecord,
    RubricVersionRecord,
    ScorerRecord,
    VersionRecord,
)
from evalbook.domain.versions import VersionState
from evalbook.jsonio.reader import NotStrictJson
from evalbook.jsonio.stored import read_stored
from evalbook.jsonio.values import Json
from evalbook.services.registry.fixtures import FixtureVerdict, Report
from evalbook.services.registry.prompt_preview import Preview

_UNREADABLE: Final = {"pointer": "/parameters", "message": "are stored and cannot be read; create the version anew"}


def stamp(value: AuditStamp) -> Json:
    """Who and when."""
    return {"by": value.by, "at": value.at}


def scorer(record: ScorerRecord) -> Json:
    """A scorer."""
    return {
        "name": record.key.name,
        "description": record.description,
        "versions": record.versions,
        "active_version": record.active,
        "created": stamp(record.created),
    }


def version(record: VersionRecord) -> Json:
    """A version, its parameters as they were written; null where what is stored of them cannot be read."""
    pinned = record.version
    return {
        "scorer": pinned.scorer.name,
        "version": pinned.number,
        "implementation": pinned.implementation,
        "family": record.family,
        "parameters": _read(pinned.parameters, None),
        "time_limit_ms": pinned.time_limit_ms,
        "digest": pinned.digest,
        "material_digest": record.material_digest,
        "state": pinned.state.value,
        "warnings": _warnings(record),
        "fixtures": _fixture_count(record.fixtures),
        "created": stamp(record.created),
    }


def _warnings(record: VersionRecord) -> list[Json]:
    """Return the version's warnings, with one more where its parameters cannot be read."""
    unreadable = _read(record.version.parameters, _UNREADABLE) is _UNREADABLE
    return [*_read(record.warnings, []), *([_UNREADABLE] if unreadable else [])]


def _read(text: str, otherwise: Json) -> Json:
    """Return what a stored text holds; *otherwise* where it cannot be read: one row never spoils a list."""
    try:
        return read_stored(text)
    except NotStrictJson:
        return otherwise


def fixtures(record: VersionRecord, found: Sequence[Json]) -> Json:
    """The fixtures of a version."""
    return {
        "digest": record.fixtures.digest if record.fixtures else None,
        "frozen": record.version.state is not VersionState.DRAFT,
        "fixtures": list(found),
    }


def report(found: Report) -> Json:
    """What running fixtures gave."""
    reference = found.version.fixtures
    return {
        "digest": reference.digest if reference else None,
        "agreeing": found.count(agrees=True),
        "disagreeing": found.count(agrees=False),
        "not_run": found.count(agrees=None),
        "fixtures": [_verdict(each) for each in found.verdicts],
    }


def activation(name: str, done: Activation) -> Json:
    """An activation."""
    return {
        "scorer": name,
        "activation": done.number,
        "version": done.version,
        "previous_version": done.previous,
        "activated": stamp(done.stamp),
        "action": _governed(done),
    }


def _governed(done: Activation) -> Json:
    if done.governed is None:
        return None
    return {
        "action_id": done.governed.action_id,
        "requested_by": done.governed.requested_by,
        "approved_by": done.stamp.by,
    }


def rubric(record: RubricRecord) -> Json:
    """A rubric."""
    return {
        "name": record.name,
        "description": record.description,
        "versions": record.versions,
        "created": stamp(record.created),
    }


def rubric_version(name: str, record: RubricVersionRecord) -> Json:
    """A rubric version."""
    content = _read(record.content, {})
    return {
        "rubric": name,
        "version": record.number,
        "digest": record.digest,
        "instructions": content.get("instructions"),
        "criteria": content.get("criteria"),
        "created": stamp(record.created),
    }


def preview(found: Preview) -> Json:
    """A judge's messages."""
    return {
        "messages": [{"role": each.role, "content": each.content} for each in found.messages],
        "not_asked": found.not_asked.value if found.not_asked else None,
    }


def _fixture_count(reference: FixtureSetRef | None) -> Json:
    return {"digest": reference.digest, "count": reference.count} if reference else None


def _verdict(verdict: FixtureVerdict) -> Json:
    return {
        "index": verdict.index,
        "case_id": verdict.case_id,
        "agrees": verdict.agrees,
        "expected": verdict.expected,
        "actual": verdict.actual,
    }
