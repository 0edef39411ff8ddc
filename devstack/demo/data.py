"""What the demo's data sets are made of."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

JsonObject = dict[str, Any]


@dataclass(frozen=True, slots=True)
class DemoCase:
    """A case as it is sent, and what its data set says of it (None where it says nothing).

    *label* is true where the case is to pass, false where it is to fail; *score* is the number that is to come with it.
    """

    case: JsonObject
    label: bool | None
    score: float | None = None

    @property
    def case_id(self) -> str:
        """The id that its result comes back with."""
        return str(self.case["case_id"])

    def agrees(self, result: Mapping[str, Any] | None) -> bool:
        """Whether *result* says what the label says; a result that did not come back (None) says nothing."""
        if result is None or result["outcome"] != ("pass" if self.label else "fail"):
            return False
        return self.score is None or result["score"] == self.score


@dataclass(frozen=True, slots=True)
class DemoVersion:
    """Cases for one version of one scorer."""

    scorer: str
    parameters: JsonObject
    cases: tuple[DemoCase, ...]


@dataclass(frozen=True, slots=True)
class DemoSet:
    """A row of the demo's table: versions of one implementation with their cases, whose ids differ."""

    title: str
    implementation: str
    versions: tuple[DemoVersion, ...]

    @property
    def cases(self) -> tuple[DemoCase, ...]:
        """The cases of all versions."""
        return tuple(case for version in self.versions for case in version.cases)


def demo_set(
    title: str, scorer: str, implementation: str, parameters: JsonObject, cases: tuple[DemoCase, ...]
) -> DemoSet:
    """Build a set with one version."""
    return DemoSet(title, implementation, (DemoVersion(scorer, parameters, cases),))
