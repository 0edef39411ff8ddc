"""Results: the record of one case's grade, with an id that is the same on every redelivery."""

from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from evalbook.body import cut_body
from evalbook.canonical import canonical_json
from evalbook.jsonvalue import encode_json
from evalbook.outcome import Assurance, Grade


@dataclass(frozen=True, slots=True)
class Run:
    """Whose cases are scored, and for which run."""

    organization_id: str
    project_id: str
    run_id: str


@dataclass(frozen=True, slots=True)
class Scorer:
    """The version that scores, as far as it is known."""

    name: str
    version: int | None
    digest: str | None
    implementation: str | None


@dataclass(frozen=True, slots=True)
class CaseIdentity:
    """What tells one case of a run from another.

    `index` counts only where the case_id does not: where it cannot be read (None) or repeats an earlier one.
    """

    case_id: str | None
    example_id: str | None
    digest: str
    index: int | None = None


class ResultWriter:
    """Writes the results of one run and version."""

    def __init__(self, run: Run, scorer: Scorer, assurance: Assurance) -> None:
        self._run_id = run.run_id
        self._assurance = assurance.value
        self._scorer = {
            "name": scorer.name,
            "version": scorer.version,
            "digest": scorer.digest,
            "implementation": scorer.implementation,
        }
        self._hash = sha256(
            canonical_json([run.organization_id, run.project_id, run.run_id, scorer.name, scorer.digest])
        )

    def result_id(self, case: CaseIdentity) -> str:
        """SHA-256 over organization, project, run, scorer, version digest, case id, case digest (and index)."""
        hashed = self._hash.copy()
        case_id = "" if case.case_id is None else f" {case.case_id}"
        hashed.update(f"{case.digest} {case.index}{case_id}".encode())
        return hashed.hexdigest()

    def record(self, case: CaseIdentity, grade: Grade) -> dict[str, Any]:
        """The result of *case* as a JSON object; the same case and grade give the same one."""
        return {
            "result_id": self.result_id(case),
            "run_id": self._run_id,
            "case_id": case.case_id,
            "example_id": case.example_id,
            "scorer": self._scorer,
            "outcome": grade.outcome.value,
            "code": None if grade.code is None else grade.code.value,
            "score": grade.score,
            "label": grade.label,
            "assurance": self._assurance,
            "explanation": grade.explanation,
            "usage": None,
            "variability": None,
            "body": None if grade.details is None else cut_body({"details": grade.details}),
        }

    def encode(self, case: CaseIdentity, grade: Grade) -> bytes:
        """The result of *case* as JSON text in UTF-8."""
        return encode_json(self.record(case, grade))
