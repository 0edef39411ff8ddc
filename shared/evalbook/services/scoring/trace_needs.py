"""What a version reads of cases whose content is held in stored traces."""

from collections.abc import Mapping, Sequence

from evalbook.contracts.score_batch import CaseValue
from evalbook.domain.implementation import Need
from evalbook.domain.result import Run
from evalbook.jsonio.reader import NotStrictJson
from evalbook.jsonio.stored import read_stored
from evalbook.jsonio.values import Json
from evalbook.services.scoring import catalog
from evalbook.traces.port import Purpose, Traces
from evalbook.traces.resolution import Needs, Resolution, needs_resolution, resolve_case

# The widest needs there are: what holds nothing for these holds nothing for any version, and is not looked at further.
_ANY = Needs(Purpose.SCORING, frozenset({"output", "expected"}), spans=True, arguments=True)


def needs_of(implementation: str | None, parameters: bytes) -> Needs:
    """Return what a version with these parameters (JSON text) reads; nothing where there is no such implementation."""
    found = catalog.find(implementation or "")
    if found is None:
        return Needs(Purpose.SCORING, frozenset())
    try:
        raw = read_stored(parameters)
    except NotStrictJson:
        raw = None
    values = {"output"} if Need.OUTPUT in found.needs else set()
    known = raw if isinstance(raw, dict) else {}
    if found.parameters.reads_expected(known):
        values.add("expected")
    arguments = found.parameters.reads_arguments(known)
    return Needs(Purpose.SCORING, frozenset(values), spans=Need.TRACE in found.needs, arguments=arguments)


def resolutions(
    values: Sequence[CaseValue], run: Run, implementation: str | None, parameters: bytes, traces: Traces | None
) -> Mapping[int, Resolution]:
    """Return the cases of *values*, by position, that had to be filled from stored traces.

    Raises:
        TracesUnavailable: The traces component did not answer.
    """
    held = [position for position, value in enumerate(values) if needs_resolution(value, _ANY)]
    if not held:
        return {}
    needs = needs_of(implementation, parameters)
    return {
        position: resolve_case(
            values[position], needs, traces, organization_id=run.organization_id, project_id=run.project_id
        )
        for position in held
        if needs_resolution(values[position], needs)
    }


def unfetched(value: Json, implementation: str, parameters: bytes) -> Resolution:
    """Return the case *value* where there is no traces component."""
    if not needs_resolution(value, _ANY):
        return Resolution(value)
    return resolve_case(value, needs_of(implementation, parameters), None, organization_id="", project_id="")
