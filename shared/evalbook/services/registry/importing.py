"""Bringing a project to what a document says: what is there already stays, what is missing is made."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pydantic import ValidationError

from evalbook.contracts.words import in_words
from evalbook.domain.errors import ParametersRefused, Refused
from evalbook.domain.versions import JUDGE, version_digest
from evalbook.jsonio.canonical import digest
from evalbook.jsonio.values import Json
from evalbook.judges.rubric import read_rubric
from evalbook.services.registry.document import FixtureBody, RegistryDocument, RubricText, ScorerText, VersionText
from evalbook.services.registry.pinning import pinned_digest
from evalbook.services.registry.rubrics import rubric_content
from evalbook.services.registry.transfer_port import RegistryApi


@dataclass(frozen=True, slots=True)
class ImportChange:
    """What was done, or (`kept`) could not be: `what` names it."""

    action: str
    what: str


def read_document(value: Json) -> RegistryDocument:
    """Read a document.

    Raises:
        Refused: It is none; carries every problem.
    """
    try:
        return RegistryDocument.model_validate(value)
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False)
        raise Refused(in_words(each, each["loc"]) for each in found) from None


def import_registry(api: RegistryApi, document: RegistryDocument, *, activate: bool) -> Iterator[ImportChange]:
    """Make what the project lacks, yielding each change; a second import of the same document yields none.

    A version that the project has already, by its digest, is not made again. With *activate* the document's active
    versions are activated, judges excepted.
    """
    for rubric in document.rubrics:
        yield from _import_rubric(api, rubric)
    for scorer in document.scorers:
        yield from _import_scorer(api, scorer, activate=activate)


def _import_rubric(api: RegistryApi, rubric: RubricText) -> Iterator[ImportChange]:
    path = f"/rubrics/{rubric.name}"
    if api.get(path) is None:
        api.post("/rubrics", {"name": rubric.name, "description": rubric.description})
        yield ImportChange("created", f"rubric {rubric.name}")
    there = _Matching((each["digest"], each["version"]) for each in api.pages(f"{path}/versions"))
    for version in rubric.versions:
        body = {"instructions": version.instructions, "criteria": version.criteria}
        if there.take(_rubric_digest(body)) is None:
            made = api.post(f"{path}/versions", body)
            yield ImportChange("created", f"rubric {rubric.name} version {made['version']}")


def _import_scorer(api: RegistryApi, scorer: ScorerText, *, activate: bool) -> Iterator[ImportChange]:
    path = f"/scorers/{scorer.name}"
    if api.get(path) is None:
        api.post("/scorers", {"name": scorer.name, "description": scorer.description})
        yield ImportChange("created", f"scorer {scorer.name}")
    there = _Matching((each["digest"], each["version"]) for each in api.pages(f"{path}/versions"))
    for position, version in enumerate(scorer.versions, start=1):
        # What was exported stands as it is stored; what is written by hand has defaults that are spelt out when it is.
        written = version.implementation, version.parameters, version.time_limit_ms
        number = there.take(version_digest(*written)) or there.take(pinned_digest(*written))
        if number is None:
            number = api.post(f"{path}/versions", _version_body(version))["version"]
            yield ImportChange("created", f"scorer {scorer.name} version {number}")
        yield from _import_fixtures(api, scorer.name, number, version)
        if activate and position == scorer.active_version:
            yield from _activate(api, scorer.name, number, version.implementation)


def _import_fixtures(api: RegistryApi, name: str, number: int, version: VersionText) -> Iterator[ImportChange]:
    if not version.fixtures:
        return
    path, what = f"/scorers/{name}/versions/{number}/fixtures", f"fixtures of scorer {name} version {number}"
    wanted = [_fixture(each) for each in version.fixtures]
    found = api.get(path) or {"fixtures": [], "frozen": False}
    if digest(found["fixtures"]) == digest(wanted):
        return
    if found["frozen"]:
        yield ImportChange("kept", f"{what}: they are frozen")
        return
    api.put(path, {"fixtures": wanted})
    yield ImportChange("replaced", what)


def _fixture(fixture: FixtureBody) -> Json:
    code = {} if fixture.code is None else {"code": fixture.code.value}
    score = {} if fixture.score is None else {"score": fixture.score}
    return {"case": fixture.case, "outcome": fixture.outcome.value, **code, **score}


def _activate(api: RegistryApi, name: str, number: int, implementation: str) -> Iterator[ImportChange]:
    scorer, what = api.get(f"/scorers/{name}"), f"scorer {name} version {number}"
    if not scorer or scorer["active_version"] == number:
        return
    if implementation == JUDGE:
        yield ImportChange("kept", f"{what} not active: judges are activated by an action that somebody else approves")
        return
    api.post(f"/scorers/{name}/versions/{number}/activation", None)
    yield ImportChange("activated", what)


def _version_body(version: VersionText) -> Json:
    return {
        "implementation": version.implementation,
        "parameters": version.parameters,
        "time_limit_ms": version.time_limit_ms,
    }


def _rubric_digest(body: Json) -> str:
    try:
        return digest(rubric_content(read_rubric(body)))
    except ParametersRefused:
        return ""  # it is sent all the same: the API says what is wrong with it


class _Matching:
    """Numbers of versions by their digest: of several with one digest, the first is taken first."""

    def __init__(self, versions: Iterable[tuple[str, int]]) -> None:
        self._numbers: defaultdict[str, list[int]] = defaultdict(list)
        for version, number in versions:
            self._numbers[version].append(number)

    def take(self, version: str) -> int | None:
        """The next number with this digest, or None."""
        numbers = self._numbers[version]
        return numbers.pop(0) if numbers else None
