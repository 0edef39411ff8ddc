"""Grading a case in a test as the service does: through the strict reader, the catalog and the wire model of a case."""

from collections.abc import Mapping

from evalbook.contracts.case import read_case
from evalbook.domain.case import Case
from evalbook.domain.errors import ParametersRefused
from evalbook.domain.implementation import PreparedScorer
from evalbook.domain.outcome import Grade
from evalbook.jsonio.canonical import plain_json
from evalbook.jsonio.reader import read_json
from evalbook.jsonio.values import Json
from evalbook.services.scoring import catalog


def as_sent(value: Json) -> Json:
    """The value as it comes out of the strict reader: 0.1 is written '0.1' and read with these digits."""
    return read_json(plain_json(value), bounded=False)


def case_of(members: Mapping[str, Json]) -> Case:
    """A case with these members; without a case_id it is called 'case'."""
    return read_case(as_sent({"case_id": "case", **members}))


def version_of(implementation: str, parameters: Json) -> PreparedScorer:
    """A version of the implementation, prepared."""
    entry = catalog.find(implementation)
    assert entry is not None, f"there is no {implementation}"
    return entry.prepare(as_sent(parameters))


def grade(implementation: str, parameters: Json, **members: Json) -> Grade:
    """What a version of the implementation says about a case with these members."""
    return version_of(implementation, parameters).score(case_of(members))


def outcome(implementation: str, parameters: Json, **members: Json) -> str:
    """What becomes of a case with these members."""
    return grade(implementation, parameters, **members).outcome.value


def refused(implementation: str, parameters: Json) -> set[str]:
    """The pointers of what is wrong with the parameters; empty where nothing is."""
    try:
        version_of(implementation, parameters)
    except ParametersRefused as refusal:
        return {problem.pointer for problem in refusal.problems}
    return set()
