"""The score batch: one SQS message with cases, inline or by reference, and the version that scores them."""

from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

from pydantic import ConfigDict, Field, ValidationError, model_validator

from evalbook.contracts.case import CaseModel, case_id_of
from evalbook.contracts.model import (
    ClosedWire,
    Id,
    Index,
    OrdinalOrActive,
    SchemaVersion,
    Sha256,
    ShownAs,
    Wire,
    exactly_one_of,
    first_problem,
)
from evalbook.domain.errors import Unreadable
from evalbook.domain.limits import BATCH_DEPTH, CASE_DEPTH
from evalbook.jsonio.reader import BYTE_ORDER_MARK, NotStrictJson, read_json, split_array, split_object
from evalbook.jsonio.values import Json

MAX_MESSAGE_BYTES = 1_048_576
# The message, its list of cases and the case stand above a case's own values, which may nest a hundred deep.


AnyCase = Annotated[Any, ShownAs(CaseModel)]
"""A case, each read by itself: a bad one spoils no other."""


class ScorerRef(ClosedWire):
    """Which version scores: a number, or the one that is active when the run first asks."""

    name: Id
    version: OrdinalOrActive
    digest: Sha256 | None = None


class _ScorerName(Wire):
    """What has to be read of a scorer for a result to name it."""

    name: Id


class CasesRef(ClosedWire):
    """Cases held in the bodies bucket: one object, a JSON array of `count` cases, of which [start, end) are meant."""

    key: Annotated[str, Field(min_length=1, max_length=1024)]
    sha256: Sha256
    count: Index
    start: Index = 0
    end: Index | None = None


class ScoreBatch(ClosedWire):
    """A batch of cases to be scored by one version."""

    model_config = ConfigDict(json_schema_extra=exactly_one_of(("cases", "cases_ref")))

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


_PLACEHOLDERS: Final = {"schema_version": 1, "purpose": "evaluation", "scorer": {"name": "unread", "version": 1}}
"""Stand in a refused batch where its own members cannot be read; nothing is scored by them."""


@dataclass(frozen=True, slots=True)
class CaseText:
    """A case that is not strict JSON: its text, what is wrong with it, and its id where that much can be read."""

    text: bytes
    problem: str
    case_id: str | None


CaseValue = Json | CaseText


@dataclass(frozen=True, slots=True)
class BatchRefusal:
    """Why no case of a batch is scored, though each is answered; `scorer` is the name that it gives, where it does."""

    problem: str
    scorer: str | None


@dataclass(frozen=True, slots=True)
class ReadBatch:
    """A batch as it was read; `cases` holds the inline cases of its `body`, each its value or a `CaseText`.

    Of a batch with a `refusal` the head holds the ids, what else of it can be read, and defaults.
    """

    head: ScoreBatch
    cases: list[CaseValue]
    body: bytes
    refusal: BatchRefusal | None = None


def read_batch(body: bytes) -> ReadBatch:
    """Read a message's body; strictness is per case, so one bad case spoils no other.

    A batch that is wrong as a whole is read all the same where it can be answered: where its ids can be read and its
    cases found.

    Raises:
        Unreadable: The body is no JSON or no score batch, and cannot be answered.
    """
    body = body.removeprefix(BYTE_ORDER_MARK)
    if len(body) > MAX_MESSAGE_BYTES:
        raise Unreadable("the message is larger than 1 MiB")
    try:
        value = read_json(body, max_depth=BATCH_DEPTH)
        cases = value.get("cases") if type(value) is dict else None
    except NotStrictJson:
        value, cases = _read_by_parts(body)
    head = {**value, "cases": [] if type(cases) is list else cases} if cases is not None else value
    try:
        batch = ScoreBatch.model_validate(head)
    except ValidationError as error:
        return _refused(head, cases, body, error)
    return ReadBatch(batch, cases or [], body)


def _refused(head: Json, cases: list[CaseValue] | None, body: bytes, error: ValidationError) -> ReadBatch:
    """Return a batch that is wrong as a whole, for its cases to be answered with what is wrong."""
    problem = first_problem(error, ScoreBatch)
    wrong = {each["loc"][0] for each in error.errors(include_url=False, include_input=False) if each["loc"]}
    members = head if type(head) is dict else {}
    right = {name: members[name] for name in members.keys() & ScoreBatch.model_fields.keys() - wrong}
    if cases:
        right.pop("cases_ref", None)
    try:
        batch = ScoreBatch.model_validate({**_PLACEHOLDERS, **right})
    except ValidationError:
        batch = None
    if batch is None or not (cases or batch.cases_ref):
        raise Unreadable(f"the message is no score batch: {problem}")
    return ReadBatch(batch, cases or [], body, BatchRefusal(problem, _name_in(members.get("scorer"))))


def _name_in(scorer: Json) -> str | None:
    """Return the scorer's name where at least that can be read of it."""
    with suppress(ValidationError):
        return _ScorerName.model_validate(scorer).name
    return None


def read_cases(text: bytes) -> list[CaseValue]:
    """Read a JSON array of cases, strictness per case.

    Raises:
        Unreadable: The text is no JSON array.
    """
    text = text.removeprefix(BYTE_ORDER_MARK)
    try:
        value = read_json(text, max_depth=BATCH_DEPTH - 1)
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
        head = {name: read_json(text, max_depth=BATCH_DEPTH - 1) for name, text in texts.items()}
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
        return read_json(text, max_depth=CASE_DEPTH)
    except NotStrictJson as error:
        return CaseText(text, f"The case is not strict JSON: {error}.", _case_id_in(text))


def _case_id_in(text: bytes) -> str | None:
    try:
        texts = [text for name, text in split_object(text) if name == "case_id"]
        return case_id_of({"case_id": read_json(texts[0])}) if len(texts) == 1 else None
    except NotStrictJson:
        return None
