"""Results: the record of one case's grade, with an id that is the same on every redelivery."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import NamedTuple

from evalbook.domain.outcome import Assurance, Grade
from evalbook.jsonio.canonical import canonical_json
from evalbook.jsonio.truncation import encode_body
from evalbook.jsonio.values import Json, encode_json


@dataclass(frozen=True, slots=True)
class Run:
    """Whose cases are scored, and for which run."""

    organization_id: str
    project_id: str
    run_id: str


@dataclass(frozen=True, slots=True)
class ScoringVersion:
    """The version that scores, as far as it is known."""

    name: str | None
    version: int | None
    digest: str | None
    implementation: str | None


class CaseIdentity(NamedTuple):
    """What tells one case of a run from another.

    `place`, the case's index in its batch, counts only where the case_id does not: where it cannot be read (None) or
    repeats an earlier one. A named tuple, because one is made for every case, at a third of a dataclass's cost.
    """

    case_id: str | None
    example_id: str | None
    digest: str
    place: int | None = None


@dataclass(frozen=True, slots=True)
class Measured:
    """What a judge's result says beside its grade; only `body` holds text of the case or of the judge."""

    usage: Mapping[str, Json] | None = None
    variability: Mapping[str, Json] | None = None
    body: dict[str, Json] | None = None
    judging: Mapping[str, Json] | None = None


_NOTHING_MEASURED = Measured()


class ResultWriter:
    """Writes the results of one run and version, what they share only once."""

    def __init__(self, run: Run, scorer: ScoringVersion, assurance: Assurance) -> None:
        shared = {"run_id": run.run_id, "scorer": asdict(scorer), "assurance": assurance.value}
        self._shared = encode_json(shared)[1:-1]
        self._hash = sha256(
            canonical_json([run.organization_id, run.project_id, run.run_id, scorer.name, scorer.digest])
        )

    def result_id(self, case: CaseIdentity) -> str:
        """SHA-256 over organization, project, run, scorer, version digest, case id, case digest (and place)."""
        hashed = self._hash.copy()
        case_id = "" if case.case_id is None else f" {case.case_id}"
        hashed.update(f"{case.digest} {case.place}{case_id}".encode())
        return hashed.hexdigest()

    def encode(self, case: CaseIdentity, grade: Grade, measured: Measured = _NOTHING_MEASURED) -> bytes:
        """Return the result of *case* as JSON text in UTF-8; the same case and grade give the same one."""
        body = measured.body if grade.details is None else {"details": grade.details}
        own = encode_json(
            {
                "case_id": case.case_id,
                "example_id": case.example_id,
                "outcome": grade.outcome,
                "code": grade.code,
                "score": grade.score,
                "label": grade.label,
                "explanation": grade.explanation,
            }
        )
        measures = encode_json(measured.usage), encode_json(measured.variability)
        named = self.result_id(case).encode(), self._shared, own[1:-1], *measures
        text = b"null" if body is None else encode_body(body)
        judging = b"" if measured.judging is None else b'"judging":%b,' % encode_json(measured.judging)
        return b'{"result_id":"%b",%b,%b,"usage":%b,"variability":%b,%b"body":%b}' % (*named, judging, text)
