"""required_artifacts (S-08): the case lists each required artifact by kind and name, with a SHA-256 digest."""

from typing import Annotated, Final

from pydantic import Field

from evalbook.domain.case import Case
from evalbook.domain.implementation import Need, ScoreFunction, scorer
from evalbook.domain.outcome import Code, Grade, failed, passed, unsupported
from evalbook.domain.parameters import ReadsOutput
from evalbook.jsonio.pointer import parse_pointer
from evalbook.jsonio.values import ABSENT
from evalbook.scorer_kit.reading import OBJECT, JsonKind, output_reader
from evalbook.scorers.structured._artifacts import RequiredArtifact, Source, missing_artifacts, reported_artifacts

_MAX_NAMED: Final = 10
_SOURCES: Final[list[Source]] = ["output", "subject", "trace"]
_OBJECT_OR_LIST = JsonKind("an object or an array", (dict, list))
_ALL = passed("The case lists every required artifact with its digest; nothing was fetched.")
_NO_TRACE = unsupported(Code.TRACE_UNAVAILABLE, "The case records no trace to list the artifacts.")
_TRUNCATED = unsupported(Code.TRACE_TRUNCATED, "The recorded trace, which could list what is not found, is not whole.")


class RequiredArtifactsParameters(ReadsOutput):
    """Which artifacts the case must list, and where they are looked for."""

    required_artifacts: Annotated[list[RequiredArtifact], Field(min_length=1, description="The artifacts.")]
    sources: Annotated[list[Source], Field(min_length=1, description="Where they may be listed.")] = _SOURCES


@scorer(parameters=RequiredArtifactsParameters, needs=(Need.OUTPUT,))
def required_artifacts(parameters: RequiredArtifactsParameters) -> ScoreFunction:
    """Passes when the case lists each required artifact by kind and name, with its digest; nothing is fetched."""
    required, sources = parameters.required_artifacts, frozenset(parameters.sources)
    output_path = parse_pointer(parameters.output_path)
    output_of = output_reader(parameters, _OBJECT_OR_LIST if output_path else OBJECT)

    def score(case: Case) -> Grade:
        missing = missing_artifacts(required, reported_artifacts(case, sources, output_path))
        if not missing:
            return _ALL
        # What is found elsewhere needs no output and no whole trace; what is missing could have been listed there.
        unrecorded = _unrecorded(case, sources)
        if unrecorded is None and "output" in sources:
            output_of(case)
        return unrecorded or _lacking(missing, len(required))

    return score


def _unrecorded(case: Case, sources: frozenset[Source]) -> Grade | None:
    """Return the grade of a case whose trace, which was not recorded whole, could have listed what is missing."""
    if "trace" in sources and type(case.trace) is dict and case.trace.get("truncated") is True:
        return _TRUNCATED
    return _NO_TRACE if sources == {"trace"} and case.trace is ABSENT else None


def _lacking(missing: list[str], count: int) -> Grade:
    more = f" and {len(missing) - _MAX_NAMED} more" if len(missing) > _MAX_NAMED else ""
    return failed(
        f"The case does not list {len(missing)} of {count} required artifacts: {', '.join(missing[:_MAX_NAMED])}{more}."
    )
