"""The wire form of a case, and reading it."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from evalbook.contracts.model import CaseId, ClosedWire, Sha256
from evalbook.domain.case import Case, ContentRef
from evalbook.domain.errors import CaseInvalid
from evalbook.jsonio.values import ABSENT, Json, kind_of

MAX_ID_CHARS = 128
_VALUES = ("input", "output", "expected")


class ContentRefModel(ClosedWire):
    """A span of the case's own stored trace, and the field of it that holds a value."""

    span_id: str
    field: str


class ArtifactModel(ClosedWire):
    """A file or object that a case reports."""

    kind: str
    name: str
    sha256: Sha256


class SubjectModel(ClosedWire):
    """What was evaluated."""

    artifacts: tuple[ArtifactModel, ...] = ()


class CaseModel(ClosedWire):
    """One recorded case. A member that is not there was not recorded, which is something else than null."""

    case_id: CaseId
    example_id: str | None = Field(None, max_length=MAX_ID_CHARS)
    input: Any = Field(default_factory=lambda: ABSENT)
    output: Any = Field(default_factory=lambda: ABSENT)
    expected: Any = Field(default_factory=lambda: ABSENT)
    subject: SubjectModel | None = None
    trace: dict[str, Any] | None = Field(None, description="The recorded trace; read by the scorers that need it.")
    refs: dict[Literal["input", "output", "expected"], ContentRefModel] | None = Field(
        None, description="Values that are held in the case's stored trace instead of in the case."
    )


_MEMBERS = frozenset(CaseModel.model_fields)


def case_id_of(value: Json) -> str | None:
    """The case's id where it can be read, whatever the rest of the case is."""
    case_id = value.get("case_id") if type(value) is dict else None
    return case_id if type(case_id) is str and 1 <= len(case_id) <= MAX_ID_CHARS else None


def example_id_of(value: Json) -> str | None:
    """The example's id where the case has one that can be read."""
    example_id = value.get("example_id") if type(value) is dict else None
    return example_id if type(example_id) is str and len(example_id) <= MAX_ID_CHARS else None


def read_case(value: Json) -> Case:
    """Read a case from its JSON value; `subject` and `trace` stay as they are until a scorer needs them.

    Raises:
        CaseInvalid: Names the place, quotes nothing.
    """
    if type(value) is not dict:
        raise CaseInvalid(f"The case is {kind_of(value)}, not an object.")
    if not value.keys() <= _MEMBERS:
        raise CaseInvalid(f"The case has a member that is not known; known are {', '.join(CaseModel.model_fields)}.")
    get = value.get
    case_id, example_id, refs = get("case_id"), get("example_id"), get("refs")
    if type(case_id) is not str or not 1 <= len(case_id) <= MAX_ID_CHARS:
        raise CaseInvalid("/case_id must be a string of 1 to 128 characters.")
    if example_id is not None and (type(example_id) is not str or len(example_id) > MAX_ID_CHARS):
        raise CaseInvalid("/example_id must be a string of at most 128 characters.")
    if type(subject := get("subject")) is dict:
        _check_subject(subject)
    return Case(
        case_id,
        example_id,
        get("input", ABSENT),
        get("output", ABSENT),
        get("expected", ABSENT),
        get("subject", ABSENT),
        get("trace", ABSENT),
        None if refs is None else read_refs(refs),
    )


def _check_subject(subject: Mapping[str, Json]) -> None:
    """Raise CaseInvalid where a member is not known; the scorers that need a subject say what else is wrong with it."""
    if not SubjectModel.model_fields.keys() >= subject.keys():
        raise CaseInvalid("/subject has a member that is not known; known is artifacts.")
    artifacts = subject.get("artifacts")
    for index, artifact in enumerate(artifacts if type(artifacts) is list else ()):
        if type(artifact) is dict and not ArtifactModel.model_fields.keys() >= artifact.keys():
            known = ", ".join(ArtifactModel.model_fields)
            raise CaseInvalid(f"/subject/artifacts/{index} has a member that is not known; known are {known}.")


def read_refs(value: Json) -> Mapping[str, ContentRef]:
    """Read where a case's values are held.

    Raises:
        CaseInvalid: Names the place, quotes nothing.
    """
    if type(value) is not dict:
        raise CaseInvalid(f"/refs is {kind_of(value)}, not an object.")
    if not set(value) <= set(_VALUES):
        raise CaseInvalid("/refs may name input, output and expected only.")
    refs: dict[str, ContentRef] = {}
    for name, ref in value.items():
        span_id, field = (ref.get("span_id"), ref.get("field")) if type(ref) is dict else (None, None)
        if type(span_id) is not str or type(field) is not str or len(ref) > len(ContentRefModel.model_fields):
            raise CaseInvalid(f"/refs/{name} must be an object with the strings span_id and field, and nothing else.")
        refs[name] = ContentRef(span_id, field)
    return refs
