"""required_artifacts (S-08): the case lists each required artifact by kind and name, with a SHA-256 digest."""

from typing import Annotated, Final

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from evalbook.case import Case
from evalbook.jsonvalue import ABSENT
from evalbook.outcome import Code, Grade, failed, passed, unsupported
from evalbook.parameters import ReadsOutput
from evalbook.pointer import parse_pointer
from evalbook.scorer import Need, ScoreFunction, scorer
from evalbook.scorers.structured._artifacts import Source, reported_artifacts, well_formed_digest

_MAX_NAMED: Final = 10
_SOURCES: Final[list[Source]] = ["output", "subject", "trace"]
_ALL = passed("The case lists every required artifact with its digest; nothing was fetched.")
_NO_OUTPUT = unsupported(Code.OUTPUT_UNAVAILABLE, "The case records no output, which could list what is not found.")
_NO_TRACE = unsupported(Code.TRACE_UNAVAILABLE, "The case records no trace to list the artifacts.")
_TRUNCATED = unsupported(Code.TRACE_TRUNCATED, "The recorded trace, which could list what is not found, is not whole.")


def _digest(value: str) -> str:
    digest = well_formed_digest(value)
    if digest is None:
        raise ValueError("must be 64 hexadecimal digits and nothing else")
    return digest


class RequiredArtifact(BaseModel):
    """An artifact that the case must list."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, hide_input_in_errors=True)

    kind: Annotated[str, Field(min_length=1)]
    name: Annotated[str, Field(min_length=1)]
    sha256: Annotated[str, AfterValidator(_digest), Field(description="Without it any well-formed digest does.")] = ""


class RequiredArtifactsParameters(ReadsOutput):
    """Which artifacts the case must list, and where they are looked for."""

    required_artifacts: Annotated[list[RequiredArtifact], Field(min_length=1)]
    sources: Annotated[list[Source], Field(min_length=1)] = _SOURCES


@scorer(parameters=RequiredArtifactsParameters, needs=(Need.OUTPUT,))
def required_artifacts(parameters: RequiredArtifactsParameters) -> ScoreFunction:
    """Passes when the case lists each required artifact by kind and name, with its digest; nothing is fetched."""
    required, sources = parameters.required_artifacts, frozenset(parameters.sources)
    output_path = parse_pointer(parameters.output_path)

    def score(case: Case) -> Grade:
        reported = reported_artifacts(case, sources, output_path)
        missing = []
        for index, artifact in enumerate(required):
            digests = reported.get((artifact.kind, artifact.name))
            if not digests or (artifact.sha256 and artifact.sha256 not in digests):
                missing.append(f"{index} ({_how_missing(digests)})")
        return (_undecidable(case, sources) or _lacking(missing, len(required))) if missing else _ALL

    return score


def _how_missing(digests: set[str] | None) -> str:
    if digests is None:
        return "not listed"
    return "listed with another digest" if digests else "listed without a well-formed digest"


def _undecidable(case: Case, sources: frozenset[Source]) -> Grade | None:
    """The grade of a case in which what is missing may just not have been recorded."""
    if "output" in sources and case.output is ABSENT:
        return _NO_OUTPUT
    if "trace" in sources and type(case.trace) is dict and case.trace.get("truncated") is True:
        return _TRUNCATED
    return _NO_TRACE if sources == {"trace"} and case.trace is ABSENT else None


def _lacking(missing: list[str], count: int) -> Grade:
    more = f" and {len(missing) - _MAX_NAMED} more" if len(missing) > _MAX_NAMED else ""
    return failed(
        f"The case does not list {len(missing)} of {count} required artifacts: {', '.join(missing[:_MAX_NAMED])}{more}."
    )
