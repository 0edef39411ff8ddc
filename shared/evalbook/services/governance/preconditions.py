"""What has to hold for a judge version to become active: asked at the request, and again when it is carried out."""

from collections.abc import Iterable
from dataclasses import dataclass

from evalbook.domain.errors import ParametersRefused, Problem
from evalbook.domain.records import Project, VersionRecord
from evalbook.domain.versions import JUDGE
from evalbook.jsonio.reader import NotStrictJson
from evalbook.jsonio.stored import read_stored
from evalbook.judges.catalog import confirm
from evalbook.judges.version import JudgeParameters
from evalbook.services.governance.actions import Target
from evalbook.services.judging.gateway import Catalogs
from evalbook.services.registry.ports import RubricStore, ScorerStore
from evalbook.services.registry.version_check import judge_of_registry


@dataclass(frozen=True, slots=True)
class Preconditions:
    """Asks the registry and the gateway's catalog; without *catalogs* no model is confirmed."""

    scorers: ScorerStore
    rubrics: RubricStore
    catalogs: Catalogs | None

    def problems(self, project: Project, target: Target) -> tuple[Problem, ...]:
        """Name everything that keeps the target from becoming active; empty where nothing does.

        Raises:
            CatalogUnavailable: The gateway gave no catalog, and nothing else is wrong: it may be asked again.
            StoreUnavailable: The registry did not answer.
        """
        version = self.scorers.version(target.scorer, target.version)
        if version is None or version.version.implementation != JUDGE or version.version.digest != target.digest:
            return (Problem("/version", "is not there as it was requested"),)
        try:
            parameters = judge_of_registry(self.rubrics, project, _raw(version))
        except ParametersRefused as refused:
            return refused.problems
        except NotStrictJson:
            return (Problem("/version", "cannot be read"),)
        return tuple(self._model_problems(project, parameters))

    def _model_problems(self, project: Project, parameters: JudgeParameters) -> Iterable[Problem]:
        if self.catalogs is None:
            return [Problem("/model", "no model catalog is configured, so the model cannot be confirmed")]
        return confirm(self.catalogs.catalog(project.organization_id), parameters)


def _raw(version: VersionRecord) -> object:
    return read_stored(version.version.parameters)
