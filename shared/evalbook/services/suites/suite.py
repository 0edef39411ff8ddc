"""A suite: named scorers with their parameters and the pass rate that each has to reach."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from evalbook.domain.errors import ParametersRefused, Problem, Refused
from evalbook.domain.implementation import DEFAULT_TIME_LIMIT_MS, read_time_limit
from evalbook.jsonio.canonical import exact, plain_json
from evalbook.jsonio.pointer import format_pointer
from evalbook.jsonio.values import Json, is_number, kind_of
from evalbook.services.scoring import catalog

_MEMBERS: Final = ("name", "implementation", "parameters", "time_limit_ms", "threshold")
_MAX_NAME: Final = 128


@dataclass(frozen=True, slots=True)
class SuiteScorer:
    """One scorer of a suite; *parameters* are JSON text, *threshold* the pass rate (0 to 1) that it has to reach."""

    name: str
    implementation: str
    parameters: bytes
    time_limit_ms: int = DEFAULT_TIME_LIMIT_MS
    threshold: Decimal | None = None

    def line(self, number: int, case: bytes) -> bytes:
        """Return the line of `evalbook score` that scores *case*, a JSON text, under the id *number*."""
        head = plain_json({"id": number, "implementation": self.implementation, "time_limit_ms": self.time_limit_ms})
        return b'%s,"parameters":%s,"case":%s}' % (head[:-1], self.parameters, case)


def read_suite(document: Json) -> tuple[SuiteScorer, ...]:
    """Return the scorers of a suite: a list of scorers, or an object `{"scorers": [...]}`.

    Raises:
        Refused: With every problem of every scorer, those of its parameters among them, and their JSON Pointers.
    """
    listed, place = _listed(document)
    problems = [Problem(place + problem.pointer, problem.message) for problem in _problems(listed)]
    if problems:
        raise Refused(problems)
    return tuple(_scorer(each) for each in listed)


def _listed(document: Json) -> tuple[Sequence[Json], str]:
    place, listed = "", document
    if isinstance(document, Mapping):
        unknown = sorted(document.keys() - {"scorers"})
        if unknown:
            raise Refused([Problem(format_pointer((name,)), "is not known; a suite has scorers") for name in unknown])
        place, listed = "/scorers", document.get("scorers")
    if not isinstance(listed, list) or not listed:
        raise Refused([Problem(place, "must be an array of at least one scorer {name, implementation, parameters}")])
    return listed, place


def _problems(listed: Sequence[Json]) -> Iterator[Problem]:
    names = Counter(_name_of(each) for each in listed if isinstance(each, Mapping))
    for index, each in enumerate(listed):
        if not isinstance(each, Mapping):
            yield Problem(f"/{index}", f"must be an object, not {kind_of(each)}")
            continue
        found = [*_member_problems(each), *_version_problems(each)]
        if isinstance(_name_of(each), str) and names[_name_of(each)] > 1:
            found.append(Problem("/name", "is the name of another scorer too: give each a name of its own"))
        yield from (Problem(f"/{index}{problem.pointer}", problem.message) for problem in found)


def _member_problems(raw: Mapping[str, Json]) -> Iterator[Problem]:
    for member in sorted(raw.keys() - set(_MEMBERS)):
        yield Problem(format_pointer((member,)), f"is not known; a scorer has {', '.join(_MEMBERS)}")
    name: Json = raw.get("name")
    if name is not None and not (isinstance(name, str) and 0 < len(name) <= _MAX_NAME):
        yield Problem("/name", f"must be a text of 1 to {_MAX_NAME} characters")
    threshold = raw.get("threshold")
    if threshold is not None and not (is_number(threshold) and 0 <= threshold <= 1):
        yield Problem("/threshold", "must be a pass rate from 0 to 1")


def _version_problems(raw: Mapping[str, Json]) -> Iterator[Problem]:
    found = catalog.find(str(raw.get("implementation")))
    if found is None:
        yield Problem("/implementation", f"must be one of {', '.join(catalog.families())}")
    else:
        try:
            found.prepare(raw.get("parameters", {}))
        except ParametersRefused as refused:
            yield from (Problem(f"/parameters{each.pointer}", each.message) for each in refused.problems)
    try:
        read_time_limit(raw.get("time_limit_ms", DEFAULT_TIME_LIMIT_MS))
    except ParametersRefused as refused:
        yield from refused.problems


def _name_of(raw: Mapping[str, Json]) -> Json:
    return raw.get("name", raw.get("implementation"))


def _scorer(raw: Mapping[str, Json]) -> SuiteScorer:
    threshold = raw.get("threshold")
    return SuiteScorer(
        _name_of(raw),
        raw["implementation"],
        plain_json(raw.get("parameters", {})),
        read_time_limit(raw.get("time_limit_ms", DEFAULT_TIME_LIMIT_MS)),
        None if threshold is None else exact(threshold),
    )
