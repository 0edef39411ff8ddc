"""The score batch: one SQS message with cases, inline or by reference, and the version that scores them."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError, model_validator

from evalbook.contracts.case import CaseModel, case_id_of
from evalbook.contracts.model import Id, Index, SchemaVersion, Sha256, ShownAs, Wire, first_problem
from evalbook.domain.errors import Unreadable
from evalbook.jsonio.reader import NotStrictJson, read_json, split_array, split_object
from evalbook.jsonio.values import Json

MAX_MESSAGE_BYTES = 1_048_576
# The message, its list of cases and the case stand above a case's own values, which may nest a hundred deep.
_DEPTH = 103
_CASE_DEPTH = 101


AnyCase = Annotated[Any, ShownAs(CaseModel)]
"""A case, each read by itself: a bad one spoils no other."""


class ScorerRef(Wire):
    """Which version scores: a number, or the one that is active when the run first asks."""

    name: Id
    version: Annotated[int, Field(ge=1)] | Literal["active"]
    digest: Sha256 | None = None


class CasesRef(Wire):
    """Cases held in the bodies bucket: one object, a JSON array of `count` cases, of which [start, end) are meant."""

    key: Annotated[str, Field(min_length=1, max_length=1024)]
    sha256: Sha256
    count: Index
    start: Index = 0
    end: Index | None = None


class ScoreBatch(Wire):
    """A batch of cases to be scored by one version."""

    schema_version: SchemaVersion
    organization_id: Id
    project_id: Id
    run_id: Id
    batch_id: Id
    purpose: Literal["evaluation"]
    scorer: ScorerRef
    budget_id: Id | None = Field(None, description="Judges only: the AI budget that pays.")
    cases: list[AnyCase] | None = None
    cases_ref: CasesRef | None = None
    first_index: Index = Field(0, description="The first inline case's index in the original batch; set on a rest.")
    repeated: list[Index] = Field([], description="Indexes of cases whose case_id occurred before; set on a rest.")

    @model_validator(mode="after")
    def _has_cases_once(self) -> "ScoreBatch":
        if (self.cases is None) == (self.cases_ref is None):
            raise ValueError("exactly one of cases and cases_ref is required")
        return self


@dataclass(frozen=True, slots=True)
class CaseText:
    """A case that is not strict JSON: its text, what is wrong with it, and its id where that much can be read."""

    text: bytes
    problem: str
    case_id: str | None


CaseValue = Json | CaseText


@dataclass(frozen=True, slots=True)
class ReadBatch:
    """A batch as it was read; `cases` holds the inline cases of its `body`, each its value or a `CaseText`."""

    head: ScoreBatch
    cases: list[CaseValue]
    body: bytes


def read_batch(body: bytes) -> ReadBatch:
    """Read a message's body; strictness is per case, so one bad case spoils no other.

    Raises:
        Unreadable: The body is no JSON or no score batch.
    """
    if len(body) > MAX_MESSAGE_BYTES:
        raise Unreadable("the message is larger than 1 MiB")
    try:
        value = read_json(body, max_depth=_DEPTH)
        cases = value.get("cases") if type(value) is dict else None
    except NotStrictJson:
        value, cases = _read_by_parts(body)
    head = {**value, "cases": [] if type(cases) is list else cases} if cases is not None else value
    try:
        batch = ScoreBatch.model_validate(head)
    except ValidationError as error:
        raise Unreadable(f"the message is no score batch: {first_problem(error)}") from None
    return ReadBatch(batch, cases or [], body)


def read_cases(text: bytes) -> list[CaseValue]:
    """Read a JSON array of cases, strictness per case.

    Raises:
        Unreadable: The text is no JSON array.
    """
    try:
        value = read_json(text, max_depth=_DEPTH - 1)
    except NotStrictJson:
        try:
            return [_read_case_text(part) for part in split_array(text)]
        except NotStrictJson as error:
            raise Unreadable(f"the cases are no JSON array: {error}") from None
    if type(value) is not list:
        raise Unreadable("the cases are no JSON array")
    return value


def _read_by_parts(body: bytes) -> tuple[Json, list[CaseValue] | None]:
    """Read a message that is not strict JSON as a whole: all but the cases has to be."""
    try:
        texts = _without_repetition(split_object(body))
        cases = texts.pop("cases", None)
        head = {name: read_json(text, max_depth=_DEPTH - 1) for name, text in texts.items()}
    except NotStrictJson as error:
        raise Unreadable(f"the message is not JSON: {error}") from None
    return head, None if cases is None else read_cases(cases)


def _without_repetition(members: list[tuple[str, bytes]]) -> dict[str, bytes]:
    texts = dict(members)
    if len(texts) < len(members):
        raise NotStrictJson("a key is repeated", 0)
    return texts


def _read_case_text(text: bytes) -> CaseValue:
    try:
        return read_json(text, max_depth=_CASE_DEPTH)
    except NotStrictJson as error:
        return CaseText(text, f"The case is not strict JSON: {error}.", _case_id_in(text))


def _case_id_in(text: bytes) -> str | None:
    try:
        texts = [text for name, text in split_object(text) if name == "case_id"]
        return case_id_of({"case_id": read_json(texts[0])}) if len(texts) == 1 else None
    except NotStrictJson:
        return None
