"""Routes about sandbox runs."""

from collections.abc import Iterator
from http import HTTPStatus
from typing import Annotated, Final

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Body, Path
from pydantic import StringConstraints

from evalbook.api.problems import ApiCode
from evalbook.api.request_context import RouteGroup, answer
from evalbook.api.route_table import Route, Scope
from evalbook.api.routes.scorers import asked_version
from evalbook.api.schemas.requests import SandboxRunBody
from evalbook.api.schemas.responses import SandboxRunView
from evalbook.api.views import registry
from evalbook.domain.records import Project
from evalbook.domain.refusals import DeclineReason
from evalbook.jsonio.values import Json
from evalbook.services.sandbox.runs import AskedRun, RunAndResults, Sandbox
from evalbook.services.scoring.case_run import ResolvedVersion

RunPart = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9-]{1,64}$"), Path()]


_EXAMPLE: Final = {
    "draft": {"implementation": "exact_match"},
    "cases": [{"case_id": "capital", "output": "Paris", "expected": "Paris"}],
}


class SandboxRoutes(RouteGroup):
    """Sandbox runs."""

    tag = "Sandbox"
    function = "Sandbox"

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox

    @Route(
        "POST",
        "/sandbox/runs",
        Scope.SANDBOX_RUN,
        SandboxRunView,
        "Run a version on some cases",
        accepted="Accepted: poll the run",
        problems=(
            DeclineReason.SCORER_NOT_FOUND,
            DeclineReason.VERSION_NOT_FOUND,
            DeclineReason.NONE_ACTIVE,
            DeclineReason.NO_GATEWAY,
            DeclineReason.RATE_LIMITED,
            DeclineReason.BUDGET_TAKEN,
            ApiCode.PARAMETERS_REFUSED,
        ),
        example=_EXAMPLE,
    )
    def start_sandbox_run(self, body: Annotated[SandboxRunBody, Body()]) -> Response[str]:
        """Score some cases; 202 where that takes longer than 20 seconds, and where a judge is asked."""
        since = self._sandbox.moments.seconds()
        caller, project = self._context.caller, self._context.project
        self._sandbox.count(caller.key())
        asked = AskedRun(body.cases, caller.subject, since, body.budget_limit)
        started = self._sandbox.start(project, self._chosen(project, body), asked)
        status = HTTPStatus.OK if started.finished else HTTPStatus.ACCEPTED
        return answer(self._view(started), status, f"/sandbox/runs/{started.run.key.run_id}")

    @Route(
        "GET",
        "/sandbox/runs/{run}",
        Scope.SANDBOX_RUN,
        SandboxRunView,
        "Get a run",
        problems=(DeclineReason.RUN_NOT_FOUND,),
    )
    def get_sandbox_run(self, run: RunPart) -> Response[str]:
        """Get a run and the results that it has so far."""
        return answer(self._view(self._sandbox.get(self._context.project, run)))

    def _chosen(self, project: Project, body: SandboxRunBody) -> ResolvedVersion:
        if body.draft is not None:
            return self._sandbox.draft(project, asked_version(body.draft), self._context.caller.subject)
        assert body.scorer is not None  # the body has exactly one of them
        number = body.scorer.version if isinstance(body.scorer.version, int) else None
        return self._sandbox.stored(project, body.scorer.name, number)

    def _view(self, found: RunAndResults) -> Json:
        run = found.run
        return {
            "run_id": run.key.run_id,
            "status": "finished" if found.finished else "running",
            "cases": run.cases,
            "results": list(self._visible(found)),
            "budget_id": run.judging.budget_id if run.judging else None,
            "created": registry.stamp(run.created),
            "expires_at": run.expires_at,
        }

    def _visible(self, found: RunAndResults) -> Iterator[Json]:
        """Yield the results in the order of their cases, without what is derived from bodies for who may not see it."""
        sees_bodies = Scope.READ_BODY.value in self._context.caller.scopes
        for _, result in sorted(found.results.items()):
            yield result if sees_bodies else {name: each for name, each in result.items() if name != "body"}
